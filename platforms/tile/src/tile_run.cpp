// A run of a tile that is alone in its simulation.
#include <sfpu/platform/tile.h>

#include "tile_parts.h"

#include <sfpu/platform/simulate.h>

#include <algorithm>

namespace sfpu::platform {

void tile::reset(const tile_listeners& to) {
    sfpu::tile::reset({to.observer, to.diagnostics, to.hazards, to.retired});
    observed_ = to.observer != nullptr;
    stop_ = to.stop;
}

/// Lagging models need no help to be right, but observers would hear of their events late.
void tile::simulate_to_the_end() {
    parts& p = inside();
    if (!observed_ && !stop_) {
        simulate(); // until all harts have stopped
        return;
    }
    const auto is_running = [&p] {
        bool running = false;
        p.for_each_core([&](unsigned core) {
            running |= !p.held[core] && p.hart(core).state() == riscv::hart::outcome::running;
        });
        return running;
    };
    const cycles between = observed_ ? longest_lag : cycles{1 << 20};
    const sc_core::sc_time step = period_of(p.config) * static_cast<double>(between.count());
    while (is_running() && sc_core::sc_pending_activity()) {
        simulate(step);
        if (observed_) p.front_ends.catch_up(sc_core::sc_time_stamp());
        if (!p.ended && stop_ && stop_()) {
            p.ended = true;
            interrupted_ = true;
            return;
        }
    }
}

tile_result tile::run(cycles limit) {
    parts& p = inside();
    interrupted_ = false;
    p.limit = limit;
    p.for_each_core([&](unsigned core) { p.hart(core).set_cycle_limit(limit); });
    simulate_to_the_end();

    tile_result result;
    using outcome = tile_result::outcome;
    using state = tile_status::state;
    if (p.has_core(p.status.core)) result.hart = p.status.core;
    result.tohost = p.status.exit_word;
    result.trap = p.status.trap;
    result.trap_reason = p.status.trap_reason;
    if (interrupted_) result.why = outcome::interrupted;
    else if (p.status.now == state::ended) result.why = outcome::ended;
    else if (p.status.now == state::trapped) result.why = outcome::trapped;
    else
        // A hart that still runs though nothing is left to happen sleeps inside an access.
        p.for_each_core([&](unsigned core) {
            if (result.why == outcome::hung || p.held[core] ||
                p.hart(core).state() != riscv::hart::outcome::running)
                return;
            result.why = outcome::hung;
            result.hart = core;
        });

    const riscv::hart_core& last = p.hart(result.hart).core();
    result.pc = last.pc() - (result.why == outcome::hung ? 4 : 0);
    result.cycles_run = last.now();
    for (const auto& core : p.cores) core->front_end().hand_on_all();
    p.sfpu.drain();
    p.dst.settle();
    result.last_cycle = std::max(result.cycles_run, p.sfpu.now()) - one_cycle;
    return result;
}

} // namespace sfpu::platform
