// C++ kernels, compiled and recorded while the program runs: a source becomes a program of its own that is run once.
#pragma once

#include <sfpu/common/parameters.h>

#include <optional>
#include <string>
#include <vector>

namespace sfpu::cli {

/// A kernel as docs/cpp-kernels.md has them.
struct kernel_source {
    std::string name; ///< of the kernel, a word
    architecture arch = architecture::blackhole;
    std::vector<std::string> folders; ///< of headers, searched behind the recorder's own
    std::string text; ///< C++ that defines `void sfpu_kernel(sfpu::kernel_recorder::program_builder&)`
};

struct recorded_kernel {
    std::string assembly; ///< source of the kernel; empty if there is none
    std::string problem;  ///< then: what the compiler, or the recorder, said first
    /// Words that the core pushes for the call of calculate(), those of them that it may have to compute, and those of vector types.
    unsigned pushed = 0, computed = 0, generated = 0;
};

/// Compiles with the compiler in the environment's CXX, or c++, against the headers and libraries of this very program, and records.
/// Nothing if the user interrupted it (interrupt_guard). Throws user_error if nothing can be compiled at all: no compiler, no library.
std::optional<recorded_kernel> record_kernel(const kernel_source& source);

} // namespace sfpu::cli
