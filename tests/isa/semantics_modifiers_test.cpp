// Combinations of modifier bits: precedence of options, flags, indirect operands, rounding modes; and
// modifiers that have no meaning.
#include "chips.h"
#include "lane_machine.h"

#include <sfpu/isa/table.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <ios>

namespace sfpu::test {
namespace {

namespace opcode = isa::opcode;
namespace mode = isa::dst_mode;

/// Random registers and lane masks; VD of 12 and above executes.
lane_machine draw(architecture arch, random_bits& random) {
    lane_machine machine(arch);
    randomise(machine, random);
    machine.state.use_flags |= random.next();
    for (unsigned column = 0; column < column_count; ++column)
        machine.state.config.set_column(column, 1u << isa::lane_configuration::disable_backdoor_load);
    return machine;
}

bool in(lane_mask mask, unsigned lane) { return (mask >> lane & 1) != 0; }
bool negative(std::uint32_t x) { return x >= 0x80000000u; }
/// Order of sign-magnitude integers, -0 below +0.
std::int64_t rank(std::uint32_t x) {
    const std::int64_t magnitude = x & 0x7fffffffu;
    return negative(x) ? -magnitude - 1 : magnitude;
}

// --- loads, stores, nothing --------------------------------------------------------------------------------

TEST(macro_launch, loads_what_sfpload_loads_in_every_mode) {
    random_bits random(1);
    for (const architecture arch : both)
        for (unsigned m = 0; m < 16; ++m) {
            lane_machine load = draw(arch, random);
            for (unsigned row = 0; row < 32; ++row)
                for (std::uint16_t& cell : load.dst[row]) cell = static_cast<std::uint16_t>(random.next());
            lane_machine launch = load;
            // Bit 0 of the address is bit 2 of the register number; it does not reach the columns.
            load.execute(word::dst(opcode::sfpload, 6, m, 9, 0, arch));
            launch.execute(word::dst(opcode::sfploadmacro, 2, m, 9, 0, arch));
            ASSERT_EQ(difference(load, launch), "") << short_name(arch) << " mode " << m;
        }
}

TEST(store, in_16_bit_modes_keeps_the_documented_bits_of_any_register) {
    random_bits random(2);
    const auto expected = [](unsigned m, std::uint32_t x) -> std::uint32_t {
        const std::uint32_t sign = negative(x) ? 0x8000 : 0;
        switch (m) {
        case mode::bf16: // exponent below the mantissa, truncated, subnormals flushed
            return x / 0x800000 % 256 == 0 ? sign : sign + x / 0x10000 % 128 * 256 + x / 0x800000 % 256;
        case mode::int8: return sign + x % 1024 * 32 + 16;
        case mode::int16: return sign + x % 0x8000;
        case mode::hi16_only: return x / 0x10000;
        case mode::zero: return 0;
        default: return x % 0x10000;
        }
    };
    for (const architecture arch : both)
        for (const unsigned m : {mode::bf16, mode::int8, mode::uint16, mode::int16, mode::zero,
                                 mode::lo16_only, mode::hi16_only})
            for (unsigned n = 0; n < 100; ++n) {
                lane_machine machine = draw(arch, random);
                machine.state.use_flags = 0;
                for (unsigned row = 0; row < 4; ++row) machine.dst[row].fill(0xdead);
                machine.execute(word::dst(opcode::sfpstore, 4, m, 0, 0, arch));
                for (unsigned lane = 0; lane < lane_count; ++lane)
                    ASSERT_EQ(machine.dst[lane / 8][lane % 8 * 2], expected(m, machine.state.lreg[4][lane]))
                        << short_name(arch) << " mode " << m << std::hex << ' '
                        << machine.state.lreg[4][lane];
            }
}

TEST(undefined_modifiers, leave_everything_as_it_is) {
    random_bits random(3);
    unsigned count = 0;
    for (const architecture arch : both)
        for (unsigned mod = 0; mod < 16; ++mod)
            for (const std::uint32_t word :
                 {word::load_immediate(2, mod, 0x1234), word::abc(opcode::sfpshft2, 0, 1, 2, 3, mod)}) {
                if (isa::decode(word, arch).status != isa::definition::undefined) continue;
                const lane_machine before = draw(arch, random);
                lane_machine after = before;
                after.execute(word);
                EXPECT_EQ(difference(before, after), "") << std::hex << word;
                ++count;
            }
    EXPECT_EQ(count, 2 * (10u + 9u));
}

// --- multiply-add ------------------------------------------------------------------------------------------

/// Where each form of multiply instruction has VA and VD, so that one test serves all.
std::uint32_t multiply_word(unsigned op, unsigned va, unsigned vd, unsigned mod, architecture arch) {
    if (op == opcode::sfplut) return word::dst(op, vd, mod, 0, 0, arch);
    if (op == opcode::sfpmuli || op == opcode::sfpaddi) return word::imm16(op, 0x3fa5, vd, mod);
    if (op == opcode::sfplutfp32) return word::abc(op, 0, 0, 0, vd, mod);
    return word::abc(op, va, 2, op == opcode::sfpmul24 ? 9 : 3, vd, mod);
}

TEST(indirect_operands, are_named_by_l7_in_every_multiply_instruction) {
    constexpr unsigned multiply_opcodes[] = {opcode::sfplut,     opcode::sfpmuli, opcode::sfpaddi,
                                             opcode::sfpmad,     opcode::sfpadd,  opcode::sfpmul,
                                             opcode::sfplutfp32, opcode::sfpmul24};
    random_bits random(4);
    for (const architecture arch : both)
        for (const unsigned op : multiply_opcodes) {
            if (isa::find_row(static_cast<std::uint8_t>(op), arch) == nullptr) continue;
            const bool has_va = op == opcode::sfpmad || op == opcode::sfpadd || op == opcode::sfpmul ||
                                op == opcode::sfpmul24;
            for (unsigned mod = 0; mod < 16; ++mod) {
                if (op == opcode::sfplutfp32 && (mod & 2)) continue; // there bit 3 also selects the table
                const bool gathers = has_va && (mod & 4), scatters = mod & 8;
                const unsigned direct_mod = mod & ~8u & (has_va ? ~4u : ~0u);
                const lane_machine before = draw(arch, random);
                lanes direct[16]; // results in L5 with each register as VA
                for (unsigned va = 0; va < 16; ++va) {
                    lane_machine machine = before;
                    machine.execute(multiply_word(op, va, 5, direct_mod, arch));
                    direct[va] = machine.state.lreg[5];
                }
                lane_machine after = before;
                after.execute(multiply_word(op, 1, 5, mod, arch));
                for (unsigned lane = 0; lane < lane_count; ++lane) {
                    const unsigned named = before.state.lreg[7][lane] % 16;
                    for (unsigned r = 0; r < isa::lreg_count; ++r) {
                        const bool written = in(before.state.enabled(), lane) &&
                                             r == (scatters ? named : 5) && r < isa::general_lregs;
                        ASSERT_EQ(after.state.lreg[r][lane],
                                  written ? direct[gathers ? named : 1][lane] : before.state.lreg[r][lane])
                            << short_name(arch) << std::hex << " opcode " << op << " modifier " << mod << " L"
                            << r;
                    }
                }
            }
        }
}

// --- options of integer and field instructions -------------------------------------------------------------

unsigned leading_zeros(std::uint32_t x) {
    unsigned count = 32;
    for (; x != 0; x /= 2) --count;
    return count;
}

/// What an instruction that sets flags gives in one lane.
struct value_and_flag {
    std::uint32_t value;
    bool flag;
};
value_and_flag integer_result(unsigned op, unsigned mod, std::uint32_t c, std::uint32_t d, int imm,
                              bool flag) {
    if (op == opcode::sfpiadd) {
        const std::uint32_t sum = mod & 1 ? c + static_cast<std::uint32_t>(imm) : mod & 2 ? c - d : c + d;
        const bool set = mod & 4 ? flag : negative(sum);
        return {sum, mod & 8 ? !set : set};
    }
    if (op == opcode::sfpexexp) {
        const std::uint32_t exponent = c / 0x800000 % 256 - (mod & 1 ? 0 : 127);
        const bool set = mod & 2 ? negative(exponent) : flag;
        return {exponent, mod & 8 ? !set : set};
    }
    const std::uint32_t counted = mod & 4 ? c % 0x80000000u : c;
    const bool set = mod & 2 ? counted != 0 : flag;
    return {leading_zeros(counted), mod & 8 ? !set : set};
}

TEST(flag_options, of_integer_instructions_set_or_complement_the_flags) {
    random_bits random(5);
    for (const architecture arch : both)
        for (const unsigned op : {opcode::sfpiadd, opcode::sfpexexp, opcode::sfplz})
            for (unsigned mod = 0; mod < 16; ++mod)
                for (unsigned n = 0; n < 40; ++n) {
                    const lane_machine before = draw(arch, random);
                    lane_machine after = before;
                    const int imm = static_cast<int>(random.below(4096)) - 2048;
                    after.execute(word::imm12(op, imm, 1, 2, mod));
                    for (unsigned lane = 0; lane < lane_count; ++lane) {
                        const std::uint32_t c = before.state.lreg[1][lane], d = before.state.lreg[2][lane];
                        const bool flag = in(before.state.flags, lane);
                        const value_and_flag expected = in(before.state.enabled(), lane)
                                                            ? integer_result(op, mod, c, d, imm, flag)
                                                            : value_and_flag{d, flag};
                        ASSERT_EQ(after.state.lreg[2][lane], expected.value) << std::hex << op << ' ' << mod;
                        ASSERT_EQ(in(after.state.flags, lane), expected.flag) << std::hex << op << ' ' << mod;
                    }
                }
}

TEST(set_condition, gives_clear_precedence_over_the_immediate_and_that_over_a_comparison) {
    random_bits random(6);
    for (unsigned mod = 0; mod < 16; ++mod)
        for (unsigned n = 0; n < 40; ++n) {
            const lane_machine before = draw(both[n % 2], random);
            lane_machine after = before;
            const int imm = static_cast<int>(random.below(4));
            after.execute(word::imm12(opcode::sfpsetcc, imm, 1, 0, mod));
            for (unsigned lane = 0; lane < lane_count; ++lane) {
                const std::uint32_t c = before.state.lreg[1][lane];
                const bool comparison = mod == 0   ? negative(c)
                                        : mod == 2 ? c != 0
                                        : mod == 4 ? !negative(c)
                                                   : c == 0;
                const bool condition = mod & 8 ? false : mod & 1 ? imm % 2 != 0 : comparison;
                const bool expected = in(before.state.enabled(), lane)
                                          ? in(before.state.use_flags, lane) && condition
                                          : in(before.state.flags, lane);
                ASSERT_EQ(in(after.state.flags, lane), expected) << mod;
            }
        }
}

TEST(set_exponent, prefers_the_immediate) {
    random_bits random(7);
    for (const architecture arch : both) {
        lane_machine immediate = draw(arch, random), either = immediate;
        immediate.execute(word::imm12(opcode::sfpsetexp, 0x7e, 1, 2, 1));
        either.execute(word::imm12(opcode::sfpsetexp, 0x7e, 1, 2, 3));
        EXPECT_EQ(difference(immediate, either), "");
    }
}

TEST(move_from_special, heeds_neither_negation_nor_all_lanes) {
    random_bits random(14);
    for (const architecture arch : both)
        for (unsigned source = 0; source < 16; ++source)
            for (unsigned mod = 9; mod < 12; ++mod) {
                lane_machine plain = draw(arch, random);
                for (isa::macro_configuration& macro : plain.state.macro) {
                    macro.instruction_template[source & 3] = macro.sequence[source & 3] = random.next();
                    macro.misc = random.below(0x1000);
                }
                lane_machine other = plain;
                plain.execute(word::imm12(opcode::sfpmov, 0, source, 1, 8));
                other.execute(word::imm12(opcode::sfpmov, 0, source, 1, mod));
                ASSERT_EQ(difference(plain, other), "") << source << ' ' << mod;
            }
}

TEST(comparison_options, send_the_result_to_vd_the_flags_and_the_top_of_the_stack) {
    random_bits random(8);
    for (const unsigned op : {opcode::sfple, opcode::sfpgt})
        for (unsigned mod = 0; mod < 16; ++mod)
            for (unsigned n = 0; n < 40; ++n) {
                lane_machine before = draw(bh, random);
                const isa::flag_entry top{random.next(), random.next()};
                before.state.stack.push(top);
                lane_machine after = before;
                after.execute(word::imm12(op, 0, 1, 2, mod));
                for (unsigned lane = 0; lane < lane_count; ++lane) {
                    const std::uint32_t c = before.state.lreg[1][lane], d = before.state.lreg[2][lane];
                    const bool holds = (rank(d) > rank(c)) == (op == opcode::sfpgt);
                    const bool enabled = in(before.state.enabled(), lane), old = in(top.flags, lane);
                    const bool changed = mod & 4 ? old || holds : old && holds;
                    ASSERT_EQ(after.state.lreg[2][lane],
                              enabled && (mod & 8) ? (holds ? 0xffffffffu : 0u) : d);
                    ASSERT_EQ(in(after.state.flags, lane),
                              enabled && (mod & 1) ? holds : in(before.state.flags, lane));
                    ASSERT_EQ(in(after.state.stack.top().flags, lane), mod & 2 ? changed : old) << mod;
                }
                EXPECT_EQ(after.state.stack.top().use_flags, top.use_flags);
                EXPECT_EQ(after.state.use_flags, before.state.use_flags);
            }
}

TEST(register_use, of_stores_of_zero_and_of_comparisons_without_effect_is_empty) {
    for (const unsigned op : {opcode::sfple, opcode::sfpgt})
        for (unsigned mod = 0; mod < 16; ++mod) {
            const isa::instruction i = isa::decode(word::imm12(op, 0, 1, 2, mod), bh);
            EXPECT_EQ(unsigned{i.use.reads}, mod == 0 || mod == 4 ? 0u : 6u) << mod;
            EXPECT_EQ(i.use.seen_reads, i.use.reads);
            EXPECT_EQ(unsigned{i.use.writes}, mod & 8 ? 4u : 0u) << mod;
        }
    for (const architecture arch : both)
        for (unsigned m = 0; m < 16; ++m) {
            const isa::instruction i = isa::decode(word::dst(opcode::sfpstore, 3, m, 0, 0, arch), arch);
            EXPECT_EQ(unsigned{i.use.reads}, m == mode::zero ? 0u : 8u) << m;
            EXPECT_EQ(i.use.seen_reads, i.use.reads);
        }
}

// --- flag stack --------------------------------------------------------------------------------------------

TEST(enable_condition, takes_the_immediate_before_the_complement) {
    random_bits random(9);
    for (const architecture arch : both)
        for (unsigned mod = 0; mod < 16; ++mod)
            for (int imm = 0; imm < 4; ++imm) {
                lane_machine machine = draw(arch, random);
                const lane_mask use = machine.state.use_flags;
                machine.execute(word::imm12(opcode::sfpencc, imm, 0, 0, mod));
                const lane_mask from_immediate = imm & 1 ? all_lanes : 0;
                EXPECT_EQ(machine.state.use_flags, mod & 2 ? from_immediate : mod & 1 ? ~use : use) << mod;
                EXPECT_EQ(machine.state.flags, (mod & 8) && !(imm & 2) ? 0u : all_lanes) << mod;
            }
}

TEST(flag_constants, replace_the_flags_or_the_top_of_the_stack) {
    random_bits random(10);
    for (const architecture arch : both)
        for (unsigned mod = 13; mod < 16; ++mod) {
            lane_machine before = draw(arch, random);
            before.state.stack.push({random.next(), random.next()});
            const lane_mask flags = before.state.flags, use = before.state.use_flags;
            const lane_mask constant = mod == 14 ? all_lanes : 0;

            lane_machine pop = before;
            pop.execute(word::imm12(opcode::sfppopc, 0, 0, 0, mod));
            EXPECT_EQ(pop.state.flags, mod == 13 ? ~flags : constant);
            EXPECT_EQ(pop.state.use_flags, mod == 13 ? use : all_lanes);
            EXPECT_EQ(pop.state.stack.depth(), before.state.stack.depth());

            if (arch == wh) continue; // pushes whatever the modifier is
            lane_machine push = before;
            push.execute(word::imm12(opcode::sfppushc, 0, 0, 0, mod));
            EXPECT_EQ(push.state.flags, mod == 13 ? ~flags : flags);
            EXPECT_EQ(push.state.use_flags, use);
            EXPECT_EQ(push.state.stack.top().flags, mod == 13 ? ~flags : constant);
            EXPECT_EQ(push.state.stack.top().use_flags, mod == 13 ? use : all_lanes);
            EXPECT_EQ(push.state.stack.depth(), before.state.stack.depth());
        }
}

TEST(flag_stack, counts_its_storage_as_full_after_a_pop_of_nothing) {
    for (const architecture arch : both) {
        lane_machine machine(arch);
        machine.execute(word::imm12(opcode::sfppopc, 0, 0, 0, 0));
        EXPECT_EQ(machine.state.stack.depth(), 15u); // four bits wrap
        EXPECT_EQ(machine.state.stack.held(), isa::flag_stack::capacity);
        machine.execute(word::imm12(opcode::sfppushc, 0, 0, 0, 0));
        EXPECT_EQ(machine.state.stack.depth(), 0u);
    }
}

// --- rounding ----------------------------------------------------------------------------------------------

/// The page's definition: `up` says whether a fraction of 23 bits is rounded up, that is reaches the random
/// bits.
std::uint32_t rounded(unsigned mod, std::uint32_t c, unsigned shift, std::uint32_t random23) {
    const std::uint32_t exponent = c / 0x800000 % 256, sign = c & 0x80000000u, kind = mod & 7;
    if (kind <= 1) {
        if (exponent == 0) return 0;
        if (exponent == 255) return sign | 0x7f800000u;
        const std::uint32_t step = kind == 0 ? 1u << 13 : 1u << 16;
        return c / step * step + (c % step >= random23 / (0x800000 / step) ? step : 0);
    }
    const bool keeps_sign = kind & 1;
    const std::uint64_t limits[8] = {0, 0, 255, 127, 255, 127, 65535, 32767}, limit = limits[kind];
    std::uint64_t fixed = 0; // 23 bits behind the point
    if (kind == 4 || kind == 5) {
        fixed = (std::uint64_t{c & 0x7fffffffu} << 23) >> shift;
    } else {
        if (exponent < 126) return 0;
        if (exponent >= 143) return static_cast<std::uint32_t>(limit) | (keeps_sign ? sign : 0);
        const std::uint64_t mantissa = c % 0x800000 + 0x800000;
        fixed = exponent == 126 ? mantissa / 2 : mantissa << (exponent - 127);
    }
    std::uint64_t magnitude = fixed / 0x800000 + (fixed % 0x800000 >= random23 ? 1 : 0);
    if (magnitude > limit) magnitude = limit;
    return static_cast<std::uint32_t>(magnitude) | (keeps_sign && magnitude != 0 ? sign : 0);
}

TEST(rounding, follows_its_definition_in_every_modifier_and_rounding_mode) {
    random_bits random(11);
    for (const architecture arch : both)
        for (unsigned mod = 0; mod < 16; ++mod)
            for (unsigned mode_field = 0; mode_field < (arch == bh ? 3u : 2u); ++mode_field)
                for (unsigned n = 0; n < 40; ++n) {
                    const lane_machine before = draw(arch, random);
                    lane_machine after = before;
                    const unsigned imm = random.below(32);
                    after.execute(word::abc(opcode::sfpstochrnd, mode_field << 5 | imm, 3, 1, 2, mod));
                    for (unsigned lane = 0; lane < lane_count; ++lane) {
                        if (!in(before.state.enabled(), lane)) {
                            ASSERT_EQ(after.state.lreg[2][lane], before.state.lreg[2][lane]);
                            ASSERT_EQ(after.state.prng[lane], before.state.prng[lane]);
                            continue;
                        }
                        const std::uint32_t bits[3] = {0x400000, before.state.prng[lane] & 0x7fffffu,
                                                       0x7fffff};
                        const unsigned shift = mod & 8 ? imm : before.state.lreg[3][lane] % 32;
                        ASSERT_EQ(after.state.lreg[2][lane],
                                  rounded(mod, before.state.lreg[1][lane], shift, bits[mode_field]))
                            << short_name(arch) << " modifier " << mod << " rounding " << mode_field
                            << std::hex << ' ' << before.state.lreg[1][lane];
                        ASSERT_EQ(after.state.prng[lane], prng_next(before.state.prng[lane]));
                    }
                }
}

TEST(stochastic_cast, rounds_up_if_the_dropped_bits_exceed_the_random_ones) {
    random_bits random(12);
    for (const architecture arch : both)
        for (unsigned n = 0; n < 500; ++n) {
            lane_machine before = draw(arch, random);
            before.state.use_flags = 0;
            lane_machine after = before;
            after.execute(word::imm12(opcode::sfpcast, 0, 1, 2, 1));
            for (unsigned lane = 0; lane < lane_count; ++lane) {
                const std::uint32_t c = before.state.lreg[1][lane], prng = before.state.prng[lane];
                const std::uint64_t magnitude = c & 0x7fffffffu;
                unsigned top = 0;
                while (magnitude >> top > 1) ++top;
                // The mantissa with seven more bits; the result keeps 24 of the 31.
                const std::uint64_t wide = top > 30 ? magnitude >> (top - 30) : magnitude << (30 - top);
                const std::uint64_t up = wide % 128 > (prng >> 10) % 128 ? 1 : 0;
                const std::uint64_t number = (std::uint64_t{126} + top) * 0x800000 + wide / 128 + up;
                ASSERT_EQ(after.state.lreg[2][lane],
                          (c & 0x80000000u) | (magnitude == 0 ? 0 : static_cast<std::uint32_t>(number)))
                    << std::hex << c;
                ASSERT_EQ(after.state.prng[lane], prng_next(prng));
            }
        }
}

// --- the shuffle that Wormhole remembers -------------------------------------------------------------------

TEST(lane_shift, on_wormhole_remembers_rotations_with_vd_below_12_only) {
    random_bits random(13);
    for (const unsigned rotation : {2u, 3u}) {
        const lane_machine before = draw(wh, random);
        lane_machine after = before;
        after.state.use_flags = 0;
        after.execute(word::abc(opcode::sfpshft2, 0, 0, 6, 11, rotation)); // remembered
        after.execute(word::abc(opcode::sfpshft2, 0, 0, 5, 12, rotation)); // not, with the backdoor disabled
        isa::instruction scheduled = isa::decode(word::abc(opcode::sfpshft2, 0, 0, 4, 0, rotation), wh);
        scheduled.flags = isa::is_scheduled;
        scheduled.vd = isa::macro_lreg;
        isa::refresh(scheduled, wh);
        after.execute(scheduled); // nor a macro's into L16
        after.execute(word::abc(opcode::sfpshft2, 0, 0, 9, 7, 4));
        for (unsigned lane = 0; lane < lane_count; lane += 8)
            EXPECT_EQ(after.state.lreg[7][lane], before.state.lreg[6][lane + 7]);
    }
}

} // namespace
} // namespace sfpu::test
