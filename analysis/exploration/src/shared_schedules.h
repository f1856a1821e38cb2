// What the points of a sweep know of each other: a schedule for a machine is one for each that contains it.
#pragma once

#include "sweep_inputs.h"

#include <sfpu/analysis/exploration.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace sfpu::analysis {

/// Machines of a sweep that contain each other.
class shared_schedules {
public:
    explicit shared_schedules(const sweep& of);

    /// For each run whose machine contains one on which the same kernel was found shorter: the run with the
    /// shortest of these, the first of several. `result` gives what came of a run; a run that failed is worse
    /// than all others.
    struct better_run {
        std::size_t run = 0, than = 0; ///< indices into all_runs()
    };
    std::vector<better_run> better(const std::vector<point_id>& runs,
                                   const std::function<const point_result&(std::size_t)>& result) const;

    /// What nothing goes below on a machine, nothing goes below on those that it contains.
    void share_bounds(std::vector<explored_point>& points) const;

private:
    bool comparable(const point_id& larger, const point_id& smaller) const;

    std::vector<std::vector<bool>> contains_; ///< by point, by point
};

} // namespace sfpu::analysis
