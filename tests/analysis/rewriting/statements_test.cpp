// What the rules on values rest on, each for every number: by formulas of bits, which are compared with the
// model, or by trying all numbers there are.
#include "operator_formula.h"
#include "word_functions.h"

#include <sfpu/analysis/integer_terms.h>
#include <sfpu/analysis/smt_solver.h>
#include <sfpu/analysis/term_values.h>
#include <sfpu/isa/table.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <vector>

namespace sfpu::test {
namespace {

using namespace analysis;

constexpr std::uint32_t one_word = 0x3f800000u, sign_word = 0x80000000u;

class statements : public testing::TestWithParam<architecture> {
protected:
    term_pool pool{GetParam()};
    term x = pool.variable(variable_kind::dst, 0), y = pool.variable(variable_kind::dst, 1);
    term one = pool.constant(one_word), zero = pool.constant(0);

    bool is_blackhole() const { return GetParam() == architecture::blackhole; }
    term negative_of(term word) { return pool.xor_of(word, pool.constant(sign_word)); }
    term mad(term a, term b, term c) { return multiplied_added(pool, a, b, c); }
    term cast_of(term word) {
        isa::instruction insn{};
        insn.op = isa::find_row(isa::opcode::sfpcast, GetParam());
        insn.vc = 2;
        return cast(pool, insn, {no_term, no_term, word});
    }
    /// Where the condition holds.
    term_difference::kind compared(term where, term a, term b) {
        smt_solver solver;
        solver_limits limits;
        limits.seconds = 300; // of a busy machine
        return solver.difference(pool, pool.choose(where, a, zero), pool.choose(where, b, zero), limits)
            .found;
    }
    bool hold(term where, term a, term b) { return compared(where, a, b) == term_difference::kind::none; }
    bool fail(term where, term a, term b) { return compared(where, a, b) == term_difference::kind::some; }
    term always() { return pool.truth(true); }
    term exponent_of(term word) { return pool.route(word, -23, 0xffu); }
    /// least <= word <= greatest, both as small positive numbers.
    term within(term word, std::uint32_t least, std::uint32_t greatest) {
        return pool.both_hold(pool.negate(pool.less(word, pool.constant(least))),
                              pool.negate(pool.less(pool.constant(greatest), word)));
    }
    term is_no_nan(term word) { return within(pool.keep(word, ~sign_word), 0, 0x7f800000u); }
};

TEST_P(statements, a_move_through_a_multiply_add_keeps_normal_numbers_infinities_and_plus_zero) {
    const term kept =
        pool.both_hold(is_no_nan(x), pool.either_holds(pool.negate(pool.zero(exponent_of(x))), pool.zero(x)));
    EXPECT_TRUE(hold(kept, mad(one, x, zero), x));
    EXPECT_TRUE(hold(kept, mad(zero, one, x), x));
    EXPECT_TRUE(hold(kept, mad(zero, zero, x), x));
    EXPECT_TRUE(fail(is_no_nan(x), mad(one, x, zero), x));
    const term negated_zero = pool.constant(sign_word); // NEGATE_VC of 0
    const term normal_or_zero =
        pool.both_hold(is_no_nan(x), pool.either_holds(pool.negate(pool.zero(exponent_of(x))),
                                                       pool.zero(pool.keep(x, ~sign_word))));
    EXPECT_EQ(hold(normal_or_zero, mad(one, x, negated_zero), x), is_blackhole());
}

/// As the machine computes it: multiplied_added() takes the addend for zero.
TEST_P(statements, a_small_integer_added_by_a_multiply_add_is_zero) {
    term_operator by{};
    by.insn.op = isa::find_row(isa::opcode::sfpmad, GetParam());
    by.insn.vb = 1;
    by.insn.vc = 2;
    by.insn.vd = isa::macro_lreg;
    by.count = 3;
    for (std::uint8_t i = 0; i < 8; ++i) by.reads[i] = i;
    const auto as_computed = [&](term a, term b, term c) {
        const term parts[3] = {a, b, c};
        return pool.apply(by, parts);
    };
    const term small = pool.keep(y, 0x007fffffu), one_more = pool.keep(y, 0x00ffffffu);
    EXPECT_EQ(mad(x, one, small), mad(x, one, zero));
    EXPECT_NE(mad(x, one, one_more), mad(x, one, zero));
    EXPECT_TRUE(hold(always(), as_computed(one, x, small), as_computed(one, x, zero)));
    EXPECT_TRUE(fail(always(), as_computed(one, x, one_more), as_computed(one, x, zero)));
    // On Blackhole -0 and -0 is -0.
    const term negative_small = pool.or_of(small, pool.constant(sign_word));
    EXPECT_EQ(fail(always(), as_computed(one, x, negative_small), as_computed(one, x, zero)), is_blackhole());
}

/// For every bound from 2^-102 on, and for none smaller.
TEST_P(statements, a_difference_tells_what_is_less) {
    const term bound = y, size = pool.keep(bound, ~sign_word);
    const term difference = mad(x, one, negative_of(bound));
    const term lower = pool.choose(pool.negative(difference), bound, x),
               upper = pool.choose(pool.negative(difference), x, bound);
    const term greater = pool.choose(pool.less(x, bound), bound, x),
               lesser = pool.choose(pool.less(bound, x), bound, x);
    constexpr std::uint32_t least = 0x0c800000u, greatest = 0x7f7fffffu;
    const term is_negative_nan = pool.less(x, pool.constant(0xff800000u));
    const term is_normal = within(size, least, greatest);
    const term where = is_blackhole() ? pool.both_hold(is_normal, pool.negate(is_negative_nan)) : is_normal;
    EXPECT_TRUE(hold(where, lower, greater));
    EXPECT_TRUE(hold(where, upper, lesser));
    if (is_blackhole()) {
        EXPECT_TRUE(fail(is_normal, lower, greater));
    }
    // x > bound, which asks whether the difference is zero: one that is denormal becomes that.
    const term is_not_greater = pool.either_holds(pool.negative(difference), pool.zero(difference));
    const term strictly = pool.choose(is_not_greater, x, bound);
    const term is_smaller = pool.both_hold(within(size, 0x00800000u, least - 1), is_no_nan(x));
    EXPECT_TRUE(hold(where, strictly, lesser));
    EXPECT_TRUE(fail(is_smaller, strictly, lesser));
}

TEST_P(statements, zero_added_keeps_what_is_neither_denormal_nor_nan_nor_minus_zero) {
    const term size = pool.keep(x, 0x7fffffffu);
    EXPECT_TRUE(hold(always(), mad(zero, one, cast_of(size)), cast_of(size)));
    EXPECT_TRUE(fail(always(), mad(zero, one, cast_of(x)), cast_of(x)));
}

TEST_P(statements, the_mantissa_of_2_to_the_23_and_an_integer_is_the_integer) {
    const term integer = pool.keep(x, 0x00ffffffu);
    const auto sum = [&](std::uint32_t addend) { return mad(cast_of(integer), one, pool.constant(addend)); };
    const auto said = [&](std::uint32_t addend) { return pool.add(integer, pool.constant(addend)); };
    EXPECT_TRUE(hold(within(integer, 0, 1u << 23), sum(0x4b000000u), said(0x4b000000u)));
    EXPECT_TRUE(fail(within(integer, (1u << 23) + 1, (1u << 24) - 1), sum(0x4b000000u), said(0x4b000000u)));
    EXPECT_TRUE(hold(within(integer, 0, (1u << 23) - 724), sum(0x4b0002d4u), said(0x4b0002d4u)));
}

TEST_P(statements, a_power_of_two_adds_to_the_exponent_of_normal_numbers) {
    const term four = pool.constant(0x40800000u), two = pool.constant(2);
    const term scaled =
        pool.or_of(pool.keep(x, 0x807fffffu), pool.route(pool.add(exponent_of(x), two), 23, 0x7f800000u));
    EXPECT_TRUE(hold(within(exponent_of(x), 1, 252), mad(x, four, zero), scaled));
    EXPECT_TRUE(fail(within(exponent_of(x), 0, 252), mad(x, four, zero), scaled));
    EXPECT_TRUE(fail(within(exponent_of(x), 1, 253), mad(x, four, zero), scaled));
}

/// A store as FP32 makes denormals zeros on Blackhole; what cannot be one comes back as it was.
TEST_P(statements, a_multiply_add_leaves_no_denormal_on_blackhole) {
    const term sum = mad(x, y, pool.variable(variable_kind::dst, 2));
    const term fraction = pool.choose(pool.zero(exponent_of(sum)), pool.keep(sum, 0x7fffffu), zero);
    if (is_blackhole()) {
        EXPECT_TRUE(hold(always(), fraction, zero));
    }
    const auto stored = [&](term word) {
        return loaded_word(pool, isa::dst_mode::fp32, stored_cell(pool, isa::dst_mode::fp32, word), zero);
    };
    EXPECT_EQ(stored(sum), sum);
    EXPECT_EQ(stored(x) == x, !is_blackhole());
}

/// By night for every number.
TEST(statement, sfparecip_leaves_no_denormal) {
    constexpr std::uint64_t by_day = 997;
    const std::uint64_t step = std::getenv("SFPU_NIGHTLY") != nullptr ? 1 : by_day;
    term_pool pool(architecture::blackhole);
    const term x = pool.variable(variable_kind::dst, 0);
    isa::instruction insn{};
    insn.op = isa::find_row(isa::opcode::sfparecip, architecture::blackhole);
    insn.vc = 2;
    const term reciprocal = simple_word(pool, insn, {no_term, no_term, x});
    const term stored = stored_cell(pool, isa::dst_mode::fp32, reciprocal);
    EXPECT_EQ(loaded_word(pool, isa::dst_mode::fp32, stored, x), reciprocal);
    term_operator by{};
    by.insn = insn;
    by.insn.vd = isa::macro_lreg;
    by.count = 1;
    by.reads[0] = 2;
    std::uint64_t denormals = 0;
    for (std::uint64_t first = 0; first < std::uint64_t{1} << 32; first += lane_count * step) {
        lanes number;
        for (unsigned lane = 0; lane < lane_count; ++lane)
            number.v[lane] = static_cast<std::uint32_t>(first + lane * step);
        const lanes found = operator_values(by, architecture::blackhole, &number);
        for (unsigned lane = 0; lane < lane_count; ++lane)
            denormals += (found.v[lane] & 0x7f800000u) == 0 && (found.v[lane] & 0x7fffffu) != 0;
    }
    EXPECT_EQ(denormals, 0u);
}

TEST_P(statements, the_mantissa_of_2_to_the_23_and_a_sum_is_what_rounds_to_16_bits) {
    const term a = cast_of(pool.keep(x, 0xffu)), b = cast_of(pool.keep(y, 0xffu));
    isa::instruction insn{};
    insn.op = isa::find_row(isa::opcode::sfpstochrnd, GetParam());
    insn.mod = 6; // FP32_TO_UINT16
    const term to_16_bits = rounded(pool, insn, {no_term, no_term, mad(a, b, zero)});
    const term mantissa = pool.keep(mad(a, b, pool.constant(0x4b000000u)), 0x7fffffu);
    EXPECT_TRUE(integer_terms(pool).are_equal(to_16_bits, mantissa));
    const term wide = cast_of(pool.keep(x, 0x1ffu));
    const term saturates = rounded(pool, insn, {no_term, no_term, mad(wide, wide, zero)});
    const term not_16_bits = pool.keep(mad(wide, wide, pool.constant(0x4b000000u)), 0x7fffffu);
    EXPECT_FALSE(integer_terms(pool).are_equal(saturates, not_16_bits)) << "it saturates";
}

/// All products of 11 bits, with addends to 2^23 and beyond: what integer_terms takes for exact.
TEST_P(statements, sums_of_products_of_eleven_bits_are_exact) {
#ifdef SFPU_INSTRUMENTED
    constexpr std::uint32_t step = 37;
#else
    constexpr std::uint32_t step = 1;
#endif
    constexpr std::uint32_t count = 1u << 11;
    term_operator by{};
    by.insn.op = isa::find_row(isa::opcode::sfpmad, GetParam());
    by.insn.va = 0;
    by.insn.vb = 1;
    by.insn.vc = 2;
    by.insn.vd = isa::macro_lreg;
    by.count = 3;
    for (std::uint8_t i = 0; i < 3; ++i) by.reads[i] = i;
    std::vector<std::uint32_t> as_float;
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto converted = static_cast<float>(i);
        as_float.push_back(__builtin_bit_cast(std::uint32_t, converted));
    }
    std::uint64_t wrong = 0;
    for (const std::uint32_t addend : {1u << 23, (1u << 23) + 724u}) {
        for (std::uint32_t a = 0; a < count; a += step) {
            lanes parts[3] = {broadcast(as_float[a]), {}, broadcast(0x4b000000u + addend - (1u << 23))};
            for (std::uint32_t b = 0; b < count; b += lane_count) {
                for (unsigned lane = 0; lane < lane_count; ++lane) parts[1].v[lane] = as_float[b + lane];
                const lanes sums = operator_values(by, GetParam(), parts);
                for (unsigned lane = 0; lane < lane_count; ++lane)
                    wrong += sums.v[lane] != 0x4b000000u + addend - (1u << 23) + a * (b + lane);
            }
        }
    }
    EXPECT_EQ(wrong, 0u);
}

/// The formulas are what the model computes.
TEST_P(statements, formulas_of_operators_are_the_model) {
    const std::uint32_t edges[] = {0,           sign_word,   1,           0x007fffffu, 0x00800000u,
                                   0x80800000u, 0x7f7fffffu, 0x7f800000u, 0xff800000u, 0x7fc00000u,
                                   0xffc00001u, one_word,    0xbf800000u, 0x4b000000u, 0x0c800000u,
                                   0x34000000u, 0x7fffffffu, 0xffffffffu};
    std::mt19937 random(5);
    const auto some = [&]() -> std::uint32_t {
        if (random() % 3 == 0) return edges[random() % std::size(edges)];
        if (random() % 2 == 0) return static_cast<std::uint32_t>(random());
        return one_word + static_cast<std::uint32_t>(random() % (1u << 27)); // of like sizes
    };
    z3::context context;
    operator_formula formulas(context, GetParam());
    const auto value_of = [&](const term_operator& by, const std::uint32_t* words) {
        z3::expr_vector arguments(context);
        for (unsigned i = 0; i < by.count; ++i) arguments.push_back(context.bv_val(words[i], 32));
        return static_cast<std::uint32_t>(formulas.of(by, arguments)->simplify().get_numeral_uint64());
    };
    constexpr unsigned tries = 300;
    for (const std::uint8_t code : {isa::opcode::sfpmad, isa::opcode::sfpcast, isa::opcode::sfplz})
        for (unsigned i = 0; i < tries; ++i) {
            const std::uint32_t words[3] = {some(), some(), some()};
            term_operator by{};
            by.insn.op = isa::find_row(code, GetParam());
            by.insn.va = 0;
            by.insn.vb = 1;
            by.insn.vc = 2;
            by.insn.vd = isa::macro_lreg;
            by.count = code == isa::opcode::sfpmad ? 3 : 1;
            for (std::uint8_t k = 0; k < 3; ++k) by.reads[k] = k;
            if (by.count == 1) by.reads[0] = 2;
            lanes arguments[3] = {broadcast(words[0]), broadcast(words[1]), broadcast(words[2])};
            ASSERT_EQ(value_of(by, words), operator_values(by, GetParam(), arguments)[0])
                << by.insn.op->mnemonic << std::hex << " " << words[0] << " " << words[1] << " " << words[2];
        }
}

INSTANTIATE_TEST_SUITE_P(chips, statements, testing::Values(architecture::blackhole, architecture::wormhole),
                         [](const auto& chip) {
                             return chip.param == architecture::blackhole ? "blackhole" : "wormhole";
                         });

} // namespace
} // namespace sfpu::test
