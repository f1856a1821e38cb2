// Runs points as job arrays of Slurm.
#pragma once

#include "local_executor.h"
#include "point.h"
#include "point_store.h"

#include <optional>
#include <string>
#include <vector>

namespace sfpu::cli {

struct slurm_options {
    std::string partition, account;            ///< empty: Slurm's default
    std::vector<std::string> more;             ///< words for sbatch; they win over this program's
    std::optional<unsigned> tasks_at_once;     ///< absent: as many as Slurm likes
    std::optional<unsigned> points_for_a_task; ///< absent: few enough tasks for an array, at most 200
};

/// Submits the points that no array in the queue works on, follows all arrays of the folder and submits again what they
/// leave undone. A point whose task ends three times while it runs has a result that says so. The arrays go on if this
/// process ends; the next call follows them. `sweep_file` and `output` are as the user named them.
///
/// Returns false if the user interrupted it; throws user_error if Slurm refuses an array, if it ends tasks before they
/// begin with a point, or if something cannot be written.
bool run_on_slurm(const sweep& of, const std::vector<point_id>& points, const point_store& store,
                  const std::string& sweep_file, const std::string& output, const slurm_options& options,
                  bool quiet, progress_listener& listener);

} // namespace sfpu::cli
