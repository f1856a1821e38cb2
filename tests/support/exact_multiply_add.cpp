#include "exact_multiply_add.h"

#include <algorithm>

namespace sfpu::test {
namespace {

constexpr std::uint32_t infinity = 0x7f800000u, sign_bit = 0x80000000u, hidden_one = 0x800000u;
constexpr int bias = 127, fraction_bits = 23;
/// Steps of the adder below the leading one of an operand: 26 of an addend, 26 or 27 of a product.
constexpr int adder_bits = 26;

/// significand * 2^exponent.
struct number {
    std::uint64_t significand;
    int exponent;
};

struct operand {
    bool negative;
    int exponent;              ///< biased
    std::uint32_t significand; ///< hidden bit included; 0 for zeros and subnormals
    bool special() const { return exponent == 255; }
    bool nan() const { return special() && significand != hidden_one; }
    bool infinite() const { return special() && significand == hidden_one; }
    bool zero() const { return significand == 0; }
    number magnitude() const { return {significand, exponent - bias - fraction_bits}; }
};
operand unpack(std::uint32_t bits) {
    const int exponent = static_cast<int>(bits >> 23 & 255);
    return {bits >> 31 != 0, exponent, exponent == 0 ? 0u : bits % hidden_one + hidden_one};
}

int leading_bit(std::uint64_t x) { return 63 - __builtin_clzll(x); }

enum class sticky { always, if_something_is_left };

/// x in steps of 2^step. A remainder makes the count odd.
std::uint64_t count_steps(number x, int step, sticky when) {
    const int cut = step - x.exponent;
    if (cut <= 0) return x.significand << -cut;
    const std::uint64_t count = cut < 64 ? x.significand >> cut : 0;
    const bool remainder = cut < 64 ? count << cut != x.significand : x.significand != 0;
    return remainder && (count != 0 || when == sticky::always) ? count | 1u : count;
}

/// Nearest integer to x / 2^bits, ties to even.
std::uint64_t divide_to_even(std::uint64_t x, int bits) {
    if (bits <= 0) return x << -bits;
    const std::uint64_t unit = std::uint64_t{1} << bits, quotient = x / unit, twice = x % unit * 2;
    return quotient + (twice > unit || (twice == unit && quotient % 2 == 1) ? 1 : 0);
}

/// count * 2^step as FP32 bits without the sign; 0 where the chip flushes, `infinity` if too large.
std::uint32_t round_sum(std::uint64_t count, int step, bool wormhole) {
    if (count == 0) return 0;
    // Wormhole forgets the upper one of two lost bits.
    if (wormhole && leading_bit(count) == adder_bits + 2) count &= ~std::uint64_t{2};
    const int exponent = leading_bit(count) + step + bias;
    if (exponent >= 255) return infinity;
    // Below the normal range only a carry out of the significand survives: Blackhole rounds to 23 bits there,
    // whatever the exponent is; Wormhole rounds to 24 and gives up below half the smallest normal number.
    const bool below_normal = exponent <= 0;
    const int precision = below_normal && !wormhole ? 23 : 24;
    const std::uint64_t rounded = divide_to_even(count, leading_bit(count) + 1 - precision);
    const bool carry = leading_bit(rounded) == precision;
    if (below_normal) return carry && (!wormhole || exponent == 0) ? hidden_one : 0;
    if (carry) return static_cast<std::uint32_t>(exponent + 1) * hidden_one;
    return static_cast<std::uint32_t>(exponent - 1) * hidden_one + static_cast<std::uint32_t>(rounded);
}

struct sum {
    bool cancelled;
    bool negative;
    std::uint32_t magnitude; ///< as round_sum() gives it
};

/// `product_exponent` is the biased one, as the adder sees it.
sum add(number product, bool product_negative, int product_exponent, const operand& addend, bool wormhole) {
    const int step = std::max(product_exponent, addend.exponent) - bias - adder_bits;
    const auto p = static_cast<std::int64_t>(count_steps(product, step, sticky::if_something_is_left));
    const auto q =
        static_cast<std::int64_t>(count_steps(addend.magnitude(), step, sticky::if_something_is_left));
    const std::int64_t total = (product_negative ? -p : p) + (addend.negative ? -q : q);
    const auto magnitude = static_cast<std::uint64_t>(total < 0 ? -total : total);
    return {total == 0, p >= q ? product_negative : addend.negative, round_sum(magnitude, step, wormhole)};
}

} // namespace

std::uint32_t exact_multiply_add(std::uint32_t x, std::uint32_t y, std::uint32_t z, architecture arch) {
    const bool wormhole = arch == architecture::wormhole;
    const operand a = unpack(x), b = unpack(y), c = unpack(z);
    const bool product_negative = a.negative != b.negative;
    const int product_exponent = a.exponent + b.exponent - bias;
    const bool infinite_operand = a.special() || b.special();
    const bool product_infinite = infinite_operand || product_exponent >= 255;

    // Blackhole knows one NaN. Wormhole counts a product that overflows as infinite here.
    const bool product_nan = a.nan() || b.nan() || (a.infinite() && b.zero()) || (b.infinite() && a.zero());
    const bool clash =
        c.infinite() && c.negative != product_negative && (wormhole ? product_infinite : infinite_operand);
    const bool nan = product_nan || clash || c.nan();
    if (nan && !wormhole) return 0x7fc00000u;
    if (!nan && c.infinite()) return z;
    if (!nan && product_infinite) return (product_negative ? sign_bit : 0) | infinity;

    // A product that is zero or too small counts as nothing; a zero keeps its sign on Blackhole.
    const bool no_product = a.zero() || b.zero() || product_exponent < 0;
    const std::uint32_t zero = !wormhole && c.negative && product_negative ? sign_bit : 0;
    if (!nan && no_product) return c.zero() ? zero : z;

    // 28 bits of the product are kept. (For NaNs of Wormhole its exponent stops at 255.)
    const int seen_exponent = no_product ? 0 : std::min(product_exponent, 255);
    const int cut = seen_exponent - bias - adder_bits;
    const number exact{std::uint64_t{a.significand} * b.significand,
                       seen_exponent - bias - 2 * fraction_bits};
    const number product{no_product ? 0 : count_steps(exact, cut, sticky::always), cut};
    const sum s = add(product, product_negative, seen_exponent, c, wormhole);
    if (nan) { // Wormhole: bits of the sum leak into the NaN
        const bool negative = product_nan || clash ? product_negative : c.negative;
        return (negative ? sign_bit : 0) | 0x7f800001u | (s.magnitude == infinity ? 0 : s.magnitude);
    }
    if (s.cancelled) return zero;
    if (s.magnitude == 0 && wormhole) return 0;
    return (s.negative ? sign_bit : 0) | s.magnitude;
}

} // namespace sfpu::test
