// Which instruction a bubble moved against which.
#pragma once

#include "execution_trace.h"

#include <optional>

namespace sfpu::analysis {

/// Two executions whose order changed, taken from the run without bubbles.
struct reordering {
    const execution_step* moved = nullptr;   ///< the scheduled one, if either is
    const execution_step* against = nullptr; ///< null if `moved` is missing for no visible reason
};

/// Follows a slice of Dst that ended up different back through the values that it was made of, in both runs
/// at once, to the first instruction that got its value from another one than before. Nothing if all values
/// came from the same instructions.
std::optional<reordering> find_reordering(const execution_trace& before, const execution_trace& after,
                                          resource slice);

} // namespace sfpu::analysis
