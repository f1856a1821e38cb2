// The main function of programs that `sfpusim llk` makes of a header of somebody's kernel library.
#pragma once

#include <sfpu/common/types.h>

#include <functional>
#include <vector>

namespace sfpu::kernel_recorder {

/// A kernel function with its template arguments, ready to be called.
struct library_function {
    const char* name;
    unsigned rows; ///< that a call works on
    std::function<void()> init, calculate;
};

/// `PROGRAM N FILE [--wide]` records function N and writes the kernel file, for 32-bit Dst with --wide. `PROGRAM N --equiv`
/// compares its words with direct execution. Exit code 0, 1 after an error (on standard error), 2 for a difference.
int library_main(int argc, const char* const* argv, architecture arch,
                 const std::vector<library_function>& functions);

} // namespace sfpu::kernel_recorder
