// The main function of programs that `sfpusim llk` makes of a header of somebody's kernel library.
#pragma once

#include <sfpu/common/types.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace sfpu::kernel_recorder {

/// A kernel function with its template arguments, ready to be called.
struct library_function {
    const char* name;
    unsigned rows; ///< that a call works on; 0: nobody knows, which --origins alone takes
    std::function<void()> init, calculate;
};

/// What surrounds the calls of all functions.
struct library_surroundings {
    std::uintptr_t l1;               ///< address of a megabyte that kernels may read; 0: there is none
    std::function<void()> next_face; ///< what callers issue behind each call
};

/// `PROGRAM N PREFIX [M]` records function N and writes four kernel files: PREFIX.s, PREFIX_wide.s for
/// 32-bit Dst, and PREFIX_faces.s and PREFIX_faces_wide.s with what callers issue between two calls. With
/// M, function M is called once before, whose words N may play from the replay buffer. Warnings of the
/// recorder are lines on standard output. `PROGRAM N --equiv [M]` compares its words with direct execution.
/// `PROGRAM N FILE --origins` writes FILE alone, the kernel with the lines of C++; of a function with 0 rows
/// it finds how many rows a call has. Exit code 0, 1 after an error (on standard error), 2 for a difference.
int library_main(int argc, const char* const* argv, architecture arch, const library_surroundings& around,
                 const std::vector<library_function>& functions);

} // namespace sfpu::kernel_recorder

/// Stands for functions that a library declares and does not define; they can be called, and say so.
extern "C" void sfpu_only_declared();
