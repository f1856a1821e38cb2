// Integer, logic and field instructions lane by lane against formulas written with plain arithmetic.
#include "chips.h"
#include "lane_machine.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <ios>

namespace sfpu::test {
namespace {

/// What a lane sees: VC is L1, VB (the old VD) L2, imm the signed immediate.
struct inputs {
    std::uint32_t c, d;
    int imm;
    std::uint32_t sign_c() const { return c / 0x80000000u; }
    std::uint32_t exponent_c() const { return c / 0x800000u % 256; }
    std::uint32_t fraction_c() const { return c % 0x800000u; }
};
std::uint32_t number(std::uint32_t sign, std::uint32_t exponent, std::uint32_t fraction) {
    return sign * 0x80000000u + exponent % 256 * 0x800000u + fraction;
}

/// Checks VD of one (opcode, modifier) on both chips, with all lanes enabled.
void check(unsigned opcode, unsigned mod, const std::function<std::uint32_t(const inputs&)>& expected) {
    random_bits random(opcode * 16 + mod);
    for (unsigned n = 0; n < 400; ++n)
        for (const architecture arch : both) {
            if (isa::find_row(static_cast<std::uint8_t>(opcode), arch) == nullptr) continue;
            lane_machine machine(arch);
            randomise(machine, random);
            machine.state.use_flags = 0;
            const lanes c = machine.state.lreg[1], d = machine.state.lreg[2];
            const int imm = static_cast<int>(random.below(4096)) - 2048;
            machine.execute(word::imm12(opcode, imm, 1, 2, mod));
            for (unsigned lane = 0; lane < lane_count; ++lane)
                ASSERT_EQ(machine.state.lreg[2][lane], expected({c[lane], d[lane], imm}))
                    << short_name(arch) << std::hex << " opcode " << opcode << " mod " << mod << " c "
                    << c[lane];
        }
}

/// Checks the new lane flags; `expected` also receives the old flag. All lanes enabled and predicated.
void check_flags(unsigned opcode, unsigned mod, const std::function<bool(const inputs&)>& expected) {
    random_bits random(opcode * 16 + mod + 5000);
    for (unsigned n = 0; n < 300; ++n)
        for (const architecture arch : both) {
            if (isa::find_row(static_cast<std::uint8_t>(opcode), arch) == nullptr) continue;
            lane_machine machine(arch);
            randomise(machine, random);
            machine.state.flags = machine.state.use_flags = all_lanes;
            const lanes c = machine.state.lreg[1], d = machine.state.lreg[2];
            const int imm = static_cast<int>(random.below(4096)) - 2048;
            machine.execute(word::imm12(opcode, imm, 1, 2, mod));
            for (unsigned lane = 0; lane < lane_count; ++lane)
                ASSERT_EQ(machine.state.flags >> lane & 1, expected({c[lane], d[lane], imm}) ? 1u : 0u)
                    << std::hex << " opcode " << opcode << " mod " << mod << " c " << c[lane];
        }
}

bool negative(std::uint32_t x) { return x >= 0x80000000u; }

TEST(integer_add, adds_or_subtracts_modulo_two_to_the_32) {
    for (const unsigned cc : {0u, 4u, 8u, 12u}) {
        check(0x79, cc, [](const inputs& i) { return i.c + i.d; });
        check(0x79, cc + 1, [](const inputs& i) { return i.c + static_cast<std::uint32_t>(i.imm); });
        check(0x79, cc + 2, [](const inputs& i) { return i.c - i.d; });
    }
}

TEST(integer_add, sets_the_flags_by_the_sign_of_the_result) {
    check_flags(0x79, 0, [](const inputs& i) { return negative(i.c + i.d); });
    check_flags(0x79, 10, [](const inputs& i) { return !negative(i.c - i.d); });
    check_flags(0x79, 5, [](const inputs&) { return true; });
    check_flags(0x79, 12, [](const inputs&) { return false; }); // complements the old flags
}

TEST(logic, combines_bits) {
    check(0x7e, 0, [](const inputs& i) { return i.d & i.c; });
    check(0x7f, 0, [](const inputs& i) { return i.d | i.c; });
    check(0x8d, 0, [](const inputs& i) { return i.d ^ i.c; });
    check(0x80, 0, [](const inputs& i) { return 0xffffffffu - i.c; });
}

TEST(logic, takes_vb_from_its_own_field_on_blackhole_only) {
    for (const architecture arch : both) {
        lane_machine machine(arch);
        machine.state.lreg[1] = broadcast(0x0000ffffu);
        machine.state.lreg[2] = broadcast(0x00ff00ffu);
        machine.state.lreg[5] = broadcast(0x0f0f0f0fu);
        machine.execute(word::abc(0x7e, 0, 5, 1, 2, 1));
        EXPECT_EQ(machine.state.lreg[2][9], arch == architecture::blackhole ? 0x00000f0fu : 0x000000ffu);
        machine.state.lreg[2] = broadcast(0x00ff00ffu);
        machine.execute(word::abc(0x7f, 0, 5, 1, 2, 1));
        EXPECT_EQ(machine.state.lreg[2][9], arch == architecture::blackhole ? 0x0f0fffffu : 0x00ffffffu);
    }
}

unsigned leading_zeros(std::uint32_t x) {
    unsigned count = 32;
    while (x != 0) {
        x /= 2;
        --count;
    }
    return count;
}

TEST(leading_zeros_instruction, counts_with_or_without_the_sign_bit) {
    for (const unsigned cc : {0u, 2u, 8u, 10u}) {
        check(0x81, cc, [](const inputs& i) { return leading_zeros(i.c); });
        check(0x81, cc + 4, [](const inputs& i) { return leading_zeros(i.c % 0x80000000u); });
    }
    check_flags(0x81, 2, [](const inputs& i) { return i.c != 0; });
    check_flags(0x81, 10, [](const inputs& i) { return i.c == 0; });
    check_flags(0x81, 14, [](const inputs& i) { return i.c % 0x80000000u == 0; });
    check_flags(0x81, 8, [](const inputs&) { return false; });
}

TEST(absolute_value, of_integers_keeps_the_least_one_and_of_floats_keeps_negative_nans) {
    check(0x7d, 0, [](const inputs& i) { return negative(i.c) ? 0u - i.c : i.c; });
    check(0x7d, 1, [](const inputs& i) {
        const bool nan = i.exponent_c() == 255 && i.fraction_c() != 0;
        return nan ? i.c : i.c % 0x80000000u;
    });
}

TEST(exponent, is_extracted_with_or_without_its_bias) {
    check(0x77, 0, [](const inputs& i) { return i.exponent_c() - 127; });
    check(0x77, 1, [](const inputs& i) { return i.exponent_c(); });
    check_flags(0x77, 2, [](const inputs& i) { return i.exponent_c() < 127; });
    check_flags(0x77, 10, [](const inputs& i) { return i.exponent_c() >= 127; });
    check_flags(0x77, 3, [](const inputs&) { return false; });
}

TEST(exponent, is_replaced_or_changed_modulo_256) {
    const auto imm8 = [](const inputs& i) { return static_cast<std::uint32_t>(i.imm) % 256; };
    check(0x76, 0, [=](const inputs& i) { return number(i.sign_c(), imm8(i), i.fraction_c()); });
    check(0x76, 1, [=](const inputs& i) {
        return i.exponent_c() == 255 ? i.c : number(i.sign_c(), i.exponent_c() + imm8(i), i.fraction_c());
    });
    check(0x82, 0, [](const inputs& i) { return number(i.sign_c(), i.d % 256, i.fraction_c()); });
    check(0x82, 1, [=](const inputs& i) { return number(i.sign_c(), imm8(i), i.fraction_c()); });
    check(0x82, 2, [](const inputs& i) { return number(i.sign_c(), i.d / 0x800000u, i.fraction_c()); });
}

TEST(mantissa, is_extracted_with_or_without_the_hidden_bit_and_replaced) {
    check(0x78, 0, [](const inputs& i) { return 0x800000u + i.fraction_c(); });
    check(0x78, 1, [](const inputs& i) { return i.fraction_c(); });
    check(0x83, 0, [](const inputs& i) { return number(i.sign_c(), i.exponent_c(), i.d % 0x800000u); });
    check(0x83, 1, [](const inputs& i) {
        return number(i.sign_c(), i.exponent_c(), static_cast<std::uint32_t>(i.imm) % 4096 * 2048);
    });
}

TEST(sign, is_replaced_by_that_of_vd_or_by_the_immediate) {
    check(0x89, 0, [](const inputs& i) { return i.c % 0x80000000u + i.d / 0x80000000u * 0x80000000u; });
    check(0x89, 1, [](const inputs& i) { return i.c % 0x80000000u + (i.imm % 2 != 0 ? 0x80000000u : 0); });
}

TEST(move, copies_and_negates) {
    for (const unsigned reserved : {0u, 4u}) {
        check(0x7c, reserved, [](const inputs& i) { return i.c; });
        check(0x7c, reserved + 1, [](const inputs& i) { return i.c ^ 0x80000000u; });
        check(0x7c, reserved + 2, [](const inputs& i) { return i.c; });
    }
}

TEST(cast, in_mode_two_takes_the_absolute_value_on_blackhole) {
    random_bits random(1);
    lane_machine machine(architecture::blackhole);
    randomise(machine, random);
    machine.state.use_flags = 0;
    machine.execute(word::imm12(0x90, 0, 1, 2, 2));
    for (unsigned lane = 0; lane < lane_count; ++lane) {
        const std::uint32_t x = machine.state.lreg[1][lane];
        EXPECT_EQ(machine.state.lreg[2][lane], negative(x) ? 0u - x : x);
    }
}

TEST(set_condition, compares_vc_with_zero_where_predication_is_on) {
    check_flags(0x7b, 0, [](const inputs& i) { return negative(i.c); });
    check_flags(0x7b, 1, [](const inputs& i) { return i.imm % 2 != 0; });
    check_flags(0x7b, 2, [](const inputs& i) { return i.c != 0; });
    check_flags(0x7b, 4, [](const inputs& i) { return !negative(i.c); });
    check_flags(0x7b, 6, [](const inputs& i) { return i.c == 0; });
    check_flags(0x7b, 8, [](const inputs&) { return false; });
}

TEST(set_condition, clears_the_flag_where_predication_is_off) {
    for (const unsigned mod : {0u, 1u, 2u, 4u, 6u, 8u}) {
        lane_machine machine(architecture::blackhole);
        machine.state.flags = all_lanes;
        machine.state.use_flags = 0x0000ffffu;
        machine.execute(word::imm12(0x7b, 1, 10, 0, mod));
        EXPECT_EQ(machine.state.flags & 0xffff0000u, 0u) << mod;
    }
}

TEST(enable_condition, sets_both_predication_masks_in_every_lane_as_its_modifier_says) {
    random_bits random(2);
    for (unsigned mod : {0u, 1u, 2u, 8u, 9u, 10u})
        for (int imm = 0; imm < 4; ++imm) {
            lane_machine machine(architecture::wormhole);
            randomise(machine, random);
            const lane_mask use = machine.state.use_flags;
            machine.execute(word::imm12(0x8a, imm, 0, 0, mod));
            const lane_mask from_immediate = imm & 1 ? all_lanes : 0;
            EXPECT_EQ(machine.state.use_flags, mod % 8 == 0 ? use : mod % 8 == 1 ? ~use : from_immediate);
            EXPECT_EQ(machine.state.flags, mod >= 8 && !(imm & 2) ? 0u : all_lanes);
        }
}

TEST(complement_condition, selects_the_lanes_of_the_enclosing_scope_that_were_not_taken) {
    random_bits random(3);
    for (unsigned n = 0; n < 200; ++n) {
        lane_machine machine(both[n % 2]);
        randomise(machine, random);
        const isa::flag_entry top =
            machine.state.stack.empty() ? isa::flag_entry{all_lanes, all_lanes} : machine.state.stack.top();
        const lane_mask flags = machine.state.flags, use = machine.state.use_flags;
        machine.execute(word::imm12(0x8b, 0, 0, 0, 0));
        for (unsigned lane = 0; lane < lane_count; ++lane) {
            const auto in = [&](lane_mask mask) { return (mask >> lane & 1) != 0; };
            const bool expected = in(top.use_flags) && in(use) && in(top.flags) && !in(flags);
            ASSERT_EQ(in(machine.state.flags), expected);
        }
        EXPECT_EQ(machine.state.use_flags, use);
    }
}

} // namespace
} // namespace sfpu::test
