// The chips' multiply-add x * y + z on FP32 bit patterns in exact arithmetic: the oracle for every way of
// computing it.
//
// Source: tt-isa-documentation, Miscellaneous/FMA; written from its rules, not from the model. A number is an
// integer times a power of two, so that nothing is lost but where a rule says so.
#pragma once

#include <sfpu/common/types.h>

#include <cstdint>

namespace sfpu::test {

std::uint32_t exact_multiply_add(std::uint32_t x, std::uint32_t y, std::uint32_t z, architecture arch);

} // namespace sfpu::test
