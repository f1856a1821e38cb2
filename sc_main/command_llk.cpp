// `llk`: the kernels of somebody's checkout of the public kernel library.
#include "command.h"
#include "interrupts.h"
#include "llk/kernel_report.h"
#include "llk/kernel_trial.h"
#include "program.h"
#include <sfpu/analysis/output_file.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>
#include <thread>

namespace sfpu::cli {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

std::string contents_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

/// FNV-1a.
std::uint64_t hash(const std::string& text, std::uint64_t from = 0xcbf29ce484222325u) {
    for (unsigned char c : text) from = (from ^ c) * 0x100000001b3u;
    return from;
}

class llk_command : public command {
public:
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
        app.add_option("--jobs", jobs_, "headers at a time; 0: as many as there are processors")
            ->type_name("N")
            ->check(integer_between(0u, 1024u))
            ->capture_default_str();
        app.add_option("--compiler", compiler_, "C++ compiler")->type_name("PROGRAM")->capture_default_str();
        app.add_option("--flag", flags_, "a further argument of the compiler (repeatable)")
            ->type_name("TEXT")
            ->allow_extra_args(false);
        app.add_option("--limit", seconds_, "seconds for each compilation or run")
            ->type_name("SECONDS")
            ->check(number_between(1, 86400))
            ->capture_default_str();
        app.add_flag("--record-only", record_only_, "compile and record, and leave out runs and comparisons");
        app.add_flag("--json", json_, "the rows as JSON on standard output");
    }

    int run(const common_options& options) override {
        if (!options.arch.empty()) chip_ = options.arch;
        if (chip_ != "bh" && chip_ != "wh" && chip_ != "both")
            throw user_error("llk: --arch is '" + chip_ + "', expected bh, wh or both");
        if (checkout_.empty()) throw user_error("llk: DIR is missing");
        if (!fs::is_directory(checkout_)) throw user_error("llk: " + checkout_ + " is no folder");
        std::vector<llk::kernel_header> headers = llk::find_headers(checkout_);
        std::uint64_t library = hash(""); // any header may include any other
        for (const llk::kernel_header& header : headers) library = hash(contents_of(header.path), library);
        headers.erase(std::remove_if(headers.begin(), headers.end(),
                                     [&](const llk::kernel_header& h) { return !wanted(h); }),
                      headers.end());
        if (headers.empty())
            throw user_error(
                "llk: " + checkout_ +
                " has no header ckernel_sfpu_*.h in a folder of blackhole or wormhole that is wanted");
        llk::toolchain tools = llk::find_toolchain(compiler_, flags_);
        tools.record_only = record_only_;
        std::error_code error;
        fs::create_directories(fs::path(output_) / "rows", error);
        if (error) throw user_error("llk: " + output_ + ": cannot be made: " + error.message());
        results_.assign(headers.size(), json());
        const bool complete = try_all(headers, tools, library);

        json rows = json::array();
        for (const json& result : results_)
            for (const json& row : result) rows.push_back(row);
        const json summary = llk::summary_of(rows);
        const json report = {{"summary", summary}, {"rows", rows}};
        write_output((fs::path(output_) / "report.json").string(), report.dump(1) + "\n");
        write_output((fs::path(output_) / "report.html").string(), llk::report_page(rows, summary));
        if (json_) write_output("", report.dump(2) + "\n");
        else if (!options.quiet)
            write_output("", llk::summary_text(summary) + "report " + output_ + "/report.html\n");
        if (!complete) return exit_interrupted;
        const bool different = std::any_of(rows.begin(), rows.end(), [](const json& row) {
            return row["direct_equals_recorded"] == false || row["macro_equals_plain"] == false;
        });
        return different ? exit_program_failed : exit_success;
    }

private:
    bool wanted(const llk::kernel_header& header) const {
        const bool chip = chip_ == "both" || chip_ == short_name(header.arch);
        return chip && header.name.find(only_) != std::string::npos;
    }

    /// Tries each header that has no result of the same text, program and compiler yet. False if interrupted.
    bool try_all(const std::vector<llk::kernel_header>& headers, const llk::toolchain& tools,
                 std::uint64_t library) {
        std::uint64_t common = hash(compiler_, hash(contents_of(tools.kit.program), library));
        if (tools.record_only) common = hash("record only", common);
        for (const std::string& flag : flags_) common = hash(flag, common);
        const interrupt_guard guard;
        std::atomic<std::size_t> next{0};
        std::exception_ptr failure;
        std::mutex failing;
        const auto work = [&] {
            for (std::size_t i; (i = next++) < headers.size() && !interrupt_guard::interrupted();) try {
                    results_[i] = result_of(headers[i], tools, common);
                } catch (...) {
                    const std::lock_guard<std::mutex> lock(failing);
                    failure = std::current_exception();
                    next = headers.size();
                }
        };
        const unsigned jobs = jobs_ != 0 ? jobs_ : std::max(1u, std::thread::hardware_concurrency());
        std::vector<std::thread> workers;
        for (unsigned j = 1; j < jobs; ++j) workers.emplace_back(work);
        work();
        for (std::thread& worker : workers) worker.join();
        if (failure) std::rethrow_exception(failure);
        return !interrupt_guard::interrupted();
    }

    json result_of(const llk::kernel_header& header, const llk::toolchain& tools,
                   std::uint64_t common) const {
        std::string plain_name = header.name;
        std::replace(plain_name.begin(), plain_name.end(), '/', '.');
        const std::string file = (fs::path(output_) / "rows" / (plain_name + ".json")).string();
        const std::string key = fmt::format("{:016x}", hash(header.name, common));
        const json before = json::parse(contents_of(file), nullptr, false);
        if (before.is_object() && before.value("key", "") == key) return before["rows"];
        const fs::path folder = fs::absolute(fs::path(output_) / "work" / plain_name);
        const json rows = llk::try_header(header, tools, folder.string(), seconds_);
        if (interrupt_guard::interrupted()) return json::array(); // its processes may have been ended
        const std::lock_guard<std::mutex> lock(writing_);
        write_output(file, json({{"key", key}, {"rows", rows}}).dump(1) + "\n");
        return rows;
    }

    std::string checkout_, chip_ = "both", output_ = "llk", only_, compiler_ = "c++";
    std::vector<std::string> flags_;
    unsigned jobs_ = 0;
    double seconds_ = 120;
    bool json_ = false, record_only_ = false;
    std::vector<json> results_;
    mutable std::mutex writing_;
};

} // namespace

std::unique_ptr<command> make_llk_command() { return std::make_unique<llk_command>(); }

} // namespace sfpu::cli
