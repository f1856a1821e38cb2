#include "thread_executor.h"

#include "kernel_point.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/platform/core_runner.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace sfpu::analysis {
namespace {

class thread_run {
public:
    thread_run(const executor_task& task, const result_sink& take) : task_(task), take_(take) {
        at_ = task.at;
        at_.interrupted = [this] { return task_.at.is_interrupted() || has_failed_; };
    }

    bool run() {
        std::vector<std::thread> threads;
        const std::size_t count = std::min<std::size_t>(task_.jobs, task_.points.size());
        working_ = count;
        try {
            for (std::size_t i = 0; i < count; ++i) threads.emplace_back([this] { work(); });
            tell_what_is_finished();
        } catch (...) {
            has_failed_ = true;
            for (std::thread& each : threads) each.join();
            throw;
        }
        for (std::thread& each : threads) each.join();
        if (!problem_.empty()) give_up_recording(problem_, taken_, task_.points.size());
        return taken_ == task_.points.size();
    }

private:
    void work() {
        platform::core_runner runner;
        for (std::size_t index; !is_over() && (index = next_++) < task_.points.size();) {
            std::optional<point_result> result = result_of(task_.points[index], runner);
            if (!result) break; // interrupted
            take(index, std::move(*result));
        }
        const std::lock_guard guard(mutex_);
        --working_;
        change_.notify_one();
    }

    bool is_over() const { return at_.is_interrupted() || at_.is_late(); }

    std::optional<point_result> result_of(const point_id& id, platform::program_runner& runner) const {
        using clock = std::chrono::steady_clock;
        const auto deadline = clock::now() + std::chrono::duration_cast<clock::duration>(
                                                 std::chrono::duration<double>(task_.seconds()));
        try {
            std::optional<point_result> result =
                run_kernel_point(task_.inputs, id, task_.tools, runner, {at_, deadline});
            if (!result && !is_over()) result = late_point(task_, id);
            return result;
        } catch (const std::exception& problem) {
            return lost_point(task_.inputs.of().schedule_of(task_.inputs.kernel(id)), point_status::failed,
                              std::string("internal error of the simulator: ") + problem.what());
        }
    }

    void take(std::size_t index, point_result&& result) {
        const std::lock_guard guard(mutex_);
        if (has_failed_) return;
        try {
            take_(index, std::move(result));
            ++taken_;
        } catch (const std::exception& problem) {
            problem_ = problem.what();
            has_failed_ = true;
        }
        change_.notify_one();
    }

    /// Calls the listener in the caller's thread, which need not be ready for more.
    void tell_what_is_finished() {
        std::unique_lock guard(mutex_);
        for (std::size_t told = 0;;) {
            change_.wait(guard, [&] { return told < taken_ || working_ == 0; });
            const std::size_t taken = taken_;
            const bool is_last = working_ == 0;
            guard.unlock();
            for (; told < taken; ++told) task_.finished();
            if (is_last) return;
            guard.lock();
        }
    }

    const executor_task& task_;
    const result_sink& take_;
    session at_;
    std::mutex mutex_;
    std::condition_variable change_;
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> has_failed_{false};
    std::size_t taken_ = 0, working_ = 0;
    std::string problem_; ///< why a result could not be taken
};

} // namespace

bool run_on_threads(const executor_task& task, const result_sink& take) {
    return thread_run(task, take).run();
}

} // namespace sfpu::analysis
