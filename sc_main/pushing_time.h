// How long a core of the tile takes to push Tensix words, and programs of it that say so themselves.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/riscv/elf_image.h>

#include <cstdint>
#include <vector>

namespace sfpu::cli {

/// Cycles from the first instruction of a core's straight code until its last word is in the front end, on a
/// tile of the chip that has executed the set-up and is idle; what is queued is not waited for. The code may
/// push by stores to what a4 holds. Throws user_error if it does not come to its end within a million cycles.
double pushing_time(const std::vector<std::uint32_t>& setup, const std::vector<std::uint32_t>& code,
                    architecture arch);

/// What a program leaves in `tohost`, on a core of the same tile. Throws user_error likewise.
double core_time(const riscv::elf_image& program, architecture arch);

} // namespace sfpu::cli
