#include <sfpu/analysis/kernel_lint.h>

#include <sfpu/analysis/errors.h>
#include <sfpu/platform/core_runner.h>

#include <gtest/gtest.h>

namespace sfpu::analysis {
namespace {

// On Wormhole nothing is held (T17): the store reads L1 before the product is there.
constexpr const char* hurried = ".arch wh\n.rows 2\n.loop\n"
                                "    sfpload L0, FP32, ADDR_MOD_3, 0\n"
                                "    sfpmad L0, L0, L9, L1, 0\n"
                                "    sfpstore L1, FP32, ADDR_MOD_3, 0\n";

lint_request few_schedules() {
    lint_request request;
    request.how.schedules = 4;
    return request;
}

TEST(kernel_lint, a_hazard_comes_with_a_fix_it_and_fixing_leaves_none) {
    platform::core_runner runner;
    const lint_answer answer = lint_kernel(runner, hurried, "hurried.s", {}, few_schedules(), {});
    EXPECT_EQ(answer.report.verdict, lint_verdict::broken);
    EXPECT_FALSE(answer.fix_its_missing);
    ASSERT_EQ(answer.hazard_fix_its.size(), answer.report.hazards.size());
    ASSERT_FALSE(answer.hazard_fix_its.empty());
    ASSERT_TRUE(answer.hazard_fix_its[0]);
    EXPECT_EQ(answer.hazard_fix_its[0]->text.find("one SFPNOP before line 6"), 0u);

    const fixed_kernel fixed = fix_kernel(runner, hurried, "hurried.s", {}, few_schedules());
    EXPECT_EQ(fixed.report.verdict, lint_verdict::robust);
    EXPECT_EQ(fixed.applied, std::vector<std::string>{answer.hazard_fix_its[0]->text});
    const lint_answer again = lint_kernel(runner, fixed.source, "fixed.s", {}, few_schedules(), {});
    EXPECT_EQ(again.report.verdict, lint_verdict::robust);
    for (const lint_hazard& hazard : again.report.hazards) EXPECT_FALSE(hazard.breaks) << hazard.what.message;
}

TEST(kernel_lint, an_interrupted_check_says_so_and_looks_for_no_fix_its) {
    platform::core_runner runner;
    session caller;
    caller.interrupted = [] { return true; };
    const lint_answer answer = lint_kernel(runner, hurried, "hurried.s", {}, few_schedules(), caller);
    EXPECT_TRUE(answer.report.interrupted);
    EXPECT_TRUE(answer.hazard_fix_its.empty());
}

TEST(kernel_lint, the_caller_is_told_of_runs_and_of_trials) {
    platform::core_runner runner;
    session caller;
    std::uint64_t runs = 0, trials = 0;
    caller.advanced = [&](std::uint64_t done, std::uint64_t all) {
        EXPECT_LE(done, all);
        ++runs;
    };
    lint_request request = few_schedules();
    request.on_trial = [&](unsigned, unsigned) { ++trials; };
    const lint_answer answer = lint_kernel(runner, hurried, "hurried.s", {}, request, caller);
    EXPECT_GT(runs, 4u);
    EXPECT_GE(trials, 1u);
    EXPECT_FALSE(answer.looked_at_boundaries);
}

TEST(kernel_lint, words_have_no_lines_to_change) {
    platform::core_runner runner;
    const lint_answer answer =
        lint_kernel(runner, "; .arch wh\n8f000000\n", "words.hex", {}, few_schedules(), {});
    EXPECT_TRUE(answer.hazard_fix_its.empty());
}

TEST(kernel_lint, what_is_no_kernel_is_refused) {
    platform::core_runner runner;
    EXPECT_THROW(lint_kernel(runner, "sfpnothing\n", "x.s", {}, few_schedules(), {}), input_error);
}

} // namespace
} // namespace sfpu::analysis
