#include <sfpu/optimizer/search.h>

#include <sfpu/optimizer/free_rows.h>

#include "search_parts.h"
#include "search_variants.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace sfpu::optimizer {
namespace {

/// Conflicts of the solver for one question in the first round, and how many times more there are in the
/// next.
constexpr std::int64_t first_effort = 3'000, effort_growth = 4;
/// The patience for what is tried when all else is settled.
constexpr std::int64_t last_effort = 32'000;
/// Words that a row has for which there is a heuristic, and its steps that count as a conflict.
constexpr std::size_t shortest_long_row = 12;
constexpr std::int64_t steps_a_conflict = 128;
/// Its steps for one interval, at first and at most.
constexpr std::int64_t first_attempt = 8'000, longest_attempt = 2'000'000;
/// Intervals above the bound that are looked at if no plain kernel says what is too long.
constexpr unsigned longest_search = 60;
class searcher : row_variants {
public:
    /// `row` is the plain kernel with equal rows rolled up; `rolled` iterations of it are one of the plain
    /// loop.
    searcher(const isa::kernel& row, unsigned rolled, const isa::machine& machine,
             const isa::thread_state& thread, bool lanes_start_enabled, const search_options& options)
        : row_variants(row, rolled, machine, thread, lanes_start_enabled, options.rows), options_(options) {
        result_.rows_per_iteration = row.rows_per_iteration;
        result_.no_spill = no_spill_;
        for (const variant& each : variants_) {
            if (each.spills) continue;
            if (tried_.empty() || tried_.back() != each.free_rows) tried_.push_back(each.free_rows);
            const bound &best = result_.floor, &here = each.floor;
            if (&each == &variants_.front() ||
                here.interval * best.free_rows < best.interval * here.free_rows)
                result_.floor = here;
        }
        result_.floor.least = variants_.front().floor.least;
        for (const std::size_t g : graphs_of(1))
            result_.floor.least = std::min(result_.floor.least, variants_[g].floor.least);
        result_.tried_rows = tried_;
    }

    search_result run() {
        if (options_.shortest_known != ~0u)
            best_ = {options_.shortest_known, rolled_ * options_.shortest_known_iterations};
        for (effort_ = first_effort; !settled(); effort_ *= effort_growth) {
            bool shorter = false;
            aim_at_what_is_enough();
            find_heuristically();
            for (const unsigned count : tried_) {
                if (settled()) break;
                if (count > 1) find_shorter(count);
                else if (effort_ == first_effort) find_anything();
                else if (!find_shorter(1) && !all_refuted(1)) find_with_spills();
                if (!settled()) shorter |= refute(count);
                if (count == 1 && all_refuted(1)) wait_in_dst();
            }
            for (const unsigned count : tried_)
                while (!settled() && find_peeled(count)) shorter = true;
            if (settled() || (!shorter && nothing_left())) break;
        }
        effort_ = std::max(effort_, last_effort);
        while (!stopped() && find_with_spills()) {
        }
        return finish();
    }

private:
    /// Behind the intervals for so many rows that would be shorter.
    unsigned end(unsigned count) const {
        return best_.is_known() ? best_.interval_of(count) : floor(count) + longest_search;
    }
    double elapsed() const { return thread_seconds() - begun_ + on_threads_; }
    bool stopped() {
        if (options_.interrupted && options_.interrupted()) result_.interrupted = true;
        if (result_.interrupted) return true;
        if (options_.conflicts > 0) return spent_ >= options_.conflicts;
        return options_.seconds > 0 && elapsed() >= options_.seconds;
    }
    bool settled() { return stopped() || content() || all_refuted(); }
    bool content() const {
        return options_.at_most && best_.is_known() &&
               best_.cycles_each() * rolled_ <= *options_.at_most + 1e-9;
    }

    // --- from above ----------------------------------------------------------------------------------------

    /// What is short enough is looked for before anything else.
    void aim_at_what_is_enough() {
        if (!options_.at_most) return;
        for (const unsigned count : tried_) {
            const auto interval = static_cast<unsigned>(*options_.at_most * count / rolled_ + 1e-9);
            if (interval >= floor(count) && interval < end(count) && !settled()) find(count, interval);
        }
    }
    /// The least interval if that is easy, the next ones if that is refuted at once; else a schedule that
    /// issues all, and one between the bound and the known one, and so on: something is found soon.
    void find_anything() {
        unsigned low = floor(1);
        for (bool easy = true; low < end(1) && !settled();) {
            const unsigned interval = easy ? low : low + (end(1) - low) / 2;
            const outcome answer = find(1, interval);
            if (answer == outcome::satisfiable) continue;
            low = interval + 1;
            if (easy && (answer == outcome::unknown || spent_ >= 3 * first_effort)) {
                easy = false;
                find_issued();
            }
        }
    }
    /// Long rows: something with macros soon, and shorter ones in every round. Nothing is refuted. Steps to
    /// shorter ones become longer while they succeed; what fails is tried with more patience.
    void find_heuristically() {
        const std::size_t words = variants_.front().rows.nodes.size();
        if (options_.bubble_proof || words < shortest_long_row || wanted_.value_or(1) != 1 || !heuristic())
            return;
        const unsigned least = variants_[heuristic_graph_].floor.interval;
        // What the solver seldom finishes gets more, and no more than half of a budget.
        const std::int64_t all = (words < 20 ? 16 : words < 26 ? 100 : 400) * effort_;
        std::int64_t left = all;
        if (options_.conflicts > 0)
            left = std::min(left, steps_a_conflict * (options_.conflicts - spent_) / 2);
        for (unsigned refused = 0; left > 0 && end(1) > least && refused < 3 && !settled();) {
            const unsigned interval = end(1) - std::min(jump_, end(1) - least);
            const heuristic_search::answer answer = ask_heuristic(interval, std::min(left, attempt_));
            left -= answer.steps;
            if (!answer.found) {
                if (jump_ > 1) jump_ /= 2;
                else attempt_ = std::min(2 * attempt_, longest_attempt);
            } else if (take_from_heuristic(interval, *answer.found)) {
                jump_ *= 2;
                if (options_.conflicts == 0) left = all;
            } else {
                ++refused;
            }
        }
    }
    heuristic_search::answer ask_heuristic(unsigned interval, std::int64_t steps) {
        heuristic_search::effort within;
        within.steps = std::max<std::int64_t>(1, steps);
        within.jobs = options_.jobs;
        within.interrupted = options_.interrupted;
        if (options_.conflicts == 0 && options_.seconds > 0)
            within.seconds = std::max(0.01, options_.seconds - elapsed());
        const double begun = thread_seconds();
        heuristic_search::answer answer = heuristic_->find(interval, within);
        on_threads_ += std::max(0.0, answer.seconds - (thread_seconds() - begun));
        spent_ += answer.steps / steps_a_conflict;
        return answer;
    }
    bool take_from_heuristic(unsigned interval, const schedule& found) {
        const graph& row = variants_[heuristic_graph_].rows;
        if (options_.accept && !options_.accept(row, found)) return false;
        result_.best = found;
        result_.best_graph = row;
        best_ = {interval, 1};
        best_question_.reset();
        if (options_.progress)
            options_.progress(counted(interval, "cycle") +
                              fmt::format(" by a heuristic: found after {:.1f} s", elapsed()));
        return true;
    }
    /// Without macros little is left to decide, however long the row is: a cycle for each word, or some more.
    void find_issued() {
        for (const std::size_t g : graphs_of(1)) {
            const graph& row = variants_[g].rows;
            const auto words = static_cast<unsigned>(
                std::count_if(row.nodes.begin(), row.nodes.end(), [](const node& n) { return !n.optional; }));
            const unsigned least = std::max(words, variants_[g].floor.interval), most = end(1);
            for (const unsigned interval : {least, least + (most - std::min(least, most)) / 2, most - 1}) {
                const std::vector<unsigned> rows = rotating_rows(1, interval);
                if (interval < least || interval >= end(1) || rows.empty() || settled()) break;
                question what{interval, rows.front(), g, false};
                what.issued = true;
                if (ask(what) == outcome::satisfiable && end(1) <= interval) break;
            }
        }
    }
    /// One cycle less, then two, four, as long as it goes well.
    bool find_shorter(unsigned count) {
        bool found = false;
        for (unsigned less = 1; !settled() && end(count) > floor(count); less *= 2, found = true)
            if (find(count, end(count) - std::min(less, end(count) - floor(count))) != outcome::satisfiable)
                break;
        return found;
    }
    /// Once nothing shorter has all values in registers, and before rows are looked at together.
    void wait_in_dst() {
        if (waited_) return;
        waited_ = true;
        const std::int64_t kept = effort_;
        effort_ = std::max(effort_, last_effort);
        while (!stopped() && find_with_spills()) {
        }
        effort_ = kept;
    }
    /// One cycle less, with effects in more than one stage.
    bool find_peeled(unsigned count) {
        if (end(count) <= floor(count)) return false;
        const unsigned interval = end(count) - 1;
        for (const unsigned peeled : {1u, most_peeled})
            for (const std::size_t g : graphs_of(count)) {
                question what{interval, 1, g, false};
                what.peeled = peeled;
                if (stopped()) return false;
                if (variants_[g].floor.interval > interval || peeled_stages(count, 1) < peeled ||
                    impossible_.count(what) || is_refuted(what))
                    continue;
                const outcome answer = ask(what);
                if (answer == outcome::refuted) impossible_.insert(what);
                if (answer == outcome::satisfiable && end(count) <= interval) return true;
            }
        return false;
    }
    /// One cycle less, with values that wait in Dst. No proof speaks of such schedules.
    bool find_with_spills() {
        if (!result_.no_spill.empty() || end(1) <= floor(1) || content()) return false;
        const unsigned interval = end(1) - 1;
        if (!registers_matter(interval)) return false;
        for (const unsigned rows : rotating_rows(1, interval)) {
            const question what{interval, rows, spilling_, false};
            if (stopped() || impossible_.count(what)) continue;
            const outcome answer = ask(what);
            if (answer == outcome::refuted) impossible_.insert(what);
            if (answer == outcome::satisfiable && end(1) <= interval) return true;
        }
        return false;
    }

    /// Whether an interval is not refuted any more if every value has a register of its own.
    bool registers_matter(unsigned interval) {
        const auto [known, is_new] = registers_matter_.emplace(interval, true);
        if (!is_new) return known->second;
        formula_limits limits = limits_of({interval, rows_that_cover(1, interval).back(), 0, false});
        limits.without = group::registers;
        solver_answer answer;
        try {
            answer = solve(formula(variants_.front().rows, machine_, limits).clauses(), {}, patience());
        } catch (const out_of_budget&) { // nobody knows
            return known->second;
        }
        spent_ += answer.conflicts;
        known->second = answer.result != outcome::refuted;
        if (options_.progress)
            options_.progress(fmt::format("{} with any number of registers: {}", counted(interval, "cycle"),
                                          known->second ? "not refuted" : "refuted"));
        return known->second;
    }

    /// Refuted: for short rows with few loads.
    outcome find(unsigned count, unsigned interval) {
        outcome all = outcome::refuted;
        for (const unsigned rows : rotating_rows(count, interval))
            for (const std::size_t g : graphs_of(count)) {
                if (stopped()) return outcome::unknown;
                const question what{interval, rows, g, false};
                if (variants_[g].floor.interval > interval || impossible_.count(what) || is_refuted(what))
                    continue;
                const outcome answer = ask(what);
                if (answer == outcome::refuted) impossible_.insert(what);
                if (answer == outcome::satisfiable && end(count) <= interval) return answer;
                if (answer == outcome::unknown) all = answer;
                // What is not simple waits for its turn.
                if (answer == outcome::unknown && effort_ == first_effort) return answer;
            }
        return all;
    }

    // --- from below ----------------------------------------------------------------------------------------

    /// Refutes intervals until one is not decided. Returns whether a shorter schedule was found on the way.
    bool refute(unsigned count) {
        for (unsigned interval = floor(count); interval < end(count); ++interval)
            for (const unsigned rows : rows_that_cover(count, interval))
                for (const std::size_t g : graphs_of(count)) {
                    const question what = to_refute(interval, rows, g);
                    if (is_refuted(what) || rejected_.count({count, interval})) continue;
                    if (stopped()) return false;
                    const outcome answer = ask(what);
                    if (answer == outcome::satisfiable && end(count) <= interval) return true;
                    if (answer == outcome::unknown) return false;
                }
        return false;
    }
    bool is_refuted(const question& what) const {
        return variants_[what.graph].floor.interval > what.interval ||
               std::any_of(refuted_.begin(), refuted_.end(),
                           [&](const question& each) { return is_part_of(what, each); });
    }
    bool is_refuted(unsigned count, unsigned interval) const {
        for (const unsigned rows : rows_that_cover(count, interval))
            for (const std::size_t g : graphs_of(count))
                if (!is_refuted(to_refute(interval, rows, g))) return false;
        return true;
    }
    /// With as many peeled rows as there may be.
    question to_refute(unsigned interval, unsigned rows, std::size_t g) const {
        question what{interval, rows, g, true};
        what.peeled = peeled_stages(variants_[g].free_rows, rows);
        return what;
    }
    bool all_refuted(unsigned count) const {
        if (!best_.is_known()) return false;
        for (unsigned interval = floor(count); interval < end(count); ++interval)
            if (!is_refuted(count, interval)) return false;
        return true;
    }
    bool all_refuted() const {
        return std::all_of(tried_.begin(), tried_.end(), [&](unsigned count) { return all_refuted(count); });
    }
    /// All that is not refuted was found and is not taken.
    bool nothing_left() const {
        for (const unsigned count : tried_)
            for (unsigned interval = floor(count); interval < end(count); ++interval)
                if (!is_refuted(count, interval) && !rejected_.count({count, interval})) return false;
        return true;
    }

    // --- one question --------------------------------------------------------------------------------------

    formula_limits limits_of(const question& what) {
        const graph& g = variants_[what.graph].rows;
        formula_limits limits;
        limits.within = build_within(options_, spent_, [this] { return stopped(); });
        limits.interval = what.interval;
        limits.rows = what.rows;
        limits.horizon = horizon_for(g, what.interval);
        limits.bubble_proof = options_.bubble_proof;
        limits.copies =
            copies_of(g, machine_, what.interval, what.refutes ? copies_to_refute : copies_to_find);
        limits.one_of_many = what.refutes;
        limits.no_macros = what.issued;
        limits.peeled = what.peeled;
        if (what.refutes) limits.horizon += what.interval + 4;
        return limits;
    }
    solver_limits patience() const {
        return patience_of(options_, within_budget(options_, effort_, spent_), elapsed());
    }

    /// What is found becomes the best, unless it is not accepted.
    outcome ask(const question& what) {
        if (is_too_large(what)) return outcome::unknown;
        open_questions::entry& asked = open_.of(what);
        if (!asked.problem && !make_formula(what, asked)) return outcome::unknown;
        const solver_answer answer = asked.learned->solve({}, patience());
        spent_ += answer.conflicts;
        say(what, answer, *asked.problem);
        auto& [seconds, conflicts] = spent_on_[what];
        seconds += answer.seconds;
        conflicts += answer.conflicts;
        if (answer.result == outcome::refuted && what.refutes) {
            refuted_.insert(what);
            const variant& of = variants_[what.graph];
            if (what.graph == graphs_of(of.free_rows).front()) {
                const formula_limits& limits = asked.problem->limits();
                refutation no;
                no.interval = what.interval;
                no.rows = what.rows;
                no.free_rows = of.free_rows;
                no.peeled = what.peeled;
                no.horizon = limits.horizon - (limits.interval - 1);
                no.copies = limits.copies;
                no.seconds = seconds;
                no.conflicts = conflicts;
                result_.refuted.push_back(no);
            }
        }
        if (answer.result == outcome::satisfiable) take(what, asked, answer);
        return answer.result;
    }

    /// Longer intervals make larger formulas.
    bool is_too_large(const question& what) const {
        return std::any_of(too_large_.begin(), too_large_.end(), [&](const question& each) {
            return each.graph == what.graph && each.refutes == what.refutes && each.rows <= what.rows &&
                   each.interval <= what.interval;
        });
    }
    /// False if it does not fit into what is left of time and memory. Other questions are forgotten for it.
    bool make_formula(const question& what, open_questions::entry& asked) {
        formula_limits limits = limits_of(what);
        for (bool alone = false;; alone = true) {
            const std::size_t others = alone ? 0 : open_.bytes();
            if (alone) open_.forget_all_but_the_last();
            const std::size_t all = limits.within.bytes;
            if (all > 0) limits.within.bytes = all - std::min(others, all - 1);
            try {
                asked.problem = std::make_unique<formula>(variants_[what.graph].rows, machine_, limits);
                asked.learned = std::make_unique<solver>(asked.problem->clauses(),
                                                         what.refutes ? aim::refutation : aim::model);
                spent_ += conflicts_of(asked.problem->clauses().bytes());
                return true;
            } catch (const out_of_budget& reason) {
                asked.problem.reset();
                limits.within.bytes = all;
                if (reason.memory && others > 0) continue;
                if (reason.memory) {
                    spent_ += conflicts_of(all);
                    too_large_.insert(what);
                }
                if (options_.progress)
                    options_.progress(fmt::format("{} in {} of rotating registers: not asked, {}",
                                                  counted(what.interval, "cycle"), counted(what.rows, "row"),
                                                  reason.what()));
                return false;
            }
        }
    }

    void take(const question& what, open_questions::entry& asked, const solver_answer& answer) {
        expect_no_contradiction(what);
        const graph& g = variants_[what.graph].rows;
        schedule found = asked.problem->read(answer.model);
        if (options_.accept && !options_.accept(g, found)) {
            std::vector<bool> refused = answer.model;
            if (what.refutes) { // the next one may be any of those that are alike
                refused.clear();
                formula_limits limits = asked.problem->limits();
                limits.one_of_many = false;
                limits.within = build_within(options_, spent_, [this] { return stopped(); });
                try {
                    asked.problem = std::make_unique<formula>(g, machine_, limits);
                    asked.learned = std::make_unique<solver>(asked.problem->clauses(), aim::model);
                } catch (const out_of_budget&) { // no time for others
                    asked.problem.reset();
                    asked.learned.reset();
                    rejected_.insert({variants_[what.graph].free_rows, what.interval});
                    return;
                }
            }
            const std::optional<schedule> other =
                other_accepted(g, *asked.problem, *asked.learned, std::move(refused), options_,
                               [&](const auto& assumptions) {
                                   if (stopped()) return solver_answer{};
                                   solver_answer again = asked.learned->solve(assumptions, patience());
                                   spent_ += again.conflicts;
                                   say(what, again, *asked.problem);
                                   return again;
                               });
            if (!other && what.issued) return;
            if (!other) {
                question found_again = what;
                found_again.refutes = false;
                impossible_.insert(found_again);
                rejected_.insert({variants_[what.graph].free_rows, what.interval});
                return;
            }
            found = *other;
        }
        result_.best = found;
        result_.best_graph = g;
        best_ = {what.interval, variants_[what.graph].free_rows};
        best_question_ = what;
    }
    void expect_no_contradiction(const question& found) const {
        for (const question& each : refuted_)
            if (is_part_of(found, each))
                throw std::logic_error(fmt::format(
                    "a schedule of {} with {} exists, and none of {} with {}",
                    counted(found.interval, "cycle"), counted(variants_[found.graph].free_rows, "free row"),
                    counted(each.interval, "cycle"), counted(variants_[each.graph].free_rows, "free row")));
    }

    void say(const question& what, const solver_answer& answer, const formula& problem) const {
        if (!options_.progress) return;
        const char* result = answer.result == outcome::satisfiable ? "found"
                             : answer.result == outcome::refuted   ? "refuted"
                                                                   : "not decided";
        const unsigned free_rows = variants_[what.graph].free_rows;
        options_.progress(fmt::format(
            "{}{} in {} of rotating registers{}{}: {} after {:.1f} s and {} conflicts ({} variables, {} "
            "clauses)",
            counted(what.interval, "cycle"),
            free_rows == 1 ? "" : fmt::format(" for {} free rows", free_rows), counted(what.rows, "row"),
            what.issued ? ", without macros" : "",
            what.peeled == 0 ? "" : fmt::format(", {} peeled off", counted(what.peeled, "stage")), result,
            answer.seconds, answer.conflicts, problem.clauses().variables(), problem.clauses().clauses()));
    }

    /// Once, when the length is settled.
    void prefer() {
        if (!result_.best || !best_question_ || best_question_->issued || !options_.accept_instead ||
            stopped())
            return;
        question what = *best_question_;
        what.refutes = false;
        const auto ask_again = [&](solver& asked, const std::vector<literal>& assumptions) {
            if (stopped()) return solver_answer{};
            solver_answer answer = asked.solve(
                assumptions, patience_of(options_, within_budget(options_, first_effort, spent_), elapsed()));
            spent_ += answer.conflicts;
            return answer;
        };
        try {
            prefer_simpler(variants_[what.graph].rows, machine_, limits_of(what), options_, *result_.best,
                           ask_again);
        } catch (const out_of_budget&) { // it stays as it is
        }
    }

    /// What no refutation of an interval below the best speaks of.
    std::vector<std::string> left_out() const {
        std::vector<std::string> found;
        std::vector<unsigned> untried;
        for (const unsigned count : {2u, 3u, 4u})
            if (variants_.front().rows.rows % count == 0 &&
                std::find(tried_.begin(), tried_.end(), count) == tried_.end())
                untried.push_back(count);
        if (!untried.empty())
            found.push_back(fmt::format("iterations of {} rows that differ", fmt::join(untried, " or ")));
        bool stages = false;
        for (const unsigned count : tried_)
            for (unsigned interval = floor(count); best_.is_known() && interval < end(count); ++interval) {
                const unsigned horizon =
                    horizon_for(first_of(count).rows, interval) + interval + 4; // of a refutation
                stages |= peeled_stages(count, 1) < horizon / interval;
            }
        if (stages)
            found.emplace_back("effects of a row that begin in stages of the pipeline far from each other");
        if (result_.no_spill.empty())
            found.emplace_back("values that wait in Dst and do not in the plain code");
        if (options_.bubble_proof) found.emplace_back("schedules that idle cycles between words would break");
        return found;
    }

    search_result finish() {
        prefer();
        for (const auto& [count, interval] : rejected_) result_.rejected.push_back({interval, count});
        result_.on_threads = on_threads_;
        result_.left_out = left_out();
        result_.proved = all_refuted();
        for (const unsigned count : tried_) {
            const bool lower_rejected =
                std::any_of(rejected_.begin(), rejected_.end(), [&](const auto& each) {
                    return each.first == count && each.second < end(count);
                });
            result_.proved &= !lower_rejected;
            if (all_refuted(count) && !lower_rejected) result_.settled_rows.push_back(count);
            if (!best_.is_known()) continue;
            for (unsigned interval = floor(count); interval < end(count); ++interval)
                if (!is_refuted(count, interval)) result_.open.push_back({interval, count});
        }
        if (options_.why) explain_longest();
        return std::move(result_);
    }
    /// Of the refuted intervals for a row by itself.
    void explain_longest() {
        refutation* longest = nullptr;
        for (refutation& each : result_.refuted)
            if (each.free_rows == 1 &&
                (!longest || std::tie(longest->interval, longest->rows) < std::tie(each.interval, each.rows)))
                longest = &each;
        if (longest) explain(variants_.front().rows, machine_, options_, *longest);
    }

    const search_options& options_;
    std::vector<unsigned> tried_; ///< numbers of free rows
    bool waited_ = false;         ///< values were offered a place in Dst
    search_result result_;
    pace best_;
    std::optional<question> best_question_;          ///< of `best`, if the solver found it
    std::int64_t effort_ = first_effort, spent_ = 0; ///< conflicts
    open_questions open_;
    std::set<question> impossible_; ///< for short rows with few loads
    std::set<question> refuted_;
    std::set<question> too_large_; ///< for the memory limit
    std::map<question, std::pair<double, std::int64_t>> spent_on_;
    std::map<unsigned, bool> registers_matter_;        ///< by interval
    std::set<std::pair<unsigned, unsigned>> rejected_; ///< free rows and interval: found and not taken
    double on_threads_ = 0;                            ///< of others, while this one waited
    unsigned jump_ = 1;                                ///< cycles that it tries to save at once
    std::int64_t attempt_ = first_attempt;             ///< its steps for one interval
};

} // namespace

search_result search(const isa::kernel& plain, const isa::machine& machine, const isa::thread_state& thread,
                     bool lanes_start_enabled, const search_options& options) {
    const isa::kernel row = rolled_up(plain, machine, thread, lanes_start_enabled);
    return searcher(row, plain.rows_per_iteration / row.rows_per_iteration, machine, thread,
                    lanes_start_enabled, options)
        .run();
}

} // namespace sfpu::optimizer
