#include <sfpu/analysis/schedule_check.h>

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/kernel_comparison.h>

#include <sfpu/analysis/equivalence.h>
#include <sfpu/analysis/lint.h>
#include <sfpu/common/shown_name.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::analysis {

bool kernel_verdict::broken_only_like(const kernel_verdict& source) const {
    return !breaking.empty() &&
           std::includes(source.breaking.begin(), source.breaking.end(), breaking.begin(), breaking.end());
}

kernel_verdict verdict_of(platform::program_runner& runner, const kernel_run& kernel) {
    const lint_report report = lint(runner, kernel.kernel(), kernel.request(), kernel.iterations(), {});
    kernel_verdict found;
    found.name = to_string(report.verdict);
    found.survives_bubbles = report.boundaries.empty();
    for (const lint_hazard& hazard : report.hazards) {
        if (!hazard.breaks) continue;
        found.breaking.insert(hazard.what.id);
        if (found.because.empty())
            found.because = fmt::format("line {}: {}", hazard.line, hazard.what.message);
    }
    if (found.because.empty() && !report.boundaries.empty())
        found.because = fmt::format("line {}: its result changes with idle cycles before {}",
                                    report.boundaries.front().line, report.boundaries.front().text);
    return found;
}

schedule_comparison compare_schedule(platform::program_runner& runner, const kernel_run& reference,
                                     const kernel_run& schedule, thoroughness how, bool with_bubbles,
                                     const std::function<bool()>& interrupted) {
    equivalence_options options;
    options.seeds = how == thoroughness::candidate ? 4 : 16;
    options.exhaustive_if_narrow = how == thoroughness::result;
    options.prove = how == thoroughness::result;
    options.bubble_schedules = with_bubbles ? 1 : 0;
    options.interrupted = interrupted;
    const equivalence_report report =
        compare_kernels(runner, {&reference.kernel(), &reference.request(), reference.rows()},
                        {&schedule.kernel(), &schedule.request(), schedule.rows()}, options);
    if (!report.not_comparable.empty())
        throw input_error(fmt::format("{}: no schedule can be compared with it: {}",
                                      shown_name(reference.kernel().file), report.not_comparable));
    schedule_comparison found;
    found.exhaustive = report.exhaustive && !report.interrupted;
    if (!report.interrupted) found.verdict = report.verdict;
    found.interrupted = report.interrupted;
    // All of Dst, or what the kernel declares as its outputs.
    const std::uint64_t cells_of_run =
        reference.kernel().outputs.empty()
            ? 1024u * 16u
            : std::uint64_t{reference.rows()} * lane_count * reference.kernel().outputs.size();
    found.cells = report.runs * cells_of_run * (1 + options.bubble_schedules);
    if (!report.equal && !report.interrupted)
        found.difference = equivalence_text("the plain kernel", "the schedule", report);
    return found;
}

} // namespace sfpu::analysis
