// How fast the simulator itself is: a loop or a firmware, run untraced.
#pragma once

#include <sfpu/common/parameters.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

struct bench_request {
    std::string kernel; ///< one of bench_kernel_names()
    parameters config;
    /// Exactly so many, once, without warm-up; nothing: for about half a second of CPU time.
    std::optional<std::uint64_t> instructions;
    unsigned units = 1;   ///< vector units, each of which runs the kernel
    bool core = false;    ///< on the core, without SystemC
    unsigned threads = 1; ///< of the core, which share the units
};

struct speed_measurement {
    std::uint64_t instructions = 0; ///< issued
    std::uint64_t executed = 0;     ///< issued and scheduled
    std::uint64_t cycles = 0;
    double seconds = 0;                  ///< CPU time of all threads
    std::uint64_t hart_instructions = 0; ///< of firmware

    double millions_a_second(std::uint64_t count) const {
        return seconds > 0 ? 1e-6 * static_cast<double>(count) / seconds : 0;
    }
};

struct bench_answer {
    std::string kernel;
    architecture arch{};
    std::string vector_target; ///< the instruction set that lane loops use
    speed_measurement measured;
};

/// Loops, then firmware for a whole tile.
std::vector<std::string> bench_kernel_names();

/// Throws user_error for a kernel that there is not, that the chip cannot run, or that cannot be run in the
/// way that is asked for.
bench_answer measure_speed(const bench_request& request);

} // namespace sfpu::analysis
