// `llk`: the kernels of somebody's checkout of the public kernel library.
#include "command.h"
#include "interrupts.h"
#include "llk_rows.h"
#include "own_kernel_kit.h"
#include "program.h"

#include <sfpu/analysis/call_schedule.h>
#include <sfpu/analysis/kernel_compiler.h>
#include <sfpu/analysis/smt_solver.h>
#include <sfpu/common/shown_name.h>
#include <sfpu/views/library_check.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <thread>

namespace sfpu::cli {
namespace {

class llk_command : public command {
public:
    llk_command() { request_.jobs = 0; }
    const char* name() const override { return "llk"; }
    const char* description() const override {
        return "Try the kernels of a checkout of the public kernel library";
    }

    void add_options(CLI::App& app) override {
        app.add_option("DIR", checkout_, "the checkout");
        app.add_option("--output", output_, "folder for report.html, report.json and what they are made of")
            ->type_name("DIR")
            ->capture_default_str();
        app.add_option("--only", only_, "headers whose names contain this")->type_name("TEXT");
        app.add_option("--jobs", request_.jobs, "headers at a time; 0: as many as there are processors")
            ->type_name("N")
            ->check(integer_between(0u, 1024u))
            ->capture_default_str();
        app.add_option("--compiler", request_.tools.compiler, "C++ compiler")
            ->type_name("PROGRAM")
            ->capture_default_str();
        app.add_option("--flag", request_.tools.flags, "a further argument of the compiler (repeatable)")
            ->type_name("TEXT")
            ->allow_extra_args(false);
        app.add_option("--limit", request_.seconds, "seconds for each compilation or run")
            ->type_name("SECONDS")
            ->check(number_between(1, 86400))
            ->capture_default_str();
        app.add_flag("--record-only", request_.record_only,
                     "compile and record, and leave out runs and comparisons");
        auto* optimizing = app.add_flag("--optimize", optimize_,
                                        "record, and write the shortest schedule of each call that records");
        app.add_option("--time-limit", schedules_.seconds, "with --optimize, for each schedule")
            ->type_name("SECONDS")
            ->check(number_between(0.001, 1e6))
            ->needs(optimizing)
            ->capture_default_str();
        app.add_option("--output-dir", schedules_.folder,
                       "with --optimize, folder for schedules; schedules in that of --output unless given")
            ->type_name("DIR")
            ->needs(optimizing);
        app.add_flag("--json", json_, "the rows as JSON on standard output");
    }

    int run(const common_options& options) override {
        const std::optional<architecture> chip = wanted_chip(options);
        if (checkout_.empty()) throw user_error("llk: DIR is missing");
        if (!std::filesystem::is_directory(checkout_))
            throw user_error("llk: " + shown_name(checkout_) + " is no folder");
        const std::vector<kernel_header> headers = find_headers(checkout_);
        request_.headers = wanted_headers(headers, chip, only_);
        if (request_.headers.empty())
            throw user_error(
                "llk: " + checkout_ +
                " has no header ckernel_sfpu_*.h in a folder of blackhole or wormhole that is wanted");
        request_.tools.kit = own_kernel_kit();
        const interrupt_guard guard;
        session of;
        of.interrupted = interrupt_guard::interrupted;
        if (!compiler_runs(request_.tools.compiler, of))
            throw user_error("llk: the compiler '" + request_.tools.compiler +
                             "' does not run; --compiler names another");
        if (optimize_) expect_schedules();
        llk_rows rows(output_, headers, request_.tools, request_.record_only, asked_of_schedules());
        request_.folder = std::filesystem::absolute(std::filesystem::path(output_) / "work").string();
        if (request_.jobs == 0) request_.jobs = std::max(1u, std::thread::hardware_concurrency());
        const library_answer answer = rows.checked(request_, of, !options.quiet);
        show(answer, options.quiet);
        if (answer.interrupted) return exit_interrupted;
        return answer.any_difference() ? exit_program_failed : exit_success;
    }

private:
    /// Nothing: both.
    static std::optional<architecture> wanted_chip(const common_options& options) {
        if (options.arch.empty() || options.arch == "both") return std::nullopt;
        for (const architecture each : all_architectures)
            if (options.arch == short_name(each)) return each;
        throw user_error("llk: --arch is '" + options.arch + "', expected bh, wh or both");
    }

    /// Each call that records gets a schedule, and nothing else is done with it.
    void expect_schedules() {
        if (schedules_.folder.empty())
            schedules_.folder = (std::filesystem::path(output_) / "schedules").string();
        std::error_code error;
        std::filesystem::create_directories(schedules_.folder, error);
        if (error)
            throw user_error("llk: " + shown_name(schedules_.folder) +
                             ": cannot be made: " + error.message());
        request_.record_only = true;
        request_.schedule = [this](const plain_call& of, const session& caller) {
            smt_solver solver; // one for each thread
            call_schedule_options how = schedules_;
            how.solver = &solver;
            return schedule_of_call(of, how, caller);
        };
    }
    /// What rows depend on beside what they are made of; empty without schedules.
    std::string asked_of_schedules() const {
        return optimize_ ? fmt::format("schedules {:g} {}", schedules_.seconds, schedules_.folder) : "";
    }

    void show(const library_answer& answer, bool quiet) const {
        const nlohmann::ordered_json report = to_json(answer);
        const std::filesystem::path folder = output_;
        write_output((folder / "report.json").string(), report.dump(1) + "\n");
        write_output((folder / "report.html").string(), to_page(answer));
        if (optimize_) write_output((folder / "schedules.csv").string(), schedules_csv(answer));
        if (json_) write_output("", report.dump(2) + "\n");
        else if (!quiet && optimize_)
            write_output("", schedules_text(answer) + "table " + shown_name(output_) + "/schedules.csv\n");
        else if (!quiet)
            write_output("", to_text(answer) + "report " + shown_name(output_) + "/report.html\n");
    }

    std::string checkout_, output_ = "llk", only_;
    library_request request_;
    call_schedule_options schedules_;
    bool json_ = false, optimize_ = false;
};

} // namespace

std::unique_ptr<command> make_llk_command() { return std::make_unique<llk_command>(); }

} // namespace sfpu::cli
