// Finds the headers of kernels in a checkout of the public kernel library.
#pragma once

#include <sfpu/common/parameters.h>

#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

struct kernel_header {
    std::string path; ///< absolute
    std::string name; ///< as reports call it: relative to the checkout
    architecture arch;
    std::vector<std::string> folders; ///< that its includes are looked for in
    std::vector<std::string> library; ///< headers of kernels that it may expect to be included before
    /// Headers that call kernels and what prepares them, each named after the other: `X_tile` and
    /// `X_tile_init`.
    std::vector<std::string> callers = {};
};

/// All `ckernel_sfpu_*.h` below a folder whose path names a chip, in the order of their names. What they
/// include and who calls them is also looked for beside the folder, in the checkout that it belongs to.
/// Throws user_error if the folder cannot be read.
std::vector<kernel_header> find_headers(const std::string& checkout);

/// The chip that a path names: "blackhole" or "wormhole" is a part of it.
std::optional<architecture> chip_of_path(const std::string& path);

/// Those of a chip, or of all chips, whose names contain a text.
std::vector<kernel_header> wanted_headers(const std::vector<kernel_header>& headers,
                                          std::optional<architecture> chip, const std::string& text);

} // namespace sfpu::analysis
