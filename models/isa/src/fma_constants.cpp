#include "semantics/fma_constants.h"

namespace sfpu::isa {
namespace {

constexpr fma_constants::word all(std::uint32_t value) {
    return {{value, value, value, value, value, value, value, value}};
}

} // namespace

const fma_constants fma_words{
    all(1), all(2), all(0x80000000u), all(0x7f800000u), all(0x00800000u), all(127u << 23),
    all(26u << 23), // mantissas are integers with their lowest bit 26 places below the leading one
    all(189u << 23), all(28u << 23), all(0x7fffffffu), all((1u << 28) - 1),
    // exponents of 2^49 and 2^-50; what that of a number and that of the scale for it add up to; FP32 numbers
    all(176u << 23), all(77u << 23), all(280u << 23), all(127u << 23), all(150u << 23), all(3u << 23),
    all(0u - (26u << 23)),
    // fma_host-inl.h: patterns of FP32 numbers, or the ones below them
    all(0x7fffffffu), all(2u << 23), all(((127u + 50) << 23) - 1), all((127u - 50) << 23),
    all(((127u + 126) << 23) - 1), all((127u - 96) << 23),
    all(((127u - 62) << 24) - 1), // twice the pattern of 2^-62, less 1
};

} // namespace sfpu::isa
