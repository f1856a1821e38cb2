// What the runs without bubbles show.
#include "linter.h"
#include "trace_hazards.h"

#include <sfpu/analysis/dst_filling.h>
#include <sfpu/analysis/misc_watch.h>
#include <sfpu/analysis/word_places.h>
#include <sfpu/isa/disassembler.h>

#include <algorithm>
#include <utility>

namespace sfpu::analysis {
namespace {

/// Hazards break a kernel. So does a forgotten instruction: it is no hazard of a cycle, but it never
/// executes.
bool breaks(const diagnostic& what, bool strict) {
    return describe(what.id).kind == report_kind::hazard || what.id == report_id::macro_forgotten ||
           what.level == severity::error || (strict && leaves_something_undone(what.id));
}

/// Whether a collision is one of those that kernels that ship decide: a load has the last word against the
/// second cycle of SFPSWAP (T2a). One diagnostic is given for all collisions of a cycle.
bool is_decided_collision(const diagnostic& what, const execution_trace& trace) {
    bool has_met = false;
    for (const execution_trace::overwriting& each : trace.overwritten) {
        const execution_step& loser = trace.steps[static_cast<std::size_t>(each.loser)];
        const execution_step& winner = trace.steps[static_cast<std::size_t>(each.winner)];
        if (loser.event.end != what.at || winner.event.end != what.at) continue;
        if (!loser.event.insn.is(isa::opcode::sfpswap) || !winner.is_load()) return false;
        has_met = true;
    }
    return has_met;
}

/// Whether the result does not depend on what a hazard is about.
bool is_harmless(const diagnostic& what, const execution_trace& trace) {
    if (what.id == report_id::hazard_write_collision) return is_decided_collision(what, trace);
    if (what.id != report_id::macro_stale_configuration) return false;
    const std::vector<stale_configuration> all = stale_configurations(trace);
    return std::any_of(all.begin(), all.end(), [&](const stale_configuration& each) {
        return each.is_harmless && each.step->event.word == what.word;
    });
}

struct diagnostic_list : diagnostic_sink {
    void diagnose(const diagnostic& what) override { found.push_back(what); }
    std::vector<diagnostic> found;
};

} // namespace

void linter::run_without_bubbles(unsigned number) {
    diagnostic_list found;
    run_outcome outcome = runs_.without_bubbles(number, found);
    const cycles first_issue = outcome.first_issue;
    trials_.push_back({{number, 0, {}}, std::move(outcome)});

    const data_set& data = runs_.data(number);
    probe::reporter reporter;
    reporter.reset(&found, hazards_, nullptr);
    const hazard_context context{data.trace, program_, words_, reporter};
    report_stale_configuration(context);
    report_lost_results(context);
    misc_watch watch(config_.arch, [&](std::int64_t word) {
        return word >= 0 && program_.in_loop(static_cast<std::size_t>(word));
    });
    for (const execution_step& step : data.trace.steps) watch.executed(step.event);
    watch.judge(data.state, reporter);
    add_hazards(found.found, first_issue, data.trace);
}

/// A result that changes with registers that the program did not write depends on what ran before.
void linter::try_leftover_registers() {
    random_source random(~options_.seed);
    for (unsigned number = 0; number < lint_runs::data_count; ++number) {
        const data_set& data = runs_.data(number);
        platform::run_request other = data.request;
        fill_registers(other, random);
        for (unsigned lreg = first_free_constant; lreg <= last_free_constant; ++lreg)
            for (std::uint32_t& lane : other.state.lreg[lreg].v)
                lane = static_cast<std::uint32_t>(random.next());
        const run_outcome outcome = runs_.play_from(other, number);
        const auto difference = find_difference(data.expected, outcome.changed);
        if (!difference) continue;
        diagnostic_list found;
        probe::reporter reporter;
        reporter.reset(&found, hazards_, nullptr);
        report_unwritten_reads({data.trace, program_, words_, reporter},
                               slice_of(difference->row, difference->column));
        return add_hazards(found.found, outcome.first_issue, data.trace);
    }
}

/// What earlier calls found is the same hazard with other data: it is not counted twice.
void linter::add_hazards(const std::vector<diagnostic>& found, cycles first_issue,
                         const execution_trace& trace) {
    const auto earlier = static_cast<std::ptrdiff_t>(report_.hazards.size());
    for (const diagnostic& what : found) {
        if (allowed_.take(what.id, trials_.size() == 1)) continue;
        const std::int64_t word = word_of(what);
        const unsigned line = program_.line(word);
        const bool breaks_it = breaks(what, options_.strict) && !is_harmless(what, trace);
        const auto known =
            std::find_if(report_.hazards.begin(), report_.hazards.end(), [&](const lint_hazard& each) {
                return each.what.id == what.id && each.line == line;
            });
        if (known == report_.hazards.end()) {
            lint_hazard hazard;
            hazard.what = what;
            hazard.what.at = what.at - first_issue;
            hazard.what.word = word;
            hazard.what.message =
                with_lines(what.message, [&](std::int64_t named) { return program_.line(named); });
            hazard.line = line;
            hazard.breaks = breaks_it;
            if (word >= 0)
                hazard.text = isa::disassemble(program_.word(static_cast<std::size_t>(word)).word, words_);
            hazard.configured_in = configuring_lines(word);
            report_.hazards.push_back(std::move(hazard));
            continue;
        }
        known->breaks = known->breaks || breaks_it;
        if (known - report_.hazards.begin() >= earlier) ++known->count;
    }
}

} // namespace sfpu::analysis
