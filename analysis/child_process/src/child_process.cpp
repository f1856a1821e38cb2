#include <sfpu/analysis/child_process.h>

#include <sfpu/analysis/errors.h>

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sfpu::analysis {
namespace {

using wall_clock = std::chrono::steady_clock;

constexpr int patience = 100; ///< milliseconds between looks at interruptions and the time
constexpr std::size_t most_output = std::size_t{64} << 20;

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
        char bytes[16384];
        const ssize_t count = read(ends_[0], bytes, sizeof bytes);
        if (count > 0 && to.size() < most_output) to.append(bytes, static_cast<std::size_t>(count));
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

std::optional<command_answer> ask_command(const std::vector<std::string>& words,
                                          std::optional<double> seconds,
                                          const std::function<bool()>& interrupted) {
    const auto is_interrupted = [&] { return interrupted && interrupted(); };
    const auto begin = wall_clock::now();
    const auto is_late = [&] {
        return seconds && std::chrono::duration<double>(wall_clock::now() - begin).count() > *seconds;
    };
    pipe_end output, complaints;
    const pid_t pid = fork();
    if (pid < 0) throw user_error(words.front() + ": no process: " + std::strerror(errno));
    if (pid == 0) become(words, output.in(), complaints.in());
    output.close_in();
    complaints.close_in();

    command_answer answer;
    pollfd waiting[2] = {{output.out(), POLLIN, 0}, {complaints.out(), POLLIN, 0}};
    while ((waiting[0].fd >= 0 || waiting[1].fd >= 0) && !is_interrupted() && !is_late()) {
        if (poll(waiting, 2, patience) <= 0) continue;
        if (waiting[0].revents && !output.take(answer.output)) waiting[0].fd = -1;
        if (waiting[1].revents && !complaints.take(answer.complaints)) waiting[1].fd = -1;
    }
    const bool late = is_late() && (waiting[0].fd >= 0 || waiting[1].fd >= 0);
    if (is_interrupted() || late) kill(pid, SIGKILL);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (is_interrupted()) return std::nullopt;
    answer.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (late) answer.problem = fmt::format("not finished after {:g} seconds", *seconds);
    else if (WIFSIGNALED(status))
        answer.problem = std::string("ended by a signal: ") + strsignal(WTERMSIG(status));
    answer.complaints = without_end(answer.complaints);
    if (answer.code == 127 && answer.complaints.empty()) answer.complaints = words.front() + ": not found";
    return answer;
}

} // namespace sfpu::analysis
