// SFPCONFIG, the bits of LaneConfig, reading configuration back, and the template backdoor.
#include "chips.h"
#include "lane_machine.h"

#include <sfpu/isa/table.h>

#include <gtest/gtest.h>

#include <cstdint>

namespace sfpu::test {
namespace {

constexpr unsigned lane_config = 15, misc = 8;
constexpr std::uint32_t sfpconfig(unsigned destination, unsigned mod, unsigned imm = 0) {
    return word::imm16(0x91, imm, destination, mod);
}

lane_machine random_machine(architecture arch, random_bits& random) {
    lane_machine machine(arch);
    randomise(machine, random);
    machine.state.use_flags = 0;
    return machine;
}
void configure(lane_machine& machine, std::uint32_t value) {
    for (unsigned column = 0; column < column_count; ++column) machine.state.config.set_column(column, value);
}

TEST(configuration, broadcasts_the_first_eight_lanes_of_l0_to_a_constant) {
    random_bits random(1);
    for (const architecture arch : both)
        for (unsigned r = 11; r <= 14; ++r) {
            lane_machine machine = random_machine(arch, random);
            machine.execute(sfpconfig(r, 0));
            for (unsigned lane = 0; lane < lane_count; ++lane)
                EXPECT_EQ(machine.state.lreg[r][lane], machine.state.lreg[0][lane % 8]);
        }
}

TEST(configuration, gives_constants_their_defaults_by_immediate) {
    constexpr std::uint32_t defaults[] = {0xbf800000, 0x3b000000, 0xbf2cc4c7, 0xbeb08ff9};
    for (const architecture arch : both)
        for (unsigned n = 0; n < 4; ++n) {
            lane_machine machine(arch);
            machine.state.lreg[11 + n] = broadcast(1);
            machine.execute(sfpconfig(11 + n, 1, 0x1234));
            EXPECT_EQ(machine.state.lreg[11 + n][31], defaults[n]);
        }
}

TEST(configuration, writes_templates_from_l0_only_and_sequences_from_l0_or_the_immediate) {
    random_bits random(2);
    for (unsigned mod = 0; mod < 2; ++mod)
        for (unsigned destination = 0; destination < 8; ++destination) {
            lane_machine machine = random_machine(architecture::blackhole, random);
            machine.execute(sfpconfig(destination, mod, 0xbeef));
            for (unsigned column = 0; column < column_count; ++column) {
                const isa::macro_configuration& macro = machine.state.macro[column];
                if (destination < 4)
                    EXPECT_EQ(macro.instruction_template[destination], machine.state.lreg[0][column]);
                else
                    EXPECT_EQ(macro.sequence[destination - 4], mod ? 0xbeefu : machine.state.lreg[0][column]);
            }
        }
}

/// The bitwise operation that bits 2:1 of the modifier select.
std::uint32_t combined(unsigned mod, std::uint32_t old, std::uint32_t value) {
    const unsigned operation = mod / 2 % 4;
    return operation == 0 ? value : operation == 1 ? old | value : operation == 2 ? old & value : old ^ value;
}

TEST(configuration, replaces_or_combines_twelve_bits_of_misc) {
    random_bits random(3);
    for (unsigned n = 0; n < 400; ++n) {
        lane_machine machine = random_machine(both[n % 2], random);
        const std::uint32_t old = random.below(0x1000), imm = random.below(0x10000);
        for (isa::macro_configuration& macro : machine.state.macro) macro.misc = old;
        const unsigned mod = n / 2 % 8;
        machine.execute(sfpconfig(misc, mod, imm));
        for (unsigned column = 0; column < column_count; ++column) {
            const std::uint32_t value = mod & 1 ? imm : machine.state.lreg[0][column];
            ASSERT_EQ(machine.state.macro[column].misc, combined(mod, old, value) % 0x1000) << mod;
        }
    }
}

TEST(configuration, replaces_or_combines_eighteen_bits_of_the_lane_configuration) {
    random_bits random(4);
    for (unsigned n = 0; n < 400; ++n) {
        lane_machine machine = random_machine(both[n % 2], random);
        const std::uint32_t old = random.below(0x40000), imm = random.below(0x10000);
        configure(machine, old);
        const unsigned mod = n / 2 % 8;
        machine.execute(sfpconfig(lane_config, mod, imm));
        for (unsigned column = 0; column < column_count; ++column) {
            // The immediate does not reach the two upper bits.
            const std::uint32_t expected = mod & 1
                                               ? combined(mod, old, imm) % 0x10000 + old / 0x10000 * 0x10000
                                               : combined(mod, old, machine.state.lreg[0][column]) % 0x40000;
            ASSERT_EQ(machine.state.config.column(column), expected) << mod;
        }
    }
}

TEST(configuration, by_lane_mask_writes_the_columns_of_the_even_bits_of_the_immediate) {
    random_bits random(5);
    for (unsigned n = 0; n < 100; ++n) {
        lane_machine machine = random_machine(both[n % 2], random);
        const std::uint32_t imm = random.below(0x10000);
        machine.execute(sfpconfig(12, 8, imm));
        for (unsigned lane = 0; lane < lane_count; ++lane)
            ASSERT_EQ(machine.state.lreg[12][lane],
                      imm >> (lane % 8 * 2) & 1 ? machine.state.lreg[0][lane % 8] : 0x3b000000u);
    }
}

TEST(configuration, is_gated_by_the_flags_of_the_first_eight_lanes_and_not_by_the_row_mask) {
    random_bits random(6);
    for (unsigned n = 0; n < 100; ++n) {
        lane_machine machine = random_machine(both[n % 2], random);
        machine.state.use_flags = random.next();
        configure(machine, 0xf000);
        machine.execute(sfpconfig(12, 0));
        const lane_mask open = machine.state.flags | ~machine.state.use_flags;
        for (unsigned lane = 0; lane < lane_count; ++lane)
            ASSERT_EQ(machine.state.lreg[12][lane],
                      open >> (lane % 8) & 1 ? machine.state.lreg[0][lane % 8] : 0x3b000000u);
    }
}

TEST(configuration, to_destinations_nine_and_ten_does_nothing) {
    random_bits random(7);
    for (const unsigned destination : {9u, 10u})
        for (unsigned mod = 0; mod < 16; ++mod) {
            const lane_machine before = random_machine(architecture::blackhole, random);
            lane_machine after = before;
            after.execute(sfpconfig(destination, mod, 0x5555));
            EXPECT_EQ(difference(before, after), "");
        }
}

TEST(configuration, counts_every_write_of_the_macro_configuration) {
    for (unsigned destination = 0; destination <= 8; ++destination) {
        lane_machine machine(architecture::blackhole);
        const std::uint64_t before = machine.state.macro_version;
        machine.execute(sfpconfig(destination, 0));
        EXPECT_NE(machine.state.macro_version, before) << destination;
    }
}

/// What SFPCONFIG does to one column, said once more.
void configure_column(isa::vector_state& s, unsigned column, unsigned destination, unsigned mod,
                      std::uint32_t imm) {
    if ((mod & 8) && !(imm >> (2 * column) & 1)) return;
    if (s.use_flags >> column & ~(s.flags >> column) & 1) return;
    const std::uint32_t given = s.lreg[0][column], value = (mod & 1) ? imm : given;
    const auto combined_with = [&](std::uint32_t old, std::uint32_t bits) {
        const unsigned how = mod >> 1 & 3;
        const std::uint32_t all = how == 0   ? value
                                  : how == 1 ? old | value
                                  : how == 2 ? old & value
                                             : old ^ value;
        const std::uint32_t reached = (mod & 1) ? bits & 0xffff : bits;
        return (all & reached) | (old & bits & ~reached);
    };
    isa::macro_configuration& macro = s.macro[column];
    if (destination < 4) macro.instruction_template[destination] = given;
    else if (destination < 8) macro.sequence[destination - 4] = value;
    else if (destination == 8) macro.misc = combined_with(macro.misc, 0xfff);
    else if (destination == 15) s.config.set_column(column, combined_with(s.config.column(column), 0x3ffff));
    if (destination < 11 || destination == 15) return;
    constexpr std::uint32_t defaults[4] = {isa::lreg11_default, 0x3b000000, isa::lreg13_default,
                                           isa::lreg14_default};
    for (unsigned lane = column; lane < lane_count; lane += 8)
        s.lreg[destination].v[lane] = (mod & 1) ? defaults[destination - 11] : given;
}

TEST(configuration, does_to_every_column_what_it_does_to_one) {
    random_bits random(8);
    for (unsigned n = 0; n < case_count(4000); ++n) {
        const unsigned destination = n % 16, mod = n / 16 % 16;
        const std::uint32_t imm = random.below(0x10000);
        lane_machine machine = random_machine(both[n / 256 % 2], random);
        if (n / 512 % 2) machine.state.use_flags = random.next();
        for (unsigned column = 0; column < column_count; ++column) {
            machine.state.macro[column].misc = random.below(0x1000);
            machine.state.config.set_column(column, random.below(0x40000));
        }
        lane_machine expected = machine;
        for (unsigned column = 0; column < column_count; ++column)
            configure_column(expected.state, column, destination, mod, imm);
        machine.execute(sfpconfig(destination, mod, imm));
        ASSERT_EQ(difference(expected, machine), "") << "destination " << destination << ", mod " << mod;
        for (unsigned column = 0; column < column_count; ++column) {
            ASSERT_EQ(expected.state.macro[column], machine.state.macro[column]) << destination << ' ' << mod;
            ASSERT_EQ(expected.state.config.column(column), machine.state.config.column(column)) << mod;
        }
    }
}

// --- machines larger than the chips (docs/exploration.md)

/// A machine with eight macros and templates whose sequences are half-words.
isa::word_encoding largest_words() {
    isa::word_encoding words = architecture::blackhole;
    words.macros = words.templates = 8;
    words.delay_bits = 5;
    return words;
}

TEST(larger_machine, takes_the_index_of_templates_and_halves_of_sequences_from_the_immediate) {
    random_bits random(11);
    for (unsigned destination = 0; destination < 8; ++destination)
        for (unsigned index = 0; index < 6; ++index) {
            lane_machine machine(largest_words());
            machine.state.lreg[0] = broadcast(random.next() & 0xdf0fdf0fu); // all bits of two half-words
            const std::uint32_t given = machine.state.lreg[0][0];
            machine.execute(sfpconfig(destination, 0, index));
            isa::macro_configuration expected;
            const unsigned number = destination % 4 + (index & 1) * 4, half = index >> 1;
            if (destination < 4) expected.instruction_template[number] = given;
            else if (half == 1) expected.sequence[number] = given;
            else if (half == 2) expected.sequence_upper[number] = given;
            else { // bytes, each of which becomes a half-word
                const auto pair = [&](unsigned byte) {
                    return isa::half_word_of(static_cast<std::uint8_t>(given >> 8 * byte)) |
                           std::uint32_t{
                               isa::half_word_of(static_cast<std::uint8_t>(given >> (8 * byte + 8)))}
                               << 16;
                };
                expected.sequence[number] = pair(0);
                expected.sequence_upper[number] = pair(2);
            }
            for (const isa::macro_configuration& column : machine.state.macro)
                ASSERT_TRUE(column == expected) << destination << ' ' << index;
            machine.execute(
                word::imm12(0x7c, static_cast<int>(index), destination, 1, 8)); // SFPMOV reads it back
            ASSERT_EQ(machine.state.lreg[1][31], given) << destination << ' ' << index;
        }
}

TEST(larger_machine, extends_nothing_where_the_immediate_is_value_or_mask) {
    lane_machine machine(largest_words());
    machine.state.lreg[0] = broadcast(0x84123450);
    machine.execute(sfpconfig(0, 8, 0xffff)); // a lane mask
    machine.execute(sfpconfig(5, 1, 0x1d));   // a value: SEQUENCE1, Simple
    for (const isa::macro_configuration& column : machine.state.macro) {
        EXPECT_EQ(column.instruction_template[0], 0x84123450u);
        EXPECT_EQ(column.instruction_template[4], 0u);
        EXPECT_EQ(column.sequence[1], 0x0305u); // template 1 after 3
        EXPECT_EQ(column.sequence[5], 0u);
    }
}

TEST(larger_machine, has_twenty_bits_of_misc_of_which_the_immediate_reaches_sixteen) {
    lane_machine machine(largest_words());
    machine.state.lreg[0] = broadcast(0xfffabcde);
    machine.execute(sfpconfig(misc, 0));
    EXPECT_EQ(machine.state.macro[7].misc, 0xabcdeu);
    machine.execute(sfpconfig(misc, 1, 0x1234));
    EXPECT_EQ(machine.state.macro[7].misc, 0xa1234u);
}

TEST(chip, knows_no_index_in_the_immediate) {
    for (const architecture arch : both)
        for (unsigned destination = 0; destination < 8; ++destination) {
            lane_machine with(arch), without(arch);
            with.state.lreg[0] = without.state.lreg[0] = broadcast(0x84123450);
            with.execute(sfpconfig(destination, 0, 5));
            without.execute(sfpconfig(destination, 0, 0));
            EXPECT_TRUE(with.state.macro[0] == without.state.macro[0]);
        }
}

TEST(move_from_special, reads_back_what_was_configured) {
    random_bits random(8);
    for (const architecture arch : both) {
        lane_machine machine = random_machine(arch, random);
        for (unsigned column = 0; column < column_count; ++column) {
            for (unsigned n = 0; n < 4; ++n) {
                machine.state.macro[column].instruction_template[n] = random.next();
                machine.state.macro[column].sequence[n] = random.next();
            }
            machine.state.macro[column].misc = random.below(0x1000);
            machine.state.config.set_column(column, random.below(0x1000));
        }
        for (unsigned source = 0; source < 16; ++source) {
            if (source == 9) continue;
            machine.execute(word::imm12(0x7c, 0, source, 1, 8));
            for (unsigned lane = 0; lane < lane_count; ++lane) {
                const isa::macro_configuration& macro = machine.state.macro[lane % 8];
                const std::uint32_t expected = source < 4     ? macro.instruction_template[source]
                                               : source < 8   ? macro.sequence[source - 4]
                                               : source == 8  ? macro.misc
                                               : source == 15 ? machine.state.config.column(lane % 8)
                                                              : 0u;
                ASSERT_EQ(machine.state.lreg[1][lane], expected) << source;
            }
        }
    }
}

TEST(move_from_special, returns_the_random_bits_and_steps_the_shift_register_in_enabled_lanes) {
    random_bits random(9);
    for (unsigned n = 0; n < 100; ++n) {
        lane_machine machine(both[n % 2]);
        randomise(machine, random);
        const lanes before = machine.state.prng, old = machine.state.lreg[1];
        machine.execute(word::imm12(0x7c, 0, 9, 1, 8));
        for (unsigned lane = 0; lane < lane_count; ++lane) {
            const bool enabled = machine.state.enabled() >> lane & 1;
            unsigned ones = 0; // feedback: the inverted parity of bits 0, 1, 21 and 31
            for (const unsigned bit : {0u, 1u, 21u, 31u}) ones += before[lane] >> bit & 1;
            const std::uint32_t next = before[lane] / 2 + (ones % 2 == 0 ? 0x80000000u : 0);
            ASSERT_EQ(machine.state.lreg[1][lane], enabled ? before[lane] : old[lane]);
            ASSERT_EQ(machine.state.prng[lane], enabled ? next : before[lane]);
        }
    }
}

// --- bits of LaneConfig
// --------------------------------------------------------------------------------------------

TEST(lane_configuration, spreads_each_bit_of_a_column_over_its_four_lanes) {
    isa::lane_configuration config;
    config.set_column(3, 0xffffffffu);
    EXPECT_EQ(config.column(3), 0x3ffffu);
    for (unsigned bit = 0; bit < 9; ++bit)
        EXPECT_EQ(config.lanes_with(static_cast<isa::lane_configuration::bit>(bit)), 0x08080808u);
    EXPECT_EQ(config.row_masked(), 0x08080808u);
    config.set_column(3, 1u << 14); // row 2
    EXPECT_EQ(config.row_masked(), 0x00080000u);
    EXPECT_EQ(config.lanes_with(isa::lane_configuration::enable_fp16a_inf), 0u);
}

TEST(lane_configuration, can_block_loads_and_stores_even_in_the_mode_that_ignores_predication) {
    for (const architecture arch : both)
        for (const unsigned mode : {4u, 10u}) {
            lane_machine machine(arch);
            machine.state.lreg[1] = broadcast(0x1234);
            machine.state.lreg[2] = broadcast(0x5678);
            machine.state.config.set_column(0, 1u << 4);
            machine.state.config.set_column(1, 1u << 5);
            machine.execute(word::dst(0x72, 1, mode, 0, 0, arch));
            machine.execute(word::dst(0x70, 2, mode, 0, 0, arch));
            EXPECT_EQ(machine.state.lreg[2][0], 0u) << "column 0 was stored";
            EXPECT_EQ(machine.state.lreg[2][1], 0x5678u) << "column 1 was loaded";
            EXPECT_EQ(machine.state.lreg[2][2], 0x1234u);
        }
}

TEST(lane_configuration, can_exchange_columns_of_loads_and_of_stores) {
    for (const architecture arch : both) {
        lane_machine machine(arch);
        for (unsigned column = 0; column < 16; ++column)
            machine.dst[0][column] = static_cast<std::uint16_t>(column);
        machine.state.config.set_column(5, 1u << 6);
        machine.execute(word::dst(0x70, 1, 6, 0, 0, arch));
        for (unsigned lane = 0; lane < 8; ++lane)
            EXPECT_EQ(machine.state.lreg[1][lane], 2 * lane + (lane == 5));
        machine.state.config.set_column(5, 1u << 7);
        machine.execute(word::dst(0x72, 10, 6, 4, 0, arch)); // L10 is 1.0, lower half 0
        machine.execute(word::dst(0x72, 1, 6, 4, 0, arch));
        EXPECT_EQ(machine.dst[4][11], 11u);
        EXPECT_EQ(machine.dst[4][10], 0u);
        EXPECT_EQ(machine.dst[4][8], 8u);
    }
}

TEST(lane_configuration, can_capture_the_position_of_what_a_load_reads) {
    for (const architecture arch : both)
        for (const unsigned address : {0x40u, 0x42u, 0x3feu}) {
            lane_machine machine(arch);
            configure(machine, 1u << 2 | 1u << 3);
            machine.execute(word::dst(0x70, 1, 6, address, 0, arch));
            for (unsigned lane = 0; lane < lane_count; ++lane) {
                const unsigned row = address / 4 * 4 + lane / 8, column = lane % 8 * 2 + address / 2 % 2;
                EXPECT_EQ(machine.state.lreg[5][lane], row * 16 + column);
            }
            const lanes captured = machine.state.lreg[5];
            machine.execute(word::dst(0x70, 4, 6, address, 0, arch)); // only L0 to L3 have a companion
            for (unsigned lane = 0; lane < lane_count; ++lane) {
                EXPECT_EQ(machine.state.lreg[5][lane], captured[lane]);
                EXPECT_EQ(machine.state.lreg[8][lane], 0x3f56594bu);
            }
        }
}

TEST(reset, equals_construction_and_gives_the_documented_constants) {
    random_bits random(10);
    lane_machine used(architecture::blackhole);
    randomise(used, random);
    used.execute(sfpconfig(13, 0));
    used.execute(sfpconfig(lane_config, 1, 0xff));
    used.state.reset();
    EXPECT_EQ(difference(used, lane_machine(architecture::blackhole)), "");
    EXPECT_EQ(used.state.lreg[8][7], 0x3f56594bu);
    EXPECT_EQ(used.state.lreg[9][7], 0u);
    EXPECT_EQ(used.state.lreg[10][7], 0x3f800000u);
    EXPECT_EQ(used.state.lreg[11][7], 0xbf800000u);
    EXPECT_EQ(used.state.lreg[12][7], 0x3b000000u);
    EXPECT_EQ(used.state.lreg[13][7], 0xbf2cc4c7u);
    EXPECT_EQ(used.state.lreg[14][7], 0xbeb08ff9u);
    EXPECT_EQ(used.state.lreg[15][7], 14u);
    EXPECT_EQ(used.state.enabled(), all_lanes);
}

} // namespace
} // namespace sfpu::test
