// The commands of Slurm, as this program uses them.
#pragma once

#include <sfpu/analysis/child_process.h>
#include <sfpu/analysis/session.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sfpu::analysis {

/// Runs a command of Slurm, as ask_command().
std::optional<command_answer> ask_slurm(const std::vector<std::string>& words, const session& at);

/// A task of an array that has not ended.
struct queued_task {
    std::string array;      ///< name of the job
    std::string job;        ///< number of the array
    std::size_t task = 0;   ///< index in the array
    std::string state, why; ///< "PENDING", "Resources"
};

/// The tasks of these arrays that Slurm knows and that have not ended. Nothing if Slurm does not answer;
/// `problem` says why.
std::optional<std::vector<queued_task>> queued_tasks(const std::vector<std::string>& arrays,
                                                     const session& at, std::string& problem);

/// Tasks that an array may have: MaxArraySize.
std::size_t longest_array(const session& at);

} // namespace sfpu::analysis
