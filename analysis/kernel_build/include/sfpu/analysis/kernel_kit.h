// What C++ kernels are compiled with: a compiler, and the headers and libraries of the recorder.
#pragma once

#include <string>
#include <vector>

namespace sfpu::analysis {

/// As analysis/kernel_build/kernel_kit.cmake has written it, in the build tree and in the installed package.
struct kernel_kit {
    std::vector<std::string> folders;   ///< of headers, the published names first
    std::vector<std::string> libraries; ///< for the end of a linker's command
    std::vector<std::string> options;   ///< for compiler and linker
    /// Of headers that stand before `folders` for what a core of the tile runs itself.
    std::vector<std::string> core_folders;
};

/// The kit that kernel_kit.json in this folder describes. Throws user_error if something is missing.
kernel_kit read_kernel_kit(const std::string& folder);

/// A compiler with its kit.
struct kernel_tools {
    std::string compiler = "c++";
    std::vector<std::string> flags; ///< further arguments, of whoever asks
    kernel_kit kit;
};

} // namespace sfpu::analysis
