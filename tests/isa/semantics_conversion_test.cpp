// Conversions between Dst cells, FP32 and integers: every 16-bit cell, and rounding against exact integer
// arithmetic.
#include "chips.h"
#include "lane_machine.h"

#include <sfpu/isa/table.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <ios>

namespace sfpu::test {
namespace {

namespace mode = isa::dst_mode;
constexpr std::uint32_t two_to(unsigned n) { return 1u << n; }

/// FP32 bits from fields by plain arithmetic.
constexpr std::uint32_t fp32(std::uint32_t sign, std::uint32_t exponent, std::uint32_t fraction) {
    return sign * two_to(31) + exponent * two_to(23) + fraction;
}

/// Puts the numbers `first` to `first + 31` into the first slice of Dst as 16-bit cells.
void fill_slice(lane_machine& machine, std::uint32_t first) {
    for (unsigned lane = 0; lane < lane_count; ++lane)
        machine.dst[lane / 8][lane % 8 * 2] = static_cast<std::uint16_t>(first + lane);
}

/// Loads each of the 65536 cells and compares with `expected(cell)`; L0 holds 5a5aa5a5 before.
void check_all_loads(architecture arch, unsigned load_mode, std::uint32_t config,
                     const std::function<std::uint32_t(std::uint32_t)>& expected) {
    lane_machine machine(arch);
    for (unsigned column = 0; column < column_count; ++column)
        machine.state.config.set_column(column, config);
    for (std::uint32_t first = 0; first < 0x10000; first += lane_count) {
        fill_slice(machine, first);
        machine.state.lreg[0] = broadcast(0x5a5aa5a5u);
        machine.execute(word::dst(0x70, 0, load_mode, 0, 0, arch));
        for (unsigned lane = 0; lane < lane_count; ++lane)
            ASSERT_EQ(machine.state.lreg[0][lane], expected(first + lane))
                << short_name(arch) << " mode " << load_mode << " cell " << std::hex << first + lane;
    }
}

std::uint32_t fp16_cell_as_fp32(std::uint32_t cell) {
    const std::uint32_t sign = cell / two_to(15), fraction = cell / 32 % 1024, exponent = cell % 32;
    return fp32(sign, exponent == 0 ? 0 : exponent - 15 + 127, fraction * two_to(13));
}
std::uint32_t bf16_cell_as_fp32(std::uint32_t cell) {
    return fp32(cell / two_to(15), cell % 256, cell / 256 % 128 * two_to(16));
}
std::uint32_t sign_magnitude(std::uint32_t sign, std::uint32_t magnitude) {
    return sign * two_to(31) + magnitude;
}
std::uint32_t twos_complement(std::uint32_t sign, std::uint32_t magnitude) {
    return sign ? 0u - magnitude : magnitude;
}

TEST(load, of_every_fp16_cell_rebiases_the_exponent) {
    for (const architecture arch : both) check_all_loads(arch, mode::fp16, 0, fp16_cell_as_fp32);
}

TEST(load, of_the_largest_fp16_cell_is_infinity_where_the_lane_configuration_says_so) {
    for (const architecture arch : both)
        check_all_loads(arch, mode::fp16, 1, [](std::uint32_t cell) {
            return cell % 0x8000 == 0x7fff ? fp32(cell / 0x8000, 255, 0) : fp16_cell_as_fp32(cell);
        });
}

TEST(load, of_every_bf16_cell_moves_the_exponent_above_the_mantissa) {
    for (const architecture arch : both) check_all_loads(arch, mode::bf16, 0, bf16_cell_as_fp32);
}

TEST(load, of_every_integer_8_cell_takes_eight_magnitude_bits_on_blackhole_and_seven_on_wormhole) {
    for (const architecture arch : both) {
        const std::uint32_t limit = arch == architecture::blackhole ? 256 : 128;
        check_all_loads(arch, mode::int8, 0,
                        [=](std::uint32_t cell) { return sign_magnitude(cell / 0x8000, cell / 32 % limit); });
    }
}

TEST(load, of_every_integer_8_cell_in_the_complement_mode_converts_on_wormhole_only) {
    check_all_loads(architecture::blackhole, mode::int8_comp, 0,
                    [](std::uint32_t cell) { return sign_magnitude(cell / 0x8000, cell / 32 % 1024); });
    check_all_loads(architecture::wormhole, mode::int8_comp, 0,
                    [](std::uint32_t cell) { return twos_complement(cell / 0x8000, cell / 32 % 1024); });
}

TEST(load, of_every_integer_16_cell_keeps_its_sixteen_bits_where_the_mode_puts_them) {
    for (const architecture arch : both) {
        for (const unsigned m : {mode::uint16, mode::lo16})
            check_all_loads(arch, m, 0, [](std::uint32_t cell) { return cell; });
        check_all_loads(arch, mode::hi16, 0, [](std::uint32_t cell) { return cell * 0x10000; });
        check_all_loads(arch, mode::lo16_only, 0, [](std::uint32_t cell) { return 0x5a5a0000u + cell; });
        check_all_loads(arch, mode::hi16_only, 0,
                        [](std::uint32_t cell) { return cell * 0x10000 + 0xa5a5u; });
        check_all_loads(arch, mode::int16, 0,
                        [](std::uint32_t cell) { return sign_magnitude(cell / 0x8000, cell % 0x8000); });
        check_all_loads(arch, mode::zero, 0, [](std::uint32_t) { return 0u; });
    }
}

/// Loads every cell, stores it in the same mode and compares; cells that `lossy` names must become
/// `then(cell)`.
void check_round_trip(architecture arch, unsigned m, const std::function<bool(std::uint32_t)>& lossy,
                      const std::function<std::uint32_t(std::uint32_t)>& then) {
    lane_machine machine(arch);
    for (std::uint32_t first = 0; first < 0x10000; first += lane_count) {
        fill_slice(machine, first);
        machine.execute(word::dst(0x70, 3, m, 0, 0, arch));
        machine.execute(word::dst(0x72, 3, m, 4, 0, arch));
        for (unsigned lane = 0; lane < lane_count; ++lane) {
            const std::uint32_t cell = first + lane, stored = machine.dst[4 + lane / 8][lane % 8 * 2];
            ASSERT_EQ(stored, lossy(cell) ? then(cell) : cell)
                << short_name(arch) << " mode " << m << std::hex << ' ' << cell;
        }
    }
}

TEST(store, restores_every_cell_that_was_loaded_in_an_opaque_mode) {
    const auto never = [](std::uint32_t) { return false; };
    const auto same = [](std::uint32_t cell) { return cell; };
    for (const architecture arch : both)
        for (const unsigned m : {mode::uint16, mode::int16, mode::lo16_only, mode::hi16_only})
            check_round_trip(arch, m, never, same);
}

TEST(store, restores_every_floating_point_cell_but_flushes_subnormals_to_signed_zero) {
    for (const architecture arch : both) {
        const auto sign_only = [](std::uint32_t cell) { return cell & 0x8000u; };
        check_round_trip(
            arch, mode::fp16, [](std::uint32_t cell) { return cell % 32 == 0; }, sign_only);
        check_round_trip(
            arch, mode::bf16, [](std::uint32_t cell) { return cell % 256 == 0; }, sign_only);
    }
}

TEST(store, restores_every_integer_8_cell_up_to_its_unused_bits) {
    for (const architecture arch : both) {
        const std::uint32_t limit = arch == architecture::blackhole ? 256 : 128;
        const auto always = [](std::uint32_t) { return true; };
        check_round_trip(arch, mode::int8, always, [=](std::uint32_t cell) {
            return cell / 0x8000 * 0x8000 + cell / 32 % limit * 32 + 16;
        });
        const bool loses_minus_zero = arch == architecture::wormhole;
        check_round_trip(arch, mode::int8_comp, always, [=](std::uint32_t cell) {
            const std::uint32_t magnitude = cell / 32 % 1024;
            const std::uint32_t sign = loses_minus_zero && magnitude == 0 ? 0 : cell / 0x8000;
            return sign * 0x8000 + magnitude * 32 + 16;
        });
    }
}

TEST(store, truncates_towards_zero_and_limits_the_range_in_mode_fp16) {
    random_bits random(1);
    for (const architecture arch : both)
        for (unsigned n = 0; n < 3000; ++n) {
            lane_machine machine(arch);
            for (std::uint32_t& lane : machine.state.lreg[1].v) lane = random.operand();
            machine.execute(word::dst(0x72, 1, mode::fp16, 0, 0, arch));
            for (unsigned lane = 0; lane < lane_count; ++lane) {
                const std::uint32_t x = machine.state.lreg[1][lane], exponent = x / two_to(23) % 256;
                // 2^-14 is the smallest magnitude that is kept, 2^17 and above become the largest pattern.
                const std::uint32_t magnitude = exponent < 113 ? 0
                                                : exponent > 143
                                                    ? 0x7fff
                                                    : x / two_to(13) % 1024 * 32 + (exponent - 112);
                ASSERT_EQ(machine.cell(lane / 8, lane % 8 * 2, false), x / two_to(31) * 0x8000 + magnitude)
                    << std::hex << x;
            }
        }
}

/// Stores and loads random 32-bit values in one mode; `expected` gives what must come back.
void check_wide_round_trip(architecture arch, unsigned m,
                           const std::function<std::uint32_t(std::uint32_t)>& expected) {
    random_bits random(m + 40);
    lane_machine machine(arch);
    for (unsigned n = 0; n < 2000; ++n) {
        for (std::uint32_t& lane : machine.state.lreg[1].v) lane = random.operand();
        machine.execute(word::dst(0x72, 1, m, n % 256 * 4, 0, arch));
        machine.execute(word::dst(0x70, 2, m, n % 256 * 4, 0, arch));
        for (unsigned lane = 0; lane < lane_count; ++lane)
            ASSERT_EQ(machine.state.lreg[2][lane], expected(machine.state.lreg[1][lane]))
                << short_name(arch) << " mode " << m << std::hex << ' ' << machine.state.lreg[1][lane];
    }
}

TEST(store, and_load_of_32_bit_cells_are_inverse_where_no_conversion_is_documented) {
    const auto same = [](std::uint32_t x) { return x; };
    for (const architecture arch : both) {
        check_wide_round_trip(arch, mode::int32, same);
        check_wide_round_trip(arch, mode::int32_all, same);
    }
    check_wide_round_trip(architecture::blackhole, mode::int32_sm, same);
    check_wide_round_trip(architecture::wormhole, mode::fp32, same);
}

TEST(store, flushes_fp32_subnormals_on_blackhole_and_loses_only_the_least_integer_on_wormhole) {
    check_wide_round_trip(architecture::blackhole, mode::fp32,
                          [](std::uint32_t x) { return x / two_to(23) % 256 == 0 ? x & 0x80000000u : x; });
    check_wide_round_trip(architecture::wormhole, mode::int32_sm,
                          [](std::uint32_t x) { return x == 0x80000000u ? 0u : x; });
}

TEST(load, of_the_documented_32_bit_cell_puts_sign_exponent_and_mantissa_in_order) {
    for (const architecture arch : both) {
        lane_machine machine(arch);
        machine.set_cell(0, 0, true, 0xc34f1234u);
        machine.execute(word::dst(0x70, 0, mode::fp32, 0, 0, arch));
        EXPECT_EQ(machine.state.lreg[0][0], 0xa7c31234u);
    }
}

TEST(store, in_modes_lo16_and_hi16_writes_whole_32_bit_cells) {
    for (const architecture arch : both) {
        lane_machine machine(arch);
        machine.state.lreg[0] = broadcast(0x12345678u);
        machine.execute(word::dst(0x72, 0, mode::lo16, 0, 0, arch));
        EXPECT_EQ(machine.cell(0, 0, true), 0x56781234u);
        machine.execute(word::dst(0x72, 0, mode::hi16, 0, 0, arch));
        EXPECT_EQ(machine.cell(0, 0, true), 0x12345678u);
    }
}

TEST(load_immediate, widens_every_immediate_as_its_mode_says) {
    lane_machine machine(architecture::blackhole);
    for (std::uint32_t imm = 0; imm < 0x10000; ++imm) {
        const auto loaded = [&](unsigned m) {
            machine.state.lreg[1] = broadcast(0x5a5aa5a5u);
            machine.execute(word::load_immediate(1, m, imm));
            return machine.state.lreg[1][imm % lane_count];
        };
        ASSERT_EQ(loaded(0), imm * 0x10000);
        ASSERT_EQ(loaded(1), fp32(imm / 0x8000, imm / 1024 % 32 + 112, imm % 1024 * two_to(13)));
        ASSERT_EQ(loaded(2), imm);
        ASSERT_EQ(loaded(4), imm < 0x8000 ? imm : imm - 0x10000);
        ASSERT_EQ(loaded(8), imm * 0x10000 + 0xa5a5u);
        ASSERT_EQ(loaded(10), 0x5a5a0000u + imm);
    }
}

// --- rounding
// ------------------------------------------------------------------------------------------------------

/// Runs one lane-wise instruction that reads L1 and writes L2 over inputs drawn by `draw`.
void check_lanewise(architecture arch, std::uint32_t instruction, unsigned rounds,
                    const std::function<std::uint32_t()>& draw,
                    const std::function<std::uint32_t(std::uint32_t)>& expected) {
    lane_machine machine(arch);
    for (unsigned n = 0; n < rounds; ++n) {
        for (std::uint32_t& lane : machine.state.lreg[1].v) lane = draw();
        machine.execute(instruction);
        for (unsigned lane = 0; lane < lane_count; ++lane)
            ASSERT_EQ(machine.state.lreg[2][lane], expected(machine.state.lreg[1][lane]))
                << short_name(arch) << std::hex << ' ' << instruction << " of "
                << machine.state.lreg[1][lane];
    }
}

constexpr std::uint32_t stochrnd(unsigned rounding, unsigned mod) {
    return 0x8e001120u | rounding << 21 | mod;
}

/// FP32 to fewer mantissa bits: nearest, ties away from zero, zeros and NaNs normalised.
std::uint32_t expected_narrow(std::uint32_t x, unsigned dropped) {
    const std::uint32_t exponent = x / two_to(23) % 256, sign = x / two_to(31);
    if (exponent == 0) return 0;
    if (exponent == 255) return fp32(sign, 255, 0);
    const std::uint64_t magnitude = x % two_to(31), step = two_to(dropped);
    return static_cast<std::uint32_t>((2 * magnitude + step) / (2 * step) * step) + sign * two_to(31);
}

TEST(stochastic_rounding, to_nearest_keeps_ten_or_seven_mantissa_bits_with_ties_away_from_zero) {
    random_bits random(3);
    const auto draw = [&] { return random.below(4) == 0 ? random.next() & 0xffff8000u : random.operand(); };
    for (const architecture arch : both) {
        check_lanewise(arch, stochrnd(0, 0), 2000, draw,
                       [](std::uint32_t x) { return expected_narrow(x, 13); });
        check_lanewise(arch, stochrnd(0, 1), 2000, draw,
                       [](std::uint32_t x) { return expected_narrow(x, 16); });
    }
}

TEST(stochastic_rounding, of_a_tie_to_bf16_goes_up) {
    lane_machine machine(architecture::blackhole);
    machine.state.lreg[1] = broadcast(0x3f808000u);
    machine.execute(stochrnd(0, 1));
    EXPECT_EQ(machine.state.lreg[2][0], 0x3f810000u);
}

/// |x| to the nearest integer, ties away from zero, limited; |x| below one half is 0 and NaN is the limit.
std::uint32_t expected_integer(std::uint32_t x, bool keeps_sign, std::uint32_t limit) {
    const int exponent = static_cast<int>(x / two_to(23) % 256) - 150; // of the lowest mantissa bit
    const std::uint64_t mantissa = x % two_to(23) + two_to(23);
    std::uint64_t magnitude = 0;
    if (exponent >= 0) magnitude = limit;
    else if (exponent > -64) magnitude = ((mantissa << 1 >> (-exponent > 40 ? 40 : -exponent)) + 1) / 2;
    if (magnitude > limit) magnitude = limit;
    return static_cast<std::uint32_t>(magnitude) + (keeps_sign && magnitude != 0 ? x & 0x80000000u : 0);
}

TEST(stochastic_rounding, to_nearest_converts_to_limited_integers) {
    random_bits random(4);
    const auto draw = [&] {
        return random.below(2) ? random.operand()
                               : (random.next() & 0x80000000u) | (124 + random.below(22)) << 23 |
                                     (random.next() & (0x7fffffu << random.below(23)) & 0x7fffffu);
    };
    const struct {
        unsigned mod;
        bool keeps_sign;
        std::uint32_t limit;
    } kinds[] = {{2, false, 255}, {3, true, 127}, {6, false, 65535}, {7, true, 32767}};
    for (const architecture arch : both)
        for (const auto& kind : kinds)
            check_lanewise(arch, stochrnd(0, kind.mod), 1000, draw,
                           [&](std::uint32_t x) { return expected_integer(x, kind.keeps_sign, kind.limit); });
}

TEST(stochastic_rounding, of_integers_divides_by_a_power_of_two_with_ties_away_from_zero) {
    random_bits random(5);
    for (const architecture arch : both)
        for (unsigned shift = 0; shift < 32; ++shift)
            for (const unsigned mod : {4u, 5u}) {
                const std::uint64_t limit = mod == 4 ? 255 : 127;
                const auto draw = [&] {
                    return (random.next() & 0x80000000u) | random.next() >> 1 >> random.below(31);
                };
                const std::uint32_t instruction = 0x8e000000u | shift << 16 | 1u << 8 | 2u << 4 | 8u | mod;
                check_lanewise(arch, instruction, 40, draw, [&](std::uint32_t x) {
                    const std::uint64_t twice = (std::uint64_t{x & 0x7fffffffu} << 1) >> shift;
                    const std::uint64_t rounded = (twice + 1) / 2;
                    const auto magnitude = static_cast<std::uint32_t>(rounded > limit ? limit : rounded);
                    return magnitude + (mod == 5 && magnitude != 0 ? x & 0x80000000u : 0);
                });
            }
}

TEST(stochastic_rounding, rounds_up_exactly_if_the_discarded_bits_reach_the_random_ones) {
    random_bits random(6);
    for (const architecture arch : both)
        for (unsigned n = 0; n < 2000; ++n) {
            lane_machine machine(arch);
            randomise(machine, random);
            machine.state.use_flags = 0;
            for (std::uint32_t& lane : machine.state.lreg[1].v)
                lane = 0x3f800000u | (random.next() & 0x7fffffu);
            const lanes before = machine.state.prng;
            const bool to_bf16 = n % 2;
            const std::uint32_t step = two_to(to_bf16 ? 16 : 13);
            machine.execute(stochrnd(1, to_bf16));
            for (unsigned lane = 0; lane < lane_count; ++lane) {
                const std::uint32_t x = machine.state.lreg[1][lane],
                                    threshold = before[lane] % two_to(23) / (two_to(23) / step);
                ASSERT_EQ(machine.state.lreg[2][lane], x / step * step + (x % step >= threshold ? step : 0));
                ASSERT_EQ(machine.state.prng[lane], prng_next(before[lane]));
            }
        }
}

/// Sign-magnitude integer to FP32, nearest, ties to even, by dividing the magnitude.
std::uint32_t expected_cast(std::uint32_t x) {
    const std::uint64_t magnitude = x % two_to(31);
    const std::uint32_t sign = x & 0x80000000u;
    if (magnitude == 0) return sign;
    unsigned exponent = 0;
    while (magnitude >> exponent > 1) ++exponent;
    std::uint64_t mantissa = exponent <= 23 ? magnitude << (23 - exponent) : magnitude >> (exponent - 23);
    if (exponent > 23) {
        const std::uint64_t step = 1ull << (exponent - 23), rest = magnitude % step;
        if (2 * rest > step || (2 * rest == step && mantissa % 2 != 0)) ++mantissa;
    }
    return sign + (126 + exponent) * two_to(23) + static_cast<std::uint32_t>(mantissa);
}

TEST(cast, of_sign_magnitude_integers_to_fp32_rounds_to_nearest_even) {
    random_bits random(7);
    const auto draw = [&] {
        const std::uint32_t power = two_to(random.below(31)) + random.below(9) - 4;
        return (random.next() & 0x80000000u) |
               ((random.below(2) ? power : random.next() >> random.below(31)) & 0x7fffffffu);
    };
    for (const architecture arch : both) check_lanewise(arch, 0x90000120u, 5000, draw, expected_cast);
    EXPECT_EQ(expected_cast(0x01000003u), 0x4b800002u); // rounds to nearest even, not up
}

TEST(cast, between_sign_magnitude_and_twos_complement_is_its_own_inverse) {
    random_bits random(8);
    lane_machine machine(architecture::blackhole);
    for (unsigned n = 0; n < 2000; ++n) {
        for (std::uint32_t& lane : machine.state.lreg[1].v) lane = random.operand();
        machine.execute(0x90000123u);
        for (unsigned lane = 0; lane < lane_count; ++lane) {
            const std::uint32_t x = machine.state.lreg[1][lane], y = machine.state.lreg[2][lane];
            if (x % two_to(31) != 0) {
                ASSERT_EQ(y, twos_complement(x >> 31, x % two_to(31)));
            } else {
                ASSERT_EQ(y, x);
            }
        }
        machine.execute(0x90000223u); // L2 = cast(L2)
        for (unsigned lane = 0; lane < lane_count; ++lane)
            ASSERT_EQ(machine.state.lreg[2][lane], machine.state.lreg[1][lane]);
    }
}

} // namespace
} // namespace sfpu::test
