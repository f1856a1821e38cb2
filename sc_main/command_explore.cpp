// `explore`: kernels on many machines.
#include "command.h"
#include "explore/local_executor.h"
#include "explore/plots.h"
#include "explore/point.h"
#include "explore/point_store.h"
#include "explore/report_page.h"
#include "explore/slurm_array.h"
#include "explore/slurm_executor.h"
#include "explore/sweep.h"
#include "program.h"
#include "progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <thread>
#include <unordered_set>

#include <fcntl.h>
#include <unistd.h>

namespace sfpu::cli {
namespace {

using json = nlohmann::ordered_json;

/// Says how far the sweep is.
class progress_lines : public progress_listener {
public:
    progress_lines(const std::string& what, bool quiet) : line_(what, !quiet) {}

    void progress(std::size_t done, std::size_t all) override { line_.show(done, all, "points"); }

private:
    progress_line line_;
};

/// Two sweeps into one folder would get in each other's way.
class folder_lock {
public:
    explicit folder_lock(const std::string& folder) {
        const std::string file = folder + "/lock";
        handle_ = open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
        if (handle_ < 0) throw cannot_write(file);
        // Of this process alone: a child that outlives it for a moment must not keep the next sweep out.
        struct flock whole = {};
        whole.l_type = F_WRLCK;
        if (fcntl(handle_, F_SETLK, &whole) != 0)
            throw user_error(folder + ": another sweep is at work in this folder");
    }
    ~folder_lock() { close(handle_); }
    folder_lock(const folder_lock&) = delete;
    folder_lock& operator=(const folder_lock&) = delete;

private:
    int handle_ = -1;
};

/// RFC 4180. Null is an empty field.
std::string csv_field(const json& value) {
    if (value.is_null()) return "";
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
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
        app.add_flag("--retry-failed", retry_, "run points again that failed or took too long");
    }

    int run(const common_options& options) override {
        if (sweep_file_.empty()) throw user_error("explore: SWEEP is missing");
        if (output_.empty()) throw user_error("explore: --output is missing");
        if (!options.arch.empty() || !options.config_file.empty() || !options.settings.empty())
            throw user_error("explore: the machine is the sweep's; found --arch, --config or --set");
        if (!task_.empty()) return run_task();
        const bool on_slurm = executor_ == "slurm";
        if (!on_slurm && (!slurm_.partition.empty() || !slurm_.account.empty() || !slurm_.more.empty() ||
                          slurm_.points_for_a_task))
            throw user_error("explore: --partition, --account, --sbatch and --points-per-task are options of "
                             "--executor slurm");
        const sweep what = read_sweep(sweep_file_);
        const point_store store(output_ + "/points");
        const folder_lock lock(output_);

        const std::vector<point_id> runs = all_runs(what);
        std::vector<point_id> missing;
        std::size_t known = 0;
        std::unordered_set<std::string> seen; // the same point may stand in a sweep twice
        for (const point_id& id : runs) {
            const std::string inputs = inputs_of(what, id);
            const auto good = [&] {
                const auto found = store.find(inputs);
                return found && (!retry_ || found->value("status", "") == "ok");
            };
            if (good()) {
                ++known;
                continue;
            }
            if (!seen.insert(inputs).second) continue;
            // Followers of an array look for the file only; one that has come since is whole.
            if (on_slurm && store.has(point_store::key(inputs)) && !good()) store.forget(inputs);
            missing.push_back(id);
        }
        if (!options.quiet) fmt::print(stderr, "{} points, {} known\n", runs.size(), known);
        progress_lines progress(sweep_file_, options.quiet);
        const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
        slurm_.tasks_at_once = jobs_;
        if (!(on_slurm
                  ? run_on_slurm(what, missing, store, sweep_file_, output_, slurm_, options.quiet, progress)
                  : run_locally(what, missing, store, jobs_.value_or(cores), progress))) {
            fmt::print(stderr, "interrupted; the same command goes on from here\n");
            return exit_interrupted;
        }
        return write_results(what, runs, store, options.quiet);
    }

private:
    /// As a task of a job array.
    int run_task() const {
        const char* number = std::getenv("SLURM_ARRAY_TASK_ID");
        if (!number) throw user_error("explore: --slurm-task is for Slurm");
        const slurm_array array = slurm_array::read(output_ + "/slurm", task_);
        const point_store store(output_ + "/points");
        const sweep what = read_sweep(array.sweep_file(), sweep_file_);
        return run_slurm_task(what, array, std::strtoul(number, nullptr, 10), store) ? exit_success
                                                                                     : exit_interrupted;
    }

    int write_results(const sweep& what, const std::vector<point_id>& runs, const point_store& store,
                      bool quiet) const {
        std::string lines, table;
        std::vector<reported_row> reported;
        std::size_t failed = 0, invalid = 0;
        for (const point_id& id : runs) {
            const auto result = store.find(inputs_of(what, id));
            if (!result) throw user_error(fmt::format("{}: the result of a point has gone", output_));
            reported.push_back(reported_row_of(what, id, *result));
            const json& row = reported.back().columns;
            if (table.empty()) {
                for (const auto& [column, value] : row.items())
                    table += (table.empty() ? "" : ",") + csv_field(column);
                table += "\r\n";
            }
            bool first = true;
            for (const auto& [column, value] : row.items()) {
                table += (first ? "" : ",") + csv_field(value);
                first = false;
            }
            table += "\r\n";
            lines += row.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
            if (row["status"] != "ok") {
                if (failed++ == 0)
                    fmt::print(stderr, "point {}, {}: {}: {}\n", id.point, row["kernel"].get<std::string>(),
                               row["status"].get<std::string>(), row["error"].get<std::string>());
            }
            if (row["valid"] == "false") ++invalid;
        }
        say_where_baseline_differs(reported);
        write_file(output_ + "/results.csv", table);
        write_file(output_ + "/results.jsonl", lines);
        const page_library library = find_page_library();
        if (!library.problem.empty())
            fmt::print(stderr, "{}/report.html has no charts: {}\n", output_, library.problem);
        write_file(output_ + "/report.html", report_page(what, reported, library));
        const std::string plot_problem = draw_plots(plots_of(what, reported), output_ + "/plots");
        if (!plot_problem.empty()) fmt::print(stderr, "no plots in {}/plots: {}\n", output_, plot_problem);
        if (!quiet)
            write_output(
                "", fmt::format("{} points: {} valid or unknown, {} with other results than the baseline, {} "
                                "failed\nwrote {}/report.html, results.csv, results.jsonl and plots\n",
                                runs.size(), runs.size() - failed - invalid, invalid, failed, output_));
        return failed ? exit_program_failed : exit_success;
    }

    /// What the baseline's machine breaks is right by definition there, and nowhere else.
    static void say_where_baseline_differs(const std::vector<reported_row>& rows) {
        std::set<std::string> told;
        for (const reported_row& row : rows)
            if (row.reference_differs && told.insert(row.columns.value("kernel", "")).second)
                fmt::print(stderr,
                           "{}: computes something else on the baseline's machine than on the chip; 'valid' "
                           "of words "
                           "that are kept means as on the baseline's\n",
                           row.columns.value("kernel", ""));
    }

    std::string sweep_file_, output_, executor_ = "local", task_;
    slurm_options slurm_;
    std::optional<unsigned> jobs_;
    bool retry_ = false;
};

} // namespace

std::unique_ptr<command> make_explore_command() { return std::make_unique<explore_command>(); }

} // namespace sfpu::cli
