// LRegs and lane flags as an instruction of some cycle would read them.
//
// An instruction whose result nobody needs earlier writes it when it executes, and not when it is due: the state that
// cycle_event shows may be ahead of time. This view puts that right.
#pragma once

#include <sfpu/isa/state.h>
#include <sfpu/probe/observer.h>

#include <array>

namespace sfpu::probe {

/// Give it all events of both kinds. Between them it shows what has been visible since the latest cycle_begins(), except
/// for registers whose results were early: those show their old values until a call for a later cycle.
class register_view {
public:
    void executed(const execution_event& event) {
        if (!event.early || event.end <= event.begin) return;
        for (isa::register_set rest = event.insn.use.results(); rest != 0; rest &= rest - 1)
            due_[static_cast<unsigned>(__builtin_ctz(rest))] = event.end + one_cycle;
    }

    /// Whether a register has the value of `state` at the start of a cycle, if nothing else happens until then.
    bool shows(unsigned lreg, cycles at) const { return due_[lreg] <= at; }

private:
    std::array<cycles, isa::lreg_count> due_{};
};

} // namespace sfpu::probe
