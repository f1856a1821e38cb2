// Algebraic laws that hold whatever the encoding of the implementation: inverses, sorting, exact products,
// tables.
#include "chips.h"
#include "lane_machine.h"

#include <sfpu/isa/table.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <ios>
#include <vector>

namespace sfpu::test {
namespace {

lane_machine random_machine(architecture arch, random_bits& random) {
    lane_machine machine(arch);
    randomise(machine, random);
    machine.state.use_flags = 0; // every lane enabled
    return machine;
}

/// Order of sign-magnitude integers, -0 below +0, without the tricks of the implementation.
std::int64_t rank(std::uint32_t x) {
    const std::int64_t magnitude = x & 0x7fffffffu;
    return x >= 0x80000000u ? -magnitude - 1 : magnitude;
}

/// By mode of SFPSWAP, bit i: row i receives the minimum in VD. Modes from 9 on have none.
constexpr unsigned rows_with_minimum[16] = {0, 15, 3, 5, 9, 1, 2, 4, 8};

TEST(transpose, twice_is_the_identity) {
    random_bits random(1);
    for (const architecture arch : both) {
        const lane_machine before = random_machine(arch, random);
        lane_machine after = before;
        after.execute(word::imm12(0x8c, 0, 0, 0, 0));
        EXPECT_NE(difference(before, after), "");
        after.execute(word::imm12(0x8c, 0, 0, 0, 0));
        EXPECT_EQ(difference(before, after), "");
    }
}

TEST(transpose, puts_row_r_of_register_n_into_row_n_of_register_r) {
    random_bits random(2);
    const lane_machine before = random_machine(architecture::blackhole, random);
    lane_machine after = before;
    after.execute(word::imm12(0x8c, 0, 0, 0, 0));
    for (unsigned group : {0u, 4u})
        for (unsigned n = 0; n < 4; ++n)
            for (unsigned r = 0; r < 4; ++r)
                for (unsigned column = 0; column < column_count; ++column)
                    ASSERT_EQ(after.state.lreg[group + r][n * 8 + column],
                              before.state.lreg[group + n][r * 8 + column]);
}

TEST(swap, twice_without_comparison_is_the_identity) {
    random_bits random(3);
    for (const architecture arch : both) {
        const lane_machine before = random_machine(arch, random);
        lane_machine after = before;
        for (unsigned n = 0; n < 2; ++n) after.execute(word::imm12(0x92, 0, 3, 6, 0));
        EXPECT_EQ(difference(before, after), "");
    }
}

TEST(swap, leaves_the_smaller_value_in_vd_in_the_rows_that_the_mode_names) {
    random_bits random(4);
    for (unsigned n = 0; n < 600; ++n) {
        const unsigned mode = 1 + n % 15;
        const lane_machine before = random_machine(both[n % 2], random);
        lane_machine after = before;
        after.execute(word::imm12(0x92, 0, 1, 2, mode));
        for (unsigned lane = 0; lane < lane_count; ++lane) {
            const std::uint32_t c = before.state.lreg[1][lane], d = before.state.lreg[2][lane];
            const std::uint32_t smaller = rank(c) < rank(d) ? c : d, larger = rank(c) < rank(d) ? d : c;
            const bool minimum = rows_with_minimum[mode] >> (lane / 8) & 1;
            ASSERT_EQ(after.state.lreg[2][lane], minimum ? smaller : larger) << mode;
            ASSERT_EQ(after.state.lreg[1][lane], minimum ? larger : smaller) << mode;
        }
    }
}

TEST(swap, inverts_its_comparison_but_not_the_plain_exchange_under_exchange_srcb_srcc) {
    random_bits random(5);
    for (unsigned mode = 0; mode < 16; ++mode) {
        const lane_machine plain = random_machine(architecture::blackhole, random);
        lane_machine a = plain, b = plain;
        for (unsigned column = 0; column < column_count; ++column) b.state.config.set_column(column, 1u << 8);
        a.execute(word::imm12(0x92, 0, 1, 2, mode));
        b.execute(word::imm12(0x92, 0, 1, 2, mode));
        for (unsigned lane = 0; lane < lane_count; ++lane) {
            const unsigned other = mode == 0 ? 2 : 1;
            ASSERT_EQ(a.state.lreg[2][lane], b.state.lreg[other][lane]);
        }
    }
}

TEST(swap, moves_the_companions_in_l4_to_l7_along_when_they_hold_indices) {
    random_bits random(6);
    for (unsigned n = 0; n < 400; ++n) {
        const unsigned c = random.below(12), d = random.below(12), mode = random.below(10);
        const lane_machine before = random_machine(both[n % 2], random);
        lane_machine after = before;
        for (unsigned column = 0; column < column_count; ++column)
            after.state.config.set_column(column, 1u << 2);
        after.execute(word::imm12(0x92, 0, c, d, mode));
        for (unsigned lane = 0; lane < lane_count; ++lane) {
            const std::uint32_t vc = before.state.lreg[c][lane], vd = before.state.lreg[d][lane];
            const bool minimum = rows_with_minimum[mode] >> (lane / 8) & 1;
            const bool exchange =
                c != d && (mode == 0 || (minimum ? rank(vc) < rank(vd) : rank(vc) >= rank(vd)));
            for (unsigned r = 0; r < isa::general_lregs; ++r) {
                std::uint32_t expected = before.state.lreg[r][lane];
                if (exchange && r < 4 && r == c) expected = vd;
                if (exchange && r < 4 && r == d) expected = vc;
                if (exchange && r == 4 + (c & 3)) expected = before.state.lreg[4 + (d & 3)][lane];
                if (exchange && r == 4 + (d & 3)) expected = before.state.lreg[4 + (c & 3)][lane];
                ASSERT_EQ(after.state.lreg[r][lane], expected) << c << ' ' << d << ' ' << mode << " L" << r;
            }
        }
    }
}

TEST(comparison, is_less_or_equal_exactly_where_it_is_not_greater) {
    random_bits random(7);
    for (unsigned n = 0; n < 300; ++n) {
        const lane_machine before = random_machine(architecture::blackhole, random);
        lane_machine le = before, gt = before;
        le.execute(word::imm12(0x96, 0, 1, 2, 9));
        gt.execute(word::imm12(0x97, 0, 1, 2, 9));
        EXPECT_EQ(le.state.flags, ~gt.state.flags);
        for (unsigned lane = 0; lane < lane_count; ++lane) {
            const bool less_or_equal = rank(before.state.lreg[2][lane]) <= rank(before.state.lreg[1][lane]);
            ASSERT_EQ(le.state.lreg[2][lane], less_or_equal ? 0xffffffffu : 0u);
            ASSERT_EQ(gt.state.lreg[2][lane], less_or_equal ? 0u : 0xffffffffu);
            ASSERT_EQ(le.state.flags >> lane & 1, less_or_equal ? 1u : 0u);
        }
    }
}

TEST(comparison, changes_the_top_of_the_flag_stack_also_in_disabled_lanes) {
    random_bits random(8);
    for (unsigned n = 0; n < 200; ++n) {
        lane_machine machine(architecture::blackhole);
        randomise(machine, random);
        const isa::flag_entry top{random.next(), random.next()};
        machine.state.stack.push(top);
        const lanes c = machine.state.lreg[1], d = machine.state.lreg[2];
        const bool either = n % 2;
        machine.execute(word::imm12(0x97, 0, 1, 2, either ? 6 : 2));
        const isa::flag_entry now = machine.state.stack.top();
        EXPECT_EQ(now.use_flags, top.use_flags);
        for (unsigned lane = 0; lane < lane_count; ++lane) {
            const unsigned greater = rank(d[lane]) > rank(c[lane]), old = top.flags >> lane & 1;
            ASSERT_EQ(now.flags >> lane & 1, either ? old | greater : old & greater);
        }
    }
}

TEST(lane_rotation, eight_times_is_the_identity) {
    random_bits random(9);
    for (const architecture arch : both) {
        const lane_machine before = random_machine(arch, random);
        lane_machine after = before;
        for (unsigned n = 0; n < 8; ++n) {
            after.execute(word::abc(0x94, 0, 0, 5, 5, 3));
            for (unsigned lane = 0; lane < lane_count; ++lane)
                ASSERT_EQ(after.state.lreg[5][lane], before.state.lreg[5][lane / 8 * 8 + (lane + 7 - n) % 8]);
        }
    }
}

TEST(lane_shift, fills_with_zero_on_blackhole_and_with_the_latest_rotated_source_on_wormhole) {
    random_bits random(10);
    for (const architecture arch : both) {
        const lane_machine before = random_machine(arch, random);
        lane_machine after = before;
        after.execute(word::abc(0x94, 0, 0, 6, 9, 3)); // writes nothing, but remembers L6
        after.execute(word::abc(0x94, 0, 0, 1, 2, 4));
        for (unsigned lane = 0; lane < lane_count; ++lane) {
            const std::uint32_t first = arch == architecture::blackhole ? 0 : before.state.lreg[6][lane | 7];
            ASSERT_EQ(after.state.lreg[2][lane], lane % 8 == 0 ? first : before.state.lreg[1][lane - 1]);
        }
    }
}

TEST(copy4, moves_registers_down_and_fills_l3_as_its_mode_says) {
    random_bits random(11);
    for (unsigned mode = 0; mode < 3; ++mode)
        for (const architecture arch : both) {
            const lane_machine before = random_machine(arch, random);
            lane_machine after = before;
            after.execute(word::abc(0x94, 0, 0, 2, 7, mode));
            for (unsigned lane = 0; lane < lane_count; ++lane) {
                for (unsigned r = 0; r < 3; ++r)
                    ASSERT_EQ(after.state.lreg[r][lane], before.state.lreg[r + 1][lane]);
                const std::uint32_t chained = lane < 24 ? before.state.lreg[0][lane + 8] : 0;
                const std::uint32_t rotated = before.state.lreg[2][lane / 8 * 8 + (lane + 7) % 8];
                ASSERT_EQ(after.state.lreg[3][lane], mode == 0 ? 0 : mode == 1 ? chained : rotated);
            }
        }
}

TEST(flag_stack, pop_restores_what_push_saved) {
    random_bits random(12);
    for (const architecture arch : both)
        for (unsigned depth = 1; depth <= 8; ++depth) {
            lane_machine machine(arch);
            std::vector<isa::flag_entry> saved;
            for (unsigned n = 0; n < depth; ++n) {
                machine.state.flags = random.next();
                machine.state.use_flags = random.next();
                saved.push_back({machine.state.flags, machine.state.use_flags});
                machine.execute(word::imm12(0x87, 0, 0, 0, 0));
            }
            EXPECT_EQ(machine.state.stack.depth(), depth);
            for (unsigned n = depth; n-- > 0;) {
                machine.execute(word::imm12(0x88, 0, 0, 0, 0));
                EXPECT_EQ(machine.state.flags, saved[n].flags);
                EXPECT_EQ(machine.state.use_flags, saved[n].use_flags);
            }
            EXPECT_EQ(machine.reports(), 0u);
        }
}

TEST(flag_stack, reports_the_ninth_push_and_the_pop_of_nothing) {
    for (const architecture arch : both) {
        lane_machine machine(arch);
        for (unsigned n = 0; n < 8; ++n) machine.execute(word::imm12(0x87, 0, 0, 0, 0));
        EXPECT_EQ(machine.reports(), 0u);
        machine.execute(word::imm12(0x87, 0, 0, 0, 0));
        EXPECT_EQ(machine.reports(), std::uint32_t{isa::stack_overflow});
        lane_machine empty(arch);
        empty.state.flags = empty.state.use_flags = all_lanes;
        empty.execute(word::imm12(0x88, 0, 0, 0, 0));
        EXPECT_EQ(empty.reports(), std::uint32_t{isa::stack_underflow});
        EXPECT_EQ(empty.state.enabled(), all_lanes); // all lanes active, seed 001
    }
}

TEST(flag_stack, combines_flags_by_the_truth_table_of_the_modifier) {
    // Bit 2a + b of entry `mod` is the result for operands a and b.
    constexpr unsigned truth[16] = {0, 0xa, 0x5, 0x8, 0xe, 0x4, 0xd, 0x2, 0xb, 0x1, 0x7, 0x6, 0x9};
    random_bits random(13);
    for (const architecture arch : both)
        for (unsigned mod = 1; mod <= 12; ++mod) {
            const isa::flag_entry top{random.next(), random.next()};
            lane_machine machine(arch);
            machine.state.stack.push(top);
            const lane_mask flags = machine.state.flags = random.next(),
                            use = machine.state.use_flags = random.next();
            lane_machine pop = machine, push = machine;
            pop.execute(word::imm12(0x88, 0, 0, 0, mod)); // a: flags, b: top
            EXPECT_EQ(pop.state.use_flags, top.use_flags);
            for (unsigned lane = 0; lane < lane_count; ++lane)
                ASSERT_EQ(pop.state.flags >> lane & 1,
                          truth[mod] >> (2 * (flags >> lane & 1) + (top.flags >> lane & 1)) & 1);
            if (arch == architecture::wormhole) continue;  // pushes whatever the modifier is
            push.execute(word::imm12(0x87, 0, 0, 0, mod)); // a: top, b: flags
            EXPECT_EQ(push.state.stack.depth(), 1u);
            EXPECT_EQ(push.state.stack.top().use_flags, use);
            for (unsigned lane = 0; lane < lane_count; ++lane)
                ASSERT_EQ(push.state.stack.top().flags >> lane & 1,
                          truth[mod] >> (2 * (top.flags >> lane & 1) + (flags >> lane & 1)) & 1);
        }
}

TEST(flag_stack, loses_its_bottom_to_a_peek_when_full_on_wormhole_only) {
    for (const architecture arch : both) {
        lane_machine machine(arch);
        for (unsigned n = 0; n < 8; ++n) machine.state.stack.push({n + 1, 0});
        machine.execute(word::imm12(0x88, 0, 0, 0, 3));
        EXPECT_EQ(machine.state.stack.from_bottom(0).flags, arch == architecture::wormhole ? 8u : 1u);
        EXPECT_EQ(machine.state.stack.depth(), 8u);
    }
}

TEST(integer_multiply, lower_and_upper_halves_recombine_to_the_exact_product) {
    random_bits random(14);
    for (unsigned n = 0; n < 3000; ++n) {
        lane_machine machine = random_machine(architecture::blackhole, random);
        const lanes a = machine.state.lreg[1], b = machine.state.lreg[2];
        machine.execute(word::abc(0x98, 1, 2, 9, 3, 0));
        machine.execute(word::abc(0x98, 1, 2, 9, 4, 1));
        for (unsigned lane = 0; lane < lane_count; ++lane) {
            const std::uint64_t product = std::uint64_t{a[lane] & 0x7fffffu} * (b[lane] & 0x7fffffu);
            ASSERT_EQ(std::uint64_t{machine.state.lreg[4][lane]} << 23 | machine.state.lreg[3][lane],
                      product);
        }
    }
}

TEST(integer_multiply, adds_a_shifted_vc_as_the_documentation_describes_if_vc_is_not_zero) {
    random_bits random(15);
    for (unsigned n = 0; n < 2000; ++n) {
        lane_machine machine = random_machine(architecture::blackhole, random);
        const lanes a = machine.state.lreg[1], b = machine.state.lreg[2], c = machine.state.lreg[3];
        machine.execute(word::abc(0x98, 1, 2, 3, 4, n % 2));
        for (unsigned lane = 0; lane < lane_count; ++lane) {
            const std::uint64_t product = std::uint64_t{a[lane] & 0x7fffffu} * (b[lane] & 0x7fffffu);
            std::uint64_t expected = n % 2 ? product >> 23 : product & 0x7fffffu;
            const unsigned exponent = c[lane] >> 23 & 255;
            if (exponent != 0) {
                // The addend, three bits up, moves down to the exponent 129; shift distances count modulo 32.
                const std::uint64_t addend = std::uint64_t{0x800000u | (c[lane] & 0x7fffffu)} * 8;
                const unsigned down = exponent < 129 ? (129 - exponent) % 32 : 0;
                expected >>= exponent > 129 ? (exponent - 129) % 32 : 0;
                if (addend >> down != 0) {
                    const bool carry = addend % (1ull << down) > 0xffff;
                    expected = (expected + (addend >> down) + (carry ? 0x10000 : 0)) & 0x7fffffu;
                }
            }
            ASSERT_EQ(machine.state.lreg[4][lane], expected) << std::hex << c[lane];
        }
    }
}

/// x shifted by `amount`, left if positive, distance modulo 32.
std::uint32_t shifted(std::uint32_t x, std::int64_t amount, bool arithmetic) {
    if (amount >= 0) return static_cast<std::uint32_t>(std::uint64_t{x} << (amount % 32));
    const std::int64_t value = arithmetic ? static_cast<std::int32_t>(x) : std::int64_t{x};
    const std::int64_t divisor = std::int64_t{1} << (-amount % 32);
    const std::int64_t quotient = value / divisor - (value % divisor < 0 ? 1 : 0); // rounds down
    return static_cast<std::uint32_t>(quotient);
}

TEST(shift, divides_or_multiplies_by_a_power_of_two) {
    random_bits random(16);
    for (unsigned n = 0; n < 4000; ++n) {
        const architecture arch = both[n % 2];
        const bool blackhole = arch == architecture::blackhole;
        lane_machine machine = random_machine(arch, random);
        const lanes c = machine.state.lreg[1], d = machine.state.lreg[2];
        const int imm = static_cast<int>(random.below(4096)) - 2048;
        const unsigned mod = random.below(16);
        machine.execute(word::imm12(0x7a, imm, 1, 2, mod));
        for (unsigned lane = 0; lane < lane_count; ++lane) {
            const std::uint32_t value = blackhole && (mod & 5) == 5 ? c[lane] : d[lane];
            const std::int64_t amount = mod & 1 ? imm : static_cast<std::int32_t>(c[lane]);
            ASSERT_EQ(machine.state.lreg[2][lane], shifted(value, amount, blackhole && (mod & 2)))
                << mod << ' ' << amount;
        }
    }
}

TEST(shift, of_the_round_unit_takes_vb_and_an_amount_from_vc_or_the_immediate) {
    random_bits random(17);
    for (unsigned n = 0; n < 1000; ++n) {
        lane_machine machine = random_machine(both[n % 2], random);
        const unsigned b = random.below(8);
        const int imm = (static_cast<int>(random.below(256)) - 128) * 16 + static_cast<int>(b);
        const lanes source = machine.state.lreg[b], c = machine.state.lreg[1];
        machine.execute(n / 2 % 2 ? word::imm12(0x94, imm, 0, 2, 6) : word::abc(0x94, 0, b, 1, 2, 5));
        for (unsigned lane = 0; lane < lane_count; ++lane)
            ASSERT_EQ(machine.state.lreg[2][lane],
                      shifted(source[lane], n / 2 % 2 ? imm : static_cast<std::int32_t>(c[lane]), false));
    }
}

} // namespace
} // namespace sfpu::test
