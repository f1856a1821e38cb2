// Constants of fma_moderate-inl.h and fma_host-inl.h, as vectors of eight equal lanes.
#pragma once

#include <cstdint>

namespace sfpu::isa {

struct fma_constants {
    struct alignas(32) word {
        std::uint32_t lanes[8];
    };
    word one, two, sign, exponent_mask, hidden_one, bias, scale_offset, operand_limit, result_limit, largest,
        below_2_to_28;
    word sum_operand_limit, sum_limit, scale_sum, float_one, two_to_23;
    word three_exponents, minus_26_exponents;
    word magnitude, two_steps, below_2_to_50, two_to_minus_50, below_2_to_126, two_to_minus_96, least_factor;
};
/// Defined elsewhere, so that the compiler cannot turn its reads into immediates.
extern const fma_constants fma_words;

} // namespace sfpu::isa
