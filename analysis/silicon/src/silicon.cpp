#include <sfpu/analysis/silicon.h>

#include "core_program.h"
#include "fitted_constants.h"
#include "kernel_words.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/kernel_compiler.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/kernel_headers.h>
#include <sfpu/analysis/kernel_search.h>
#include <sfpu/analysis/row_profile.h>
#include <sfpu/platform/core_runner.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <exception>
#include <filesystem>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace sfpu::analysis {
namespace {

/// Why a row is not judged by what the table says of it; empty if it may be. A table of kernels that says how
/// its words were checked answers everything but "no".
std::string doubt_about(const measurement& row, const measured_kernel* kernel) {
    if (row.comparable == "yes") return "";
    if (row.comparable == "no") return row.note.empty() ? "not comparable" : row.note;
    if (kernel && !kernel->checked.empty()) return "";
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

/// Of a harness's unit in a tile. Nothing for a unit that no model has.
std::optional<double> units_of_a_tile(const measurement& row, const harness& around) {
    const bool body = row.unit == "cycles/body";
    if (around.timed == timed_part::pushes) // a body is a tile
        return body || row.unit == "cycles/tile" ? std::optional<double>(1) : std::nullopt;
    if (row.unit == "cycles/row") return tile_rows;
    return row.unit == "cycles/tile" ? std::optional<double>(1) : std::nullopt;
}

/// Runs a kernel whose loop is a tile.
void measure(platform::program_runner& runner, const std::string& assembly, const measured_kernel& kernel,
             const harness& around, const silicon_request& what, scored_row& row) {
    machine_choice options;
    options.settings = what.settings;
    if (what.config_chip == row.row.chip) options.config_file = what.config_file;
    const kernel_run run(assemble_kernel(assembly, row.row.kernel, options), options, std::nullopt);
    const platform::run_request& request = run.request();
    const unsigned rows = run.kernel().rows_per_iteration;
    const double units = units_of_a_tile(row.row, around).value_or(1);
    row.model = profile_of(runner, request, rows, false).cycles * tile_rows / units;
    row.pushed = static_cast<double>(request.segments[1].words.size()) * tile_rows / rows / units;
    if (kernel.pushed > 0) { // what is replayed stands in the words as if it were pushed
        std::size_t words = around.begin.size() + around.end.size();
        words += kernel.faces * (kernel.pushed + kernel.core_cycles);
        if (kernel.faces > 1) words += kernel.faces * around.next_face.size();
        row.pushed = static_cast<double>(words) / units;
    }
    row.judged = row.why_not.empty();
}

/// The same of a body of which only the pushes are timed.
void measure_pushes(const std::string& assembly, const silicon_request& what, scored_row& row) {
    const auto pushed = pushed_code(assemble_kernel(assembly, row.row.kernel, machine_choice{}));
    if (pushed && what.pushing_time)
        row.model = row.pushed = what.pushing_time(pushed->setup, pushed->code, row.row.chip);
    else if (row.why_not.empty()) row.why_not = "no tile is there that could push its words";
    row.judged = row.why_not.empty();
}

/// A program of the core that takes so many times what the vector unit takes for the words decides.
constexpr double core_slack = 1.02;

/// Whether most of its words are computed at run time.
bool is_computed(const recorded_kernel& kernel) { return 2 * kernel.computed > kernel.pushed; }

/// The same of what a compiler and the recorder made, which says more of its words.
void measure(platform::program_runner& runner, const recorded_kernel& recorded, const measured_kernel& kernel,
             const harness& around, const silicon_request& what, scored_row& row) {
    if (row.why_not.empty() && recorded.generated > 0)
        row.why_not = "uses vector types: its words are this project's, not those of the vendor's compiler";
    if (row.why_not.empty() && is_computed(recorded))
        row.why_not =
            "words are computed at run time: the core, its compiler and its registers decide how quickly "
            "they come";
    if (around.timed == timed_part::pushes) measure_pushes(recorded.assembly, what, row);
    else measure(runner, recorded.assembly, kernel, around, what, row);
    if (kernel.pushed == 0) row.pushed = recorded.pushed / units_of_a_tile(row.row, around).value_or(1);
    row.source = row.judged ? word_source::recorded : word_source::candidate;
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

/// A checkout of the kernel library, or of what has disassemblies.
class library_checkout {
public:
    explicit library_checkout(const std::string& name)
        : name_(name), headers_(find_headers(name)), search_(headers_) {
        for (const kernel_header& header : headers_)
            folders_[header.arch] = header.folders; // equal for all of a chip
    }
    const std::string& name() const { return name_; }
    bool has_headers() const { return !headers_.empty(); }
    const kernel_search& search() const { return search_; }
    const std::vector<std::string>& folders(architecture arch) { return folders_[arch]; }

private:
    std::string name_;
    std::vector<kernel_header> headers_;
    kernel_search search_;
    std::map<architecture, std::vector<std::string>> folders_;
};

/// One comparison: rows are looked up, then those whose words are published are run, then the others are
/// compiled and run, of one checkout after the other until one has words that count.
class silicon_comparison {
public:
    silicon_comparison(const silicon_request& what, const session& of) : what_(what), session_(of) {
        for (const std::string& each : what.checkouts) {
            checkouts_.emplace_back(each);
            if (checkouts_.back().has_headers() || has_disassembly(each)) continue;
            throw user_error(
                each + ": no headers of kernels found; expected ckernel_sfpu_*.h somewhere below it, in a "
                       "folder of blackhole or wormhole");
        }
    }

    /// False if the session ended it.
    bool run() {
        for (const measurement& row : what_.measurements) add(row);
        for (library_checkout& checkout : checkouts_)
            if (!record(checkout)) return false;
        return true;
    }
    scoreboard take_board() { return std::move(board_); }

private:
    bool has_disassembly(const std::string& checkout) const {
        return std::any_of(
            what_.kernels.all().begin(), what_.kernels.all().end(), [&](const measured_kernel& each) {
                return !each.code.file.empty() && std::filesystem::exists(checkout + "/" + each.code.file);
            });
    }

    void add(const measurement& row) {
        scored_row scored;
        scored.row = row;
        const harness* around = what_.kernels.harness_of(row);
        const measured_kernel* kernel = what_.kernels.kernel_of(row);
        if (around) scored.harness = around->name;
        if (kernel) scored.checked = kernel->checked;
        const std::string doubt = doubt_about(row, kernel);
        scored.why_not = doubt.empty() && kernel ? kernel->excluded : doubt;
        bool wanted = false;
        if (around ? !units_of_a_tile(row, *around) : row.unit != "cycles/tile") {
            scored.why_not = "not cycles a tile";
        } else if (kernel && around && !kernel->assembly.empty()) {
            add_described(*kernel, *around, scored);
        } else if (!kernel || around) {
            wanted = row.comparable != "no"; // whose words nobody knows, so that others say nothing of it
            if (scored.why_not.empty() && checkouts_.empty())
                scored.why_not = "needs a checkout of the kernel library (--llk)";
        } else if (scored.why_not.empty()) {
            scored.why_not = no_harness;
        }
        wanted_.push_back(wanted);
        doubts_.push_back(scored.why_not);
        board_.rows.push_back(std::move(scored));
    }

    static void add_loops(measured_kernel& kernel, const harness& around, const measurement& row) {
        for (const auto& [text, cycles] : around.loops)
            if (kernel.core_cycles == 0 && row.kernel.find(text) != std::string::npos)
                kernel.core_cycles = cycles * calls_of(row.configuration).rows;
    }

    /// A kernel whose words stand in the table of kernels.
    void add_described(measured_kernel kernel, const harness& around, scored_row& scored) {
        add_loops(kernel, around, scored.row);
        const bool told = scored.row.comparable == "yes" && kernel.checked.empty();
        scored.source = !scored.why_not.empty() ? word_source::candidate
                        : told                  ? word_source::published
                                                : word_source::derived;
        measure(runner_, assembly_of(kernel, around, scored.row), kernel, around, what_, scored);
    }

    /// Looks for all rows that still want words in a checkout. False if the session ended it.
    bool record(library_checkout& checkout) {
        pending_kernels pending;
        for (std::size_t i = 0; i < board_.rows.size(); ++i)
            if (wanted_[i]) look_up(checkout, i, pending);
        const kernel_pool recorded(pending.sources, what_, session_);
        for (const pending_kernels::use& each : pending.uses) {
            const auto& result = recorded.results()[each.source];
            if (!result || session_.is_over()) return false;
            settle(checkout, *result, each);
        }
        return true;
    }

    /// How the row's kernel is called, and its source; a reason if nobody knows.
    void look_up(library_checkout& checkout, std::size_t at, pending_kernels& pending) {
        scored_row& scored = board_.rows[at];
        const harness* around = what_.kernels.harness_of(scored.row);
        const measured_kernel* known = what_.kernels.kernel_of(scored.row);
        if (known && !known->code.file.empty()) return add_code(checkout, *known, *around, at);
        found_kernel found;
        if (known) found.kernel = *known;
        else if (checkout.has_headers()) found = checkout.search().find(scored.row);
        if (!found.kernel || !around) {
            if (scored.why_not.empty()) scored.why_not = found.kernel ? no_harness : found.why_not;
            return;
        }
        if (!checkout.has_headers()) return;
        add_loops(*found.kernel, *around, scored.row);
        kernel_source source{"kernel", scored.row.chip, checkout.folders(scored.row.chip),
                             source_of(*found.kernel, *around, scored.row)};
        pending.add(at, std::move(source), std::move(*found.kernel));
    }

    /// A row takes the words of a checkout if they count, or if it has none yet.
    void settle(library_checkout& checkout, const recorded_kernel& result, const pending_kernels::use& use) {
        scored_row scored = board_.rows[use.row];
        const bool first = !scored.model;
        scored.why_not = doubts_[use.row];
        if (result.assembly.empty()) {
            if (first && scored.why_not.empty()) scored.why_not = within(checkout.name(), result.problem);
            board_.rows[use.row].why_not = first ? scored.why_not : board_.rows[use.row].why_not;
            return;
        }
        scored.call = use.kernel.call;
        scored.checkout = checkout.name();
        measure(runner_, result, use.kernel, *what_.kernels.harness_of(scored.row), what_, scored);
        const bool countable =
            result.generated == 0 && (run_on_core(checkout, result, use, scored) || !is_computed(result));
        wanted_[use.row] = !countable;
        if (first || countable) board_.rows[use.row] = std::move(scored);
    }

    /// A row whose words a core computes, or whose pushes are timed, by a program of the core. False if there
    /// is none.
    bool run_on_core(library_checkout& checkout, const recorded_kernel& recorded,
                     const pending_kernels::use& use, scored_row& row) {
        const harness& around = *what_.kernels.harness_of(row.row);
        const bool is_body = around.timed == timed_part::pushes;
        if (!what_.core_time || !(is_body || is_computed(recorded))) return false;
        const std::string source = core_source_of(use.kernel, around, row.row);
        const auto [found, is_new] = core_times_.try_emplace({row.row.chip, source});
        timed_program& timed = found->second;
        if (is_new) {
            const core_program made = compile_for_core(source, row.row.chip, checkout.folders(row.row.chip),
                                                       what_.core_compiler, what_.tools.kit, session_);
            timed.problem = made.problem;
            if (made.program) timed.cycles = what_.core_time(*made.program, row.row.chip);
        }
        if (!timed.cycles) {
            if (is_computed(recorded) && doubts_[use.row].empty())
                row.why_not += "; compiled for the core: " + within(checkout.name(), timed.problem);
            return false;
        }
        const double unit = row.model.value_or(0);
        row.model = *timed.cycles / (is_body ? 1 : timed_tiles) / *units_of_a_tile(row.row, around);
        row.core_bound = !is_body && *row.model > core_slack * unit;
        row.why_not = doubts_[use.row];
        row.judged = row.why_not.empty();
        row.source = row.judged ? word_source::compiled : word_source::candidate;
        return true;
    }

    /// Code of a core, which a disassembly has.
    void add_code(const library_checkout& checkout, const measured_kernel& kernel, const harness& around,
                  std::size_t at) {
        scored_row& row = board_.rows[at];
        const std::string file = checkout.name() + "/" + kernel.code.file;
        if (!what_.pushing_time || around.timed != timed_part::pushes || !std::filesystem::exists(file)) {
            if (row.why_not.empty()) row.why_not = kernel.code.file + ": in no checkout";
            return;
        }
        const std::vector<std::uint32_t> code = code_of(kernel.code, file);
        row.model = row.pushed = what_.pushing_time({}, code, row.row.chip);
        row.why_not = doubts_[at];
        row.judged = row.why_not.empty();
        row.checkout = checkout.name();
        row.source = row.judged ? word_source::recorded : word_source::candidate;
        wanted_[at] = false;
    }

    static constexpr auto no_harness =
        "unknown harness: none is described whose configuration begins like this";
    const silicon_request& what_;
    const session& session_;
    std::deque<library_checkout> checkouts_;
    platform::core_runner runner_;
    struct timed_program {
        std::optional<double> cycles;
        std::string problem; ///< if there are none
    };
    std::map<std::pair<architecture, std::string>, timed_program> core_times_; ///< by source
    std::vector<bool> wanted_;        ///< by row: no words yet that count
    std::vector<std::string> doubts_; ///< by row: why it is not judged whatever its words are
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
