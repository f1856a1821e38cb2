// The machine as one value: what chip and parameters make of the vector unit. Planner, executor, assembler,
// documents, waveforms and explorers ask it for sizes, latencies and rules.
//
// Plain C++. A machine may be larger than the chips, see docs/exploration.md.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/isa/instruction.h>
#include <sfpu/isa/word_encoding.h>

#include <array>
#include <cstdint>

namespace sfpu::isa {

/// Whose latency a result has. SFPNOP and words of the front end have none.
enum class result_class : std::uint8_t { load, simple, mad, round, swap, shuffle };
constexpr unsigned result_class_count = 6;

/// A place where one instruction can execute in a cycle.
struct functional_unit {
    sub_unit kind = sub_unit::simple;
    std::uint8_t index = 0; ///< among the units of its kind

    friend constexpr bool operator==(functional_unit a, functional_unit b) {
        return a.kind == b.kind && a.index == b.index;
    }
};

/// Upper ends of the ranges that parameters allow, for storage of fixed size.
namespace largest {
constexpr unsigned macros = 8, templates = 8, delay_bits = 5, slots = 32, latency = 8, issue_width = 2,
                   units = 8; ///< simple, round, two each of MAD, store and load
} // namespace largest

struct machine {
    architecture chip = architecture::blackhole;
    unsigned period_ps = 0;

    // Issue.
    unsigned issue_width = 1;        ///< words in one cycle
    bool stalls_for_results = false; ///< MAD dependences and two-cycle shuffles hold issue back (T16, T17)

    // Units. Units 0 to 4 are those of the chips, in the order of sub_unit; further ones follow.
    unsigned mad_units = 1;
    unsigned load_ports = 1, store_ports = 1; ///< Load and Store units
    bool write_port_rule = true;              ///< Simple and Round share a register write port (T9)
    bool all_issues_disturb_shuffles = false; ///< T8, see chip_description

    // Results.
    std::array<unsigned, result_class_count> latency{}; ///< cycles to the first cycle that sees the result
    sfpu::write_order write_order = 0;                  ///< of one register in one cycle (T2a)
    std::uint32_t lreg12_default = 0;                   ///< L12 at reset and by SFPCONFIG

    // Macros.
    unsigned macros = 4, templates = 4;
    unsigned delay_bits = 3;
    unsigned slots = 8; ///< outstanding entries of a unit
    delay_scope delay_kind_scope = delay_scope::sub_unit;
    bool firing_entry_outstanding = true;
    sfpu::freeze_scope freeze_scope = sfpu::freeze_scope::all;
    unsigned config_distance = 3; ///< words from SFPCONFIG to SFPLOADMACRO that are known to be safe (T21)

    // Dst.
    unsigned store_load_visible = 1, store_load_warn = 1; ///< cycles (T7)

    unsigned longest_delay() const { return (1u << delay_bits) - 1u; }
    unsigned units() const { return 2 + mad_units + load_ports + store_ports; }
    /// Unit by number. Numbers 0 to 4 are Simple, MAD, Round, Store and Load; then come the second MAD,
    /// Store, Load.
    functional_unit unit(unsigned number) const;
    /// The number of a unit, below units().
    unsigned number_of(sub_unit kind, unsigned index = 0) const;
    /// How many units of a kind there are; none of the front end.
    unsigned units_of(sub_unit kind) const;

    word_encoding encoding() const;
};

bool operator==(const machine& a, const machine& b);
inline bool operator!=(const machine& a, const machine& b) { return !(a == b); }

machine make_machine(const parameters& config);

/// Whose latency the results of an instruction have. A store, which leaves no result in a register, counts as
/// a load.
result_class class_of(const instruction& insn);

/// Cycles from the execution of an instruction to the first cycle that sees its result. At least 1, also for
/// instructions without a result: their effects (flags, Dst, configuration) are seen in the next cycle.
unsigned latency_of(const instruction& insn, const machine& of);

} // namespace sfpu::isa
