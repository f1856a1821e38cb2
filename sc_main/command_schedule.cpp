// `schedule`: the pipeline of a kernel as a table, one line a cycle, and as a picture.
#include "command.h"
#include "program.h"
#include "run_outputs.h"
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/simulation.h>
#include <sfpu/views/run.h>

#include <sfpu/common/shown_name.h>
#include <sfpu/platform/sfpu_bench.h>
#include <sfpu/probe/schedule_table.h>
#include <sfpu/views/schedule_page.h>
#include <sfpu/views/svg_schedule.h>

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
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
std::string base_name(const std::string& file) { return shown_name(file.substr(file.find_last_of('/') + 1)); }

/// What is wrong with a number of columns; nothing if it is one.
std::string unless_columns(std::string& text) {
    static const CLI::Validator wide = integer_between(80, 1000);
    return text == "0" || wide(text).empty() ? "" : "found '" + text + "', expected 0 or 80 to 1000";
}

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
            ->check(integer_between(1u, maximum_rows));
        lanes_.add_options(app);
        app.add_option("--svg", svg_file_, "draw the schedule, too")->type_name("FILE");
        app.add_option("--html", html_file_,
                       "write it as a page for a browser, to scroll, zoom and search through long runs")
            ->type_name("FILE");
        app.add_option("--columns", columns_,
                       "characters of a line; 0: as wide as instructions need. On a terminal 100 unless "
                       "given, else 0")
            ->type_name("N")
            ->check(CLI::Validator(&unless_columns, ""));
        app.footer("Examples:\n  sfpusim schedule kernels/mul32_macro.s --from-cycle 28 --to-cycle 51\n"
                   "  sfpusim schedule kernels/mul32_macro.s --rows 10000 --quiet --html mul32.html");
    }

    parameters configuration(const common_options& options) const override {
        return kernel_file_.empty() ? resolved_configuration(options)
                                    : kernel_configuration(load_kernel(kernel_file_, options), options);
    }

    int run(const common_options& options) override {
        if (kernel_file_.empty()) throw user_error("schedule: KERNEL is missing");
        kernel_run kernel(load_kernel(kernel_file_, options), options, rows_);
        run_outputs outputs(kernel, options, lanes_.chosen());
        const probe::trace_options drawn = drawable(trace_options_of(kernel, options));
        svg_schedule drawing(drawn, base_name(kernel_file_));
        output_file svg(svg_file_);
        simulation_options how;
        how.strict = options.strict;
        how.observers = outputs.observers();
        if (svg.is_wanted()) how.observers.push_back(&drawing);
        output_file html(html_file_);
        std::unique_ptr<schedule_page> page;
        if (html.is_wanted()) {
            page = std::make_unique<schedule_page>(html.stream(), kernel, trace_options_of(kernel, options),
                                                   base_name(kernel_file_));
            how.observers.push_back(page.get());
        }

        const bool shows = !options.quiet && !output_takes_standard_output();
        // These are about the whole run.
        const bool wants_all = svg.is_wanted() || html.is_wanted() || !options.stats_file.empty() ||
                               options.strict || hazards(options) == hazard_policy::error;
        if (!wants_all) how.end_behind = options.to_cycle;
        probe::schedule_table table(trace_options_of(kernel, options), style());
        if (shows) how.observers.push_back(&table);

        const simulation run = simulated(kernel, how, !shows || isatty(STDOUT_FILENO) == 0);
        const platform::run_result& result = run.result;
        outputs.finish(result,
                       [&](const std::string& systemc) { return statistics_of(kernel, run, systemc); });
        drawing.summarise(summary_line(kernel, result));
        if (svg.is_wanted()) svg.stream() << printed(drawing);
        svg.commit();
        const bool is_cut = !options.to_cycle || cycles{*options.to_cycle} > *drawn.to;
        if (svg.is_wanted() && is_cut && result.last_cycle > *drawn.to)
            fmt::print(stderr,
                       "{}: shows cycles {} to {} of {}; --from-cycle and --to-cycle choose others, and "
                       "--html shows all\n",
                       svg_file_, drawn.from.value_or(cycles{}).count(), drawn.to->count(),
                       result.last_cycle.count());
        if (page) page->finish(summary_line(kernel, result), steady_state(result));
        html.commit();
        if (shows) table.print(std::cout);
        if (shows && !std::cout.flush()) throw cannot_write("standard output");
        if (run.interrupted) {
            complain({interruption_line(kernel, run)});
            return exit_interrupted;
        }
        complain(error_lines(kernel, run.diagnostics));
        return run.diagnostics.any_error() ? exit_program_failed : exit_success;
    }

private:
    /// On the timed platform. Ctrl-C ends it behind the present rows.
    static simulation simulated(kernel_run& kernel, const simulation_options& how, bool shows_progress) {
        const watched_rows watched(kernel.kernel().file, shows_progress);
        platform::sfpu_bench bench;
        return simulate(bench, kernel, how, watched.caller());
    }
    /// Colours and a narrow table are for people in front of a terminal; no-color.org says how they refuse
    /// colours.
    probe::table_style style() const {
        const bool terminal = isatty(STDOUT_FILENO) != 0;
        const char* const refused = std::getenv("NO_COLOR");
        probe::table_style wanted;
        wanted.columns = columns_.value_or(terminal ? 100 : 0);
        wanted.colours = terminal && !(refused && *refused);
        wanted.out = &std::cout;
        return wanted;
    }
    /// A picture is kept until its end is known, and nobody looks at a longer one.
    static probe::trace_options drawable(probe::trace_options shown) {
        constexpr cycles most{20000};
        const cycles last = shown.from.value_or(cycles{}) + most - cycles{1};
        shown.to = std::min(shown.to.value_or(last), last);
        return shown;
    }
    static cycles steady_state(const platform::run_result& result) {
        if (result.segments.size() < 2) return cycles{};
        const platform::run_result::segment_span& loop = result.segments[1];
        return cycles{loop.first.count() + (loop.last.count() - loop.first.count()) / 2};
    }

    std::string kernel_file_, svg_file_, html_file_;
    std::optional<unsigned> columns_;
    std::optional<unsigned> rows_;
    lane_arguments lanes_;
};

} // namespace

std::unique_ptr<command> make_schedule_command() { return std::make_unique<schedule_command>(); }

} // namespace sfpu::cli
