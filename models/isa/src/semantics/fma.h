// The partially fused multiply-add of both chips, a * b + c on FP32 bit patterns, without host floating
// point.
//
// Source: tt-isa-documentation, Miscellaneous/FMA (behaviour only). Both chips
//   * treat subnormal inputs as zero and flush subnormal results;
//   * cut the 48-bit product to 28 bits before adding, the bits below being ORed into the lowest kept one
// ("sticky");
//   * when aligning, keep the sticky bit only while something of the shifted operand is left;
//   * give infinity if the product alone overflows, and drop a product whose biased exponent is below 0.
// Blackhole keeps the sign of zero and emits one canonical NaN. Wormhole has only +0, lets bits of the sum
// leak into NaNs, loses one bit of the last alignment and flushes some results that should round up to the
// smallest normal.
//
// The code has no branches on data, so that the compiler can run it on many lanes at once: conditions are
// masks of all ones or all zeros.
#pragma once

#include <cstdint>

namespace sfpu::isa {

/// All ones if the condition holds, else zero.
constexpr std::uint32_t mask_if(bool condition) { return 0u - static_cast<std::uint32_t>(condition); }
/// `yes` where the mask is ones, `no` where it is zeros.
constexpr std::uint32_t select(std::uint32_t mask, std::uint32_t yes, std::uint32_t no) {
    return no ^ ((yes ^ no) & mask);
}

/// x shifted right by n (0 to 31); lost bits set bit 0, but only if anything of x is left.
constexpr std::uint32_t shift_half_sticky(std::uint32_t x, std::uint32_t n) {
    const std::uint32_t kept = x >> n;
    return kept | (mask_if(kept != 0) & mask_if((kept << n) != x) & 1u);
}

/// Position of the highest set bit of x, 1 <= x < 2^31. The exponent of a conversion to float tells it;
/// clearing the bit below each set bit keeps the conversion from rounding up to the next power of two. (No
/// floating-point arithmetic takes part; a unit test proves the result for every position and carry pattern.)
constexpr std::int32_t highest_bit(std::uint32_t x) {
    const float value = static_cast<float>(static_cast<std::int32_t>(x & ~(x >> 1)));
    return static_cast<std::int32_t>(__builtin_bit_cast(std::uint32_t, value) >> 23) - 127;
}

struct fma_operand {
    std::uint32_t exponent;
    std::uint32_t mantissa; ///< 24 bits with the hidden one, 0 for zeros and subnormals
};
constexpr fma_operand fma_unpack(std::uint32_t x) {
    const std::uint32_t exponent = (x >> 23) & 0xffu;
    return {exponent, mask_if(exponent != 0) & ((x & 0x7fffffu) | 0x800000u)};
}

/// Product of two 24-bit mantissas, cut to its upper 28 bits with a sticky lowest bit.
constexpr std::uint32_t fma_product(std::uint32_t x, std::uint32_t y) {
    const std::uint32_t xh = x >> 12, xl = x & 0xfffu, yh = y >> 12, yl = y & 0xfffu;
    const std::uint32_t high = xh * yh, middle = xh * yl + xl * yh, low = xl * yl;
    const std::uint32_t tail = low + ((middle & 0xffu) << 12); // the product's low 20 bits and a carry
    return ((high << 4) + (middle >> 8) + (tail >> 20)) | (mask_if((tail & 0xfffffu) != 0) & 1u);
}

/// Results that do not come from the sum.
struct fma_exceptions {
    std::uint32_t special, infinite_value; ///< an operand or the product is infinite, or one is a NaN
    std::uint32_t nan, nan_value;          ///< the result is a NaN
};

/// Infinities and NaNs of x * y + z.
template <bool Wormhole>
[[gnu::always_inline]] constexpr fma_exceptions
fma_find_exceptions(const fma_operand& a, const fma_operand& b, const fma_operand& c, std::uint32_t z,
                    std::uint32_t product_sign, std::int32_t p_exponent) {
    constexpr std::uint32_t sign_bit = 0x80000000u, infinity = 0x7f800000u, hidden = 0x800000u;
    const std::uint32_t addend_sign = z & sign_bit, signs_differ = mask_if(product_sign != addend_sign);
    const std::uint32_t a_special = mask_if(a.exponent == 255), b_special = mask_if(b.exponent == 255);
    const std::uint32_t c_special = mask_if(c.exponent == 255);
    const std::uint32_t product_infinite = a_special | b_special | mask_if(p_exponent >= 255);
    const std::uint32_t special = product_infinite | c_special;
    const std::uint32_t product_nan =
        (a_special & (mask_if(a.mantissa != hidden) | mask_if(b.mantissa == 0))) |
        (b_special & (mask_if(b.mantissa != hidden) | mask_if(a.mantissa == 0)));
    const std::uint32_t c_infinite = c_special & mask_if(c.mantissa == hidden);
    // Wormhole counts an overflowed product as an infinity here, Blackhole only an infinite operand.
    const std::uint32_t clash =
        c_infinite & signs_differ & (Wormhole ? product_infinite : a_special | b_special);
    const std::uint32_t nan = product_nan | clash | (c_special & ~c_infinite);
    const std::uint32_t nan_value =
        Wormhole ? select(product_nan | clash, product_sign, addend_sign) | 0x7f800001u : 0x7fc00000u;
    const std::uint32_t infinite_value = select(c_special, z, product_sign | infinity);
    return {special, infinite_value, nan, nan_value};
}

/// A sum of aligned mantissas, its leading one at most at bit 28, as a number without sign.
struct fma_magnitude {
    std::uint32_t bits;     ///< exponent and mantissa, to nearest, ties to even
    std::uint32_t overflow; ///< the exponent is too large
    std::int32_t exponent;  ///< before rounding
};

/// Normalises so that the leading one is at bit 26, and rounds.
template <bool Wormhole>
[[gnu::always_inline]] constexpr fma_magnitude fma_round(std::uint32_t sum, std::int32_t exponent) {
    const std::int32_t excess = highest_bit(sum | 1u) - 26; // how far to shift right; at most 2
    exponent += excess;
    const std::uint32_t overflow = mask_if(exponent >= 255), below_normal = mask_if(exponent <= 0);
    const std::int32_t right = excess + (Wormhole ? 0 : static_cast<std::int32_t>(below_normal & 1u));
    const std::uint32_t n = static_cast<std::uint32_t>(right > 0 ? right : 0);
    const std::uint32_t left = static_cast<std::uint32_t>(right < 0 ? -right : 0);
    // Wormhole forgets the upper one of two bits shifted out.
    const std::uint32_t lost = sum & (Wormhole ? 1u : n | 1u);
    const std::uint32_t normal = ((sum >> n) | (mask_if(lost != 0) & mask_if(n != 0) & 1u)) << left;

    std::uint32_t r =
        (~below_normal & (static_cast<std::uint32_t>(exponent) << 23)) + ((normal >> 3) & 0x7fffffu);
    r += mask_if((normal & 7u) + (r & 1u) > 4u) & 1u; // to nearest, ties to even
    return {r, overflow, exponent};
}

template <bool Wormhole>
constexpr std::uint32_t fma(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    constexpr std::uint32_t sign_bit = 0x80000000u, infinity = 0x7f800000u;
    const fma_operand a = fma_unpack(x), b = fma_unpack(y), c = fma_unpack(z);
    const std::uint32_t product_sign = (x ^ y) & sign_bit, addend_sign = z & sign_bit;
    const std::uint32_t signs_differ = mask_if(product_sign != addend_sign);

    std::uint32_t p = fma_product(a.mantissa, b.mantissa);
    std::int32_t p_exponent = static_cast<std::int32_t>(a.exponent + b.exponent) - 127;
    std::uint32_t q = c.mantissa << 3;
    const fma_exceptions except = fma_find_exceptions<Wormhole>(a, b, c, z, product_sign, p_exponent);
    if (Wormhole) p_exponent = p_exponent > 255 ? 255 : p_exponent;

    // A product that is zero or underflows on its own counts as exactly zero.
    const std::uint32_t has_product = mask_if(p != 0) & mask_if(p_exponent >= 0);
    const std::uint32_t zero_value = Wormhole ? 0u : addend_sign & product_sign;
    const std::uint32_t only_addend = select(mask_if(q != 0), z, zero_value);
    p &= has_product;
    p_exponent &= static_cast<std::int32_t>(has_product);

    // Align to the larger exponent and add.
    const std::int32_t c_exponent = static_cast<std::int32_t>(c.exponent);
    const std::int32_t exponent = p_exponent > c_exponent ? p_exponent : c_exponent;
    const std::int32_t p_shift = exponent - p_exponent, q_shift = exponent - c_exponent;
    p = shift_half_sticky(p, static_cast<std::uint32_t>(p_shift < 31 ? p_shift : 31));
    q = shift_half_sticky(q, static_cast<std::uint32_t>(q_shift < 31 ? q_shift : 31));
    const std::int32_t difference =
        static_cast<std::int32_t>(p) - static_cast<std::int32_t>(q); // both below 2^28
    const std::uint32_t addend_larger = mask_if(difference < 0);
    const std::uint32_t sign = select(addend_larger, addend_sign, product_sign);
    const std::uint32_t magnitude = (static_cast<std::uint32_t>(difference) ^ addend_larger) - addend_larger;
    const std::uint32_t sum = select(signs_differ, magnitude, p + q);

    const fma_magnitude rounded = fma_round<Wormhole>(sum, exponent);
    const std::uint32_t subnormal = mask_if((rounded.bits >> 23) == 0);
    std::uint32_t finite = 0, nan_bits = except.nan_value;
    if (Wormhole) { // every zero is +0; a NaN collects the bits of the sum
        const std::uint32_t vanished =
            mask_if(sum == 0) | mask_if(rounded.exponent < 0) | (~rounded.overflow & subnormal);
        finite = ~vanished & (sign | select(rounded.overflow, infinity, rounded.bits));
        nan_bits |= ~(vanished | rounded.overflow) & rounded.bits;
    } else {
        finite = select(mask_if(sum == 0), zero_value,
                        sign | select(rounded.overflow, infinity, ~subnormal & rounded.bits));
    }
    const std::uint32_t ordinary = select(has_product, finite, only_addend);
    return select(except.nan, nan_bits, select(except.special, except.infinite_value, ordinary));
}

} // namespace sfpu::isa
