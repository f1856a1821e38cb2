// `schedule`: the pipeline of a kernel as a table, one line a cycle, and as a picture.
#include "command.h"
#include "kernel_file.h"
#include "program.h"
#include "run_outputs.h"

#include <sfpu/platform/sfpu_bench.h>
#include <sfpu/probe/schedule_table.h>
#include <sfpu/probe/svg_schedule.h>

#include <sstream>

namespace sfpu::cli {
namespace {

template <class Picture>
std::string printed(Picture& picture) {
    std::ostringstream text;
    picture.print(text);
    return text.str();
}

/// The name without directories: pictures must not depend on where the file stands.
std::string base_name(const std::string& file) { return file.substr(file.find_last_of('/') + 1); }

class schedule_command : public command {
public:
    const char* name() const override { return "schedule"; }
    const char* description() const override { return "Print what each sub-unit does in each cycle"; }
    bool writes_traces() const override { return true; }

    bool starts_kernels() const override { return true; }
    void add_options(CLI::App& app) override {
        app.add_option("KERNEL", kernel_file_, "kernel: words if the name ends in .hex, else assembly");
        app.add_option("--rows", rows_, "rows of 32 elements to work on")
            ->type_name("N")
            ->check(CLI::Range(1u, maximum_rows));
        app.add_option("--svg", svg_file_, "draw the schedule, too")->type_name("FILE");
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
        probe::svg_schedule drawing(trace_options_of(kernel, options), base_name(kernel_file_));
        output_file svg(svg_file_);
        if (svg.is_wanted()) outputs.observers().add(drawing);

        platform::sfpu_bench bench;
        const platform::run_result result = outputs.run(bench);
        outputs.finish(result);
        if (svg.is_wanted()) svg.stream() << printed(drawing);
        svg.commit();
        const std::string text = printed(table);
        if (!options.quiet) write_report(text);
        outputs.complain_about_interruption();
        return outputs.interrupted() ? exit_interrupted : exit_success;
    }

private:
    std::string kernel_file_, svg_file_;
    std::optional<unsigned> rows_;
};

} // namespace

std::unique_ptr<command> make_schedule_command() { return std::make_unique<schedule_command>(); }

} // namespace sfpu::cli
