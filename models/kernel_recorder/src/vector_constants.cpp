#include "vector_constants.h"

#include <sfpu/isa/instruction.h>

namespace sfpu::kernel_recorder::vector {
namespace {

/// The FP16 number that is exactly the FP32 number, if there is one.
std::optional<std::uint32_t> as_fp16(std::uint32_t bits) {
    const std::uint32_t exponent = bits >> 23 & 0xffu;
    if ((bits & 0x1fffu) != 0 || exponent < 113 || exponent > 142) return std::nullopt;
    return (bits >> 16 & 0x8000u) | (exponent - 112) << 10 | (bits >> 13 & 0x3ffu);
}

} // namespace

std::optional<unsigned> lreg_of_constant(std::uint32_t bits) {
    switch (bits) {
    case 0: return 9;
    case 0x3f800000u: return 10;
    case 0x3f56594bu: return 8;
    default: return std::nullopt;
    }
}

std::vector<std::uint32_t> words_that_load(unsigned lreg, std::uint32_t bits) {
    enum mode { bf16 = 0, fp16 = 1, unsigned_16 = 2, signed_16 = 4, upper = 8, lower = 10 };
    const auto immediate = [&](mode mod, std::uint32_t imm) {
        return std::uint32_t{isa::opcode::sfploadi} << 24 | lreg << 20 | std::uint32_t{mod} << 16 |
               (imm & 0xffffu);
    };
    const auto number = static_cast<std::int32_t>(bits);
    if ((bits & 0xffffu) == 0) return {immediate(bf16, bits >> 16)};
    if (bits <= 0xffffu) return {immediate(unsigned_16, bits)};
    if (number >= -32768 && number < 0) return {immediate(signed_16, bits)};
    if (const auto half = as_fp16(bits)) return {immediate(fp16, *half)};
    return {immediate(lower, bits), immediate(upper, bits >> 16)};
}

} // namespace sfpu::kernel_recorder::vector
