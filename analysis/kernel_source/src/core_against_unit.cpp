#include "core_against_unit.h"

#include <sfpu/analysis/kernel_file.h>
#include <sfpu/platform/core_runner.h>
#include <sfpu/probe/observer.h>

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace sfpu::analysis {
namespace {

constexpr std::size_t most_timed_words = 20000; ///< those behind are taken to go on likewise
constexpr double slack = 1.05; ///< what takes less than this times the other's cycles takes as long

/// In which cycle each word was issued.
class issue_recorder : public probe::pipeline_observer {
public:
    explicit issue_recorder(std::size_t words) : cycles_(words, -1) {}

    void executed(const probe::execution_event& event) override {
        if (event.from != probe::origin::issued || event.word < 0) return;
        std::int64_t& at = cycles_[static_cast<std::size_t>(event.word)];
        if (at < 0) at = event.begin.count();
    }
    /// Words without an event follow in the cycle behind the one before.
    std::vector<std::int64_t> cycles() const {
        std::vector<std::int64_t> all = cycles_;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i] < 0) all[i] = i == 0 ? 0 : all[i - 1] + 1;
        return all;
    }

private:
    std::vector<std::int64_t> cycles_;
};

/// Issue cycles of the words if each is there in time; empty if the model does not run them.
std::vector<std::int64_t> unit_cycles(const std::vector<pushed_word>& words, const machine_choice& machine) {
    platform::run_request request;
    request.config = resolved_configuration(machine);
    request.state.reset(request.config.sfpu_lreg12_default);
    request.thread.reset(request.config.arch);
    request.segments.resize(1);
    const std::size_t count = std::min(words.size(), most_timed_words);
    for (std::size_t i = 0; i < count; ++i) request.segments[0].words.push_back(words[i].word);
    issue_recorder recorder(count);
    request.observer = &recorder;
    request.hazards = hazard_policy::off;
    try {
        platform::core_runner().run(request);
    } catch (const std::exception&) {
        return {}; // a machine that cannot be
    }
    return recorder.cycles();
}

/// First words of the first and of the last iteration.
struct steady_state {
    std::size_t first = 0, last = 0;
    unsigned rows = 0; ///< between the two
};

std::optional<steady_state> steady_state_of(const isa::kernel& kernel, std::size_t words) {
    const std::size_t loop = kernel.loop.size(), others = kernel.init.size() + kernel.tail.size();
    if (loop == 0 || words < others || (words - others) % loop != 0) return std::nullopt;
    const std::size_t iterations = (words - others) / loop;
    if (iterations < 2) return std::nullopt;
    const std::size_t first = kernel.init.size();
    return steady_state{first, first + (iterations - 1) * loop,
                        static_cast<unsigned>(iterations - 1) * kernel.rows_per_iteration};
}

} // namespace

core_against_unit::bottleneck core_against_unit::binds() const {
    const spans& times = per_row ? *per_row : all;
    if (times.together <= times.unit * slack) return bottleneck::unit;
    if (times.together <= times.core * slack) return bottleneck::core;
    return bottleneck::both;
}

std::optional<core_against_unit> compare_core_with_unit(const function_run& run, const isa::kernel* rolled,
                                                        const machine_choice& machine) {
    if (run.kernel.words.size() < 2) return std::nullopt;
    const std::vector<std::int64_t> unit = unit_cycles(run.kernel.words, machine);
    if (unit.empty()) return std::nullopt;
    const std::vector<word_times>& core = run.core.words;
    std::vector<std::int64_t> together(unit.size());
    for (std::size_t i = 0; i < unit.size(); ++i)
        together[i] =
            i == 0 ? core[0].arrived : std::max(together[i - 1] + unit[i] - unit[i - 1], core[i].arrived);
    const auto between = [&](std::size_t first, std::size_t last, double rows) {
        return core_against_unit::spans{static_cast<double>(core[last].pushed - core[first].pushed) / rows,
                                        static_cast<double>(unit[last] - unit[first]) / rows,
                                        static_cast<double>(together[last] - together[first]) / rows};
    };
    core_against_unit times;
    times.all = between(0, unit.size() - 1, 1);
    // What the front end recorded before the first word came out delays that word, and no other.
    times.all.together = std::max(times.all.together, times.all.core);
    const auto rows = rolled ? steady_state_of(*rolled, run.kernel.words.size()) : std::nullopt;
    if (rows && rows->last < unit.size()) times.per_row = between(rows->first, rows->last, rows->rows);
    return times;
}

std::string to_text(const core_against_unit& times) {
    const core_against_unit::spans& shown = times.per_row ? *times.per_row : times.all;
    const char* const binds = times.binds() == core_against_unit::bottleneck::core   ? "the core binds"
                              : times.binds() == core_against_unit::bottleneck::unit ? "the vector unit binds"
                                                                                     : "neither alone binds";
    const char* const of = times.per_row ? " a row" : " from the first word to the last";
    return fmt::format("the core takes {:.{}f} cycles{}, the vector unit {:.{}f}, both together {:.{}f}: {}",
                       shown.core, times.per_row ? 2 : 0, of, shown.unit, times.per_row ? 2 : 0,
                       shown.together, times.per_row ? 2 : 0, binds);
}

} // namespace sfpu::analysis
