// Runs points as job arrays of Slurm.
#pragma once

#include "sweep_inputs.h"

#include <sfpu/analysis/exploration.h>
#include <sfpu/analysis/point_store.h>

#include <string>
#include <vector>

namespace sfpu::analysis {

struct slurm_work {
    const sweep_inputs& inputs;
    const std::vector<point_id>& points;
    const point_store& store;
    std::string folder;  ///< of the exploration, as the user named it
    std::string program; ///< what tasks run: the file of sfpusim
    const slurm_options& options;
    const session& at;
    exploration_listener& listener;
};

/// Submits the points that no array in the queue works on, follows all arrays of the folder and submits again
/// what they leave undone. A point whose task ends three times while it runs has a result that says so. The
/// arrays go on if this process ends; the next call follows them.
///
/// Returns false if it was interrupted, with the name of an array that goes on; throws user_error if Slurm
/// refuses an array, if it ends tasks before they begin with a point, or if something cannot be written.
bool run_on_slurm(const slurm_work& work, std::string& array_left);

} // namespace sfpu::analysis
