// Somebody's own copy of the public kernel library.
#pragma once

#include <sfpu/common/parameters.h>

#include <string>
#include <vector>

namespace sfpu::cli {

/// Folders of headers for a chip below a folder, in the order in which a compiler should search them: the low-level kernels
/// (tt_llk_blackhole/common/inc and its sfpu, llk_lib), then those of the metal library (blackhole/metal/llk_api/llk_sfpu). Sorted by path
/// among themselves. Empty if there are none; throws user_error if the folder cannot be read.
std::vector<std::string> header_folders(const std::string& checkout, architecture arch);

} // namespace sfpu::cli
