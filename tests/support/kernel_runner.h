// Runs the kernels of the repository on the platform, from Dst contents to Dst contents.
#pragma once

#include "kernel_file.h"

#include <sfpu/platform/sfpu_bench.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::test {

/// The one platform of this process: SystemC elaborates once, the platform runs any number of programs. It
/// comes into being with the first call, which must be inside sc_main.
platform::sfpu_bench& shared_bench();

/// How the 32 bits of a lane stand in a Dst cell (Dst page of the ISA documentation; remap_addrs and
/// swizzle_32b off).
enum class cell_type : std::uint8_t {
    word32, ///< a 32-bit cell: FP32 or any other 32 bits
    bf16,   ///< a 16-bit cell that holds the upper half
    raw16,  ///< a 16-bit cell that holds the lower half
};

/// Raw Dst storage with the views through which loads and stores see it.
struct dst_contents {
    platform::dst_image cells{};

    /// One row of 32 lanes at a Dst address. Consecutive rows are two addresses apart: bit 1 chooses the odd
    /// columns.
    lanes get(unsigned address, cell_type type) const;
    void put(unsigned address, cell_type type, const lanes& values);
};
/// Where two contents differ first, in storage rows and columns; empty if they are equal.
std::string difference(const dst_contents& found, const dst_contents& expected);

struct run_options {
    parameters config;             ///< the architecture is the kernel's
    std::optional<unsigned> rows;  ///< instead of the kernel's own number
    std::vector<unsigned> bubbles; ///< idle cycles before issued word i
    probe::pipeline_observer* observer = nullptr;
};

struct kernel_outcome {
    dst_contents dst;
    isa::vector_state state;
    platform::run_result result;
    std::map<std::string, unsigned> reports; ///< occurrences by report id
    bool any_error = false;                  ///< a report of severity error
    double cycles_per_row = 0;               ///< steady state, as the statistics file has it
};

/// Runs init once, the loop for all rows and the tail once, as `sfpusim run` does.
kernel_outcome run_kernel(const isa::kernel& kernel, const dst_contents& before,
                          const run_options& options = {});

/// Number of rows that a run works on.
unsigned rows_of(const isa::kernel& kernel, const run_options& options = {});

} // namespace sfpu::test
