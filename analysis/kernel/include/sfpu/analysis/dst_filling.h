// What lint, equiv and run fill Dst and the registers with, so that differences show.
#pragma once

#include <sfpu/common/random_source.h>
#include <sfpu/platform/program_runner.h>

namespace sfpu::analysis {

/// What the cells of Dst hold.
enum class dst_filling : std::uint8_t {
    mixture,         ///< random bits, zeros (which choose lanes), numbers of moderate size, extreme values
    wide_extremes,   ///< 32-bit cells: the extreme values of FP32 and of integers, both kinds
    narrow_extremes, ///< 16-bit cells: those of BF16, FP16 and of integers of 16 and 8 bits
};

/// Fills all rows. Both halves of a 32-bit cell, eight rows of storage apart, are of one kind. Among extreme
/// values each comes once before one comes twice, slice by slice, so that a row of 32 lanes holds as many of
/// them as it can.
void fill_dst(platform::run_request& request, dst_filling filling, random_source& random);

/// What an earlier kernel may have left in the registers.
void fill_registers(platform::run_request& request, random_source& random);

} // namespace sfpu::analysis
