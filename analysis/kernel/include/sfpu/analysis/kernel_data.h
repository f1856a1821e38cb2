// What stands in Dst before a kernel runs, and what it leaves there.
#pragma once

#include <sfpu/analysis/kernel_file.h>

#include <cstdint>
#include <string>

namespace sfpu::analysis {

/// Fills Dst with random bits, numbers and extreme values, and the kernel's inputs with values of their
/// types, the extreme ones among them. The same seed gives the same data everywhere.
void fill_with_random_data(kernel_run& kernel, std::uint64_t seed);

/// Reads a Dst file, the raw storage: 1024 rows of 16 little-endian 16-bit cells. Throws user_error.
void load_dst(const std::string& file, platform::run_request& request);

/// The bytes of such a file.
std::string dst_bytes(const platform::dst_image& dst);

} // namespace sfpu::analysis
