// The columns that runs fill in, whatever ran.
#pragma once

#include "point.h"

#include "../options.h"

#include <sfpu/common/types.h>
#include <sfpu/probe/statistics.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sfpu::cli {

/// All columns, without numbers.
point_result empty_result(schedule_choice schedule, const char* status, const std::string& error);

/// Cycles, instructions a cycle, utilisation of the sub-units and stalls.
void fill_in_counters(point_result& result, const probe::unit_counters& counters, cycles used);

/// Ratios as they are written: enough digits to tell machines apart, the same on every host.
double rounded(double value);

/// The machine of a point as options of a command.
common_options options_of(const sweep& of, const std::vector<parameter_value>& settings);

} // namespace sfpu::cli
