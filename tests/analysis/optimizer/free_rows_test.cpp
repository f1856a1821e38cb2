// Rows with instructions of their own: what several rows take together, and rows that are written once or
// more.
#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/kernel_comparison.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/optimize.h>
#include <sfpu/optimizer/formula.h>
#include <sfpu/optimizer/free_rows.h>
#include <sfpu/optimizer/search.h>
#include <sfpu/platform/core_runner.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <stdexcept>
#include <string>

namespace sfpu::test {
namespace {

using analysis::optimize_answer;

/// A kernel of 32 rows. The last access of `loop` moves the counter.
std::string kernel_text(const std::string& loop, unsigned rows = 1, const std::string& init = {},
                        unsigned step = 2) {
    return fmt::format(".arch bh\n.rows 32\n.init\n    setc16 34, {}\n    setc16 35, 0\n{}.loop {}\n{}", step,
                       init, rows, loop);
}

optimize_answer optimized(const std::string& text, std::int64_t conflicts = 100'000) {
    analysis::optimize_request request;
    request.name = "row.s";
    request.text = text;
    request.conflicts = conflicts;
    return analysis::optimize(request);
}

isa::kernel assembled(const std::string& text) {
    const isa::assembly done = isa::assemble(text, "row.s", isa::make_machine({}).encoding());
    if (!done.ok()) throw std::runtime_error(done.errors.front().to_string());
    return done.program;
}

unsigned rows_of_rolled(const std::string& text) {
    const isa::machine machine = isa::make_machine({});
    isa::thread_state thread;
    thread.reset(machine.chip);
    return optimizer::rolled_up(assembled(text), machine, thread, true).rows_per_iteration;
}

const std::string sum_init = "    sfploadi L0, USHORT, 0\n";
const std::string sum = "    sfpload L1, INT32, ADDR_MOD_6, 0\n    sfpiadd 0, L1, L0, 4\n";
const std::string sum_tail = ".tail\n    sfpstore L0, INT32, ADDR_MOD_7, 200\n";

// A row loads once, so that one cycle is the least. SFPIADD of a macro leaves its sum in the register that is
// loaded, and takes the one of the row before from a register that its template names: with one template the
// sum would have to be in the register that is loaded next.
TEST(free_rows, a_running_sum_takes_a_cycle_as_its_register_changes_from_row_to_row) {
    const optimize_answer answer = optimized(kernel_text(sum, 1, sum_init) + sum_tail);
    ASSERT_TRUE(answer.best);
    EXPECT_EQ(answer.best->cycles_per_row, 1);
    EXPECT_EQ(answer.best->rows_per_iteration % 2, 0u);
    EXPECT_TRUE(answer.proved);
    EXPECT_EQ(answer.bound_cycles_per_row, 1);
}

// Two loads a row. SFPSWAP keeps Simple and Round for two cycles: there is no time left in a schedule of two.
// The maximum has to be in the register whose load names the place that it goes to, whichever that is.
TEST(free_rows, the_greater_of_two_takes_two_cycles_whichever_way_the_exchange_is_written) {
    for (const char* exchange : {"sfpswap 0, L0, L1, 1\n    sfpnop\n    sfpstore L0",
                                 "sfpswap 0, L1, L0, 1\n    sfpnop\n    sfpstore L1"}) {
        const optimize_answer answer = optimized(kernel_text(fmt::format(
            "    sfpload L0, FP32, ADDR_MOD_7, 0\n    sfpload L1, FP32, ADDR_MOD_7, 64\n    {}, FP32, "
            "ADDR_MOD_6, 0\n",
            exchange)));
        ASSERT_TRUE(answer.best) << exchange;
        EXPECT_EQ(answer.best->cycles_per_row, 2) << exchange;
    }
}

/// x of a row becomes x times a constant where it is negative; registers a and b.
std::string leaky_row(unsigned a, unsigned address, const char* modifier) {
    return fmt::format("    sfpload L{0}, FP32, ADDR_MOD_7, {1}\n    sfpsetcc 0, L{0}, 0, 0\n"
                       "    sfpmul L{0}, L7, L9, L{0}, 0\n    sfpnop\n    sfpencc 0, 0, 0, 0\n"
                       "    sfpstore L{0}, FP32, {2}, {1}\n",
                       a, address, modifier);
}
const std::string leaky_init = "    sfpencc 3, 0, 0, 10\n    sfploadi L7, FLOATB, 0x3dcd\n";

// By one row of the loop it takes three cycles, by four 2.25: each has delays of its own.
TEST(free_rows, a_row_that_is_written_four_times_is_scheduled_as_well_as_one) {
    const optimize_answer once = optimized(kernel_text(leaky_row(0, 0, "ADDR_MOD_6"), 1, leaky_init), 20'000),
                          more = optimized(
                              kernel_text(leaky_row(0, 0, "ADDR_MOD_7") + leaky_row(1, 2, "ADDR_MOD_7") +
                                              leaky_row(2, 4, "ADDR_MOD_7") + leaky_row(3, 6, "ADDR_MOD_6"),
                                          4, leaky_init, 8),
                              20'000);
    ASSERT_TRUE(once.best && more.best);
    EXPECT_LE(once.best->cycles_per_row, 2.5);
    EXPECT_EQ(once.best->cycles_per_row, more.best->cycles_per_row);
    EXPECT_EQ(once.bound_cycles_per_row, more.bound_cycles_per_row);
    EXPECT_EQ(once.proved, more.proved);
    EXPECT_EQ(once.open, more.open);
    ASSERT_EQ(once.refuted.size(), more.refuted.size());
    for (std::size_t i = 0; i < once.refuted.size(); ++i)
        EXPECT_EQ(once.refuted[i].cycles_per_row, more.refuted[i].cycles_per_row);
}

TEST(free_rows, equal_rows_are_rolled_up_and_others_are_not) {
    const auto two = [](const std::string& second, unsigned step = 4) {
        return rows_of_rolled(kernel_text(leaky_row(0, 0, "ADDR_MOD_7") + second, 2, leaky_init, step));
    };
    EXPECT_EQ(two(leaky_row(0, 2, "ADDR_MOD_6")), 1u);
    EXPECT_EQ(two(leaky_row(3, 2, "ADDR_MOD_6")), 1u) << "in another register";
    EXPECT_EQ(two(leaky_row(3, 4, "ADDR_MOD_6")), 2u) << "at an address that is none of the next row";
    EXPECT_EQ(two(leaky_row(3, 2, "ADDR_MOD_6"), 6), 2u) << "the third is further away than the second";
    EXPECT_EQ(two("    sfpnop\n" + leaky_row(3, 2, "ADDR_MOD_6")), 1u) << "SFPNOP is no work";
    std::string other = leaky_row(3, 2, "ADDR_MOD_6");
    other.replace(other.find("L7, L9"), 6, "L7, L10");
    EXPECT_EQ(two(other), 2u) << "one adds 1";
}

TEST(free_rows, four_rows_of_two_kinds_are_two_rows) {
    const std::string
        negated = "    sfpload L0, INT32, ADDR_MOD_7, {}\n    sfpnot 0, L0, L1, 0\n    sfpstore L1, "
                  "INT32, {}, {}\n",
        moved = "    sfpload L2, INT32, ADDR_MOD_7, {}\n    sfpabs 0, L2, L3, 0\n    sfpstore L3, INT32, "
                "{}, {}\n";
    std::string loop;
    for (unsigned row = 0; row < 4; ++row)
        loop += fmt::format(fmt::runtime(row % 2 ? moved : negated), 2 * row,
                            row == 3 ? "ADDR_MOD_6" : "ADDR_MOD_7", 2 * row);
    EXPECT_EQ(rows_of_rolled(kernel_text(loop, 4, {}, 8)), 2u);
}

optimizer::outcome asked(const isa::kernel& kernel, unsigned interval) {
    const isa::machine machine = isa::make_machine({});
    isa::thread_state thread;
    thread.reset(machine.chip);
    const optimizer::graph graph = optimizer::build_graph(kernel, machine, thread, true);
    optimizer::formula_limits limits;
    limits.interval = interval;
    limits.horizon = optimizer::horizon_for(graph, interval) + interval + 4;
    limits.copies = 2;
    optimizer::solver_limits patience;
    patience.conflicts = 200'000;
    return optimizer::solve(optimizer::formula(graph, machine, limits).clauses(), {}, patience).result;
}

// A schedule of one row is one of two: what is refuted for two is refuted for one, and what one has two have.
// Values that are carried, also by lanes that keep them, and flags stand between the two.
TEST(free_rows, what_is_found_for_one_row_is_found_for_two) {
    const std::array<std::string, 4> kernels{
        kernel_text(sum, 1, sum_init) + sum_tail, kernel_text(leaky_row(0, 0, "ADDR_MOD_6"), 1, leaky_init),
        kernel_text(
            "    sfpload L0, FP32, ADDR_MOD_7, 0\n    sfpsetcc 0, L0, 0, 4\n    sfpexexp 0, L0, L2, 10\n"
            "    sfpiadd -32, L2, L2, 1\n    sfpiadd 9, L2, L2, 5\n    sfpshft 0, L2, L0, 0\n"
            "    sfpencc 0, 0, 0, 0\n    sfpstore L0, INT32, ADDR_MOD_6, 0\n",
            1, "    sfpencc 3, 0, 0, 10\n"),
        kernel_text("    sfpload L1, INT32, ADDR_MOD_7, 0\n    sfpnot 0, L0, L0, 0\n    sfpxor 0, L1, L0, 0\n"
                    "    sfpstore L0, INT32, ADDR_MOD_6, 64\n")};
    for (const std::string& text : kernels) {
        const isa::kernel one = assembled(text);
        unsigned found = 1;
        while (asked(one, found) == optimizer::outcome::refuted) ++found;
        EXPECT_EQ(asked(one, found), optimizer::outcome::satisfiable) << text;
        EXPECT_EQ(asked(optimizer::unrolled(one, 2), 2 * found), optimizer::outcome::satisfiable) << text;
    }
}

// 32 rows are no multiple of three; of 24 they are.
TEST(free_rows, only_divisors_of_the_rows_are_tried) {
    const isa::machine machine = isa::make_machine({});
    isa::thread_state thread;
    thread.reset(machine.chip);
    for (const unsigned rows : {32u, 24u, 7u}) {
        isa::kernel kernel = assembled(kernel_text(sum, 1, sum_init) + sum_tail);
        kernel.rows = rows;
        optimizer::search_options options;
        options.conflicts = 1;
        const optimizer::search_result result = optimizer::search(kernel, machine, thread, true, options);
        for (const unsigned free : result.tried_rows) EXPECT_EQ(rows % free, 0u) << rows;
        EXPECT_EQ(result.tried_rows.size(), rows == 32 ? 3u : rows == 24 ? 4u : 1u) << rows;
    }
}

// Two words a row are the least: x is loaded, and one of the three instructions has no load to schedule it on
// Simple. Store and flags of a row begin in different stages then, so that rows are peeled off the loop.
TEST(free_rows, rows_are_peeled_off_where_effects_begin_in_different_stages) {
    analysis::optimize_request request;
    request.name = "row.s";
    request.text = kernel_text(leaky_row(0, 0, "ADDR_MOD_6"), 1, leaky_init);
    request.conflicts = 60'000;
    request.llk_header = true;
    const optimize_answer answer = analysis::optimize(request);
    ASSERT_TRUE(answer.best);
    EXPECT_EQ(answer.best->cycles_per_row, 2);
    EXPECT_EQ(answer.bound_cycles_per_row, 2);
    EXPECT_TRUE(answer.proved);
    const isa::kernel found = assembled(answer.schedule);
    const unsigned peeled = found.peeled_rows, together = found.rows_per_iteration;
    EXPECT_GT(peeled, 0u);
    EXPECT_EQ((32 - peeled) % together, 0u);
    EXPECT_NE(answer.header.find(fmt::format("ITERATIONS - {}", peeled)), std::string::npos) << answer.header;

    // It computes the same for other numbers of rows, as many as it can have.
    platform::core_runner runner;
    isa::kernel given = assembled(request.text), other = found;
    for (const unsigned iterations : {1u, 2u, 5u}) {
        const unsigned rows = peeled + iterations * together;
        given.rows = other.rows = rows;
        const auto report = analysis::compare(runner, given, other, {}, rows, {});
        EXPECT_TRUE(report.equal) << rows << ": " << report.not_comparable;
    }
    EXPECT_THROW(analysis::kernel_run(found, {}, peeled + together + 1), analysis::user_error);
    EXPECT_THROW(analysis::kernel_run(found, {}, peeled), analysis::user_error);
}

// Two words that both move the Dst counter share no cycle: one of an iteration does it for all its rows.
TEST(free_rows, two_rows_take_three_cycles_with_two_issue_slots) {
    const optimize_answer answer =
        optimized(".config sfpu.issue_width, 2\n.config sfpu.write_port_rule, false\n" +
                      kernel_text("sfpload L0, UINT16, ADDR_MOD_7, 0\nsfpiadd 3, L0, L0, 5\n"
                                  "sfpmad L0, L12, L13, L0, 0\nsfpnop\nsfpnop\nsfpnop\n"
                                  "sfpstore L0, UINT16, ADDR_MOD_6, 64\n",
                                  1, ".constant L12, 1.5\n.constant L13, -0.5\n"),
                  4'000);
    ASSERT_TRUE(answer.best);
    EXPECT_EQ(answer.best->cycles_per_row, 1.5);
}

TEST(free_rows, peeled_rows_are_rows_that_the_loop_is_not_repeated_for) {
    const isa::kernel kernel =
        assembled(".arch bh\n.peeled 5\n.loop 3\n    sfpload L0, FP32, ADDR_MOD_7, 0\n    sfpstore L0, FP32, "
                  "ADDR_MOD_6, 0\n");
    EXPECT_EQ(kernel.peeled_rows, 5u);
    EXPECT_EQ(analysis::kernel_run(kernel, {}, 11).iterations(), 2u);
    EXPECT_EQ(analysis::kernel_run(kernel, {}, 8).rows(), 8u);
    EXPECT_EQ(analysis::kernel_run(kernel, {}, std::nullopt).iterations(), 20u) << "65 rows";
    for (const unsigned rows : {5u, 6u, 9u, 10u, 12u})
        EXPECT_THROW(analysis::kernel_run(kernel, {}, rows), analysis::user_error) << rows;
    EXPECT_NE(analysis::kernel_words(kernel).find("; .peeled 5\n"), std::string::npos);
    analysis::optimize_request request;
    request.name = "row.s";
    request.text =
        ".peeled 1\n.loop\n    sfpload L0, FP32, ADDR_MOD_7, 0\n    sfpstore L0, FP32, ADDR_MOD_7, "
        "64\n";
    EXPECT_THROW(analysis::optimize(request), analysis::input_error);
}

} // namespace
} // namespace sfpu::test
