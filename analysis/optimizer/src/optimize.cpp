#include <sfpu/analysis/optimize.h>

#include "given_kernel.h"
#include "known_schedule.h"
#include "repeated_search.h"
#include "rewritten_kernels.h"
#include "schedule_checker.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/llk_header.h>
#include <sfpu/analysis/macro_expansion.h>
#include <sfpu/common/shown_name.h>
#include <sfpu/isa/disassembler.h>
#include <sfpu/optimizer/retime.h>
#include <sfpu/optimizer/search.h>
#include <sfpu/optimizer/solver.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

namespace sfpu::analysis {
namespace {

using optimizer::schedule;
using optimizer::search_result;
using watch = std::chrono::steady_clock;

/// Iterations of the given loop in one of a schedule that somebody gives, at most.
constexpr unsigned most_together = 64;

double seconds_since(watch::time_point start) {
    return std::chrono::duration<double>(watch::now() - start).count();
}

unsigned spilled_values(const search_result& result) {
    unsigned count = 0;
    for (const optimizer::placed_operation& o : result.best->operations)
        count += result.best_graph.nodes[static_cast<std::size_t>(o.node)].spills;
    return count;
}

/// What a command line refuses by itself.
void expect_sensible(const optimize_request& request) {
    if (request.rows_per_iteration && (*request.rows_per_iteration < 1 || *request.rows_per_iteration > 8))
        throw user_error(fmt::format("optimize: rows_per_iteration: found {}, expected 1 to 8",
                                     *request.rows_per_iteration));
    if (request.at_most && !(*request.at_most >= 0.001 && *request.at_most <= 1e6))
        throw user_error(
            fmt::format("optimize: at_most: found {}, expected 0.001 to 1000000", *request.at_most));
    if (!(request.seconds >= 0)) // NaN, too
        throw user_error(fmt::format("optimize: seconds: found {}, expected 0 or more", request.seconds));
    if (request.conflicts < 0)
        throw user_error(fmt::format("optimize: conflicts: found {}, expected 0 or more", request.conflicts));
}

/// One call of optimize().
class optimization {
public:
    optimization(const optimize_request& request, const session& caller)
        : request_(request), caller_(caller), kernel_(request, caller), checker_(kernel_),
          rewritten_(kernel_, no_more_rows()), per_iteration_(kernel_.plain().kernel().rows_per_iteration) {
        set_options();
    }

    optimize_answer run() {
        judge_upper_bound();
        search_result result = searched();
        if (result.best) result.interrupted |= !checker_.check_thoroughly(best_, options_.interrupted);
        optimize_answer answer;
        describe_given(answer);
        describe_search(result, answer);
        if (result.best) answer.best = described_best(result);
        if (result.best && best_row_) {
            answer.rewrites = best_row_->rewrites;
            answer.rewrites_are = best_row_->verdict;
        }
        answer.no_rewrite = rewritten_.problem;
        give_known(answer);
        write_kernel(answer);
        answer.met = !answer.interrupted && is_met(answer);
        answer.not_met = unmet_reason(result, answer);
        answer.warnings = kernel_.warnings();
        answer.seconds = seconds_since(start_);
        return answer;
    }

private:
    /// Rules take a part of the time, however long the row is.
    std::function<bool()> no_more_rows() const {
        constexpr double share = 0.25;
        const bool is_limited = request_.conflicts == 0 && request_.seconds > 0;
        const double until = is_limited ? thread_seconds() + share * request_.seconds : 1e18;
        return [this, until] {
            return thread_seconds() >= until || caller_.is_interrupted() || caller_.is_late();
        };
    }
    void set_options() {
        if (request_.rows_per_iteration && kernel_.plain().iterations() % *request_.rows_per_iteration != 0)
            throw user_error(
                fmt::format("optimize: --rows-per-iteration: found {}, expected a divisor of the "
                            "{} rows of the kernel",
                            *request_.rows_per_iteration, kernel_.plain().iterations()));
        options_.rows = request_.rows_per_iteration;
        options_.bubble_proof = request_.bubble_proof;
        options_.why = request_.why;
        options_.seconds = request_.seconds;
        options_.conflicts = request_.conflicts;
        options_.jobs = request_.jobs;
        options_.memory = request_.memory_limit;
        // A kernel that is not right on this machine is no schedule for it.
        if (!request_.retime && kernel_.plain_serves())
            options_.shortest_known =
                static_cast<unsigned>(std::ceil(kernel_.cycles_per_row() * per_iteration_ - 1e-9));
        if (request_.at_most) options_.at_most = *request_.at_most * per_iteration_;
        options_.interrupted = [this] { return caller_.is_interrupted() || caller_.is_late(); };
        options_.progress = [this](const std::string& line) { caller_.tell(line); };
        options_.accept_instead = [this](const optimizer::graph& graph, const schedule& found) {
            return accepts(graph, found, best_.verdict.robust());
        };
        options_.is_robust = [this] { return best_.verdict.robust(); };
        options_.accept = [this](const optimizer::graph& graph, const schedule& found) {
            return accepts(graph, found);
        };
    }

    /// A schedule that is known is one that the search need not find.
    void judge_upper_bound() {
        if (!request_.upper_bound) return;
        known_ = judge_known(kernel_, *request_.upper_bound, options_.interrupted);
        known_name_ = request_.upper_bound->name;
        const double cycles = known_->figures.cycles_per_row * per_iteration_;
        if (cycles >= options_.shortest_known) return;
        // It may hold several iterations: so many take whole cycles together.
        unsigned together = 1;
        while (together < most_together && std::abs(cycles * together - std::round(cycles * together)) > 1e-6)
            ++together;
        options_.shortest_known = static_cast<unsigned>(std::ceil(cycles * together - 1e-6));
        options_.shortest_known_iterations = together;
    }
    /// A kernel with macros that is right on this machine as it is, too, if nothing else is as short.
    void judge_given_macros(const optimize_answer& answer) {
        if (known_ || !request_.retime) return;
        if (answer.best && answer.best->cycles_per_row <= kernel_.cycles_per_row() + 1e-9) return;
        try {
            known_ = judge_known(kernel_, {request_.text, request_.name}, options_.interrupted);
            known_name_ = request_.name;
        } catch (const user_error&) { // it is right on its own machine only
        }
    }
    /// What is known takes the place of what is no shorter.
    void give_known(optimize_answer& answer) {
        judge_given_macros(answer);
        if (!known_) return;
        const double cycles = known_->figures.cycles_per_row;
        if (answer.best ? answer.best->cycles_per_row <= cycles + 1e-9
                        : answer.plain_serves && answer.plain_cycles_per_row <= cycles + 1e-9)
            return;
        answer.best = known_->figures;
        answer.best_was_given = known_name_;
        answer.rewrites.clear();
        answer.structure =
            known_name_ == request_.name ? retimed_structure::kept : retimed_structure::changed;
    }

    bool accepts(const optimizer::graph& graph, const schedule& found, bool robust = false) {
        checker_.take(now_);
        checked_schedule now = checker_.check(graph, found, structure_sought_);
        const kernel_verdict& verdict = now.verdict;
        const bool taken = (verdict.breaking.empty() || verdict.broken_only_like(kernel_.verdict())) &&
                           (verdict.survives_bubbles || !request_.bubble_proof) &&
                           (verdict.robust() || !robust);
        if (taken) best_ = std::move(now);
        else
            caller_.tell(fmt::format("a schedule of {} cycles is not taken: lint calls it {}: {}",
                                     found.interval, verdict.name, verdict.because));
        return taken;
    }

    search_result searched() {
        try {
            return request_.retime ? retimed() : searched_in_turn();
        } catch (const optimizer::row_error& error) {
            throw input_error(request_.retime ? fmt::format("{}: {}", shown_name(request_.name), error.what())
                                              : text_of(error, kernel_.plain(), request_.name));
        }
    }

    search_result searched_with(const optimizer::search_options& options) {
        return optimizer::search(now_ ? now_->kernel : kernel_.plain().kernel(), kernel_.machine(),
                                 kernel_.thread(), kernel_.lanes_start_enabled(), options);
    }

    // --- rewritten rows ----------------------------------------------------------------------------------

    /// Cycles of one iteration of the given loop.
    double length_of(const search_result& result) const {
        return per_row(result.best->interval, result.best_graph.rows_per_iteration) * per_iteration_;
    }
    double shortest(const std::optional<search_result>& best) const {
        if (best && best->best) return length_of(*best);
        return per_row(options_.shortest_known, options_.shortest_known_iterations);
    }

    /// Of CPU of one thread. What other processes do does not count.
    double seconds_spent() const { return thread_seconds() - cpu_start_ + on_threads_; }
    bool time_is_over() const {
        return request_.conflicts == 0 && request_.seconds > 0 && seconds_spent() >= request_.seconds;
    }
    /// A part of the time, or of the conflicts, for what is shorter than `best`.
    optimizer::search_options part_of(double share, const std::optional<search_result>& best) const {
        optimizer::search_options part = options_;
        if (best && best->best) {
            part.shortest_known = best->best->interval * per_iteration_;
            part.shortest_known_iterations = best->best_graph.rows_per_iteration;
        }
        if (part.conflicts > 0) {
            part.conflicts = std::max<std::int64_t>(
                1, static_cast<std::int64_t>(share * static_cast<double>(part.conflicts)));
        } else if (part.seconds > 0) {
            part.seconds = std::max(0.1, share * std::max(0.0, part.seconds - seconds_spent()));
        }
        return part;
    }

    /// Searches a row for something shorter than `best`, which it then replaces.
    void look(const rewritten_kernel* row, const optimizer::search_options& how,
              std::optional<search_result>& best) {
        now_ = row;
        const checked_schedule before = best_;
        search_result result = searched_with(how);
        on_threads_ += result.on_threads;
        if (result.proved) undecided_.erase(row);
        else undecided_.insert(row);
        if (result.best || !best || !best->best) {
            best_row_ = row;
            best = std::move(result);
        } else {
            best_ = before;
            best->interrupted |= result.interrupted;
            if (row == best_row_ && !best->proved) learn(*best, std::move(result));
        }
    }

    bool is_short_enough(const search_result& best) const {
        return best.best && options_.at_most && length_of(best) <= *options_.at_most + 1e-9;
    }

    /// Looking at another row takes time, however little it gets.
    bool is_over(const search_result& best) const {
        return best.interrupted || is_short_enough(best) || time_is_over();
    }

    /// Rewritten rows that may be shorter, in the order of rewritten_kernels::next(), and the given one: each
    /// for a while first, then the best one with the time that is left.
    search_result searched_in_turn() {
        constexpr unsigned most_rows = 3;
        constexpr double first_share = 0.1, proof_share = 0.25, share_of_given_alone = 0.6;
        double for_proofs =
            options_.seconds > 0 && options_.conflicts == 0 ? proof_share * options_.seconds : 60;
        std::optional<search_result> best;
        std::vector<const rewritten_kernel*> rows;
        while (rows.size() < most_rows) {
            const double begun = thread_seconds();
            const rewritten_kernel* row = rewritten_.next(shortest(best), for_proofs, options_.interrupted);
            for_proofs -= thread_seconds() - begun;
            if (!row) break;
            rows.push_back(row);
            caller_.tell(fmt::format("other instructions: {} words, bound {:g}", row->cost,
                                     row->floor / per_iteration_));
            look(row, part_of(first_share, best), best);
            if (is_over(*best)) break;
        }
        const bool only_given = rows.empty() && (request_.why || !rewritten_.has_longer(nullptr));
        if (only_given) return searched_with(part_of(1, best));
        if (rows.empty()) look(nullptr, part_of(share_of_given_alone, best), best);
        else if (!is_over(*best)) deepen(rows.front(), best);
        if (!is_over(*best) && !request_.why) look_at_longer_rows(for_proofs, best);
        if (!is_over(*best)) finish(best);
        if (!is_over(*best) && best->proved) look_at_others(for_proofs, first_share, best);
        checker_.take(best_row_);
        return std::move(*best);
    }

    /// The row of the least bound, and the given one.
    void deepen(const rewritten_kernel* first, std::optional<search_result>& best) {
        constexpr double share_of_first = 0.35, share_of_given = 0.15;
        const auto may_be_shorter = [&](double floor) { return floor < shortest(best) - 1e-9; };
        const bool first_is_done = best->best && best_row_ == first && best->proved;
        if (may_be_shorter(first->floor) && !first_is_done) look(first, part_of(share_of_first, best), best);
        if (!is_over(*best) && may_be_shorter(rewritten_.given_floor))
            look(nullptr, part_of(best->best ? share_of_given : share_of_first, best), best);
    }

    /// Rows with values that wait in Dst. No proof speaks of them.
    void look_at_longer_rows(double seconds, std::optional<search_result>& best) {
        constexpr double share = 0.08;
        const rewritten_kernel* const of = best_row_;
        for (unsigned turn = 0; turn < 4 && !is_over(*best) && !meets_floor(best); ++turn) {
            const double begun = thread_seconds();
            const rewritten_kernel* row =
                rewritten_.next_longer(of, shortest(best), seconds, options_.interrupted);
            if (!row) return;
            seconds -= thread_seconds() - begun;
            caller_.tell(fmt::format("a value that waits in Dst: {} words", row->cost));
            look(row, part_of(share, best), best);
            undecided_.erase(row);
        }
    }

    bool meets_floor(const std::optional<search_result>& best) const {
        return shortest(best) <= best->floor.least / best->rows_per_iteration * per_iteration_ + 1e-9;
    }

    /// The best row with the time that is left.
    void finish(std::optional<search_result>& best) {
        constexpr double rest = 0.2;
        if (!best->proved && !meets_floor(best))
            look(best_row_, part_of(options_.conflicts > 0 ? rest : 1, best), best);
    }

    /// Nothing shorter has the words of the best one: rows that were not looked at, for as long as `seconds`
    /// of proofs and the time last, and a few at most.
    void look_at_others(double seconds, double share, std::optional<search_result>& best) {
        for (unsigned turn = 0; turn < 6 && !is_over(*best); ++turn) {
            const double begun = thread_seconds();
            const rewritten_kernel* row = rewritten_.next(shortest(best), seconds, options_.interrupted);
            if (!row) return;
            seconds -= thread_seconds() - begun;
            look(row, part_of(share, best), best);
        }
    }

    /// The same structure with other delays; where that cannot be, the shortest schedule of what the kernel
    /// computes.
    search_result retimed() {
        const double start = seconds_spent();
        expect_right_expansion();
        structure_sought_ = true;
        search_result kept =
            optimizer::retime(kernel_.plain().kernel(), kernel_.expanded(), kernel_.machine(),
                              kernel_.thread(), kernel_.lanes_start_enabled(), options_);
        structure_sought_ = structure_kept_ = kept.best.has_value();
        if (structure_kept_ || kept.interrupted) return kept;
        kernel_.warn(kept.open.empty() ? "no schedule has this structure on this machine: looking for another"
                                       : "none found with this structure: looking for another");
        optimizer::search_options rest = options_;
        if (rest.conflicts > 0) rest.conflicts = std::max<std::int64_t>(1, rest.conflicts / 2);
        else rest.seconds = std::max(1.0, rest.seconds - (seconds_spent() - start));
        search_result other = searched_with(rest);
        if (!other.best) kernel_.try_plain();
        return other;
    }

    void expect_right_expansion() const {
        const std::string difference =
            compare_schedule(kernel_.runner(), kernel_.reference(), kernel_.plain_on_chip(),
                             thoroughness::candidate, false)
                .difference;
        if (!difference.empty())
            throw input_error(fmt::format(
                "{}: what its rows compute is not understood: do they hand on values to each other in "
                "another way than by one register, or change what they read behind the loop? Written as "
                "plain code, it is another kernel\n{}",
                shown_name(request_.name), difference));
    }

    static double per_row(unsigned interval, unsigned rows) { return static_cast<double>(interval) / rows; }

    void describe_given(optimize_answer& answer) const {
        answer.kernel = request_.name;
        answer.arch = kernel_.plain().kernel().arch;
        answer.retimed = request_.retime;
        answer.why_was_asked = request_.why;
        answer.rows_per_iteration = per_iteration_;
        answer.plain_cycles_per_row = kernel_.cycles_per_row();
        answer.plain_verdict = kernel_.verdict();
        answer.plain_serves = kernel_.plain_serves();
    }

    void describe_search(const search_result& result, optimize_answer& answer) const {
        answer.structure = result.best
                               ? structure_kept_ ? retimed_structure::kept : retimed_structure::changed
                           : answer.plain_serves ? retimed_structure::plain
                                                 : retimed_structure::none;
        const unsigned rows = result.rows_per_iteration;
        answer.bound_cycles_per_row = per_row(result.floor.interval, rows * result.floor.free_rows);
        answer.bound_reason = result.floor.reason;
        answer.interrupted = result.interrupted;
        answer.no_spill = result.no_spill;
        std::vector<double>& open = answer.open;
        for (const optimizer::free_interval& each : result.open)
            open.push_back(per_row(each.interval, rows * each.free_rows));
        std::sort(open.begin(), open.end());
        open.erase(std::unique(open.begin(), open.end()), open.end());
        for (const optimizer::refutation& each : result.refuted)
            answer.refuted.push_back(described(each, rows));
        answer.proof = described_proof(result, open);
        answer.proved =
            answer.proof.status == proof_status::bound || answer.proof.status == proof_status::optimal;
    }

    /// Cycles a row that there is a kernel for, if there is one.
    std::optional<double> taken(const search_result& result) const {
        std::optional<double> least;
        const auto take = [&](double cycles) { least = least ? std::min(*least, cycles) : cycles; };
        if (result.best) take(per_row(result.best->interval, result.best_graph.rows_per_iteration));
        if (known_) take(known_->figures.cycles_per_row);
        if (kernel_.plain_serves()) take(kernel_.cycles_per_row());
        return least;
    }

    /// Whether a schedule of another row may be shorter: `shortest` cycles an iteration.
    bool others_are_undecided(double shortest) const {
        return rewritten_.may_be_shorter(shortest) ||
               std::any_of(undecided_.begin(), undecided_.end(), [&](const rewritten_kernel* row) {
                   const double floor = row ? row->floor : rewritten_.given_floor;
                   return row != best_row_ && floor < shortest - 1e-9;
               });
    }

    /// `open`: shorter ones that were not decided, in order.
    schedule_proof described_proof(const search_result& result, const std::vector<double>& open) const {
        schedule_proof proof;
        const unsigned rows = result.rows_per_iteration;
        const std::optional<double> best = taken(result);
        const bool meets_bound = best && *best <= result.floor.least / rows + 1e-9;
        if (!meets_bound) proof.left_out = result.left_out;
        if (rewritten_.cut_short)
            proof.left_out.emplace_back("rows with other instructions that were not looked at in time");
        if (best && others_are_undecided(*best * per_iteration_))
            proof.left_out.emplace_back("rows with other instructions, for which it was not decided");
        if (meets_bound && proof.left_out.empty()) {
            proof.status = proof_status::bound;
            return proof;
        }
        if (result.proved || meets_bound)
            proof.status = proof.left_out.empty() ? proof_status::optimal : proof_status::optimal_in_form;
        for (const double cycles : open) {
            if (!proof.undecided.empty() && cycles - proof.undecided.back().second < 1.5 / rows)
                proof.undecided.back().second = cycles;
            else proof.undecided.emplace_back(cycles, cycles);
        }
        const double decided = std::min(open.empty() ? 1e9 : open.front(), best.value_or(1e9)) - 1e-9;
        for (const optimizer::refutation& each : result.refuted) {
            const double cycles = per_row(each.interval, rows * each.free_rows);
            if (cycles < decided) proof.refuted_up_to = std::max(proof.refuted_up_to.value_or(0), cycles);
        }
        return proof;
    }

    /// `rows` of the loop that was searched.
    refuted_interval described(const optimizer::refutation& each, unsigned rows) const {
        refuted_interval no;
        rows *= each.free_rows;
        no.cycles_per_row = per_row(each.interval, rows);
        no.rotating_rows = each.rows;
        no.free_rows = each.free_rows;
        no.rows_per_iteration = rows * each.rows;
        no.horizon = each.horizon;
        no.copies = each.copies;
        for (const optimizer::group g : each.because) no.because.emplace_back(optimizer::to_string(g));
        for (const std::vector<unsigned>& lines : each.lines)
            no.instructions.push_back(instructions_in(lines));
        for (const auto& change : each.relaxations)
            no.relaxations.push_back({change.parameter, change.value, per_row(change.interval, rows)});
        no.relaxations_tried = each.relaxations_tried;
        no.seconds = each.seconds;
        no.conflicts = each.conflicts;
        return no;
    }

    /// "9: sfpmov ...", by line of what is scheduled.
    std::vector<std::string> instructions_in(const std::vector<unsigned>& lines) const {
        std::vector<std::string> found;
        const isa::kernel& kernel = kernel_.plain().kernel();
        for (const isa::source_word& word : kernel.loop)
            if (std::find(lines.begin(), lines.end(), word.line) != lines.end())
                found.push_back(fmt::format("{}: {}", word.line, isa::disassemble(word.word, kernel.words)));
        return found;
    }

    /// Why no schedule is as short as it was to be.
    std::string unmet_reason(const search_result& result, const optimize_answer& answer) const {
        if (!request_.at_most || is_met(answer)) return "";
        if (answer.interrupted) return "the search was interrupted";
        const double wanted = *request_.at_most;
        const unsigned rows = result.rows_per_iteration;
        if (wanted < std::min(answer.bound_cycles_per_row, result.floor.least / rows) - 1e-9)
            return fmt::format("the bound is {:g}: {}", answer.bound_cycles_per_row, answer.bound_reason);
        const auto is_in = [&](const std::vector<optimizer::free_interval>& list) {
            return std::any_of(list.begin(), list.end(), [&](const optimizer::free_interval& each) {
                return per_row(each.interval, rows * each.free_rows) <= wanted + 1e-9;
            });
        };
        if (is_in(result.rejected))
            return fmt::format("schedules of {:g} were found, and lint takes none", wanted);
        if (is_in(result.open))
            return fmt::format("whether there is a schedule of {:g} was not decided {}", wanted,
                               request_.conflicts > 0 ? "within the budget" : "in time");
        return fmt::format("{:g} is refuted{}", wanted,
                           answer.proof.left_out.empty()
                               ? ""
                               : fmt::format(". Left out: {}", fmt::join(answer.proof.left_out, "; ")));
    }

    optimized_schedule described_best(const search_result& result) const {
        optimized_schedule best;
        const unsigned rows = result.best_graph.rows_per_iteration;
        best.cycles_per_row = per_row(result.best->interval, rows);
        best.rows_per_iteration = result.best->rows * rows;
        best.verdict = best_.verdict;
        best.macros = result.best->macros_used();
        best.templates = result.best->templates_used();
        best.registers = result.best->registers_used();
        best.tail_words = best_.tail_words;
        best.spilled_values = spilled_values(result);
        best.cells = best_.cells;
        best.exhaustive = best_.exhaustive;
        best.strength = best_.strength;
        return best;
    }

    void write_kernel(optimize_answer& answer) const {
        answer.lead_words = best_.lead_words;
        if (!answer.best_was_given.empty()) {
            answer.schedule = known_->text;
            answer.lead_words = 0;
        } else if (answer.best) {
            answer.schedule = best_.text;
        } else if (answer.plain_serves) {
            answer.schedule = kernel_.fallback();
        }
        if (!request_.llk_header || answer.schedule.empty()) return;
        try {
            answer.header = header_of(answer.schedule);
        } catch (const user_error& error) {
            answer.header_problem = error.what();
        }
    }

    /// The kernel as functions, under the remarks at its head.
    std::string header_of(const std::string& text) const {
        const isa::kernel kernel =
            assembled_kernel(text, "schedule of " + kernel_.base_name(), kernel_.plain().request().config);
        const unsigned lead_words = known_ && text == known_->text ? 0 : best_.lead_words;
        return llk_header({&kernel, lead_words, name_in_header(request_), head_of(text)});
    }

    bool is_met(const optimize_answer& answer) const {
        if (answer.schedule.empty() || (request_.bubble_proof && !answer.best)) return false;
        const double cycles = answer.best ? answer.best->cycles_per_row : answer.plain_cycles_per_row;
        return !request_.at_most || cycles <= *request_.at_most + 1e-9;
    }

    const optimize_request& request_;
    const session& caller_;
    watch::time_point start_ = watch::now();               // before the kernel is measured
    double cpu_start_ = thread_seconds(), on_threads_ = 0; ///< the latter: while this one waited
    given_kernel kernel_;
    schedule_checker checker_;
    rewritten_kernels rewritten_;
    const rewritten_kernel *now_ = nullptr, *best_row_ = nullptr; ///< searched; of best_; null: as given
    std::set<const rewritten_kernel*> undecided_;                 ///< that were searched
    unsigned per_iteration_;
    optimizer::search_options options_;
    checked_schedule best_;
    std::optional<judged_schedule> known_; ///< and what it is called
    std::string known_name_;
    bool structure_sought_ = false, structure_kept_ = false;
};

} // namespace

std::string name_in_header(const optimize_request& request) {
    return request.function.empty() ? llk_name(request.name) : request.function;
}

optimize_answer optimize(const optimize_request& request, const session& caller) {
    expect_sensible(request);
    return optimization(request, caller).run();
}

} // namespace sfpu::analysis
