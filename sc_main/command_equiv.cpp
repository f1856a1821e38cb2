// `equiv`: whether two kernels compute the same.
#include "command.h"
#include "interrupts.h"
#include "kernel_argument.h"
#include "program.h"
#include "progress.h"
#include <sfpu/analysis/kernel_comparison.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/smt_solver.h>
#include <sfpu/views/equivalence.h>

#include <sfpu/common/shown_name.h>
#include <sfpu/platform/core_runner.h>

#include <fmt/format.h>

namespace sfpu::cli {
namespace {

constexpr unsigned maximum_seeds = 1'000'000;

class equiv_command : public command {
public:
    const char* name() const override { return "equiv"; }
    const char* description() const override { return "Whether two kernels compute the same"; }

    bool starts_kernels() const override { return true; }
    void add_options(CLI::App& app) override {
        a_.add_options(app);
        b_.add_options_beside(app, a_, "the other kernel");
        app.add_option("--seeds", options_.seeds, "runs with random values")
            ->type_name("N")
            ->check(integer_between(0u, maximum_seeds))
            ->capture_default_str();
        app.add_option("--seed", options_.seed, "of the input values")
            ->type_name("S")
            ->check(any_integer())
            ->capture_default_str();
        app.add_flag("--exhaustive", options_.exhaustive,
                     "try every value of each input of 16 bits or fewer, or of the only one of 32");
        app.add_flag("--ignore-signed-zero", options_.ignore_signed_zero, "+0 and -0 are the same");
        app.add_flag("--nan-equal", options_.nan_equal, "all NaNs are the same");
        app.add_option("--rows", rows_, "rows of 32 elements that both kernels work on")
            ->type_name("N")
            ->check(integer_between(1u, maximum_rows));
        app.add_flag("--json", json_, "as JSON");
    }

    int run(const common_options& options) override {
        if (!a_.is_given() || !b_.is_given())
            throw user_error(std::string("equiv: ") + (a_.is_given() ? "B is" : "A and B are") + " missing");
        kernel_argument::read_both(a_, b_, options);
        const isa::kernel a = a_.assembled(options), b = b_.assembled(options);
        session caller;
        caller.interrupted = interrupt_guard::interrupted;
        platform::core_runner runner;
        smt_solver solver;
        options_.solver = &solver;
        equivalence_answer answer = [&] {
            const interrupt_guard guard;
            const working_line shown("equiv", !options.quiet);
            return equivalence_of(runner, a, b, options, rows_, options_, caller);
        }();
        answer.a_given = a_.given();
        answer.b_given = b_.given();
        const equivalence_report& report = answer.report;
        if (json_) write_output("", to_json(answer));
        else if (!options.quiet && !report.interrupted)
            write_output("", a_.told() + b_.told() + to_text(answer));
        if (report.interrupted) {
            fmt::print(stderr, "{} and {}: interrupted: no difference in {} inputs in {} runs\n",
                       shown_name(a_.file()), shown_name(b_.file()), report.inputs_tried, report.runs);
            return exit_interrupted;
        }
        return report.equal ? exit_success : exit_program_failed;
    }

private:
    kernel_argument a_{"equiv", "A"}, b_{"equiv", "B"};
    std::optional<unsigned> rows_;
    equivalence_options options_;
    bool json_ = false;
};

} // namespace

std::unique_ptr<command> make_equiv_command() { return std::make_unique<equiv_command>(); }

} // namespace sfpu::cli
