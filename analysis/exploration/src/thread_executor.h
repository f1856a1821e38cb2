// Runs points on threads of this process.
#pragma once

#include "isolated_executor.h"

#include <sfpu/analysis/point.h>

#include <cstddef>
#include <functional>

namespace sfpu::analysis {

/// Takes the result of point `index` of the task. Called by any thread, by one at a time.
using result_sink = std::function<void(std::size_t index, point_result&& result)>;

/// Runs points of kernels, each thread with an engine of its own. Returns false if it was interrupted. What
/// `take` throws as user_error ends it: user_error with how many points were taken by then.
bool run_on_threads(const executor_task& task, const result_sink& take);

} // namespace sfpu::analysis
