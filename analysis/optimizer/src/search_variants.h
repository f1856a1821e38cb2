// The graphs that a search asks about: of the row, and of some rows in one.
#pragma once

#include "heuristic_search.h"
#include "search_questions.h"

#include <sfpu/optimizer/free_rows.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace sfpu::optimizer {

class row_variants {
protected:
    /// Rows that share an iteration of a schedule unless more are wanted.
    static constexpr unsigned most_rows = 4;
    /// Nodes of a graph of more than one row: what is longer takes too long to be asked.
    static constexpr std::size_t most_nodes = 80;
    /// Of a row that has other graphs, and may be offered places in Dst.
    static constexpr std::size_t most_nodes_to_vary = 150;
    /// Stages that are peeled off a kernel at most, and the longest step of the Dst counter that a few words
    /// make up for.
    static constexpr unsigned most_peeled = 2;
    static constexpr int furthest_step = 32;

    /// See searcher. `wanted`: iterations of the plain loop in one of the schedule.
    row_variants(const isa::kernel& row, unsigned rolled, const isa::machine& machine,
                 const isa::thread_state& thread, bool lanes_start_enabled, std::optional<unsigned> wanted)
        : row_(row), machine_(machine), thread_(thread), lanes_start_enabled_(lanes_start_enabled),
          rolled_(rolled) {
        if (wanted) wanted_ = *wanted * rolled;
        add_variants(1);
        for (const unsigned count : {2u, 3u, 4u, 5u, 6u, 7u, 8u})
            if (may_be_free(count)) add_variants(count);
        offer_spills();
    }

    /// The graphs of so many rows in one: with constants in registers of their own or not, with moves or
    /// without, with what SFPSWAP leaves in one register or the other.
    void add_variants(unsigned count) {
        const isa::kernel rows = unrolled(row_, count);
        const std::size_t before = variants_.size();
        for (const bool turn : {false, true}) {
            std::set<std::size_t> sizes;
            for (const bool hoist : {true, false})
                for (const bool drop : {true, false}) {
                    if (is_long() && variants_.size() > before) return;
                    variant next;
                    next.free_rows = count;
                    next.choice = 4u * turn + 2u * hoist + drop;
                    graph_options how;
                    how.hoist_constants = hoist;
                    how.drop_moves = drop;
                    how.turn_swaps = turn;
                    try {
                        next.rows = build_graph(rows, machine_, thread_, lanes_start_enabled_, how);
                    } catch (const row_error&) {
                        // The row as it stands is the last to be tried; what is wrong with it is wrong.
                        if (!hoist && !drop && variants_.size() == before && count == 1) throw;
                        continue;
                    }
                    if (!sizes.insert(next.rows.nodes.size()).second) continue;
                    if (turn && !is_turned(next, before)) continue;
                    next.floor = lower_bound(next.rows, machine_);
                    next.floor.free_rows = count;
                    variants_.push_back(std::move(next));
                }
            const bool swaps = std::any_of(variants_.begin(), variants_.end(),
                                           [](const variant& each) { return has_swaps(each.rows); });
            if (!swaps) break;
        }
    }
    /// Whether a variant with turned exchanges, if that could be, is another than the one without.
    bool is_turned(const variant& turned, std::size_t first) const {
        const auto same = [](const operand& a, const operand& b) {
            return std::tie(a.value, a.constant, a.distance) == std::tie(b.value, b.constant, b.distance);
        };
        for (std::size_t g = first; g < variants_.size(); ++g) {
            const graph &a = variants_[g].rows, &b = turned.rows;
            if (variants_[g].choice + 4 != turned.choice || a.nodes.size() != b.nodes.size()) continue;
            for (std::size_t i = 0; i < a.nodes.size(); ++i) {
                const auto &of_a = a.nodes[i].operands, &of_b = b.nodes[i].operands;
                if (!std::equal(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), same)) return true;
            }
        }
        return false;
    }
    static bool has_swaps(const graph& of) {
        return std::any_of(of.nodes.begin(), of.nodes.end(),
                           [](const node& n) { return n.insn.latency == isa::latency_class::swap; });
    }
    bool is_long() const {
        return !variants_.empty() && variants_.front().rows.nodes.size() > most_nodes_to_vary;
    }
    /// Behind the graphs of the row one in which values may be stored aside, if that can be.
    void offer_spills() {
        if (is_long()) {
            no_spill_ = "the row is too long";
            return;
        }
        graph_options how;
        how.spill = true;
        variant next;
        next.spills = true;
        try {
            next.rows = build_graph(row_, machine_, thread_, lanes_start_enabled_, how);
            no_spill_ = next.rows.no_spill;
            next.floor = lower_bound(next.rows, machine_);
            spilling_ = variants_.size();
            if (no_spill_.empty()) variants_.push_back(std::move(next));
        } catch (const row_error& error) {
            no_spill_ = error.what();
        }
    }

    /// The heuristic and the first graph that it can take; null: it takes none.
    heuristic_search* heuristic() {
        for (const std::size_t g : graphs_of(1)) {
            if (heuristic_) break;
            auto made = std::make_unique<heuristic_search>(variants_[g].rows, machine_);
            if (!made->usable()) continue;
            heuristic_ = std::move(made);
            heuristic_graph_ = g;
        }
        return heuristic_.get();
    }
    /// Whether a schedule may have so many rows with instructions of their own.
    bool may_be_free(unsigned count) const {
        const graph& row = variants_.front().rows;
        if (row.rows % count != 0 || row.nodes.size() * count > most_nodes) return false;
        return wanted_ ? *wanted_ % count == 0 : count <= most_rows;
    }
    /// Rotating rows that are tried with so many free ones.
    std::vector<unsigned> rotating_rows(unsigned count, unsigned interval) const {
        const graph& rows = first_of(count).rows;
        std::vector<unsigned> all =
            rows_to_try(rows, interval, wanted_ ? std::optional<unsigned>(*wanted_ / count) : std::nullopt);
        if (!wanted_ && count > 1)
            all.erase(
                std::remove_if(all.begin(), all.end(), [&](unsigned r) { return r * count > most_rows; }),
                all.end());
        return all;
    }
    const variant& first_of(unsigned count) const {
        return *std::find_if(variants_.begin(), variants_.end(),
                             [&](const variant& each) { return each.free_rows == count; });
    }
    /// The graphs of so many free rows, by index.
    std::vector<std::size_t> graphs_of(unsigned count) const {
        std::vector<std::size_t> found;
        for (std::size_t g = 0; g < variants_.size(); ++g)
            if (variants_[g].free_rows == count && !variants_[g].spills) found.push_back(g);
        return found;
    }

    unsigned floor(unsigned count) const {
        unsigned least = ~0u;
        for (const std::size_t g : graphs_of(count)) least = std::min(least, variants_[g].floor.interval);
        return least;
    }
    /// Stages that may be peeled off a kernel, if so many rows take turns: at least two iterations are left.
    unsigned peeled_stages(unsigned count, unsigned rotating) const {
        const graph& rows = first_of(count).rows;
        if (rotating > 1 || wanted_.value_or(count) != count || machine_.issue_width > 1 || rows.step < 0 ||
            rows.step > furthest_step || rows.rows < 3)
            return 0;
        return std::min(most_peeled, rows.rows - 2);
    }

    /// A schedule in which registers of two rows take turns is one of four, too: the others need no
    /// refutation of their own.
    std::vector<unsigned> rows_that_cover(unsigned count, unsigned interval) const {
        const std::vector<unsigned> all = rotating_rows(count, interval);
        std::vector<unsigned> found;
        for (const unsigned r : all)
            if (std::none_of(all.begin(), all.end(),
                             [&](unsigned other) { return other > r && other % r == 0; }))
                found.push_back(r);
        return found;
    }
    /// Whether every schedule of `part` is one of `whole`, too: some of its iterations in one, which leaves
    /// its instructions more choice than registers that take turns.
    bool is_part_of(const question& part, const question& whole) const {
        const variant &a = variants_[part.graph], &b = variants_[whole.graph];
        return a.spills == b.spills && a.choice == b.choice && b.free_rows % a.free_rows == 0 &&
               whole.interval * a.free_rows == part.interval * b.free_rows &&
               part.peeled * a.free_rows <= whole.peeled * b.free_rows &&
               whole.rows * b.free_rows % (part.rows * a.free_rows) == 0;
    }

    const double begun_ = thread_seconds(); ///< before the first graph is made
    const isa::kernel& row_;
    const isa::machine& machine_;
    const isa::thread_state& thread_;
    const bool lanes_start_enabled_;
    const unsigned rolled_;
    std::optional<unsigned> wanted_; ///< iterations of the row in one of the schedule
    std::deque<variant> variants_;   ///< the row as it stands first, then by free rows; spills last
    std::size_t spilling_ = 0;       ///< the one with spills, if there is one
    std::string no_spill_;           ///< why there is none
    std::unique_ptr<heuristic_search> heuristic_;
    std::size_t heuristic_graph_ = 0; ///< its graph
};

} // namespace sfpu::optimizer
