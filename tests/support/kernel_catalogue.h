// What each kernel of the repository must do, computed without the model: results, throughput, use of the
// sub-units.
#pragma once

#include "kernel_runner.h"
#include "lane_machine.h"

#include <array>
#include <string>
#include <vector>

namespace sfpu::test {

/// One kernel on one architecture.
struct kernel_case {
    std::string name; ///< of the kernel and the architecture: "mul32_macro_bh"
    std::string file;
    architecture arch;
    unsigned cycles_per_row; ///< published, see the table of timing.md
    /// Executions a row on Simple, MAD, Round, Store and Load, in the order of isa::sub_unit; counted from
    /// the schedules of the sources.
    std::array<unsigned, 5> executions_per_row;
    /// Puts inputs in place: random ones and corner cases.
    void (*fill)(dst_contents&, random_bits&);
    /// Replaces inputs by what Dst must hold after that many rows.
    void (*compute)(dst_contents&, unsigned rows);
};

const std::vector<kernel_case>& kernel_catalogue();
const kernel_case& find_kernel_case(const std::string& name);

/// Dst full of noise, with inputs for the kernel in it. The same seed gives the same contents.
dst_contents inputs_for(const kernel_case& kernel, std::uint64_t seed);

/// Runs the kernel on inputs of this seed and compares all of Dst: empty if every cell is right.
std::string wrong_result(const kernel_case& kernel, std::uint64_t seed, const run_options& options = {});

} // namespace sfpu::test
