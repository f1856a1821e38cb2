// What an event means for whoever shows it: the lane where it stands, whether it occupies a sub-unit, what it
// does with Dst.
#pragma once

#include <sfpu/probe/observer.h>

#include <array>
#include <cstdint>

namespace sfpu::probe {

/// Sub-units in the order in which people draw the pipeline.
struct unit_column {
    isa::sub_unit unit;
    const char* title;
};
constexpr std::array<unit_column, 5> pipeline_columns{{{isa::sub_unit::load, "Load"},
                                                       {isa::sub_unit::simple, "Simple"},
                                                       {isa::sub_unit::mad, "MAD"},
                                                       {isa::sub_unit::round, "Round"},
                                                       {isa::sub_unit::store, "Store"}}};

/// Whether the event keeps its sub-unit busy: SFPNOP, discarded and front-end words do not.
inline bool occupies_unit(const execution_event& event) {
    return !event.discarded && event.unit != isa::sub_unit::front_end && !event.insn.is(isa::opcode::sfpnop);
}

/// Whether nothing else may start in the sub-unit during the later cycles of the instruction's latency (T8).
inline bool holds_unit(const isa::instruction& insn) {
    return insn.latency == isa::latency_class::swap || insn.latency == isa::latency_class::shuffle;
}

inline bool reads_dst(const execution_event& event) {
    return event.takes_effect &&
           (event.insn.is(isa::opcode::sfpload) || event.insn.is(isa::opcode::sfploadmacro));
}
/// A template write looks like a store to L12 and above and does not reach Dst.
inline bool writes_dst(const execution_event& event) {
    return event.takes_effect && event.insn.is(isa::opcode::sfpstore) && !event.insn.names_template();
}

/// The Dst address of a load or store as people write it: bit 0 selects nothing, and in SFPLOADMACRO it
/// belongs to the register.
inline std::uint32_t shown_dst_address(const execution_event& event) { return event.dst_address & ~1u; }

} // namespace sfpu::probe
