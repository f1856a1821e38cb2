#include "dependence_tracker.h"

namespace sfpu::probe {
namespace {

constexpr register_set l16 = register_set{1} << l16_index;

/// Whether a scheduled instruction with VD = 16 writes L16. The table knows L0 to L7 only, so ask it whether
/// the instruction would write L0 if that were its VD; modes that write fixed registers answer the same for
/// both.
bool writes_l16(const isa::instruction& insn, architecture arch) {
    if (!insn.scheduled() || insn.vd != isa::macro_lreg) return false;
    isa::instruction to_l0 = insn;
    to_l0.vd = 0;
    return insn.op->use(to_l0, arch).writes & ~insn.use.writes & 1;
}

bool reads_l16(const isa::instruction& insn) {
    return insn.scheduled() && insn.is(isa::opcode::sfpstore) && insn.vd == isa::macro_lreg;
}

} // namespace

register_access registers_of(const execution_event& event, architecture arch) {
    const isa::instruction& insn = event.insn;
    if (!event.takes_effect || insn.names_template()) return {};
    register_access access{insn.use.reads, insn.use.writes};
    // The table leaves out the reads of mode SWAP, which happen in the second cycle only (T8).
    if (insn.latency == isa::latency_class::swap) access.reads |= insn.use.writes;
    if (writes_l16(insn, arch)) access.writes |= l16;
    if (reads_l16(insn)) access.reads |= l16;
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
