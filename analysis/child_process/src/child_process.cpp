#include <sfpu/analysis/child_process.h>

#include <sfpu/analysis/errors.h>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <exception>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sfpu::analysis {
namespace {

using wall_clock = std::chrono::steady_clock;

constexpr int exit_not_started = 127, exit_of_exception = 70;
constexpr int patience = 100;     ///< milliseconds between looks at interruptions and the time
constexpr int crew_patience = 20; ///< milliseconds
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

/// A file without a name that holds a text, to be read from its beginning.
class text_source {
public:
    explicit text_source(std::string_view text) {
        descriptor_ =
            text.empty() ? open("/dev/null", O_RDONLY | O_CLOEXEC) : memfd_create("input", MFD_CLOEXEC);
        for (std::size_t done = 0; descriptor_ >= 0 && done < text.size();) {
            const ssize_t count = write(descriptor_, text.data() + done, text.size() - done);
            if (count <= 0) throw_problem();
            done += static_cast<std::size_t>(count);
        }
        if (descriptor_ < 0) throw_problem();
        lseek(descriptor_, 0, SEEK_SET);
    }
    ~text_source() { close(descriptor_); }
    text_source(const text_source&) = delete;
    text_source& operator=(const text_source&) = delete;

    int descriptor() const { return descriptor_; }

private:
    [[noreturn]] void throw_problem() const {
        const user_error problem(std::string("no input for a command: ") + std::strerror(errno));
        if (descriptor_ >= 0) close(descriptor_);
        throw problem;
    }
    int descriptor_ = -1;
};

/// Dies with the thread that started it.
void follow_parent(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(exit_not_started);
}

/// Takes no memory: another thread may have held the lock of the heap when this process was made.
[[noreturn]] void become(char* const* arguments, pid_t parent, int input, int output, int complaints) {
    follow_parent(parent);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
    if (dup2(input, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
        dup2(complaints, STDERR_FILENO) >= 0)
        execvp(arguments[0], arguments);
    _exit(exit_not_started);
}

void limit_memory(std::optional<std::uint64_t> megabytes) {
    if (!megabytes) return;
    const rlim_t bytes = static_cast<rlim_t>(*megabytes) << 20;
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_AS, &limit);
}

/// What a child of a crew does; what it says is short, so that the pipe takes it whole.
[[noreturn]] void do_work(const std::function<int(std::string& said)>& work, int words) {
    constexpr std::size_t most_said = 4096;
    std::string said;
    int code = exit_of_exception;
    try {
        code = work(said);
    } catch (const std::exception& problem) {
        said = problem.what();
    }
    if (write(words, said.data(), std::min(said.size(), most_said)) < 0) code = exit_of_exception;
    _exit(code);
}

std::string without_end(std::string text) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

} // namespace

std::optional<command_answer> ask_command(const std::vector<std::string>& words,
                                          std::optional<double> seconds,
                                          const std::function<bool()>& interrupted, std::string_view input) {
    const auto is_interrupted = [&] { return interrupted && interrupted(); };
    const auto begin = wall_clock::now();
    const auto is_late = [&] {
        return seconds && std::chrono::duration<double>(wall_clock::now() - begin).count() > *seconds;
    };
    pipe_end output, complaints;
    const text_source source(input);
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const pid_t parent = getpid(), pid = fork();
    if (pid < 0) throw user_error(words.front() + ": no process: " + std::strerror(errno));
    if (pid == 0) become(arguments.data(), parent, source.descriptor(), output.in(), complaints.in());
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
    answer.is_late = late;
    if (late) answer.problem = fmt::format("not finished after {:g} seconds", *seconds);
    else if (WIFSIGNALED(status))
        answer.problem = std::string("ended by a signal: ") + strsignal(WTERMSIG(status));
    answer.complaints = without_end(answer.complaints);
    if (answer.code == exit_not_started && answer.complaints.empty())
        answer.complaints = words.front() + ": not found";
    return answer;
}

struct child_crew::child {
    std::size_t ticket = 0;
    pid_t pid = 0;
    std::unique_ptr<pipe_end> words;
    wall_clock::time_point started;
    bool is_late = false;
};

child_crew::child_crew(child_limits limits) : limits_(limits) {}
child_crew::~child_crew() { kill_all(); }
std::size_t child_crew::size() const { return running_.size(); }

void child_crew::start(std::size_t ticket, const std::function<int(std::string& said)>& work) {
    auto words = std::make_unique<pipe_end>();
    const pid_t parent = getpid(), pid = fork();
    if (pid < 0) throw user_error(std::string("no process for a point: ") + std::strerror(errno));
    if (pid == 0) {
        std::signal(SIGINT, SIG_IGN);
        std::signal(SIGTERM, SIG_DFL);
        follow_parent(parent);
        limit_memory(limits_.megabytes);
        do_work(work, words->in());
    }
    words->close_in();
    running_.push_back({ticket, pid, std::move(words), wall_clock::now()});
}

std::optional<child_end> child_crew::gather() {
    std::vector<pollfd> waiting;
    for (const child& each : running_) waiting.push_back({each.words->out(), POLLIN, 0});
    poll(waiting.data(), waiting.size(), crew_patience);
    for (child& each : running_)
        if (limits_.seconds && !each.is_late &&
            std::chrono::duration<double>(wall_clock::now() - each.started).count() > *limits_.seconds) {
            each.is_late = true;
            kill(each.pid, SIGKILL);
        }
    for (auto each = running_.begin(); each != running_.end(); ++each) {
        int status = 0;
        if (waitpid(each->pid, &status, WNOHANG) != each->pid) continue;
        child_end end{each->ticket, WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                      WIFSIGNALED(status) ? WTERMSIG(status) : 0, each->is_late, ""};
        while (each->words->take(end.said)) {
        }
        running_.erase(each);
        return end;
    }
    return std::nullopt;
}

std::vector<std::size_t> child_crew::kill_all() {
    std::vector<std::size_t> tickets;
    for (const child& each : running_) kill(each.pid, SIGKILL);
    for (const child& each : running_) {
        while (waitpid(each.pid, nullptr, 0) < 0 && errno == EINTR) {
        }
        tickets.push_back(each.ticket);
    }
    running_.clear();
    return tickets;
}

} // namespace sfpu::analysis
