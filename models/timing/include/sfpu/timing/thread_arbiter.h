// Rule T22: which thread issues when several have a word for one cycle. There is one issue slot a cycle,
// whoever uses it.
#pragma once

#include <sfpu/common/parameters.h>

#include <cstddef>

namespace sfpu::timing {

/// The word that a thread would issue next.
struct issue_candidate {
    unsigned thread = 0;
    /// The first cycle in which it can issue: it is there, and the stall logic (T16) does not hold it.
    cycles at{};
};

/// Of the words that can issue first, one goes. Whoever is held until later leaves the slot to the others and
/// is no worse off for it. Round robin: the next thread after the one that issued last; fixed: the lowest.
class thread_arbiter {
public:
    void reset(thread_order order) {
        order_ = order;
        latest_ = none;
    }

    /// The place of the one that goes among `count` candidates, 1 or more.
    std::size_t choose(const issue_candidate* candidates, std::size_t count) const {
        std::size_t best = 0;
        for (std::size_t i = 1; i < count; ++i)
            if (goes_before(candidates[i], candidates[best])) best = i;
        return best;
    }
    /// It has issued.
    void issued(unsigned thread) { latest_ = thread; }

private:
    static constexpr unsigned none = ~0u;

    bool goes_before(const issue_candidate& a, const issue_candidate& b) const {
        if (a.at != b.at) return a.at < b.at;
        return order_ == thread_order::fixed ? a.thread < b.thread : turn(a.thread) < turn(b.thread);
    }
    /// The threads behind the latest one come first; unsigned numbers wrap.
    unsigned turn(unsigned thread) const { return thread - latest_ - 1; }

    thread_order order_ = thread_order::round_robin;
    unsigned latest_ = none;
};

} // namespace sfpu::timing
