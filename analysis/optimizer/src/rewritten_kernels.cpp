#include "rewritten_kernels.h"

#include <sfpu/analysis/chip_comparison.h>
#include <sfpu/optimizer/search.h>
#include <sfpu/optimizer/solver.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace sfpu::analysis {
namespace {

/// Words of the rows whose bound is looked at, cheapest first, rows that are compared with the given one, and
/// those with values that wait in Dst.
constexpr std::size_t most_words = 2000, least_bounds = 60, most_compared = 24, most_longer = 6;
/// Words of a row whose values may wait in Dst: in shorter ones none waits, and longer ones have a heuristic.
constexpr unsigned least_cost = 3, most_cost = 28;

} // namespace

rewritten_kernels::rewritten_kernels(const given_kernel& of, const std::function<bool()>& stopped) : of_(of) {
    const optimize_request& request = of.request();
    if (!request.rewrite) {
        problem = "not asked for";
        return;
    }
    if (request.retime) {
        problem = "a kernel that is retimed keeps its instructions";
        return;
    }
    const isa::kernel& kernel = of.plain().kernel();
    given_ = rewriting::row::read(kernel, kernel.words, of.thread(), of.lanes_start_enabled(),
                                  {request.no_nan, request.no_denormal}, &problem);
    if (!given_) return;
    try {
        given_floor = floor_of(kernel);
    } catch (const optimizer::row_error& error) {
        problem = error.what(); // search() says so, with the line
        return;
    }
    rewriting::rewriting_limits limits;
    limits.stopped = stopped;
    found_ = rewriting::rewritings_of(*given_, limits);
    find_candidates(stopped);
    cut_short = stopped();
}

double rewritten_kernels::floor_of(const isa::kernel& kernel) const {
    const optimizer::graph graph =
        optimizer::build_graph(kernel, of_.machine(), of_.thread(), of_.lanes_start_enabled());
    return optimizer::lower_bound(graph, of_.machine()).least;
}

/// Nothing if it cannot be scheduled.
std::optional<double> rewritten_kernels::floor_of(const rewriting::row& row) const {
    try {
        if (const std::optional<std::string> text = row.text(of_.source()))
            return floor_of(assembled_kernel(*text, of_.base_name(), of_.plain().request().config));
    } catch (const std::runtime_error&) {
        // Nothing is known of it.
    }
    return std::nullopt;
}

/// What promises more than the given row.
void rewritten_kernels::find_candidates(const std::function<bool()>& stopped) {
    std::size_t words = 0;
    for (std::size_t i = 0; i < found_.size() && (i < least_bounds || words < most_words); ++i) {
        if (stopped()) break;
        words += found_[i].changed.steps.size();
        std::optional<candidate> made = candidate_of(i);
        if (made && std::tie(made->floor, made->cost) < std::make_tuple(given_floor, given_->cost()))
            waiting_.push_back(std::move(*made));
    }
}

/// Nothing if it cannot be scheduled.
std::optional<rewritten_kernels::candidate> rewritten_kernels::candidate_of(std::size_t number) const {
    const rewriting::row& row = found_[number].changed;
    std::optional<std::string> text = row.text(of_.source());
    if (!text) return std::nullopt;
    try {
        const isa::kernel kernel =
            assembled_kernel(*text, "rewritten " + of_.base_name(), of_.plain().request().config);
        const bool changes_lanes =
            std::any_of(row.steps.begin(), row.steps.end(),
                        [&](const rewriting::step& s) { return row.changes_lanes(s); });
        return candidate{number, floor_of(kernel), row.cost(), changes_lanes, std::move(*text)};
    } catch (const std::runtime_error&) {
        return std::nullopt; // a rule made a row that cannot be scheduled (row_error), or that no text says
    }
}

void rewritten_kernels::lengthen(const rewritten_kernel* of) {
    if (!given_ || !lengthened_.insert(of).second) return;
    longer_.clear();
    const rewriting::rewritten_row from =
        of ? found_[number_of_taken_.at(of)] : rewriting::rewritten_row{*given_, {}};
    if (from.changed.cost() < least_cost || from.changed.cost() > most_cost) return;
    for (rewriting::rewritten_row& each : rewriting::lengthened(from)) {
        if (longer_.size() == most_longer) break;
        found_.push_back(std::move(each));
        if (std::optional<candidate> made = candidate_of(found_.size() - 1)) longer_.push_back(*made);
    }
}

rewritten_kernels::candidate rewritten_kernels::take_candidate() {
    const std::size_t turn = taken_.size() % 3;
    const auto key = [&](const candidate& each) {
        const bool has_flags = turn == 1 && each.changes_lanes;
        const unsigned words = turn == 2 ? each.cost : 0;
        return std::make_tuple(has_flags, words, each.floor, each.cost, found_[each.number].applied.size());
    };
    const auto best = std::min_element(waiting_.begin(), waiting_.end(),
                                       [&](const auto& a, const auto& b) { return key(a) < key(b); });
    candidate taken = std::move(*best);
    waiting_.erase(best);
    return taken;
}

const rewritten_kernel* rewritten_kernels::next(double shorter_than, double seconds,
                                                const std::function<bool()>& interrupted) {
    const double until = thread_seconds() + seconds;
    // Of this thread: a solver has its own limit.
    const std::function<bool()> over = [&] {
        return thread_seconds() >= until || (interrupted && interrupted());
    };
    for (std::size_t tried = 0; !waiting_.empty() && tried < most_compared; ++tried) {
        const double left = until - thread_seconds();
        if (over()) return nullptr;
        const candidate now = take_candidate();
        if (now.floor >= shorter_than - 1e-9) continue;
        equivalence_verdict verdict = equivalence_verdict::different;
        if (const rewritten_kernel* const row = taken(now, left, over, verdict)) return row;
        if (verdict == equivalence_verdict::tested) undecided_floors_.push_back(now.floor);
    }
    return nullptr;
}

bool rewritten_kernels::has_longer(const rewritten_kernel* of) {
    lengthen(of);
    return !longer_.empty();
}

const rewritten_kernel* rewritten_kernels::next_longer(const rewritten_kernel* of, double shorter_than,
                                                       double seconds,
                                                       const std::function<bool()>& interrupted) {
    const double until = thread_seconds() + seconds;
    const std::function<bool()> over = [&] {
        return thread_seconds() >= until || (interrupted && interrupted());
    };
    lengthen(of);
    while (!longer_.empty() && !over()) {
        const candidate now = std::move(longer_.front());
        longer_.erase(longer_.begin());
        equivalence_verdict verdict = equivalence_verdict::different;
        if (now.floor >= shorter_than - 1e-9) continue;
        if (const rewritten_kernel* const row = taken(now, until - thread_seconds(), over, verdict))
            return row;
    }
    return nullptr;
}

const rewritten_kernel* rewritten_kernels::taken(const candidate& now, double seconds,
                                                 const std::function<bool()>& interrupted,
                                                 equivalence_verdict& verdict) {
    verdict = compared(now.text, seconds, interrupted);
    if (verdict != equivalence_verdict::proved && verdict != equivalence_verdict::exhaustive) return nullptr;
    auto made = std::make_unique<rewritten_kernel>();
    made->text = now.text;
    made->kernel = assembled_kernel(now.text, of_.plain().kernel().file, of_.plain().request().config);
    made->floor = now.floor;
    made->cost = now.cost;
    made->verdict = verdict;
    made->rewrites = described(found_[now.number], now.floor);
    taken_.push_back(std::move(made));
    number_of_taken_[taken_.back().get()] = now.number;
    return taken_.back().get();
}

bool rewritten_kernels::may_be_shorter(double than) const {
    const auto is_shorter = [&](double floor) { return floor < than - 1e-9; };
    return std::any_of(undecided_floors_.begin(), undecided_floors_.end(), is_shorter) ||
           std::any_of(waiting_.begin(), waiting_.end(),
                       [&](const candidate& each) { return is_shorter(each.floor); });
}

/// On the machine that the given kernel is written for. What was not tried to its end is `tested`.
equivalence_verdict rewritten_kernels::compared(const std::string& text, double seconds,
                                                const std::function<bool()>& interrupted) const {
    const kernel_run rewritten = of_.on_chip(text);
    const kernel_run& given = of_.reference();
    equivalence_options options;
    options.seeds = 2;
    options.solver = of_.request().solver;
    options.solver_seconds = std::min(seconds, 10.0);
    options.interrupted = interrupted;
    const equivalence_report report =
        compare_kernels(of_.runner(), {&given.kernel(), &given.request(), given.rows()},
                        {&rewritten.kernel(), &rewritten.request(), rewritten.rows()}, options);
    if (report.interrupted || !report.not_comparable.empty()) return equivalence_verdict::tested;
    return report.equal ? report.verdict : equivalence_verdict::different;
}

std::vector<applied_rewrite> rewritten_kernels::described(const rewriting::rewritten_row& row,
                                                          double floor) const {
    const double per_iteration = of_.plain().kernel().rows_per_iteration;
    std::vector<applied_rewrite> list;
    double before = given_floor / per_iteration;
    for (std::size_t i = 0; i < row.applied.size(); ++i) {
        const rewriting::applied_rule& each = row.applied[i];
        if (list.empty() || list.back().rule != each.by->name)
            list.push_back({each.by->name, each.by->help, 0, before, before, {}});
        ++list.back().times;
        if (!each.assumed.empty()) list.back().assumed = each.assumed;
        const bool is_last = i + 1 == row.applied.size();
        if (!is_last && row.applied[i + 1].by == each.by) continue; // it goes on
        if (is_last) before = floor / per_iteration;
        else if (const std::optional<double> known = floor_of(*each.made)) before = *known / per_iteration;
        list.back().bound_after = before;
    }
    return list;
}

} // namespace sfpu::analysis
