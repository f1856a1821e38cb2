// How a slice of 32 cells lies in storage, compiled once for each vector instruction set (see dst_storage.cpp).
//
// Lane n of a slice lies in row n / 8 of four rows and in pair n % 8. Rows of a slice are contiguous in storage, so the
// 32 pairs of a slice are 32 consecutive words, and each loop below is a plain lane loop.
#if defined(SFPU_DST_SLICES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SFPU_DST_SLICES_INL_H
#undef SFPU_DST_SLICES_INL_H
#else
#define SFPU_DST_SLICES_INL_H
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sfpu::dst {
namespace HWY_NAMESPACE {

using pairs = std::uint32_t;

/// dst[n] = f(n) for all lanes.
template <class F>
HWY_INLINE void each_lane(std::uint32_t* to, F f) {
#pragma GCC ivdep
    for (unsigned n = 0; n < lane_count; ++n) to[n] = f(n);
}
HWY_INLINE bool in(lane_mask mask, unsigned n) { return mask >> n & 1u; }

void read16(const pairs* from, lane_mask odd, lanes& out) {
    if (odd == 0) each_lane(out.v, [=](unsigned n) { return from[n] & 0xffffu; });
    else if (odd == all_lanes) each_lane(out.v, [=](unsigned n) { return from[n] >> 16; });
    else each_lane(out.v, [=](unsigned n) { return in(odd, n) ? from[n] >> 16 : from[n] & 0xffffu; });
}

void read32(const pairs* upper, const pairs* lower, lane_mask odd, lanes& out) {
    if (odd == 0) each_lane(out.v, [=](unsigned n) { return upper[n] << 16 | (lower[n] & 0xffffu); });
    else if (odd == all_lanes)
        each_lane(out.v, [=](unsigned n) { return (upper[n] & 0xffff0000u) | lower[n] >> 16; });
    else
        each_lane(out.v, [=](unsigned n) {
            return in(odd, n) ? (upper[n] & 0xffff0000u) | lower[n] >> 16
                              : upper[n] << 16 | (lower[n] & 0xffffu);
        });
}

/// Puts the lower halves of the values into the cells of lanes `where`.
template <class Value>
HWY_INLINE void write_cells(pairs* to, lane_mask odd, lane_mask where, Value value) {
    if (where == all_lanes && odd == 0)
        each_lane(to, [=](unsigned n) { return (to[n] & 0xffff0000u) | (value(n) & 0xffffu); });
    else if (where == all_lanes && odd == all_lanes)
        each_lane(to, [=](unsigned n) { return (to[n] & 0xffffu) | value(n) << 16; });
    else
        each_lane(to, [=](unsigned n) {
            const std::uint32_t as_odd = (to[n] & 0xffffu) | value(n) << 16,
                                as_even = (to[n] & 0xffff0000u) | (value(n) & 0xffffu);
            return !in(where, n) ? to[n] : in(odd, n) ? as_odd : as_even;
        });
}

void write16(pairs* to, lane_mask odd, lane_mask where, const lanes& values) {
    write_cells(to, odd, where, [&](unsigned n) { return values.v[n]; });
}

void write32(pairs* upper, pairs* lower, lane_mask odd, lane_mask where, const lanes& values) {
    write_cells(upper, odd, where, [&](unsigned n) { return values.v[n] >> 16; });
    write_cells(lower, odd, where, [&](unsigned n) { return values.v[n]; });
}

} // namespace HWY_NAMESPACE
} // namespace sfpu::dst
HWY_AFTER_NAMESPACE();

#endif
