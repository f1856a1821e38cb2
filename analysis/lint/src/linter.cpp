#include "linter.h"

#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/machine.h>

#include <algorithm>

namespace sfpu::analysis {
namespace {

/// The parameter by which the model decides what a diagnostic is about, the same way every time; empty if
/// there is none.
std::string deciding_parameter(report_id id) {
    switch (id) {
    case report_id::hazard_write_collision: return write_order_parameter;
    case report_id::dst_store_load_distance: return "dst.store_load_visible";
    default: return "";
    }
}

/// The configured machine, then one for each answer.
std::vector<parameters> machines_of(const parameters& config, const std::vector<other_answer>& answers) {
    std::vector<parameters> machines{config};
    for (const other_answer& each : answers) machines.push_back(each.config);
    return machines;
}

} // namespace

linter::linter(platform::program_runner& runner, const isa::kernel& kernel, const platform::run_request& base,
               unsigned iterations, const lint_options& options)
    : options_(options), allowed_(kernel), config_(base.config), hazards_(base.hazards),
      words_(isa::make_machine(config_).encoding()), program_(kernel, iterations),
      answers_(other_answers(config_, has_swap(kernel))),
      runs_(runner, program_, base, machines_of(config_, answers_), options_, runs_as_configured()) {
    report_.iterations = iterations;
    for (const auto* section : {&kernel.init, &kernel.loop, &kernel.tail})
        report_.gaps += static_cast<unsigned>(std::count_if(
            section->begin(), section->end(), [](const isa::source_word& each) { return each.gap; }));
    report_.planned_data_sets = lint_runs::data_count;
    if (!options.bubbles) return;
    report_.planned_positions = static_cast<unsigned>(program_.positions().size());
    report_.planned_schedules = options.schedules;
}

lint_report linter::run() {
    if (program_.size() == 0) return report_;
    if (options_.progress) runs_.expect(runs_to_expect());
    try {
        check();
    } catch (const lint_runs::interruption&) {
        report_.interrupted = true;
    }
    report_.runs = runs_.count();
    report_.allowed = allowed_.all();
    judge();
    return report_;
}

void linter::check() {
    for (; report_.data_sets < lint_runs::data_count; ++report_.data_sets)
        run_without_bubbles(report_.data_sets);
    try_leftover_registers();
    std::stable_sort(report_.hazards.begin(), report_.hazards.end(),
                     [](const lint_hazard& a, const lint_hazard& b) { return a.what.at < b.what.at; });
    if (options_.bubbles) {
        try_single_bubbles();
        try_random_bubbles();
        std::sort(report_.boundaries.begin(), report_.boundaries.end(),
                  [](const lint_boundary& a, const lint_boundary& b) { return a.word < b.word; });
        if (options_.open_questions) try_open_questions();
    }
}

/// If no bubble matters: what is looked into adds some.
std::uint64_t linter::runs_as_configured() const {
    const std::uint64_t sets = lint_runs::data_count, without = 2 * sets;
    if (!options_.bubbles) return without;
    return without + longest_bubble * program_.positions().size() * sets + options_.schedules;
}

std::uint64_t linter::runs_to_expect() const {
    if (!options_.bubbles || !options_.open_questions) return runs_as_configured();
    constexpr std::uint64_t sets = lint_runs::data_count;
    const std::uint64_t trials = sets + 2 * program_.positions().size() * sets + options_.schedules;
    return runs_as_configured() + answers_.size() * trials;
}

lint_instruction linter::instruction_of(const execution_step* step) const {
    if (!step) return {};
    return {isa::text(step->event.insn, words_), step->scheduled(), step->event.word,
            program_.line(step->event.word), configuring_lines(step->event.word)};
}

std::vector<unsigned> linter::configuring_lines(std::int64_t word) const {
    std::vector<unsigned> lines;
    for (const std::int64_t each : runs_.data(0).trace.words_of_sequence(word))
        if (const unsigned line = program_.line(each); lines.empty() || lines.back() != line)
            lines.push_back(line); // a .macro is three words of one line
    return lines;
}

void linter::judge() {
    const std::vector<std::string> dependences = report_.depends_on();
    for (lint_hazard& each : report_.hazards)
        for (const std::string& parameter : dependences)
            if (parameter == deciding_parameter(each.what.id)) each.depends_on = parameter;
    const bool broken = (program_.has_gaps() && !report_.boundaries.empty()) ||
                        std::any_of(report_.hazards.begin(), report_.hazards.end(),
                                    [](const lint_hazard& each) { return each.breaks; });
    report_.verdict = broken                        ? lint_verdict::broken
                      : !report_.boundaries.empty() ? lint_verdict::replay_only
                                                    : lint_verdict::robust;
}

} // namespace sfpu::analysis
