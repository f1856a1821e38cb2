#include <sfpu/views/run.h>

#include <sfpu/common/shown_name.h>
#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/other_units.h>
#include <sfpu/views/config_json.h>

#include <fmt/format.h>

#include <array>

namespace sfpu::views {

using namespace analysis;

namespace {

double ratio(std::uint64_t part, std::int64_t whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::string unit_table(const platform::run_result& result) {
    using isa::sub_unit;
    const probe::unit_counters& counted = result.counters;
    std::string text = "unit          busy  utilisation      issued   scheduled   discarded\n";
    for (const sub_unit unit :
         {sub_unit::load, sub_unit::simple, sub_unit::mad, sub_unit::round, sub_unit::store}) {
        const auto i = static_cast<unsigned>(unit);
        text += fmt::format("{:<6}  {:>10}  {:>10.1f}%  {:>10}  {:>10}  {:>10}\n", isa::to_string(unit),
                            counted.busy[i], 100 * ratio(counted.busy[i], result.cycles_used.count()),
                            counted.issued[i], counted.scheduled[i], counted.discarded[i]);
    }
    return text;
}

/// Where the cycles of a row go: each line sums to 100 %.
std::string slot_table(const probe::steady_state_statistics& state) {
    std::string text = "steady state    busy   blocked      idle\n";
    for (const auto& each : state.slots) {
        const double all = each.busy + each.blocked + each.idle;
        const auto share = [&](double part) { return all > 0 ? 100 * part / all : 0; };
        text += fmt::format("{:<11}  {:>6.1f}%  {:>7.1f}%  {:>7.1f}%\n", each.resource, share(each.busy),
                            share(each.blocked), share(each.idle));
    }
    return text;
}

std::string issue_line(const probe::unit_counters& counters, std::uint64_t cycles, unsigned width) {
    const probe::issue_slots slots = probe::issue_slots_of(counters, cycles, width);
    const auto share = [&](std::uint64_t part) {
        return 100 * ratio(part, static_cast<std::int64_t>(slots.slots));
    };
    return fmt::format("issue          {:.1f} % of the slots issue a word, {:.1f} % are held, {:.1f} % have "
                       "nothing to issue\n",
                       share(slots.issued), share(slots.held), share(slots.idle));
}

std::string stall_lines(const probe::unit_counters& counters) {
    std::string text;
    for (unsigned cause = 0; cause < probe::stall_cause_count; ++cause)
        if (counters.stalls[cause])
            text +=
                fmt::format("  {:<20} {:>8} cycles\n",
                            probe::to_string(static_cast<probe::stall_cause>(cause)), counters.stalls[cause]);
    return "stalls" + (text.empty() ? std::string("         none\n") : "\n" + text);
}

std::string hazard_lines(const kernel_run& kernel, const diagnostic_summary& diagnostics, cycles first_issue,
                         const std::array<std::string, report_count>& fix_its) {
    std::string text;
    for (unsigned i = 0; i < report_count; ++i) {
        const auto id = static_cast<report_id>(i);
        const diagnostic_summary::entry& seen = diagnostics.of(id);
        if (seen.count == 0) continue;
        text +=
            fmt::format("  {}: {} {}, first in cycle {}\n    {}: {}: {}\n", describe(id).name, seen.count,
                        seen.count == 1 ? "time" : "times", (seen.first.at - first_issue).count(),
                        kernel.location(seen.first), to_string(seen.first.level), kernel.message(seen.first));
        if (!fix_its[i].empty()) text += fmt::format("    cure: {}\n", fix_its[i]);
        else if (describe(id).kind == report_kind::hazard || is_compiler_rule(id))
            text += fmt::format("    in general: {}\n", describe(id).cure);
    }
    return "hazards" + (text.empty() ? std::string("        none\n") : "\n" + text);
}

/// Empty if the kernel allows nothing.
std::string allowed_lines(const kernel_run& kernel, const std::vector<allowed_diagnostic>& allowed) {
    std::string text;
    for (const allowed_diagnostic& each : allowed)
        text += fmt::format("  {}: {} {}\n    {}:{}: {}\n", describe(each.what.id).name, each.count,
                            each.count == 1 ? "time" : "times", kernel.kernel().file, each.what.line,
                            each.what.reason);
    return text.empty() ? text : "allowed\n" + text;
}

/// What the run is, and what it takes.
std::string head_lines(const run_answer& answer, const kernel_run& kernel, const run_surroundings& around) {
    const platform::run_result& result = answer.run.result;
    const architecture arch = kernel.request().config.arch;
    std::string text;
    text += fmt::format("kernel         {}\n", shown_name(kernel.kernel().file));
    text += fmt::format("architecture   {} ({})\n", short_name(arch), long_name(arch));
    text += fmt::format("rows           {}\n", kernel.rows());
    text += fmt::format("cycles         {}\n", result.cycles_used.count());
    if (kernel.rows())
        text += fmt::format("throughput     {:.2f} cycles a row\n", kernel.cycles_per_row(result));
    if (kernel.kernel().expected_cycles_per_row && !has_steady_state(kernel))
        text += fmt::format(
            "expected       {:.2f} cycles a row: not compared, as fewer than two iterations run\n",
            *kernel.kernel().expected_cycles_per_row);
    if (answer.binds) {
        text += fmt::format("bound          {:.2f} cycles a row ({})\n", answer.binds->bound.cycles_per_row,
                            answer.binds->bound.reason);
        text += fmt::format("binds          {}\n", answer.binds->steady_state.binds);
        text += fmt::format("dependences    {}\n", answer.binds->steady_state.dependences);
    } else if (kernel.rows() == 0) {
        text += "binds          nothing is repeated, so that no row takes anything\n";
    }
    if (answer.chip && !answer.chip->text.empty())
        text += fmt::format("results        {}\n", answer.chip->text);
    if (!around.agreement.empty()) text += fmt::format("expected       {}\n", around.agreement);
    return text;
}

} // namespace

std::string to_text(const run_answer& answer, const kernel_run& kernel, const run_surroundings& around) {
    const platform::run_result& result = answer.run.result;
    const probe::unit_counters& counters = result.counters;
    const parameters& config = kernel.request().config;
    const std::uint64_t executed = counters.executed();
    std::string text;
    text += head_lines(answer, kernel, around);
    text += fmt::format("instructions   {} ({} issued, {} scheduled), {:.2f} a cycle\n", executed,
                        counters.instructions, executed - counters.instructions,
                        ratio(executed, result.cycles_used.count()));
    text += "\n" + unit_table(result) + "\n";
    if (answer.binds) text += slot_table(answer.binds->steady_state) + "\n";
    text +=
        issue_line(counters, static_cast<std::uint64_t>(result.cycles_used.count()), config.sfpu_issue_width);
    text += stall_lines(counters);
    text += hazard_lines(kernel, answer.run.diagnostics, result.first_issue, answer.fix_its);
    text += allowed_lines(kernel, answer.run.diagnostics.allowed());
    if (!answer.remarks.all.empty())
        text += "remarks\n" + analysis::to_text(answer.remarks, kernel.places(), "  ");
    for (const std::string& file : around.written) text += "wrote " + shown_name(file) + "\n";
    return text;
}

std::vector<std::string> not_modelled_lines(const std::string& program, const probe::unit_counters& counters,
                                            architecture arch) {
    std::vector<std::string> lines;
    for (const auto& [opcode, count] : counters.not_modelled) {
        const isa::other_unit_instruction* known = isa::find_other_unit(opcode, arch);
        const char* const what = known ? known->mnemonic : count == 1 ? "word" : "words";
        lines.push_back(fmt::format("{}: not modelled: {} {} of {}, opcode {:02x}: {} nothing",
                                    shown_name(program), count, what, known ? known->unit : "no known unit",
                                    opcode, count == 1 ? "did" : "all did"));
    }
    return lines;
}

std::vector<std::string> error_lines(const kernel_run& kernel, const diagnostic_summary& diagnostics) {
    std::vector<std::string> lines;
    for (unsigned i = 0; i < report_count; ++i) {
        const diagnostic_summary::entry& seen = diagnostics.of(static_cast<report_id>(i));
        if (seen.count && seen.first.level == severity::error)
            lines.push_back(fmt::format("{}: error: {}: {}", kernel.location(seen.first),
                                        describe(seen.first.id).name, kernel.message(seen.first)));
    }
    return lines;
}

std::vector<std::string> failure_lines(const kernel_run& kernel, const run_answer& answer) {
    std::vector<std::string> lines = error_lines(kernel, answer.run.diagnostics);
    const std::string file = shown_name(kernel.kernel().file);
    if (answer.missed_expectation)
        lines.push_back(fmt::format("{}: found {:.2f} cycles a row, expected {:.2f} (.expect)", file,
                                    *answer.missed_expectation, *kernel.kernel().expected_cycles_per_row));
    if (answer.chip && answer.chip->changed())
        lines.push_back(fmt::format("{}: results {}", file, answer.chip->text));
    return lines;
}

std::string interruption_line(const kernel_run& kernel, const simulation& run) {
    return fmt::format("{}: interrupted: this is about {} of {} rows", shown_name(kernel.kernel().file),
                       kernel.rows(), run.wanted_rows);
}

std::string summary_line(const kernel_run& kernel, const platform::run_result& result) {
    const std::uint64_t executed = result.counters.executed();
    const std::int64_t cycles = result.cycles_used.count();
    std::string text = fmt::format("{} rows in {} cycles", kernel.rows(), cycles);
    if (kernel.rows() != 0) text += fmt::format(", {:.2f} cycles a row", kernel.cycles_per_row(result));
    text += fmt::format(", {} instructions, {} of them scheduled", executed,
                        executed - result.counters.instructions);
    if (cycles > 0)
        text += fmt::format(", {:.2f} a cycle", static_cast<double>(executed) / static_cast<double>(cycles));
    return text;
}

std::string compiler_name() {
#if defined(__clang__)
    return __VERSION__; // begins with the compiler's name
#else
    return "GCC " __VERSION__;
#endif
}

probe::statistics_input statistics_of(const parameters& config, const probe::unit_counters& counters,
                                      const diagnostic_summary& diagnostics, const std::string& systemc) {
    probe::statistics_input input;
    input.version = SFPU_TLM_VERSION;
    input.systemc = systemc;
    input.compiler = compiler_name();
    input.arch = config.arch;
    input.issue_width = config.sfpu_issue_width;
    input.config = config_text(config);
    input.counters = counters;
    for (unsigned id = 0; id < report_count; ++id)
        input.hazards[id] = diagnostics.of(static_cast<report_id>(id)).count;
    for (const allowed_diagnostic& each : diagnostics.allowed())
        input.allowed.push_back({each.what.id, each.what.line, each.what.reason, each.count});
    input.not_modelled = not_modelled_words(counters, config.arch);
    return input;
}

probe::statistics_input statistics_of(const kernel_run& kernel, const simulation& run,
                                      const std::string& systemc, const given_source& given) {
    probe::statistics_input input =
        statistics_of(kernel.request().config, run.result.counters, run.diagnostics, systemc);
    input.rows = kernel.rows();
    input.cycles = static_cast<std::uint64_t>(run.result.cycles_used.count());
    if (kernel.rows() != 0) input.cycles_per_row = kernel.cycles_per_row(run.result);
    if (!given.form.empty()) input.source = {given.file, given.function, given.form};
    return input;
}

probe::statistics_input statistics_of(const kernel_run& kernel, const run_answer& answer,
                                      const std::string& systemc, const given_source& given) {
    probe::statistics_input input = statistics_of(kernel, answer.run, systemc, given);
    if (answer.chip) input.results = answer.chip->results;
    if (answer.binds) {
        input.bound = answer.binds->bound;
        input.steady_state = answer.binds->steady_state;
    }
    return input;
}

} // namespace sfpu::views
