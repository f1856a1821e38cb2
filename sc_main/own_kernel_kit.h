// What this very program brings along for compiling C++ kernels.
#pragma once

#include <sfpu/analysis/kernel_kit.h>

#include <string>

namespace sfpu::cli {

/// The file of this program.
std::string own_program();
/// The kit beside it. Throws user_error if something is missing.
analysis::kernel_kit own_kernel_kit();
/// The environment's CXX, or c++.
std::string chosen_compiler();

} // namespace sfpu::cli
