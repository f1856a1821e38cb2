// Writes to Dst that do not come from the words of a front end.
#pragma once

#include <sfpu/common/types.h>

namespace sfpu::frontend {

/// Writes, each in a cycle of its own, that nobody has to do in time: a word that is issued in that cycle or
/// later sees them, one that is issued before does not, whoever is asked first. So a front end has them done
/// between its words.
class timed_writes {
public:
    virtual ~timed_writes() = default;
    /// The cycle of the first write that is not done, or one that never comes.
    virtual cycles next() const = 0;
    /// Does all writes of this cycle and earlier ones, called from inside a front end: what is issued before
    /// has reached the vector unit.
    virtual void write_until(cycles at) = 0;
};

} // namespace sfpu::frontend
