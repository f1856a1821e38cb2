// The partially fused multiply-add against its definition in exact integer arithmetic (Boost.Multiprecision),
// and against correct IEEE 754 rounding where the documentation promises that.
#include "../../models/isa/src/semantics/fma.h"

#include "exact_multiply_add.h"
#include "lane_machine.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <ios>

namespace sfpu::test {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::msb;

constexpr std::uint32_t infinity = 0x7f800000u, sign_bit = 0x80000000u;

/// A real number as an integer multiple of 2^-300, which is fine enough for every product that does not
/// underflow.
constexpr int unit_exponent = -300;

struct operand {
    bool negative;
    int exponent;           ///< biased
    std::uint32_t mantissa; ///< hidden bit included; 0 for zeros and subnormals
    bool nan() const { return exponent == 255 && mantissa != 0x800000u; }
    bool infinite() const { return exponent == 255 && mantissa == 0x800000u; }
    bool zero() const { return mantissa == 0; }
};
operand unpack(std::uint32_t bits) {
    const int exponent = static_cast<int>(bits >> 23 & 255);
    return {bits >> 31 != 0, exponent, exponent == 0 ? 0u : (bits % 0x800000u) + 0x800000u};
}

/// |x| counted in steps of 2^step_exponent. A remainder makes the count odd ("sticky"), if `always` or if the
/// count is not zero.
cpp_int count_steps(const cpp_int& x, int step_exponent, bool always) {
    const cpp_int step = cpp_int(1) << static_cast<unsigned>(step_exponent - unit_exponent);
    cpp_int count = x / step;
    if (x % step != 0 && (always || count != 0) && count % 2 == 0) ++count;
    return count;
}

/// Nearest integer to x / 2^bits, ties to even.
cpp_int divide_to_even(const cpp_int& x, unsigned bits) {
    if (bits == 0) return x;
    const cpp_int step = cpp_int(1) << bits, quotient = x / step, twice = 2 * (x % step);
    return twice > step || (twice == step && quotient % 2 != 0) ? quotient + 1 : quotient;
}

/// count * 2^step_exponent as FP32 bits without the sign; 0 where the chip flushes, `infinity` if too large.
std::uint32_t round_sum(cpp_int count, int step_exponent, bool wormhole) {
    if (count == 0) return 0;
    // Wormhole forgets the upper one of two lost bits.
    if (wormhole && msb(count) == 28 && count / 2 % 2 != 0) count -= 2;
    const int exponent = static_cast<int>(msb(count)) + step_exponent + 127; // biased
    if (exponent >= 255) return infinity;
    const bool below_normal = exponent <= 0;
    // Below the normal range only a carry out of the mantissa survives: Blackhole rounds to 23 bits there,
    // whatever the exponent is; Wormhole rounds to 24 bits and gives up below half the smallest normal
    // number.
    const unsigned precision = below_normal && !wormhole ? 23 : 24;
    const unsigned excess = static_cast<unsigned>(msb(count)) + 1;
    cpp_int mantissa =
        excess > precision ? divide_to_even(count, excess - precision) : count << (precision - excess);
    const bool carry = msb(mantissa) == precision;
    if (below_normal) return carry && (!wormhole || exponent == 0) ? 0x00800000u : 0;
    if (carry) mantissa /= 2;
    const std::uint32_t fraction = static_cast<std::uint32_t>(mantissa) % 0x800000u;
    return static_cast<std::uint32_t>(exponent + (carry ? 1 : 0)) * 0x800000u +
           (exponent + carry == 255 ? 0 : fraction);
}

/// The finite part of the operation: 0 for a sum that vanishes, else magnitude bits; `negative` is its sign.
std::uint32_t add_exactly(const operand& a, const operand& b, const operand& c, int product_exponent,
                          bool no_product, bool wormhole, bool& negative, bool& cancelled) {
    const bool product_negative = a.negative != b.negative;
    if (no_product) product_exponent = 0;
    cpp_int product = 0;
    if (!no_product) {
        // 28 bits of the product are kept: steps of 2^-26 of its leading binade.
        const cpp_int exact = (cpp_int(a.mantissa) * b.mantissa)
                              << static_cast<unsigned>(product_exponent + 127 - 300 - unit_exponent);
        const int step = product_exponent - 127 - 26;
        product = count_steps(exact, step, true) << static_cast<unsigned>(step - unit_exponent);
    }
    const cpp_int addend = cpp_int(c.mantissa) << static_cast<unsigned>(c.exponent - 150 - unit_exponent);
    const int step = std::max(product_exponent, c.exponent) - 127 - 26;
    const cpp_int p = count_steps(product, step, false), q = count_steps(addend, step, false);
    const cpp_int sum = (product_negative ? -p : p) + (c.negative ? -q : q);
    cancelled = sum == 0;
    negative = p >= q ? product_negative : c.negative;
    return round_sum(abs(sum), step, wormhole);
}

/// a * b + c as the documentation defines it.
std::uint32_t expected_fma(std::uint32_t x, std::uint32_t y, std::uint32_t z, bool wormhole) {
    const operand a = unpack(x), b = unpack(y), c = unpack(z);
    const bool product_negative = a.negative != b.negative;
    int product_exponent = a.exponent + b.exponent - 127;
    const bool infinite_operand = a.exponent == 255 || b.exponent == 255;
    const bool product_infinite = infinite_operand || product_exponent >= 255;
    const bool product_nan = a.nan() || b.nan() || (a.infinite() && b.zero()) || (b.infinite() && a.zero());
    const bool opposite =
        c.infinite() && c.negative != product_negative && (wormhole ? product_infinite : infinite_operand);
    const bool nan = product_nan || opposite || c.nan();
    if (nan && !wormhole) return 0x7fc00000u;
    if (!nan && c.infinite()) return z;
    if (!nan && product_infinite) return (product_negative ? sign_bit : 0) + infinity;

    if (product_exponent > 255) product_exponent = 255;
    const bool no_product = a.zero() || b.zero() || product_exponent < 0;
    const std::uint32_t zero = !wormhole && c.negative && product_negative ? sign_bit : 0;
    if (!nan && no_product) return c.zero() ? zero : z;
    bool negative = false, cancelled = false;
    const std::uint32_t magnitude =
        add_exactly(a, b, c, product_exponent, no_product, wormhole, negative, cancelled);
    if (nan) { // Wormhole only: bits of the sum leak into the NaN
        const bool nan_negative = product_nan || opposite ? product_negative : c.negative;
        return (nan_negative ? sign_bit : 0) | 0x7f800001u | (magnitude == infinity ? 0 : magnitude);
    }
    if (cancelled) return zero;
    if (magnitude == 0 && wormhole) return 0;
    return (negative ? sign_bit : 0) | magnitude;
}

std::uint32_t model_fma(std::uint32_t x, std::uint32_t y, std::uint32_t z, bool wormhole) {
    return wormhole ? isa::fma<true>(x, y, z) : isa::fma<false>(x, y, z);
}

/// Triples in which something happens: exponents close to cancellation, overflow and underflow, few mantissa
/// bits.
struct triple {
    std::uint32_t x, y, z;
};
std::uint32_t with_exponent(random_bits& random, int exponent) {
    const std::uint32_t clamped = static_cast<std::uint32_t>(exponent < 0     ? 0
                                                             : exponent > 255 ? 255
                                                                              : exponent);
    std::uint32_t fraction = random.next();
    if (random.below(3) == 0) fraction &= 0xffffffffu << random.below(23);
    if (random.below(8) == 0) fraction |= 0x7fffffu >> random.below(23);
    return (random.next() & sign_bit) | clamped << 23 | (fraction & 0x7fffffu);
}
/// A small product minus an addend that leaves a difference of all ones, where rounding up changes the
/// exponent.
triple draw_all_ones_difference(random_bits& random) {
    const std::uint32_t ex = 1 + random.below(126), ey = 127 - ex + random.below(4);
    const std::uint32_t x = ex << 23 | (random.next() & 0x7fffffu),
                        y = ey << 23 | (random.next() & 0x7fffffu);
    const std::uint64_t product = static_cast<std::uint64_t>(unpack(x).mantissa) * unpack(y).mantissa >> 20;
    const std::uint64_t difference = (1ull << (20 + random.below(8))) - random.below(3);
    const std::uint64_t addend = product > difference ? (product - difference) >> 3 : 0;
    return {x, y, sign_bit | (ex + ey - 127) << 23 | (static_cast<std::uint32_t>(addend) & 0x7fffffu)};
}
/// A sum of two large mantissas, which is shifted right by two; often the product ends in the bits 10.
triple draw_long_shift(random_bits& random) {
    const std::uint32_t ex = 60 + random.below(130), ey = 90 + random.below(70);
    const std::uint32_t x = ex << 23 | 0x700400u | (random.next() & 0x7ffc00u);
    const std::uint32_t y = ey << 23 | 0x700000u | (random.next() & 0x7ff000u) | random.below(4) << 10;
    return {x, y, (ex + ey - 127) << 23 | 0x700000u | (random.next() & 0x7fffffu)};
}
triple draw(random_bits& random) {
    const auto pick = [&](unsigned limit) { return static_cast<int>(random.below(limit)); };
    switch (random.below(8)) {
    case 0: return {random.next(), random.next(), random.next()};
    case 1: return {random.operand(), random.operand(), random.operand()};
    case 2: { // product and addend of similar size
        const int ex = 1 + pick(254), ey = 1 + pick(254);
        return {with_exponent(random, ex), with_exponent(random, ey),
                with_exponent(random, ex + ey - 127 + pick(9) - 4)};
    }
    case 3: { // sums around the smallest normal number
        const int ex = 1 + pick(126);
        return {with_exponent(random, ex), with_exponent(random, 127 - ex + pick(5) - 1),
                with_exponent(random, pick(4))};
    }
    case 4: { // around the largest
        const int ex = 128 + pick(127);
        return {with_exponent(random, ex), with_exponent(random, 381 - ex + pick(4) - 2),
                with_exponent(random, 252 + pick(4))};
    }
    case 5: return draw_all_ones_difference(random);
    case 6: return draw_long_shift(random);
    default: { // cancellation up to the lowest bits
        const std::uint32_t x = with_exponent(random, 64 + pick(128));
        const std::uint32_t y = with_exponent(random, 64 + pick(127));
        const std::uint32_t product = expected_fma(x, y, 0, false);
        return {x, y, (product ^ sign_bit) + random.below(5) - 2};
    }
    }
}

void compare_with_definition(bool wormhole) {
    random_bits random(wormhole ? 11 : 12);
    for (std::uint64_t n = case_count(100000); n > 0; --n) {
        const triple t = draw(random);
        ASSERT_EQ(model_fma(t.x, t.y, t.z, wormhole), expected_fma(t.x, t.y, t.z, wormhole))
            << std::hex << t.x << " * " << t.y << " + " << t.z;
    }
}

TEST(multiply_add, equals_its_exact_definition_on_blackhole) { compare_with_definition(false); }
TEST(multiply_add, equals_its_exact_definition_on_wormhole) { compare_with_definition(true); }

/// The oracle that is quick enough for all triples of exponents, against big integers.
TEST(exact_multiply_add, equals_the_definition_in_big_integers) {
    random_bits random(13);
    for (std::uint64_t n = case_count(50000); n > 0; --n) {
        const triple t = draw(random);
        for (const architecture arch : {architecture::blackhole, architecture::wormhole})
            ASSERT_EQ(exact_multiply_add(t.x, t.y, t.z, arch),
                      expected_fma(t.x, t.y, t.z, arch == architecture::wormhole))
                << std::hex << t.x << " * " << t.y << " + " << t.z;
    }
}
TEST(exact_multiply_add, equals_the_definition_for_all_exponents_of_product_and_addend) {
    random_bits random(14);
    for (int sum = 0; sum <= 510; ++sum)
        for (int addend = 0; addend <= 255; addend += static_cast<int>(1 + random.below(4))) {
            const int least = std::max(0, sum - 255), most = std::min(255, sum);
            const int ex = least + static_cast<int>(random.below(static_cast<unsigned>(most - least + 1)));
            const std::uint32_t x = with_exponent(random, ex), y = with_exponent(random, sum - ex),
                                z = with_exponent(random, addend);
            for (const architecture arch : {architecture::blackhole, architecture::wormhole})
                ASSERT_EQ(exact_multiply_add(x, y, z, arch),
                          expected_fma(x, y, z, arch == architecture::wormhole))
                    << std::hex << x << " * " << y << " + " << z;
        }
}

TEST(multiply_add, equals_its_definition_for_all_pairs_of_special_operands) {
    constexpr std::uint32_t values[] = {
        0,          0x80000000, 1,          0x807fffff, 0x00800000, 0x80800001, 0x00ffffff,
        0x3f800000, 0xbf800000, 0x3f7fffff, 0x40000001, 0x7f7fffff, 0xff7fffff, 0x7f000000,
        0x7f800000, 0xff800000, 0x7f800001, 0xff800001, 0x7fc00000, 0xffffffff, 0x20000000};
    for (const bool wormhole : {false, true})
        for (const std::uint32_t x : values)
            for (const std::uint32_t y : values)
                for (const std::uint32_t z : values)
                    ASSERT_EQ(model_fma(x, y, z, wormhole), expected_fma(x, y, z, wormhole))
                        << (wormhole ? "wormhole " : "blackhole ") << std::hex << x << " * " << y << " + "
                        << z;
}

/// Correctly rounded |x| (in units) as FP32, for results in the normal range only.
bool round_ieee(const cpp_int& x, std::uint32_t& bits) {
    if (x == 0) return false;
    const int exponent = static_cast<int>(msb(x)) + unit_exponent + 127;
    if (exponent < 1 || exponent > 253) return false;
    cpp_int mantissa = divide_to_even(x, static_cast<unsigned>(msb(x)) - 23);
    bits = static_cast<std::uint32_t>(exponent - 1) * 0x800000u + static_cast<std::uint32_t>(mantissa);
    return true;
}
cpp_int in_units(std::uint32_t bits) {
    const operand o = unpack(bits);
    const cpp_int magnitude = cpp_int(o.mantissa) << static_cast<unsigned>(o.exponent - 150 - unit_exponent);
    return o.negative ? -magnitude : magnitude;
}

TEST(multiply_add, of_a_product_and_zero_is_correctly_rounded) {
    random_bits random(21);
    unsigned checked = 0;
    for (std::uint64_t n = case_count(50000); n > 0; --n) {
        const std::uint32_t x = with_exponent(random, 30 + static_cast<int>(random.below(190)));
        const std::uint32_t y = with_exponent(random, 30 + static_cast<int>(random.below(190)));
        const cpp_int exact = (cpp_int(unpack(x).mantissa) * unpack(y).mantissa)
                              << (unpack(x).exponent + unpack(y).exponent);
        std::uint32_t expected = 0;
        if (!round_ieee(exact, expected)) continue;
        ++checked;
        expected |= (x ^ y) & sign_bit;
        for (const bool wormhole : {false, true})
            ASSERT_EQ(model_fma(x, y, 0, wormhole), expected) << std::hex << x << " * " << y;
    }
    EXPECT_GT(checked, 10000u);
}

TEST(multiply_add, of_one_times_a_number_plus_another_is_correctly_rounded) {
    random_bits random(22);
    unsigned checked = 0;
    for (std::uint64_t n = case_count(50000); n > 0; --n) {
        const int exponent = 40 + static_cast<int>(random.below(180));
        const std::uint32_t x = with_exponent(random, exponent);
        const std::uint32_t z = with_exponent(random, exponent + static_cast<int>(random.below(64)) - 32);
        const cpp_int exact = in_units(x) + in_units(z);
        std::uint32_t expected = 0;
        if (!round_ieee(abs(exact), expected)) continue;
        ++checked;
        if (exact < 0) expected |= sign_bit;
        for (const bool wormhole : {false, true}) {
            ASSERT_EQ(model_fma(x, 0x3f800000, z, wormhole), expected) << std::hex << x << " + " << z;
            ASSERT_EQ(model_fma(0x3f800000, x, z, wormhole), expected) << std::hex << x << " + " << z;
        }
    }
    EXPECT_GT(checked, 10000u);
}

TEST(multiply_add, keeps_28_bits_of_the_product_and_no_more) {
    // Exactly fused the result would be b38ae168, with two roundings 0.
    EXPECT_EQ(model_fma(0x3fe3529c, 0x3f9fe0f5, 0xc00df811, false), 0xb3c00000u);
    EXPECT_EQ(model_fma(0x3fe3529c, 0x3f9fe0f5, 0xc00df811, true), 0xb3c00000u);
}

TEST(multiply_add, rounds_half_the_largest_two_binades_up_to_the_smallest_normal_on_blackhole_only) {
    EXPECT_EQ(model_fma(0x00ffffff, 0x3f000000, 0, false), 0x00800000u);
    EXPECT_EQ(model_fma(0x00ffffff, 0x3f000000, 0, true), 0u);
}

TEST(multiply_add, of_minus_zero_and_plus_zero_is_plus_zero) {
    EXPECT_EQ(model_fma(0x80000000, 0x3f800000, 0, false), 0u);
    EXPECT_EQ(model_fma(0x80000000, 0x3f800000, 0, true), 0u);
    EXPECT_EQ(model_fma(0x80000000, 0x3f800000, 0x80000000, false), 0x80000000u);
    EXPECT_EQ(model_fma(0x80000000, 0x3f800000, 0x80000000, true), 0u);
}

TEST(multiply_add, is_infinite_if_the_product_alone_overflows) {
    for (const bool wormhole : {false, true})
        EXPECT_EQ(model_fma(0x7f000000, 0x40000000, 0xff7fffff, wormhole), 0x7f800000u);
}

TEST(multiply_add, drops_a_product_whose_biased_exponent_is_below_zero) {
    for (const bool wormhole : {false, true}) {
        EXPECT_EQ(model_fma(0x1fffffff, 0x1fffffff, 0x00800000, wormhole), 0x00800000u);
        EXPECT_EQ(model_fma(0x00800000, 0x3e800000, 0x00800001, wormhole), 0x00800001u);
    }
}

TEST(multiply_add, instruction_has_the_negations_on_blackhole_and_ignores_them_on_wormhole) {
    random_bits random(31);
    for (unsigned n = 0; n < 400; ++n)
        for (const architecture arch : {architecture::blackhole, architecture::wormhole}) {
            lane_machine machine(arch);
            randomise(machine, random);
            machine.state.use_flags = 0;
            const lanes a = machine.state.lreg[1], b = machine.state.lreg[2], c = machine.state.lreg[3];
            const unsigned mod = n % 4;
            machine.execute(word::abc(0x84 + n % 3, 1, 2, 3, 4, mod));
            const bool blackhole = arch == architecture::blackhole;
            const std::uint32_t flip_a = blackhole && (mod & 1) ? sign_bit : 0,
                                flip_c = blackhole && (mod & 2) ? sign_bit : 0;
            for (unsigned lane = 0; lane < lane_count; ++lane)
                ASSERT_EQ(machine.state.lreg[4][lane],
                          expected_fma(a[lane] ^ flip_a, b[lane], c[lane] ^ flip_c, !blackhole));
        }
}

TEST(multiply_add, by_immediate_takes_the_upper_half_of_an_fp32_number) {
    random_bits random(32);
    for (unsigned n = 0; n < 400; ++n)
        for (const architecture arch : {architecture::blackhole, architecture::wormhole}) {
            lane_machine machine(arch);
            randomise(machine, random);
            machine.state.use_flags = 0;
            const lanes d = machine.state.lreg[5];
            const unsigned imm = random.operand() >> 16, mod = n / 2 % 2 * 2, add = n % 2;
            machine.execute(word::imm16(add ? 0x75 : 0x74, imm, 5, mod));
            const bool wormhole = arch == architecture::wormhole;
            const std::uint32_t flip = !wormhole && mod ? sign_bit : 0;
            for (unsigned lane = 0; lane < lane_count; ++lane)
                ASSERT_EQ(machine.state.lreg[5][lane],
                          add ? expected_fma(imm << 16, 0x3f800000, d[lane] ^ flip, wormhole)
                              : expected_fma(imm << 16, d[lane] ^ flip, 0, wormhole));
        }
}

} // namespace
} // namespace sfpu::test
