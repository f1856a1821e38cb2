// A point of an exploration that runs firmware on the tile (SystemC).
#pragma once

#include <sfpu/analysis/point.h>

#include <string>

namespace sfpu::analysis {

/// Runs the firmware on the machine of the point and on the baseline's. Once in a process, as SystemC takes
/// no modules after its time has begun. Throws user_error if the file cannot be read or loaded.
point_result run_firmware_point(const std::string& file, const machine_choice& machine,
                                const machine_choice& baseline);

} // namespace sfpu::analysis
