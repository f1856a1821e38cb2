// Runs a point that is a kernel, in this thread.
#pragma once

#include "sweep_inputs.h"

#include <sfpu/analysis/point.h>
#include <sfpu/analysis/session.h>

#include <chrono>
#include <optional>

namespace sfpu::analysis {

/// When nobody waits for a point any more.
struct point_end {
    const session& at;
    std::chrono::steady_clock::time_point deadline; ///< of the point

    bool is_over() const;
    double seconds_left() const; ///< above 0
};

/// The result of a point; faults of the kernel are results with status `failed`. Nothing if it was over
/// before it was finished.
std::optional<point_result> run_kernel_point(const sweep_inputs& inputs, const point_id& id,
                                             const point_tools& tools, platform::program_runner& runner,
                                             const point_end& ends);

} // namespace sfpu::analysis
