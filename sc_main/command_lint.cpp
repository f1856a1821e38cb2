// `lint`: what depends on luck in a kernel.
#include "colours.h"
#include "command.h"
#include "interrupts.h"
#include "kernel_argument.h"
#include "program.h"
#include "progress.h"
#include <sfpu/analysis/kernel_lint.h>
#include <sfpu/analysis/lint_findings.h>
#include <sfpu/analysis/output_file.h>
#include <sfpu/common/shown_name.h>
#include <sfpu/platform/core_runner.h>
#include <sfpu/views/lint.h>

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <thread>

namespace sfpu::cli {
namespace {

class lint_command : public command {
public:
    const char* name() const override { return "lint"; }
    const char* description() const override { return "Report what depends on luck in a kernel"; }

    bool starts_kernels() const override { return true; }
    void add_options(CLI::App& app) override {
        kernel_.add_options(app);
        app.add_option("--rows", request_.rows, "rows of 32 elements that the kernel may work on")
            ->type_name("N")
            ->check(integer_between(1u, maximum_rows));
        app.add_option("--schedules", request_.how.schedules, "runs with random bubbles")
            ->type_name("N")
            ->check(integer_between(0u, 1'000'000u))
            ->capture_default_str();
        app.add_option("--bubble-rate", request_.how.bubble_rate, "probability of a bubble before a word")
            ->type_name("P")
            ->check(number_between(0, 1))
            ->capture_default_str();
        app.add_option("--seed", request_.how.seed, "of bubbles and input data")
            ->type_name("S")
            ->check(any_integer())
            ->capture_default_str();
        app.add_option("--jobs", jobs_, "runs at once; as many as there are cores if not given")
            ->type_name("N")
            ->check(integer_between(1u, 1024u));
        app.add_flag("--json", json_, "as JSON");
        app.add_option("--sarif", sarif_file_, "write the findings as SARIF 2.1.0")->type_name("FILE");
        app.add_option("--baseline", baseline_file_,
                       "an earlier SARIF file: only what is new shows and fails")
            ->type_name("FILE");
        app.add_flag("--cures", request_.fix_its_of_boundaries,
                     "look for small changes that help where a bubble matters, too, which takes longer");
        app.add_flag("--fix", fix_,
                     "apply them one after the other, as long as one helps; -o names the result");
        app.add_option("--output,-o", output_, "where --fix writes the kernel; - is standard output")
            ->type_name("FILE");
        app.footer("Examples:\n  sfpusim lint kernels/mul32_macro.s\n"
                   "  sfpusim lint --fix broken.s -o whole.s");
    }

    parameters configuration(const common_options& options) const override {
        return kernel_.configuration(options);
    }

    int run(const common_options& options) override {
        kernel_.expect();
        if (fix_ && output_.empty()) throw user_error("lint: --fix needs -o FILE, the kernel that it writes");
        if (!fix_ && !output_.empty()) throw user_error("lint: -o is for --fix");
        if (fix_ && !(sarif_file_ + baseline_file_).empty())
            throw user_error("lint: --fix takes neither --sarif nor --baseline");
        if (!baseline_file_.empty())
            facts_.baseline = read_baseline(baseline_file_, read_file(baseline_file_));
        const std::string& text = kernel_.read(options).text; // before an output is opened
        if ((fix_ || request_.fix_its_of_boundaries) && holds_words(text, kernel_.file()))
            throw user_error(shown_name(kernel_.file()) +
                             ": --cures and --fix change lines of assembly, a file of words has none");
        request_.how.strict = options.strict;
        request_.how.jobs = jobs_.value_or(std::max(1u, std::thread::hardware_concurrency()));
        progress_line progress(kernel_.file(), !options.quiet);
        request_.on_trial = [&](unsigned done, unsigned all) { progress.show(done, all, "changes at most"); };
        return fix_ ? fix(progress, options) : check(progress, options);
    }

private:
    int check(progress_line& progress, const common_options& options) {
        session caller;
        caller.advanced = [&](std::uint64_t done, std::uint64_t all) { progress.show(done, all, "runs"); };
        caller.interrupted = interrupt_guard::interrupted;
        output_file sarif(sarif_file_);
        lint_answer answer = answer_to(options, caller, sarif);
        answer.given = kernel_.given();
        progress.end();
        const std::vector<finding> findings = findings_of(answer);
        const bool interrupted = answer.report.interrupted || answer.fix_its_missing;
        write(sarif, findings, !interrupted);
        const known_findings* const known = facts_.baseline ? &*facts_.baseline : nullptr;
        if (json_) write_output("", to_json(answer, known));
        else if (!options.quiet)
            write_output("", kernel_.told() + to_text(answer, known, colours_of(STDOUT_FILENO)));
        if (!interrupted) return any_fails(findings, known) ? exit_program_failed : exit_success;
        fmt::print(stderr, "{}\n", interruption_line(answer));
        return exit_interrupted;
    }

    /// Faults of the source are findings, too.
    lint_answer answer_to(const common_options& options, const session& caller, output_file& sarif) try {
        const interrupt_guard guard;
        return lint_kernel(runner_, kernel_.read(options).text, kernel_.file(), options, request_, caller);
    } catch (const input_error& error) {
        if (!error.findings().empty()) write(sarif, error.findings(), true);
        throw;
    }

    void write(output_file& sarif, const std::vector<finding>& findings, bool complete) {
        facts_.complete = complete;
        if (sarif.is_wanted()) sarif.stream() << to_sarif(findings, facts_);
        sarif.commit();
    }

    int fix(progress_line& progress, const common_options& options) {
        output_file file(output_);
        const fixed_kernel fixed =
            fix_kernel(runner_, kernel_.read(options).text, kernel_.file(), options, request_);
        progress.end();
        file.stream() << fixed.source;
        file.commit();
        if (!options.quiet) write_report(to_text(fixed, kernel_.file(), output_));
        return fixed.report.verdict == lint_verdict::robust ? exit_success : exit_program_failed;
    }

    std::optional<unsigned> jobs_;
    lint_request request_;
    mutable kernel_argument kernel_{"lint"};
    std::string output_, sarif_file_, baseline_file_;
    platform::core_runner runner_;
    sarif_facts facts_{"sfpusim lint", SFPU_TLM_VERSION, true, std::nullopt};
    bool json_ = false, fix_ = false;
};

} // namespace

std::unique_ptr<command> make_lint_command() { return std::make_unique<lint_command>(); }

} // namespace sfpu::cli
