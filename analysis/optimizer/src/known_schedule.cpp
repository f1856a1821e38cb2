#include "known_schedule.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/common/shown_name.h>
#include <sfpu/isa/config_destinations.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace sfpu::analysis {
namespace {

[[noreturn]] void refuse_known(const known_schedule& known, const std::string& why) {
    throw user_error(fmt::format("{} is no upper bound: {}", shown_name(known.name), why));
}

/// The parameter of timing in which two machines differ; null if there is none.
const parameter_row* timing_difference(const parameters& one, const parameters& other) {
    for (const parameter_row& row : parameter_table())
        if (row.timing && row.get(one) != row.get(other)) return &row;
    return nullptr;
}

/// What the words of a kernel name.
void count_names(const isa::kernel& kernel, optimized_schedule& figures) {
    std::set<unsigned> macros, templates;
    isa::register_set registers = 0;
    const auto decoded = [&](const isa::source_word& each) { return isa::decode(each.word, kernel.words); };
    const auto is_vector = [&](const isa::source_word& each) {
        return isa::classify(each.word, kernel.arch) == isa::word_kind::sfpu;
    };
    for (const isa::source_word& each : kernel.init) {
        if (!is_vector(each)) continue;
        const isa::instruction insn = decoded(each);
        if (insn.names_template()) templates.insert(insn.vd - 12u);
        else if (insn.is(isa::opcode::sfpconfig) && insn.vd < isa::config_destination_vd::first_sequence)
            templates.insert(insn.vd);
    }
    for (const isa::source_word& each : kernel.loop) {
        if (!is_vector(each)) continue;
        const isa::instruction insn = decoded(each);
        if (insn.is(isa::opcode::sfploadmacro)) macros.insert(insn.macro_index);
        registers |= insn.use.results() & isa::general_registers;
    }
    figures.macros = static_cast<unsigned>(macros.size());
    figures.templates = static_cast<unsigned>(templates.size());
    for (unsigned r = 0; r < isa::general_lregs; ++r) figures.registers += isa::contains(registers, r);
    figures.rows_per_iteration = kernel.rows_per_iteration;
    figures.tail_words = static_cast<unsigned>(kernel.tail.size());
}

} // namespace

judged_schedule judge_known(const given_kernel& of, const known_schedule& known,
                            const std::function<bool()>& interrupted) {
    const optimize_request& request = of.request();
    const kernel_run run(assemble_kernel(known.text, known.name, request.machine), request.machine,
                         std::nullopt);
    if (run.kernel().arch != of.plain().kernel().arch) refuse_known(known, "it is for another chip");
    if (const auto* row = timing_difference(run.request().config, of.plain().request().config))
        refuse_known(known, fmt::format("it is for a machine with another {}", row->path));
    if (run.rows() != of.plain().rows())
        refuse_known(known, fmt::format("found {} rows, expected {}", run.rows(), of.plain().rows()));
    judged_schedule judged;
    optimized_schedule& figures = judged.figures;
    if (const std::string error = of.first_error(run, figures.cycles_per_row); !error.empty())
        refuse_known(known, error);
    // A run begins with an iteration that waits for nothing: in the steady state each takes whole cycles.
    const double iteration = figures.cycles_per_row * run.kernel().rows_per_iteration;
    if (std::abs(iteration - std::round(iteration)) < 0.1)
        figures.cycles_per_row = std::round(iteration) / run.kernel().rows_per_iteration;
    figures.verdict = verdict_of(of.runner(), run);
    if (!figures.verdict.breaking.empty() && !figures.verdict.broken_only_like(of.verdict()))
        refuse_known(known,
                     fmt::format("lint calls it {}: {}", figures.verdict.name, figures.verdict.because));
    if (request.bubble_proof && !figures.verdict.survives_bubbles)
        refuse_known(known, "idle cycles between its words break it");
    const schedule_comparison compared =
        compare_schedule(of.runner(), of.reference(), run, thoroughness::result,
                         figures.verdict.survives_bubbles, interrupted);
    if (!compared.difference.empty())
        refuse_known(known, "it computes something else\n" + compared.difference);
    figures.cells = compared.cells;
    figures.exhaustive = compared.exhaustive;
    figures.strength = compared.verdict;
    count_names(run.kernel(), figures);
    judged.text = known.text;
    return judged;
}

} // namespace sfpu::analysis
