#include <sfpu/analysis/point.h>

#include <sfpu/analysis/row_profile.h>

#include "rounded.h"

#include <iterator>
#include <utility>

namespace sfpu::analysis {

std::vector<point_id> all_runs(const sweep& of) {
    std::vector<point_id> runs;
    for (std::size_t point = 0; point < of.points.size(); ++point)
        for (std::size_t kernel = 0; kernel < of.kernels.size(); ++kernel)
            for (std::size_t seed = 0; seed < of.seeds_of(of.kernels[kernel]).size(); ++seed)
                runs.push_back({point, kernel, seed});
    return runs;
}

const char* to_string(point_status status) {
    switch (status) {
    case point_status::ok: return "ok";
    case point_status::failed: return "failed";
    case point_status::timeout: return "timeout";
    }
    return "?";
}

point_counters counters_of(const probe::unit_counters& counted, cycles used) {
    static_assert(std::size(reported_units) == std::tuple_size<decltype(point_counters::utilisation)>::value,
                  "one utilisation for each");
    const auto share = [&](std::uint64_t part) {
        return used.count() > 0 ? rounded(static_cast<double>(part) / static_cast<double>(used.count())) : 0;
    };
    point_counters counters;
    counters.cycles = used.count();
    counters.instructions_per_cycle = share(counted.executed());
    for (std::size_t i = 0; i < std::size(reported_units); ++i)
        counters.utilisation[i] = share(counted.busy[static_cast<unsigned>(reported_units[i])]);
    for (unsigned cause = 0; cause < probe::stall_cause_count; ++cause)
        counters.stalls[cause] = counted.stalls[cause];
    return counters;
}

point_result lost_point(schedule_choice schedule, point_status status, std::string error) {
    point_result result;
    result.schedule = schedule;
    result.status = status;
    result.error = std::move(error);
    return result;
}

} // namespace sfpu::analysis
