// Asks whether two terms are ever different. Who can tell is given to an analysis as a value, so that only
// those need a solver that want one: see smt_solver.h.
#pragma once

#include <sfpu/analysis/terms.h>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace sfpu::analysis {

struct term_difference {
    enum class kind : std::uint8_t {
        none,     ///< the terms are equal whatever the variables are
        some,     ///< they differ for `values`
        not_known ///< out of time or memory, interrupted, or too hard
    } found = kind::not_known;
    std::vector<std::pair<term, std::uint32_t>>
        values; ///< of variables; those that are missing do not matter
};

struct solver_limits {
    double seconds = 2; ///< of CPU of the thread that asks
    unsigned megabytes = 1024;
    std::function<bool()> interrupted; ///< asked often, by another thread; may be empty
};

class term_solver {
public:
    term_solver() = default;
    term_solver(const term_solver&) = delete;
    term_solver& operator=(const term_solver&) = delete;
    virtual ~term_solver() = default;
    /// Two words of one pool.
    virtual term_difference difference(const term_pool& pool, term a, term b,
                                       const solver_limits& limits) = 0;
};

} // namespace sfpu::analysis
