#include "timed_process.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sfpu::cli {
namespace {

using wall_clock = std::chrono::steady_clock;
constexpr std::size_t most_output = 4u << 20;

struct pipe_pair {
    int read_end = -1, write_end = -1;
    bool open() {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) return false;
        read_end = ends[0];
        write_end = ends[1];
        return true;
    }
    void close_write() {
        if (write_end >= 0) close(write_end);
        write_end = -1;
    }
    ~pipe_pair() {
        close_write();
        if (read_end >= 0) close(read_end);
    }
};

/// Reads both pipes until both are closed or time is up. False if it is.
bool read_all(int out, int err, child_result& into, wall_clock::time_point end) {
    pollfd ends[2] = {{out, POLLIN, 0}, {err, POLLIN, 0}};
    while (ends[0].fd >= 0 || ends[1].fd >= 0) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(end - wall_clock::now()).count();
        if (left <= 0) return false;
        if (poll(ends, 2, static_cast<int>(left < 1000 ? left : 1000)) <= 0) continue;
        for (unsigned i = 0; i < 2; ++i) {
            if (ends[i].fd < 0 || ends[i].revents == 0) continue;
            char buffer[16384];
            const ssize_t count = read(ends[i].fd, buffer, sizeof buffer);
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) {
                ends[i].fd = -1;
                continue;
            }
            std::string& text = i == 0 ? into.output : into.errors;
            if (text.size() < most_output) text.append(buffer, static_cast<std::size_t>(count));
        }
    }
    return true;
}

} // namespace

child_result run_child(const std::vector<std::string>& arguments, double seconds) {
    child_result result;
    pipe_pair out, err;
    if (!out.open() || !err.open()) {
        result.problem = std::string("no pipe: ") + std::strerror(errno);
        return result;
    }
    std::vector<char*> argv;
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    const pid_t pid = fork();
    if (pid < 0) {
        result.problem = std::string("no process: ") + std::strerror(errno);
        return result;
    }
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(out.write_end, STDOUT_FILENO);
        dup2(err.write_end, STDERR_FILENO);
        execvp(argv[0], argv.data());
        _exit(127);
    }
    out.close_write();
    err.close_write();
    const auto end = wall_clock::now() +
                     std::chrono::duration_cast<wall_clock::duration>(std::chrono::duration<double>(seconds));
    const bool in_time = read_all(out.read_end, err.read_end, result, end);
    if (!in_time) kill(pid, SIGKILL);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (!in_time)
        result.problem = "not finished after " + std::to_string(static_cast<int>(seconds)) + " seconds";
    else if (WIFSIGNALED(status))
        result.problem = std::string("ended by a signal: ") + strsignal(WTERMSIG(status));
    else result.exit_code = WEXITSTATUS(status);
    return result;
}

std::string executable_path() {
    char buffer[4096];
    const ssize_t length = readlink("/proc/self/exe", buffer, sizeof buffer);
    return length > 0 ? std::string(buffer, static_cast<std::size_t>(length)) : std::string();
}

} // namespace sfpu::cli
