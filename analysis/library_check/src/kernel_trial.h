// Tries one header of a kernel library: compiles it, records its functions, runs and compares them.
#pragma once

#include <sfpu/analysis/library_check.h>

#include <string>
#include <vector>

namespace sfpu::analysis {

/// One row for each function that was tried, or one for the header if nothing can be called. `folder` is made
/// and keeps what the rows are made of.
std::vector<library_row> try_header(const kernel_header& header, const library_request& request,
                                    const std::string& folder, const session& of);

} // namespace sfpu::analysis
