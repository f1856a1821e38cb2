// What a kernel allows by .allow is no hazard of it, and every answer still says how often it came.
#include <sfpu/analysis/kernel_lint.h>
#include <sfpu/analysis/simulation.h>
#include <sfpu/platform/core_runner.h>
#include <sfpu/views/run.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace sfpu::test {
namespace {

/// Three rows, in each of which SFPAND reads L3 too early.
const std::string early_read = R"(
.rows 3
.loop
    sfpmad      L0, L1, L2, L3, 0
    sfpand      L3, L4, L5, 1
    sfpstore    L5, INT32, 7, 0
)";

const std::string allows_it = ".allow /sfpu/hazard/unprotected-read, \"L3 is not; used\" ; said twice\n";

analysis::simulation simulated(const std::string& text, const std::string& hazards = "warn") {
    analysis::machine_choice machine;
    machine.hazards = hazards;
    analysis::kernel_run kernel(analysis::assemble_kernel(text, "kernel.s", machine), machine, {});
    platform::core_runner core;
    return analysis::simulate(core, kernel, {}, {});
}

analysis::lint_report linted(const std::string& text) {
    analysis::kernel_run kernel(analysis::assemble_kernel(text, "kernel.s", {}), {}, {});
    platform::core_runner core;
    analysis::lint_options options;
    options.schedules = 0;
    return analysis::lint(core, kernel.kernel(), kernel.request(), kernel.iterations(), options);
}

TEST(allow, leaves_a_diagnostic_out_of_what_a_run_reports_and_counts_it_apart) {
    EXPECT_EQ(simulated(early_read).diagnostics.of(report_id::hazard_unprotected_read).count, 3u);
    EXPECT_TRUE(simulated(early_read).diagnostics.allowed().empty());

    const analysis::simulation run = simulated(allows_it + early_read);
    EXPECT_FALSE(run.diagnostics.any());
    ASSERT_EQ(run.diagnostics.allowed().size(), 1u);
    EXPECT_EQ(run.diagnostics.allowed()[0].what.id, report_id::hazard_unprotected_read);
    EXPECT_EQ(run.diagnostics.allowed()[0].what.reason, "L3 is not; used");
    EXPECT_EQ(run.diagnostics.allowed()[0].what.line, 1u);
    EXPECT_EQ(run.diagnostics.allowed()[0].count, 3u);
}

TEST(allow, is_for_one_diagnostic_and_no_other) {
    const analysis::simulation run = simulated(".allow forgotten, \"never comes\"\n" + early_read);
    EXPECT_EQ(run.diagnostics.of(report_id::hazard_unprotected_read).count, 3u);
    EXPECT_EQ(run.diagnostics.allowed()[0].count, 0u);
}

TEST(allow, makes_no_error_of_a_hazard_that_is_meant) {
    EXPECT_TRUE(simulated(early_read, "error").diagnostics.any_error());
    EXPECT_FALSE(simulated(allows_it + early_read, "error").diagnostics.any_error());
}

TEST(allow, takes_a_hazard_out_of_the_verdict_of_lint_which_says_so) {
    const std::string broken = ".rows 3\n.loop\nsfploadi L3, USHORT, 1\nsfpmad L0, L1, L10, L3, 0\n"
                               "sfploadi L3, USHORT, 2\nsfpstore L4, INT32, 7, 0\nsfpload L4, INT32, 7, 0\n";
    const analysis::lint_report before = linted(broken);
    ASSERT_EQ(before.verdict, analysis::lint_verdict::broken);
    std::string allowed;
    for (const analysis::lint_hazard& each : before.hazards)
        if (allowed.find(describe(each.what.id).name) == std::string::npos)
            allowed += std::string(".allow ") + describe(each.what.id).name + ", \"a test\"\n";
    const analysis::lint_report after = linted(allowed + broken);
    EXPECT_EQ(after.verdict, analysis::lint_verdict::robust);
    EXPECT_TRUE(after.hazards.empty());
    ASSERT_FALSE(after.allowed.empty());
    EXPECT_EQ(after.allowed[0].count, 3u) << "as often as one run reports it";
}

TEST(allow, stands_in_statistics_files_of_kernels_that_allow_something) {
    const auto statistics_of = [](const std::string& text) {
        analysis::kernel_run kernel(analysis::assemble_kernel(text, "kernel.s", {}), {}, {});
        platform::core_runner core;
        const analysis::simulation run = analysis::simulate(core, kernel, {}, {});
        return nlohmann::json::parse(probe::statistics_json(views::statistics_of(kernel, run, "")));
    };
    EXPECT_FALSE(statistics_of(early_read).contains("allowed"));
    const nlohmann::json found = statistics_of(allows_it + early_read);
    EXPECT_EQ(found["allowed"], nlohmann::json::parse(R"([{"id": "/sfpu/hazard/unprotected-read", "count": 3,
                                                           "line": 1, "reason": "L3 is not; used"}])"));
    EXPECT_TRUE(found["hazards"].empty());
}

/// A rule of the vendor's compiler is told, and is no reason to call a kernel broken.
TEST(notices, of_the_vendors_rules_leave_the_verdict_of_lint_as_it_is) {
    const std::string drained = R"(
.rows 1
.init
    .template 0, sfpcast _, _, 0
    .macro 0, simple=(template=0, delay=0), store=(delay=2)
    .misc store_mode=INT32
    sfpnop
    sfpnop
.loop
    sfploadmacro 0, L0, INT32, 7, 0
)";
    const analysis::lint_report report = linted(drained);
    ASSERT_EQ(report.hazards.size(), 1u);
    EXPECT_EQ(report.hazards[0].what.id, report_id::macro_drained_by_cycles);
    EXPECT_EQ(report.hazards[0].what.level, severity::info);
    EXPECT_EQ(report.hazards[0].line, 10u);
    EXPECT_FALSE(report.hazards[0].breaks);
    EXPECT_EQ(report.verdict, analysis::lint_verdict::robust);
}

} // namespace
} // namespace sfpu::test
