#include "slurm_client.h"

#include "../interrupts.h"
#include "../program.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sfpu::cli {
namespace {

constexpr std::size_t usual_longest_array = 1001; ///< Slurm's default
constexpr int patience = 100;                     ///< milliseconds between looks at interruptions

/// Reading ends of what a child writes.
class pipe_end {
public:
    pipe_end() {
        if (pipe2(ends_, O_CLOEXEC) != 0)
            throw user_error(std::string("no pipe for a command: ") + std::strerror(errno));
    }
    ~pipe_end() {
        for (const int end : ends_)
            if (end >= 0) close(end);
    }
    pipe_end(const pipe_end&) = delete;
    pipe_end& operator=(const pipe_end&) = delete;

    int in() const { return ends_[1]; }
    int out() const { return ends_[0]; }
    void close_in() {
        close(ends_[1]);
        ends_[1] = -1;
    }
    /// Takes what is there; false at the end.
    bool take(std::string& to) const {
        char bytes[4096];
        const ssize_t count = read(ends_[0], bytes, sizeof bytes);
        if (count > 0) to.append(bytes, static_cast<std::size_t>(count));
        return count > 0 || (count < 0 && errno == EINTR);
    }

private:
    int ends_[2] = {-1, -1};
};

[[noreturn]] void become(const std::vector<std::string>& words, int output, int complaints) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    const int nothing = open("/dev/null", O_RDONLY);
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    if (nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
        dup2(complaints, STDERR_FILENO) >= 0)
        execvp(arguments[0], arguments.data());
    _exit(127);
}

std::string without_end(std::string text) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

} // namespace

std::optional<command_answer> ask_command(const std::vector<std::string>& words) {
    pipe_end output, complaints;
    const pid_t pid = fork();
    if (pid < 0) throw user_error(words.front() + ": no process: " + std::strerror(errno));
    if (pid == 0) become(words, output.in(), complaints.in());
    output.close_in();
    complaints.close_in();

    command_answer answer;
    pollfd waiting[2] = {{output.out(), POLLIN, 0}, {complaints.out(), POLLIN, 0}};
    while ((waiting[0].fd >= 0 || waiting[1].fd >= 0) && !interrupt_guard::interrupted()) {
        if (poll(waiting, 2, patience) <= 0) continue;
        if (waiting[0].revents && !output.take(answer.output)) waiting[0].fd = -1;
        if (waiting[1].revents && !complaints.take(answer.complaints)) waiting[1].fd = -1;
    }
    if (interrupt_guard::interrupted()) kill(pid, SIGKILL);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (interrupt_guard::interrupted()) return std::nullopt;
    answer.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    answer.complaints = without_end(answer.complaints);
    if (answer.code == 127 && answer.complaints.empty())
        answer.complaints = words.front() + ": not found; the commands of Slurm are expected on the path";
    return answer;
}

std::optional<std::vector<queued_task>> queued_tasks(const std::vector<std::string>& arrays,
                                                     std::string& problem) {
    std::vector<queued_task> tasks;
    if (arrays.empty()) return tasks;
    std::string names;
    for (const std::string& each : arrays) names += (names.empty() ? "" : ",") + each;
    const auto answer =
        ask_command({"squeue", "--noheader", "--array", "--name=" + names, "--format=%j %F %K %T %r"});
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

std::size_t longest_array() {
    const auto answer = ask_command({"scontrol", "show", "config"});
    if (!answer || answer->code != 0) return usual_longest_array;
    std::istringstream lines(answer->output);
    for (std::string line; std::getline(lines, line);)
        if (line.compare(0, 12, "MaxArraySize") == 0 && line.find('=') != std::string::npos) {
            const unsigned long long found = std::strtoull(line.c_str() + line.find('=') + 1, nullptr, 10);
            return found ? static_cast<std::size_t>(found) : usual_longest_array;
        }
    return usual_longest_array;
}

} // namespace sfpu::cli
