// optimize() as other programs call it: what it finds, what it refuses, and when it stops. Threads: threads/.
#include "tree_path.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/kernel_comparison.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/optimize.h>
#include <sfpu/analysis/text_files.h>
#include <sfpu/platform/core_runner.h>

#include <gtest/gtest.h>

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
