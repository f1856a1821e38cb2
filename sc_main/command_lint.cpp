// `lint`: what depends on luck in a kernel.
#include "command.h"
#include "interrupts.h"
#include "program.h"
#include "progress.h"
#include <sfpu/analysis/kernel_lint.h>
#include <sfpu/analysis/output_file.h>
#include <sfpu/views/lint.h>

#include <sfpu/platform/core_runner.h>

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace sfpu::cli {
namespace {

constexpr unsigned maximum_schedules = 1'000'000;

class lint_command : public command {
public:
    const char* name() const override { return "lint"; }
    const char* description() const override { return "Report what depends on luck in a kernel"; }

    bool starts_kernels() const override { return true; }
    void add_options(CLI::App& app) override {
        app.add_option("KERNEL", kernel_file_, "kernel: words if the name ends in .hex, else assembly");
        app.add_option("--rows", request_.rows, "rows of 32 elements that the kernel may work on")
            ->type_name("N")
            ->check(integer_between(1u, maximum_rows));
        app.add_option("--schedules", request_.how.schedules, "runs with random bubbles")
            ->type_name("N")
            ->check(integer_between(0u, maximum_schedules))
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
        app.add_flag("--cures", request_.fix_its_of_boundaries,
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
        if ((fix_ || request_.fix_its_of_boundaries) && is_words_file(kernel_file_))
            throw user_error(kernel_file_ +
                             ": --cures and --fix change lines of assembly, a .hex file has none");
        request_.how.strict = options.strict;
        request_.how.jobs = jobs_.value_or(std::max(1u, std::thread::hardware_concurrency()));
        progress_line progress(kernel_file_, !options.quiet);
        request_.on_trial = [&](unsigned tried, unsigned most) {
            progress.show(tried, most, "changes at most");
        };
        return fix_ ? fix(source, progress, options) : check(source, progress, options);
    }

private:
    int check(const std::string& source, progress_line& progress, const common_options& options) {
        session caller;
        caller.advanced = [&](std::uint64_t done, std::uint64_t all) { progress.show(done, all, "runs"); };
        caller.interrupted = interrupt_guard::interrupted;
        platform::core_runner runner;
        const lint_answer answer = [&] {
            const interrupt_guard guard;
            return lint_kernel(runner, source, kernel_file_, options, request_, caller);
        }();
        progress.end();
        if (json_) write_output("", to_json(answer));
        else if (!options.quiet) write_output("", to_text(answer));
        const lint_report& report = answer.report;
        if (report.interrupted)
            fmt::print(stderr, "{}: interrupted: this is what {} runs show\n", kernel_file_, report.runs);
        else if (answer.fix_its_missing)
            fmt::print(stderr, "{}: interrupted: cures may be missing, the rest is complete\n", kernel_file_);
        if (report.interrupted || answer.fix_its_missing) return exit_interrupted;
        return report.verdict == lint_verdict::robust ? exit_success : exit_program_failed;
    }

    int fix(const std::string& source, progress_line& progress, const common_options& options) {
        output_file file(output_);
        platform::core_runner runner;
        const fixed_kernel fixed = fix_kernel(runner, source, kernel_file_, options, request_);
        progress.end();
        file.stream() << fixed.source;
        file.commit();
        if (!options.quiet) write_report(to_text(fixed, kernel_file_, output_));
        return fixed.report.verdict == lint_verdict::robust ? exit_success : exit_program_failed;
    }

    std::string kernel_file_;
    std::optional<unsigned> jobs_;
    lint_request request_;
    std::string output_;
    bool json_ = false, fix_ = false;
};

} // namespace

std::unique_ptr<command> make_lint_command() { return std::make_unique<lint_command>(); }

} // namespace sfpu::cli
