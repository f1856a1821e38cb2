// Kernels on many machines: what each does there, whether its results are still right, and what the machine
// costs.
#pragma once

#include <sfpu/analysis/point.h>
#include <sfpu/analysis/session.h>
#include <sfpu/analysis/sweep.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// Points as job arrays of Slurm.
struct slurm_options {
    std::string partition, account;            ///< empty: Slurm's default
    std::vector<std::string> more;             ///< words for sbatch; they win over this program's
    std::optional<unsigned> tasks_at_once;     ///< absent: as many as Slurm likes
    std::optional<unsigned> points_for_a_task; ///< absent: few enough tasks for an array, at most 200
    std::string sweep_file;                    ///< as the user named it; tasks read the sweep again
};

/// Told what happens, by the thread that calls explore().
class exploration_listener {
public:
    virtual ~exploration_listener() = default;
    /// Before the first point: how many there are, and how many of them have a result already.
    virtual void begins(std::size_t points, std::size_t known) { (void)points, (void)known; }
    /// Behind each: how many of the points that had no result have one now.
    virtual void progress(std::size_t done, std::size_t all) { (void)done, (void)all; }
    /// Slurm has taken an array.
    virtual void submitted(const std::string& job, std::size_t points, std::size_t tasks) {
        (void)job, (void)points, (void)tasks;
    }
};

struct exploration_request {
    sweep what;
    /// Where results are kept: what it holds is not run again. Empty: nowhere, and all points run on threads.
    std::string folder;
    unsigned jobs = 0;         ///< points at once; 0: as many as there are cores
    bool retry_failed = false; ///< points without a good result run again
    /// Each point in a process of its own, which a crash does not outlive. Firmware and points with a limit
    /// of memory have one anyway; they are started first, and the calling process must have one thread then.
    bool isolate = false;
    std::optional<slurm_options> slurm; ///< absent: this machine runs the points
    point_tools tools;
    exploration_listener* listener = nullptr;
};

struct explored_point {
    point_id id;
    point_result result;
};

/// The points in the order of all_runs().
struct exploration_answer {
    sweep what;
    std::vector<std::string>
        kernel_texts; ///< of each kernel the file that runs if its words are kept; empty for firmware
    std::vector<explored_point> points; ///< empty if it was interrupted
    std::size_t known = 0;              ///< that had a result before
    bool interrupted = false;           ///< the same call goes on from here if there is a folder
    std::string array_left;             ///< name of an array of Slurm that goes on; empty if there is none

    std::size_t failed() const;  ///< points without a good result
    std::size_t invalid() const; ///< points with other results than the baseline
};

/// Runs the points that have no result yet. Results do not depend on the number of jobs or on who runs the
/// points. Throws user_error if the folder cannot be written, if another exploration is at work in it, or if
/// Slurm refuses the points; what is finished by then is kept.
exploration_answer explore(exploration_request request, const session& at = {});

/// A task of a job array.
struct slurm_task {
    std::string folder;     ///< of the exploration
    std::string array;      ///< name of the array
    std::string sweep_file; ///< where the sweep was when the array was submitted
    std::size_t number = 0;
    point_tools tools;
};

/// Runs the points of a task that are not recorded yet, one after another, each in a process of its own.
/// Returns false if it was interrupted; throws user_error if a result cannot be recorded, or if a kernel or
/// the program is not what it was when the array was submitted.
bool run_slurm_task(const slurm_task& task, const session& at = {});

} // namespace sfpu::analysis
