// `optimize`: the shortest macro schedule of a plain kernel, checked by simulation.
#include "command.h"
#include "interrupts.h"
#include "kernel_argument.h"
#include "program.h"
#include <sfpu/analysis/function_schedule.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/llk_header.h>
#include <sfpu/analysis/optimize.h>
#include <sfpu/analysis/output_file.h>
#include <sfpu/analysis/smt_solver.h>
#include <sfpu/analysis/text_files.h>
#include <sfpu/common/shown_name.h>
#include <sfpu/views/optimize.h>

#include <fmt/format.h>

#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace sfpu::cli {
namespace {

class optimize_command : public command {
public:
    const char* name() const override { return "optimize"; }
    const char* description() const override {
        return "Write the shortest macro schedule of a plain kernel, and prove it";
    }
    bool starts_kernels() const override { return true; }
    void add_options(CLI::App& app) override {
        kernel_.also_assume({"no-nan", "no-denormal"});
        kernel_.add_options(app, "plain kernel, in any form: a row without macros in its .loop");
        app.add_option("-o,--output", output_, "write the schedule; - is standard output")
            ->type_name("OUT.s");
        app.add_option("--llk", llk_file_,
                       "write the schedule as functions for the vendor's kernel library, too")
            ->type_name("OUT.h");
        app.add_flag(
            "--retime", request_.retime,
            "KERNEL has macros: keep its structure, find other delays and registers for this machine");
        app.add_flag("--bubble-proof", request_.bubble_proof, "right with idle cycles between words, too");
        app.add_option("--rows-per-iteration", request_.rows_per_iteration,
                       "iterations of the loop in one of the schedule; else up to four")
            ->type_name("N")
            ->check(integer_between(1u, 8u));
        app.add_option("--at-most", request_.at_most,
                       "be content with N cycles a row, and fail if that cannot be")
            ->type_name("N")
            ->check(number_between(0.001, 1e6));
        app.add_option("--upper-bound", upper_bound_,
                       "a schedule of KERNEL for this machine: look for shorter ones only")
            ->type_name("FILE");
        app.add_flag("--why", request_.why, "say what refutes one cycle less, and what would allow it");
        auto* time =
            app.add_option("--time-limit", request_.seconds, "for finding and refuting together, of CPU")
                ->type_name("SECONDS")
                ->check(number_between(0.001, 1e6))
                ->capture_default_str();
        app.add_option("--budget", request_.conflicts,
                       "conflicts of the solver instead of seconds, to repeat a search")
            ->type_name("CONFLICTS")
            ->check(integer_between(std::int64_t{1}, std::int64_t{1} << 50))
            ->excludes(time);
        app.add_option("--jobs", request_.jobs,
                       "threads; with --budget the answer is the same for each number")
            ->type_name("N")
            ->check(integer_between(1u, 256u))
            ->capture_default_str();
        app.add_option("--memory-limit", request_.memory_limit,
                       "for the solver's formulas together, such as 512MiB or 4GiB; 0: no limit")
            ->type_name("BYTES")
            ->transform(bytes())
            ->default_str("4GiB");
        app.add_flag("--no-rewrite", no_rewrite_, "only move instructions, take no others");
        app.add_flag("--json", json_, "the result as JSON");
    }

    parameters configuration(const common_options& options) const override {
        return kernel_.configuration(options);
    }

    int run(const common_options& options) override {
        refuse_contradictions();
        request_.text = kernel_.read(options).text;
        request_.name = kernel_.file();
        request_.function = name_of_function(kernel_.given().function);
        request_.machine = options;
        request_.llk_header = !llk_file_.empty();
        request_.rewrite = !no_rewrite_;
        request_.no_nan = kernel_.assumes("no-nan");
        request_.no_denormal = kernel_.assumes("no-denormal");
        smt_solver solver;
        request_.solver = &solver;
        if (!upper_bound_.empty()) request_.upper_bound = {read_file(upper_bound_), upper_bound_};
        // All inputs are read before an output is opened, which is not to replace one of them; and a bad name
        // is found before the search. What stood there stays until there is something better.
        const kernel_run readable(kernel_.assembled(options), options, {});
        output_file schedule_file(output_), header_file(llk_file_);
        optimize_answer answer = optimized(options);
        answer.given = kernel_.given();
        if (json_) write_output("", to_json(answer));
        else if (!options.quiet && output_ != "-" && llk_file_ != "-")
            write_output("", kernel_.told() + to_text(answer));
        if ((answer.met || answer.interrupted) && !answer.schedule.empty()) {
            write(schedule_file, answer.schedule);
            if (!answer.header_problem.empty()) throw user_error(answer.header_problem);
            write(header_file, answer.header);
        }
        if (answer.interrupted)
            fmt::print(stderr, "{}: interrupted: {}\n", shown_name(request_.name),
                       answer.best ? "this is the shortest so far" : "nothing shorter was found so far");
        return answer.interrupted ? exit_interrupted : answer.met ? exit_success : exit_program_failed;
    }

private:
    void refuse_contradictions() const {
        kernel_.expect();
        if (json_ && output_ == "-")
            throw user_error("optimize: -o - and --json both go to standard output; expected one");
        if (json_ && llk_file_ == "-")
            throw user_error("optimize: --llk - and --json both go to standard output; expected one");
    }

    optimize_answer optimized(const common_options& options) const {
        session session;
        session.interrupted = interrupt_guard::interrupted;
        if (!options.quiet && isatty(STDERR_FILENO) != 0)
            session.progress = [this, begun = std::chrono::steady_clock::now()](const std::string& line) {
                const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begun;
                const double left = request_.seconds - spent.count();
                const bool knows = request_.conflicts == 0 && left > 0;
                fmt::print(stderr, "{}{}\n", line, knows ? fmt::format(", at most {:.0f} s left", left) : "");
            };
        const interrupt_guard guard;
        auto function =
            request_.llk_header && !request_.retime ? kernel_.recorded_function(options) : std::nullopt;
        if (!function) return optimize(request_, session);
        function->schedule = request_;
        return optimize_function(*function, session);
    }

    static void write(output_file& file, const std::string& text) {
        if (!file.is_wanted()) return;
        file.stream() << text;
        file.commit();
    }

    mutable kernel_argument kernel_{"optimize"};
    std::string output_, llk_file_, upper_bound_;
    optimize_request request_;
    bool no_rewrite_ = false, json_ = false;
};

} // namespace

std::unique_ptr<command> make_optimize_command() { return std::make_unique<optimize_command>(); }

} // namespace sfpu::cli
