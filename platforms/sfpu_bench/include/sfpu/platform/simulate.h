// How the platforms let simulated time pass.
#pragma once

#include <sfpu/common/systemc_version.h>

#include <systemc>

namespace sfpu::platform {

/// sc_start() until nothing is left to happen, or for `duration`.
///
/// Call these and not sc_start() where an exception may be thrown later on: in builds with the address
/// sanitizer they also repair what it believes about the caller's stack, and do nothing more in others.
void simulate();
void simulate(const sc_core::sc_time& duration);

} // namespace sfpu::platform
