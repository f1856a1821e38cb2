// Diagnostics: everything that the hardware does silently and a user wants to know.
#pragma once

#include <sfpu/common/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sfpu {

enum class severity : std::uint8_t { info, warning, error };
const char* to_string(severity level);

/// What a diagnostic is about. `hazard` diagnostics follow the --hazards option: severity error under
/// "error", warning under "warn", dropped under "off". The others keep their own severity. A `remark` is on a
/// kernel as a whole and breaks no rule: no model gives it, but whoever reads the kernel or its run.
enum class report_kind : std::uint8_t { hazard, notice, isa, remark };
const char* to_string(report_kind kind);

/// Every diagnostic of the models. The ids and their meanings stand in one table in report.cpp.
enum class report_id : std::uint8_t {
    isa_unimplemented,
    isa_undefined,
    isa_non_contractual,
    isa_not_modelled,
    isa_constant_register,
    kernel_redefined_name,
    kernel_empty_loop,
    kernel_no_loop,
    kernel_truncated_division,
    kernel_address_carry,
    kernel_unused_input,
    kernel_unstored_output,
    kernel_partial_output,
    kernel_overlapping_data,
    kernel_store_to_template,
    issue_discarded_by_macro,
    hazard_unprotected_read,
    hazard_write_collision,
    hazard_late_write,
    hazard_simple_round_conflict,
    hazard_swap_neighbour,
    hazard_shft2_neighbour,
    hazard_laneconfig_neighbour,
    hazard_config_macro_distance,
    hazard_misc_left_armed,
    hazard_l16_overwritten,
    hazard_lreg_overwritten,
    hazard_unwritten_read,
    dst_store_load_distance,
    dst_window_write_distance,
    dst_window_access,
    dst_format_changed,
    registers_not_modelled,
    macro_forgotten,
    macro_never_drained,
    macro_selector_one,
    macro_template_not_executable,
    macro_store_without_store,
    macro_template_distance,
    macro_configured_in_flight,
    macro_lanes_move,
    macro_store_beside_flags,
    macro_drained_by_cycles,
    macro_lanes_differ,
    macro_slots_full,
    macro_beyond_machine,
    macro_stale_configuration,
    macro_other_thread,
    macro_other_than_chip,
    flags_stack_overflow,
    flags_stack_underflow,
    frontend_config_index,
    frontend_idle_condition,
    frontend_never_released,
    frontend_collision,
    frontend_mop_config_race,
    frontend_replay_unloaded,
    frontend_record_behind_store,
    tensorload_bus_error,
    hart_misaligned,
    hart_bus_error,
};
constexpr unsigned report_count = static_cast<unsigned>(report_id::hart_bus_error) + 1;

/// What provokes a report.
struct report_example {
    const char* text = nullptr; ///< null if nothing provokes it
    bool is_assembly = false;

    /// Lines of assembly, each with its line end, behind an empty one.
    static constexpr report_example assembly(const char* lines) { return {lines + 1, true}; }
    /// A sentence, where assembly alone does not provoke it.
    static constexpr report_example sentence(const char* text) { return {text, false}; }
};

/// All that is said of a report. docs/hazards.md and `info --explain` are made of it.
struct report_row {
    report_id id;
    const char* name; ///< "/sfpu/<unit>/<condition>"
    report_kind kind;
    severity level;          ///< severity when nothing promotes or demotes it
    const char* meaning;     ///< one line
    const char* explanation; ///< a paragraph that cites the rule of the timing contract or the document
    report_example example;
    const char* cure;             ///< in general; "Cure: " stands before it where it is printed
    const char* remark = nullptr; ///< a paragraph that the page alone has; null if there is none
};
const report_row& describe(report_id id);
/// Whether what is reported means that something of the program was left undone: a word of a unit that is not
/// modelled, data that a memory did not take, an access at another address than the program wrote. --strict
/// makes these errors.
bool leaves_something_undone(report_id id);
/// Whether this is a rule of the vendor's compiler that the timing contract does not have: breaking it is no
/// hazard of the model.
bool is_compiler_rule(report_id id);
const report_row* find_report(std::string_view name);

/// One occurrence of a report.
struct diagnostic {
    cycles at{};
    std::int64_t word = -1; ///< index of the program word, -1 if there is none
    report_id id{};
    severity level{};
    std::string message;
};

/// Receives diagnostics; a model without a sink only counts.
class diagnostic_sink {
public:
    virtual ~diagnostic_sink() = default;
    virtual void diagnose(const diagnostic& what) = 0;
};

enum class hazard_policy : std::uint8_t { error, warn, off };
bool parse(std::string_view text, hazard_policy& policy);

} // namespace sfpu
