#include "slurm_client.h"

#include <cstdlib>
#include <sstream>

namespace sfpu::analysis {
namespace {

constexpr std::size_t usual_longest_array = 1001; ///< Slurm's default

} // namespace

std::optional<command_answer> ask_slurm(const std::vector<std::string>& words, const session& at) {
    auto answer = ask_command(words, std::nullopt, [&at] { return at.is_interrupted() || at.is_late(); });
    if (answer && answer->code == 127)
        answer->complaints += "; the commands of Slurm are expected on the path";
    return answer;
}

std::optional<std::vector<queued_task>> queued_tasks(const std::vector<std::string>& arrays,
                                                     const session& at, std::string& problem) {
    std::vector<queued_task> tasks;
    if (arrays.empty()) return tasks;
    std::string names;
    for (const std::string& each : arrays) names += (names.empty() ? "" : ",") + each;
    const auto answer =
        ask_slurm({"squeue", "--noheader", "--array", "--name=" + names, "--format=%j %F %K %T %r"}, at);
    if (!answer || answer->code != 0) {
        problem = answer ? answer->complaints : "interrupted";
        return std::nullopt;
    }
    std::istringstream lines(answer->output);
    for (std::string line; std::getline(lines, line);) {
        queued_task task;
        std::istringstream fields(line);
        if (fields >> task.array >> task.job >> task.task >> task.state &&
            std::getline(fields >> std::ws, task.why))
            tasks.push_back(std::move(task));
    }
    return tasks;
}

std::size_t longest_array(const session& at) {
    const auto answer = ask_slurm({"scontrol", "show", "config"}, at);
    if (!answer || answer->code != 0) return usual_longest_array;
    std::istringstream lines(answer->output);
    for (std::string line; std::getline(lines, line);)
        if (line.compare(0, 12, "MaxArraySize") == 0 && line.find('=') != std::string::npos) {
            const unsigned long long found = std::strtoull(line.c_str() + line.find('=') + 1, nullptr, 10);
            return found ? static_cast<std::size_t>(found) : usual_longest_array;
        }
    return usual_longest_array;
}

} // namespace sfpu::analysis
