// SFPARECIP against formulas and against the accuracy that the documentation publishes.
#include "lane_machine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <ios>
#include <vector>

namespace sfpu::test {
namespace {

constexpr unsigned reciprocal = 0, conditional_reciprocal = 1, exponential = 2;

double value_of(std::uint32_t bits) {
    float value;
    static_assert(sizeof value == sizeof bits, "FP32 host float expected");
    std::memcpy(&value, &bits, sizeof value);
    return static_cast<double>(value);
}

/// Results for the inputs `step * n`, 0 <= step * n < limit, with the lower bits `low`.
std::vector<std::uint32_t> results(unsigned mod, std::uint32_t limit_upper, std::uint32_t low) {
    lane_machine machine(architecture::blackhole);
    std::vector<std::uint32_t> all;
    for (std::uint32_t upper = 0; upper < limit_upper; upper += lane_count) {
        for (unsigned lane = 0; lane < lane_count; ++lane)
            machine.state.lreg[1][lane] = (upper + lane) << 16 | low;
        machine.execute(word::imm12(0x99, 0, 1, 2, mod));
        for (unsigned lane = 0; lane < lane_count; ++lane) all.push_back(machine.state.lreg[2][lane]);
    }
    return all;
}

std::uint32_t single(unsigned mod, std::uint32_t x, std::uint32_t condition = 0) {
    lane_machine machine(architecture::blackhole);
    machine.state.lreg[1] = broadcast(x);
    machine.state.lreg[3] = broadcast(condition);
    machine.execute(word::imm12(0x99, 3, 1, 2, mod)); // VB is L3
    return machine.state.lreg[2][0];
}

TEST(approximate_reciprocal, of_every_mantissa_is_the_rounded_reciprocal_of_the_middle_of_its_interval) {
    const std::vector<std::uint32_t> all = results(reciprocal, 0x8000, 0);
    for (unsigned i = 0; i < 128; ++i) {
        const double middle = 1 + (i + 0.5) / 128;
        const auto expected = static_cast<std::uint32_t>(std::lround(128 * (2 / middle - 1)));
        EXPECT_EQ(all[0x3f80 + i], 0x3f000000u | expected << 16) << i; // in [0.5, 1]
    }
}

TEST(approximate_reciprocal, stays_within_its_published_error_over_all_normal_inputs) {
    for (const std::uint32_t low : {0u, 0xffffu}) {
        const std::vector<std::uint32_t> all = results(reciprocal, 0x8000, low);
        for (std::uint32_t upper = 0x0080; upper < 0x7e80; ++upper) {
            const double product = value_of(upper << 16 | low) * value_of(all[upper]);
            ASSERT_GT(product, 0.9944) << std::hex << upper;
            ASSERT_LT(product, 1.0054) << std::hex << upper;
        }
    }
}

TEST(approximate_reciprocal, never_grows_with_its_argument) {
    const std::vector<std::uint32_t> all = results(reciprocal, 0x8000, 0);
    for (std::uint32_t upper = 1; upper < 0x8000; ++upper)
        ASSERT_LE(all[upper], all[upper - 1]) << std::hex << upper;
}

TEST(approximate_reciprocal, is_infinite_below_the_normal_range_and_zero_at_its_upper_end) {
    EXPECT_EQ(single(reciprocal, 0x3f800000), 0x3f7f0000u);
    EXPECT_EQ(single(reciprocal, 0), 0x7f800000u);
    EXPECT_EQ(single(reciprocal, 0x007fffff), 0x7f800000u);
    EXPECT_EQ(single(reciprocal, 0x7e7fffff), 0x00800000u);
    EXPECT_EQ(single(reciprocal, 0x7e800000), 0u);
    EXPECT_EQ(single(reciprocal, 0x7f800000), 0u);
    EXPECT_EQ(single(reciprocal, 0x7fc00000), 0u);
}

TEST(approximate_reciprocal, keeps_the_sign_of_its_argument) {
    random_bits random(1);
    for (unsigned n = 0; n < 2000; ++n) {
        const std::uint32_t x = random.operand() & 0x7fffffffu;
        ASSERT_EQ(single(reciprocal, x | 0x80000000u), single(reciprocal, x) | 0x80000000u) << std::hex << x;
    }
}

TEST(conditional_reciprocal, is_the_reciprocal_of_the_magnitude_where_vb_is_negative_and_a_copy_elsewhere) {
    random_bits random(2);
    for (unsigned n = 0; n < 2000; ++n) {
        const std::uint32_t x = random.operand(), condition = random.operand();
        const std::uint32_t expected = condition >= 0x80000000u ? single(reciprocal, x & 0x7fffffffu) : x;
        ASSERT_EQ(single(conditional_reciprocal, x, condition), expected) << std::hex << x;
    }
}

TEST(approximate_exponential, stays_within_its_published_error_below_two) {
    for (const std::uint32_t low : {0u, 0x8000u, 0xffffu}) {
        const std::vector<std::uint32_t> all = results(exponential, 0x4000, low);
        for (std::uint32_t upper = 0; upper < 0x4000; ++upper) {
            const double exact = std::exp(value_of(upper << 16 | low)), got = value_of(all[upper]);
            ASSERT_GT(got, 0.9922 * exact) << std::hex << upper;
            ASSERT_LT(got, 1.016 * exact) << std::hex << upper;
        }
    }
}

TEST(approximate_exponential, never_falls_with_its_argument_below_two) {
    const std::vector<std::uint32_t> all = results(exponential, 0x4000, 0);
    for (std::uint32_t upper = 1; upper < 0x4000; ++upper)
        ASSERT_GE(all[upper], all[upper - 1]) << std::hex << upper;
}

TEST(approximate_exponential, passes_the_lower_half_of_normal_arguments_through) {
    random_bits random(3);
    for (unsigned n = 0; n < 5000; ++n) {
        const std::uint32_t x = (random.next() & 0x7fffffffu) | 0x00800000u;
        ASSERT_EQ(single(exponential, x) & 0xffffu, x & 0xffffu) << std::hex << x;
    }
}

TEST(approximate_exponential, changes_its_segments_where_the_documentation_puts_them) {
    EXPECT_EQ(single(exponential, 0), 0x3f800000u);
    EXPECT_EQ(single(exponential, 0x007fffff), 0x3f800000u);
    EXPECT_EQ(single(exponential, 0x00800000), 0x3f810000u);
    EXPECT_EQ(single(exponential, 0x3c7f0000), 0x3f810000u);
    EXPECT_EQ(single(exponential, 0x3c800000), 0x3f820000u);
    EXPECT_EQ(single(exponential, 0x3f310000), 0x3fff0000u);
    EXPECT_EQ(single(exponential, 0x3f320000), 0x40000000u);
    EXPECT_EQ(value_of(single(exponential, 0x3f800000)), 2.703125);
    EXPECT_EQ(single(exponential, 0x40000000), 0x40800000u);
    EXPECT_EQ(single(exponential, 0x7fc01234), 0x40801234u);
}

TEST(approximate_exponential, keeps_the_sign_and_serves_every_reserved_modifier) {
    random_bits random(4);
    for (unsigned n = 0; n < 2000; ++n) {
        const std::uint32_t x = random.operand();
        const std::uint32_t expected = (x & 0x80000000u) | single(exponential, x & 0x7fffffffu);
        ASSERT_EQ(single(exponential, x), expected) << std::hex << x;
        ASSERT_EQ(single(3 + n % 13, x), expected) << std::hex << x;
    }
}

} // namespace
} // namespace sfpu::test
