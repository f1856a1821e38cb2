// Open questions that cannot reach a run are not tried: the report is that of all being tried, and that of
// the modules, which do not know what a run has met.
#include "kernel_catalogue.h"
#include "kernel_runner.h"
#include "lane_machine.h"
#include "random_program.h"

#include <sfpu/analysis/lint.h>
#include <sfpu/platform/core_runner.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace sfpu::test {
namespace {

using analysis::lint_options;
using analysis::lint_report;

std::string text_of(const lint_report& report) {
    std::string text = fmt::format("{} {} runs, {} {} {} of {}, {}\n", to_string(report.verdict), report.runs,
                                   report.random_changed, report.random_discarded, report.boundaries.size(),
                                   report.positions, report.registers_changed);
    for (const analysis::lint_question& each : report.open_questions)
        text += fmt::format("{} {} {} {}\n", each.parameter, fmt::join(each.values, ","), each.depends,
                            each.without_bubbles);
    for (const analysis::lint_boundary& each : report.boundaries)
        text += fmt::format("{} {} {}\n", each.word, each.bubble, fmt::join(each.depends_on, ","));
    for (const analysis::lint_hazard& each : report.hazards)
        text += fmt::format("{} {} {} {}\n", each.what.message, each.count, each.line, each.depends_on);
    return text;
}

/// How many answers changed a result.
unsigned expect_same_reports(const isa::kernel& kernel, const platform::run_request& base,
                             unsigned iterations) {
    lint_options options;
    options.schedules = 6;
    platform::core_runner core;
    const lint_report quick = lint(core, kernel, base, iterations, options);
    options.try_all_questions = true;
    EXPECT_EQ(text_of(quick), text_of(lint(core, kernel, base, iterations, options)));
    EXPECT_EQ(text_of(quick), text_of(lint(shared_bench(), kernel, base, iterations, options)));
    unsigned dependent = 0;
    for (const analysis::lint_question& each : quick.open_questions) dependent += each.depends;
    return dependent;
}

TEST(lint_questions, that_cannot_reach_a_run_are_known_for_all_kernels) {
    [[maybe_unused]] unsigned number = 0;
    for (const kernel_case& each : kernel_catalogue()) {
#ifdef SFPU_INSTRUMENTED
        if (number++ % 4 != 0) continue; // as other tests of the linter: sanitizers slow it down
#endif
        SCOPED_TRACE(each.name);
        platform::run_request base;
        base.config.arch = each.arch;
        base.thread.reset(each.arch);
        expect_same_reports(load_kernel(each.file, each.arch), base, 4);
    }
}

/// Random macros, of both kinds of delays, over few rows of Dst.
TEST(lint_questions, that_cannot_reach_a_run_are_known_for_random_programs) {
    unsigned dependent = 0;
    random_programs programs(5);
    for (unsigned i = 0; i < case_count(15); ++i) {
        SCOPED_TRACE(fmt::format("program {}", i));
        platform::run_request base = programs.next(4 + i % 10);
        isa::kernel kernel;
        kernel.arch = base.config.arch;
        for (const std::uint32_t word : base.segments[0].words) {
            isa::source_word source;
            source.word = word;
            kernel.loop.push_back(source);
        }
        dependent += expect_same_reports(kernel, base, 2);
        ASSERT_FALSE(testing::Test::HasFailure());
    }
    EXPECT_GT(dependent, 1u);
}

} // namespace
} // namespace sfpu::test
