// Rules T6 and T7: when a store to Dst is seen by a load, and which pairs are reported as too close.
#pragma once

#include <sfpu/common/parameters.h>

#include <algorithm>
#include <cstdint>

namespace sfpu::timing {

/// T7: the first cycle whose loads see a store of cycle `stored`.
inline cycles store_visible_from(cycles stored, const parameters& config) {
    return stored + cycles{static_cast<std::int64_t>(config.dst_store_load_visible)};
}

/// The farthest load behind a store of its slice that may have to be reported, in cycles: one that
/// dst.store_load_warn asks for, or one that does not see the store.
inline std::int64_t longest_reported_distance(const parameters& config) {
    const auto visible = static_cast<std::int64_t>(config.dst_store_load_visible);
    return std::max<std::int64_t>(visible - 1, static_cast<std::int64_t>(config.dst_store_load_warn));
}

/// T7: whether a load of a slice comes so soon after its store that it is reported. A load in the cycle of
/// the store itself sees old data by T2, like any other read, and is no matter of distance; where it sees the
/// new ones (dst.store_load_visible is 0), it is reported.
inline bool store_load_too_close(cycles stored, cycles loaded, const parameters& config) {
    const std::int64_t distance = (loaded - stored).count();
    if (distance == 0) return config.dst_store_load_visible == 0;
    return distance > 0 && distance <= longest_reported_distance(config);
}

} // namespace sfpu::timing
