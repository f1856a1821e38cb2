#include <sfpu/timing/neighbour_rules.h>

#include <sfpu/isa/registers.h>

namespace sfpu::timing {
namespace {

namespace opcode = isa::opcode;
using isa::instruction;
using isa::latency_class;

/// Whether an instruction must not execute in the second cycle of a two-cycle SFPSHFT2. For issued
/// instructions the Wormhole page lists those that write a result through the shared port.
bool disturbs_shuffle(const instruction* insn, const isa::machine& machine) {
    if (!works(insn)) return false;
    if (insn->scheduled() || machine.all_issues_disturb_shuffles) return true;
    return insn->latency == latency_class::one && !insn->is(opcode::sfptransp) && writes_an_lreg(*insn);
}

} // namespace

bool may_share_cycle(const instruction& simple, const instruction& round) {
    if (!writes_an_lreg(simple) || !writes_an_lreg(round)) return true;
    return (simple.vd == isa::macro_lreg) != (round.vd == isa::macro_lreg);
}

neighbour_faults neighbour_rules::check(neighbour_state& state, const cycle_occupants& busy) const {
    neighbour_faults faults;
    const neighbour_state before = state;
    state = {};
    const bool simple = works(busy.simple), mad = works(busy.mad), round = works(busy.round);
    if (!simple && !round) return faults;
    if (simple && round && machine_->write_port_rule && !may_share_cycle(*busy.simple, *busy.round))
        faults.simple_round = busy.simple;
    if (before.swap) faults.swap = before.swap;
    if (before.shuffle &&
        (disturbs_shuffle(busy.simple, *machine_) || disturbs_shuffle(busy.round, *machine_)))
        faults.shuffle = before.shuffle;
    if (simple && busy.simple->latency == latency_class::swap) {
        if (mad && !faults.swap) {
            faults.swap = busy.simple;
            faults.swap_in_first_cycle = true;
        }
        state.swap = busy.simple;
    }
    if (round && busy.round->latency == latency_class::shuffle) state.shuffle = busy.round;
    return faults;
}

} // namespace sfpu::timing
