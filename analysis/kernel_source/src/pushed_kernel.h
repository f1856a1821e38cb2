// From the words that a thread pushes to a kernel in assembly: rows found, data found, told.
#pragma once

#include <sfpu/analysis/kernel_source.h>
#include <sfpu/isa/assembler.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// A word that reaches the vector unit's thread, behind MOP and REPLAY, and where it was pushed.
struct pushed_word {
    std::uint32_t word = 0;
    isa::word_origin origin;
    bool gap = false; ///< the core can be late with it
};

struct pushed_kernel {
    std::vector<pushed_word> words; ///< in the order of issue
    /// Settings that other code made before: `.config` directives as written.
    std::vector<std::pair<std::string, std::string>> settings;
    std::vector<std::string> told; ///< sentences of whoever read the words
};

/// Finds the iterations (equal but for Dst addresses that step evenly), rolls them up into `.loop`, finds
/// inputs (cells read before they are written) and outputs (cells stored) unless they are named, and writes
/// assembly with `.origin`. What it found is added to `told`.
std::string rolled_assembly(const pushed_kernel& kernel, const source_request& request,
                            const machine_choice& machine, std::vector<std::string>& told);

} // namespace sfpu::analysis
