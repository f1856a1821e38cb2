#include "shared_schedules.h"

#include <sfpu/analysis/machine_order.h>

#include <algorithm>

namespace sfpu::analysis {
namespace {

constexpr double rounding = 1e-9;

/// Cycles of a row of a schedule that is right and does not depend on luck.
std::optional<double> cycles_of_schedule(const point_result& result) {
    if (result.schedule == schedule_choice::keep || result.status != point_status::ok ||
        result.valid != true || result.verdict == lint_verdict::broken)
        return std::nullopt;
    return result.cycles_per_row;
}

/// Cycles of a row of a schedule that another machine may begin with, which judges it for itself: it may be
/// broken as its plain kernel is, by a register that nobody wrote for example.
std::optional<double> cycles_to_begin_with(const point_result& result) {
    const bool is_schedule = result.schedule != schedule_choice::keep && result.status == point_status::ok &&
                             result.valid != false;
    return is_schedule ? result.cycles_per_row : std::nullopt;
}

} // namespace

shared_schedules::shared_schedules(const sweep& of) {
    const auto writes = [&](const sweep_kernel& each) {
        return of.schedule_of(each) != schedule_choice::keep;
    };
    if (std::none_of(of.kernels.begin(), of.kernels.end(), writes)) return;
    std::vector<parameters> machines;
    for (std::size_t point = 0; point < of.points.size(); ++point)
        machines.push_back(of.configuration(point));
    contains_.assign(machines.size(), std::vector<bool>(machines.size(), false));
    for (std::size_t a = 0; a < machines.size(); ++a)
        for (std::size_t b = 0; b < machines.size(); ++b)
            contains_[a][b] = a != b && contains(machines[a], machines[b]);
}

bool shared_schedules::comparable(const point_id& larger, const point_id& smaller) const {
    return larger.kernel == smaller.kernel && larger.seed == smaller.seed && !contains_.empty() &&
           contains_[larger.point][smaller.point];
}

std::vector<shared_schedules::better_run>
shared_schedules::better(const std::vector<point_id>& runs,
                         const std::function<const point_result&(std::size_t)>& result) const {
    std::vector<better_run> found;
    if (contains_.empty()) return found;
    std::vector<std::optional<double>> cycles_of_run;
    std::vector<bool> takes_another;
    for (std::size_t run = 0; run < runs.size(); ++run) {
        const point_result& known = result(run);
        cycles_of_run.push_back(cycles_to_begin_with(known));
        takes_another.push_back(known.schedule != schedule_choice::keep &&
                                known.status != point_status::timeout);
    }
    for (std::size_t run = 0; run < runs.size(); ++run) {
        if (!takes_another[run]) continue;
        std::optional<double> least = cycles_of_run[run];
        std::optional<std::size_t> from;
        for (std::size_t other = 0; other < runs.size(); ++other) {
            if (!comparable(runs[run], runs[other])) continue;
            const std::optional<double> cycles = cycles_of_run[other];
            if (!cycles || (least && *cycles >= *least - rounding)) continue;
            least = cycles;
            from = other;
        }
        if (from) found.push_back({run, *from});
    }
    return found;
}

void shared_schedules::share_bounds(std::vector<explored_point>& points) const {
    if (contains_.empty()) return;
    std::vector<std::optional<double>> least;
    for (const explored_point& each : points) least.push_back(each.result.least_cycles_per_row);
    for (std::size_t small = 0; small < points.size(); ++small) {
        point_result& result = points[small].result;
        const std::optional<double> cycles = cycles_of_schedule(result);
        if (!cycles) continue;
        for (std::size_t large = 0; large < points.size(); ++large) {
            if (!least[large] || !comparable(points[large].id, points[small].id)) continue;
            // A proof that a schedule contradicts left out what that one has.
            if (*least[large] > *cycles + rounding ||
                *least[large] <= result.least_cycles_per_row.value_or(0))
                continue;
            result.least_cycles_per_row = least[large];
        }
        if (result.proof != "open" || result.least_cycles_per_row.value_or(0) < *cycles - rounding) continue;
        result.proof = "optimal_in_form";
    }
}

} // namespace sfpu::analysis
