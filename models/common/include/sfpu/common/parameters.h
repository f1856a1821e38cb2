// Everything about the machine that a user may change: one field, one row of the parameter table.
#pragma once

#include <sfpu/common/front_end_parameters.h>
#include <sfpu/common/hart_parameters.h>
#include <sfpu/common/memory_parameters.h>
#include <sfpu/common/tensorload_parameters.h>
#include <sfpu/common/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sfpu {

/// Where a number comes from.
enum class evidence : std::uint8_t { documented, measured, inferred, choice };
const char* to_string(evidence value);

enum class delay_scope : std::uint8_t { sub_unit, macro };
/// What a scheduled instruction that counts instructions holds up in a cycle without issue (T10).
enum class freeze_scope : std::uint8_t { all, own_unit };
enum class stall_choice : std::uint8_t { by_architecture, on, off };
/// Which thread goes first if several could issue in one cycle (T22).
enum class thread_order : std::uint8_t { round_robin, fixed };

/// The order in which simultaneous writes of one LReg are applied, the last wins (T2a).
enum class write_port : std::uint8_t { mad, second_cycle, simple, round, load };
constexpr unsigned write_port_count = 5;
using write_order = std::uint32_t; ///< one hex digit a port, first applied in the lowest digit

/// The configuration of one tile: a vector unit with its Dst, and what drives it. A plain value; defaults are
/// the hardware's.
struct parameters {
    architecture arch = architecture::blackhole;

    unsigned latency_load = 1;
    unsigned latency_simple = 1;
    unsigned latency_mad = 2;
    unsigned latency_round = 1;
    unsigned latency_swap = 2;
    unsigned latency_shuffle = 2;

    // The machine may grow beyond the chips: isa/machine.h says what it is then.
    unsigned macro_count = 4;
    unsigned macro_templates = 4;
    unsigned macro_slots = 8;
    unsigned macro_delay_bits = 3;
    delay_scope macro_delay_kind_scope = delay_scope::sub_unit;
    bool macro_firing_entry_outstanding = true;
    freeze_scope macro_freeze_scope = freeze_scope::all;
    unsigned macro_config_distance = 3;

    unsigned sfpu_issue_width = 1;
    unsigned sfpu_mad_units = 1;
    bool sfpu_write_port_rule = true;

    stall_choice sfpu_auto_stall = stall_choice::by_architecture;
    write_order sfpu_write_order = 0x43210;
    std::uint32_t sfpu_lreg12_default = 0x3b000000u;

    thread_order issue_thread_order = thread_order::round_robin;

    unsigned dst_load_ports = 1;
    unsigned dst_store_ports = 1;
    unsigned dst_store_load_visible = 1;
    unsigned dst_store_load_warn = 1;

    unsigned clock_period_ps = 0; ///< 0: by architecture

    // The tile around the vector unit.
    front_end_parameters front_end;
    hart_parameters hart;
    tensorload_parameters tensorload;
    memory_parameters memory;

    /// All faults of the values together, empty if there are none.
    std::vector<std::string> problems() const;

    /// Clock period in picoseconds: 741 (1.35 GHz) on Blackhole, 1000 on Wormhole unless set.
    unsigned period_ps() const { return clock_period_ps ? clock_period_ps : describe(arch).period_ps; }
    /// Whether MAD dependences and two-cycle shuffles stall issue (T16, T17).
    bool auto_stall() const {
        return sfpu_auto_stall == stall_choice::by_architecture ? describe(arch).stalls_for_results
                                                                : sfpu_auto_stall == stall_choice::on;
    }
};

/// How a parameter's value is written and what its number means.
enum class parameter_type : std::uint8_t {
    integer,     ///< "2"; C syntax is accepted
    boolean,     ///< "true" or "false"; also "on", "off", "1", "0"
    hexadecimal, ///< "3b000000", digits without prefix ("0x" is accepted)
    choice,      ///< one of the row's choices; the number is its index
    order,       ///< all choices once, separated by commas; one hex digit a place, the first one lowest
};
const char* to_string(parameter_type type);

/// One row of the parameter table. Values travel as text: "2", "true", "3b000000", "sub_unit".
struct parameter_row {
    const char* path; ///< "sfpu.latency.mad"
    parameter_type type;
    std::uint64_t minimum, maximum;
    std::vector<std::string> choices; ///< for types choice and order
    const char* unit;
    evidence basis;
    const char* source;
    const char* help;
    std::uint64_t (*get)(const parameters&); ///< the number of the value
    void (*set)(parameters&, std::uint64_t);
    /// What a chip has, if it is not the default; a default that stands for the chip's value is resolved
    /// here.
    std::uint64_t (*on_chip)(architecture) = nullptr;
    /// Whether it decides in which cycle something happens, and so, maybe, what a program computes.
    bool timing = true;
    /// What one more than the chip has adds to the machine, in registers of 32 bits: a proxy for area that
    /// counts ports, entries and bits, a port of 32 lanes as 32. 0: nothing of the kind.
    double cost = 0;

    /// Whether the machine has another value here than its chip.
    bool differs_from_chip(const parameters& config) const;

    /// The value as set_parameter() takes it.
    std::string text(const parameters& config) const;
    /// The value that a chip has, or "none" if it has nothing of the kind.
    std::string chip_text(architecture arch) const;
    std::string text_of(std::uint64_t value) const;
};
const std::vector<parameter_row>& parameter_table();
const parameter_row* find_parameter(std::string_view path);

/// The machine with the chip's timing and everything else as it is; `arch` stays, too.
parameters with_chip_timing(const parameters& config);

/// The values that a row accepts, in words: "1 to 8", "bh or wh".
std::string expected_values(const parameter_row& row);

/// Sets one parameter from text. Returns what is wrong, with the expected range and, for an unknown path, the
/// nearest valid one; nothing is changed then.
std::optional<std::string> set_parameter(parameters& config, std::string_view path, std::string_view value);

/// The candidate closest to `word` in edit distance, for error messages; empty if nothing is near.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

} // namespace sfpu
