// A tile with a run of its own, for programs that simulate nothing else. Platforms use its base.
#pragma once

#include <sfpu/platform/tile_result.h>
#include <sfpu/tile/tile.h>

#include <functional>
#include <limits>
#include <string>

namespace sfpu::platform {

class program_host;

/// What listens to a run; any may be null.
struct tile_listeners {
    probe::pipeline_observer* observer = nullptr;
    diagnostic_sink* diagnostics = nullptr;
    hazard_policy hazards = hazard_policy::warn;
    bool retired = false; ///< the observer wants every instruction of the harts
    /// Asked now and then during a run; true ends it (outcome::interrupted). May be empty.
    std::function<bool()> stop = nullptr;
    /// Instructions of the harts are wanted of these cycles, both inclusive.
    cycles retired_from{}, retired_to{std::numeric_limits<std::int64_t>::max()};
};

/// A tile and a loop around sc_start(): reset(), load(), run(), as often as wanted.
class tile_run : public tile {
public:
    /// While somebody observes, no part lags behind simulated time by more than this.
    static constexpr cycles longest_lag{1 << 15};

    tile_run(const sc_core::sc_module_name& name, const parameters& config, socket_binder* binder = nullptr)
        : tile(name, config, binder), period_(static_cast<double>(config.period_ps()), sc_core::SC_PS) {}

    /// Memory, registers and counters as after power-on. Cycle 0 is the present simulated time.
    void reset(const tile_listeners& to);
    /// Lets simulated time pass until the program ends or cycle `limit` comes. Once after each reset().
    /// `host`, if there is one, looks now and then until nothing is left for it to do.
    tile_result run(cycles limit, program_host* host = nullptr);

private:
    bool any_core_runs() const;
    void simulate_with_host(program_host& host);
    void simulate_to_the_end();

    sc_core::sc_time period_;
    bool observed_ = false, interrupted_ = false;
    std::function<bool()> stop_;
};

} // namespace sfpu::platform
