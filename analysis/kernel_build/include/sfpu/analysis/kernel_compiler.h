// C++ kernels, compiled and recorded while the program runs: a source becomes a program of its own that is
// run once.
#pragma once

#include <sfpu/analysis/kernel_kit.h>
#include <sfpu/analysis/session.h>
#include <sfpu/common/parameters.h>

#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// A kernel as docs/cpp-kernels.md has them.
struct kernel_source {
    std::string name; ///< of the kernel, a word
    architecture arch = architecture::blackhole;
    std::vector<std::string> folders; ///< of headers, searched behind the recorder's own
    std::string text; ///< C++ that defines `void sfpu_kernel(sfpu::kernel_recorder::program_builder&)`
    bool with_origins = false; ///< the assembly names the lines of C++, files as the compiler calls them
};

struct recorded_kernel {
    std::string assembly; ///< source of the kernel; empty if there is none
    std::string problem;  ///< then: what the compiler, or the recorder, said first
    /// Words that the core pushes for the call of calculate(), those of them that it may have to compute, and
    /// those of vector types.
    unsigned pushed = 0, computed = 0, generated = 0;
};

/// Compiles and records. Nothing if the session ended it. Throws user_error if nothing can be compiled at
/// all: there is no such compiler. Several threads may record at once.
std::optional<recorded_kernel> record_kernel(const kernel_source& source, const kernel_tools& tools,
                                             const session& of = {});

/// Whether the compiler says its version. False, too, if the session ended it.
bool compiler_runs(const std::string& compiler, const session& of = {});

/// What the preprocessor wrote, without the pragmas that ask for unrolled loops: some compilers refuse a
/// template parameter there, and recording needs no unrolling.
std::string without_unrolling(const std::string& expanded);

} // namespace sfpu::analysis
