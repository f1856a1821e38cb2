// Instructions on integers and on the fields of FP32 numbers, and multiply-adds that negate, against the
// exact oracles, in both vector builds: all immediates; all exponents with boundary fractions; the flags that
// they set.
#include "exact_integers.h"
#include "exact_multiply_add.h"
#include "oracle_rig.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <utility>

namespace sfpu::test {
namespace {

namespace opcode = isa::opcode;

/// VC is L1, VD L2.
class one_instruction {
public:
    one_instruction(two_builds& unit, const lanes& c, const lanes& d, std::uint32_t word)
        : unit_(unit), c_(c), d_(d) {
        unit.set(1, c);
        unit.set(2, d);
        unit.execute(word);
    }
    /// `exact(c, d)` in VD.
    template <class Exact>
    void gives(Exact&& exact) {
        unit_.expect(2, [&](unsigned n) { return exact(c_[n], d_[n]); });
    }

private:
    two_builds& unit_;
    const lanes& c_;
    const lanes& d_;
};

void enable_flags(two_builds& unit, lane_mask flags) {
    unit.change([&](lane_machine& machine) {
        machine.state.flags = flags;
        machine.state.use_flags = all_lanes;
    });
}
/// `holds(lane)` in the flags of both.
template <class Holds>
void expect_flags(const two_builds& unit, Holds&& holds) {
    lane_mask flags = 0;
    for (unsigned n = 0; n < lane_count; ++n) flags |= lane_mask{holds(n)} << n;
    ASSERT_EQ(unit.best().state.flags, flags);
    ASSERT_EQ(unit.baseline().state.flags, flags);
}

TEST(exact_integers, of_sums_with_a_register_are_those_of_every_exponent) {
    random_bits random(21);
    for (const architecture arch : both)
        for (unsigned mod = 0; mod < 16; ++mod) {
            two_builds unit(arch);
            each_vector(5, random, [&](const lanes& c) {
                const lanes d = compared_with(c, random);
                const unsigned immediate = random.below(4096);
                one_instruction(unit, c, d,
                                word::imm12(opcode::sfpiadd, static_cast<int>(immediate), 1, 2, mod))
                    .gives([&](std::uint32_t c_lane, std::uint32_t d_lane) {
                        return exact_integer_add(mod, c_lane, d_lane, immediate);
                    });
            });
        }
}

TEST(exact_integers, of_sums_with_a_number_are_those_of_every_number) {
    random_bits random(22);
    for (const architecture arch : both)
        for (const unsigned mod : {1u, 3u, 5u, 9u, 13u}) {
            two_builds unit(arch);
            for (unsigned immediate = 0; immediate < 4096; immediate += static_cast<unsigned>(stride(1))) {
                const lanes c = compared_with(random_operands(random), random), d = random_operands(random);
                one_instruction(unit, c, d,
                                word::imm12(opcode::sfpiadd, static_cast<int>(immediate), 1, 2, mod))
                    .gives([&](std::uint32_t c_lane, std::uint32_t d_lane) {
                        return exact_integer_add(mod, c_lane, d_lane, immediate);
                    });
                if (HasFatalFailure()) return;
            }
        }
}

/// Distances on both sides of what a register has, and any others.
lanes random_amounts(random_bits& random) {
    lanes amounts;
    for (std::uint32_t& each : amounts.v)
        each = random.below(4) == 0 ? random.next() : random.below(140) - 70;
    return amounts;
}

TEST(exact_shift, is_that_of_every_distance_in_every_modifier) {
    random_bits random(23);
    for (const architecture arch : both)
        for (unsigned mod = 0; mod < 16; ++mod) {
            two_builds unit(arch);
            for (unsigned immediate = 0; immediate < 4096; immediate += static_cast<unsigned>(stride(1))) {
                const bool by_register = mod % 2 == 0;
                const lanes c = by_register ? random_amounts(random) : random_operands(random),
                            d = random_operands(random);
                // On Blackhole 4 and 6 and everything above 7 count as what is left without the reserved
                // bits.
                const unsigned heeded = mod % 8 == 4 || mod % 8 == 6 ? mod % 4 : mod % 8;
                one_instruction(unit, c, d,
                                word::imm12(opcode::sfpshft, static_cast<int>(immediate), 1, 2, mod))
                    .gives([&](std::uint32_t c_lane, std::uint32_t d_lane) {
                        return exact_shift(heeded, c_lane, d_lane, immediate, arch);
                    });
                if (HasFatalFailure()) return;
            }
        }
}

TEST(exact_shift, of_the_round_unit_is_that_of_every_distance) {
    random_bits random(24);
    for (const architecture arch : both) {
        two_builds unit(arch);
        for (unsigned immediate = 0; immediate < 4096; immediate += static_cast<unsigned>(stride(1))) {
            std::array<lanes, 16> sources{};
            for (unsigned r = 0; r < 8; ++r) {
                sources[r] = random_operands(random);
                unit.set(r, sources[r]);
            }
            for (unsigned r = 8; r < 16; ++r) sources[r] = unit.best().state.lreg[r];
            const lanes amounts = random_amounts(random);
            unit.set(1, amounts);
            unit.execute(0x94000000u | 3u << 12 | 1u << 8 | 2u << 4 | 5u); // VB is L3
            unit.expect(2, [&](unsigned n) { return exact_logical_shift(sources[3][n], amounts[n]); });
            sources[1] = amounts;
            sources[2] = unit.best().state.lreg[2];
            // The number says which register is shifted, too.
            unit.execute(word::imm12(opcode::sfpshft2, static_cast<int>(immediate), 0, 7, 6));
            const std::uint32_t distance = immediate < 2048 ? immediate : immediate - 4096;
            unit.expect(
                7, [&](unsigned n) { return exact_logical_shift(sources[immediate % 16][n], distance); });
            if (HasFatalFailure()) return;
        }
    }
}

TEST(exact_fields, of_one_operand_are_those_of_every_exponent) {
    random_bits random(25);
    for (const architecture arch : both)
        for (unsigned mod = 0; mod < 16; ++mod) {
            two_builds unit(arch);
            each_vector(5, random, [&](const lanes& c) {
                const lanes d = random_operands(random);
                const lane_mask before = random.next();
                const bool odd = mod % 2 == 1, sets = mod / 2 % 2 == 1, complements = mod / 8 == 1;
                one_instruction(unit, c, d, word::imm12(opcode::sfpabs, 0, 1, 2, mod))
                    .gives([&](std::uint32_t x, std::uint32_t) { return exact_absolute(odd, x); });
                one_instruction(unit, c, d, word::imm12(opcode::sfpexman, 0, 1, 2, mod))
                    .gives([&](std::uint32_t x, std::uint32_t) { return exact_mantissa(!odd, x); });
                unit.change([](lane_machine& machine) { machine.state.use_flags = 0; });
                one_instruction(unit, c, d, word::imm12(opcode::sfpexexp, 0, 1, 2, mod))
                    .gives([&](std::uint32_t x, std::uint32_t) { return exact_exponent(odd, x); });
                const bool masks = mod / 4 % 2 == 1;
                one_instruction(unit, c, d, word::imm12(opcode::sfplz, 0, 1, 2, mod))
                    .gives([&](std::uint32_t x, std::uint32_t) { return exact_leading_zeros(masks, x); });
                // The flags of enabled lanes; those of the others stay.
                enable_flags(unit, before);
                unit.execute(word::imm12(opcode::sfpexexp, 0, 1, 2, mod));
                const auto expected = [&](unsigned n, bool condition) {
                    const bool old = before >> n & 1;
                    if (!old) return false;
                    return (sets ? condition : old) != complements;
                };
                expect_flags(unit,
                             [&](unsigned n) { return expected(n, exact_exponent(odd, c[n]) >= sign_bit); });
                enable_flags(unit, before);
                unit.execute(word::imm12(opcode::sfplz, 0, 1, 2, mod));
                expect_flags(unit,
                             [&](unsigned n) { return expected(n, exact_leading_zeros(masks, c[n]) != 32); });
                unit.change([](lane_machine& machine) { machine.state.use_flags = 0; });
            });
        }
}

TEST(exact_fields, that_are_replaced_are_those_of_every_exponent_and_number) {
    random_bits random(26);
    using exact = std::uint32_t (*)(unsigned, std::uint32_t, std::uint32_t, unsigned);
    constexpr std::pair<unsigned, exact> instructions[] = {{opcode::sfpsetexp, exact_set_exponent},
                                                           {opcode::sfpsetman, exact_set_mantissa},
                                                           {opcode::sfpsetsgn, exact_set_sign}};
    for (const architecture arch : both)
        for (const auto& [number, expected] : instructions)
            for (unsigned mod = 0; mod < 16; ++mod) {
                two_builds unit(arch);
                unsigned immediate = random.below(4096);
                each_vector(5, random, [&, code = number, compute = expected](const lanes& c) {
                    immediate = (immediate + 13) % 4096;
                    const lanes d = compared_with(random_operands(random), random);
                    one_instruction(unit, c, d, word::imm12(code, static_cast<int>(immediate), 1, 2, mod))
                        .gives([&](std::uint32_t c_lane, std::uint32_t d_lane) {
                            return compute(mod, c_lane, d_lane, immediate);
                        });
                });
            }
}

TEST(exact_immediate, is_that_of_every_number_in_every_mode) {
    random_bits random(27);
    for (const architecture arch : both) {
        two_builds unit(arch);
        for (const unsigned mode : {0u, 1u, 2u, 4u, 8u, 10u})
            for (unsigned immediate = 0; immediate < 0x10000; immediate += static_cast<unsigned>(stride(1))) {
                const std::uint32_t old = random.next();
                const std::uint32_t expected = exact_load_immediate(mode, immediate, old);
                unit.set(3, broadcast(old));
                unit.execute(word::load_immediate(3, mode, immediate));
                unit.expect(3, [&](unsigned) { return expected; });
                if (HasFatalFailure()) return;
            }
    }
}

TEST(exact_logic, is_that_of_every_exponent) {
    random_bits random(28);
    for (const architecture arch : both) {
        two_builds unit(arch);
        each_vector(5, random, [&](const lanes& c) {
            const lanes d = compared_with(c, random);
            // A bit is 0 or 1; their sums, products and differences say the same without logic.
            const auto by_bits = [](auto&& of, std::uint32_t x, std::uint32_t y) {
                std::uint32_t sum = 0;
                for (std::uint32_t bit = 1; bit != 0; bit *= 2) sum += bit * of(x / bit % 2, y / bit % 2);
                return sum;
            };
            const auto both_set = [](unsigned x, unsigned y) { return x * y; };
            const auto either_set = [](unsigned x, unsigned y) { return x + y - x * y; };
            const auto one_set = [](unsigned x, unsigned y) { return x + y - 2 * x * y; };
            one_instruction(unit, c, d, word::imm12(opcode::sfpand, 0, 1, 2, 0))
                .gives([&](std::uint32_t x, std::uint32_t y) { return by_bits(both_set, x, y); });
            one_instruction(unit, c, d, word::imm12(opcode::sfpor, 0, 1, 2, 0))
                .gives([&](std::uint32_t x, std::uint32_t y) { return by_bits(either_set, x, y); });
            one_instruction(unit, c, d, word::imm12(opcode::sfpxor, 0, 1, 2, 0))
                .gives([&](std::uint32_t x, std::uint32_t y) { return by_bits(one_set, x, y); });
            one_instruction(unit, c, d, word::imm12(opcode::sfpnot, 0, 1, 2, 0))
                .gives([](std::uint32_t x, std::uint32_t) { return 0xffffffffu - x; });
            one_instruction(unit, c, d, word::imm12(opcode::sfpmov, 0, 1, 2, 1))
                .gives([](std::uint32_t x, std::uint32_t) { return x + sign_bit; });
        });
    }
}

/// On Blackhole bit 0 of the modifier negates VA and bit 1 VC; on Wormhole neither means anything.
TEST(exact_multiply_add, that_negates_is_that_of_the_negated_operand) {
    random_bits random(29);
    for (const architecture arch : both) {
        two_builds unit(arch);
        for (unsigned mod = 0; mod < 4; ++mod) {
            const bool heeded = arch == architecture::blackhole;
            const std::uint32_t change_a = heeded && mod % 2 == 1 ? sign_bit : 0;
            const std::uint32_t change_c = heeded && mod / 2 == 1 ? sign_bit : 0;
            each_vector(3, random, [&](const lanes& a) {
                const lanes b = random_operands(random), c = random_operands(random);
                unit.set(1, a);
                unit.set(2, b);
                unit.set(3, c);
                unit.execute(word::abc(opcode::sfpmad, 1, 2, 3, 4, mod));
                unit.expect(4, [&](unsigned n) {
                    return exact_multiply_add(a[n] + change_a, b[n], c[n] + change_c, arch);
                });
                unit.execute(word::abc(opcode::sfpadd, 10, 2, 3, 4, mod)); // L10 is one
                unit.expect(4, [&](unsigned n) {
                    return exact_multiply_add(0x3f800000u + change_a, b[n], c[n] + change_c, arch);
                });
                unit.execute(word::abc(opcode::sfpmul, 1, 2, 9, 4, mod)); // L9 is zero
                unit.expect(
                    4, [&](unsigned n) { return exact_multiply_add(a[n] + change_a, b[n], change_c, arch); });
            });
            for (std::uint32_t immediate = 0; immediate < 0x10000;
                 immediate += static_cast<std::uint32_t>(stride(7))) {
                const std::uint32_t x = immediate << 16;
                const lanes d = random_operands(random);
                unit.set(5, d);
                unit.execute(word::imm16(opcode::sfpaddi, immediate, 5, mod));
                unit.expect(
                    5, [&](unsigned n) { return exact_multiply_add(x, 0x3f800000u, d[n] + change_c, arch); });
                unit.set(5, d);
                unit.execute(word::imm16(opcode::sfpmuli, immediate, 5, mod));
                unit.expect(5, [&](unsigned n) { return exact_multiply_add(x, d[n] + change_c, 0, arch); });
                if (HasFatalFailure()) return;
            }
        }
    }
}

} // namespace
} // namespace sfpu::test
