// optimize() as other programs call it: what it finds, what it refuses, and when it stops. Threads: threads/.
#include "tree_path.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/kernel_comparison.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/optimize.h>
#include <sfpu/analysis/text_files.h>
#include <sfpu/platform/core_runner.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>
#include <vector>

namespace sfpu::test {
namespace {

using analysis::optimize;
using analysis::optimize_answer;
using analysis::optimize_request;

/// A kernel of the library, for a search that takes the same steps everywhere.
optimize_request request_for(const std::string& kernel) {
    optimize_request request;
    request.name = "kernels/" + kernel;
    request.text = analysis::read_file(tree_path(request.name));
    request.conflicts = 50'000;
    return request;
}

optimize_request request_of_row(const std::string& row) {
    optimize_request request;
    request.name = "folder/row.s";
    request.text = ".arch bh\n.rows 32\n.init\nsetc16 34, 2\nsetc16 35, 0\n.loop\n" + row + "\n";
    request.conflicts = 50'000;
    return request;
}

/// What input_error says; empty if there is none.
std::string fault_of(const optimize_request& request) {
    try {
        optimize(request);
    } catch (const analysis::input_error& error) {
        return error.what();
    }
    return "";
}

/// A session that is interrupted as soon as the search has found something.
class interrupting_session {
public:
    interrupting_session() {
        value.progress = [this](const std::string& line) {
            found_ |= line.find(": found") != std::string::npos;
        };
        value.interrupted = [this] { return found_; };
    }
    analysis::session value;

private:
    bool found_ = false;
};

// The store alone takes a cycle, and so says the bound. The move is left out by whoever schedules, too.
TEST(optimizing, what_meets_the_bound_of_its_words_is_no_proof_if_others_were_not_looked_at) {
    optimize_request request = request_of_row("sfpmov 0, L9, L0, 0\nsfpstore L9, INT32, ADDR_MOD_6, 0");
    request.upper_bound.emplace();
    request.upper_bound->name = "known.s";
    request.upper_bound->text = request_of_row("sfpstore L9, INT32, ADDR_MOD_6, 0").text;
    request.conflicts = 0;
    request.seconds = 1e-9;
    const optimize_answer in_no_time = optimize(request);
    ASSERT_TRUE(in_no_time.best);
    EXPECT_EQ(in_no_time.best->cycles_per_row, 1.0);
    EXPECT_EQ(in_no_time.proof.status, analysis::proof_status::optimal_in_form);
    ASSERT_EQ(in_no_time.proof.left_out.size(), 1u);
    EXPECT_NE(in_no_time.proof.left_out.front().find("other instructions"), std::string::npos);
    request.rewrite = false;
    EXPECT_EQ(optimize(request).proof.status, analysis::proof_status::bound);
    request.rewrite = true;
    request.seconds = 60;
    EXPECT_EQ(optimize(request).proof.status, analysis::proof_status::bound);
}

// A store as LO16 writes two cells, of which a later row loads one: terms of integers do not reach that far.
TEST(optimizing, a_row_that_is_equal_for_all_that_was_tried_is_left_out_of_a_proof) {
    optimize_request request = request_of_row("sfpload L0, LO16, ADDR_MOD_7, 0\nsfpshft -8, L9, L0, "
                                              "1\nsfpcast L0, L0, 0\nsfpmad L0, L0, L7, L1, 0\n"
                                              "sfpmad L0, L10, L7, L2, 0\nsfpnop\nsfpexman 0, L1, L1, "
                                              "1\nsfpexman 0, L2, L2, 1\nsfpiadd 0, L1, L2, 4\n"
                                              "sfpstore L2, LO16, ADDR_MOD_6, 0");
    request.text.replace(request.text.find(".init"), 5, ".init\nsfploadi L7, FLOATB, 0x4b00");
    const auto names_other_rows = [](const optimize_answer& answer) {
        const std::vector<std::string>& all = answer.proof.left_out;
        return std::any_of(all.begin(), all.end(), [](const std::string& each) {
            return each == "rows with other instructions, for which it was not decided";
        });
    };
    const optimize_answer undecided = optimize(request);
    EXPECT_TRUE(undecided.rewrites.empty());
    EXPECT_TRUE(names_other_rows(undecided));
    EXPECT_FALSE(undecided.proved);
    request.text.replace(request.text.find("sfpstore L2, LO16"), 17, "sfpstore L2, UINT16");
    const optimize_answer proved = optimize(request);
    ASSERT_FALSE(proved.rewrites.empty());
    EXPECT_EQ(proved.rewrites.front().rule, "mantissa-sum");
    EXPECT_FALSE(names_other_rows(proved)) << "the row that was left out is the one that was taken";
}

TEST(optimizing, a_call_of_few_rows_begins_with_fewer_words) {
    optimize_request request = request_of_row(
        "sfpload L0, FP32, ADDR_MOD_7, 0\nsfpswap 0, L14, L0, 9\nsfpnop\nsfpmad L12, L0, L13, L0, 0\nsfpnop\n"
        "sfpstochrnd 0, 0, L0, L0, L0, 6\nsfpshft 15, L0, L0, 1\nsfpstore L0, FP32, ADDR_MOD_6, 0");
    request.text.replace(request.text.find(".init"), 5,
                         ".constant L12, 369.25\n.constant L13, 32500\n.constant L14, -88.5\n.init");
    const optimize_answer loop = optimize(request);
    request.text.replace(request.text.find(".rows 32"), 8, ".rows 8");
    const optimize_answer call = optimize(request);
    ASSERT_TRUE(loop.best && call.best);
    EXPECT_EQ(call.best->cycles_per_row, loop.best->cycles_per_row);
    EXPECT_LT(call.lead_words, loop.lead_words);
}

// SFPLOADI reads the half that it keeps when it is executed, a cycle before it writes where loads take two:
// by then the load has to be there. In place each row takes the two cycles of its words of the Load unit.
TEST(optimizing, half_of_a_register_is_kept_of_a_load_that_has_arrived) {
    for (const char* keeping : {"sfploadi L1, UPPER, 0xa4d", "sfpload L1, LO16_ONLY, ADDR_MOD_7, 64"}) {
        optimize_request request = request_of_row(std::string("sfpload L1, INT32, ADDR_MOD_7, 0\n") +
                                                  keeping + "\nsfpstore L1, INT32, ADDR_MOD_6, 0");
        request.machine.settings = {"sfpu.latency.load=2"};
        request.conflicts = 2'000;
        const optimize_answer answer = optimize(request); // throws if a schedule is wrong
        ASSERT_TRUE(answer.best) << keeping;
        EXPECT_EQ(answer.best->cycles_per_row, 2.0) << keeping;
    }
}

TEST(optimizing, an_exchange_that_moves_indices_beside_its_registers_is_refused) {
    optimize_request request = request_of_row(
        "sfpload L0, INT32, ADDR_MOD_7, 0\nsfpload L1, INT32, ADDR_MOD_7, 64\nsfpload L4, INT32, ADDR_MOD_7, "
        "128\nsfpload L5, INT32, ADDR_MOD_7, 192\nsfpswap 0, L0, L1, 1\nsfpnop\nsfpstore L5, INT32, "
        "ADDR_MOD_6, 0");
    request.conflicts = 500;
    EXPECT_EQ(fault_of(request), "") << "L5 is what was loaded";
    request.text.insert(request.text.find(".loop"), "sfploadi L0, USHORT, 4\nsfpconfig 0, LANECONFIG, 0\n");
    EXPECT_NE(fault_of(request).find("row.s:13: sfpswap: LaneConfig has ENABLE_DEST_INDEX"),
              std::string::npos)
        << fault_of(request);
}

// The sum arrives in the cycle in which the next row adds to it, so that the register could hold a load in
// between: in all rows but the first, which finds in it what .init has set.
TEST(optimizing, what_is_set_before_the_loop_stays_until_the_first_row_has_read_it) {
    optimize_request request;
    request.name = "sum.s";
    request.text = ".arch bh\n.rows 32\n.init\nsetc16 34, 2\nsetc16 35, 0\nsfploadi L4, USHORT, 7\n.loop\n"
                   "sfpload L0, INT32, ADDR_MOD_7, 0\nsfpiadd 0, L0, L4, 4\nsfpabs 0, L0, L2, 0\n"
                   "sfpstore L2, INT32, ADDR_MOD_6, 0\n.tail\nsfpstore L4, INT32, ADDR_MOD_7, 0x100\n";
    request.machine.settings = {"sfpu.latency.simple=3", "sfpu.latency.load=2"};
    request.conflicts = 500;
    const optimize_answer answer = optimize(request); // throws if a schedule is wrong
    ASSERT_TRUE(answer.best);
    EXPECT_EQ(answer.best->cycles_per_row, 3.0);
}

// x x x takes two multiplications, and there is one MAD unit: 2 cycles, whatever is done.
TEST(optimizing, a_cube_takes_two_cycles_and_no_schedule_is_shorter) {
    const optimize_answer answer = optimize(request_for("optimized/cube.s"));
    ASSERT_TRUE(answer.best);
    EXPECT_EQ(answer.best->cycles_per_row, 2);
    EXPECT_EQ(answer.bound_cycles_per_row, 2);
    EXPECT_TRUE(answer.proved);
    EXPECT_TRUE(answer.met);
    EXPECT_FALSE(answer.interrupted);
    EXPECT_TRUE(answer.best->verdict.breaking.empty()) << answer.best->verdict.because;
    EXPECT_GT(answer.best->cells, 0u);
    EXPECT_GT(answer.plain_cycles_per_row, 2);
    EXPECT_EQ(answer.arch, architecture::blackhole);
}

TEST(optimizing, the_schedule_of_each_chip_computes_what_the_kernel_computes) {
    for (const char* name : {"optimized/fp32_to_bf16.s", "optimized/cube_wh.s"}) {
        const optimize_request request = request_for(name);
        const optimize_answer answer = optimize(request);
        ASSERT_TRUE(answer.best) << name;
        const isa::kernel given = analysis::assemble_kernel(request.text, request.name, {}),
                          found = analysis::assemble_kernel(answer.schedule, "found.s", {});
        analysis::equivalence_options how;
        how.exhaustive_if_narrow = true;
        platform::core_runner runner;
        const auto report = analysis::compare(runner, given, found, {}, std::nullopt, how);
        EXPECT_TRUE(report.equal) << analysis::equivalence_text("given", "found", report);
        EXPECT_GT(report.inputs_tried, 1000u);
        EXPECT_NE(answer.schedule.find("sfploadmacro"), std::string::npos) << "it has macros";
    }
}

/// x = 0 where x < 0, as a compiler writes it: integers, so that a store undoes a load.
optimize_request request_of_a_condition() {
    return request_of_row("sfpload L0, INT32, ADDR_MOD_7, 0\nsfppushc 0, 0, 0, 0\nsfpsetcc 0, L0, L0, 0\n"
                          "sfploadi L0, USHORT, 0\nsfppopc 0, 0, 0, 0\nsfpstore L0, INT32, ADDR_MOD_6, 0");
}

TEST(optimizing, other_instructions_make_a_row_shorter_and_the_answer_says_which_rules) {
    optimize_request request = request_of_a_condition();
    const optimize_answer rewritten = optimize(request);
    request.rewrite = false;
    const optimize_answer moved = optimize(request);
    ASSERT_TRUE(rewritten.best && moved.best);
    EXPECT_LT(rewritten.best->cycles_per_row, moved.best->cycles_per_row);
    EXPECT_EQ(rewritten.best->strength, analysis::equivalence_verdict::proved);
    EXPECT_EQ(rewritten.rewrites_are, analysis::equivalence_verdict::proved);
    ASSERT_FALSE(rewritten.rewrites.empty());
    EXPECT_LT(rewritten.rewrites.back().bound_after, rewritten.rewrites.front().bound_before);
    for (const analysis::applied_rewrite& each : rewritten.rewrites)
        EXPECT_NE(rewritten.schedule.find(each.rule), std::string::npos) << "the file names " << each.rule;
    EXPECT_TRUE(moved.rewrites.empty());
    EXPECT_FALSE(moved.no_rewrite.empty());
}

TEST(optimizing, a_row_that_other_instructions_do_not_shorten_stays_as_it_is) {
    const optimize_answer answer = optimize(request_for("optimized/cube.s"));
    EXPECT_TRUE(answer.rewrites.empty());
    EXPECT_EQ(answer.no_rewrite, "");
}

TEST(optimizing, a_bubble_proof_schedule_survives_idle_cycles) {
    optimize_request request = request_for("optimized/relu.s");
    request.bubble_proof = true;
    const optimize_answer answer = optimize(request);
    ASSERT_TRUE(answer.best);
    EXPECT_TRUE(answer.best->verdict.survives_bubbles);
    EXPECT_TRUE(answer.met);
}

TEST(optimizing, a_bound_that_cannot_be_held_is_not_met_and_the_shortest_is_given) {
    optimize_request request = request_for("optimized/cube.s");
    request.at_most = 1.5;
    const optimize_answer answer = optimize(request);
    EXPECT_FALSE(answer.met);
    ASSERT_TRUE(answer.best);
    EXPECT_EQ(answer.best->cycles_per_row, 2);
}

TEST(optimizing, a_schedule_that_is_short_enough_ends_the_search) {
    optimize_request request = request_for("optimized/horner_4.s");
    request.conflicts = 0;
    request.seconds = 0; // without the bound of 8 cycles it goes on until it has proved something
    request.at_most = 8;
    const optimize_answer answer = optimize(request);
    EXPECT_TRUE(answer.met);
    ASSERT_TRUE(answer.best);
    EXPECT_LE(answer.best->cycles_per_row, 8);
}

TEST(optimizing, an_interruption_gives_the_shortest_so_far) {
    optimize_request request = request_for("mul32.s");
    request.conflicts = 0;
    request.seconds = 0;
    const interrupting_session session;
    const optimize_answer answer = optimize(request, session.value);
    EXPECT_TRUE(answer.interrupted);
    EXPECT_FALSE(answer.met);
    EXPECT_FALSE(answer.proved);
    ASSERT_TRUE(answer.best);
    EXPECT_LT(answer.best->cycles_per_row, answer.plain_cycles_per_row);
    const isa::kernel found = analysis::assemble_kernel(answer.schedule, "found.s", {});
    EXPECT_FALSE(found.loop.empty());
}

TEST(optimizing, a_deadline_in_the_past_gives_the_kernel_as_it_is) {
    const optimize_request request = request_for("optimized/cube.s");
    analysis::session late;
    late.deadline = std::chrono::steady_clock::now();
    const optimize_answer answer = optimize(request, late);
    EXPECT_TRUE(answer.interrupted);
    EXPECT_FALSE(answer.best);
    EXPECT_TRUE(answer.plain_serves);
    EXPECT_EQ(answer.schedule, request.text);
}

TEST(optimizing, what_is_no_kernel_is_refused_with_its_line) {
    EXPECT_NE(fault_of(request_of_row("sfpabsolutely 0, L0, L1, 0")).find("folder/row.s:7:"),
              std::string::npos);
    const std::string macro =
        fault_of(request_of_row("sfploadmacro 0, L0, FP32, ADDR_MOD_7, 0\nsfpstore L0, FP32, ADDR_MOD_6, 0"));
    EXPECT_NE(macro.find("folder/row.s:7:"), std::string::npos) << macro;
    EXPECT_NE(macro.find("a plain row has no macros"), std::string::npos) << macro;
    const std::string nothing = fault_of(request_of_row("sfpload L0, FP32, ADDR_MOD_6, 0"));
    EXPECT_NE(nothing.find("stores nothing"), std::string::npos) << nothing;
}

TEST(optimizing, values_that_mean_nothing_are_refused) {
    optimize_request request = request_for("optimized/cube.s");
    request.rows_per_iteration = 0;
    EXPECT_THROW(optimize(request), analysis::user_error);
    request.rows_per_iteration = 7; // is no divisor of 32 rows
    EXPECT_THROW(optimize(request), analysis::user_error);
    request = request_for("optimized/cube.s");
    request.at_most = 0;
    EXPECT_THROW(optimize(request), analysis::user_error);
    request = request_for("optimized/cube.s");
    request.seconds = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(optimize(request), analysis::user_error);
    request = request_for("optimized/cube.s");
    request.llk_header = true;
    request.machine.settings = {"sfpu.latency.mad=3"}; // the vendor's library runs on the chip
    EXPECT_THROW(optimize(request), analysis::user_error);
}

TEST(optimizing, a_header_for_the_vendors_library_comes_with_the_schedule) {
    optimize_request request = request_for("optimized/abs.s");
    EXPECT_EQ(optimize(request).header, "") << "it was not asked for";
    request.llk_header = true;
    const optimize_answer answer = optimize(request);
    EXPECT_EQ(answer.header_problem, "");
    EXPECT_NE(answer.header.find("inline void _calculate_abs_()"), std::string::npos) << answer.header;
    EXPECT_NE(answer.header.find("#if !defined(ARCH_BLACKHOLE)"), std::string::npos) << answer.header;
}

// The MAD unit takes 2 cycles on the chip, and 3 here: the macros of the same structure have other delays.
TEST(optimizing, a_schedule_is_retimed_for_a_slower_machine) {
    optimize_request request = request_for("optimized/cube_macro.s");
    request.retime = true;
    request.machine.settings = {"sfpu.latency.mad=3"};
    const optimize_answer answer = optimize(request);
    ASSERT_TRUE(answer.best);
    EXPECT_EQ(answer.structure, analysis::retimed_structure::kept);
    EXPECT_NE(answer.schedule.find(".config sfpu.latency.mad, 3"), std::string::npos) << answer.schedule;
}

// An address is written as the source writes it, where the source writes one.
TEST(optimizing, a_loop_of_bare_words_is_retimed) {
    optimize_request request;
    request.name = "words.s";
    request.text = ".arch bh\n.rows 32\n.init\nsetc16 34, 2\nsetc16 35, 0\n"
                   ".macro 0, simple=(template=0, delay=0, l16), store=(delay=1, l16)\n.misc load_mode=1\n"
                   "sfpcast L0, L12, 0\n.loop 2\n.word 0x9306c000\n.word 0x9316c000\n";
    request.conflicts = 5'000;
    request.retime = true;
    const optimize_answer answer = optimize(request);
    ASSERT_TRUE(answer.best);
    EXPECT_EQ(answer.best->cycles_per_row, 1) << "two rows, two words";
}

// SFPGT and SFPLE read their VD, and with SET_CC alone they write none: no result says where it stands.
TEST(optimizing, an_issued_comparison_names_the_register_that_the_schedule_has) {
    for (const char* compared : {"sfpgt 0, L0, L1, 1", "sfple 0, L0, L1, 1", "sfpgt 0, L1, L0, 1"}) {
        optimize_request request = request_of_row(
            std::string("sfpload L0, INT32, ADDR_MOD_7, 0\nsfpload L1, INT32, ADDR_MOD_7, 64\n"
                        "sfpsetcc 0, L0, L0, 4\n") +
            compared + "\nsfpmov 0, L10, L0, 0\nsfpencc 0, 0, 0, 0\nsfpstore L0, FP32, ADDR_MOD_6, 0");
        request.text.replace(request.text.find(".loop"), 0, "sfpencc 3, 0, 0, 10\n");
        request.conflicts = 4'000;
        EXPECT_TRUE(optimize(request).best) << compared; // a difference is thrown
    }
}

// A constant that moves to L12 cannot be the VD of an issued comparison: that would name a template.
TEST(optimizing, a_constant_that_is_compared_with_is_no_name_of_a_template) {
    optimize_request request =
        request_of_row("sfpload L0, INT32, ADDR_MOD_7, 0\nsfploadi L1, SHORT, 77\nsfpgt 0, L0, L1, 1\n"
                       "sfpmov 0, L9, L0, 0\nsfple 0, L0, L1, 1\nsfpmov 0, L10, L0, 0\nsfpencc 3, 0, 0, 10\n"
                       "sfpstore L0, INT32, ADDR_MOD_6, 0");
    request.text.replace(request.text.find(".loop"), 0, "sfpencc 3, 0, 0, 10\n");
    request.conflicts = 4'000;
    EXPECT_TRUE(optimize(request).best); // a difference is thrown
}

// Two comparisons with zero decide whether all lanes are on at the end: random data hardly ever do.
TEST(optimizing, lanes_that_rare_data_switch_off_are_not_taken_for_on) {
    optimize_request request = request_of_row(
        "sfpload L1, INT32, ADDR_MOD_7, 64\nsfplz 0, L1, L0, 2\nsfpmov 0, L10, L1, 0\n"
        "sfpcompc 0, 0, 0, 0\nsfplz 0, L1, L0, 10\nsfpmov 0, L0, L1, 0\nsfpcompc 0, 0, 0, 0\n"
        "sfpencc 3, 0, 0, 10\nsfpstore L1, INT32, ADDR_MOD_7, 128\nsfpstore L1, INT32, ADDR_MOD_6, 0");
    request.text.replace(request.text.find(".loop"), 0, "sfpencc 3, 0, 0, 10\n");
    request.conflicts = 4'000;
    EXPECT_TRUE(optimize(request).best); // a difference is thrown
}

// What one way of writing is said to be the least of, the other way does not go below.
TEST(optimizing, two_ways_to_write_a_kernel_do_not_contradict_each_other) {
    const std::string rows[] = {
        "sfpload L0, FP32, ADDR_MOD_7, 0\nsfpload L1, FP32, ADDR_MOD_7, 64\nsfpswap 0, L0, L1, 1\nsfpnop\n"
        "sfpstore L1, FP32, ADDR_MOD_6, 0",
        "sfpload L0, FP32, ADDR_MOD_7, 0\nsfpmul L0, L0, L9, L1, 0\nsfpnop\nsfpmul L0, L1, L9, L1, 0\n"
        "sfpnop\nsfpstore L1, FP32, ADDR_MOD_6, 0",
        "sfpload L0, FP32, ADDR_MOD_7, 0\nsfpexexp 0, L0, L1, 0\nsfpiadd 3, L1, L1, 5\n"
        "sfpsetexp 0, L0, L1, 0\nsfpstore L1, FP32, ADDR_MOD_6, 0"};
    for (const std::string& row : rows) {
        optimize_request once = request_of_row(row), both = once;
        // The first row does not move the counter, the second by both.
        std::string first = row, second = row;
        first.replace(first.find("ADDR_MOD_6"), 10, "ADDR_MOD_7");
        for (const auto& [from, to] : {std::pair{"_MOD_7, 0\n", "_MOD_7, 2\n"},
                                       {"_MOD_7, 64\n", "_MOD_7, 66\n"},
                                       {"_MOD_6, 0", "_MOD_6, 2"}})
            if (const std::size_t at = second.find(from); at != std::string::npos)
                second.replace(at, std::string(from).size(), to);
        both.text =
            ".arch bh\n.rows 32\n.init\nsetc16 34, 4\nsetc16 35, 0\n.loop 2\n" + first + "\n" + second + "\n";
        once.conflicts = both.conflicts = 15'000;
        const optimize_answer one = optimize(once), two = optimize(both);
        const auto cycles = [](const optimize_answer& of) {
            return of.best ? of.best->cycles_per_row : of.plain_cycles_per_row;
        };
        EXPECT_LE(one.bound_cycles_per_row, cycles(one));
        EXPECT_TRUE(!one.proved || cycles(two) >= cycles(one)) << row;
        EXPECT_TRUE(!two.proved || cycles(one) >= cycles(two)) << row;
        EXPECT_EQ(one.proved, one.proof.status == analysis::proof_status::bound ||
                                  one.proof.status == analysis::proof_status::optimal);
    }
}

TEST(optimizing, a_proof_names_what_it_leaves_out) {
    const optimize_answer answer = optimize(request_for("optimized/cube.s"));
    EXPECT_EQ(answer.proof.status, analysis::proof_status::bound) << "two multiplications, one MAD";
    EXPECT_TRUE(answer.proof.left_out.empty());
    optimize_request swap = request_of_row(
        "sfpload L0, FP32, ADDR_MOD_7, 0\nsfpload L1, FP32, ADDR_MOD_7, 64\nsfpswap 0, L0, L1, 1\nsfpnop\n"
        "sfpstore L1, FP32, ADDR_MOD_6, 0");
    const optimize_answer found = optimize(swap);
    EXPECT_EQ(found.proof.status == analysis::proof_status::optimal_in_form, !found.proof.left_out.empty());
}

TEST(optimizing, a_known_schedule_is_given_where_nothing_shorter_is_found) {
    optimize_request request = request_for("optimized/mul_uint16.s");
    request.conflicts = 1; // for nothing
    request.upper_bound = {analysis::read_file(tree_path("kernels/optimized/mul_uint16_macro.s")),
                           "theirs.s"};
    const optimize_answer answer = optimize(request);
    ASSERT_TRUE(answer.best);
    EXPECT_EQ(answer.best->cycles_per_row, 2);
    EXPECT_EQ(answer.best_was_given, "theirs.s");
    EXPECT_EQ(answer.schedule, request.upper_bound->text);
    EXPECT_GT(answer.best->cells, 0u);
    EXPECT_TRUE(answer.met);
}

TEST(optimizing, what_is_no_schedule_of_the_kernel_is_no_upper_bound) {
    optimize_request request = request_for("optimized/abs.s");
    const auto refusal = [&](const std::string& text) {
        request.upper_bound = {text, "theirs.s"};
        try {
            optimize(request);
        } catch (const analysis::user_error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const std::string another = analysis::read_file(tree_path("kernels/optimized/negative_macro.s"));
    EXPECT_NE(refusal(another).find("theirs.s is no upper bound: it computes something else"),
              std::string::npos);
    const std::string right = analysis::read_file(tree_path("kernels/optimized/abs_macro.s"));
    EXPECT_EQ(refusal(right), "");
    std::string rows = right;
    rows.replace(rows.find(".rows 32"), 8, ".rows 16");
    EXPECT_NE(refusal(rows).find("found 16 rows, expected 32"), std::string::npos) << refusal(rows);
    request.machine.settings = {"sfpu.latency.mad=3"};
    std::string slow = right;
    slow.replace(slow.find(".arch bh"), 8, ".arch bh\n.config macro.slots, 6");
    EXPECT_NE(refusal(slow).find("a machine with another macro.slots"), std::string::npos) << refusal(slow);
}

TEST(optimizing, what_is_short_enough_is_looked_for_first_and_a_failure_says_why) {
    optimize_request request = request_for("optimized/horner_4.s");
    request.at_most = 5;
    std::vector<std::string> told;
    analysis::session session;
    session.progress = [&](const std::string& line) { told.push_back(line); };
    const optimize_answer answer = optimize(request, session);
    EXPECT_TRUE(answer.met);
    EXPECT_EQ(answer.not_met, "");
    ASSERT_FALSE(told.empty());
    EXPECT_EQ(told.front().rfind("5 cycles", 0), 0u) << told.front();
    request = request_for("optimized/cube.s");
    request.at_most = 1;
    EXPECT_EQ(optimize(request).not_met.rfind("the bound is 2: ", 0), 0u);
}

TEST(optimizing, an_output_that_is_never_stored_is_a_warning_in_answer_and_session) {
    const optimize_request request =
        request_of_row("sfpload L0, INT32, ADDR_MOD_7, 0\nsfpmul L0, L0, L9, L1, 0\n"
                       "sfpnop\nsfpstore L1, FP32, ADDR_MOD_6, 0");
    EXPECT_TRUE(optimize(request).warnings.empty());
    optimize_request typed = request;
    typed.text.replace(typed.text.find(".init"), 5, ".output q, 0x100, f32\n.output p, 0, f32\n.init");
    std::vector<std::string> told;
    analysis::session session;
    session.progress = [&](const std::string& line) { told.push_back(line); };
    const optimize_answer answer = optimize(typed, session);
    ASSERT_EQ(answer.warnings.size(), 1u);
    EXPECT_NE(answer.warnings.front().find("q is never stored"), std::string::npos);
    ASSERT_FALSE(told.empty());
    EXPECT_EQ(told.front(), answer.warnings.front());
}

} // namespace
} // namespace sfpu::test
