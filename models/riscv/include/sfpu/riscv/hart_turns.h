// Who goes first if several harts access what they share in one cycle.
#pragma once

#include <sfpu/common/systemc_version.h>

#include <systemc>

namespace sfpu::riscv {

/// Harts that see each other access shared things at the simulated time of the access, so that all accesses
/// happen in the order of time. Those of one time take turns by number, however the kernel orders the harts'
/// threads: results do not depend on what else the threads waited for, and so not on the quantum.
class hart_turns {
public:
    explicit hart_turns(unsigned harts) : harts_(harts) {}

    /// One more who takes turns, after all harts; returns its number. Before simulated time passes.
    unsigned add() { return harts_++; }

    /// Waits, without simulated time passing, until it is this hart's turn. To be called in the hart's
    /// thread.
    void wait_for(unsigned hart) {
        const sc_core::sc_time now = sc_core::sc_time_stamp();
        if (!any_ || now != time_) {
            any_ = true;
            time_ = now;
            first_ = sc_core::sc_delta_count();
        }
        while ((sc_core::sc_delta_count() - first_) % harts_ != hart) sc_core::wait(sc_core::SC_ZERO_TIME);
    }

private:
    unsigned harts_;
    bool any_ = false;
    sc_core::sc_time time_;   ///< of the latest access
    sc_dt::uint64 first_ = 0; ///< the delta cycle in which hart 0 has its first turn at that time
};

} // namespace sfpu::riscv
