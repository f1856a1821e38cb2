// `schedule`: the pipeline of a kernel as a table, one line a cycle.
#include "command.h"
#include "kernel_file.h"
#include "program.h"
#include "run_outputs.h"

#include <sfpu/platform/sfpu_bench.h>
#include <sfpu/probe/schedule_table.h>

#include <sstream>

namespace sfpu::cli {
namespace {

class schedule_command : public command {
public:
    const char* name() const override { return "schedule"; }
    const char* description() const override { return "Print what each sub-unit does in each cycle"; }
    bool writes_traces() const override { return true; }

    void add_options(CLI::App& app) override {
        app.add_option("KERNEL", kernel_file_, "kernel: words if the name ends in .hex, else assembly");
        app.add_option("--rows", rows_, "rows of 32 elements to work on")
            ->type_name("N")
            ->check(CLI::Range(1u, maximum_rows));
    }

    parameters configuration(const common_options& options) const override {
        return kernel_file_.empty() ? resolved_configuration(options)
                                    : kernel_configuration(load_kernel(kernel_file_, options), options);
    }

    int run(const common_options& options) override {
        if (kernel_file_.empty()) throw user_error("schedule: KERNEL is missing");
        kernel_run kernel(load_kernel(kernel_file_, options), options, rows_);
        run_outputs outputs(kernel, options);
        probe::schedule_table table(trace_options_of(kernel, options));
        outputs.observers().add(table);

        platform::sfpu_bench bench;
        const platform::run_result result = outputs.run(bench);
        outputs.finish(result);
        std::ostringstream text;
        table.print(text);
        if (!options.quiet) write_output("", text.str());
        return exit_success;
    }

private:
    std::string kernel_file_;
    std::optional<unsigned> rows_;
};

} // namespace

std::unique_ptr<command> make_schedule_command() { return std::make_unique<schedule_command>(); }

} // namespace sfpu::cli
