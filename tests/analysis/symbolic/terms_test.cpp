// The normal form: what means the same is the same term, and what does not is not.
#include <sfpu/analysis/smt_solver.h>
#include <sfpu/analysis/terms.h>

#include "word_functions.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace sfpu::test {
namespace {

using namespace analysis;

struct terms : testing::Test {
    term_pool pool{architecture::blackhole};
    term x = pool.variable(variable_kind::dst, 0), y = pool.variable(variable_kind::dst, 1);
    term word(std::uint32_t value) { return pool.constant(value); }
    term_difference::kind decided(term a, term b) {
        smt_solver solver;
        return solver.difference(pool, a, b, {}).found;
    }
};

TEST_F(terms, halves_put_together_are_the_word) {
    const term upper = pool.route(x, -16), lower = pool.keep(x, 0xffffu);
    EXPECT_EQ(pool.or_of(pool.route(upper, 16), lower), x);
    EXPECT_NE(pool.or_of(pool.route(lower, 16), upper), x);
}

TEST_F(terms, sums_do_not_know_the_order_they_were_made_in) {
    EXPECT_EQ(pool.add(pool.add(x, word(3)), pool.subtract(y, word(3))), pool.add(y, x));
    EXPECT_EQ(pool.add(x, x), pool.route(x, 1));
    EXPECT_NE(pool.subtract(x, y), pool.subtract(y, x));
}

TEST_F(terms, a_choice_of_the_same_is_no_choice) {
    const term is_negative = pool.negative(x);
    EXPECT_EQ(pool.choose(is_negative, y, y), y);
    EXPECT_EQ(pool.choose(is_negative, pool.choose(is_negative, x, y), y), pool.choose(is_negative, x, y));
    EXPECT_EQ(pool.negate(pool.negate(is_negative)), is_negative);
    EXPECT_EQ(pool.both_hold(is_negative, pool.negate(is_negative)), pool.truth(false));
}

TEST_F(terms, a_choice_where_a_condition_holds_is_decided_by_it) {
    const term z = pool.variable(variable_kind::dst, 2);
    const term both = pool.both_hold(pool.negative(x), pool.zero(y));
    EXPECT_EQ(pool.choose(both, x, pool.choose(pool.negate(both), y, z)), pool.choose(both, x, y));
    EXPECT_EQ(pool.choose(both, pool.choose(pool.negative(x), y, z), x), pool.choose(both, y, x));
    const term one = pool.choose(pool.negative(x), pool.choose(pool.zero(y), y, z), x);
    EXPECT_NE(one, pool.choose(pool.negative(x), y, x)) << "another condition decides nothing";
}

TEST_F(terms, a_choice_below_arithmetic_is_decided_where_the_condition_holds) {
    const term z = pool.variable(variable_kind::dst, 2);
    const term is_zero = pool.zero(z), choice = pool.choose(is_zero, x, z);
    const auto expect_decided = [&](term of_choice, term of_x) {
        EXPECT_EQ(pool.choose(is_zero, of_choice, y), pool.choose(is_zero, of_x, y));
        EXPECT_NE(pool.choose(pool.negate(is_zero), of_choice, y),
                  pool.choose(pool.negate(is_zero), of_x, y));
    };
    expect_decided(pool.scale(choice, 3), pool.scale(x, 3));
    expect_decided(pool.subtract(y, choice), pool.subtract(y, x));
    expect_decided(pool.or_of(choice, y), pool.or_of(x, y));
    expect_decided(pool.and_of(choice, y), pool.and_of(x, y));
    expect_decided(pool.shift(choice, y), pool.shift(x, y));
    expect_decided(pool.shift_arithmetic(y, choice), pool.shift_arithmetic(y, x));
}

TEST_F(terms, maxima_of_maxima_are_not_written_out) {
    std::vector<term> words;
    for (std::uint32_t i = 0; i < 8; ++i) words.push_back(pool.variable(variable_kind::dst, i));
    constexpr unsigned rounds = 40;
    for (unsigned round = 0; round < rounds; ++round) // as SFPSWAP puts registers in order
        for (std::size_t i = round % 2; i + 1 < words.size(); i += 2) {
            const term turned = pool.less(words[i + 1], words[i]);
            const term least = pool.choose(turned, words[i + 1], words[i]);
            words[i + 1] = pool.choose(turned, words[i], words[i + 1]);
            words[i] = least;
        }
    EXPECT_LT(pool.size(), 20'000u);
    const term few = pool.choose(pool.less(x, y), x, y);
    EXPECT_EQ(pool.less(few, word(5)),
              pool.choose_condition(pool.less(x, y), pool.less(x, word(5)), pool.less(y, word(5))));
}

TEST_F(terms, a_word_whose_sign_is_turned_is_zero_where_it_is_the_sign_alone) {
    const term sign = word(0x80000000u);
    for (const term turned :
         {pool.xor_of(x, sign), pool.add(x, sign), pool.subtract(pool.add(x, y), pool.xor_of(y, sign))}) {
        const term is_zero = pool.zero(turned);
        EXPECT_EQ(decided(pool.choose(is_zero, x, sign), sign), term_difference::kind::none);
        EXPECT_EQ(decided(pool.choose(is_zero, sign, x), x), term_difference::kind::none);
        EXPECT_EQ(decided(pool.choose(is_zero, y, x), x), term_difference::kind::some)
            << "some x is the sign";
    }
}

TEST_F(terms, a_solver_decides_what_the_normal_form_does_not) {
    // x & y + x | y = x + y
    const term sum = pool.add(pool.and_of(x, y), pool.or_of(x, y));
    EXPECT_NE(sum, pool.add(x, y));
    EXPECT_EQ(decided(sum, pool.add(x, y)), term_difference::kind::none);
    EXPECT_EQ(decided(sum, pool.add(x, pool.add(y, word(1)))), term_difference::kind::some);
}

TEST_F(terms, values_of_the_solver_are_such_that_the_terms_differ) {
    const term is_one = pool.zero(pool.subtract(x, word(0x12345678)));
    smt_solver solver;
    const term_difference found = solver.difference(pool, x, pool.choose(is_one, y, x), {});
    ASSERT_EQ(found.found, term_difference::kind::some);
    std::uint32_t of_x = 0, of_y = 0;
    for (const auto& [which, value] : found.values) (which == x ? of_x : of_y) = value;
    EXPECT_EQ(of_x, 0x12345678u);
    EXPECT_NE(of_y, of_x);
}

TEST_F(terms, a_solver_that_is_interrupted_knows_nothing) {
    smt_solver solver;
    solver_limits limits;
    limits.interrupted = [] { return true; };
    EXPECT_EQ(solver.difference(pool, x, y, limits).found, term_difference::kind::not_known);
}

TEST_F(terms, a_limit_counts_what_the_thread_computes_and_not_what_it_waits) {
    // x * y + 1 and x * y + 2: a function is asked again where its model is wrong, which is behind the wait.
    const term one = multiplied_added(pool, x, y, word(0x3f800000u)),
               two = multiplied_added(pool, x, y, word(0x40000000u));
    smt_solver solver;
    solver_limits limits;
    limits.seconds = 8; // instrumented code takes three
    bool has_waited = false;
    limits.interrupted = [&has_waited, asks = std::this_thread::get_id()] {
        if (std::this_thread::get_id() == asks && !has_waited) {
            has_waited = true;
            std::this_thread::sleep_for(std::chrono::milliseconds(8100));
        }
        return false;
    };
    EXPECT_EQ(solver.difference(pool, one, two, limits).found, term_difference::kind::some);
    EXPECT_TRUE(has_waited);
    limits.seconds = 0;
    EXPECT_EQ(solver.difference(pool, one, two, limits).found, term_difference::kind::not_known);
}

} // namespace
} // namespace sfpu::test
