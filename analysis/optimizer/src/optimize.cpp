#include <sfpu/analysis/optimize.h>

#include "given_kernel.h"
#include "rewritten_kernels.h"
#include "schedule_checker.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/llk_header.h>
#include <sfpu/analysis/macro_expansion.h>
#include <sfpu/common/shown_name.h>
#include <sfpu/optimizer/retime.h>
#include <sfpu/optimizer/search.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <sstream>
#include <utility>

namespace sfpu::analysis {
namespace {

using optimizer::schedule;
using optimizer::search_result;
using watch = std::chrono::steady_clock;

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
          rewritten_(kernel_), per_iteration_(kernel_.plain().kernel().rows_per_iteration) {
        set_options();
    }

    optimize_answer run() {
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
        write_kernel(answer);
        answer.met = !answer.interrupted && is_met(answer);
        answer.warnings = kernel_.warnings();
        answer.seconds = seconds_since(start_);
        return answer;
    }

private:
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
        // A kernel that is not right on this machine is no schedule for it.
        if (!request_.retime && kernel_.plain_serves())
            options_.shortest_known =
                static_cast<unsigned>(std::ceil(kernel_.cycles_per_row() * per_iteration_ - 1e-9));
        if (request_.at_most)
            options_.at_most = static_cast<unsigned>(std::floor(*request_.at_most * per_iteration_ + 1e-9));
        options_.interrupted = [this] { return caller_.is_interrupted() || caller_.is_late(); };
        options_.progress = [this](const std::string& line) { caller_.tell(line); };
        options_.accept = [this](const optimizer::graph& graph, const schedule& found) {
            return accepts(graph, found);
        };
    }

    bool accepts(const optimizer::graph& graph, const schedule& found) {
        checker_.take(now_);
        checked_schedule now = checker_.check(graph, found, structure_sought_);
        const kernel_verdict& verdict = now.verdict;
        const bool taken = (verdict.breaking.empty() || verdict.broken_only_like(kernel_.verdict())) &&
                           (verdict.survives_bubbles || !request_.bubble_proof);
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

    /// A part of the time, or of the conflicts.
    optimizer::search_options part_of(double share, unsigned shortest_known) const {
        optimizer::search_options part = options_;
        part.shortest_known = shortest_known;
        if (part.conflicts > 0) {
            part.conflicts = std::max<std::int64_t>(
                1, static_cast<std::int64_t>(share * static_cast<double>(part.conflicts)));
        } else if (part.seconds > 0) {
            part.seconds = std::max(0.1, share * std::max(0.0, part.seconds - seconds_since(start_)));
        }
        return part;
    }

    /// Searches a row for something shorter than `best`, which it then replaces.
    void look(const rewritten_kernel* row, const optimizer::search_options& how,
              std::optional<search_result>& best) {
        now_ = row;
        const checked_schedule before = best_;
        search_result result = searched_with(how);
        if (result.best || !best || !best->best) {
            best_row_ = row;
            best = std::move(result);
        } else {
            best_ = before;
            best->interrupted |= result.interrupted;
            if (row == best_row_) { // more is known of the same words
                best->refuted = std::move(result.refuted);
                best->open = std::move(result.open);
                best->proved = result.proved;
            }
        }
    }

    bool is_short_enough(const search_result& best) const {
        return best.best && options_.at_most && best.best->interval <= *options_.at_most;
    }

    /// Rewritten rows that may be shorter, in the order of their bounds, and the given one: each for a while
    /// first, then the best one with the time that is left.
    search_result searched_in_turn() {
        const auto shortest = [&](const std::optional<search_result>& best) {
            return best && best->best ? best->best->interval : options_.shortest_known;
        };
        constexpr unsigned most_rows = 3;
        constexpr double first_share = 0.1, proof_seconds = 0.2;
        const double for_proofs =
            options_.seconds > 0 && options_.conflicts == 0 ? proof_seconds * options_.seconds : 60;
        std::optional<search_result> best;
        std::vector<const rewritten_kernel*> rows;
        while (rows.size() < most_rows) {
            const rewritten_kernel* row =
                rewritten_.next(shortest(best), for_proofs / most_rows, options_.interrupted);
            if (!row) break;
            rows.push_back(row);
            caller_.tell(
                fmt::format("other instructions: {} words, bound {:g}", row->cost, per_row(row->floor)));
            look(row, part_of(first_share, shortest(best)), best);
            if (best->interrupted || is_short_enough(*best)) break;
        }
        if (rows.empty()) return searched_with(options_);
        if (!best->interrupted && !is_short_enough(*best)) deepen(rows.front(), best);
        checker_.take(best_row_);
        return std::move(*best);
    }

    /// The row of the least bound, the given one, and what is the best then.
    void deepen(const rewritten_kernel* first, std::optional<search_result>& best) {
        constexpr double share_of_first = 0.35, share_of_given = 0.15, rest = 0.2;
        const auto shortest = [&] { return best->best ? best->best->interval : options_.shortest_known; };
        const auto is_over = [&] { return best->interrupted || is_short_enough(*best); };
        const bool first_is_done = best->best && best_row_ == first && best->proved;
        if (first->floor < shortest() && !first_is_done)
            look(first, part_of(share_of_first, shortest()), best);
        if (!is_over() && rewritten_.given_floor < shortest())
            look(nullptr, part_of(best->best ? share_of_given : share_of_first, shortest()), best);
        if (!is_over() && !best->proved && best->floor.interval < shortest())
            look(best_row_, part_of(options_.conflicts > 0 ? rest : 1, shortest()), best);
    }

    /// The same structure with other delays; where that cannot be, the shortest schedule of what the kernel
    /// computes.
    search_result retimed() {
        const watch::time_point start = watch::now();
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
        else rest.seconds = std::max(1.0, rest.seconds - seconds_since(start));
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

    double per_row(unsigned interval) const { return static_cast<double>(interval) / per_iteration_; }

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
        answer.bound_cycles_per_row = per_row(result.floor.interval);
        answer.bound_reason = result.floor.reason;
        answer.proved = result.proved;
        answer.interrupted = result.interrupted;
        answer.no_spill = result.no_spill;
        for (const unsigned interval : result.open) answer.open.push_back(per_row(interval));
        for (const optimizer::refutation& each : result.refuted) answer.refuted.push_back(described(each));
    }

    refuted_interval described(const optimizer::refutation& each) const {
        refuted_interval no;
        no.cycles_per_row = per_row(each.interval);
        no.rotating_rows = each.rows;
        no.horizon = each.horizon;
        no.copies = each.copies;
        for (const optimizer::group g : each.because) no.because.emplace_back(optimizer::to_string(g));
        for (const auto& change : each.relaxations)
            no.relaxations.push_back({change.parameter, change.value, per_row(change.interval)});
        no.relaxations_tried = each.relaxations_tried;
        no.seconds = each.seconds;
        no.conflicts = each.conflicts;
        return no;
    }

    optimized_schedule described_best(const search_result& result) const {
        optimized_schedule best;
        best.cycles_per_row = per_row(result.best->interval);
        best.rows_per_iteration = result.best->rows * per_iteration_;
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
        if (answer.best) answer.schedule = best_.text;
        else if (answer.plain_serves) answer.schedule = kernel_.fallback();
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
        llk_kernel header{&kernel, best_.lead_words, llk_name(request_.name), {}};
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line) && line.rfind(';', 0) == 0;)
            header.remarks.push_back(line.size() > 2 ? line.substr(2) : "");
        return llk_header(header);
    }

    bool is_met(const optimize_answer& answer) const {
        if (answer.schedule.empty() || (request_.bubble_proof && !answer.best)) return false;
        const double cycles = answer.best ? answer.best->cycles_per_row : answer.plain_cycles_per_row;
        return !request_.at_most || cycles <= *request_.at_most + 1e-9;
    }

    const optimize_request& request_;
    const session& caller_;
    watch::time_point start_ = watch::now(); // before the kernel is measured
    given_kernel kernel_;
    schedule_checker checker_;
    rewritten_kernels rewritten_;
    const rewritten_kernel *now_ = nullptr, *best_row_ = nullptr; ///< searched; of best_; null: as given
    unsigned per_iteration_;
    optimizer::search_options options_;
    checked_schedule best_;
    bool structure_sought_ = false, structure_kept_ = false;
};

} // namespace

optimize_answer optimize(const optimize_request& request, const session& caller) {
    expect_sensible(request);
    return optimization(request, caller).run();
}

} // namespace sfpu::analysis
