// The words of a measured kernel, with those of its harness: as assembly, or as C++ that records them.
#pragma once

#include <sfpu/analysis/measurements.h>

#include <string>

namespace sfpu::analysis {

constexpr unsigned tile_rows = 32; ///< rows of 32 elements in a tile

/// A kernel whose loop is a tile, of published words. Throws input_error for what is no assembly when it is
/// assembled.
std::string assembly_of(const measured_kernel& kernel, const harness& around, const measurement& row);
/// C++ that records the same of a function of the kernel library. Throws input_error.
std::string source_of(const measured_kernel& kernel, const harness& around, const measurement& row);

} // namespace sfpu::analysis
