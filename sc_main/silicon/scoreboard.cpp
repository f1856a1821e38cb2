#include "scoreboard.h"

#include "../interrupts.h"
#include "../llk/kernel_compiler.h"
#include "../llk/kernel_headers.h"
#include "../program.h"
#include "kernel_search.h"
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/row_profile.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <exception>
#include <filesystem>
#include <iterator>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace sfpu::cli {
namespace {

constexpr unsigned tile_rows = 32;
constexpr auto idle = "nop"; ///< in the place of a cycle without a word

using word_list = std::vector<std::uint32_t>;

word_list words_of(const std::vector<std::string>& lines, const measurement& row) {
    if (lines.empty()) return {};
    std::string text = ".arch " + row.arch + "\n.loop\n";
    for (const std::string& line : lines) text += "    " + line + "\n";
    const isa::kernel assembled =
        assemble_kernel(text, "instructions for '" + row.kernel + "'", machine_choice{});
    word_list words;
    for (const isa::source_word& each : assembled.loop) words.push_back(each.word);
    return words;
}

/// A kernel whose loop is a tile, of published words.
std::string assembly_of(const measured_kernel& kernel, const harness& around, const measurement& row) {
    std::string text = fmt::format(".arch {}\n.rows {}\n.loop {}\n", row.arch, tile_rows, tile_rows);
    const auto add = [&](const std::vector<std::string>& lines) {
        for (const std::string& line : lines) text += "    " + line + "\n";
    };
    add(around.begin);
    for (unsigned face = 0; face < kernel.faces; ++face) {
        for (unsigned each = 0; each < tile_rows / kernel.faces; ++each) add(kernel.assembly);
        add(std::vector<std::string>(kernel.core_cycles, idle));
        if (kernel.faces > 1) add(around.next_face);
    }
    add(around.end);
    return text;
}

/// C++ that records the same of a function of the kernel library.
std::string source_of(const measured_kernel& kernel, const harness& around, const measurement& row) {
    std::string body;
    const auto add = [&](const std::vector<std::string>& lines) {
        for (const std::uint32_t word : words_of(lines, row))
            body += fmt::format("        SFPU_KERNEL_ISSUE({:#010x}u);\n", word);
    };
    add(around.begin);
    for (unsigned face = 0; face < kernel.faces; ++face) {
        body += fmt::format("        {};\n", kernel.call);
        add(std::vector<std::string>(kernel.core_cycles, idle));
        if (kernel.faces > 1) add(around.next_face);
    }
    add(around.end);
    return fmt::format(R"(#include <sfpu/kernel_recorder/program.h>
#include "ckernel.h"
#include "ckernel_defs.h"
#include "ckernel_addrmod.h"
#include "ckernel_ops.h"
#include "cmath_common.h"
#include "llk_defs.h"
#include "lltt.h"
#include "sfpi.h"
#include "{}"
using namespace ckernel;
void sfpu_kernel(::sfpu::kernel_recorder::program_builder& kernel) {{
    kernel.init([] {{
        addr_mod_t{{.dest = {{.incr = 0}}}}.set(ADDR_MOD_7);
        addr_mod_t{{.dest = {{.incr = 2}}}}.set(ADDR_MOD_6);
        using namespace ckernel::sfpu;
        {};
    }});
    kernel.calculate({}, [] {{
        using namespace ckernel::sfpu;
{}    }}, ::sfpu::kernel_recorder::drain::every_call);
}}
)",
                       kernel.header, kernel.init, tile_rows, body);
}

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
    kernel_pool(std::vector<kernel_source> sources, unsigned jobs)
        : sources_(std::move(sources)), results_(sources_.size()) {
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < std::min<std::size_t>(std::max(jobs, 1u), sources_.size()); ++i)
            threads.emplace_back([this] { work(); });
        for (std::thread& each : threads) each.join();
        if (problem_) std::rethrow_exception(problem_);
    }
    /// Nothing where the user interrupted it.
    const std::vector<std::optional<recorded_kernel>>& results() const { return results_; }

private:
    void work() {
        for (std::size_t i = next_++; i < sources_.size(); i = next_++) {
            try {
                results_[i] = record_kernel(sources_[i]);
            } catch (...) {
                const std::lock_guard<std::mutex> lock(mutex_);
                if (!problem_) problem_ = std::current_exception();
                return;
            }
            if (!results_[i]) return;
        }
    }

    std::vector<kernel_source> sources_;
    std::vector<std::optional<recorded_kernel>> results_;
    std::atomic<std::size_t> next_{0};
    std::mutex mutex_;
    std::exception_ptr problem_;
};

/// Runs a kernel whose loop is a tile.
void measure(platform::program_runner& runner, const std::string& assembly, const measured_kernel& kernel,
             const harness& around, const scoring& what, scored_row& row) {
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
             const harness& around, const scoring& what, scored_row& row) {
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

using row_list = std::vector<scored_row*>;

/// What rows of one kind of harness lack: beside the words that the unit executes, and beside those that the core pushes.
struct limits {
    double unit = 0;
    std::optional<double> core;
    std::size_t unit_rows = 0, core_rows = 0; ///< that they were fitted to

    bool core_decides(const scored_row& row) const { return core && *row.pushed + *core > *row.model + unit; }
    double cycles(const scored_row& row) const {
        return core_decides(row) ? *row.pushed + *core : *row.model + unit;
    }
    double error(const scored_row& row) const { return (cycles(row) - row.row.measured) / row.row.measured; }
};

/// Which rows the core decides, none says: those in which it is the least ahead of the unit, as many as give the least errors
/// and are then decided by it.
limits fitted_limits(row_list rows, bool with_core) {
    std::stable_sort(rows.begin(), rows.end(), [](const scored_row* a, const scored_row* b) {
        return *a->model - *a->pushed < *b->model - *b->pushed;
    });
    limits best;
    double least = 0;
    for (std::size_t by_core = 0; by_core < (with_core ? rows.size() : 1); ++by_core) {
        std::vector<double> unit, core;
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (i < by_core) core.push_back(rows[i]->row.measured - *rows[i]->pushed);
            else unit.push_back(rows[i]->row.measured - *rows[i]->model);
        limits some{median_of(unit), std::nullopt, unit.size(), core.size()};
        if (by_core > 0) some.core = median_of(core);
        double sum = 0;
        for (const scored_row* row : rows) sum += std::abs(some.error(*row));
        const bool as_split =
            std::all_of(rows.begin(), rows.end(), [&, at = std::size_t{0}](const scored_row* row) mutable {
                return some.core_decides(*row) == (at++ < by_core);
            });
        if (by_core > 0 && (!as_split || sum >= least - 1e-9)) continue;
        least = sum;
        best = some;
    }
    return best;
}

/// Two measurements of which one says what the other does.
bool equal_evidence(const scored_row& a, const scored_row& b) {
    return a.row.measured == b.row.measured && *a.model == *b.model && *a.pushed == *b.pushed;
}

/// Fits the constants of each kind of harness of a chip to its judged rows.
void fit_constants(scoreboard& board, const measured_kernels& kernels) {
    using place = std::pair<std::string, std::string>; // chip and constant
    std::map<place, std::string> core_constants;
    std::map<place, row_list> all;
    for (scored_row& each : board.rows) {
        const harness* around = kernels.harness_of(each.row);
        if (!around || around->constant.empty() || !each.model) continue;
        const place at(around->arch, around->constant);
        all[at].push_back(&each);
        if (!around->core_constant.empty()) core_constants[at] = around->core_constant;
    }
    for (const auto& [at, rows] : all) {
        row_list judged;
        std::copy_if(rows.begin(), rows.end(), std::back_inserter(judged),
                     [](const scored_row* r) { return r->judged; });
        if (judged.empty()) continue;
        const auto core = core_constants.find(at);
        const bool with_core = core != core_constants.end();
        const limits fitted = fitted_limits(judged, with_core), one = fitted_limits(judged, false);
        board.constants.push_back(
            {at.first, at.second, kernels.meaning(at.second), fitted.unit, fitted.unit_rows});
        if (fitted.core)
            board.constants.push_back(
                {at.first, core->second, kernels.meaning(core->second), *fitted.core, fitted.core_rows});
        for (scored_row* row : rows) {
            row->constant = fitted.cycles(*row) - *row->model;
            row->core_bound = fitted.core_decides(*row);
            if (!row->judged) continue;
            row->with_one = one.error(*row);
            row_list others;
            std::copy_if(judged.begin(), judged.end(), std::back_inserter(others),
                         [&](const scored_row* other) { return !equal_evidence(*other, *row); });
            if (!others.empty()) row->left_out = fitted_limits(others, with_core).error(*row);
        }
        for (scored_row* row : judged) {
            if ((row->core_bound ? fitted.core_rows : fitted.unit_rows) > 1) continue;
            row->judged = false;
            row->why_not = "the constant is fitted to it alone";
        }
    }
}

} // namespace

std::optional<double> scored_row::error() const {
    if (!model) return std::nullopt;
    return (*model + constant.value_or(0) - row.measured) / row.measured;
}

double median_of(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double scoreboard::median_error() const {
    std::vector<double> errors;
    for (const scored_row& each : rows)
        if (each.judged) errors.push_back(std::abs(*each.error()));
    return median_of(std::move(errors));
}
std::vector<double> scoreboard::errors(std::optional<double> scored_row::*kind) const {
    std::vector<double> errors;
    for (const scored_row& each : rows)
        if (each.judged && each.*kind) errors.push_back(std::abs(*(each.*kind)));
    return errors;
}
double scoreboard::worst_error() const {
    double worst = 0;
    for (const scored_row& each : rows)
        if (each.judged) worst = std::max(worst, std::abs(*each.error()));
    return worst;
}
std::size_t scoreboard::judged() const {
    return static_cast<std::size_t>(
        std::count_if(rows.begin(), rows.end(), [](const scored_row& each) { return each.judged; }));
}

std::optional<scoreboard> score(platform::program_runner& runner, const measured_kernels& kernels,
                                const scoring& what) {
    const interrupt_guard guard;
    std::map<architecture, std::vector<std::string>> folders;
    std::vector<llk::kernel_header> headers;
    if (!what.checkout.empty()) {
        headers = llk::find_headers(what.checkout);
        for (const llk::kernel_header& header : headers)
            folders[header.arch] = header.folders; // the same for all of a chip
        if (folders.empty())
            throw user_error(
                what.checkout +
                ": no headers of kernels found; expected ckernel_sfpu_*.h somewhere below it, in a "
                "folder of blackhole or wormhole");
    }

    scoreboard board;
    pending_kernels pending;
    const kernel_search search(headers);
    for (const measurement& row : what.measurements) {
        scored_row scored;
        scored.row = row;
        const harness* around = kernels.harness_of(row);
        std::optional<measured_kernel> kernel;
        std::string unknown = "needs a checkout of the kernel library (--llk)";
        if (const measured_kernel* known = kernels.kernel_of(row)) kernel = *known;
        else if (!what.checkout.empty()) {
            found_kernel found = search.find(row);
            kernel = std::move(found.kernel);
            unknown = found.why_not;
        }
        scored.why_not = doubt_about(row);
        if (scored.why_not.empty() && kernel) scored.why_not = kernel->excluded;
        if (row.unit != "cycles/tile") scored.why_not = "not cycles a tile";
        else if (!kernel || !around) {
            if (scored.why_not.empty())
                scored.why_not =
                    kernel ? "unknown harness: none is described whose configuration begins like this"
                           : unknown;
        } else {
            for (const auto& [text, cycles] : around->loops)
                if (kernel->core_cycles == 0 && row.kernel.find(text) != std::string::npos)
                    kernel->core_cycles = cycles * calls_of(row.configuration).rows;
            scored.call = kernel->call;
            if (!kernel->assembly.empty())
                measure(runner, assembly_of(*kernel, *around, row), *kernel, *around, what, scored);
            else if (what.checkout.empty()) {
                if (scored.why_not.empty()) scored.why_not = unknown;
            } else
                pending.add(board.rows.size(),
                            {"kernel", row.chip, folders[row.chip], source_of(*kernel, *around, row)},
                            *kernel);
        }
        board.rows.push_back(std::move(scored));
    }

    const kernel_pool recorded(pending.sources, what.jobs);
    for (const pending_kernels::use& each : pending.uses) {
        const auto& result = recorded.results()[each.source];
        if (!result || interrupt_guard::interrupted()) return std::nullopt;
        scored_row& scored = board.rows[each.row];
        if (!result->assembly.empty())
            measure(runner, *result, each.kernel, *kernels.harness_of(scored.row), what, scored);
        else if (scored.why_not.empty()) scored.why_not = within(what.checkout, result->problem);
    }

    fit_constants(board, kernels);
    std::stable_sort(board.rows.begin(), board.rows.end(), [](const scored_row& a, const scored_row& b) {
        const auto rank = [](const scored_row& each) { return each.judged ? 0 : each.model ? 1 : 2; };
        if (rank(a) != rank(b)) return rank(a) < rank(b);
        return a.judged && std::abs(*a.error()) > std::abs(*b.error());
    });
    return board;
}

} // namespace sfpu::cli
