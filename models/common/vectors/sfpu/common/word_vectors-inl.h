// Lanes as Highway vectors of 32-bit words, for what a plain lane loop does not express: halves of words.
// Compiled once for each vector instruction set, like the files that include it.
#if defined(SFPU_COMMON_WORD_VECTORS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SFPU_COMMON_WORD_VECTORS_INL_H
#undef SFPU_COMMON_WORD_VECTORS_INL_H
#else
#define SFPU_COMMON_WORD_VECTORS_INL_H
#endif

#include <sfpu/common/types.h>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sfpu::vectors {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using word_tag = hn::CappedTag<std::uint32_t, 8>;
using words = hn::Vec<word_tag>;
constexpr word_tag tag{};

/// to[n] = f(n) for all lanes; f gives the lanes of a vector from n on.
template <class F>
HWY_INLINE void each_vector(std::uint32_t* to, F f) {
#pragma GCC unroll 8
    for (unsigned n = 0; n < lane_count; n += static_cast<unsigned>(hn::Lanes(tag)))
        hn::StoreU(f(n), tag, to + n);
}
HWY_INLINE words at(const std::uint32_t* from, unsigned n) { return hn::LoadU(tag, from + n); }

/// Words of the upper half of one and the lower half of the other.
HWY_INLINE words halves(words upper, words lower) {
#if HWY_TARGET == HWY_SCALAR // has no vectors of halves
    return hn::Or(hn::And(upper, hn::Set(tag, 0xffff0000u)), hn::And(lower, hn::Set(tag, 0xffffu)));
#else
    constexpr hn::RepartitionToNarrow<word_tag> half_tag{};
    return hn::BitCast(tag, hn::OddEven(hn::BitCast(half_tag, upper), hn::BitCast(half_tag, lower)));
#endif
}

/// The bits of `yes` where `mask` has ones, else those of `no`.
HWY_INLINE words choose_bits(std::uint32_t mask, words yes, words no) {
    const words ones = hn::Set(tag, mask);
    return hn::Or(hn::And(ones, yes), hn::AndNot(ones, no));
}

/// `yes` in the lanes of a mask, else `no`.
HWY_INLINE words choose_lanes(lane_mask mask, unsigned n, words yes, words no) {
    alignas(64) static constexpr auto bits = [] {
        lanes each{};
        for (unsigned lane = 0; lane < lane_count; ++lane) each.v[lane] = 1u << lane;
        return each;
    }();
    return hn::IfThenElse(hn::TestBit(hn::Set(tag, mask), at(bits.v, n)), yes, no);
}

/// As signed numbers, shifted right.
template <int Bits>
HWY_INLINE words shift_right_signed(words a) {
    return hn::BitCast(tag, hn::ShiftRight<Bits>(hn::BitCast(hn::RebindToSigned<word_tag>{}, a)));
}

} // namespace HWY_NAMESPACE
} // namespace sfpu::vectors
HWY_AFTER_NAMESPACE();

#endif
