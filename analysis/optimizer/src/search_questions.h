// What a search asks, of which graphs, and what it has found so far.
#pragma once

#include <sfpu/optimizer/dataflow.h>
#include <sfpu/optimizer/formula.h>
#include <sfpu/optimizer/search.h>
#include <sfpu/optimizer/solver.h>

#include <algorithm>
#include <list>
#include <memory>
#include <tuple>

namespace sfpu::optimizer {

/// What is asked of the solver, more than once if it could not decide.
struct question {
    unsigned interval = 1, rows = 1;
    std::size_t graph = 0;
    bool refutes = false; ///< for longer rows with more loads, and of all that are alike only one
    bool issued = false;  ///< for schedules without macros
    unsigned peeled = 0;  ///< stages

    friend bool operator<(const question& a, const question& b) {
        return std::tie(a.interval, a.rows, a.graph, a.refutes, a.issued, a.peeled) <
               std::tie(b.interval, b.rows, b.graph, b.refutes, b.issued, b.peeled);
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

/// A graph of the row, or of some rows in one.
struct variant {
    graph rows;
    unsigned free_rows = 1;
    unsigned choice = 0; ///< of graph_options
    bound floor;
    bool spills = false; ///< values may be stored aside
};

/// Cycles that so many iterations of the loop take together.
struct pace {
    unsigned cycles = ~0u, iterations = 1;

    bool is_known() const { return cycles != ~0u; }
    double cycles_each() const { return static_cast<double>(cycles) / iterations; }
    /// The least interval for so many iterations that is not shorter.
    unsigned interval_of(unsigned count) const { return (cycles * count + iterations - 1) / iterations; }
};

} // namespace sfpu::optimizer
