// Rule T14 of the timing contract: which fields of a template an SFPLOADMACRO replaces.
#include "chips.h"

#include <sfpu/isa/table.h>
#include <sfpu/timing/instruction_library.h>
#include <sfpu/timing/macro_program.h>

#include <gtest/gtest.h>

namespace sfpu::timing {
namespace {

using test::bh;

using isa::instruction;

const isa::machine default_machine = isa::make_machine({});
constexpr sequence_entry plain_entry = from_byte(0x00), loaded_vb = from_byte(0x80), to_l16 = from_byte(0x40),
                         loaded_vb_to_l16 = from_byte(0xc0);

instruction overridden(std::uint32_t word, sequence_entry byte, unsigned loaded, architecture arch = bh) {
    return override_operands(isa::decode(word, arch), byte, loaded, arch);
}

TEST(rule_t14, bit_7_clear_makes_the_loaded_register_vc) {
    const instruction mad = overridden(0x84123450, plain_entry, 6); // sfpmad L2, L3, L4, L5
    EXPECT_EQ(mad.va, 2);
    EXPECT_EQ(mad.vb, 3);
    EXPECT_EQ(mad.vc, 6);
    EXPECT_EQ(mad.vd, 6);
}

TEST(rule_t14, bit_7_set_makes_the_loaded_register_vb) {
    const instruction mad = overridden(0x84123450, loaded_vb, 6);
    EXPECT_EQ(mad.vb, 6);
    EXPECT_EQ(mad.vc, 4);
    EXPECT_EQ(mad.vd, 6);
}

TEST(rule_t14, without_a_vb_of_its_own_an_instruction_takes_the_templates_vd_as_vb) {
    const instruction add = overridden(0x79000354, plain_entry, 1); // sfpiadd VC=3 VD=5
    EXPECT_EQ(add.vb, 5);
    EXPECT_EQ(add.vc, 1);
    EXPECT_EQ(add.vd, 1);
    const instruction from_b = overridden(0x79000354, loaded_vb, 1);
    EXPECT_EQ(from_b.vb, 1);
    EXPECT_EQ(from_b.vc, 3);
}

TEST(rule_t14, instructions_with_a_vb_of_their_own_keep_it) {
    // SFPMAD, SFPADD, SFPMUL, SFPMUL24, SFPSHFT2 by register, SFPSTOCHRND: VB = 3, VD = 5
    for (const std::uint32_t opcode : {0x84u, 0x85u, 0x86u, 0x98u, 0x94u, 0x8eu})
        EXPECT_EQ(overridden(opcode << 24 | 0x3455, plain_entry, 2).vb, 3) << std::hex << opcode;
    EXPECT_EQ(overridden(0x99003451, plain_entry, 2).vb, 5) << "SFPARECIP is not among them";
}

TEST(rule_t14, what_is_scheduled_names_no_template) {
    const instruction swap = overridden(0x920000c0, plain_entry, 1); // sfpswap VD=12
    EXPECT_TRUE(swap.scheduled());
    EXPECT_FALSE(swap.names_template());
    EXPECT_TRUE(override_store(isa::decode(0x72500000, bh), plain_entry, 2, bh).scheduled());
}

TEST(rule_t14, without_a_vc_of_its_own_an_instruction_takes_the_templates_vd_as_vc) {
    const instruction addi = overridden(0x75000050, loaded_vb, 2); // sfpaddi VD=5
    EXPECT_EQ(addi.vc, 5);
    EXPECT_EQ(addi.vd, 2);
    EXPECT_EQ(overridden(0x75000050, plain_entry, 2).vc, 2);
}

TEST(rule_t14, and_and_or_have_a_vb_only_with_use_vb) {
    for (std::uint32_t opcode : {0x7e000000u, 0x7f000000u}) {
        EXPECT_EQ(overridden(opcode | 0x3451, plain_entry, 2).vb, 3);
        EXPECT_EQ(overridden(opcode | 0x3450, plain_entry, 2).vb, 5);
        EXPECT_EQ(overridden(opcode | 0x3451, plain_entry, 2, architecture::wormhole).vb, 5);
    }
}

TEST(rule_t14, bit_6_sends_the_result_to_l16) {
    const instruction add = overridden(0x79000354, to_l16, 1);
    EXPECT_EQ(add.vd, 16);
    EXPECT_EQ(overridden(0x84123450, loaded_vb_to_l16, 6).vb, 6);
}

TEST(rule_t14, shft_imm_keeps_its_vb_unless_bit_7_is_set) {
    EXPECT_EQ(overridden(0x94fe90c6, plain_entry, 1).vb, 9); // Imm12 = fe9, VB is its lowest four bits
    EXPECT_EQ(overridden(0x94fe90c6, loaded_vb, 1).vb, 1);
    EXPECT_EQ(overridden(0x94fe90c6, loaded_vb, 1).imm, -23);
}

TEST(rule_t14, a_store_reads_l16_or_its_own_register_or_the_loaded_one) {
    const instruction store = isa::decode(0x72500000, bh); // VD=5
    EXPECT_EQ(override_store(store, to_l16, 2, bh).vd, 16);
    EXPECT_EQ(override_store(store, loaded_vb_to_l16, 2, bh).vd, 16);
    EXPECT_EQ(override_store(store, loaded_vb, 2, bh).vd, 5);
    EXPECT_EQ(override_store(store, plain_entry, 2, bh).vd, 2);
}

isa::macro_configuration with_sequence(std::uint32_t sequence) {
    isa::macro_configuration config;
    config.instruction_template = {0x79000354, 0x84123450, 0x94fe90c6, 0x72500000};
    config.sequence[0] = sequence;
    return config;
}

TEST(macro_expansion, selector_0_schedules_nothing) {
    EXPECT_EQ(expand(with_sequence(0), 0, 1, default_machine).units, 0u);
}

TEST(macro_expansion, selector_1_schedules_nothing_and_is_reported) {
    const macro_launch launch = expand(with_sequence(0x00000001), 0, 1, default_machine);
    EXPECT_EQ(launch.units, 0u);
    EXPECT_TRUE(launch.faults.selector_one);
}

TEST(macro_expansion, selector_2_is_sfpnop_and_selector_3_a_store_of_register_0) {
    const macro_launch launch = expand(with_sequence(0x83000002), 0, 1, default_machine);
    EXPECT_TRUE(launch.insn[0].is(isa::opcode::sfpnop));
    EXPECT_TRUE(launch.insn[3].is(isa::opcode::sfpstore));
    EXPECT_EQ(launch.insn[3].vd, 0);
}

TEST(macro_expansion, a_template_that_its_sub_unit_cannot_execute_becomes_sfpnop) {
    const macro_launch launch =
        expand(with_sequence(0x00000405), 0, 1, default_machine); // SFPMAD on Simple, SFPIADD on MAD
    EXPECT_TRUE(launch.insn[0].is(isa::opcode::sfpnop));
    EXPECT_TRUE(launch.insn[1].is(isa::opcode::sfpnop));
    EXPECT_TRUE(launch.faults.not_executable);
    EXPECT_TRUE(expand(with_sequence(0x04000000), 0, 1, default_machine).faults.store_without_store);
    EXPECT_TRUE(
        expand(with_sequence(0x02000000), 0, 1, default_machine).faults.store_without_store); // SFPNOP
}

TEST(macro_expansion, delays_kinds_and_store_modes_come_from_sequence_and_misc) {
    isa::macro_configuration config = with_sequence(0x3f00153c);
    config.misc = 0x5a6; // UnitDelayKind: Simple and Round; UsesLoadMod0: macros 1 and 3; StoreMod0: 6
    const macro_launch launch = expand(config, 0, 1, default_machine);
    EXPECT_EQ(launch.delay[0], 7);
    EXPECT_EQ(launch.delay[1], 2);
    EXPECT_EQ(launch.delay[3], 7);
    EXPECT_TRUE(launch.counts_instructions[0]);
    EXPECT_FALSE(launch.counts_instructions[1]);
    EXPECT_FALSE(launch.counts_instructions[3]);
    EXPECT_FALSE(launch.store_takes_load_mod);
    EXPECT_EQ(launch.insn[3].mod, 6);
    config.sequence[1] = config.sequence[0];
    EXPECT_TRUE(expand(config, 1, 1, default_machine).store_takes_load_mod);
}

TEST(macro_expansion, the_scope_of_the_delay_kind_is_a_parameter) {
    isa::macro_configuration config = with_sequence(0x0000050c);
    config.sequence[2] = config.sequence[0];
    config.misc = 0x400; // bit 2: Round, or macro 2
    isa::machine by_macro;
    by_macro.delay_kind_scope = delay_scope::macro;
    EXPECT_FALSE(expand(config, 2, 1, default_machine).counts_instructions[0]);
    EXPECT_TRUE(expand(config, 2, 1, by_macro).counts_instructions[0]);
    EXPECT_FALSE(expand(config, 0, 1, by_macro).counts_instructions[0]);
}

// --- machines larger than the chips (docs/exploration.md)

TEST(larger_machine, sequences_of_half_words_reach_all_delays_and_templates) {
    isa::machine machine;
    machine.templates = 6;
    machine.delay_bits = 5;
    isa::macro_configuration config;
    config.instruction_template = {0, 0, 0, 0, 0x84123450, 0x79000354, 0, 0}; // 4: SFPMAD, 5: SFPIADD
    config.sequence[0] = 0x1f08'd409;       // MAD: template 4 after 31; Simple: template 5 after 20, VB, L16
    config.sequence_upper[0] = 0x0703'0002; // Store: after 7; Round: SFPNOP
    const macro_launch launch = expand(config, 0, 3, machine);
    EXPECT_FALSE(launch.faults.any());
    EXPECT_EQ(launch.units, 0xfu);
    EXPECT_TRUE(launch.insn[0].is(isa::opcode::sfpiadd));
    EXPECT_EQ(launch.delay[0], 20);
    EXPECT_EQ(launch.insn[0].vb, 3);
    EXPECT_EQ(launch.insn[0].vd, isa::macro_lreg);
    EXPECT_TRUE(launch.insn[1].is(isa::opcode::sfpmad));
    EXPECT_EQ(launch.delay[1], 31);
    EXPECT_EQ(launch.insn[1].vc, 3);
    EXPECT_TRUE(launch.insn[2].is(isa::opcode::sfpnop));
    EXPECT_EQ(launch.delay[2], 0);
    EXPECT_TRUE(launch.insn[3].is(isa::opcode::sfpstore));
    EXPECT_EQ(launch.delay[3], 7);
}

TEST(larger_machine, uses_as_many_delay_bits_as_it_has) {
    isa::machine machine;
    isa::macro_configuration config;
    config.instruction_template[0] = 0x79000354;
    for (unsigned bits = 1; bits <= 5; ++bits) {
        machine.delay_bits = bits;
        config.sequence[0] = bits > 3 ? 0x1f04u : 0x3cu; // all ones
        EXPECT_EQ(expand(config, 0, 1, machine).delay[0], (1u << bits) - 1) << bits;
    }
}

TEST(larger_machine, misc_has_bits_for_each_of_eight_macros) {
    isa::machine machine;
    machine.macros = 8;
    machine.delay_kind_scope = delay_scope::macro;
    isa::macro_configuration config;
    config.sequence.fill(0x03000000); // SFPSTORE
    for (unsigned macro = 0; macro < 8; ++macro) {
        config.misc = (macro < 4 ? 0x010u : 0x1000u) << macro % 4;
        for (unsigned other = 0; other < 8; ++other) {
            const macro_launch launch = expand(config, other, 1, machine);
            EXPECT_EQ(launch.store_takes_load_mod, other == macro);
            EXPECT_FALSE(launch.counts_instructions[3]);
        }
        config.misc = (macro < 4 ? 0x100u : 0x10000u) << macro % 4;
        for (unsigned other = 0; other < 8; ++other) {
            const macro_launch launch = expand(config, other, 1, machine);
            EXPECT_FALSE(launch.store_takes_load_mod);
            EXPECT_EQ(launch.counts_instructions[3], other == macro);
        }
    }
}

TEST(larger_machine, bit_10_of_a_macro_load_names_macros_4_to_7_only_where_there_are_more_than_four) {
    constexpr std::uint32_t macro_6 = 0x93b40400; // 10 in bits 23:22, L3, bit 10
    isa::vector_state state;
    for (isa::macro_configuration& column : state.macro) {
        column.instruction_template[0] = 0x79000354; // SFPIADD
        column.sequence[2] = 0x00000004;
        column.sequence[6] = 0x00000005; // what template 1 holds is no Simple instruction
        column.instruction_template[1] = 0x84123450;
    }
    const auto expanded = [&](unsigned macros) {
        parameters config;
        config.macro_count = macros;
        instruction_library library;
        library.reset(isa::make_machine(config));
        return library.expand(library.number_of(state), isa::decode(macro_6, bh));
    };
    EXPECT_TRUE(expanded(4).insn[0].is(isa::opcode::sfpiadd));
    EXPECT_TRUE(expanded(7).faults.not_executable);
    EXPECT_TRUE(expanded(6).faults.no_such_macro);
    EXPECT_EQ(expanded(6).units, 0u);
}

TEST(smaller_machine, schedules_nothing_for_a_template_that_it_does_not_have) {
    isa::machine machine;
    machine.templates = 2;
    const macro_launch launch = expand(with_sequence(0x00000504), 0, 1, machine);
    EXPECT_FALSE(launch.faults.any());
    EXPECT_EQ(launch.units, 3u);
    const macro_launch missing = expand(with_sequence(0x00060004), 0, 1, machine);
    EXPECT_TRUE(missing.faults.no_such_template);
    EXPECT_EQ(missing.units, 1u);
}

} // namespace
} // namespace sfpu::timing
