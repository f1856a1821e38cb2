// Which machine can do all that another one can.
#pragma once

#include <sfpu/common/parameters.h>

namespace sfpu::analysis {

/// Whether each schedule of `smaller` is one of `larger`, too, perhaps with other words: all parameters
/// are the same but for those of which there is more. Says no where it is not sure. A latency has to be
/// the same: a result that comes earlier takes the place of what is still read.
bool contains(const parameters& larger, const parameters& smaller);

} // namespace sfpu::analysis
