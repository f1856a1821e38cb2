// Every instruction with arithmetic but the multiply-add by registers against the exact oracle, in both
// vector builds: all inputs where they have 16 bits; all exponents with boundary fractions, signs and random
// fractions where they have 32.
#include "../../models/isa/src/semantics/approximation_tables.h"

#include "exact_instructions.h"
#include "exact_multiply_add.h"
#include "oracle_rig.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <ios>
#include <tuple>

namespace sfpu::test {
namespace {

namespace opcode = isa::opcode;

TEST(exact_rounding, is_that_of_every_modifier_and_rounding_mode) {
    random_bits random(2);
    for (const architecture arch : both)
        for (unsigned mod = 0; mod < 16; ++mod)
            for (unsigned rounding = 0; rounding < (arch == architecture::blackhole ? 4 : 2); ++rounding) {
                two_builds unit(arch);
                each_vector(3, random, [&](const lanes& vc) {
                    const unsigned immediate = random.below(32);
                    lanes vb, prng;
                    for (unsigned n = 0; n < lane_count; ++n) {
                        vb[n] = random.next();
                        prng[n] = random.below(4) == 0 ? random.next()
                                                       : (vc[n] << random.below(24)) + random.below(3) - 1;
                    }
                    unit.set(1, vc);
                    unit.set(2, vb);
                    unit.change([&](lane_machine& machine) { machine.state.prng = prng; });
                    // VB is L2, VC L1, VD L3
                    unit.execute(0x8e002130u | rounding << 21 | immediate << 16 | mod);
                    unit.expect(3, [&](unsigned n) {
                        const std::uint32_t threshold = rounding == 0   ? 0x400000u
                                                        : rounding == 2 ? 0x7fffffu
                                                                        : prng[n] % 0x800000u;
                        return exact_round(mod, vc[n], mod >= 8 ? immediate : vb[n] % 32, threshold);
                    });
                });
            }
}

TEST(exact_cast, is_that_of_every_modifier) {
    random_bits random(3);
    for (const architecture arch : both)
        for (unsigned mod = 0; mod < 4; ++mod) {
            two_builds unit(arch);
            const auto check = [&](const lanes& vc) {
                lanes prng;
                for (unsigned n = 0; n < lane_count; ++n)
                    prng[n] = random.below(2) ? random.next() : vc[n] << random.below(32);
                unit.set(1, vc);
                unit.change([&](lane_machine& machine) { machine.state.prng = prng; });
                unit.execute(word::imm12(opcode::sfpcast, 0, 1, 2, mod));
                unit.expect(2, [&](unsigned n) { return exact_cast(mod, vc[n], prng[n], arch); });
            };
            // Integers of all lengths: the operands, moved down.
            each_vector(3, random, [&](const lanes& vc) {
                ASSERT_NO_FATAL_FAILURE(check(vc));
                lanes shorter;
                for (unsigned n = 0; n < lane_count; ++n)
                    shorter[n] = (vc[n] & ~sign_bit) >> random.below(32) | (vc[n] & sign_bit);
                check(shorter);
            });
        }
}

TEST(exact_approximation, of_the_reciprocal_is_that_of_every_upper_half) {
    random_bits random(4);
    two_builds unit(architecture::blackhole);
    for (unsigned mod = 0; mod < 2; ++mod)
        for (std::uint32_t upper = 0; upper < 0x10000; upper += static_cast<std::uint32_t>(8 * stride(1))) {
            lanes vc, vb;
            for (unsigned n = 0; n < lane_count; ++n) {
                vc[n] = ((upper + n % 8) & 0xffffu) << 16 | (n < 8    ? 0u
                                                             : n < 16 ? 0xffffu
                                                                      : random.next() >> 16);
                vb[n] = random.next();
            }
            unit.set(1, vc);
            unit.set(2, vb);
            unit.execute(word::imm12(0x99, 2, 1, 3, mod)); // VB is L2
            unit.expect(3, [&](unsigned n) { return exact_reciprocal(mod, vb[n], vc[n]); });
            if (HasFatalFailure()) return;
        }
}

/// The table follows from no formula, so that of the model is used. It was compared with the page once, by
/// hand; the sum over its 896 numbers (FNV-1a of 64 bits) says that it is still that one.
TEST(exact_approximation, of_the_exponential_is_that_of_every_upper_half) {
    std::array<std::uint8_t, 896> steps{};
    std::copy(std::begin(isa::exponential_table), std::end(isa::exponential_table), steps.begin());
    std::uint64_t sum = 0xcbf29ce484222325u;
    for (const std::uint8_t step : steps) sum = (sum ^ step) * 0x100000001b3u;
    ASSERT_EQ(sum, 0x2191a5124c7eff6du);
    random_bits random(5);
    two_builds unit(architecture::blackhole);
    for (unsigned mod = 2; mod < 16; ++mod) // those above 2 are reserved and do the same
        for (std::uint32_t upper = 0; upper < 0x10000;
             upper += static_cast<std::uint32_t>(8 * stride(mod == 2 ? 1 : 7))) {
            lanes vc;
            for (unsigned n = 0; n < lane_count; ++n)
                vc[n] = ((upper + n % 8) & 0xffffu) << 16 | (n < 8    ? 0u
                                                             : n < 16 ? 0xffffu
                                                                      : random.next() >> 16);
            unit.set(1, vc);
            unit.execute(word::imm12(0x99, 2, 1, 3, mod));
            unit.expect(3, [&](unsigned n) { return exact_exponential(steps, vc[n]); });
            if (HasFatalFailure()) return;
        }
}

TEST(exact_divide_by_power, is_that_of_every_exponent_and_immediate) {
    random_bits random(6);
    for (const architecture arch : both)
        for (unsigned mod = 0; mod < 2; ++mod) {
            two_builds unit(arch);
            for (unsigned immediate = 0; immediate < 256; ++immediate)
                for (std::uint32_t high = 0; high < 512;
                     high += static_cast<std::uint32_t>(lane_count * stride(1))) {
                    lanes vc;
                    for (unsigned n = 0; n < lane_count; ++n)
                        vc[n] = ((high + n) & 511u) << 23 |
                                (operands()[random.next() % operands().size()] & 0x7fffffu);
                    unit.set(1, vc);
                    unit.execute(word::imm12(opcode::sfpdivp2, static_cast<int>(immediate), 1, 2, mod));
                    unit.expect(
                        2, [&](unsigned n) { return exact_divide_by_power(mod == 1, immediate, vc[n]); });
                    if (HasFatalFailure()) return;
                }
        }
}

TEST(exact_multiply_24, is_that_of_every_exponent_of_the_addend) {
    random_bits random(7);
    two_builds unit(architecture::blackhole);
    for (unsigned mod = 0; mod < 2; ++mod)
        each_vector(1, random, [&](const lanes& addends) {
            const lanes vc = random.below(4) == 0 ? broadcast(0) : addends;
            const lanes va = random_operands(random), vb = random_operands(random);
            unit.set(1, va);
            unit.set(2, vb);
            unit.set(3, vc);
            unit.execute(word::abc(0x98, 1, 2, 3, 4, mod));
            unit.expect(4, [&](unsigned n) { return exact_multiply_24(mod == 1, va[n], vb[n], vc[n]); });
        });
}

/// L0 to L6 with entries that hold each number of 16 bits, in all segments: |L3| at, beside and between their
/// bounds.
class tables {
public:
    explicit tables(random_bits& random) : random_(random) {}
    void fill(std::uint32_t first) {
        static constexpr std::uint32_t bounds[] = {0x3f000000, 0x3f800000, 0x3fc00000,
                                                   0x40000000, 0x40400000, 0x40800000};
        for (unsigned n = 0; n < lane_count; ++n) {
            const std::uint32_t entry = (first + n) & 0xffffu;
            for (const unsigned r : {0u, 1u, 2u, 4u, 5u, 6u})
                registers_[r][n] = random_.below(2) ? entry << 16 | random_.next() >> 16
                                                    : entry | (random_.next() & 0xffff0000u);
            registers_[3][n] = (random_.next() & sign_bit) |
                               (random_.below(4) ? bounds[random_.below(6)] + random_.below(3) - 1
                                                 : operands()[random_.next() % operands().size()]);
        }
    }
    void put_into(two_builds& unit) const {
        for (unsigned r = 0; r < 7; ++r) unit.set(r, registers_[r]);
    }
    std::array<std::uint32_t, 7> lane(unsigned n) const {
        std::array<std::uint32_t, 7> values{};
        for (unsigned r = 0; r < 7; ++r) values[r] = registers_[r][n];
        return values;
    }

private:
    random_bits& random_;
    lanes registers_[7];
};

TEST(exact_lut, is_that_of_every_pair_of_coefficients) {
    random_bits random(8);
    tables table(random);
    for (const architecture arch : both)
        for (const unsigned mod : {0u, 4u}) {
            two_builds unit(arch);
            for (std::uint32_t entry = 0; entry < 0x10000;
                 entry += static_cast<std::uint32_t>(lane_count * stride(1))) {
                table.fill(entry);
                table.put_into(unit);
                unit.execute(0x73500000u | mod << 16); // VD is L5
                unit.expect(5, [&](unsigned n) { return exact_lut(mod, table.lane(n), arch); });
                if (HasFatalFailure()) return;
            }
        }
}

TEST(exact_lut_fp32, is_that_of_every_coefficient_of_16_bits_and_of_boundary_ones_of_32) {
    random_bits random(9);
    tables table(random);
    for (const architecture arch : both)
        for (unsigned mod = 0; mod < 16; ++mod) {
            two_builds unit(arch);
            unit.set(7, broadcast(7)); // where modifiers from 8 on write
            for (std::uint32_t entry = 0; entry < 0x10000;
                 entry += static_cast<std::uint32_t>(lane_count * stride(1))) {
                table.fill(entry + random.below(lane_count));
                table.put_into(unit);
                const bool narrow = mod / 2 % 2 == 1;
                if (!narrow)
                    for (const unsigned r : {0u, 1u, 2u, 4u, 5u, 6u}) {
                        const lanes any = random_operands(random);
                        unit.set(r, any);
                    }
                std::array<std::array<std::uint32_t, 7>, lane_count> before{};
                for (unsigned n = 0; n < lane_count; ++n)
                    for (unsigned r = 0; r < 7; ++r) before[n][r] = unit.best().state.lreg[r][n];
                unit.set(7, broadcast(7));
                unit.execute(word::imm12(opcode::sfplutfp32, 0, 0, 7, mod));
                unit.expect(7, [&](unsigned n) { return exact_lut_fp32(mod, before[n], arch); });
                if (HasFatalFailure()) return;
            }
        }
}

/// SFPADD and SFPMUL are SFPMAD with a constant; their immediate forms take every upper half of a word.
TEST(exact_multiply_add, is_that_of_sums_products_and_immediates) {
    random_bits random(10);
    for (const architecture arch : both) {
        two_builds unit(arch);
        each_vector(1, random, [&](const lanes& a) {
            const lanes b = random_operands(random), c = random_operands(random);
            unit.set(1, a);
            unit.set(2, b);
            unit.set(3, c);
            unit.execute(word::abc(opcode::sfpadd, 10, 2, 3, 4, 0)); // L10 is one
            unit.expect(4, [&](unsigned n) { return exact_multiply_add(0x3f800000u, b[n], c[n], arch); });
            unit.execute(word::abc(opcode::sfpmul, 1, 2, 9, 4, 0)); // L9 is zero
            unit.expect(4, [&](unsigned n) { return exact_multiply_add(a[n], b[n], 0, arch); });
            unit.execute(word::abc(opcode::sfpmad, 1, 2, 3, 4, 0));
            unit.expect(4, [&](unsigned n) { return exact_multiply_add(a[n], b[n], c[n], arch); });
        });
        for (std::uint32_t immediate = 0; immediate < 0x10000;
             immediate += static_cast<std::uint32_t>(stride(1))) {
            const std::uint32_t x = immediate << 16;
            const lanes d = random_operands(random);
            unit.set(5, d);
            unit.execute(word::imm16(opcode::sfpaddi, immediate, 5, 0));
            unit.expect(5, [&](unsigned n) { return exact_multiply_add(x, 0x3f800000u, d[n], arch); });
            unit.set(5, d);
            unit.execute(word::imm16(opcode::sfpmuli, immediate, 5, 0));
            unit.expect(5, [&](unsigned n) { return exact_multiply_add(x, d[n], 0, arch); });
            if (HasFatalFailure()) return;
        }
    }
}

TEST(exact_order, is_that_of_swaps_in_every_mode) {
    // The rows of eight lanes in which VD gets the smaller one, a bit for each.
    static constexpr unsigned minimum_in[] = {0, 15, 3, 5, 9, 1, 2, 4, 8, 0, 0, 0, 0, 0, 0, 0};
    random_bits random(11);
    for (const architecture arch : both)
        for (unsigned mod = 0; mod < 16; ++mod)
            for (const bool inverted : {false, true}) {
                two_builds unit(arch);
                for (unsigned column = 0; column < column_count; ++column)
                    unit.change([&](lane_machine& machine) {
                        machine.state.config.set_column(
                            column, inverted ? 1u << isa::lane_configuration::exchange_srcb_srcc : 0);
                    });
                each_vector(3, random, [&](const lanes& d) {
                    const lanes c = compared_with(d, random);
                    unit.set(1, c);
                    unit.set(2, d);
                    unit.execute(word::imm12(opcode::sfpswap, 0, 1, 2, mod));
                    const auto exchanged = [&](unsigned n) {
                        if (mod == 0) return true;
                        const bool minimum = minimum_in[mod] >> n / 8 & 1;
                        return exact_less(c[n], d[n]) == (minimum != inverted);
                    };
                    unit.expect(1, [&](unsigned n) { return exchanged(n) ? d[n] : c[n]; });
                    unit.expect(2, [&](unsigned n) { return exchanged(n) ? c[n] : d[n]; });
                });
            }
}

TEST(exact_order, is_that_of_comparisons) {
    random_bits random(12);
    two_builds unit(architecture::blackhole);
    each_vector(1, random, [&](const lanes& d) {
        const lanes c = compared_with(d, random);
        for (const bool greater : {false, true}) {
            unit.set(1, c);
            unit.set(2, d);
            unit.execute(word::imm12(greater ? opcode::sfpgt : opcode::sfple, 0, 1, 2, 9)); // VD and flags
            const auto holds = [&](unsigned n) { return exact_less(c[n], d[n]) == greater; };
            unit.expect(2, [&](unsigned n) { return holds(n) ? 0xffffffffu : 0u; });
            lane_mask flags = 0;
            for (unsigned n = 0; n < lane_count; ++n) flags |= lane_mask{holds(n)} << n;
            ASSERT_EQ(unit.best().state.flags, flags);
            ASSERT_EQ(unit.baseline().state.flags, flags);
        }
    });
}

/// SFPSETCC and the flags of SFPIADD: of integers in two's complement.
TEST(exact_order, is_that_of_comparisons_with_zero) {
    random_bits random(13);
    for (const architecture arch : both) {
        two_builds unit(arch);
        each_vector(1, random, [&](const lanes& c) {
            const lanes b = compared_with(c, random);
            const auto expect_flags = [&](const auto& holds) {
                lane_mask flags = 0;
                for (unsigned n = 0; n < lane_count; ++n) flags |= lane_mask{holds(n)} << n;
                ASSERT_EQ(unit.best().state.flags, flags);
                ASSERT_EQ(unit.baseline().state.flags, flags);
            };
            for (const unsigned mod : {0u, 2u, 4u, 6u}) {
                unit.set(1, c);
                unit.change([&](lane_machine& machine) {
                    machine.state.flags = machine.state.use_flags = all_lanes;
                });
                unit.execute(word::imm12(opcode::sfpsetcc, 0, 1, 0, mod));
                expect_flags([&](unsigned n) {
                    const bool zero = c[n] == 0, negative = c[n] >= sign_bit;
                    return (mod % 4 == 0 ? negative : !zero) != (mod >= 4);
                });
            }
            // c - b and c + b below zero, by integers that hold them before they wrap
            for (const unsigned mod : {0u, 2u}) {
                unit.set(1, c);
                unit.set(2, b);
                unit.change([&](lane_machine& machine) {
                    machine.state.flags = machine.state.use_flags = all_lanes;
                });
                unit.execute(word::imm12(opcode::sfpiadd, 0, 1, 2, mod));
                const auto sum = [&](unsigned n) {
                    const std::uint64_t wide =
                        mod == 2 ? (std::uint64_t{1} << 32) + c[n] - b[n] : std::uint64_t{c[n]} + b[n];
                    return static_cast<std::uint32_t>(wide % (std::uint64_t{1} << 32));
                };
                unit.expect(2, sum);
                expect_flags([&](unsigned n) { return sum(n) >= sign_bit; });
            }
            unit.change([&](lane_machine& machine) { machine.state.flags = machine.state.use_flags = 0; });
        });
    }
}

class exact_dst : public testing::TestWithParam<std::tuple<architecture, unsigned>> {};

/// Every cell of 16 bits; wide ones with all exponents.
TEST_P(exact_dst, loads_every_cell) {
    const architecture arch = std::get<0>(GetParam());
    const unsigned mode = std::get<1>(GetParam());
    const bool wide = exact_load_is_wide(mode);
    random_bits random(14);
    two_builds unit(arch);
    for (const bool infinity : {false, true}) {
        for (unsigned column = 0; column < column_count; ++column)
            unit.change([&](lane_machine& machine) { machine.state.config.set_column(column, infinity); });
        const auto check = [&](const lanes& cells) {
            const lanes old = random_operands(random);
            unit.set(3, old);
            unit.change([&](lane_machine& machine) {
                for (unsigned n = 0; n < lane_count; ++n)
                    machine.set_cell(8 + n / 8, n % 8 * 2, wide, cells[n]);
            });
            unit.execute(word::dst(0x70, 3, mode, 8, 0, arch));
            unit.expect(3, [&](unsigned n) { return exact_load(mode, cells[n], old[n], infinity, arch); });
        };
        if (wide) {
            each_vector(1, random, check);
            continue;
        }
        for (std::uint32_t first = 0; first < 0x10000;
             first += static_cast<std::uint32_t>(lane_count * stride(1))) {
            lanes cells;
            for (unsigned n = 0; n < lane_count; ++n) cells[n] = (first + n) & 0xffffu;
            ASSERT_NO_FATAL_FAILURE(check(cells));
        }
    }
}

TEST_P(exact_dst, stores_every_exponent) {
    const architecture arch = std::get<0>(GetParam());
    const unsigned mode = std::get<1>(GetParam());
    const bool wide = exact_store_is_wide(mode);
    random_bits random(15);
    two_builds unit(arch);
    const auto check = [&](const lanes& values) {
        unit.set(3, values);
        unit.execute(word::dst(0x72, 3, mode, 8, 0, arch));
        for (unsigned n = 0; n < lane_count; ++n) {
            const std::uint32_t exact = exact_store(mode, values[n], arch);
            ASSERT_EQ(unit.best().cell(8 + n / 8, n % 8 * 2, wide), exact) << std::hex << values[n];
            ASSERT_EQ(unit.baseline().cell(8 + n / 8, n % 8 * 2, wide), exact) << std::hex << values[n];
        }
    };
    each_vector(1, random, check);
    for (std::uint32_t upper = 0; upper < 0x10000;
         upper += static_cast<std::uint32_t>(lane_count * stride(1))) {
        lanes values;
        for (unsigned n = 0; n < lane_count; ++n)
            values[n] = ((upper + n) & 0xffffu) << 16 | random.next() >> 16;
        ASSERT_NO_FATAL_FAILURE(check(values));
    }
}

INSTANTIATE_TEST_SUITE_P(every_mode, exact_dst,
                         testing::Combine(testing::ValuesIn(both), testing::Range(1u, 16u)));

} // namespace
} // namespace sfpu::test
