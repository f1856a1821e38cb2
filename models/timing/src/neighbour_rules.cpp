#include <sfpu/timing/neighbour_rules.h>

#include <sfpu/isa/state.h>

namespace sfpu::timing {
namespace {

namespace opcode = isa::opcode;
using isa::instruction;
using isa::latency_class;

/// Idle and SFPNOP are the same to these rules.
bool works(const instruction* insn) { return insn && !insn->is(opcode::sfpnop); }

/// Whether an instruction must not execute in the second cycle of a two-cycle SFPSHFT2. For issued instructions the
/// Wormhole page lists those that write a result through the shared port.
bool disturbs_shuffle(const instruction* insn, architecture arch) {
    if (!works(insn)) return false;
    if (insn->scheduled() || describe(arch).all_issues_disturb_shuffles) return true;
    return insn->latency == latency_class::one && !insn->is(opcode::sfptransp) && writes_an_lreg(*insn);
}

} // namespace

bool may_share_cycle(const instruction& simple, const instruction& round) {
    if (!writes_an_lreg(simple) || !writes_an_lreg(round)) return true;
    return (simple.vd == isa::macro_lreg) != (round.vd == isa::macro_lreg);
}

neighbour_faults neighbour_rules::check(cycles at, const cycle_occupants& busy) {
    neighbour_faults faults;
    const bool simple = works(busy.simple), mad = works(busy.mad), round = works(busy.round);
    if (simple && round) faults.simple_round = !may_share_cycle(*busy.simple, *busy.round);
    if (at == swap_second_cycle_) faults.swap = simple || round;
    if (at == shuffle_second_cycle_)
        faults.shuffle = disturbs_shuffle(busy.simple, arch_) || disturbs_shuffle(busy.round, arch_);
    if (simple && busy.simple->latency == latency_class::swap) {
        faults.swap = faults.swap || mad;
        latest_second_cycle_ = swap_second_cycle_ = at + one_cycle;
    }
    if (round && busy.round->latency == latency_class::shuffle)
        latest_second_cycle_ = shuffle_second_cycle_ = at + one_cycle;
    return faults;
}

} // namespace sfpu::timing
