// A schedule for the machine of a point: point_tools::write_schedule.
#pragma once

#include <sfpu/analysis/point.h>

namespace sfpu::analysis {

/// By optimize(), in this thread. Nothing if the session ended it. Throws user_error with what is wrong if it
/// writes nothing.
std::optional<written_schedule> schedule_for_point(const schedule_order& order, const session& at);

} // namespace sfpu::analysis
