// A point that runs firmware on the tile.
#pragma once

#include "point.h"

namespace sfpu::cli {

/// Runs the firmware on the machine of the point and on the baseline's. Throws user_error if it cannot be read or loaded.
point_result run_firmware_point(const sweep& of, const point_id& id);

} // namespace sfpu::cli
