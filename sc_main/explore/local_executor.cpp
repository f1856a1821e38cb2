#include "local_executor.h"

#include "../interrupts.h"
#include "../program.h"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <string>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sfpu::cli {
namespace {

using wall_clock = std::chrono::steady_clock;

constexpr double usual_seconds = 600; ///< limit of a point whose sweep has none
/// Exit codes of the process of a point.
enum point_exit : int { point_recorded = 0, point_not_recorded = 10, point_broken = 11 };

/// Runs a point and keeps what it says; what the process says by its exit code.
int code_of_point(const sweep& of, const point_id& id, const point_store& store) {
    std::optional<point_result> result;
    try {
        result = run_point(of, id);
        store.record(inputs_of(of, id), *result);
        return point_recorded;
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "sfpusim: %s\n", problem.what());
        return result ? point_not_recorded : point_broken;
    }
}

/// What the process of a point does.
[[noreturn]] void play_point(const sweep& of, const point_id& id, const point_store& store, pid_t parent) {
    std::signal(SIGINT, SIG_IGN); // the parent decides
    std::signal(SIGTERM, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL); // nobody would look after it
    if (getppid() != parent) _exit(point_not_recorded);
    if (of.megabytes) {
        const rlim_t bytes = static_cast<rlim_t>(*of.megabytes) << 20;
        const rlimit limit{bytes, bytes};
        setrlimit(RLIMIT_AS, &limit);
    }
    const int code = code_of_point(of, id, store);
    std::fflush(nullptr);
    _exit(code);
}

class local_run {
public:
    local_run(const sweep& of, const std::vector<point_id>& points, const point_store& store, unsigned jobs,
              progress_listener& listener)
        : sweep_(of), points_(points), store_(store), jobs_(jobs), listener_(listener),
          limit_(std::chrono::duration_cast<wall_clock::duration>(
              std::chrono::duration<double>(of.seconds.value_or(usual_seconds)))) {}
    ~local_run() { kill_all(); }
    local_run(const local_run&) = delete;
    local_run& operator=(const local_run&) = delete;

    bool run() {
        const interrupt_guard guard;
        while (next_ < points_.size() || !running_.empty()) {
            if (interrupt_guard::interrupted()) return false;
            while (next_ < points_.size() && running_.size() < jobs_) start(points_[next_++]);
            while (gather()) {
            }
            end_late_ones();
            usleep(500);
        }
        return true;
    }

private:
    struct running_point {
        point_id id;
        wall_clock::time_point started;
        bool late = false;
    };

    void start(const point_id& id) {
        const pid_t parent = getpid();
        const pid_t pid = fork();
        if (pid < 0) throw user_error(std::string("no process for a point: ") + std::strerror(errno));
        if (pid == 0) play_point(sweep_, id, store_, parent);
        running_[pid] = {id, wall_clock::now()};
    }

    /// Takes leave of one process that has ended, if there is one.
    bool gather() {
        int status = 0;
        const pid_t pid = waitpid(-1, &status, WNOHANG);
        if (pid <= 0) return false;
        const auto found = running_.find(pid);
        if (found == running_.end()) return true;
        const running_point point = found->second;
        running_.erase(found);
        if (WIFEXITED(status) && WEXITSTATUS(status) == point_not_recorded)
            throw user_error(fmt::format("a result cannot be recorded; {} of {} points are finished and kept",
                                         done_, points_.size()));
        if (WIFSIGNALED(status)) store_.remove_unfinished(inputs_of(sweep_, point.id));
        if (!(WIFEXITED(status) && WEXITSTATUS(status) == point_recorded))
            store_.record(inputs_of(sweep_, point.id), lost(point, status));
        listener_.progress(++done_, points_.size());
        return true;
    }

    point_result lost(const running_point& point, int status) const {
        const schedule_choice schedule = sweep_.schedule_of(sweep_.kernels[point.id.kernel]);
        if (point.late)
            return lost_point(
                schedule, "timeout",
                fmt::format("not finished after {:g} seconds", sweep_.seconds.value_or(usual_seconds)));
        if (WIFSIGNALED(status))
            return lost_point(
                schedule, "failed",
                fmt::format("ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status))));
        return lost_point(schedule, "failed", "internal error of the simulator");
    }

    void end_late_ones() {
        const auto now = wall_clock::now();
        for (auto& [pid, point] : running_)
            if (!point.late && now - point.started > limit_) {
                point.late = true;
                kill(pid, SIGKILL);
            }
    }
    void kill_all() {
        for (const auto& [pid, point] : running_) kill(pid, SIGKILL);
        for (const auto& [pid, point] : running_) {
            waitpid(pid, nullptr, 0);
            store_.remove_unfinished(inputs_of(sweep_, point.id));
        }
        running_.clear();
    }

    const sweep& sweep_;
    const std::vector<point_id>& points_;
    const point_store& store_;
    unsigned jobs_;
    progress_listener& listener_;
    wall_clock::duration limit_;
    std::size_t next_ = 0, done_ = 0;
    std::map<pid_t, running_point> running_;
};

} // namespace

bool run_locally(const sweep& of, const std::vector<point_id>& points, const point_store& store,
                 unsigned jobs, progress_listener& listener) {
    return local_run(of, points, store, jobs, listener).run();
}

} // namespace sfpu::cli
