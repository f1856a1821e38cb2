// The multiply-add of fma.h by the host's own fused multiply-add, for lanes in which both provably give the
// same bits. The host rounds a * b + c once, correctly. The chip rounds once too, but after cutting the
// product and the operand that it aligns. A few integer comparisons for each lane show that the cuts do not
// matter. If they fail in one lane, nothing is written, and the caller computes the instruction by
// fma_moderate-inl.h.
//
// Notation: |x| is a pattern without its sign, read as a number or as an integer; both have the same order,
// and a step of 2^23 in the integer is a factor of 2. P is the exact product, p the product as the host
// rounds it, r the host's result, m = max(|p|, |c|). u is the unit of the chip's adder: it aligns to the
// larger exponent of product and addend, with the leading one of an addend at 2^26 u, that of a product at
// 2^26 u or 2^27 u. An addend is a multiple of 8 u.
//
// One sticky bit. Let one operand of the adder be exact, an even multiple of u, and the other one cut with a
// sticky bit: if it is no multiple of u, it becomes the odd one of its two neighbours. Then the chip's sum
// and the exact one are equal or lie between the same two even multiples of u. From 2^25 u on, all results
// and the midpoints between them are even multiples of u, so that both sums round alike. (If the exact sum is
// below 2^25 u and rounds to it, the chip's sum is 2^25 u - u, a tie, and rounds to it as well.) The chip
// sets no sticky bit if alignment leaves nothing of an operand. That operand is then less than u, and the
// other one, if it is a multiple of 8 u, is the result for both.
//
// (1) Range: |a|, |b|, |c| < 2^50 and m >= 2^-50. There is no infinity, no NaN and no overflow. A product
// with a
//     subnormal operand is zero for the chip; it is below 2^-76, so that m is |c|, and less than an eighth of
// the last
//     place of c, so that the host rounds it away. The same holds for products that the chip drops as too
// small. By
//     (3), r is normal.
// (2) |p| - |c| <= 2 * 2^23. The product's exponent is at most 2 above that of c, so that alignment leaves c
// exact and
//     even: one sticky bit, that of the product. And c is not subnormal.
// (3) m - |r| <= 2^23, hence |r| >= 2^25 u, because m >= 2^26 u.
//
// A sum a + c is a product by 1, which is not cut. If c is, then |r| >= 2^25 u by itself. If nothing is, the
// chip's sum is exact, and it is +0 for both if it cancels. There remains a condition on the range. A product
// a * b + 0 is cut once and has a condition on the range only. Both hold for Wormhole too: the bit that it
// forgets belongs to sums of 2^28 u and more, which need a product of 2^27 u or more and an addend; and all
// its zeros are +0, as they are here.
//
// float_environment.h sees to the floating-point environment. semantics_fma_host_test.cpp tries the rules on
// all numbers of a small format, and this code on many numbers of the real one.
#if defined(SFPU_ISA_FMA_HOST_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SFPU_ISA_FMA_HOST_INL_H
#undef SFPU_ISA_FMA_HOST_INL_H
#else
#define SFPU_ISA_FMA_HOST_INL_H
#endif

#include "fma_moderate-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfpu::isa {
namespace HWY_NAMESPACE {

// All functions return whether they have written d. It may be an operand.
namespace by_host {

#if !HWY_NATIVE_FMA || HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
inline bool multiply_add(lanes&, const lanes&, const lanes&, const lanes&) { return false; }
inline bool multiply_add(lanes&, lane_operand, lane_operand, lane_operand) { return false; }
inline bool add(lanes&, lane_operand, lane_operand) { return false; }
inline bool multiply(lanes&, lane_operand, lane_operand) { return false; }
#else
using moderate::constant;
using moderate::from;

using moderate::as_float;
using moderate::step;
using moderate::vectors;

HWY_INLINE words magnitude(words x) { return hn::And(x, constant(fma_words.magnitude)); }
HWY_INLINE words host_multiply_add(words a, words b, words c) {
    return hn::BitCast(tag, hn::MulAdd(as_float(a), as_float(b), as_float(c)));
}
HWY_INLINE words host_multiply(words a, words b) {
    return hn::BitCast(tag, hn::Mul(as_float(a), as_float(b)));
}

/// The largest and the smallest of some words, compared as signed integers.
struct extreme {
    words value;
    HWY_INLINE void raise(words x, unsigned n) { value = n == 0 ? x : moderate::signed_max(value, x); }
    HWY_INLINE void lower(words x, unsigned n) { value = n == 0 ? x : moderate::signed_min(value, x); }
    HWY_INLINE auto above(const fma_constants::word& limit) const {
        return hn::Gt(as_signed(value), as_signed(constant(limit)));
    }
    HWY_INLINE auto below(const fma_constants::word& limit) const {
        return hn::Lt(as_signed(value), as_signed(constant(limit)));
    }
};
template <class Mask>
HWY_INLINE bool nowhere(Mask mask) {
    return hn::AllFalse(signed_tag, mask);
}

HWY_INLINE void store(lanes& d, const words (&r)[vectors]) {
#pragma GCC unroll 8
    for (unsigned n = 0; n < vectors; ++n) hn::Store(r[n], tag, &d.v[n * step]);
}

template <bool Flips>
HWY_INLINE bool multiply_add_lanes(lanes& d, const lanes& a, const lanes& b, const lanes& c,
                                   std::uint32_t flip_product, std::uint32_t flip_c) {
    words r[vectors];
    extreme operand, larger, distance, cancelled;
    // (2) and the lower limit of (1) fail most. Where they do, they mostly do in the first lanes.
#pragma GCC unroll 8
    for (unsigned n = 0; n < vectors; ++n) {
        r[n] = magnitude(host_multiply(from(a, n * step), from(b, n * step)));
        const words q = magnitude(from(c, n * step));
        distance.raise(hn::Sub(r[n], q), n);
        if (n != 0) continue;
        const extreme m{moderate::signed_max(r[0], q)};
        if (!nowhere(hn::Or(distance.above(fma_words.two_steps), m.below(fma_words.two_to_minus_50))))
            return false;
    }
    if (!nowhere(distance.above(fma_words.two_steps))) return false;
    HWY_FENCE; // the operands are better read twice than kept: there are too few registers
#pragma GCC unroll 8
    for (unsigned n = 0; n < vectors; ++n) {
        const words x = from(a, n * step), y = from(b, n * step), z = from(c, n * step), q = magnitude(z),
                    m = moderate::signed_max(r[n], q);
        r[n] = Flips ? host_multiply_add(hn::Xor(x, hn::Set(tag, flip_product)), y,
                                         hn::Xor(z, hn::Set(tag, flip_c)))
                     : host_multiply_add(x, y, z);
        operand.raise(moderate::signed_max(q, moderate::signed_max(magnitude(x), magnitude(y))), n);
        larger.lower(m, n);
        cancelled.raise(hn::Sub(m, magnitude(r[n])), n);
    }
    const bool good = nowhere(
        hn::Or(hn::Or(operand.above(fma_words.below_2_to_50), larger.below(fma_words.two_to_minus_50)),
               cancelled.above(fma_words.hidden_one)));
    if (good) store(d, r);
    return good;
}

/// d = a * b + c, Blackhole only.
HWY_INLINE bool multiply_add(lanes& d, const lanes& a, const lanes& b, const lanes& c) {
    return multiply_add_lanes<false>(d, a, b, c, 0, 0);
}
HWY_INLINE bool multiply_add(lanes& d, lane_operand a, lane_operand b, lane_operand c) {
    return multiply_add_lanes<true>(d, a.reg, b.reg, c.reg, a.flip ^ b.flip, c.flip);
}

/// d = a * 1 + c.
HWY_INLINE bool add(lanes& d, lane_operand a, lane_operand c) {
    const words flip_a = hn::Set(tag, a.flip), flip_c = hn::Set(tag, c.flip);
    words r[vectors];
    extreme largest, smallest;
#pragma GCC unroll 8
    for (unsigned n = 0; n < vectors; ++n) {
        const words x = hn::Xor(from(a.reg, n * step), flip_a), z = hn::Xor(from(c.reg, n * step), flip_c);
        r[n] = hn::BitCast(tag, hn::Add(as_float(x), as_float(z)));
        const words m = moderate::signed_max(magnitude(x), magnitude(z));
        largest.raise(m, n);
        smallest.lower(m, n);
    }
    const bool good =
        nowhere(hn::Or(largest.above(fma_words.below_2_to_126), smallest.below(fma_words.two_to_minus_96)));
    if (good) store(d, r);
    return good;
}

/// d = a * b + 0. One factor is zero, or both are at least 2^-62 and their product is at least 2^-124.
HWY_INLINE bool multiply(lanes& d, lane_operand a, lane_operand b) {
    const words flip = hn::Set(tag, a.flip ^ b.flip);
    words r[vectors], smallest;
    extreme product;
#pragma GCC unroll 8
    for (unsigned n = 0; n < vectors; ++n) {
        const words x = from(a.reg, n * step), y = from(b.reg, n * step);
        r[n] = host_multiply_add(hn::Xor(x, flip), y, hn::Zero(tag));
        product.raise(magnitude(r[n]), n);
        // Twice the pattern has no sign; less 1, a zero becomes the largest word.
        const words smaller = hn::Sub(hn::Min(hn::Add(x, x), hn::Add(y, y)), constant(fma_words.one));
        smallest = n == 0 ? smaller : hn::Min(smallest, smaller);
    }
    const words limit = constant(fma_words.least_factor);
    const bool good = nowhere(product.above(fma_words.below_2_to_126)) &&
                      hn::AllTrue(tag, hn::Eq(hn::Min(smallest, limit), limit));
    if (good) store(d, r);
    return good;
}
#endif

} // namespace by_host
} // namespace HWY_NAMESPACE
} // namespace sfpu::isa
HWY_AFTER_NAMESPACE();

#endif
