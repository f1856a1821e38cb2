// One point of a sweep: a kernel on a machine.
#pragma once

#include "sweep.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace sfpu::cli {

/// Which run: indices into the lists of a sweep.
struct point_id {
    std::size_t point = 0, kernel = 0, seed = 0;
};

/// All runs of a sweep in the order of its results: points, then kernels, then seeds.
std::vector<point_id> all_runs(const sweep& of);

/// Everything that the result depends on, as text: kernel files, machine, schedule, seed, this program.
std::string inputs_of(const sweep& of, const point_id& id);

/// The columns that a run fills in, in their order, with null where there is no number. Beside the columns stand what
/// result_parts names, if there is such a thing.
using point_result = nlohmann::ordered_json;

namespace result_parts {
constexpr auto text = "text";       ///< the kernel that was written for this machine
constexpr auto picture = "picture"; ///< its schedule: svg, and the rows, from and to that it shows
constexpr auto slots =
    "slots"; ///< by resource: cycles of a row (of firmware: all) in which it is busy, blocked, idle
constexpr auto chip = "chip"; ///< "Blackhole"
constexpr auto reference =
    "reference_differs"; ///< true: the kernel computes something else on the baseline's machine than on the chip
} // namespace result_parts

constexpr auto written_kernel = "written.s"; ///< what rows and pages call the kernel that was written

/// Runs a point in this process. Faults of the kernel are results with status "failed".
point_result run_point(const sweep& of, const point_id& id);

/// The result of a point that could not give one.
point_result lost_point(schedule_choice schedule, const char* status, const std::string& error);

/// A whole row: what was asked for and what came of it.
nlohmann::ordered_json row_of(const sweep& of, const point_id& id, const point_result& result);

} // namespace sfpu::cli
