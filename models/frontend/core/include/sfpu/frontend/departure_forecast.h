// When the first words of a thread's pipeline will be issued. Pure C++.
#pragma once

#include <sfpu/common/types.h>
#include <sfpu/frontend/surroundings.h>

#include <algorithm>
#include <array>

namespace sfpu::frontend {

/// The cycles in which the first words of the pipeline will be issued, as far as the vector unit has foretold
/// them. The words have not been issued yet, but a core that pushes can be told already when their places
/// become free.
///
/// The forecast remembers the latest cycle that somebody asked about: what was said about it must stay true.
class departure_forecast {
public:
    unsigned size() const { return count_ - first_; }
    cycles operator[](unsigned index) const { return times_[first_ + index]; }
    /// How many words depart before this cycle. Cycles that are asked about do not go back.
    unsigned before(cycles at) {
        while (passed_ < count_ && times_[passed_] < at) ++passed_;
        return passed();
    }
    /// How many words depart before the cycle that was asked about last.
    unsigned passed() const { return passed_ - first_; }
    void clear() { first_ = passed_ = count_ = 0; }
    /// `source` writes at most longest_run cycles to its argument and returns how many.
    template <class Source>
    void fill(Source source) {
        clear();
        count_ = source(times_.data());
    }
    /// So many words have been issued, the last one in this cycle. The forecast of the others stays if that
    /// was foretold.
    void come_true(unsigned count, cycles last) {
        if (count >= size() || times_[first_ + count - 1] != last) return clear();
        first_ += count;
        passed_ = std::max(passed_, first_);
    }

private:
    std::array<cycles, longest_run> times_{};
    unsigned first_ = 0, passed_ = 0, count_ = 0;
};

} // namespace sfpu::frontend
