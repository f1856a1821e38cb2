// What the arithmetic instructions compute in one lane, in exact arithmetic: the oracle for every way of
// computing it.
//
// Source: tt-isa-documentation, the page of each instruction, that of the chip where the chips differ.
// Written from the pages, not from the model. Numbers are integers of Boost.Multiprecision; nothing is
// rounded but where a page says so, and a number that does not fit where it is put throws. The multiply-add
// has a file of its own, exact_multiply_add.h.
#pragma once

#include <sfpu/common/types.h>

#include <array>
#include <cstdint>

namespace sfpu::test {

/// SFPSTOCHRND: FP32 to fewer bits (modifiers 0 and 1), FP32 to integers (2, 3, 6, 7), integers to smaller
/// ones after a shift (4, 5). `threshold`: the 23 bits that decide whether what is cut off rounds up.
std::uint32_t exact_round(unsigned modifier, std::uint32_t vc, unsigned shift, std::uint32_t threshold);

/// SFPCAST. `random`: the state of the lane's generator, for the modifiers that round by it.
std::uint32_t exact_cast(unsigned modifier, std::uint32_t vc, std::uint32_t random, architecture arch);

/// SFPARECIP with modifier 0 or 1: the reciprocal of vc, of its magnitude where vb is negative.
std::uint32_t exact_reciprocal(unsigned modifier, std::uint32_t vb, std::uint32_t vc);
/// SFPARECIP with modifier 2. The steps of the exponential are a table of the documentation that follows from
/// no formula: `steps` has its 896 numbers, for the upper halves of x from 3c80 up to 3fff.
std::uint32_t exact_exponential(const std::array<std::uint8_t, 896>& steps, std::uint32_t vc);

/// SFPDIVP2: `add` for modifier 1.
std::uint32_t exact_divide_by_power(bool add, unsigned immediate, std::uint32_t vc);

/// SFPMUL24, with what the page calls non-contractual: the sum with vc.
std::uint32_t exact_multiply_24(bool upper, std::uint32_t va, std::uint32_t vb, std::uint32_t vc);

/// SFPLUT and SFPLUTFP32 on L0 to L6. What they write; where is not asked.
std::uint32_t exact_lut(unsigned modifier, const std::array<std::uint32_t, 7>& lreg, architecture arch);
std::uint32_t exact_lut_fp32(unsigned modifier, const std::array<std::uint32_t, 7>& lreg, architecture arch);

/// The order of SFPSWAP, SFPGT and SFPLE: sign and magnitude, -0 below +0.
bool exact_less(std::uint32_t a, std::uint32_t b);

/// Modes of SFPLOAD and SFPSTORE that see 32-bit cells.
bool exact_load_is_wide(unsigned mode);
bool exact_store_is_wide(unsigned mode);
/// SFPLOAD in mode 1 to 15 of a cell into a register that holds `old`. `infinity`: ENABLE_FP16A_INF.
std::uint32_t exact_load(unsigned mode, std::uint32_t cell, std::uint32_t old, bool infinity,
                         architecture arch);
/// SFPSTORE in mode 1 to 15: the cell.
std::uint32_t exact_store(unsigned mode, std::uint32_t value, architecture arch);

} // namespace sfpu::test
