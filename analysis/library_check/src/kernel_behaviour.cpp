#include "kernel_behaviour.h"

#include "kernel_files.h"
#include <sfpu/analysis/compiler_messages.h>
#include <sfpu/analysis/kernel_data.h>

#include <fmt/format.h>

#include <algorithm>
#include <exception>

namespace sfpu::analysis {
namespace {

/// A run from random data; nothing, with a note, if the kernel does not run.
std::optional<kernel_execution> measured(platform::program_runner& runner, const std::string& file,
                                         const step_limit& limit, std::vector<std::string>& notes) {
    std::string failure;
    try {
        kernel_run kernel(recorded_file(file), machine_choice{}, std::nullopt);
        fill_with_random_data(kernel, 1);
        kernel_execution execution = execute(runner, kernel, limit);
        if (execution.failure.empty()) return execution;
        failure = execution.failure;
    } catch (const std::exception& error) {
        failure = first_error(error.what());
    }
    notes.push_back("does not run: " + failure);
    return std::nullopt;
}

void judge(platform::program_runner& runner, const std::string& file, const step_limit& limit,
           kernel_behaviour& result) {
    std::string failure;
    try {
        const kernel_run kernel(recorded_file(file), machine_choice{}, std::nullopt);
        lint_options options;
        options.interrupted = limit.begin();
        const lint_report report =
            lint(runner, kernel.kernel(), kernel.request(), kernel.iterations(), options);
        if (!report.interrupted) {
            result.verdict = report.verdict;
            return;
        }
        failure = limit.reason();
    } catch (const std::exception& error) {
        failure = first_error(error.what());
    }
    result.notes.push_back("not linted: " + failure);
}

} // namespace

kernel_behaviour behaviour_of(platform::program_runner& runner, const std::string& steady,
                              const std::string& judged, bool uses_macros, const step_limit& limit) {
    kernel_behaviour result;
    auto execution = measured(runner, steady, limit, result.notes);
    if (execution) result.cycles_per_row = execution->cycles_per_row;
    if (execution && judged != steady) execution = measured(runner, judged, limit, result.notes);
    bool reports = false;
    for (unsigned id = 0; execution && id < report_count; ++id) {
        if (execution->reports[id] == 0) continue;
        reports = true;
        result.notes.push_back(
            fmt::format("{} {}", execution->reports[id], describe(static_cast<report_id>(id)).name));
    }
    // Without macros nothing depends on when words are issued.
    if (!uses_macros && execution && !reports) result.verdict = lint_verdict::robust;
    else judge(runner, judged, limit, result);
    return result;
}

kernel_behaviour measured_alone(platform::program_runner& runner, const std::string& steady,
                                const step_limit& limit) {
    kernel_behaviour result;
    if (const auto execution = measured(runner, steady, limit, result.notes))
        result.cycles_per_row = execution->cycles_per_row;
    return result;
}

} // namespace sfpu::analysis
