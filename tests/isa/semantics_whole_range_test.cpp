// Rounding, approximations and look-ups over the whole range of their inputs, in both vector builds, against
// one lane at a time in plain arithmetic.
#include "../../models/isa/src/semantics/approximation_tables.h"

#include "lane_machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ios>
#include <vector>

namespace sfpu::test {
namespace {

/// Instrumented builds take some of the upper halves of words; a prime, so that all residues come by.
#ifdef SFPU_INSTRUMENTED
constexpr unsigned stride = 61;
#else
constexpr unsigned stride = 1;
#endif

using rows = std::vector<const isa::row*>;
std::vector<const rows*> both_builds() {
    return {&isa::instruction_table(), &isa::baseline_instruction_table()};
}

// --- SFPSTOCHRND -------------------------------------------------------------------------------------------

/// random: 23 bits of a fraction; what is cut off rounds up unless it is below.
std::uint32_t cut_mantissa(std::uint32_t v, std::uint32_t random, unsigned bits) {
    const std::uint32_t exponent = v / 0x800000u % 256, unit = 1u << bits, cut = v % unit;
    if (exponent == 0) return 0;
    if (exponent == 255) return v / 0x800000u * 0x800000u;
    return v - cut + (cut >= random / (0x800000u / unit) ? unit : 0);
}

/// integer and fraction in steps of 2^-23, limited, with a sign if it is kept.
std::uint32_t round_fixed_point(std::uint64_t number, std::uint32_t random, std::uint32_t limit,
                                bool negative) {
    const std::uint64_t integer = number / 0x800000u + (number % 0x800000u >= random ? 1 : 0);
    const auto magnitude = static_cast<std::uint32_t>(std::min<std::uint64_t>(integer, limit));
    return magnitude | (negative && magnitude != 0 ? 0x80000000u : 0);
}
std::uint32_t fp32_to_integer(std::uint32_t v, std::uint32_t random, std::uint32_t limit,
                              bool signed_result) {
    const int exponent = static_cast<int>(v / 0x800000u % 256) - 127;
    const bool negative = signed_result && v >= 0x80000000u;
    if (exponent < -1) return 0;
    if (exponent >= 16) return limit | (negative ? 0x80000000u : 0);
    const std::uint64_t mantissa = v % 0x800000u + 0x800000u;
    return round_fixed_point(exponent < 0 ? mantissa / 2 : mantissa << exponent, random, limit, negative);
}
std::uint32_t shifted_integer(std::uint32_t v, unsigned shift, std::uint32_t random, bool signed_result) {
    const std::uint64_t number = (std::uint64_t{v % 0x80000000u} * 0x800000u) >> shift;
    return round_fixed_point(number, random, signed_result ? 127 : 255, signed_result && v >= 0x80000000u);
}

std::uint32_t rounded(unsigned mod, std::uint32_t v, unsigned shift, std::uint32_t random) {
    switch (mod % 8) {
    case 0: return cut_mantissa(v, random, 13);
    case 1: return cut_mantissa(v, random, 16);
    case 2: return fp32_to_integer(v, random, 255, false);
    case 3: return fp32_to_integer(v, random, 127, true);
    case 6: return fp32_to_integer(v, random, 65535, false);
    case 7: return fp32_to_integer(v, random, 32767, true);
    default: return shifted_integer(v, shift, random, mod % 2 == 1);
    }
}

class rounding_of : public testing::TestWithParam<unsigned> {};

/// Every upper half of a word, with lower halves of all kinds; random bits at, beside and far from what is
/// cut off.
TEST_P(rounding_of, every_upper_half_is_right_in_all_rounding_modes) {
    const unsigned mod = GetParam();
    static constexpr std::uint32_t lower[] = {0, 1, 0x1000, 0x7fff, 0x8000, 0x8001, 0xffff};
    random_bits random(51 + mod);
    unsigned turn = 0;
    for (const auto* build : both_builds())
        for (const architecture arch : {architecture::blackhole, architecture::wormhole})
            for (const unsigned rounding : {0u, 1u, 2u, 3u}) {
                lane_machine machine(arch);
                machine.use_rows(*build);
                const unsigned seen = arch == architecture::wormhole ? rounding % 2 : rounding;
                for (std::uint32_t upper = 0; upper < 0x10000; upper += 8 * stride) {
                    const unsigned immediate = random.below(32);
                    std::uint32_t thresholds[lane_count];
                    for (unsigned n = 0; n < lane_count; ++n) {
                        const std::uint32_t v =
                            (upper + n % 8) << 16 |
                            (random.below(2) ? random.next() & 0xffff : lower[++turn % 7]);
                        machine.state.lreg[1][n] = v;
                        machine.state.lreg[2][n] = random.next();
                        // What is cut off, in all its places; or anything.
                        const std::uint32_t cut = v << random.below(24);
                        machine.state.prng[n] =
                            random.below(4) == 0 ? random.next() : cut + random.below(3) - 1;
                        thresholds[n] = seen == 0   ? 0x400000u
                                        : seen == 2 ? 0x7fffffu
                                                    : machine.state.prng[n] & 0x7fffffu;
                    }
                    const lanes before = machine.state.prng;
                    // VB is L2, VC L1, VD L3
                    machine.execute(0x8e002130u | rounding << 21 | immediate << 16 | mod);
                    for (unsigned n = 0; n < lane_count; ++n) {
                        const std::uint32_t v = machine.state.lreg[1][n];
                        const unsigned shift = mod & 8 ? immediate : machine.state.lreg[2][n] % 32;
                        ASSERT_EQ(machine.state.lreg[3][n], rounded(mod, v, shift, thresholds[n]))
                            << std::hex << v << " by " << shift << ", random " << thresholds[n];
                        ASSERT_EQ(machine.state.prng[n], prng_next(before[n]));
                    }
                }
            }
}
INSTANTIATE_TEST_SUITE_P(every_modifier, rounding_of, testing::Range(0u, 16u));

// --- SFPARECIP ---------------------------------------------------------------------------------------------

std::uint32_t reciprocal(std::uint32_t x) {
    if (x < 0x00800000u) return 0x7f800000u;
    if (x >= 0x7e800000u) return 0;
    const double middle = 1 + (x / 0x10000u % 128 + 0.5) / 128;
    const auto mantissa = static_cast<std::uint32_t>(std::lround(128 * (2 / middle - 1)));
    return (253 - x / 0x800000u) * 0x800000u + mantissa * 0x10000u;
}
std::uint32_t exponential(std::uint32_t x) {
    if (x < 0x00800000u) return 0x3f800000u;
    const std::uint32_t low = x % 0x10000u, upper = x / 0x10000u;
    if (upper < 0x3c80) return 0x3f810000u + low;
    if (upper >= 0x4000) return 0x40800000u + low;
    return (upper < 0x3f32 ? 0x3f80u : 0x4000u) * 0x10000u +
           isa::exponential_table[upper - 0x3c80] * 0x10000u + low;
}
std::uint32_t approximated(unsigned mod, std::uint32_t v, std::uint32_t condition) {
    const std::uint32_t sign = v & 0x80000000u, magnitude = v & 0x7fffffffu;
    if (mod == 0) return sign | reciprocal(magnitude);
    if (mod == 1) return condition >= 0x80000000u ? reciprocal(magnitude) : v;
    return sign | exponential(magnitude);
}

TEST(approximation, of_every_upper_half_with_any_lower_half_is_that_of_the_tables) {
    random_bits random(61);
    static constexpr std::uint32_t lower[] = {0, 1, 0x7fff, 0x8000, 0xfffe, 0xffff};
    for (const auto* build : both_builds()) {
        lane_machine machine(architecture::blackhole);
        machine.use_rows(*build);
        lanes &vb = machine.state.lreg[2], &vc = machine.state.lreg[1], &vd = machine.state.lreg[3];
        for (std::uint32_t upper = 0; upper < 0x10000; upper += 4 * stride)
            for (unsigned mod = 0; mod < 3; ++mod) {
                for (unsigned n = 0; n < lane_count; ++n) {
                    const unsigned kind = n / 4;
                    vc[n] = (upper + n % 4) << 16 | (kind < 6 ? lower[kind] : random.next() & 0xffff);
                    vb[n] = random.next();
                }
                machine.execute(word::imm12(0x99, 2, 1, 3, mod)); // VB is L2
                for (unsigned n = 0; n < lane_count; ++n)
                    ASSERT_EQ(vd[n], approximated(mod, vc[n], vb[n])) << mod << ' ' << std::hex << vc[n];
            }
    }
}
/// The lower half by itself, all of its values beside each other, in the segments of both functions.
TEST(approximation, passes_or_drops_every_lower_half) {
    lane_machine machine(architecture::blackhole);
    lanes &vb = machine.state.lreg[2], &vc = machine.state.lreg[1], &vd = machine.state.lreg[3];
    vb = broadcast(0x80000000u);
    for (const std::uint32_t upper : {0u, 0x7fu, 0x80u, 0x3c7fu, 0x3c80u, 0x3f31u, 0x3f32u, 0x3f80u, 0x3fffu,
                                      0x4000u, 0x7e7fu, 0x7e80u, 0x7f80u, 0x7fffu, 0xbf80u})
        for (std::uint32_t low = 0; low < 0x10000; low += lane_count * stride)
            for (unsigned mod = 0; mod < 3; ++mod) {
                for (unsigned n = 0; n < lane_count; ++n) vc[n] = upper << 16 | ((low + n) & 0xffffu);
                machine.execute(word::imm12(0x99, 2, 1, 3, mod));
                for (unsigned n = 0; n < lane_count; ++n)
                    ASSERT_EQ(vd[n], approximated(mod, vc[n], vb[n])) << mod << ' ' << std::hex << vc[n];
            }
}

} // namespace
} // namespace sfpu::test
