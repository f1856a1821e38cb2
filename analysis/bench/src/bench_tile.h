// Kernels of `bench` that are firmware: a whole tile runs them.
#pragma once

#include "bench_firmware.h"

#include <sfpu/platform/tile_run.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sfpu::analysis {

class tile_bench {
public:
    ///  - `tile`: hart, TensorLoad, MOP and REPLAY, and macros of the vector unit together (tile_firmware());
    ///  - `firmware_ttinsn`, `firmware_sw`: a hart that pushes each word itself (push_firmware()).
    static std::vector<std::string> kernels();

    /// Throws user_error unless the configuration is Blackhole's: the kernels need its instructions.
    tile_bench(const std::string& kernel, const parameters& config);

    /// Instructions of the vector unit that set-up and end of the program take.
    std::uint64_t least_instructions() const { return firmware_.set_up; }

    struct run {
        std::uint64_t issued = 0, executed = 0; ///< by the vector unit; executed: and scheduled by macros
        std::uint64_t hart_instructions = 0;
        std::uint64_t cycles = 0; ///< of the tile
    };
    /// Resets the tile and runs the program with exactly so many instructions of the vector unit.
    run measure(std::uint64_t instructions);

private:
    void set_word(const char* symbol, std::uint32_t value);

    bench_firmware firmware_;
    platform::tile_run tile_;
};

} // namespace sfpu::analysis
