// Piecewise linear functions: table values by their numerical meaning, segments by comparing real numbers.
#include "../../models/isa/src/semantics/fma.h"

#include "chips.h"
#include "lane_machine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <ios>

namespace sfpu::test {
namespace {

double value_of(std::uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return static_cast<double>(value);
}
/// FP32 bits of a number that FP32 represents exactly.
std::uint32_t exact_bits(double value) {
    const float narrow = static_cast<float>(value);
    EXPECT_EQ(static_cast<double>(narrow), value);
    std::uint32_t bits;
    std::memcpy(&bits, &narrow, sizeof bits);
    return bits;
}

/// 8-bit table entry: +-(1 + m/16) / 2^e, and ff is zero.
std::uint32_t entry8(unsigned v) {
    if (v == 0xff) return 0;
    const double magnitude = std::ldexp(16 + v % 16, -4 - static_cast<int>(v / 16 % 8));
    return exact_bits(v >= 0x80 ? -magnitude : magnitude);
}
/// 16-bit table entry: +-(1 + m/1024) * 2^(e - 15) also for e = 0; e = 31 counts as zero in arithmetic.
std::uint32_t entry16(unsigned v) {
    const int exponent = static_cast<int>(v / 1024 % 32);
    const double magnitude = exponent == 31 ? 0.0 : std::ldexp(1024 + v % 1024, exponent - 25);
    return exact_bits(v >= 0x8000 ? -magnitude : magnitude);
}

std::uint32_t fma(architecture arch, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return arch == architecture::wormhole ? isa::fma<true>(a, b, c) : isa::fma<false>(a, b, c);
}

/// Index of the segment of |x|: the number of bounds that |x| reaches. NaN reaches all.
template <std::size_t N>
unsigned segment(std::uint32_t x, const double (&bounds)[N]) {
    const double magnitude = value_of(x & 0x7fffffffu);
    unsigned index = 0;
    for (const double bound : bounds) index += magnitude < bound ? 0 : 1;
    return index;
}

lane_machine machine_with_inputs(architecture arch, random_bits& random) {
    lane_machine machine(arch);
    randomise(machine, random);
    machine.state.use_flags = 0;
    for (std::uint32_t& lane : machine.state.lreg[3].v) {
        if (random.below(4) == 0) continue;
        static constexpr std::uint32_t bounds[] = {0x3f000000, 0x3f800000, 0x3fc00000,
                                                   0x40000000, 0x40400000, 0x40800000};
        lane = (random.next() & 0x80000000u) | (bounds[random.below(6)] + random.below(3) - 1);
    }
    return machine;
}

std::uint32_t with_sign_of(std::uint32_t value, std::uint32_t sign_source, bool retain) {
    return retain ? (value & 0x7fffffffu) | (sign_source & 0x80000000u) : value;
}

TEST(lut8, evaluates_one_of_three_lines_by_the_magnitude_of_l3) {
    static constexpr double bounds[] = {1, 2};
    random_bits random(1);
    for (unsigned n = 0; n < 2000; ++n) {
        const architecture arch = both[n % 2];
        const lane_machine before = machine_with_inputs(arch, random);
        lane_machine after = before;
        const bool retain = n / 2 % 2;
        after.execute(word::dst(0x73, 5, retain ? 4 : 0, 0, 0, arch));
        for (unsigned lane = 0; lane < lane_count; ++lane) {
            const std::uint32_t x = before.state.lreg[3][lane],
                                table = before.state.lreg[segment(x, bounds)][lane];
            const std::uint32_t line =
                fma(arch, entry8(table / 256 % 256), x & 0x7fffffffu, entry8(table % 256));
            ASSERT_EQ(after.state.lreg[5][lane], with_sign_of(line, x, retain))
                << std::hex << x << ' ' << table;
        }
    }
}

TEST(lut_fp32, evaluates_full_precision_lines_in_its_three_entry_mode) {
    static constexpr double bounds[] = {1, 2};
    random_bits random(2);
    for (unsigned n = 0; n < 2000; ++n) {
        const architecture arch = both[n % 2];
        const lane_machine before = machine_with_inputs(arch, random);
        lane_machine after = before;
        const bool retain = n / 2 % 2;
        after.execute(word::imm12(0x95, 0, 0, 7, retain ? 4 : 0));
        for (unsigned lane = 0; lane < lane_count; ++lane) {
            const std::uint32_t x = before.state.lreg[3][lane];
            const unsigned s = segment(x, bounds);
            const std::uint32_t line =
                fma(arch, before.state.lreg[s][lane], x & 0x7fffffffu, before.state.lreg[4 + s][lane]);
            ASSERT_EQ(after.state.lreg[7][lane], with_sign_of(line, x, retain));
        }
    }
}

TEST(lut_fp32, evaluates_half_precision_lines_in_its_two_six_entry_modes) {
    static constexpr double first[] = {0.5, 1, 1.5, 2, 3}, second[] = {0.5, 1, 1.5, 2, 4};
    random_bits random(3);
    for (unsigned n = 0; n < 4000; ++n) {
        const architecture arch = both[n % 2];
        const lane_machine before = machine_with_inputs(arch, random);
        lane_machine after = before;
        const unsigned mod = 2 + n / 2 % 2 + n / 4 % 2 * 4;
        after.execute(word::imm12(0x95, 0, 0, 7, mod));
        for (unsigned lane = 0; lane < lane_count; ++lane) {
            const std::uint32_t x = before.state.lreg[3][lane];
            const unsigned s = mod & 1 ? segment(x, second) : segment(x, first);
            const auto half = [&](unsigned r) {
                return entry16(s % 2 ? before.state.lreg[r][lane] / 0x10000
                                     : before.state.lreg[r][lane] % 0x10000);
            };
            const std::uint32_t line = fma(arch, half(s / 2), x & 0x7fffffffu, half(4 + s / 2));
            ASSERT_EQ(after.state.lreg[7][lane], with_sign_of(line, x, mod & 4))
                << mod << std::hex << ' ' << x;
        }
    }
}

TEST(lut_fp32, writes_the_register_named_by_l7_in_its_packed_three_entry_mode) {
    static constexpr double bounds[] = {1, 2};
    random_bits random(4);
    for (unsigned n = 0; n < 2000; ++n) {
        const architecture arch = both[n % 2];
        const lane_machine before = machine_with_inputs(arch, random);
        lane_machine after = before;
        const unsigned mod = 10 + n / 2 % 2 + n / 4 % 2 * 4;
        after.execute(word::imm12(0x95, 0, 0, 1, mod));
        for (unsigned lane = 0; lane < lane_count; ++lane) {
            const std::uint32_t x = before.state.lreg[3][lane],
                                table = before.state.lreg[segment(x, bounds)][lane];
            const std::uint32_t line =
                fma(arch, entry16(table >> 16), x & 0x7fffffffu, entry16(table & 0xffff));
            for (unsigned r = 0; r < isa::general_lregs; ++r)
                ASSERT_EQ(after.state.lreg[r][lane], r == before.state.lreg[7][lane] % 16
                                                         ? with_sign_of(line, x, mod & 4)
                                                         : before.state.lreg[r][lane]);
        }
    }
}

/// |L3| = 2^k in the segments, so that a line with one value is that value times a power of two.
TEST(lut_fp32, reads_every_half_precision_value_in_every_segment_in_both_vector_builds) {
    static constexpr double first[] = {0.5, 1, 1.5, 2, 3}, second[] = {0.5, 1, 1.5, 2, 4}, thirds[] = {1, 2};
    static constexpr double inputs[] = {0.25, 0.5, 1, 1.5, 2, 3, 4, 0.75};
    for (const auto* rows : {&isa::instruction_table(), &isa::baseline_instruction_table()})
        for (const unsigned mod : {2u, 3u, 10u}) {
            lane_machine machine(both[mod % 2]);
            machine.use_rows(*rows);
            machine.state.lreg[7] = broadcast(7); // VD of mode 10
            for (unsigned value = 0; value < 0x10000; value += 4) {
                isa::vector_state& state = machine.state;
                for (unsigned n = 0; n < lane_count; ++n) {
                    const unsigned v = value + n / 8, other = (v * 40503u) & 0xffffu;
                    state.lreg[3][n] = exact_bits(n % 2 ? -inputs[n % 8] : inputs[n % 8]);
                    for (const unsigned r : {0u, 1u, 2u}) state.lreg[r][n] = v << 16 | other;
                    for (const unsigned r : {4u, 5u, 6u}) state.lreg[r][n] = other << 16 | v;
                }
                const lanes l3 = state.lreg[3];
                state.lreg[7] = broadcast(7);
                machine.execute(word::imm12(0x95, 0, 0, 7, mod));
                for (unsigned n = 0; n < lane_count; ++n) {
                    const unsigned v = value + n / 8, other = (v * 40503u) & 0xffffu;
                    const unsigned s = mod == 2   ? segment(l3[n], first)
                                       : mod == 3 ? segment(l3[n], second)
                                                  : segment(l3[n], thirds);
                    // Upper halves are for the upper parts of segments; in mode 10 for the slope.
                    const bool upper = mod == 10 || s % 2 == 1;
                    const std::uint32_t slope = entry16(upper ? v : other),
                                        offset = entry16(mod == 10 || upper ? other : v);
                    ASSERT_EQ(state.lreg[7][n], fma(machine.arch(), slope, l3[n] & 0x7fffffffu, offset))
                        << mod << std::hex << ' ' << v << ' ' << l3[n];
                }
            }
        }
}

TEST(multiply_add_operands, are_gathered_and_scattered_by_the_low_bits_of_l7) {
    random_bits random(5);
    for (unsigned n = 0; n < 2000; ++n) {
        const architecture arch = both[n % 2];
        lane_machine before(arch);
        randomise(before, random);
        before.state.use_flags = 0;
        const bool gather = n & 4, scatter = n & 8;
        lane_machine after = before;
        after.execute(word::abc(0x84, 1, 2, 3, 5, (gather ? 4 : 0) + (scatter ? 8 : 0)));
        for (unsigned lane = 0; lane < lane_count; ++lane) {
            const unsigned named = before.state.lreg[7][lane] % 16;
            const std::uint32_t sum = fma(arch, before.state.lreg[gather ? named : 1][lane],
                                          before.state.lreg[2][lane], before.state.lreg[3][lane]);
            for (unsigned r = 0; r < isa::lreg_count; ++r)
                ASSERT_EQ(after.state.lreg[r][lane], r < isa::general_lregs && r == (scatter ? named : 5)
                                                         ? sum
                                                         : before.state.lreg[r][lane]);
        }
    }
}

} // namespace
} // namespace sfpu::test
