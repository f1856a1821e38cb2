// Another order of steps, for kernels that hold more values at a time than there are registers.
#pragma once

#include "vector_step.h"

#include <vector>

namespace sfpu::kernel_recorder::vector {

/// Steps that compute the same and hold fewer values at a time: what is loaded from Dst is loaded again where
/// it is needed again much later and Dst still holds it, and computations stand as late as those that need
/// them allow. New values are added to the graph.
std::vector<step> relieved(graph& values, std::vector<step> steps);

} // namespace sfpu::kernel_recorder::vector
