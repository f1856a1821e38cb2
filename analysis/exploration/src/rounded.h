// Ratios as they are written.
#pragma once

#include <cmath>

namespace sfpu::analysis {

/// Enough digits to tell machines apart, the same on every host.
inline double rounded(double value) { return std::round(value * 1e6) / 1e6; }

} // namespace sfpu::analysis
