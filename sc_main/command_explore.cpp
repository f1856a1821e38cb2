// `explore`: kernels on many machines.
#include "command.h"
#include "exploration_teller.h"
#include "interrupts.h"
#include "own_kernel_kit.h"
#include "page_library.h"
#include "program.h"
#include "versions.h"

#include <sfpu/analysis/exploration.h>
#include <sfpu/analysis/firmware_point.h>
#include <sfpu/analysis/plot_files.h>
#include <sfpu/analysis/schedule_point.h>
#include <sfpu/common/shown_name.h>
#include <sfpu/views/exploration.h>
#include <sfpu/views/exploration_page.h>
#include <sfpu/views/exploration_plots.h>
#include <sfpu/views/kernel_picture.h>

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace sfpu::cli {
namespace {

point_tools tools_of_points() {
    std::error_code error;
    return {picture_of, run_firmware_point, schedule_for_point,
            std::filesystem::read_symlink("/proc/self/exe", error).string(), [] {
                return kernel_tools{chosen_compiler(), {}, own_kernel_kit()};
            }};
}

class explore_command : public command {
public:
    const char* name() const override { return "explore"; }
    const char* description() const override { return "Run kernels on many machines and compare"; }

    void add_options(CLI::App& app) override {
        app.add_option("SWEEP", sweep_file_, "what to run: a JSON file");
        app.add_option("--output", output_, "folder for the results; what it holds already is not run again")
            ->type_name("DIR");
        app.add_option("--jobs", jobs_, "points at once; as many as there are cores if not given")
            ->type_name("N")
            ->check(integer_between(1u, 1024u));
        app.add_option("--executor", executor_, "what runs the points: this machine, or a job array of Slurm")
            ->check(one_of({"local", "slurm"}))
            ->capture_default_str();
        app.add_option("--partition", slurm_.partition, "of Slurm")->type_name("NAME");
        app.add_option("--account", slurm_.account, "of Slurm")->type_name("NAME");
        app.add_option("--sbatch", slurm_.more, "a word for sbatch, as in --sbatch=--qos=long (repeatable)")
            ->type_name("WORD")
            ->type_size(1)
            ->allow_extra_args(false);
        app.add_option(
               "--points-per-task", slurm_.points_for_a_task,
               "points that a task of the array runs one after another; if not given, so many that there "
               "are at most 200 tasks")
            ->type_name("N")
            ->check(integer_between(1u, 1000000u));
        app.add_option("--slurm-task", task_, "the part of this program that Slurm starts")->group("");
        app.add_flag("--isolate", isolate_,
                     "each point in a process of its own, so that one that crashes ends no other");
        app.add_flag("--retry-failed", retry_, "run points again that failed or took too long");
    }

    int run(const common_options& options) override {
        if (sweep_file_.empty()) throw user_error("explore: SWEEP is missing");
        if (output_.empty()) throw user_error("explore: --output is missing");
        if (!options.arch.empty() || !options.config_file.empty() || !options.settings.empty())
            throw user_error("explore: the machine is the sweep's; found --arch, --config or --set");
        session at;
        at.interrupted = interrupt_guard::interrupted;
        if (!options.quiet) at.progress = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
        if (!task_.empty()) return run_task(at);
        exploration_request request;
        if (executor_ == "slurm") {
            slurm_.tasks_at_once = jobs_;
            slurm_.sweep_file = sweep_file_;
            request.slurm = slurm_;
        } else if (!slurm_.partition.empty() || !slurm_.account.empty() || !slurm_.more.empty() ||
                   slurm_.points_for_a_task) {
            throw user_error("explore: --partition, --account, --sbatch and --points-per-task are options of "
                             "--executor slurm");
        }
        request.what = read_sweep(sweep_file_);
        request.folder = output_;
        request.jobs = jobs_.value_or(0);
        request.retry_failed = retry_;
        request.isolate = isolate_;
        request.tools = tools_of_points();
        exploration_teller teller(sweep_file_, options.quiet);
        request.listener = &teller;
        const exploration_answer answer = explore_until_interrupted(std::move(request), at);
        if (!answer.interrupted) return show(answer, options.quiet);
        if (!answer.array_left.empty())
            fmt::print(stderr, "the array goes on in the queue; 'scancel --name={}' ends it\n",
                       answer.array_left);
        fmt::print(stderr, "interrupted; the same command goes on from here\n");
        return exit_interrupted;
    }

private:
    static exploration_answer explore_until_interrupted(exploration_request request, const session& at) {
        const interrupt_guard guard;
        return explore(std::move(request), at);
    }

    /// As a task of a job array.
    int run_task(const session& at) const {
        const char* number = std::getenv("SLURM_ARRAY_TASK_ID");
        if (!number) throw user_error("explore: --slurm-task is for Slurm");
        const interrupt_guard guard;
        const bool finished = run_slurm_task(
            {output_, task_, sweep_file_, std::strtoul(number, nullptr, 10), tools_of_points()}, at);
        return finished ? exit_success : exit_interrupted;
    }

    int show(const exploration_answer& answer, bool quiet) const {
        for (const std::string& complaint : complaints_of(answer))
            fmt::print(stderr, "{}\n", shown_text(complaint));
        write_file(output_ + "/results.csv", to_csv(answer));
        write_file(output_ + "/results.jsonl", to_json_lines(answer));
        const page_library library = find_page_library();
        if (!library.problem.empty())
            fmt::print(stderr, "{}/report.html has no charts: {}\n", shown_name(output_), library.problem);
        write_file(output_ + "/report.html",
                   to_page(answer, {versions().product, library.text, library.problem}));
        const std::string problem = draw_plots(plots_of(answer), output_ + "/plots");
        if (!problem.empty()) fmt::print(stderr, "no plots in {}/plots: {}\n", shown_name(output_), problem);
        if (!quiet) write_output("", to_text(answer, shown_name(output_)));
        return answer.failed() ? exit_program_failed : exit_success;
    }

    std::string sweep_file_, output_, executor_ = "local", task_;
    slurm_options slurm_;
    std::optional<unsigned> jobs_;
    bool retry_ = false, isolate_ = false;
};

} // namespace

std::unique_ptr<command> make_explore_command() { return std::make_unique<explore_command>(); }

} // namespace sfpu::cli
