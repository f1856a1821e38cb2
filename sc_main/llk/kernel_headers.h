// Finds the headers of kernels in a checkout of the public kernel library.
#pragma once

#include <sfpu/common/types.h>

#include <string>
#include <vector>

namespace sfpu::cli::llk {

struct kernel_header {
    std::string path; ///< absolute
    std::string name; ///< as reports call it: relative to the checkout
    architecture arch;
    std::vector<std::string> folders; ///< that its includes are looked for in
    std::vector<std::string> library; ///< headers of kernels that it may expect to be included before
};

/// All `ckernel_sfpu_*.h` below a folder whose path names a chip, in the order of their names.
std::vector<kernel_header> find_headers(const std::string& checkout);

} // namespace sfpu::cli::llk
