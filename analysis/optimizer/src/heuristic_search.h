// Schedules of long rows, found by changing plans at random: none is proved to be the shortest.
#pragma once

#include "heuristic_placement.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace sfpu::optimizer {

/// Several searches with numbers of their own, side by side on threads. What they find does not depend on how
/// many threads there are.
class heuristic_search {
public:
    /// All have to outlive it.
    heuristic_search(const graph& of, const isa::machine& machine);

    /// Whether there is one for such rows on such a machine.
    bool usable() const { return facts_.usable(); }

    struct effort {
        std::int64_t steps = 0;            ///< of all searches together
        double seconds = 0;                ///< of CPU of each thread; 0: any
        std::function<bool()> interrupted; ///< asked by several threads at once
        unsigned jobs = 1;                 ///< threads
    };
    struct answer {
        std::optional<schedule> found;
        std::int64_t steps = 0; ///< the same for every number of threads
        double seconds = 0;     ///< of CPU, of the thread that took longest
    };
    /// A schedule of this interval. The next call goes on from the plans of this one.
    answer find(unsigned interval, const effort& within);

private:
    static constexpr std::size_t searches = 4;

    struct chain {
        chain(const heuristic::row_facts& of, unsigned seed, double heat)
            : changer(of, seed), best(of), first_heat(heat) {}
        heuristic::plan_changer changer;
        heuristic::plan best;
        double first_heat; ///< of the annealing, in units of what a placement counts
        std::optional<schedule> found;
        std::int64_t steps = 0;
        double seconds = 0;
    };
    void search(chain& of, unsigned interval, std::int64_t steps, const effort& within,
                const std::function<bool()>& needless) const;

    heuristic::row_facts facts_;
    std::vector<std::unique_ptr<chain>> chains_;
};

} // namespace sfpu::optimizer
