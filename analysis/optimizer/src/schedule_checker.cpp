#include "schedule_checker.h"

#include "row_words.h"

#include <sfpu/analysis/equivalence.h>
#include <sfpu/analysis/errors.h>
#include <sfpu/common/shown_name.h>
#include <sfpu/isa/table.h>
#include <sfpu/optimizer/emit.h>

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace sfpu::analysis {

checked_schedule schedule_checker::check(const optimizer::graph& graph, const optimizer::schedule& found,
                                         bool keeps_structure) const {
    const double cycles = static_cast<double>(found.interval) / graph.rows_per_iteration;
    const optimizer::schedule needed =
        optimizer::without_idle_parts(found, graph, of_.machine().issue_width == 1);
    const optimizer::emitted_kernel emitted =
        optimizer::emit(graph, needed, rewritten_ ? rewritten_->kernel : of_.plain().kernel(),
                        rewritten_ ? rewritten_->text : of_.source(), of_.machine(), of_.written_for(),
                        of_.thread(), of_.machine_settings(), remarks(cycles, keeps_structure));
    const kernel_run scheduled(
        assembled_kernel(emitted.text, "schedule of " + of_.base_name(), of_.plain().request().config),
        of_.request().machine, of_.plain().rows());
    checked_schedule done;
    done.text = emitted.text;
    done.lead_words = emitted.lead_words;
    done.tail_words = emitted.tail_words;
    expect_right_run(scheduled, cycles, found.interval, emitted.text);
    done.cells = compared(scheduled, emitted.text, thoroughness::candidate, false, nullptr).cells;
    done.verdict = verdict_of(of_.runner(), scheduled);
    return done;
}

bool schedule_checker::check_thoroughly(checked_schedule& schedule,
                                        const std::function<bool()>& interrupted) const {
    isa::assembly assembled = isa::assemble(schedule.text, "schedule", of_.machine().encoding());
    const kernel_run scheduled(std::move(assembled.program), of_.request().machine, of_.plain().rows());
    const schedule_comparison done = compared(scheduled, schedule.text, thoroughness::result,
                                              schedule.verdict.survives_bubbles, interrupted);
    schedule.cells += done.cells;
    schedule.exhaustive = done.exhaustive;
    schedule.strength = done.verdict;
    // Equal to a row that is equal.
    if (rewritten_ && !done.interrupted && done.verdict == equivalence_verdict::tested &&
        rewritten_->verdict == equivalence_verdict::proved &&
        same_as_rewritten(scheduled, interrupted) == equivalence_verdict::proved)
        schedule.strength = equivalence_verdict::proved;
    return !done.interrupted;
}

equivalence_verdict schedule_checker::same_as_rewritten(const kernel_run& scheduled,
                                                        const std::function<bool()>& interrupted) const {
    const kernel_run rewritten = of_.on_chip(rewritten_->text);
    equivalence_options options;
    options.seeds = 1;
    options.interrupted = interrupted;
    return compare_kernels(of_.runner(), {&rewritten.kernel(), &rewritten.request(), rewritten.rows()},
                           {&scheduled.kernel(), &scheduled.request(), scheduled.rows()}, options)
        .verdict;
}

/// At the head of the schedule.
std::vector<std::string> schedule_checker::remarks(double cycles, bool keeps_structure) const {
    const std::string name = of_.base_name(), unit = cycles == 1 ? "cycle" : "cycles";
    if (of_.request().retime)
        return {fmt::format("{} for another machine: {:g} {} a row; {:g} on its own.", name, cycles, unit,
                            of_.cycles_per_row()),
                "",
                fmt::format("Found by 'sfpusim optimize --retime {}', with {}.", name,
                            keeps_structure ? "its structure" : "another structure"),
                ""};
    std::vector<std::string> head{
        fmt::format("{} with SFPLOADMACRO: {:g} {} a row instead of {:g}.", name, cycles, unit,
                    of_.cycles_per_row()),
        "", fmt::format("Found by 'sfpusim optimize {}'; the plain kernel is the source.", name)};
    if (rewritten_) {
        head.emplace_back("Its row has other instructions, by these rules:");
        for (const applied_rewrite& each : rewritten_->rewrites)
            head.push_back(fmt::format("  {}{}: {}{}", each.rule,
                                       each.times > 1 ? fmt::format(", {} times", each.times) : "", each.help,
                                       each.assumed.empty() ? "" : " (assumed: " + each.assumed + ")"));
    }
    head.emplace_back();
    return head;
}

void schedule_checker::expect_right_run(const kernel_run& scheduled, double cycles, unsigned interval,
                                        const std::string& text) const {
    double took = 0;
    const std::string error = of_.first_error(scheduled, took);
    if (!error.empty())
        throw std::runtime_error(
            fmt::format("a schedule of {} cycles has an error: {}\n{}", interval, error, text));
    if (scheduled.iterations() > 1 && std::abs(took - cycles) > 1e-9)
        throw std::runtime_error(
            fmt::format("a schedule of {:g} cycles a row takes {:g}\n{}", cycles, took, text));
}

/// A difference is a fault of this library, unless the plain kernel does not mean what it says.
schedule_comparison schedule_checker::compared(const kernel_run& scheduled, const std::string& text,
                                               thoroughness how, bool with_bubbles,
                                               const std::function<bool()>& interrupted) const {
    schedule_comparison found =
        compare_schedule(of_.runner(), of_.reference(), scheduled, how, with_bubbles, interrupted);
    if (found.difference.empty()) return found;
    const std::string name = shown_name(of_.request().name);
    if (!of_.verdict().robust())
        throw input_error(fmt::format("{}: the {} is itself {}, so that no schedule computes the same: {}",
                                      name, of_.given(), of_.verdict().name, of_.verdict().because));
    if (const unsigned line = reads_unwritten_l0())
        throw input_error(fmt::format("{}:{}: reads L0, which nothing has written by then and which the "
                                      "set-up of macros overwrites",
                                      name, line));
    throw std::runtime_error(fmt::format("a schedule differs from {}\n{}{}", name, found.difference, text));
}

/// The line of the first word that reads L0 before one writes it; 0 if there is none. Mostly `lint` calls
/// such a kernel broken. Where few values show it (a product with what counts as zero) it does not.
unsigned schedule_checker::reads_unwritten_l0() const {
    const isa::kernel& kernel = of_.plain().kernel();
    for (const auto* part : {&kernel.init, &kernel.loop, &kernel.tail})
        for (const isa::source_word& each : *part) {
            if (isa::classify(each.word, kernel.arch) != isa::word_kind::sfpu) continue;
            const isa::instruction insn = isa::decode(each.word, kernel.words);
            const bool half = insn.is(isa::opcode::sfploadi); // the other one comes next
            if (isa::contains(insn.use.reads, 0) && !half) return each.line;
            if (isa::contains(insn.use.results(), 0)) return 0;
        }
    return 0;
}

} // namespace sfpu::analysis
