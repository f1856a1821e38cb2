#include "rewritten_kernels.h"

#include <sfpu/analysis/chip_comparison.h>
#include <sfpu/optimizer/search.h>
#include <sfpu/optimizer/solver.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace sfpu::analysis {
namespace {

/// Words of the rows whose bound is looked at, cheapest first, and rows that are compared with the given one.
constexpr std::size_t most_words = 2000, least_bounds = 60, most_compared = 24;

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
        const rewriting::row& row = found_[i].changed;
        words += row.steps.size();
        std::optional<std::string> text = row.text(of_.source());
        if (!text) continue;
        try {
            const isa::kernel kernel =
                assembled_kernel(*text, "rewritten " + of_.base_name(), of_.plain().request().config);
            const double floor = floor_of(kernel);
            const unsigned cost = row.cost();
            const bool changes_lanes =
                std::any_of(row.steps.begin(), row.steps.end(),
                            [&](const rewriting::step& s) { return row.changes_lanes(s); });
            if (std::tie(floor, cost) < std::make_tuple(given_floor, given_->cost()))
                waiting_.push_back({i, floor, cost, changes_lanes, std::move(*text)});
        } catch (const std::runtime_error&) {
            // A rule made a row that cannot be scheduled (row_error), or that no text says.
        }
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
    const double until = optimizer::thread_seconds() + seconds;
    // Of this thread: a solver has its own limit.
    const std::function<bool()> over = [&] {
        return optimizer::thread_seconds() >= until || (interrupted && interrupted());
    };
    for (std::size_t tried = 0; !waiting_.empty() && tried < most_compared; ++tried) {
        const double left = until - optimizer::thread_seconds();
        if (over()) {
            cut_short |= std::any_of(waiting_.begin(), waiting_.end(),
                                     [&](const candidate& each) { return each.floor < shorter_than - 1e-9; });
            return nullptr;
        }
        const candidate now = take_candidate();
        if (now.floor >= shorter_than - 1e-9) continue;
        const equivalence_verdict verdict = compared(now.text, left, over);
        if (verdict != equivalence_verdict::proved && verdict != equivalence_verdict::exhaustive) {
            cut_short |= over();
            continue;
        }
        auto made = std::make_unique<rewritten_kernel>();
        made->text = now.text;
        made->kernel = assembled_kernel(now.text, of_.plain().kernel().file, of_.plain().request().config);
        made->floor = now.floor;
        made->cost = now.cost;
        made->verdict = verdict;
        made->rewrites = described(found_[now.number], now.floor);
        taken_.push_back(std::move(made));
        return taken_.back().get();
    }
    return nullptr;
}

/// On the machine that the given kernel is written for.
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
    const bool equal = report.not_comparable.empty() && report.equal && !report.interrupted;
    return equal ? report.verdict : equivalence_verdict::different;
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
