#include <sfpu/probe/dependence_tracker.h>

namespace sfpu::probe {
namespace {

/// The registers of a set in which values travel.
register_set tracked(isa::register_set set) {
    const unsigned l16 = isa::contains(set, isa::macro_lreg) ? 1u << l16_index : 0u;
    return static_cast<register_set>((set & isa::general_registers) | l16);
}

} // namespace

register_access registers_of(const execution_event& event) {
    const isa::instruction& insn = event.insn;
    if (!event.takes_effect || insn.names_template()) return {};
    register_access access{tracked(insn.use.reads), tracked(insn.use.writes)};
    // The table leaves out the reads of mode SWAP, which happen in the second cycle only (T8).
    if (insn.latency == isa::latency_class::swap) access.reads |= access.writes;
    return access;
}

/// SFPMOV has a mode that looks at no lane flags.
lane_mask written_lanes(const execution_event& event) {
    constexpr unsigned all_lanes_enabled = 2;
    const bool ignores_flags = event.insn.is(isa::opcode::sfpmov) && event.insn.mod == all_lanes_enabled;
    return ignores_flags ? all_lanes : event.lanes;
}

unsigned write_rank(const isa::instruction& insn) {
    if (insn.latency == isa::latency_class::swap || insn.latency == isa::latency_class::shuffle) return 1;
    switch (insn.unit) {
    case isa::sub_unit::simple: return 2;
    case isa::sub_unit::round: return 3;
    case isa::sub_unit::load: return 4;
    default: return 0; // MAD; a store writes no LReg
    }
}

} // namespace sfpu::probe
