// A tile with a run of its own, for programs that simulate nothing else. Platforms use its base.
#pragma once

#include <sfpu/tile/tile.h>

#include <functional>
#include <string>

namespace sfpu::platform {

/// What listens to a run; any may be null.
struct tile_listeners {
    probe::pipeline_observer* observer = nullptr;
    diagnostic_sink* diagnostics = nullptr;
    hazard_policy hazards = hazard_policy::warn;
    bool retired = false; ///< the observer wants every instruction of the harts
    /// Asked now and then during a run; true ends it (outcome::interrupted). May be empty.
    std::function<bool()> stop = nullptr;
};

struct tile_result {
    enum class outcome : std::uint8_t {
        ended,       ///< the program stored a non-zero word to `tohost`
        trapped,     ///< a trap without a handler
        cycle_limit, ///< no end before the limit
        hung,        ///< a hart waits for what nobody will do, as a push behind a semaphore that nobody posts
        interrupted, ///< by tile_listeners::stop
    };
    outcome why = outcome::cycle_limit;
    unsigned hart = 0;          ///< which one ended the run: 0 to 2, or tile::b_core
    std::uint32_t tohost = 0;   ///< the word; 1 means success
    riscv::unhandled_trap trap; ///< if one ended the run
    std::string
        trap_reason;      ///< what the TensorLoad engine has to say about it, if it refused the instruction
    std::uint32_t pc = 0; ///< of that hart: its next instruction, or the one in which it hangs
    cycles cycles_run{};  ///< from reset until that hart stopped
    cycles last_cycle{}; ///< the last cycle in which anything happened, words that were still queued included
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
    tile_result run(cycles limit);

private:
    bool any_core_runs() const;
    void simulate_to_the_end();

    sc_core::sc_time period_;
    bool observed_ = false, interrupted_ = false;
    std::function<bool()> stop_;
};

} // namespace sfpu::platform
