// What the instructions on integers and on the fields of FP32 numbers compute in one lane, in exact
// arithmetic: the oracle for every way of computing it.
//
// Source: tt-isa-documentation, the page of each instruction, that of the chip where the chips differ.
// Written from the pages, not from the model, in integers of Boost.Multiprecision that throw where a result
// has no room. c is what VC holds, d what VD held before.
#pragma once

#include <sfpu/common/types.h>

#include <cstdint>

namespace sfpu::test {

/// SFPIADD; `immediate` is the 12-bit field.
std::uint32_t exact_integer_add(unsigned modifier, std::uint32_t c, std::uint32_t d, unsigned immediate);

/// SFPSHFT; `immediate` is the 12-bit field.
std::uint32_t exact_shift(unsigned modifier, std::uint32_t c, std::uint32_t d, unsigned immediate,
                          architecture arch);
/// SFPSHFT2 in its modes that shift bits: b by a number of bits in two's complement, as a word.
std::uint32_t exact_logical_shift(std::uint32_t b, std::uint32_t amount);

/// SFPABS.
std::uint32_t exact_absolute(bool fp32, std::uint32_t c);
/// SFPLZ.
std::uint32_t exact_leading_zeros(bool without_sign, std::uint32_t c);

/// SFPEXEXP: a number in two's complement.
std::uint32_t exact_exponent(bool biased, std::uint32_t c);
/// SFPEXMAN.
std::uint32_t exact_mantissa(bool with_hidden_bit, std::uint32_t c);
/// SFPSETEXP, SFPSETMAN, SFPSETSGN; `immediate` is the 12-bit field, of which not all bits count.
std::uint32_t exact_set_exponent(unsigned modifier, std::uint32_t c, std::uint32_t d, unsigned immediate);
std::uint32_t exact_set_mantissa(unsigned modifier, std::uint32_t c, std::uint32_t d, unsigned immediate);
std::uint32_t exact_set_sign(unsigned modifier, std::uint32_t c, std::uint32_t d, unsigned immediate);

/// SFPLOADI in its six modes.
std::uint32_t exact_load_immediate(unsigned mode, unsigned immediate, std::uint32_t old);

} // namespace sfpu::test
