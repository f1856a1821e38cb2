// `lint`: what depends on luck in a kernel.
#include "command.h"
#include "interrupts.h"
#include "program.h"
#include "progress.h"
#include <sfpu/analysis/cures.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/kernel_remarks.h>
#include <sfpu/analysis/output_file.h>

#include <sfpu/analysis/lint.h>
#include <sfpu/platform/core_runner.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <thread>

namespace sfpu::cli {
namespace {

using json = nlohmann::ordered_json;
using analysis::lint_boundary;
using analysis::lint_hazard;
using analysis::lint_instruction;
using analysis::lint_question;
using analysis::lint_report;
using analysis::lint_verdict;

constexpr unsigned maximum_schedules = 1'000'000;

// JSON ------------------------------------------------------------------------------------------------------

json text_or_null(const lint_instruction& instruction) {
    return instruction.text.empty() ? json(nullptr) : json(instruction.text);
}

json line_or_null(unsigned line) { return line == 0 ? json(nullptr) : json(line); }

json difference_json(const std::optional<analysis::dst_difference>& difference) {
    if (!difference) return {{"row", nullptr}, {"column", nullptr}, {"expected", nullptr}, {"got", nullptr}};
    return {{"row", difference->row},
            {"column", difference->column},
            {"expected", fmt::format("{:04x}", difference->expected)},
            {"got", fmt::format("{:04x}", difference->got)}};
}

json boundary_json(const lint_boundary& boundary) {
    return {{"line", boundary.line},
            {"word", boundary.word},
            {"text", boundary.text},
            {"moved", text_or_null(boundary.moved)},
            {"against", text_or_null(boundary.against)},
            {"first_difference", difference_json(boundary.first_difference)},
            {"moved_line", line_or_null(boundary.moved.line)},
            {"against_line", line_or_null(boundary.against.line)},
            {"configured_in", boundary.moved.configured_in},
            {"previous_line", line_or_null(boundary.previous_line)},
            {"bubble", boundary.bubble},
            {"needs_others", boundary.needs_others},
            {"inside_iteration", boundary.inside_iteration},
            {"discarded", text_or_null(boundary.discarded)},
            {"discarded_line", line_or_null(boundary.discarded.line)},
            {"depends_on", boundary.depends_on}};
}

json question_json(const lint_question& question) {
    return {{"parameter", question.parameter},
            {"depends", question.depends},
            {"without_bubbles", question.without_bubbles},
            {"values", question.values}};
}

json hazard_json(const lint_hazard& hazard) {
    return {{"cycle", hazard.what.at.count()},
            {"word", hazard.what.word < 0 ? json(nullptr) : json(hazard.what.word)},
            {"id", describe(hazard.what.id).name},
            {"severity", to_string(hazard.what.level)},
            {"message", hazard.what.message},
            {"line", line_or_null(hazard.line)},
            {"count", hazard.count},
            {"breaks", hazard.breaks},
            {"text", hazard.text.empty() ? json(nullptr) : json(hazard.text)},
            {"depends_on", hazard.depends_on.empty() ? json(nullptr) : json(hazard.depends_on)},
            {"configured_in", hazard.configured_in}};
}

template <class Item>
json list_json(const std::vector<Item>& items, json (*form)(const Item&)) {
    json list = json::array();
    for (const Item& item : items) list.push_back(form(item));
    return list;
}

/// What to do about each hazard and each boundary; nothing if nothing was found. No list if nobody looked.
struct found_cures {
    std::vector<std::optional<cure>> hazards, boundaries;

    static std::string text_of(const std::vector<std::optional<cure>>& cures, std::size_t index) {
        return index < cures.size() && cures[index] ? cures[index]->text : "";
    }
};

void add_cures(json& list, const std::vector<std::optional<cure>>& cures) {
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string text = found_cures::text_of(cures, i);
        list[i]["cure"] = text.empty() ? json(nullptr) : json(text);
    }
}

json report_json(const lint_report& report) {
    return {{"verdict", to_string(report.verdict)},
            {"safe_from_replay_buffer", report.safe_from_replay_buffer()},
            {"boundaries", list_json(report.boundaries, boundary_json)},
            {"open_questions", list_json(report.open_questions, question_json)},
            {"hazards", list_json(report.hazards, hazard_json)},
            {"iterations", report.iterations},
            {"random_schedules", report.random_schedules},
            {"random_changed", report.random_changed},
            {"single_bubbles", report.positions},
            {"registers_changed", report.registers_changed},
            {"random_discarded", report.random_discarded},
            {"depends_on", report.depends_on()},
            {"interrupted", report.interrupted}};
}

// Text ------------------------------------------------------------------------------------------------------

std::string verdict_line(const lint_report& report) {
    switch (report.verdict) {
    case lint_verdict::robust: return "the result never changed";
    case lint_verdict::replay_only:
        return std::any_of(report.boundaries.begin(), report.boundaries.end(),
                           [](const lint_boundary& each) { return each.first_difference.has_value(); })
                   ? "right without bubbles, some bubbles change the result"
                   : "right without bubbles, with some a macro discards an instruction";
    case lint_verdict::broken:
        if (report.depends_on().empty()) return "there are hazards even without bubbles";
        return fmt::format(
            "there are hazards even without bubbles; depends on {}, which the model decides the "
            "same way every time",
            fmt::join(report.depends_on(), ", "));
    }
    return "";
}

/// "sequence in lines 31, 32, 33"; empty without lines
std::string sequence_text(const std::vector<unsigned>& lines) {
    if (lines.empty()) return "";
    return fmt::format("sequence in line{} {}", lines.size() == 1 ? "" : "s", fmt::join(lines, ", "));
}

std::string hazard_text(const std::string& file, const lint_hazard& hazard) {
    const std::string place = hazard.line ? fmt::format("{}:{}", file, hazard.line) : file;
    const std::string times = hazard.count == 1 ? "" : fmt::format(" ({} times)", hazard.count);
    const std::string configured = sequence_text(hazard.configured_in);
    const std::string sequence = configured.empty() ? "" : "    " + configured + "\n";
    const std::string text = hazard.text.empty() ? "" : fmt::format("    {}\n", hazard.text);
    const std::string dependence =
        hazard.depends_on.empty() ? "" : fmt::format("    the result depends on {}\n", hazard.depends_on);
    return fmt::format("{}: {}: {}{}\n{}    {}\n{}{}", place, hazard.breaks ? "hazard" : "notice",
                       describe(hazard.what.id).name, times, text, hazard.what.message, sequence, dependence);
}

std::string instruction_text(const lint_instruction& instruction) {
    if (!instruction.scheduled)
        return fmt::format("{} (issued in line {})", instruction.text, instruction.line);
    const std::string configured = sequence_text(instruction.configured_in);
    return fmt::format("{} (scheduled in line {}{})", instruction.text, instruction.line,
                       configured.empty() ? "" : ", its " + configured);
}

std::string boundary_text(const std::string& file, const lint_boundary& boundary) {
    const std::string idle = fmt::format("{} idle cycle{}", boundary.bubble, boundary.bubble == 1 ? "" : "s");
    std::string text =
        fmt::format("{}:{}: a bubble before {} {}{}\n", file, boundary.line, boundary.text,
                    boundary.first_difference ? "changes the result" : "discards an instruction",
                    boundary.needs_others ? ", together with earlier ones" : "");
    if (!boundary.moved.text.empty()) text += "    moved    " + instruction_text(boundary.moved) + "\n";
    if (!boundary.against.text.empty()) text += "    against  " + instruction_text(boundary.against) + "\n";
    if (!boundary.discarded.text.empty())
        text += "    lost     " + instruction_text(boundary.discarded) + ", with " + idle + "\n";
    if (const auto& difference = boundary.first_difference)
        text += fmt::format("    Dst row {} column {}: {:04x} instead of {:04x}, with {}\n", difference->row,
                            difference->column, difference->got, difference->expected, idle);
    else text += "    Dst is the same for all data tried\n";
    if (!boundary.depends_on.empty())
        text += fmt::format("    depends on {}\n", fmt::join(boundary.depends_on, ", "));
    return text;
}

std::string question_text(const std::vector<lint_question>& questions) {
    std::string dependent;
    for (const lint_question& question : questions)
        if (question.depends)
            dependent += fmt::format("{}{}{}", dependent.empty() ? "" : ", ", question.parameter,
                                     question.without_bubbles ? "" : " (with bubbles only)");
    return "open questions   " +
           (dependent.empty() ? "the result depends on none" : "the result depends on " + dependent) + "\n";
}

std::string replay_text(const lint_report& report) {
    switch (report.verdict) {
    case lint_verdict::robust: return "Safe with or without a replay buffer: no bubble matters.";
    case lint_verdict::broken: return "Not safe, from a replay buffer or otherwise.";
    case lint_verdict::replay_only: break;
    }
    if (report.safe_from_replay_buffer())
        return "Safe when each iteration of the loop is issued from a replay buffer, not safe otherwise.";
    return "Safe only if everything is issued without gaps: a gap outside an iteration matters too, so a "
           "replay "
           "buffer for each iteration is not enough.";
}

/// `otherwise`: what helps in general.
std::string cure_text(const std::vector<std::optional<cure>>& of, std::size_t index,
                      const std::string& otherwise) {
    if (index >= of.size()) return ""; // nobody looked
    const std::string text = found_cures::text_of(of, index);
    return fmt::format("    cure     {}\n", !text.empty() ? text
                                            : otherwise.empty()
                                                ? "none found among small changes"
                                                : "none found among small changes; in general: " + otherwise);
}

std::string report_text(const std::string& file, const lint_report& report, const found_cures& cures,
                        const kernel_remarks& remarks) {
    std::string text = fmt::format("{}: {}: {}\n", file, to_string(report.verdict), verdict_line(report));
    for (std::size_t i = 0; i < report.hazards.size(); ++i) {
        const lint_hazard& hazard = report.hazards[i];
        text += hazard_text(file, hazard);
        if (cure_search::wants_cure(hazard))
            text += cure_text(cures.hazards, i, describe(hazard.what.id).cure);
    }
    for (std::size_t i = 0; i < report.boundaries.size(); ++i)
        text += boundary_text(file, report.boundaries[i]) + cure_text(cures.boundaries, i, "");
    const std::string discarding =
        report.random_discarded ? fmt::format(", {} discard an instruction", report.random_discarded) : "";
    text += fmt::format("random bubbles   {} of {} schedules change the result{}\n", report.random_changed,
                        report.random_schedules, discarding);
    text +=
        fmt::format("single bubbles   {} of {} places matter\n", report.boundaries.size(), report.positions);
    text += question_text(report.open_questions);
    text += to_text(remarks, file, "remark           ");
    if (report.registers_changed)
        text += "note             LRegs or lane flags at the end change with bubbles; only Dst counts\n";
    return text + replay_text(report) + "\n";
}

class lint_command : public command {
public:
    const char* name() const override { return "lint"; }
    const char* description() const override { return "Report what depends on luck in a kernel"; }

    bool starts_kernels() const override { return true; }
    void add_options(CLI::App& app) override {
        app.add_option("KERNEL", kernel_file_, "kernel: words if the name ends in .hex, else assembly");
        app.add_option("--rows", rows_, "rows of 32 elements that the kernel may work on")
            ->type_name("N")
            ->check(integer_between(1u, maximum_rows));
        app.add_option("--schedules", lint_.schedules, "runs with random bubbles")
            ->type_name("N")
            ->check(integer_between(0u, maximum_schedules))
            ->capture_default_str();
        app.add_option("--bubble-rate", lint_.bubble_rate, "probability of a bubble before a word")
            ->type_name("P")
            ->check(number_between(0, 1))
            ->capture_default_str();
        app.add_option("--seed", lint_.seed, "of bubbles and input data")
            ->type_name("S")
            ->check(any_integer())
            ->capture_default_str();
        app.add_option("--jobs", jobs_, "runs at once; as many as there are cores if not given")
            ->type_name("N")
            ->check(integer_between(1u, 1024u));
        app.add_flag("--json", json_, "as JSON");
        app.add_flag("--cures", cures_,
                     "look for small changes that help where a bubble matters, too, which takes longer");
        app.add_flag("--fix", fix_,
                     "apply them one after the other, as long as one helps; -o names the result");
        app.add_option("--output,-o", output_, "where --fix writes the kernel; - is standard output")
            ->type_name("FILE");
        app.footer(
            "Examples:\n  sfpusim lint kernels/mul32_macro.s\n  sfpusim lint --fix broken.s -o whole.s");
    }

    parameters configuration(const common_options& options) const override {
        return kernel_file_.empty() ? resolved_configuration(options)
                                    : kernel_configuration(load_kernel(kernel_file_, options), options);
    }

    int run(const common_options& options) override {
        if (kernel_file_.empty()) throw user_error("lint: KERNEL is missing");
        if (fix_ && output_.empty()) throw user_error("lint: --fix needs -o FILE, the kernel that it writes");
        if (!fix_ && !output_.empty()) throw user_error("lint: -o is for --fix");
        const std::string source = read_input(kernel_file_);
        const kernel_run kernel(assemble_kernel(source, kernel_file_, options), options, rows_);
        if ((fix_ || cures_) && is_words_file(kernel_file_))
            throw user_error(kernel_file_ +
                             ": --cures and --fix change lines of assembly, a .hex file has none");
        lint_.strict = options.strict;
        lint_.jobs = jobs_.value_or(std::max(1u, std::thread::hardware_concurrency()));
        progress_line progress(kernel_file_, !options.quiet);
        lint_.progress = [&](std::uint64_t done, std::uint64_t all) { progress.show(done, all, "runs"); };
        platform::core_runner runner;
        if (fix_) return fix(runner, source, options);
        lint_report report;
        found_cures cures;
        bool cures_missing = false;
        {
            const interrupt_guard guard;
            lint_.interrupted = interrupt_guard::interrupted;
            report = analysis::lint(runner, kernel.kernel(), kernel.request(), kernel.iterations(), lint_);
            lint_.progress = nullptr;
            cure_search search(runner, kernel_file_, options, rows_, lint_);
            search.on_trial(
                [&](unsigned tried, unsigned most) { progress.show(tried, most, "changes at most"); });
            if (!report.interrupted) cures_missing = !find_cures(search, source, report, cures);
        }
        progress.end();
        const kernel_remarks remarks = remarks_on(runner, kernel);
        if (json_) {
            json content = report_json(report);
            if (cures_missing) content["interrupted"] = true;
            content["remarks"] = json::array();
            for (const isa::source_remark& each : remarks.all)
                content["remarks"].push_back({{"line", line_or_null(each.line)}, {"message", each.message}});
            add_cures(content["hazards"], cures.hazards);
            if (cures_) add_cures(content["boundaries"], cures.boundaries);
            write_output("", content.dump(2) + "\n");
        } else if (!options.quiet) {
            write_output("", report_text(kernel.kernel().file, report, cures, remarks));
        }
        if (report.interrupted) {
            fmt::print(stderr, "{}: interrupted: this is what {} runs show\n", kernel_file_, report.runs);
            return exit_interrupted;
        }
        if (cures_missing) {
            fmt::print(stderr, "{}: interrupted: cures may be missing, the rest is complete\n", kernel_file_);
            return exit_interrupted;
        }
        return report.verdict == lint_verdict::robust ? exit_success : exit_program_failed;
    }

private:
    /// False if a signal came before all were looked for: those that were looked for until then are there.
    bool find_cures(cure_search& search, const std::string& source, const lint_report& report,
                    found_cures& cures) const {
        const auto add = [](std::vector<std::optional<cure>>& to, std::optional<cure> found) {
            if (found || !interrupt_guard::interrupted()) to.push_back(std::move(found));
            return !interrupt_guard::interrupted();
        };
        if (!is_words_file(kernel_file_))
            for (std::size_t i = 0; i < report.hazards.size(); ++i)
                if (!add(cures.hazards, cure_search::wants_cure(report.hazards[i])
                                            ? search.of_hazard(source, report, i)
                                            : std::nullopt))
                    return false;
        if (cures_)
            for (std::size_t i = 0; i < report.boundaries.size(); ++i)
                if (!add(cures.boundaries, search.of_boundary(source, report, i))) return false;
        return true;
    }

    /// The first cure that there is, hazards before places.
    static std::optional<cure> first_cure(cure_search& search, const std::string& source,
                                          const lint_report& report) {
        for (std::size_t i = 0; i < report.hazards.size(); ++i)
            if (report.hazards[i].breaks)
                if (auto found = search.of_hazard(source, report, i); found && !found->asks_the_author)
                    return found;
        if (report.verdict == lint_verdict::broken) return std::nullopt;
        for (std::size_t i = 0; i < report.boundaries.size(); ++i)
            if (auto found = search.of_boundary(source, report, i)) return found;
        return std::nullopt;
    }

    int fix(platform::program_runner& runner, std::string source, const common_options& options) {
        output_file file(output_);
        lint_.progress = nullptr;
        cure_search search(runner, kernel_file_, options, rows_, lint_);
        progress_line progress(kernel_file_, !options.quiet);
        search.on_trial(
            [&](unsigned tried, unsigned most) { progress.show(tried, most, "changes at most"); });
        lint_report report = search.lint(source);
        std::string text;
        while (report.verdict != lint_verdict::robust) {
            std::optional<cure> found = first_cure(search, source, report);
            if (!found) break;
            text += fmt::format("{}: {}\n", kernel_file_, found->text);
            source = std::move(found->source);
            report = search.lint(source);
        }
        progress.end();
        file.stream() << source;
        file.commit();
        text += fmt::format("{}: {}: {}\n", output_, to_string(report.verdict), verdict_line(report));
        if (!options.quiet) write_report(text);
        return report.verdict == lint_verdict::robust ? exit_success : exit_program_failed;
    }

    std::string kernel_file_;
    std::optional<unsigned> rows_, jobs_;
    analysis::lint_options lint_;
    std::string output_;
    bool json_ = false, cures_ = false, fix_ = false;
};

} // namespace

std::unique_ptr<command> make_lint_command() { return std::make_unique<lint_command>(); }

} // namespace sfpu::cli
