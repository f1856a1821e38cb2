// What writers of traces share beside what every sink needs.
#pragma once

#include <sfpu/probe/observer.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace sfpu::traces {

/// Without a call, which std::bitset costs where the processor's own count may not be used.
constexpr unsigned count_of_bits(std::uint32_t mask) {
    mask -= mask >> 1 & 0x55555555u;
    mask = (mask & 0x33333333u) + (mask >> 2 & 0x33333333u);
    return ((mask + (mask >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}

/// The `kind` of an activity that is no stall.
constexpr std::string_view busy_kind = "busy";

/// Where a file ends if nobody says so: with the last cycle that an event reached.
class reached_cycle {
public:
    void reach(cycles at) { latest_ = std::max(latest_, at); }
    cycles latest() const { return latest_; }

private:
    cycles latest_{};
};

/// Ends the file of a writer that is destroyed. The stream keeps its state; nobody is left to hear an
/// exception.
template <class Writer>
void finish_quietly(Writer& writer) noexcept {
    try {
        writer.finish();
    } catch (...) {
    }
}

/// "hart0_retire", "tensorload_load": what there may be several of has its number.
inline std::string lane_name(probe::tile_unit unit, unsigned instance, const char* lane, char between) {
    std::string name = to_string(unit);
    std::replace(name.begin(), name.end(), '-', '_');
    if (unit == probe::tile_unit::hart || unit == probe::tile_unit::front_end || instance != 0)
        name += std::to_string(instance);
    return name + between + lane;
}

} // namespace sfpu::traces
