// Rules T6 and T7: when a store to Dst is seen by a load, and which pairs are reported as too close.
#pragma once

#include <sfpu/common/parameters.h>

namespace sfpu::timing {

/// T7: the first cycle whose loads see a store of cycle `stored`.
inline cycles store_visible_from(cycles stored, const parameters& config) {
    return stored + cycles{static_cast<std::int64_t>(config.dst_store_load_visible)};
}

/// T7: whether a load of a slice comes so soon after its store that it is reported. A load in the cycle of
/// the store itself sees old data by T2, like any other read, and is no matter of distance.
inline bool store_load_too_close(cycles stored, cycles loaded, const parameters& config) {
    const std::int64_t distance = (loaded - stored).count();
    return distance > 0 && distance <= static_cast<std::int64_t>(config.dst_store_load_warn);
}

} // namespace sfpu::timing
