// What the register-to-register instructions compute: pure functions of two 32-bit values.
#pragma once

#include <cstdint>

namespace sfpu::riscv::operations {

using word = std::uint32_t;
constexpr word sign_bit = 0x80000000u;

constexpr std::int32_t as_signed(word a) { return static_cast<std::int32_t>(a); }
constexpr bool is_negative(word a) { return (a & sign_bit) != 0; }
constexpr bool is_less(word a, word b) { return (a ^ sign_bit) < (b ^ sign_bit); }

// --- RV32I -------------------------------------------------------------------------------------------------

constexpr word add(word a, word b) { return a + b; }
constexpr word sub(word a, word b) { return a - b; }
constexpr word sll(word a, word b) { return a << (b & 31u); }
constexpr word srl(word a, word b) { return a >> (b & 31u); }
constexpr word sra(word a, word b) { return is_negative(a) ? ~(~a >> (b & 31u)) : a >> (b & 31u); }
constexpr word slt(word a, word b) { return is_less(a, b) ? 1u : 0u; }
constexpr word sltu(word a, word b) { return a < b ? 1u : 0u; }
constexpr word bit_xor(word a, word b) { return a ^ b; }
constexpr word bit_or(word a, word b) { return a | b; }
constexpr word bit_and(word a, word b) { return a & b; }

// --- conditions of branches --------------------------------------------------------------------------------

constexpr bool equal(word a, word b) { return a == b; }
constexpr bool not_equal(word a, word b) { return a != b; }
constexpr bool less(word a, word b) { return is_less(a, b); }
constexpr bool not_less(word a, word b) { return !is_less(a, b); }
constexpr bool below(word a, word b) { return a < b; }
constexpr bool not_below(word a, word b) { return a >= b; }

// --- M -----------------------------------------------------------------------------------------------------

constexpr word mul(word a, word b) { return a * b; }
constexpr word mulh(word a, word b) {
    return static_cast<word>(static_cast<std::uint64_t>(std::int64_t{as_signed(a)} * as_signed(b)) >> 32);
}
constexpr word mulhu(word a, word b) { return static_cast<word>((std::uint64_t{a} * b) >> 32); }
constexpr word mulhsu(word a, word b) { return mulhu(a, b) - (is_negative(a) ? b : 0u); }

constexpr word magnitude(word a) { return is_negative(a) ? 0u - a : a; }
constexpr word divu(word a, word b) { return b ? a / b : ~0u; }
constexpr word remu(word a, word b) { return b ? a % b : a; }
/// Rounds towards zero. The overflow -2^31 / -1 needs no case of its own: its magnitude is its own bit
/// pattern.
constexpr word div(word a, word b) {
    const word quotient = divu(magnitude(a), magnitude(b));
    if (!b) return ~0u;
    return is_negative(a ^ b) ? 0u - quotient : quotient;
}
/// Has the sign of the dividend.
constexpr word rem(word a, word b) {
    const word remainder = remu(magnitude(a), magnitude(b));
    return is_negative(a) ? 0u - remainder : remainder;
}

// --- Zba ---------------------------------------------------------------------------------------------------

constexpr word sh1add(word a, word b) { return (a << 1) + b; }
constexpr word sh2add(word a, word b) { return (a << 2) + b; }
constexpr word sh3add(word a, word b) { return (a << 3) + b; }

// --- Zbb ---------------------------------------------------------------------------------------------------

constexpr word andn(word a, word b) { return a & ~b; }
constexpr word orn(word a, word b) { return a | ~b; }
constexpr word xnor(word a, word b) { return ~(a ^ b); }
constexpr word max(word a, word b) { return is_less(a, b) ? b : a; }
constexpr word maxu(word a, word b) { return a < b ? b : a; }
constexpr word min(word a, word b) { return is_less(a, b) ? a : b; }
constexpr word minu(word a, word b) { return a < b ? a : b; }
constexpr word rol(word a, word b) { return a << (b & 31u) | a >> (-b & 31u); }
constexpr word ror(word a, word b) { return a >> (b & 31u) | a << (-b & 31u); }

constexpr unsigned bit_width(word a) {
    unsigned width = 0;
    for (; a; a >>= 1) ++width;
    return width;
}
constexpr word clz(word a) { return 32u - bit_width(a); }
constexpr word ctz(word a) { return a ? bit_width(a & (0u - a)) - 1u : 32u; }
constexpr word cpop(word a) {
    word count = 0;
    for (; a; a &= a - 1) ++count;
    return count;
}
constexpr word sext_b(word a) { return ((a & 0xffu) ^ 0x80u) - 0x80u; }
constexpr word sext_h(word a) { return ((a & 0xffffu) ^ 0x8000u) - 0x8000u; }
constexpr word zext_h(word a) { return a & 0xffffu; }
constexpr word rev8(word a) { return a << 24 | (a & 0xff00u) << 8 | (a >> 8 & 0xff00u) | a >> 24; }
constexpr word orc_b(word a) {
    word result = 0;
    for (unsigned shift = 0; shift < 32; shift += 8)
        if (a >> shift & 0xffu) result |= 0xffu << shift;
    return result;
}

// --- Zaamo: what is stored ---------------------------------------------------------------------------------

constexpr word swap(word, word b) { return b; }

} // namespace sfpu::riscv::operations
