// A function of a program, run on a hart: the words that it pushes are the kernel.
#pragma once

#include "pushed_kernel.h"

#include <sfpu/analysis/kernel_source.h>
#include <sfpu/riscv/elf_image.h>

#include <cstdint>

namespace sfpu::analysis {

/// Runs the function at `entry` until it returns. Throws user_error if it does not, or waits for what nobody
/// answers.
pushed_kernel run_function(const riscv::elf_image& image, std::uint32_t entry, const source_request& request,
                           const machine_choice& machine, const session& caller);

} // namespace sfpu::analysis
