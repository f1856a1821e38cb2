// Check values for single instructions, above all where pages of the ISA documentation disagree.
#include "chips.h"
#include "lane_machine.h"

#include <sfpu/isa/table.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>

namespace sfpu::test {
namespace {

namespace opcode = isa::opcode;
namespace mode = isa::dst_mode;

/// L4 after SFPMAD of L1, L2 and L3.
std::uint32_t multiply_add(architecture arch, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    lane_machine machine(arch);
    machine.state.lreg[1] = broadcast(a);
    machine.state.lreg[2] = broadcast(b);
    machine.state.lreg[3] = broadcast(c);
    machine.execute(word::abc(opcode::sfpmad, 1, 2, 3, 4, 0));
    return machine.state.lreg[4][0];
}

/// L2 after an instruction that reads L1.
std::uint32_t unary(architecture arch, std::uint32_t instruction, std::uint32_t c) {
    lane_machine machine(arch);
    machine.state.lreg[1] = broadcast(c);
    machine.execute(instruction);
    return machine.state.lreg[2][0];
}

// --- check values ------------------------------------------------------------------------------------------

TEST(arbitration, multiply_add_is_neither_fused_nor_rounded_twice) {
    for (const architecture arch : both)
        EXPECT_EQ(multiply_add(arch, 0x3fe3529c, 0x3f9fe0f5, 0xc00df811), 0xb3c00000u);
}

TEST(arbitration, multiply_add_rounds_up_to_the_smallest_normal_on_blackhole_and_flushes_on_wormhole) {
    EXPECT_EQ(multiply_add(bh, 0x00ffffff, 0x3f000000, 0), 0x00800000u);
    EXPECT_EQ(multiply_add(wh, 0x00ffffff, 0x3f000000, 0), 0u);
}

TEST(arbitration, multiply_add_of_minus_zero_and_plus_zero_is_plus_zero) {
    for (const architecture arch : both) EXPECT_EQ(multiply_add(arch, 0x80000000, 0x3f800000, 0), 0u);
}

TEST(arbitration, a_product_that_overflows_alone_gives_infinity) {
    for (const architecture arch : both) {
        EXPECT_EQ(multiply_add(arch, 0x7f000000, 0x40800000, 0xff7fffff), 0x7f800000u);
        EXPECT_EQ(multiply_add(arch, 0xff000000, 0x40800000, 0x7f7fffff), 0xff800000u);
    }
}

TEST(arbitration, a_product_with_a_negative_biased_exponent_counts_as_exactly_zero) {
    // Were the product kept as a sticky bit, a tie above 00800001 could not be told from it; here it is gone.
    for (const architecture arch : both) {
        EXPECT_EQ(multiply_add(arch, 0x1fffffff, 0x1fffffff, 0x00800000), 0x00800000u);
        EXPECT_EQ(multiply_add(arch, 0x00800000, 0x00800000, 0x00800001), 0x00800001u);
    }
}

TEST(arbitration, approximate_reciprocal_has_the_given_values) {
    const auto reciprocal = [](std::uint32_t x) {
        return unary(bh, word::imm12(opcode::sfparecip, 0, 1, 2, 0), x);
    };
    EXPECT_EQ(reciprocal(0x3f800000), 0x3f7f0000u);
    EXPECT_EQ(reciprocal(0), 0x7f800000u);
    EXPECT_EQ(reciprocal(0x7f800000), 0u);
    EXPECT_EQ(reciprocal(0x7fc00000), 0u);
}

TEST(arbitration, rounding_a_tie_to_bf16_goes_away_from_zero) {
    for (const architecture arch : both)
        EXPECT_EQ(unary(arch, word::abc(opcode::sfpstochrnd, 0, 1, 1, 2, 1), 0x3f808000), 0x3f810000u);
}

TEST(arbitration, cast_rounds_to_nearest_even) {
    for (const architecture arch : both)
        EXPECT_EQ(unary(arch, word::imm12(opcode::sfpcast, 0, 1, 2, 0), 0x01000003), 0x4b800002u);
}

TEST(arbitration, dst_cell_c34f_1234_loads_as_a7c31234_in_mode_3) {
    for (const architecture arch : both) {
        lane_machine machine(arch);
        machine.dst[0][0] = 0xc34f;
        machine.dst[8][0] = 0x1234; // the low half of row 0
        machine.execute(word::dst(opcode::sfpload, 2, mode::fp32, 0, 0, arch));
        EXPECT_EQ(machine.state.lreg[2][0], 0xa7c31234u);
    }
}

// --- values after reset ------------------------------------------------------------------------------------

TEST(arbitration, constants_have_the_settled_values) {
    const isa::vector_state state;
    for (unsigned lane = 0; lane < lane_count; ++lane) {
        EXPECT_EQ(state.lreg[8][lane], 0x3f56594bu);
        EXPECT_EQ(state.lreg[9][lane], 0u);
        EXPECT_EQ(state.lreg[10][lane], 0x3f800000u);
        EXPECT_EQ(state.lreg[11][lane], 0xbf800000u);
        EXPECT_EQ(state.lreg[12][lane], 0x3b000000u);
        EXPECT_EQ(state.lreg[13][lane], 0xbf2cc4c7u);
        EXPECT_EQ(state.lreg[14][lane], 0xbeb08ff9u);
        EXPECT_EQ(state.lreg[15][lane], 2 * lane);
    }
}

TEST(arbitration, everything_else_is_zero_after_reset) {
    isa::vector_state state;
    state.lreg[3] = broadcast(1);
    state.prng = broadcast(1);
    state.shuffle_source = broadcast(1);
    state.flags = state.use_flags = all_lanes;
    state.stack.push({1, 1});
    state.config.set_column(2, 1);
    state.macro[5].misc = 1;
    state.reset();
    for (unsigned r = 0; r < isa::lreg_count; ++r) {
        if (r >= 8 && r < isa::macro_lreg) continue;
        for (unsigned lane = 0; lane < lane_count; ++lane) EXPECT_EQ(state.lreg[r][lane], 0u) << "L" << r;
    }
    for (unsigned lane = 0; lane < lane_count; ++lane) {
        EXPECT_EQ(state.prng[lane], 0u);
        EXPECT_EQ(state.shuffle_source[lane], 0u);
    }
    EXPECT_EQ(state.flags, 0u);
    EXPECT_EQ(state.use_flags, 0u);
    EXPECT_TRUE(state.stack.empty());
    for (unsigned column = 0; column < column_count; ++column) {
        EXPECT_EQ(state.config.column(column), 0u);
        EXPECT_TRUE(state.macro[column] == isa::macro_configuration{});
    }
    for (const architecture arch : both) {
        isa::thread_state thread;
        thread.rwc = {1, 2, 3};
        thread.reset(arch);
        EXPECT_EQ(thread.rwc.dst + thread.rwc.dst_cr + thread.rwc.sp, 0u);
    }
}

TEST(arbitration, lreg_12_by_immediate_is_one_over_512) {
    for (const architecture arch : both) {
        lane_machine machine(arch);
        machine.state.lreg[12] = broadcast(0);
        machine.execute(word::imm16(opcode::sfpconfig, 0, 12, 1));
        EXPECT_EQ(machine.state.lreg[12][31], 0x3b000000u);
    }
}

// --- settled disagreements ---------------------------------------------------------------------------------

TEST(arbitration, instructions_that_set_flags_leave_those_of_disabled_lanes) {
    for (const std::uint32_t instruction :
         {word::imm12(opcode::sfpsetcc, 0, 1, 0, 0), word::imm12(opcode::sfpiadd, 0, 1, 2, 0),
          word::imm12(opcode::sfplz, 0, 1, 2, 2), word::imm12(opcode::sfpexexp, 0, 1, 2, 2),
          word::imm12(opcode::sfpgt, 0, 1, 2, 1), word::imm12(opcode::sfple, 0, 1, 2, 1)}) {
        lane_machine machine(bh);
        machine.state.use_flags = all_lanes;
        machine.state.flags = 0x0000ffff;
        for (const std::uint32_t value : {0u, 0xffffffffu, 0x3f800000u}) {
            machine.state.lreg[1] = broadcast(value);
            machine.execute(instruction);
            EXPECT_EQ(machine.state.flags & 0xffff0000u, 0u);
        }
    }
}

TEST(arbitration, an_empty_flag_stack_peeks_false_false) {
    for (const architecture arch : both) {
        lane_machine machine(arch);
        machine.state.flags = machine.state.use_flags = all_lanes;
        machine.execute(word::imm12(opcode::sfppopc, 0, 0, 0, 1)); // flags = top
        EXPECT_EQ(machine.state.flags, 0u);
        EXPECT_EQ(machine.state.use_flags, 0u);
        EXPECT_EQ(machine.reports(), 0u);
    }
}

TEST(arbitration, stores_of_vd_8_to_11_store_that_register) {
    for (const architecture arch : both)
        for (unsigned vd = 8; vd < 12; ++vd) {
            lane_machine machine(arch);
            machine.execute(word::dst(opcode::sfpstore, vd, mode::hi16, 0, 0, arch));
            EXPECT_EQ(machine.cell(0, 0, true), machine.state.lreg[vd][0]);
        }
}

TEST(arbitration, vd_of_12_and_above_writes_the_template_and_does_nothing_else) {
    for (const architecture arch : both)
        for (unsigned vd = 12; vd < 16; ++vd) {
            const lane_machine before(arch);
            lane_machine after = before;
            const std::uint32_t word = word::abc(opcode::sfpadd, 10, 10, 10, vd, 0);
            after.execute(word);
            EXPECT_EQ(after.state.macro[3].instruction_template[vd - 12], word);
            for (unsigned column = 0; column < column_count; ++column)
                after.state.macro[column].instruction_template[vd - 12] = 0;
            EXPECT_EQ(difference(before, after), "");
        }
}

TEST(arbitration, sfpmov_modifier_6_acts_as_2) {
    for (const architecture arch : both) {
        lane_machine machine(arch);
        machine.state.use_flags = all_lanes; // no lane enabled
        machine.state.lreg[1] = broadcast(0x12345678);
        machine.execute(word::imm12(opcode::sfpmov, 0, 1, 2, 6));
        EXPECT_EQ(machine.state.lreg[2][17], 0x12345678u);
    }
}

TEST(arbitration, fp32_stores_flush_subnormals_on_blackhole_only) {
    for (const architecture arch : both) {
        lane_machine machine(arch);
        machine.state.lreg[1] = broadcast(0x807fffff);
        machine.execute(word::dst(opcode::sfpstore, 1, mode::fp32, 0, 0, arch));
        machine.execute(word::dst(opcode::sfpload, 2, mode::int32, 0, 0, arch));
        EXPECT_EQ(machine.state.lreg[2][0], arch == bh ? 0x80000000u : 0x807fffffu);
    }
}

} // namespace
} // namespace sfpu::test
