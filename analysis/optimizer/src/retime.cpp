#include <sfpu/optimizer/retime.h>

#include "search_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace sfpu::optimizer {
namespace {

class retimer {
public:
    retimer(graph rows, const expanded_kernel& expanded, const isa::machine& machine,
            const search_options& options)
        : graph_(std::move(rows)), expanded_(expanded), machine_(machine), options_(options) {
        result_.floor = lower_bound(graph_, machine_);
        result_.rows_per_iteration = graph_.rows_per_iteration;
        for (const unsigned latency : machine_.latency) near_ = std::max(near_, 2 * latency);
        unsigned words = 0;
        for (const node& n : graph_.nodes) words += issued(n);
        const unsigned cycles = (words + machine_.issue_width - 1) / machine_.issue_width;
        if (cycles <= result_.floor.interval) return;
        result_.floor.interval = cycles; // of this structure: result_.floor.least stays
        result_.floor.reason = fmt::format("issue slots: {} words are issued in this structure", words);
    }

    search_result run() {
        const unsigned floor = result_.floor.interval, end = std::max(floor, expanded_.span) + 16;
        unsigned best = std::min(end, options_.shortest_known);
        for (const unsigned rows : {1u, 2u, 3u, 4u}) // what one number of rows does not show, none does
            if (!refuse_by_one_row(rows, floor, end)) break;
        for (std::int64_t conflicts = 4000;; conflicts *= 4) {
            bool undecided = false;
            for (unsigned interval = floor; interval < best && !stopped(); ++interval) {
                const outcome found = attempt(interval, conflicts);
                if (found == outcome::satisfiable) best = interval;
                else undecided |= found == outcome::unknown;
            }
            if (!undecided || stopped()) break;
        }
        for (unsigned interval = floor; interval < best; ++interval)
            if (!decided(interval)) result_.open.push_back({interval, 1});
        auto& all = result_.refuted;
        all.erase(std::remove_if(all.begin(), all.end(),
                                 [&](const refutation& each) { return each.interval > best; }),
                  all.end());
        const bool rejected = !rejected_.empty() && *rejected_.begin() < best;
        result_.proved = result_.best && result_.open.empty() && !rejected;
        result_.left_out = {"schedules of another structure",
                            "rows of an iteration that differ by more than their registers",
                            "effects of a row that begin in different stages of the pipeline"};
        if (options_.bubble_proof)
            result_.left_out.emplace_back("schedules that idle cycles between words would break");
        result_.left_out.insert(result_.left_out.begin(), "every other structure");
        return std::move(result_);
    }

private:
    bool issued(const node& n) const {
        const auto place = std::find_if(expanded_.places.begin(), expanded_.places.end(),
                                        [&](const kept_place& each) { return each.line == n.line; });
        return place == expanded_.places.end() || place->issued;
    }

    double elapsed() const { return thread_seconds() - start_; }
    bool stopped() {
        if (options_.interrupted && options_.interrupted()) result_.interrupted = true;
        if (result_.interrupted) return true;
        // Half of the time is left for another structure if none is found with this one.
        const int part = result_.best ? 1 : 2;
        if (options_.conflicts > 0) return spent_ * part >= options_.conflicts;
        return options_.seconds > 0 && elapsed() * part >= options_.seconds;
    }

    bool decided(unsigned interval) const {
        for (const unsigned rows : rows_to_try(graph_, interval, options_.rows))
            if (!done_.count({interval, rows})) return false;
        return true;
    }

    outcome attempt(unsigned interval, std::int64_t conflicts) {
        outcome all = outcome::refuted;
        for (const unsigned rows : rows_to_try(graph_, interval, options_.rows)) {
            if (done_.count({interval, rows})) continue;
            if (stopped()) return outcome::unknown;
            formula_limits limits = limits_of(interval, rows);
            // Near the given times there are few possibilities, and often one is right.
            std::optional<schedule> found;
            limits.slack = near_;
            solver_answer answer = solve_within(limits, conflicts, found);
            if (!found) {
                limits.slack.reset();
                answer = solve_within(limits, conflicts, found);
            }
            if (found) {
                result_.best = found;
                result_.best_graph = graph_;
                return outcome::satisfiable;
            }
            if (answer.result == outcome::satisfiable) {
                rejected_.insert(interval);
                done_.insert({interval, rows});
                continue;
            }
            if (answer.result == outcome::refuted) {
                refuse(limits, answer);
            } else {
                all = outcome::unknown;
            }
        }
        return all;
    }

    formula_limits limits_of(unsigned interval, unsigned rows) {
        formula_limits limits;
        limits.within = build_within(options_, spent_, [this] { return stopped(); });
        limits.interval = interval;
        limits.rows = rows;
        limits.horizon = std::max(horizon_for(graph_, interval), expanded_.span + 4);
        limits.copies = 1;
        limits.bubble_proof = options_.bubble_proof;
        limits.keep = &expanded_.places;
        return limits;
    }

    void refuse(const formula_limits& limits, const solver_answer& answer) {
        done_.insert({limits.interval, limits.rows});
        refutation no;
        no.interval = limits.interval;
        no.rows = limits.rows;
        no.horizon = limits.horizon - (limits.interval - 1);
        no.copies = limits.copies;
        no.seconds = answer.seconds;
        no.conflicts = answer.conflicts;
        result_.refuted.push_back(no);
    }

    /// Mostly a delay is too long for a macro, whatever the interval is, and what a row asks of itself shows
    /// that. It asks less the longer the interval is: what refutes one refutes all that are shorter.
    /// False if it was asked and nothing was refuted.
    bool refuse_by_one_row(unsigned rows, unsigned floor, unsigned end) {
        std::vector<unsigned> intervals;
        for (unsigned interval = floor; interval < end; ++interval) {
            const std::vector<unsigned> tried = rows_to_try(graph_, interval, options_.rows);
            if (std::find(tried.begin(), tried.end(), rows) != tried.end()) intervals.push_back(interval);
        }
        // The shortest, for mostly nothing is refuted; then the longest; then between the two.
        std::size_t refuted = 0, after = intervals.size(); // so many are; no more than so many
        solver_answer last;
        for (std::size_t asked = 1; refuted < after && !stopped();
             asked = refuted == 1 && after == intervals.size() ? after : (refuted + after + 1) / 2) {
            const solver_answer answer = ask_one_row(limits_of(intervals[asked - 1], rows));
            if (answer.result != outcome::refuted) {
                after = asked - 1;
            } else {
                refuted = asked;
                last = answer;
            }
        }
        for (std::size_t k = 0; k < refuted; ++k) {
            refuse(limits_of(intervals[k], rows), last);
            last.seconds = 0; // asked once for all
            last.conflicts = 0;
        }
        return refuted != 0 || intervals.empty();
    }

    solver_answer ask_one_row(formula_limits limits) {
        constexpr std::int64_t most_conflicts = 50;
        limits.one_row = true;
        try {
            const solver_answer answer =
                solve(formula(graph_, machine_, limits).clauses(), {},
                      patience_of(options_, within_budget(options_, most_conflicts, spent_), elapsed()));
            spent_ += answer.conflicts;
            return answer;
        } catch (const out_of_budget&) {
            return {};
        }
    }

    /// The same; a formula that is too large for what is left decides nothing.
    solver_answer solve_within(const formula_limits& limits, std::int64_t conflicts,
                               std::optional<schedule>& found) {
        try {
            return solve_with(limits, conflicts, found);
        } catch (const out_of_budget&) {
            return {};
        }
    }

    /// `found` if one is accepted.
    solver_answer solve_with(const formula_limits& limits, std::int64_t conflicts,
                             std::optional<schedule>& found) {
        const formula problem(graph_, machine_, limits);
        solver learned(problem.clauses());
        const auto ask = [&](const std::vector<literal>& assumptions) {
            if (stopped()) return solver_answer{};
            solver_answer answer = learned.solve(
                assumptions, patience_of(options_, within_budget(options_, conflicts, spent_), elapsed()));
            spent_ += answer.conflicts;
            if (options_.progress)
                options_.progress(fmt::format(
                    "{} cycles in {} rows of rotating registers, the same structure: {} after {:.1f} s",
                    limits.interval, limits.rows,
                    answer.result == outcome::satisfiable ? "found"
                    : answer.result == outcome::refuted   ? "refuted"
                                                          : "not decided",
                    answer.seconds));
            return answer;
        };
        solver_answer answer = ask({});
        if (answer.result != outcome::satisfiable) return answer;
        found = problem.read(answer.model);
        if (options_.accept && !options_.accept(graph_, *found))
            found = other_accepted(graph_, problem, learned, answer.model, options_, ask);
        return answer;
    }

    graph graph_;
    const expanded_kernel& expanded_;
    const isa::machine& machine_;
    const search_options& options_;
    search_result result_;
    std::set<std::pair<unsigned, unsigned>> done_; ///< interval and rows
    std::set<unsigned> rejected_;                  ///< intervals with schedules that were not taken
    unsigned near_ = 3;                            ///< cycles
    std::int64_t spent_ = 0;
    double start_ = thread_seconds();
};

} // namespace

search_result retime(const isa::kernel& plain, const expanded_kernel& expanded, const isa::machine& machine,
                     const isa::thread_state& thread, bool lanes_start_enabled,
                     const search_options& options) {
    graph_options how;
    how.hoist_constants = false;
    how.keep_loads = true;
    how.exchange = false;
    return retimer(build_graph(plain, machine, thread, lanes_start_enabled, how), expanded, machine, options)
        .run();
}

} // namespace sfpu::optimizer
