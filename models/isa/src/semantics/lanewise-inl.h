// How semantics run over lanes. Compiled once for each vector instruction set (see table.cpp): the loops
// below are plain lane loops that the compiler turns into vector code of that set.
#if defined(SFPU_ISA_LANEWISE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SFPU_ISA_LANEWISE_INL_H
#undef SFPU_ISA_LANEWISE_INL_H
#else
#define SFPU_ISA_LANEWISE_INL_H
#endif

#include <sfpu/common/word_vectors-inl.h>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sfpu::isa {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using vectors::HWY_NAMESPACE::at;
using vectors::HWY_NAMESPACE::each_vector;
using vectors::HWY_NAMESPACE::tag;
using vectors::HWY_NAMESPACE::word_tag;
using vectors::HWY_NAMESPACE::words;
constexpr hn::RebindToSigned<word_tag> signed_tag{};

/// a >> n and a << n by lane, 0 for n of 32 and more.
HWY_INLINE words shift_right(words a, words n) {
#if HWY_TARGET == HWY_AVX2 // does that by itself
    return hn::Shr(a, n);
#else
    return hn::IfThenElseZero(hn::Lt(n, hn::Set(tag, 32)), hn::Shr(a, hn::And(n, hn::Set(tag, 31))));
#endif
}
HWY_INLINE words shift_left(words a, words n) {
#if HWY_TARGET == HWY_AVX2
    return hn::Shl(a, n);
#else
    return hn::IfThenElseZero(hn::Lt(n, hn::Set(tag, 32)), hn::Shl(a, hn::And(n, hn::Set(tag, 31))));
#endif
}
HWY_INLINE auto as_signed(words a) { return hn::BitCast(signed_tag, a); }
/// yes where the highest bit of `which` is set, else no.
HWY_INLINE words if_negative(words which, words yes, words no) {
    return hn::BitCast(tag, hn::IfNegativeThenElse(as_signed(which), as_signed(yes), as_signed(no)));
}
HWY_INLINE words all_ones_if_negative(words a) { return hn::BitCast(tag, hn::ShiftRight<31>(as_signed(a))); }
/// Whether a < limit, for words below 2^31: a signed comparison is what processors have.
HWY_INLINE auto below(words a, std::uint32_t limit) {
    return hn::RebindMask(tag, hn::Lt(as_signed(a), as_signed(hn::Set(tag, limit))));
}

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

/// The same vector by vector, nothing if VD is read-only. f gives the lanes from n on.
template <class F>
HWY_INLINE void write_vectors(execution& x, const instruction& i, F f) {
    if (writable(i.vd)) each_vector(x.result(i.vd).v, f);
}

/// prng_next() of a vector: the sum of bits 0, 1, 21 and 31, complemented, comes in from above.
HWY_INLINE words next_random(words a) {
    const words sum =
        hn::Xor(hn::Xor(a, hn::ShiftLeft<31>(a)), hn::Xor(hn::ShiftLeft<30>(a), hn::ShiftLeft<10>(a)));
    return hn::Or(hn::AndNot(sum, hn::Set(tag, 0x80000000u)), hn::ShiftRight<1>(a));
}
/// Steps the generator of the lanes in `mask`.
HWY_INLINE void step_prng(execution& x, lane_mask mask) {
    std::uint32_t* prng = x.state.prng.v;
    if (mask == all_lanes) {
        each_vector(prng, [&](unsigned n) HWY_ATTR { return next_random(at(prng, n)); });
    } else {
        each_vector(prng, [&](unsigned n) HWY_ATTR {
            return vectors::HWY_NAMESPACE::choose_lanes(mask, n, next_random(at(prng, n)), at(prng, n));
        });
    }
}
/// Returns the random bits of the lanes and steps the generator of the lanes in `mask`.
HWY_INLINE lanes advance_prng(execution& x, lane_mask mask) {
    const lanes before = x.state.prng;
    step_prng(x, mask);
    return before;
}

} // namespace HWY_NAMESPACE
} // namespace sfpu::isa
HWY_AFTER_NAMESPACE();

#endif
