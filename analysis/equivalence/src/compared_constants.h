// Values at which two kernels may differ because one of them names them.
#pragma once

#include "compared_operands.h"

#include <sfpu/platform/program.h>

#include <cstdint>
#include <vector>

namespace sfpu::analysis {

/// Words that the instructions of a program put into registers, or add.
std::vector<std::uint32_t> constants_of(const platform::run_request& request);

/// Cells of an operand that stand for a constant or a neighbour of one: as bits of a register, as the number
/// that is meant as an integer, and as the number that is meant as FP32. Each once, only those that values of
/// the operand's type have.
std::vector<std::uint32_t> cells_of_constants(const compared_operand& operand,
                                              const std::vector<std::uint32_t>& constants, architecture arch);

} // namespace sfpu::analysis
