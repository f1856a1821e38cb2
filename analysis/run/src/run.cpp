#include <sfpu/analysis/run.h>

#include <sfpu/analysis/cures.h>
#include <sfpu/analysis/word_places.h>

#include <cmath>

namespace sfpu::analysis {
namespace {

constexpr double expectation_tolerance = 0.005; // half of the last digit that reports show

std::optional<double> missed(const kernel_run& kernel, const platform::run_result& result) {
    const auto expected = kernel.kernel().expected_cycles_per_row;
    if (!expected || !has_steady_state(kernel)) return std::nullopt;
    const double found = kernel.cycles_per_row(result);
    if (std::abs(found - *expected) <= expectation_tolerance) return std::nullopt;
    return found;
}

/// For hazards as `lint` finds them, of a kernel that is text.
void find_fix_its(platform::program_runner& runner, const kernel_run& kernel, const std::string& text,
                  const machine_choice& machine, std::optional<unsigned> rows, run_answer& answer) {
    const std::string& file = kernel.kernel().file;
    if (!answer.run.diagnostics.any() || holds_words(text, file)) return;
    cure_search search(runner, file, machine, rows, {});
    const lint_report found = search.hazards_in(text);
    for (std::size_t i = 0; i < found.hazards.size(); ++i) {
        const lint_hazard& hazard = found.hazards[i];
        const diagnostic_summary::entry& seen = answer.run.diagnostics.of(hazard.what.id);
        std::string& fix = answer.fix_its[static_cast<unsigned>(hazard.what.id)];
        if (!cure_search::wants_cure(hazard) || seen.count == 0 || !fix.empty() ||
            kernel.text_line(word_of(seen.first)) != hazard.line)
            continue;
        if (const auto change = search.of_hazard(text, found, i)) fix = kernel.places().told(change->text);
    }
}

} // namespace

run_answer run(platform::program_runner& runner, kernel_run& kernel, const std::string& text,
               const machine_choice& machine, const run_options& how, const session& caller) {
    run_answer answer;
    simulation_options watched;
    watched.strict = machine.strict;
    watched.observers = how.observers;
    answer.run = simulate(runner, kernel, watched, caller);
    answer.dst = runner.dst();
    if (answer.run.interrupted) return answer; // half a result is none
    answer.missed_expectation = missed(kernel, answer.run.result);
    if (how.compare_with_chip && timing_differs_from_chip(kernel.request().config))
        answer.chip = analysis::compare_with_chip(runner, text, kernel, machine, answer.dst);
    if (how.bottleneck && !caller.is_interrupted())
        answer.binds = binding_of(runner, text, kernel, machine, kernel.kernel().file);
    if (!caller.is_interrupted()) answer.remarks = remarks_on(runner, kernel);
    answer.run.interrupted = caller.is_interrupted();
    if (how.fix_its && !answer.run.interrupted) find_fix_its(runner, kernel, text, machine, how.rows, answer);
    return answer;
}

} // namespace sfpu::analysis
