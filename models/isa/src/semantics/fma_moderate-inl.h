// The multiply-add of fma.h for lanes whose values are moderate, which is nearly always: no infinities or NaNs, nothing
// that overflows, becomes subnormal or is zero as a whole. Eight lanes of AVX2 take some sixty instructions, a quarter
// of what the general algorithm takes. Whoever calls it computes the instruction by the general algorithm if any lane
// is not moderate, so that the two can differ in speed only; a unit test compares them.
//
// Why the last steps may use floating-point instructions of the host: converting an integer below 2^29 to FP32 rounds
// to nearest, ties to even, as both chips do with the sum of the aligned mantissas; multiplying by a power of two and
// adding +0 are then exact. Only the default rounding mode is assumed.
#if defined(SFPU_ISA_FMA_MODERATE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SFPU_ISA_FMA_MODERATE_INL_H
#undef SFPU_ISA_FMA_MODERATE_INL_H
#else
#define SFPU_ISA_FMA_MODERATE_INL_H
#endif

#include "fma_constants.h"

#include <sfpu/common/word_vectors-inl.h>

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace sfpu::isa {
namespace HWY_NAMESPACE {

/// An operand of a multiply-add: the lanes of a register with the sign perhaps flipped.
struct lane_operand {
    const lanes& reg;
    std::uint32_t flip; ///< the sign bit or 0
    HWY_INLINE std::uint32_t operator[](unsigned n) const { return reg.v[n] ^ flip; }
};

namespace moderate {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
// Without vectors there is nothing to gain: the compiler vectorises the general algorithm as far as it can.
template <bool Wormhole>
bool multiply_add(lanes&, const lanes&, const lanes&, const lanes&) {
    return false;
}
inline bool multiply_add(lanes&, lane_operand, lane_operand, lane_operand) { return false; }
inline bool multiply(lanes&, lane_operand, lane_operand) { return false; }
#else
// d = a * b + c and d = a * b + 0. Only Blackhole flips signs. False, and d is worthless, if not all lanes are moderate.
// d must be no operand.

namespace hn = hwy::HWY_NAMESPACE;
using vectors::HWY_NAMESPACE::tag;
using vectors::HWY_NAMESPACE::word_tag;
using vectors::HWY_NAMESPACE::words;
constexpr hn::RebindToSigned<word_tag> signed_tag{};
constexpr hn::RebindToFloat<word_tag> float_tag{};
constexpr hn::RepartitionToWide<word_tag> wide_tag{};

/// Constants are read from memory: made from immediates they would cost more than the work of a vector.
HWY_INLINE words constant(const fma_constants::word& value) { return hn::Load(tag, value.lanes); }

HWY_INLINE words from(const lanes& a, unsigned n) { return hn::Load(tag, &a.v[n]); }

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
/// Signed comparisons and choices; exponents below 0 exist.
HWY_INLINE words signed_max(words a, words b) {
    return hn::BitCast(tag, hn::Max(hn::BitCast(signed_tag, a), hn::BitCast(signed_tag, b)));
}
HWY_INLINE words signed_min(words a, words b) {
    return hn::BitCast(tag, hn::Min(hn::BitCast(signed_tag, a), hn::BitCast(signed_tag, b)));
}
HWY_INLINE words if_negative(words which, words yes, words no) {
    return hn::BitCast(tag,
                       hn::IfNegativeThenElse(hn::BitCast(signed_tag, which), hn::BitCast(signed_tag, yes),
                                              hn::BitCast(signed_tag, no)));
}
HWY_INLINE words all_ones_if_negative(words a) {
    return hn::BitCast(tag, hn::ShiftRight<31>(hn::BitCast(signed_tag, a)));
}

/// Biased exponent, left at its place in the word.
HWY_INLINE words exponent_of(words x) { return hn::And(x, constant(fma_words.exponent_mask)); }
/// Mantissa with hidden one, its 24 bits on top.
HWY_INLINE words mantissa_on_top(words x) {
    return hn::ShiftLeft<8>(hn::Or(x, constant(fma_words.hidden_one)));
}

/// The odd lanes in the places of the even ones.
HWY_INLINE words odd_lanes(words a) { return hn::BitCast(tag, hn::ShiftRight<32>(hn::BitCast(wide_tag, a))); }

/// The upper words of the products of a and b.
HWY_INLINE words upper_product(words a, words b) {
    const auto even = hn::MulEven(a, b), odd = hn::MulEven(odd_lanes(a), odd_lanes(b));
    return hn::OddEven(hn::BitCast(tag, odd), hn::BitCast(tag, hn::ShiftRight<32>(even)));
}
/// Product of the mantissas, cut to its upper 28 bits with a sticky lowest bit.
HWY_INLINE words product_of_mantissas(words x, words y) {
    const words a = mantissa_on_top(x), b = hn::ShiftRight<4>(mantissa_on_top(y));
    return hn::Or(upper_product(a, b), hn::Min(hn::Mul(a, b), constant(fma_words.one)));
}

/// Whether lanes are moderate, gathered over all of them.
struct judgement {
    words largest;  ///< of the operands' exponents
    words smallest; ///< signed; of the exponents in front of the rounding

    HWY_INLINE judgement() : largest(hn::Zero(tag)), smallest(constant(fma_words.largest)) {}
    HWY_INLINE void operand(words exponent) { largest = hn::Max(largest, exponent); }
    HWY_INLINE void result(words exponent) { smallest = signed_min(smallest, exponent); }
    HWY_INLINE bool good() const {
        // Operands below 2^63 keep products and sums below 2^127. From 2^-99 on, an operand that is zero or ought to
        // vanish beside the other is at least 28 places away, and cancellation leaves a normal number or zero.
        const words upper = constant(fma_words.operand_limit), lower = constant(fma_words.result_limit);
        return hn::AllTrue(
            tag, hn::And(hn::Eq(hn::Max(largest, upper), upper), hn::Eq(signed_min(smallest, lower), lower)));
    }
};

/// value * 2^(exponent - 153), value below 2^29 with sign; a negative zero becomes +0.
HWY_INLINE words round_and_scale(words value, words sign, words exponent) {
    const auto rounded = hn::ConvertTo(float_tag, hn::BitCast(signed_tag, value));
    const words with_sign = hn::Xor(hn::BitCast(tag, rounded), hn::And(sign, constant(fma_words.sign)));
    const words scale = hn::Sub(exponent, constant(fma_words.scale_offset));
    return hn::BitCast(tag, hn::MulAdd(hn::BitCast(float_tag, with_sign), hn::BitCast(float_tag, scale),
                                       hn::Zero(float_tag)));
}

/// x * y + z for a vector of lanes. The flips change the signs of the product and of z.
template <bool Wormhole, bool Flips>
HWY_INLINE words multiply_add_words(words x, words y, words z, words flip_product, words flip_z,
                                    judgement& judge) {
    const words x_exponent = exponent_of(x), y_exponent = exponent_of(y), q_exponent = exponent_of(z);
    for (const words exponent : {x_exponent, y_exponent, q_exponent}) judge.operand(exponent);
    const words p = product_of_mantissas(x, y), q = hn::ShiftRight<5>(mantissa_on_top(z));

    // The product of a zero or subnormal operand gets an exponent below all others, so that alignment removes it; an
    // addend of that kind has exponent 0 and goes the same way.
    const words no_product = hn::VecFromMask(tag, hn::Eq(hn::Min(x_exponent, y_exponent), hn::Zero(tag)));
    const words p_exponent =
        hn::Or(no_product, hn::Sub(hn::Add(x_exponent, y_exponent), constant(fma_words.bias)));

    // Align to the larger exponent.
    const words difference = hn::Sub(p_exponent, q_exponent), exponent = signed_max(p_exponent, q_exponent);
    judge.result(exponent);
    const words larger = if_negative(difference, q, p), smaller = if_negative(difference, p, q);
    const words distance = hn::ShiftRight<23>(hn::BitCast(tag, hn::Abs(hn::BitCast(signed_tag, difference))));
    const words kept = shift_right(smaller, distance);
    const words lost = hn::Xor(shift_left(kept, distance), smaller);
    const words aligned = hn::Or(kept, hn::Min(hn::Min(lost, kept), constant(fma_words.one)));

    // Add or subtract.
    words product_sign = hn::Xor(x, y), addend_sign = z;
    if (Flips) {
        product_sign = hn::Xor(product_sign, flip_product);
        addend_sign = hn::Xor(addend_sign, flip_z);
    }
    const words subtract = all_ones_if_negative(hn::Xor(product_sign, addend_sign));
    words sum = hn::Add(larger, hn::Sub(hn::Xor(aligned, subtract), subtract));
    if (Wormhole) { // forgets the upper one of two bits that it shifts out
        const words two = hn::VecFromMask(
            tag, hn::RebindMask(tag, hn::Gt(hn::BitCast(signed_tag, sum),
                                            hn::BitCast(signed_tag, constant(fma_words.below_2_to_28)))));
        sum = hn::AndNot(hn::And(two, constant(fma_words.two)), sum);
    }
    return round_and_scale(sum, if_negative(difference, addend_sign, product_sign), exponent);
}

/// x * y + 0 for a vector of lanes.
HWY_INLINE words multiply_words(words x, words y, words flip, judgement& judge) {
    const words x_exponent = exponent_of(x), y_exponent = exponent_of(y);
    judge.operand(x_exponent);
    judge.operand(y_exponent);
    const words exponent = hn::Sub(hn::Add(x_exponent, y_exponent), constant(fma_words.bias));
    const auto no_product = hn::Eq(hn::Min(x_exponent, y_exponent), hn::Zero(tag));
    judge.result(hn::IfThenElse(no_product, constant(fma_words.largest), exponent));
    const words rounded = round_and_scale(product_of_mantissas(x, y), hn::Xor(hn::Xor(x, y), flip), exponent);
    return hn::IfThenZeroElse(no_product, rounded);
}

/// d = f(n, judgement), vector by vector.
template <class F>
HWY_INLINE bool each_vector(lanes& d, F f) {
    judgement judge;
#pragma GCC unroll 8
    for (unsigned n = 0; n < lane_count; n += static_cast<unsigned>(hn::MaxLanes(tag)))
        hn::Store(f(n, judge), tag, &d.v[n]);
    return judge.good();
}

template <bool Wormhole>
HWY_INLINE bool multiply_add(lanes& d, const lanes& a, const lanes& b, const lanes& c) {
    const words no_flip = hn::Zero(tag);
    return each_vector(d, [&](unsigned n, judgement& judge) HWY_ATTR {
        return multiply_add_words<Wormhole, false>(from(a, n), from(b, n), from(c, n), no_flip, no_flip,
                                                   judge);
    });
}
HWY_INLINE bool multiply_add(lanes& d, lane_operand a, lane_operand b, lane_operand c) {
    const words flip_product = hn::Set(tag, a.flip ^ b.flip), flip_c = hn::Set(tag, c.flip);
    return each_vector(d, [&](unsigned n, judgement& judge) HWY_ATTR {
        return multiply_add_words<false, true>(from(a.reg, n), from(b.reg, n), from(c.reg, n), flip_product,
                                               flip_c, judge);
    });
}
HWY_INLINE bool multiply(lanes& d, lane_operand a, lane_operand b) {
    const words flip = hn::Set(tag, a.flip ^ b.flip);
    return each_vector(d, [&](unsigned n, judgement& judge) HWY_ATTR {
        return multiply_words(from(a.reg, n), from(b.reg, n), flip, judge);
    });
}
#endif

} // namespace moderate
} // namespace HWY_NAMESPACE
} // namespace sfpu::isa
HWY_AFTER_NAMESPACE();

#endif
