// A Tensix tile: RISC-V harts, their front ends and TensorLoad engines, one vector unit with its Dst, L1, the bus.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/common/report.h>
#include <sfpu/memory/address_map.h>
#include <sfpu/platform/sfpu_bench.h>
#include <sfpu/probe/observer.h>
#include <sfpu/probe/statistics.h>
#include <sfpu/probe/trace_options.h>
#include <sfpu/riscv/elf_image.h>
#include <sfpu/riscv/hart_ports.h>

#include <systemc>

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace sfpu::platform {

/// A program does not fit the memory map. The message names the segment and what is there instead.
class load_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

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
    unsigned hart = 0;          ///< which one ended the run
    std::uint32_t tohost = 0;   ///< the word; 1 means success
    riscv::unhandled_trap trap; ///< if one ended the run
    std::string
        trap_reason;      ///< what the TensorLoad engine has to say about it, if it refused the instruction
    std::uint32_t pc = 0; ///< of that hart: its next instruction, or the one in which it hangs
    cycles cycles_run{};  ///< from reset until that hart stopped
    cycles last_cycle{}; ///< the last cycle in which anything happened, words that were still queued included
};

/// A module, so that several tiles fit into one simulation. Which parts exist follows from the configuration, which is
/// fixed; reset() begins a new run with it.
///
/// All harts execute the same program and tell themselves apart by mhartid. Wormhole has no Dst window; there TL.STORE
/// goes to L1 unless tensorload.l0m says otherwise.
class tile : public sc_core::sc_module {
public:
    /// While somebody observes, no part lags behind simulated time by more than this.
    static constexpr cycles longest_lag{1 << 15};

    tile(const sc_core::sc_module_name& name, const parameters& config);
    ~tile() override;

    /// Memory, registers and counters as after power-on. Cycle 0 is the present simulated time.
    void reset(const tile_listeners& to);
    /// Copies the segments to memory and lets all harts start at the entry point. Stores to the symbol `tohost` end the
    /// run, if there is one. Throws load_error, with the memory unchanged.
    void load(const riscv::elf_image& program);
    /// Lets simulated time pass until the program ends or cycle `limit` comes. Once after each reset().
    tile_result run(cycles limit);

    /// See riscv::hart: how many words at most a hart pushes in one transaction. Changes nothing but the speed.
    void set_longest_push(unsigned words);

    /// Memory as a hart sees it, through debug accesses, without time or side effects. False if a part of the range is
    /// no memory; a read has then filled, and a write has changed, nothing of the rest.
    bool read(std::uint32_t address, unsigned char* data, std::size_t count);
    bool write(std::uint32_t address, const unsigned char* data, std::size_t count);
    dst_image dst() const;

    const memory::address_map& map() const;
    /// Counters of the vector unit, as of a kernel's run.
    probe::unit_counters vector_unit_counters() const;
    /// Instructions that all harts have retired.
    std::uint64_t hart_instructions() const;
    /// Counters of everything else, in the form of the statistics file.
    std::vector<probe::counter_group> counters() const;
    /// The lanes under which parts of the tile publish activity.
    std::vector<probe::activity_lane> lanes() const;

private:
    struct parts;
    std::unique_ptr<parts> parts_;
};

} // namespace sfpu::platform
