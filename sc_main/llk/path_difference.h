// Why two ways of a kernel differ.
#pragma once

#include <string>
#include <vector>

namespace sfpu::cli::llk {

/// What shows why a kernel that uses SFPLOADMACRO gives other results than the same without: constants that it reads and
/// never sets, cells of Dst that only one of them writes, hazards of either. A sentence each. Files of kernels; `program` is sfpusim, which makes
/// further files beside them. Empty if nothing shows it.
std::vector<std::string> explain_difference(const std::string& program, const std::string& macro,
                                            const std::string& plain, double seconds);

} // namespace sfpu::cli::llk
