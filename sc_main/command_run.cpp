// `run`: a kernel on the timed platform, and the throughput report.
#include "command.h"
#include "kernel_argument.h"
#include "program.h"
#include "run_outputs.h"
#include <sfpu/analysis/kernel_data.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/kernel_tensors.h>
#include <sfpu/analysis/run.h>
#include <sfpu/views/run.h>

#include <sfpu/platform/sfpu_bench.h>

namespace sfpu::cli {
namespace {

class run_command : public command {
public:
    const char* name() const override { return "run"; }
    const char* description() const override { return "Run a kernel and report its throughput"; }
    bool writes_traces() const override { return true; }
    bool starts_kernels() const override { return true; }
    void add_options(CLI::App& app) override {
        kernel_.add_options(app);
        app.add_option("--rows", rows_, "rows of 32 elements to work on")
            ->type_name("N")
            ->check(integer_between(1u, maximum_rows));
        app.add_option("--dst-load", dst_load_, "initial Dst: 1024 x 16 little-endian 16-bit cells")
            ->type_name("FILE");
        app.add_option("--seed", seed_, "of the random data in Dst before the run, unless it is loaded")
            ->type_name("S")
            ->check(any_integer())
            ->capture_default_str();
        app.add_flag("--zero", zero_, "Dst holds zeros before the run");
        app.add_flag(
            "--no-check", no_check_,
            "do not compare the results with the chip's when timing parameters differ from the chip's");
        app.add_option("--dst-dump", dst_dump_, "where to write Dst after the run, in the same form")
            ->type_name("FILE");
        app.add_option("--input", tensors_.inputs,
                       "values of an .input: a file in .npy or .csv form, else raw values; may be repeated")
            ->type_name("NAME=FILE")
            ->type_size(1)
            ->allow_extra_args(false);
        app.add_option("--output", tensors_.outputs,
                       "where to write the values of an .output, in the same forms; may be repeated")
            ->type_name("NAME=FILE")
            ->type_size(1)
            ->allow_extra_args(false);
        app.add_option(
               "--print", tensors_.printed,
               "print values of an .output, or of an .input before the run: 'y', 'y[0:4]', 'y[3, 0:8]' "
               "(rows, lanes); may be repeated")
            ->type_name("NAME[ROWS]")
            ->type_size(1)
            ->allow_extra_args(false);
        CLI::Option* const expected =
            app.add_option("--expect", tensors_.expected,
                           "values that an .output must have, or the exit code is 2; may be repeated")
                ->type_name("NAME=FILE")
                ->type_size(1)
                ->allow_extra_args(false);
        lanes_.add_options(app);
        app.add_option("--ulp", tensors_.ulp,
                       "how many units in the last place a value may be away from what is expected")
            ->type_name("N")
            ->check(any_integer())
            ->needs(expected)
            ->capture_default_str();
        for (const bool relative : {true, false})
            app.add_option(relative ? "--rtol" : "--atol", relative ? tensors_.rtol : tensors_.atol,
                           "a value may be away by atol + rtol * |expected|, too")
                ->type_name("X")
                ->check(CLI::NonNegativeNumber)
                ->needs(expected);
    }

    parameters configuration(const common_options& options) const override {
        return kernel_.configuration(options);
    }

    int run(const common_options& options) override {
        kernel_.expect();
        if (zero_ && !dst_load_.empty()) throw user_error("run: --zero and --dst-load exclude each other");
        kernel_run kernel(kernel_.assembled(options), options, rows_);
        if (!dst_load_.empty()) load_dst(dst_load_, kernel.request());
        else if (!zero_) // zeros would hide that an instruction comes too early or too late
            fill_with_random_data(kernel, seed_);
        kernel_tensors tensors(kernel, tensors_);
        run_outputs outputs(kernel, options, lanes_.chosen());
        output_file dump(dst_dump_);

        const run_answer answer = answered(kernel, options, outputs);
        outputs.finish(answer.run.result, [&](const std::string& systemc) {
            return statistics_of(kernel, answer, systemc, kernel_.given());
        });
        const bool complete = !answer.run.interrupted; // data of some rows would look like those of all
        if (complete) {
            if (dump.is_wanted()) dump.stream() << dst_bytes(answer.dst);
            dump.commit();
            tensors.write(answer.dst);
        }
        if (!options.quiet) {
            run_surroundings around;
            if (complete) around.agreement = tensors.agreement(answer.dst);
            around.written = tensors.written();
            around.written.insert(around.written.end(), outputs.written().begin(), outputs.written().end());
            write_report(kernel_.told() + to_text(answer, kernel, around));
        }
        if (complete) write_report(tensors.text(answer.dst));
        complain(not_modelled_lines(kernel.kernel().file, answer.run.result.counters,
                                    kernel.request().config.arch));
        if (!complete) {
            complain({interruption_line(kernel, answer.run)});
            return exit_interrupted;
        }
        complain(failure_lines(kernel, answer));
        const std::vector<std::string> complaints = tensors.complaints(answer.dst, answer.remarks.unstored);
        complain(complaints);
        return answer.ok() && complaints.empty() ? exit_success : exit_program_failed;
    }

private:
    /// On the timed platform. Ctrl-C ends it behind the present rows.
    run_answer answered(kernel_run& kernel, const common_options& options, const run_outputs& outputs) {
        run_options how;
        how.compare_with_chip = !no_check_;
        how.fix_its = !options.quiet;
        how.rows = rows_;
        how.observers = outputs.observers();
        const watched_rows watched(kernel.kernel().file, !options.quiet);
        platform::sfpu_bench bench;
        return analysis::run(bench, kernel, kernel_.read(options).text, options, how, watched.caller());
    }

    mutable kernel_argument kernel_{"run"};
    std::string dst_load_, dst_dump_;
    tensor_arguments tensors_;
    std::optional<unsigned> rows_;
    lane_arguments lanes_;
    std::uint64_t seed_ = 1;
    bool zero_ = false, no_check_ = false;
};

} // namespace

std::unique_ptr<command> make_run_command() { return std::make_unique<run_command>(); }

} // namespace sfpu::cli
