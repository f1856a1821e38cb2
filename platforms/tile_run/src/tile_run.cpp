// A run of a tile that is alone in its simulation.
#include <sfpu/platform/tile_run.h>

#include <sfpu/platform/program_host.h>
#include <sfpu/platform/simulate.h>

#include <algorithm>

namespace sfpu::platform {
namespace {

constexpr unsigned most_cores = tile::b_core + 1;

bool is_running(const std::optional<tile::core_state>& core) {
    return core && !core->held && core->outcome == riscv::hart::outcome::running;
}

} // namespace

void tile_run::reset(const tile_listeners& to) {
    tile::reset({to.observer, to.diagnostics, to.hazards, to.retired, to.retired_from, to.retired_to});
    observed_ = to.observer != nullptr;
    stop_ = to.stop;
}

bool tile_run::any_core_runs() const {
    for (unsigned number = 0; number < most_cores; ++number)
        if (is_running(core(number))) return true;
    return false;
}

/// Lagging models need no help to be right, but observers would hear of their events late.
void tile_run::simulate_to_the_end() {
    if (!observed_ && !stop_) {
        simulate(); // until all harts have stopped
        return;
    }
    const cycles between = observed_ ? longest_lag : cycles{1 << 20};
    const sc_core::sc_time step = period_ * static_cast<double>(between.count());
    while (any_core_runs() && sc_core::sc_pending_activity()) {
        simulate(step);
        if (observed_) catch_up();
        const tile_status::state now = status().now;
        const bool ended = now == tile_status::state::ended || now == tile_status::state::trapped;
        if (!ended && stop_ && stop_()) {
            give_up();
            interrupted_ = true;
            return;
        }
    }
}

void tile_run::simulate_with_host(program_host& host) {
    const sc_core::sc_time step = period_ * static_cast<double>(program_host::between_looks.count());
    while (!host.look() && any_core_runs() && sc_core::sc_pending_activity()) {
        simulate(step);
        if (observed_) catch_up();
        if (stop_ && stop_()) {
            give_up();
            interrupted_ = true;
            return;
        }
    }
}

tile_result tile_run::run(cycles limit, program_host* host) {
    interrupted_ = false;
    set_cycle_limit(limit);
    if (host) simulate_with_host(*host);
    if (!interrupted_) simulate_to_the_end();

    tile_result result;
    using outcome = tile_result::outcome;
    const tile_status found = status();
    if (core(found.core)) result.hart = found.core;
    result.tohost = found.exit_word;
    result.trap = found.trap;
    result.trap_reason = found.trap_reason;
    if (interrupted_) result.why = outcome::interrupted;
    else if (found.now == tile_status::state::ended) result.why = outcome::ended;
    else if (found.now == tile_status::state::trapped) result.why = outcome::trapped;
    else
        // A hart that still runs though nothing is left to happen sleeps inside an access.
        for (unsigned number = 0; number < most_cores && result.why != outcome::hung; ++number)
            if (is_running(core(number))) {
                result.why = outcome::hung;
                result.hart = number;
            }

    if (host) result.host_waits_for = host->waits_for();
    const core_state last = core(result.hart).value_or(core_state{});
    result.pc = last.pc - (result.why == outcome::hung ? 4 : 0);
    result.cycles_run = last.now;
    result.last_cycle = std::max(result.cycles_run - one_cycle, settle());
    return result;
}

} // namespace sfpu::platform
