// Registers as they were before results that have been written too early.
//
// An instruction whose result nobody needs earlier writes it when it executes, and not when it is due: a
// state of the vector unit may be ahead of time. Whoever publishes states keeps here what the registers still
// hold.
#pragma once

#include <sfpu/common/types.h>
#include <sfpu/isa/registers.h>

#include <vector>

namespace sfpu::probe {

class early_results {
public:
    /// A register is about to be overwritten with a result that is visible from cycle `visible` on; until
    /// then it holds `value`, or what an earlier call said if that result is not visible yet. Results for one
    /// register come in the order in which they are due.
    void overwrites(unsigned lreg, const lanes& value, cycles visible) {
        held_.push_back({lreg, visible, value});
        registers_ |= isa::only(lreg);
    }

    /// Cycle `at` begins: what is visible in it is not held back any more.
    void reach(cycles at);
    void clear();

    bool empty() const { return held_.empty(); }
    /// The first cycle in which some result is visible, none of which was reached. There must be one.
    cycles next_visible() const;

    /// What a register holds; null if that is what stands in it.
    const lanes* find(unsigned lreg) const {
        return isa::contains(registers_, lreg) ? find_held(lreg) : nullptr;
    }

private:
    struct held_value {
        unsigned lreg;
        cycles visible;
        lanes value;
    };
    const lanes* find_held(unsigned lreg) const;

    std::vector<held_value> held_; ///< in the order of calls
    isa::register_set registers_ = 0;
};

} // namespace sfpu::probe
