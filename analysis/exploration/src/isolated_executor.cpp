#include "isolated_executor.h"

#include "kernel_point.h"

#include <sfpu/analysis/child_process.h>
#include <sfpu/analysis/errors.h>
#include <sfpu/common/shown_name.h>
#include <sfpu/platform/core_runner.h>

#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <new>
#include <thread>

namespace sfpu::analysis {
namespace {

/// What the work of a child returns.
enum point_exit : int { point_recorded = 0, point_not_recorded = 10, point_broken = 11 };

point_result firmware_result(const executor_task& task, const point_id& id) {
    const sweep& of = task.inputs.of();
    const std::string& file = task.inputs.kernel(id).firmware;
    try {
        if (!task.tools.run_firmware)
            throw user_error(shown_name(file) + ": the caller has nothing that runs firmware");
        return task.tools.run_firmware(file, of.machine(id.point), of.baseline_machine());
    } catch (const user_error& problem) {
        return lost_point(schedule_choice::keep, point_status::failed, problem.what());
    } catch (const std::bad_alloc&) {
        return lost_point(schedule_choice::keep, point_status::failed, "out of memory");
    }
}

/// In the process of the point, which is killed when its time is over.
point_result result_here(const executor_task& task, const point_id& id) {
    if (task.inputs.kernel(id).is_firmware()) return firmware_result(task, id);
    platform::core_runner runner;
    const session nobody;
    const auto deadline =
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                               std::chrono::duration<double>(task.seconds()));
    const auto result = run_kernel_point(task.inputs, id, task.tools, runner, {nobody, deadline});
    return result ? *result : late_point(task, id);
}

int record_point(const executor_task& task, const point_id& id, const point_store& store, std::string& said) {
    bool has_result = false;
    try {
        const point_result result = result_here(task, id);
        has_result = true;
        store.record(task.inputs.text_of(id), result);
        return point_recorded;
    } catch (const std::exception& problem) {
        said = problem.what();
        return has_result ? point_not_recorded : point_broken;
    }
}

point_result result_of_lost_child(const executor_task& task, const point_id& id, const child_end& end) {
    if (end.is_late) return late_point(task, id);
    const schedule_choice schedule = task.inputs.of().schedule_of(task.inputs.kernel(id));
    if (end.signal)
        return lost_point(schedule, point_status::failed,
                          fmt::format("ended by signal {} ({})", end.signal, strsignal(end.signal)));
    return lost_point(schedule, point_status::failed,
                      "internal error of the simulator" + (end.said.empty() ? "" : ": " + end.said));
}

/// Whether the session, too, is ended by whoever has ended a point.
bool ends_with_its_point(const executor_task& task) {
    const auto end = std::chrono::steady_clock::now() + task.patience;
    while (!task.at.is_interrupted()) {
        if (std::chrono::steady_clock::now() >= end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return true;
}

} // namespace

point_result late_point(const executor_task& task, const point_id& id) {
    return lost_point(task.inputs.of().schedule_of(task.inputs.kernel(id)), point_status::timeout,
                      fmt::format("not finished after {:g} seconds", task.seconds()));
}

void give_up_recording(const std::string& reason, std::size_t done, std::size_t all) {
    throw user_error(fmt::format("a result cannot be recorded: {}; {} of {} points are finished and kept",
                                 reason, done, all));
}

bool run_isolated(const executor_task& task, const point_store& store) {
    const std::vector<point_id>& points = task.points;
    child_crew crew({task.seconds(), task.inputs.of().megabytes});
    const auto end_all = [&] {
        for (const std::size_t ticket : crew.kill_all())
            store.remove_unfinished(task.inputs.text_of(points[ticket]));
    };
    std::size_t next = 0, done = 0;
    while (next < points.size() || crew.size() != 0) {
        if (task.at.is_interrupted() || task.at.is_late()) {
            end_all();
            return false;
        }
        for (; next < points.size() && crew.size() < task.jobs; ++next)
            crew.start(
                next, [&, next](std::string& said) { return record_point(task, points[next], store, said); });
        const std::optional<child_end> end = crew.gather();
        if (!end) continue;
        const point_id& id = points[end->ticket];
        if (end->signal == 0 && end->code == point_not_recorded) {
            end_all();
            give_up_recording(end->said, done, points.size());
        }
        const std::string inputs = task.inputs.text_of(id);
        if (end->signal) {
            store.remove_unfinished(inputs);
            if (!end->is_late && ends_with_its_point(task)) continue;
        }
        if (end->signal || end->code != point_recorded)
            store.record(inputs, result_of_lost_child(task, id, *end));
        ++done;
        task.finished();
    }
    return true;
}

} // namespace sfpu::analysis
