// `schedule`: the pipeline of a kernel as a table, one line a cycle, and as a picture.
#include "command.h"
#include "kernel_argument.h"
#include "program.h"
#include "run_outputs.h"
#include "schedule_pictures.h"
#include "wanted_profile.h"
#include <sfpu/analysis/simulation.h>
#include <sfpu/views/instruction_profile.h>
#include <sfpu/views/run.h>

#include <sfpu/platform/sfpu_bench.h>
#include <sfpu/probe/schedule_table.h>

#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <memory>

namespace sfpu::cli {
namespace {

/// What is wrong with a number of columns; nothing if it is one.
std::string unless_columns(std::string& text) {
    static const CLI::Validator wide = integer_between(80, 1000);
    return text == "0" || wide(text).empty() ? "" : "found '" + text + "', expected 0 or 80 to 1000";
}

class schedule_command : public command {
public:
    const char* name() const override { return "schedule"; }
    const char* description() const override {
        return "Print what each sub-unit does in each cycle, and a profile by instruction";
    }
    bool writes_traces() const override { return true; }

    bool starts_kernels() const override { return true; }
    void add_options(CLI::App& app) override {
        kernel_.add_options(app);
        app.add_option("--rows", rows_, "rows of 32 elements to work on")
            ->type_name("N")
            ->check(integer_between(1u, maximum_rows));
        app.add_flag("--all", all_,
                     "all cycles and no profile, instead of one iteration in steady state; --from-cycle and "
                     "--to-cycle choose cycles, too");
        app.add_flag("--json", json_, "one iteration in steady state and the profile, as JSON");
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
        app.footer("Examples:\n  sfpusim schedule kernels/mul32_macro.s\n  sfpusim schedule "
                   "kernels/mul32_macro.s --from-cycle 28 --to-cycle 51\n"
                   "  sfpusim schedule kernels/mul32_macro.s --rows 10000 --quiet --html mul32.html");
    }

    parameters configuration(const common_options& options) const override {
        return kernel_.configuration(options);
    }

    int run(const common_options& options) override {
        kernel_.expect();
        kernel_run kernel(kernel_.assembled(options), options, rows_);
        run_outputs outputs(kernel, options, lanes_.chosen());
        schedule_pictures pictures(kernel, trace_options_of(kernel, options), svg_file_, html_file_);
        simulation_options how;
        how.strict = options.strict;
        how.observers = outputs.observers();
        for (probe::pipeline_observer* const picture : pictures.observers()) how.observers.push_back(picture);

        const bool shows = !options.quiet && !json_ && !output_takes_standard_output();
        const bool shows_profile = shows && !all_ && !options.from_cycle && !options.to_cycle;
        const bool wants_profile = shows_profile || json_ || pictures.has_page();
        wanted_profile profile(kernel, wants_profile);
        if (wants_profile) how.observers.push_back(profile.observer());
        // These are about the whole run.
        const bool wants_all = wants_profile || pictures.are_wanted() || !options.stats_file.empty() ||
                               options.strict || hazards(options) == hazard_policy::error;
        if (!wants_all) how.end_behind = options.to_cycle;
        probe::trace_options shown = trace_options_of(kernel, options);
        if (shows) std::cout << kernel_.told();
        if (shows_profile) {
            show_one_iteration(shown, profile.state(), kernel);
            std::cout << steady_state_text(profile.state(), kernel);
        }
        probe::schedule_table table(shown, style());
        if (shows) how.observers.push_back(&table);

        const simulation run = simulated(kernel, how, !shows || isatty(STDOUT_FILENO) == 0);
        const platform::run_result& result = run.result;
        outputs.finish(result, [&](const std::string& systemc) {
            return statistics_of(kernel, run, systemc, kernel_.given());
        });
        const instruction_profile found = wants_profile ? profile.found() : instruction_profile{};
        pictures.finish(result, kernel_.read(options).text, found);
        if (shows) table.print(std::cout);
        if (shows_profile) std::cout << "\n" << to_text(found, style().columns);
        if (json_) write_output("", schedule_json(kernel, run, profile.state(), found, kernel_.given()));
        if (shows && !std::cout.flush()) throw cannot_write("standard output");
        if (run.interrupted) {
            complain({interruption_line(kernel, run)});
            return exit_interrupted;
        }
        complain(error_lines(kernel, run.diagnostics));
        return run.diagnostics.any_error() ? exit_program_failed : exit_success;
    }

private:
    static void show_one_iteration(probe::trace_options& shown, const steady_state& state,
                                   const kernel_run& kernel) {
        if (!state.reached_in(kernel.iterations())) return;
        shown.from = cycles{state.from};
        shown.to = cycles{state.from + state.cycles - 1};
    }
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

    mutable kernel_argument kernel_{"schedule"};
    std::string svg_file_, html_file_;
    std::optional<unsigned> columns_, rows_;
    lane_arguments lanes_;
    bool all_ = false, json_ = false;
};

} // namespace

std::unique_ptr<command> make_schedule_command() { return std::make_unique<schedule_command>(); }

} // namespace sfpu::cli
