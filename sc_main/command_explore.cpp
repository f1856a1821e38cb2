// `explore`: kernels on many machines.
#include "command.h"
#include "explore/local_executor.h"
#include "explore/plots.h"
#include "explore/point.h"
#include "explore/point_store.h"
#include "explore/report_page.h"
#include "explore/sweep.h"
#include "program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace sfpu::cli {
namespace {

using json = nlohmann::ordered_json;

/// Says on standard error how far the sweep is: now and then, on a terminal on one line.
class progress_lines : public progress_listener {
public:
    explicit progress_lines(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

    void progress(std::size_t done, std::size_t all) override {
        using seconds = std::chrono::duration<double>;
        const auto now = std::chrono::steady_clock::now();
        if (quiet_ || (done != all && seconds(now - said_).count() < (terminal_ ? 0.5 : 10))) return;
        said_ = now;
        const double left =
            seconds(now - begin_).count() / static_cast<double>(done) * static_cast<double>(all - done);
        fmt::print(stderr, "{}{} of {} points, about {:.0f} s left{}", terminal_ ? "\r" : "", done, all, left,
                   terminal_ && done != all ? "   " : "   \n");
    }

private:
    bool quiet_, terminal_;
    const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point said_ = begin_;
};

/// Two sweeps into one folder would get in each other's way.
class folder_lock {
public:
    explicit folder_lock(const std::string& folder) {
        const std::string file = folder + "/lock";
        handle_ = open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
        if (handle_ < 0) throw cannot_write(file);
        if (flock(handle_, LOCK_EX | LOCK_NB) != 0)
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
            ->check(CLI::Range(1u, 1024u));
        app.add_flag("--retry-failed", retry_, "run points again that failed or took too long");
    }

    int run(const common_options& options) override {
        if (sweep_file_.empty()) throw user_error("explore: SWEEP is missing");
        if (output_.empty()) throw user_error("explore: --output is missing");
        if (!options.arch.empty() || !options.config_file.empty() || !options.settings.empty())
            throw user_error("explore: the machine is the sweep's; found --arch, --config or --set");
        const sweep what = read_sweep(sweep_file_);
        const point_store store(output_ + "/points");
        const folder_lock lock(output_);

        const std::vector<point_id> runs = all_runs(what);
        std::vector<point_id> missing;
        for (const point_id& id : runs) {
            const auto known = store.find(inputs_of(what, id));
            if (!known || (retry_ && known->value("status", "") != "ok")) missing.push_back(id);
        }
        if (!options.quiet)
            fmt::print(stderr, "{} points, {} known\n", runs.size(), runs.size() - missing.size());
        progress_lines progress(options.quiet);
        const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
        if (!run_locally(what, missing, store, jobs_.value_or(cores), progress)) {
            fmt::print(stderr, "interrupted; the same command goes on from here\n");
            return exit_interrupted;
        }
        return write_results(what, runs, store, options.quiet);
    }

private:
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
        replace_file(output_ + "/results.csv", table);
        replace_file(output_ + "/results.jsonl", lines);
        const page_library library = find_page_library();
        if (!library.problem.empty())
            fmt::print(stderr, "{}/report.html has no charts: {}\n", output_, library.problem);
        replace_file(output_ + "/report.html", report_page(what, reported, library));
        const std::string plot_problem = draw_plots(plots_of(what, reported), output_ + "/plots");
        if (!plot_problem.empty()) fmt::print(stderr, "no plots in {}/plots: {}\n", output_, plot_problem);
        if (!quiet)
            write_output(
                "", fmt::format("{} points: {} valid or unknown, {} with other results than the baseline, {} "
                                "failed\nwrote {}/report.html, results.csv, results.jsonl and plots\n",
                                runs.size(), runs.size() - failed - invalid, invalid, failed, output_));
        return failed ? exit_program_failed : exit_success;
    }

    std::string sweep_file_, output_;
    std::optional<unsigned> jobs_;
    bool retry_ = false;
};

} // namespace

std::unique_ptr<command> make_explore_command() { return std::make_unique<explore_command>(); }

} // namespace sfpu::cli
