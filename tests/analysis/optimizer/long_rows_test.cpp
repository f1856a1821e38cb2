// Rows that the solver cannot finish: schedules by a heuristic, and limits of time and memory.
#include "heuristic_search.h"
#include "schedule_lab.h"

#include <sfpu/analysis/optimize.h>
#include <sfpu/optimizer/search.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <string>

namespace sfpu::test {
namespace {

/// A row of 2 + 4 `rounds` words: products, shifts and sums of two loaded numbers.
std::string hash_row(unsigned rounds) {
    std::string text = ".arch bh\n.rows 32\n.input x, 0x00, i32\n.input z, 0x40, i32\n.output y, 0x80, i32\n"
                       ".init\nsetc16 34, 2\nsetc16 35, 0\n.loop\n"
                       "sfpload L0, INT32, ADDR_MOD_7, x\nsfpload L3, INT32, ADDR_MOD_7, z\n";
    for (unsigned i = 0; i < rounds; ++i)
        text += fmt::format("sfpmul24 L0, L3, L9, L1, 0\nsfpshft -{}, L0, L2, 1|4\n"
                            "sfpxor 0, L2, L1, 0\nsfpiadd 0, L1, L0, 4\n",
                            7 + i % 3);
    return text + "sfpstore L0, INT32, ADDR_MOD_6, y\n";
}

analysis::optimize_request request_of_hash(unsigned rounds, std::int64_t conflicts) {
    analysis::optimize_request request;
    request.name = "hash.s";
    request.text = hash_row(rounds);
    request.conflicts = conflicts;
    return request;
}

optimizer::heuristic_search::effort steps(std::int64_t count, unsigned jobs = 1) {
    optimizer::heuristic_search::effort within;
    within.steps = count;
    within.jobs = jobs;
    return within;
}

unsigned words_of(const optimizer::graph& row) { return static_cast<unsigned>(row.nodes.size()); }

TEST(heuristic, what_it_finds_for_random_rows_is_right_on_the_machine) {
    const machine_settings heuristic_machines[] = {{},
                                                   {{"macro.templates", "6"}},
                                                   {{"sfpu.latency.mad", "3"}},
                                                   {{"sfpu.write_port_rule", "false"}},
                                                   {{"dst.store_load_visible", "2"}}};
    unsigned found = 0, with_macros = 0;
    for (unsigned seed = 1; seed <= 120; ++seed) {
        std::mt19937 numbers(seed);
        const auto chip = seed % 3 ? architecture::blackhole : architecture::wormhole;
        const std::string text = random_kernel(numbers, chip, 3 + seed % 8, seed % 4 == 0, true);
        try {
            const schedule_lab lab(text, heuristic_machines[seed % std::size(heuristic_machines)]);
            optimizer::heuristic_search search(lab.graph(), lab.machine());
            if (!search.usable()) continue;
            const unsigned least = optimizer::lower_bound(lab.graph(), lab.machine()).interval;
            for (unsigned interval = words_of(lab.graph()) + 4; interval >= least; --interval) {
                const auto answer = search.find(interval, steps(1500));
                if (!answer.found) break;
                ++found;
                with_macros += answer.found->macros_used() > 0;
                const run_verdict verdict = lab.run(*answer.found);
                ASSERT_TRUE(verdict.legal) << "seed " << seed << "\n"
                                           << lab.description() << verdict.kernel << verdict.why;
            }
        } catch (const unusable_kernel&) {
        }
    }
    EXPECT_GT(found, 200u);
    EXPECT_GT(with_macros, 60u);
}

TEST(heuristic, what_it_finds_is_a_schedule_of_the_formula) {
    const schedule_lab lab(hash_row(1), {});
    optimizer::heuristic_search search(lab.graph(), lab.machine());
    const auto answer = search.find(words_of(lab.graph()) - 1, steps(100'000));
    ASSERT_TRUE(answer.found);
    EXPECT_GT(answer.found->macros_used(), 0u);
    judged_limits limits;
    limits.interval = answer.found->interval;
    limits.horizon = std::max(limits.interval, answer.found->last_time + 1);
    limits.copies = 5;
    optimizer::schedule found = *answer.found;
    normalise(lab, found);
    EXPECT_TRUE(formula_judge(lab, limits).allows_likewise(found));
}

TEST(heuristic, the_number_of_threads_changes_nothing) {
    const schedule_lab lab(hash_row(4), {});
    const unsigned interval = words_of(lab.graph()) - 1;
    optimizer::heuristic_search alone(lab.graph(), lab.machine()), many(lab.graph(), lab.machine());
    const auto one = alone.find(interval, steps(40'000)), other = many.find(interval, steps(40'000, 3));
    ASSERT_EQ(one.found.has_value(), other.found.has_value());
    EXPECT_EQ(one.steps, other.steps);
    ASSERT_TRUE(one.found);
    EXPECT_EQ(one.found->templates, other.found->templates);
    ASSERT_EQ(one.found->operations.size(), other.found->operations.size());
    for (std::size_t i = 0; i < one.found->operations.size(); ++i)
        EXPECT_EQ(one.found->operations[i].time, other.found->operations[i].time);
}

// The bound of this row of 39 words is 18; without macros it takes 39.
TEST(long_row, gets_macros_soon) {
    const analysis::optimize_answer answer = analysis::optimize(request_of_hash(9, 1'500));
    ASSERT_TRUE(answer.best);
    EXPECT_GT(answer.best->macros, 0u);
    EXPECT_LE(answer.best->cycles_per_row, 1.6 * answer.bound_cycles_per_row);
}

// The zero is a constant of the loop, and half of its lanes are overwritten in each row: with the zero in a
// constant register there is no schedule.
TEST(long_row, a_constant_that_some_lanes_overwrite_is_no_obstacle) {
    std::string text = ".arch bh\n.rows 32\n.init\nsetc16 34, 2\nsetc16 35, 0\nsfpencc 3, 0, 0, 10\n.loop\n"
                       "sfpload L0, INT32, ADDR_MOD_7, 0\nsfploadi L1, USHORT, 0\nsfpsetcc 0, L0, L0, 0\n"
                       "sfpmov 0, L0, L1, 0\nsfpencc 0, 0, 0, 0\n";
    for (int i = 1; i <= 10; ++i) text += fmt::format("sfpiadd {}, L{}, L1, 5\n", i, i % 2);
    analysis::optimize_request request;
    request.name = "halves.s";
    request.text = text + "sfpxor 0, L0, L1, 0\nsfpstore L1, INT32, ADDR_MOD_6, 0\n";
    request.conflicts = 600;
    const analysis::optimize_answer answer = analysis::optimize(request);
    ASSERT_TRUE(answer.best);
    EXPECT_LT(answer.best->cycles_per_row, answer.plain_cycles_per_row);
}

TEST(limits, a_formula_that_is_too_large_is_not_made) {
    const schedule_lab lab(hash_row(20), {});
    optimizer::formula_limits limits;
    limits.interval = 60;
    limits.horizon = 120;
    limits.within.bytes = std::size_t{8} << 20;
    EXPECT_GT(optimizer::estimated_bytes(lab.graph(), lab.machine(), limits), limits.within.bytes);
    try {
        const optimizer::formula problem(lab.graph(), lab.machine(), limits);
        ADD_FAILURE() << problem.clauses().bytes();
    } catch (const optimizer::out_of_budget& reason) {
        EXPECT_TRUE(reason.memory);
    }
}

// What is counted beforehand is less than what is there afterwards, and not by much.
TEST(limits, the_size_of_a_formula_is_known_before_it_is_made) {
    for (const unsigned rounds : {2u, 5u}) {
        const schedule_lab lab(hash_row(rounds), {});
        optimizer::formula_limits limits;
        limits.interval = 4 * rounds;
        limits.horizon = optimizer::horizon_for(lab.graph(), limits.interval);
        const auto said = optimizer::estimated_bytes(lab.graph(), lab.machine(), limits);
        const auto is = optimizer::formula(lab.graph(), lab.machine(), limits).clauses().bytes();
        EXPECT_LT(said, 2 * is);
        EXPECT_GT(said, is / 4);
    }
}

TEST(limits, making_a_formula_stops_when_it_is_told_to) {
    const schedule_lab lab(hash_row(8), {});
    optimizer::formula_limits limits;
    limits.interval = 30;
    limits.horizon = 70;
    unsigned asked = 0;
    limits.within.stopped = [&] { return ++asked == 3; };
    try {
        const optimizer::formula problem(lab.graph(), lab.machine(), limits);
        ADD_FAILURE();
    } catch (const optimizer::out_of_budget& reason) {
        EXPECT_FALSE(reason.memory);
    }
    EXPECT_EQ(asked, 3u);
}

TEST(limits, a_row_of_hundreds_of_words_ends_in_time) {
    analysis::optimize_request request = request_of_hash(150, 0);
    request.seconds = 1;
    const double start = thread_seconds();
    analysis::optimize(request);
#ifdef SFPU_INSTRUMENTED
    constexpr double kernel_itself = 40;
#else
    constexpr double kernel_itself = 0;
#endif
    EXPECT_LT(thread_seconds() - start, 1 + 2 + kernel_itself) << "two seconds over";
}

} // namespace
} // namespace sfpu::test
