// Runs points in processes of their own on this machine.
#pragma once

#include "sweep_inputs.h"

#include <sfpu/analysis/point.h>
#include <sfpu/analysis/point_store.h>
#include <sfpu/analysis/session.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <vector>

namespace sfpu::analysis {

constexpr double usual_seconds = 600; ///< limit of a point whose sweep has none

/// What an executor has to know of the sweep, and whom it tells.
struct executor_task {
    const sweep_inputs& inputs;
    const point_tools& tools;
    const std::vector<point_id>& points;
    unsigned jobs = 1; ///< at once
    const session& at;
    std::function<void()> finished; ///< called for each point behind its result, by the thread of the caller
    /// Who ends a job ends its processes one after the other: a point that a signal has ended is held to have
    /// failed only if the session goes on for this long.
    std::chrono::milliseconds patience{0};

    double seconds() const { return inputs.of().seconds.value_or(usual_seconds); }
};

/// The result of a point that was not finished in time.
point_result late_point(const executor_task& task, const point_id& id);
/// Throws user_error: a result cannot be recorded.
[[noreturn]] void give_up_recording(const std::string& reason, std::size_t done, std::size_t all);

/// Runs the points and lets the processes record their results. A point that crashes, takes too long or too
/// much memory has a result that says so. Returns false if it was interrupted; throws user_error if results
/// cannot be recorded. What is recorded by then stays. The caller's process must have one thread.
bool run_isolated(const executor_task& task, const point_store& store);

} // namespace sfpu::analysis
