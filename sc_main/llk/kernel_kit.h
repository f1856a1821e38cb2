// What C++ kernels are compiled with: the headers and libraries of this very program.
#pragma once

#include <string>
#include <vector>

namespace sfpu::cli {

/// As sc_main/llk/kernel_kit.cmake has written it beside the program.
struct kernel_kit {
    std::string program;                ///< the file of this program
    std::vector<std::string> folders;   ///< of headers, the published names first
    std::vector<std::string> libraries; ///< for the end of a linker's command
    std::vector<std::string> options;   ///< for compiler and linker
};

/// Throws user_error if something is missing.
kernel_kit find_kernel_kit();

} // namespace sfpu::cli
