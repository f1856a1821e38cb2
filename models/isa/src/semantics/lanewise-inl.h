// How semantics run over lanes. Compiled once for each vector instruction set (see table.cpp): the loops below are
// plain lane loops that the compiler turns into vector code of that set.
#if defined(SFPU_ISA_LANEWISE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SFPU_ISA_LANEWISE_INL_H
#undef SFPU_ISA_LANEWISE_INL_H
#else
#define SFPU_ISA_LANEWISE_INL_H
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sfpu::isa {
namespace HWY_NAMESPACE {

/// out[lane] = f(lane). Sources and destination may be the same register: each lane depends on itself only.
template <class F>
HWY_INLINE void each_lane(lanes& out, F f) {
#pragma GCC ivdep
    for (unsigned n = 0; n < lane_count; ++n) out.v[n] = f(n);
}

/// The lanes in which f(lane) holds.
template <class F>
HWY_INLINE lane_mask lanes_where(F f) {
    lane_mask result = 0;
    for (unsigned n = 0; n < lane_count; ++n) result |= static_cast<lane_mask>(f(n)) << n;
    return result;
}

/// Writes VD = f(lane) in the enabled lanes; nothing if VD is read-only.
template <class F>
HWY_INLINE void write_vd(execution& x, const instruction& i, F f) {
    if (writable(i.vd)) each_lane(x.result(i.vd), f);
}

/// Whether the lane's bit is set, as a full-width condition.
HWY_INLINE bool lane_in(lane_mask mask, unsigned n) { return (mask >> n) & 1u; }

/// Sign-magnitude order, which is also the total order of FP32: -NaN < -Inf < ... < -0 < +0 < ... < +NaN.
HWY_INLINE bool sign_magnitude_less(std::uint32_t a, std::uint32_t b) {
    const auto key = [](std::uint32_t v) {
        return static_cast<std::int32_t>(
            v ^ (static_cast<std::uint32_t>(static_cast<std::int32_t>(v) >> 31) >> 1));
    };
    return key(a) < key(b);
}

/// Returns the random bits of the lanes and steps the generator of the lanes in `mask`.
HWY_INLINE lanes advance_prng(execution& x, lane_mask mask) {
    const lanes before = x.state.prng;
    for (unsigned n = 0; n < lane_count; ++n)
        x.state.prng.v[n] = lane_in(mask, n) ? prng_next(before.v[n]) : before.v[n];
    return before;
}

} // namespace HWY_NAMESPACE
} // namespace sfpu::isa
HWY_AFTER_NAMESPACE();

#endif
