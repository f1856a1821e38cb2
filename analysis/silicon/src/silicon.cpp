#include <sfpu/analysis/silicon.h>

#include "fitted_constants.h"
#include "kernel_words.h"

#include <sfpu/analysis/kernel_compiler.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/kernel_headers.h>
#include <sfpu/analysis/kernel_search.h>
#include <sfpu/analysis/row_profile.h>
#include <sfpu/platform/core_runner.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <filesystem>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace sfpu::analysis {
namespace {

/// Why a row is not judged by what the table says of it; empty if it may be.
std::string doubt_about(const measurement& row) {
    if (row.comparable == "yes") return "";
    if (row.comparable == "no") return row.note.empty() ? "not comparable" : row.note;
    return row.comparable.compare(0, 5, "yes, ") == 0 ? row.comparable.substr(5) : "words " + row.comparable;
}

/// A compiler's message without the name of the folder that the user gave.
std::string within(const std::string& checkout, std::string message) {
    std::error_code error;
    const std::string folder = std::filesystem::canonical(checkout, error).string() + "/";
    for (std::size_t at = 0; !error && (at = message.find(folder)) != std::string::npos;)
        message.erase(at, folder.size());
    return message;
}

/// Records kernels, several at once.
class kernel_pool {
public:
    kernel_pool(std::vector<kernel_source> sources, const silicon_request& what, const session& of)
        : sources_(std::move(sources)), tools_(what.tools), session_(of), results_(sources_.size()) {
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < std::min<std::size_t>(std::max(what.jobs, 1u), sources_.size()); ++i)
            threads.emplace_back([this] { work(); });
        for (std::thread& each : threads) each.join();
        if (problem_) std::rethrow_exception(problem_);
    }
    /// Nothing where the session ended it.
    const std::vector<std::optional<recorded_kernel>>& results() const { return results_; }

private:
    void work() {
        for (std::size_t i = next_++; i < sources_.size(); i = next_++) {
            try {
                results_[i] = record_kernel(sources_[i], tools_, session_);
            } catch (...) {
                const std::lock_guard<std::mutex> lock(mutex_);
                if (!problem_) problem_ = std::current_exception();
                return;
            }
            if (!results_[i]) return;
        }
    }

    std::vector<kernel_source> sources_;
    const kernel_tools& tools_;
    const session& session_;
    std::vector<std::optional<recorded_kernel>> results_;
    std::atomic<std::size_t> next_{0};
    std::mutex mutex_;
    std::exception_ptr problem_;
};

/// Runs a kernel whose loop is a tile.
void measure(platform::program_runner& runner, const std::string& assembly, const measured_kernel& kernel,
             const harness& around, const silicon_request& what, scored_row& row) {
    machine_choice options;
    options.settings = what.settings;
    if (what.config_chip == row.row.chip) options.config_file = what.config_file;
    const kernel_run run(assemble_kernel(assembly, row.row.kernel, options), options, std::nullopt);
    const platform::run_request& request = run.request();
    const unsigned rows = run.kernel().rows_per_iteration;
    row.model = profile_of(runner, request, rows, false).cycles * tile_rows;
    row.pushed = static_cast<double>(request.segments[1].words.size()) * tile_rows / rows;
    if (kernel.pushed > 0) { // what is replayed stands in the words as if it were pushed
        std::size_t words = around.begin.size() + around.end.size();
        words += kernel.faces * (kernel.pushed + kernel.core_cycles);
        if (kernel.faces > 1) words += kernel.faces * around.next_face.size();
        row.pushed = static_cast<double>(words);
    }
    row.judged = row.why_not.empty();
}

/// The same of what a compiler and the recorder made, which says more of its words.
void measure(platform::program_runner& runner, const recorded_kernel& recorded, const measured_kernel& kernel,
             const harness& around, const silicon_request& what, scored_row& row) {
    if (row.why_not.empty() && recorded.generated > 0)
        row.why_not = "uses vector types: its words are this project's, not those of the vendor's compiler";
    if (row.why_not.empty() && 2 * recorded.computed > recorded.pushed)
        row.why_not =
            "words are computed at run time: the core, its compiler and its registers decide how quickly "
            "they come";
    measure(runner, recorded.assembly, kernel, around, what, row);
    if (kernel.pushed == 0) row.pushed = recorded.pushed;
}

/// The sources of kernels that have to be compiled, each once, and the rows that they belong to.
struct pending_kernels {
    struct use {
        std::size_t row, source;
        measured_kernel kernel;
    };
    std::vector<kernel_source> sources;
    std::vector<use> uses;

    void add(std::size_t row, kernel_source source, measured_kernel kernel) {
        std::size_t at = 0;
        while (at < sources.size() && (sources[at].text != source.text || sources[at].arch != source.arch))
            ++at;
        if (at == sources.size()) sources.push_back(std::move(source));
        uses.push_back({row, at, std::move(kernel)});
    }
};

/// One comparison: rows are looked up, then those whose words are published are run, then the others are
/// compiled and run.
class silicon_comparison {
public:
    silicon_comparison(const silicon_request& what, const session& of)
        : what_(what), session_(of), headers_(headers_of(what)), search_(headers_) {
        for (const kernel_header& header : headers_)
            folders_[header.arch] = header.folders; // equal for all of a chip
    }

    /// False if the session ended it.
    bool run() {
        for (const measurement& row : what_.measurements) add(row);
        const kernel_pool recorded(pending_.sources, what_, session_);
        for (const pending_kernels::use& each : pending_.uses) {
            const auto& result = recorded.results()[each.source];
            if (!result || session_.is_over()) return false;
            scored_row& scored = board_.rows[each.row];
            if (!result->assembly.empty())
                measure(runner_, *result, each.kernel, *what_.kernels.harness_of(scored.row), what_, scored);
            else if (scored.why_not.empty()) scored.why_not = within(what_.checkout, result->problem);
        }
        return true;
    }
    scoreboard take_board() { return std::move(board_); }

private:
    static std::vector<kernel_header> headers_of(const silicon_request& what) {
        if (what.checkout.empty()) return {};
        std::vector<kernel_header> headers = find_headers(what.checkout);
        if (headers.empty())
            throw user_error(
                what.checkout +
                ": no headers of kernels found; expected ckernel_sfpu_*.h somewhere below it, in a "
                "folder of blackhole or wormhole");
        return headers;
    }

    /// How the row's kernel is called; nothing, and a reason, if nobody knows.
    std::optional<measured_kernel> kernel_of(const measurement& row, std::string& unknown) const {
        if (const measured_kernel* known = what_.kernels.kernel_of(row)) return *known;
        if (what_.checkout.empty()) return std::nullopt;
        found_kernel found = search_.find(row);
        unknown = found.why_not;
        return std::move(found.kernel);
    }

    void add(const measurement& row) {
        scored_row scored;
        scored.row = row;
        std::string unknown = "needs a checkout of the kernel library (--llk)";
        const harness* around = what_.kernels.harness_of(row);
        std::optional<measured_kernel> kernel = kernel_of(row, unknown);
        scored.why_not = doubt_about(row);
        if (scored.why_not.empty() && kernel) scored.why_not = kernel->excluded;
        if (row.unit != "cycles/tile") scored.why_not = "not cycles a tile";
        else if (kernel && around) add_known(std::move(*kernel), *around, unknown, scored);
        else if (scored.why_not.empty())
            scored.why_not =
                kernel ? "unknown harness: none is described whose configuration begins like this" : unknown;
        board_.rows.push_back(std::move(scored));
    }

    void add_known(measured_kernel kernel, const harness& around, const std::string& unknown,
                   scored_row& scored) {
        const measurement& row = scored.row;
        for (const auto& [text, cycles] : around.loops)
            if (kernel.core_cycles == 0 && row.kernel.find(text) != std::string::npos)
                kernel.core_cycles = cycles * calls_of(row.configuration).rows;
        scored.call = kernel.call;
        if (!kernel.assembly.empty())
            measure(runner_, assembly_of(kernel, around, row), kernel, around, what_, scored);
        else if (what_.checkout.empty()) {
            if (scored.why_not.empty()) scored.why_not = unknown;
        } else {
            kernel_source source{"kernel", row.chip, folders_[row.chip], source_of(kernel, around, row)};
            pending_.add(board_.rows.size(), std::move(source), std::move(kernel));
        }
    }

    const silicon_request& what_;
    const session& session_;
    std::vector<kernel_header> headers_;
    kernel_search search_;
    std::map<architecture, std::vector<std::string>> folders_;
    platform::core_runner runner_;
    pending_kernels pending_;
    scoreboard board_;
};

} // namespace

std::optional<scoreboard> compare_with_silicon(const silicon_request& what, const session& of) {
    silicon_comparison comparison(what, of);
    if (!comparison.run()) return std::nullopt;
    scoreboard board = comparison.take_board();
    fit_constants(board, what.kernels);
    std::stable_sort(board.rows.begin(), board.rows.end(), [](const scored_row& a, const scored_row& b) {
        const auto rank = [](const scored_row& each) { return each.judged ? 0 : each.model ? 1 : 2; };
        if (rank(a) != rank(b)) return rank(a) < rank(b);
        return a.judged && std::abs(*a.error()) > std::abs(*b.error());
    });
    return board;
}

} // namespace sfpu::analysis
