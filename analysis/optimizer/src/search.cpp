#include <sfpu/optimizer/search.h>

#include "heuristic_search.h"
#include "search_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <tuple>

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
/// Intervals above the bound that are looked at if no plain kernel says what is too long.
constexpr unsigned longest_search = 60;

unsigned loads_of(const graph& of) {
    return static_cast<unsigned>(std::count_if(of.nodes.begin(), of.nodes.end(), [](const node& n) {
        return n.what == node::kind::load && !n.optional;
    }));
}

/// What is asked of the solver, more than once if it could not decide.
struct question {
    unsigned interval = 1, rows = 1;
    std::size_t graph = 0;
    bool refutes = false; ///< for longer rows with more loads, and of all that are alike only one
    bool issued = false;  ///< for schedules without macros

    friend bool operator<(const question& a, const question& b) {
        return std::tie(a.interval, a.rows, a.graph, a.refutes, a.issued) <
               std::tie(b.interval, b.rows, b.graph, b.refutes, b.issued);
    }
};

/// Questions that were not decided stay with what the solver has learned of them.
class open_questions {
public:
    struct entry {
        question what;
        std::unique_ptr<formula> problem;
        std::unique_ptr<solver> learned;
    };

    /// The entry of a question, empty if it is new.
    entry& of(const question& what) {
        const auto known = std::find_if(entries_.begin(), entries_.end(), [&](const entry& each) {
            return !(each.what < what) && !(what < each.what);
        });
        if (known != entries_.end()) {
            entries_.splice(entries_.begin(), entries_, known);
        } else {
            entries_.push_front({what, nullptr, nullptr});
            if (entries_.size() > most) entries_.pop_back();
        }
        return entries_.front();
    }

    /// What the formulas take, with their solvers.
    std::size_t bytes() const {
        std::size_t sum = 0;
        for (const entry& each : entries_)
            if (each.problem) sum += each.problem->clauses().bytes();
        return sum;
    }
    void forget_all_but_the_last() { entries_.resize(std::min<std::size_t>(entries_.size(), 1)); }

private:
    static constexpr std::size_t most = 6; // they take memory
    std::list<entry> entries_;
};

class searcher {
public:
    searcher(const isa::kernel& plain, const isa::machine& machine, const isa::thread_state& thread,
             bool lanes_start_enabled, const search_options& options)
        : machine_(machine), options_(options) {
        std::set<std::size_t> sizes;
        for (const bool hoist : {true, false})
            for (const bool drop : {true, false}) {
                graph_options how;
                how.hoist_constants = hoist;
                how.drop_moves = drop;
                try {
                    graph g = build_graph(plain, machine, thread, lanes_start_enabled, how);
                    if (sizes.insert(g.nodes.size()).second) graphs_.push_back(std::move(g));
                } catch (const row_error&) {
                    // The row as it stands is the last to be tried; what is wrong with it is wrong.
                    if (!hoist && !drop && graphs_.empty()) throw;
                }
            }
        plain_graphs_ = graphs_.size();
        offer_spills(plain, thread, lanes_start_enabled);
        for (const graph& g : graphs_) floors_.push_back(lower_bound(g, machine));
        result_.floor = *std::min_element(floors_.begin(), floors_.end(), [](const bound& a, const bound& b) {
            return a.interval < b.interval;
        });
    }

    search_result run() {
        best_ = options_.shortest_known;
        for (effort_ = first_effort; !settled(); effort_ *= effort_growth) {
            find_heuristically();
            if (settled()) break;
            if (effort_ == first_effort) find_anything();
            else if (!find_shorter()) find_with_spills();
            if (settled()) break;
            const bool shorter = refute();
            if (!shorter && nothing_left()) break;
        }
        effort_ = std::max(effort_, last_effort);
        while (!stopped() && find_with_spills()) {
        }
        return finish();
    }

private:
    /// Behind the graphs of the row one in which values may be stored aside, if that can be.
    void offer_spills(const isa::kernel& plain, const isa::thread_state& thread, bool lanes_start_enabled) {
        graph_options how;
        how.spill = true;
        try {
            graph g = build_graph(plain, machine_, thread, lanes_start_enabled, how);
            result_.no_spill = g.no_spill;
            if (g.no_spill.empty()) graphs_.push_back(std::move(g));
        } catch (const row_error& error) {
            result_.no_spill = error.what();
        }
    }

    unsigned floor() const { return result_.floor.interval; }
    double elapsed() const { return thread_seconds() - start_ + on_threads_; }
    bool stopped() {
        if (options_.interrupted && options_.interrupted()) result_.interrupted = true;
        if (result_.interrupted) return true;
        if (options_.conflicts > 0) return spent_ >= options_.conflicts;
        return options_.seconds > 0 && elapsed() >= options_.seconds;
    }
    bool settled() { return stopped() || content() || all_refuted(); }
    bool content() const { return options_.at_most && best_ <= *options_.at_most; }
    unsigned end() const { return best_ == ~0u ? floor() + longest_search : best_; }

    // --- from above ----------------------------------------------------------------------------------------

    /// The least interval if that is easy, the next ones if that is refuted at once; else a schedule that
    /// issues all, and one between the bound and the known one, and so on: something is found soon.
    void find_anything() {
        unsigned low = floor();
        for (bool easy = true; low < end() && !settled();) {
            const unsigned interval = easy ? low : low + (end() - low) / 2;
            const outcome answer = find(interval);
            if (answer == outcome::satisfiable) continue;
            low = interval + 1;
            if (easy && (answer == outcome::unknown || spent_ >= 3 * first_effort)) {
                easy = false;
                find_issued();
            }
        }
    }
    /// Long rows: something with macros within a second, and shorter ones in every round. Nothing is refuted.
    void find_heuristically() {
        if (options_.bubble_proof || graphs_[0].nodes.size() < shortest_long_row) return;
        if (!heuristic_) heuristic_ = std::make_unique<heuristic_search>(graphs_[0], machine_);
        if (!heuristic_->usable() || graphs_[0].rows % options_.rows.value_or(1) != 0) return;
        if (options_.rows.value_or(1) != 1) return;
        // What the solver seldom finishes gets more, and no more than half of a budget.
        const std::size_t words = graphs_[0].nodes.size();
        const std::int64_t all = (words < 20 ? 16 : words < 30 ? 100 : 400) * effort_;
        std::int64_t left = all;
        if (options_.conflicts > 0)
            left = std::min(left, steps_a_conflict * (options_.conflicts - spent_) / 2);
        for (unsigned refused = 0; left > 0 && end() > floor() && refused < 3 && !settled();) {
            const unsigned far = std::max(1u, (end() - floor()) / 6),
                           interval = end() - (refused == 0 && jump_ ? far : 1u);
            heuristic_search::effort within;
            within.steps = std::max<std::int64_t>(1, std::min(left, jump_ ? left / 4 : left));
            within.jobs = options_.jobs;
            within.interrupted = options_.interrupted;
            if (options_.conflicts == 0 && options_.seconds > 0)
                within.seconds = std::max(0.01, options_.seconds - elapsed());
            const double begun = thread_seconds();
            const heuristic_search::answer answer = heuristic_->find(interval, within);
            on_threads_ += std::max(0.0, answer.seconds - (thread_seconds() - begun));
            left -= answer.steps;
            spent_ += answer.steps / steps_a_conflict;
            if (!answer.found) {
                if (!jump_ || far == 1) break;
                jump_ = false;
            } else if (!options_.accept || options_.accept(graphs_[0], *answer.found)) {
                result_.best = *answer.found;
                result_.best_graph = graphs_[0];
                best_ = interval;
                if (options_.conflicts == 0) left = all;
                if (options_.progress)
                    options_.progress(fmt::format("{} by a heuristic: found after {:.1f} s",
                                                  counted(best_, "cycle"), elapsed()));
            } else {
                ++refused;
            }
        }
    }
    /// Without macros little is left to decide, however long the row is: a cycle for each word, or some more.
    void find_issued() {
        for (std::size_t g = 0; g < plain_graphs_; ++g) {
            const auto words = static_cast<unsigned>(std::count_if(
                graphs_[g].nodes.begin(), graphs_[g].nodes.end(), [](const node& n) { return !n.optional; }));
            const unsigned least = std::max(words, floors_[g].interval), most = end();
            for (const unsigned interval : {least, least + (most - std::min(least, most)) / 2, most - 1}) {
                const std::vector<unsigned> rows = rows_to_try(graphs_[g], interval, options_.rows);
                if (interval < least || interval >= end() || rows.empty() || settled()) break;
                question what{interval, rows.front(), g, false};
                what.issued = true;
                if (ask(what) == outcome::satisfiable && best_ <= interval) break;
            }
        }
    }
    /// One cycle less, then two, four, as long as it goes well.
    bool find_shorter() {
        bool found = false;
        for (unsigned less = 1; !settled() && end() > floor(); less *= 2, found = true)
            if (find(end() - std::min(less, end() - floor())) != outcome::satisfiable) break;
        return found;
    }
    /// One cycle less, with values that wait in Dst. No proof speaks of such schedules.
    bool find_with_spills() {
        if (graphs_.size() == plain_graphs_ || end() <= floor() || content()) return false;
        const unsigned interval = end() - 1;
        if (!registers_matter(interval)) return false;
        for (const unsigned rows : rows_to_try(graphs_[0], interval, options_.rows)) {
            const question what{interval, rows, plain_graphs_, false};
            if (stopped() || impossible_.count(what)) continue;
            const outcome answer = ask(what);
            if (answer == outcome::refuted) impossible_.insert(what);
            if (answer == outcome::satisfiable && best_ <= interval) return true;
        }
        return false;
    }

    /// Whether an interval is not refuted any more if every value has a register of its own.
    bool registers_matter(unsigned interval) {
        const auto [known, is_new] = registers_matter_.emplace(interval, true);
        if (!is_new) return known->second;
        formula_limits limits = limits_of({interval, rows_that_cover(interval).back(), 0, false});
        limits.without = group::registers;
        solver_answer answer;
        try {
            answer = solve(formula(graphs_[0], machine_, limits).clauses(), {}, patience());
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
    outcome find(unsigned interval) {
        outcome all = outcome::refuted;
        for (const unsigned rows : rows_to_try(graphs_[0], interval, options_.rows))
            for (std::size_t g = 0; g < plain_graphs_; ++g) {
                if (stopped()) return outcome::unknown;
                const question what{interval, rows, g, false};
                if (floors_[g].interval > interval || impossible_.count(what) || is_refuted(what)) continue;
                const outcome answer = ask(what);
                if (answer == outcome::refuted) impossible_.insert(what);
                if (answer == outcome::satisfiable && best_ <= interval) return answer;
                if (answer == outcome::unknown) all = answer;
                // What is not simple waits for its turn.
                if (answer == outcome::unknown && effort_ == first_effort) return answer;
            }
        return all;
    }

    // --- from below ----------------------------------------------------------------------------------------

    /// Refutes intervals until one is not decided. Returns whether a shorter schedule was found on the way.
    bool refute() {
        for (unsigned interval = floor(); interval < end(); ++interval)
            for (const unsigned rows : rows_that_cover(interval))
                for (std::size_t g = 0; g < plain_graphs_; ++g) {
                    const question what{interval, rows, g, true};
                    if (is_refuted(what) || rejected_.count(interval)) continue;
                    if (stopped()) return false;
                    const outcome answer = ask(what);
                    if (answer == outcome::satisfiable && best_ <= interval) return true;
                    if (answer == outcome::unknown) return false;
                }
        return false;
    }
    /// A schedule in which registers of two rows take turns is one of four, too: the others need no
    /// refutation of their own.
    std::vector<unsigned> rows_that_cover(unsigned interval) const {
        const std::vector<unsigned> all = rows_to_try(graphs_[0], interval, options_.rows);
        std::vector<unsigned> found;
        for (const unsigned r : all)
            if (std::none_of(all.begin(), all.end(),
                             [&](unsigned other) { return other > r && other % r == 0; }))
                found.push_back(r);
        return found;
    }
    bool is_refuted(const question& what) const {
        return floors_[what.graph].interval > what.interval ||
               std::any_of(refuted_.begin(), refuted_.end(), [&](const question& each) {
                   return each.interval == what.interval && each.graph == what.graph &&
                          each.rows % what.rows == 0;
               });
    }
    bool is_refuted(unsigned interval) const {
        for (const unsigned rows : rows_that_cover(interval))
            for (std::size_t g = 0; g < plain_graphs_; ++g)
                if (!is_refuted({interval, rows, g, true})) return false;
        return true;
    }
    bool all_refuted() const {
        if (best_ == ~0u) return false;
        for (unsigned interval = floor(); interval < best_; ++interval)
            if (!is_refuted(interval)) return false;
        return true;
    }
    /// All that is not refuted was found and is not taken.
    bool nothing_left() const {
        for (unsigned interval = floor(); interval < end(); ++interval)
            if (!is_refuted(interval) && !rejected_.count(interval)) return false;
        return true;
    }

    // --- one question --------------------------------------------------------------------------------------

    formula_limits limits_of(const question& what) {
        const graph& g = graphs_[what.graph];
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
            if (what.graph == 0) {
                const formula_limits& limits = asked.problem->limits();
                refutation no;
                no.interval = what.interval;
                no.rows = what.rows;
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
                asked.problem = std::make_unique<formula>(graphs_[what.graph], machine_, limits);
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
        const graph& g = graphs_[what.graph];
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
                    rejected_.insert(what.interval);
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
                impossible_.insert({what.interval, what.rows, what.graph, false});
                rejected_.insert(what.interval);
                return;
            }
            found = *other;
        }
        result_.best = found;
        result_.best_graph = g;
        best_ = what.interval;
    }

    void say(const question& what, const solver_answer& answer, const formula& problem) const {
        if (!options_.progress) return;
        const char* result = answer.result == outcome::satisfiable ? "found"
                             : answer.result == outcome::refuted   ? "refuted"
                                                                   : "not decided";
        options_.progress(fmt::format("{} in {} of rotating registers{}: {} after {:.1f} s and {} conflicts "
                                      "({} variables, {} clauses)",
                                      counted(what.interval, "cycle"), counted(what.rows, "row"),
                                      what.issued ? ", without macros" : "", result, answer.seconds,
                                      answer.conflicts, problem.clauses().variables(),
                                      problem.clauses().clauses()));
    }

    search_result finish() {
        const bool lower_rejected = !rejected_.empty() && *rejected_.begin() < best_;
        result_.proved = all_refuted() && !lower_rejected;
        if (best_ != ~0u)
            for (unsigned interval = floor(); interval < best_; ++interval)
                if (!is_refuted(interval)) result_.open.push_back(interval);
        if (options_.why && !result_.refuted.empty())
            explain(graphs_[0], machine_, options_,
                    *std::max_element(result_.refuted.begin(), result_.refuted.end(),
                                      [](const refutation& a, const refutation& b) {
                                          return std::tie(a.interval, a.rows) < std::tie(b.interval, b.rows);
                                      }));
        return std::move(result_);
    }

    const isa::machine& machine_;
    const search_options& options_;
    std::vector<graph> graphs_;
    std::size_t plain_graphs_ = 0; ///< of them, without spills
    std::vector<bound> floors_;
    search_result result_;
    unsigned best_ = ~0u;
    std::int64_t effort_ = first_effort, spent_ = 0; ///< conflicts
    open_questions open_;
    std::set<question> impossible_; ///< for short rows with few loads
    std::set<question> refuted_;
    std::set<question> too_large_; ///< for the memory limit
    std::map<question, std::pair<double, std::int64_t>> spent_on_;
    std::map<unsigned, bool> registers_matter_;        ///< by interval
    std::set<unsigned> rejected_;                      ///< intervals with schedules that were not taken
    double start_ = thread_seconds(), on_threads_ = 0; ///< the latter: of others, while this one waited
    std::unique_ptr<heuristic_search> heuristic_;
    bool jump_ = true; ///< it tries to save more than a cycle at once
};

} // namespace

unsigned copies_of(const graph& of, const isa::machine& machine, unsigned interval, unsigned most) {
    const unsigned loads = loads_of(of), room = interval * std::min(machine.issue_width, machine.load_ports);
    return room + 1 > loads ? std::clamp(room + 1 - loads, 1u, most) : 1u;
}

search_result search(const isa::kernel& plain, const isa::machine& machine, const isa::thread_state& thread,
                     bool lanes_start_enabled, const search_options& options) {
    return searcher(plain, machine, thread, lanes_start_enabled, options).run();
}

} // namespace sfpu::optimizer
