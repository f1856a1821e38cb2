// The multiply-add of fma.h for lanes whose values are moderate, which is nearly always: no infinities or
// NaNs, nothing that overflows or becomes subnormal. Eight lanes of AVX2 take some forty instructions, a
// sixth of what the general algorithm takes. Whoever calls it computes the instruction by the general
// algorithm if any lane is not moderate, so that the two can differ in speed only; unit tests compare them.
//
// a * b + c: scaled by a power of two, the chip's adder works on integers. Its unit u is 2^-26 of the larger
// exponent, that of a times that of b or that of c, and becomes 1. Then a * b is below 2^28 and c below 2^27.
// * The host's product and its error, which a fused multiply-add gives, are a * b exactly. If the product is
// 2^23 or more,
//   it is an integer, so that the error has all that lies behind the point: cut with a sticky bit, that is to
// the odd one
//   of two neighbours, a * b is the sum of the two integers with its lowest bit set if anything was cut. An
// addend is cut
//   alike, and is nothing if it is below 1. The sum of both is the chip's, and converting it to FP32 rounds
// it as the
//   chips do, to nearest, ties to even; scaling back is exact.
// * If the product is below 2^23, c is at least 2^26 and a multiple of 8. One operand is exact then and the
// sum above
//   2^25, so that the cut of the product cannot matter (fma_host-inl.h says why) and the host's multiply-add
// of a, b and c
//   is right.
// Operands are below 2^50 and the larger exponent is at least -50. Nothing of the above overflows or loses
// bits then, and products that the chip drops, with a subnormal factor or an exponent below 0, are rounded
// away beside c. That is the form for operands of any sizes; a variant of it also takes lanes with a product
// of that kind beside any c.
//
// Most sums are of like sizes: the exponent of c is at most 3 above that of the product (the sum of the
// factors'), so that the product is 2^23 or more, and at most 26 below it, so that c is 1 or more and not
// subnormal. What the other form does about smaller ones is left out, and the results stay in registers until
// all lanes are known to be good. The product's exponent is at least -50 then, and the factors are below
// 2^50: they are above 2^-100, and c is below 2^102. Scaled factors are normal and below 2^126, and the last
// bit of the product's error is 2^-23 or more.
//
// a * b + 0: integer arithmetic; the rounding of a conversion to FP32 is the chips' here too, and the
// multiplication by a power of two is exact. float_environment.h sees to the rounding mode.
#if defined(SFPU_ISA_FMA_MODERATE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SFPU_ISA_FMA_MODERATE_INL_H
#undef SFPU_ISA_FMA_MODERATE_INL_H
#else
#define SFPU_ISA_FMA_MODERATE_INL_H
#endif

#include "fma_constants.h"
#include "lanewise-inl.h"

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

#if !HWY_NATIVE_FMA || HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
// Without vectors there is nothing to gain: the compiler vectorises the general algorithm as far as it can.
template <bool Wormhole, bool AnyAddend, bool LooksFirst = true>
bool multiply_add_unlike(lanes&, const lanes&, const lanes&, const lanes&) {
    return false;
}
template <bool Wormhole>
bool multiply_add(lanes&, const lanes&, const lanes&, const lanes&) {
    return false;
}
inline bool multiply_add(lanes&, lane_operand, lane_operand, lane_operand) { return false; }
template <bool Wormhole, bool LooksFirst = true>
bool multiply_add_alike(lanes&, const lanes&, const lanes&, const lanes&) {
    return false;
}
inline bool multiply_add_alike(lanes&, lane_operand, lane_operand, lane_operand) { return false; }
inline bool multiply(lanes&, lane_operand, lane_operand) { return false; }
#else
// d = a * b + c and d = a * b + 0. Only Blackhole flips signs. False, and d is worthless, if not all lanes
// are moderate. d must be no operand.

constexpr hn::RebindToFloat<word_tag> float_tag{};
constexpr hn::RepartitionToWide<word_tag> wide_tag{};

/// Constants are read from memory: made from immediates they would cost more than the work of a vector.
HWY_INLINE words constant(const fma_constants::word& value) { return hn::Load(tag, value.lanes); }

HWY_INLINE words from(const lanes& a, unsigned n) { return hn::Load(tag, &a.v[n]); }

/// Signed comparisons and choices.
HWY_INLINE words signed_max(words a, words b) {
    return hn::BitCast(tag, hn::Max(hn::BitCast(signed_tag, a), hn::BitCast(signed_tag, b)));
}
HWY_INLINE words signed_min(words a, words b) {
    return hn::BitCast(tag, hn::Min(hn::BitCast(signed_tag, a), hn::BitCast(signed_tag, b)));
}

/// Biased exponent, left at its place in the word.
HWY_INLINE words exponent_of(words x) { return hn::And(x, constant(fma_words.exponent_mask)); }
/// Mantissa with hidden one, its 24 bits on top.
HWY_INLINE words mantissa_on_top(words x) {
    return hn::ShiftLeft<8>(hn::Or(x, constant(fma_words.hidden_one)));
}

/// Biased exponent of a product, at the same place; 0 if it is lower. A signed one would not do: it may be
/// 314 below that of an addend, and their difference would not fit into the word. Exponents stand in the
/// upper halves of words.
HWY_INLINE words product_exponent(words x_exponent, words y_exponent) {
    constexpr hn::RepartitionToNarrow<word_tag> half_tag{};
    return hn::BitCast(tag, hn::SaturatedSub(hn::BitCast(half_tag, hn::Add(x_exponent, y_exponent)),
                                             hn::BitCast(half_tag, constant(fma_words.bias))));
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
    HWY_INLINE bool good(const fma_constants::word& most, const fma_constants::word& least) const {
        const words upper = constant(most), lower = constant(least);
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

using floats = hn::Vec<decltype(float_tag)>;
HWY_INLINE floats as_float(words x) { return hn::BitCast(float_tag, x); }
/// An integer that is one already, below 2^31.
HWY_INLINE words to_integer(floats x) {
#if HWY_TARGET == HWY_AVX2 // Highway's conversion looks after larger numbers too
    return hn::BitCast(tag, hn::Vec256<std::int32_t>{_mm256_cvtps_epi32(x.raw)});
#else
    return hn::BitCast(tag, hn::ConvertTo(signed_tag, x));
#endif
}
/// 1 where x is not the integer below it, else 0.
HWY_INLINE words sticky(floats x, floats below) {
    return hn::ShiftRight<31>(hn::BitCast(tag, hn::VecFromMask(float_tag, hn::Ne(x, below))));
}

/// The sum of the chip's adder, as FP32. Wormhole forgets the upper one of two bits that it shifts out.
template <bool Wormhole>
HWY_INLINE floats round_sum(words sum) {
    if (!Wormhole) return hn::ConvertTo(float_tag, as_signed(sum));
    const words magnitude = hn::BitCast(tag, hn::Abs(as_signed(sum)));
    const words two =
        hn::BitCast(tag, hn::VecFromMask(signed_tag, hn::Gt(as_signed(magnitude),
                                                            as_signed(constant(fma_words.below_2_to_28)))));
    const words kept = hn::AndNot(hn::And(two, constant(fma_words.two)), magnitude);
    const words rounded = hn::BitCast(tag, hn::ConvertTo(float_tag, as_signed(kept)));
    return as_float(hn::Or(rounded, hn::And(sum, constant(fma_words.sign))));
}

/// What is left where there is no product: the addend, if it is not zero or subnormal, else a zero.
template <bool Wormhole>
HWY_INLINE words only_addend(words x, words y, words z, words z_exponent) {
    const words zero =
        Wormhole ? hn::Zero(tag) : hn::And(hn::And(hn::Xor(x, y), z), constant(fma_words.sign));
    return hn::IfThenElse(hn::Eq(z_exponent, hn::Zero(tag)), zero, z);
}

/// The scaled product of the factors, as the integer that the chip's adder sees; `a` is scaled already.
HWY_INLINE words product_for_adder(floats product, floats a, floats b) {
    const floats error = hn::MulSub(a, b, product), below = hn::Floor(error);
    return hn::Or(hn::Add(to_integer(product), to_integer(below)), sticky(error, below));
}
/// The scaled addend, nothing or 1 and more, as that integer.
HWY_INLINE words addend_for_adder(floats addend) {
    const floats below = hn::Floor(addend);
    return hn::Or(to_integer(below), sticky(addend, below));
}

/// x * y + z for a vector of lanes of any sizes; `AnyAddend` is the variant.
template <bool Wormhole, bool AnyAddend>
HWY_INLINE words multiply_add_words(words x, words y, words z, judgement& judge) {
    const words x_exponent = exponent_of(x), y_exponent = exponent_of(y), z_exponent = exponent_of(z);
    const words exponent = hn::Max(product_exponent(x_exponent, y_exponent), z_exponent);
    judge.operand(hn::Max(x_exponent, y_exponent));
    judge.operand(z_exponent);
    const auto no_product = hn::Eq(hn::Min(x_exponent, y_exponent), hn::Zero(tag));
    judge.result(AnyAddend ? hn::IfThenElse(no_product, constant(fma_words.largest), exponent) : exponent);

    const floats a = as_float(x), b = as_float(y), c = as_float(z);
    const floats scale = as_float(hn::Sub(constant(fma_words.scale_sum), exponent));
    const floats scaled_a = hn::Mul(a, scale), scaled_c = hn::Mul(c, scale);
    const floats product = hn::Mul(scaled_a, b);
    const floats addend =
        hn::IfThenElseZero(hn::Ge(hn::Abs(scaled_c), as_float(constant(fma_words.float_one))), scaled_c);
    const words p = product_for_adder(product, scaled_a, b), q = addend_for_adder(addend);
    const floats sum = hn::Mul(round_sum<Wormhole>(hn::Add(p, q)),
                               as_float(hn::Sub(exponent, constant(fma_words.scale_offset))));

    const auto is_integer = hn::Ge(hn::Abs(product), as_float(constant(fma_words.two_to_23)));
    const words result = hn::BitCast(tag, hn::IfThenElse(is_integer, sum, hn::MulAdd(a, b, c)));
    if (!AnyAddend) return result;
    return hn::IfThenElse(no_product, only_addend<Wormhole>(x, y, z, z_exponent), result);
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

constexpr unsigned step = static_cast<unsigned>(hn::MaxLanes(tag));

constexpr unsigned vectors = lane_count / step;

/// Whether lanes are of like sizes, gathered over all of them: exponents, compared as signed integers.
struct like_sizes {
    words factor, product, above,
        below; ///< `above` and `below`: what that of c has beyond that of the product
    HWY_INLINE void add(unsigned n, words factors, words of_product, words of_c) {
        const words beyond = hn::Sub(of_c, of_product);
        factor = n == 0 ? factors : signed_max(factor, factors);
        product = n == 0 ? of_product : signed_min(product, of_product);
        above = n == 0 ? beyond : signed_max(above, beyond);
        below = n == 0 ? beyond : signed_min(below, beyond);
    }
    HWY_INLINE bool good() const {
        const auto is_more = [](words x, const fma_constants::word& than)
                                 HWY_ATTR { return hn::Gt(as_signed(x), as_signed(constant(than))); };
        const auto is_less = [](words x, const fma_constants::word& than)
                                 HWY_ATTR { return hn::Lt(as_signed(x), as_signed(constant(than))); };
        return hn::AllFalse(signed_tag, hn::Or(hn::Or(is_more(factor, fma_words.sum_operand_limit),
                                                      is_less(product, fma_words.sum_limit)),
                                               hn::Or(is_more(above, fma_words.three_exponents),
                                                      is_less(below, fma_words.minus_26_exponents))));
    }
};

// d = a * b + c in the two forms; the flips change signs of a and c.

/// d may be an operand, and is written only if all lanes are good. `LooksFirst`: gives up behind the first
/// vector if that is not; else whoever calls it knows of no reason for that.
template <bool Wormhole, bool Flips, bool LooksFirst>
HWY_INLINE bool multiply_add_of_like_sizes(lanes& d, const lanes& a, const lanes& b, const lanes& c,
                                           std::uint32_t flip_a, std::uint32_t flip_c) {
    const auto first = [=](words x) HWY_ATTR { return Flips ? hn::Xor(x, hn::Set(tag, flip_a)) : x; };
    const auto third = [=](words z) HWY_ATTR { return Flips ? hn::Xor(z, hn::Set(tag, flip_c)) : z; };
    words exponent[vectors];
    like_sizes judge;
#pragma GCC unroll 8
    for (unsigned n = 0; n < vectors; ++n) {
        const words x_exponent = exponent_of(from(a, n * step)), y_exponent = exponent_of(from(b, n * step)),
                    z_exponent = exponent_of(from(c, n * step));
        const words p_exponent = product_exponent(x_exponent, y_exponent);
        judge.add(n, hn::Max(x_exponent, y_exponent), p_exponent, z_exponent);
        // Mostly all vectors are alike, so that the first one tells whether to go on.
        if (LooksFirst && n == 0 && !judge.good()) return false;
        exponent[n] = hn::Max(p_exponent, z_exponent);
    }
    if (!judge.good()) return false;
    HWY_FENCE; // the operands are better read twice than kept: there are too few registers
#pragma GCC unroll 8
    for (unsigned n = 0; n < vectors; ++n) {
        const floats scale = as_float(hn::Sub(constant(fma_words.scale_sum), exponent[n]));
        const floats y = as_float(from(b, n * step));
        const floats scaled_a = hn::Mul(as_float(first(from(a, n * step))), scale);
        const floats scaled_c = hn::Mul(as_float(third(from(c, n * step))), scale);
        const words sum =
            hn::Add(product_for_adder(hn::Mul(scaled_a, y), scaled_a, y), addend_for_adder(scaled_c));
        const floats unit = as_float(hn::Sub(exponent[n], constant(fma_words.scale_offset)));
        hn::Store(hn::BitCast(tag, hn::Mul(round_sum<Wormhole>(sum), unit)), tag, &d.v[n * step]);
    }
    return true;
}
template <bool Wormhole, bool AnyAddend, bool Flips, bool LooksFirst = true>
HWY_INLINE bool multiply_add_of_any_sizes(lanes& d, const lanes& a, const lanes& b, const lanes& c,
                                          std::uint32_t flip_a, std::uint32_t flip_c) {
    judgement judge;
#pragma GCC unroll 8
    for (unsigned n = 0; n < lane_count; n += step) {
        const words x = from(a, n), z = from(c, n);
        hn::Store(
            multiply_add_words<Wormhole, AnyAddend>(Flips ? hn::Xor(x, hn::Set(tag, flip_a)) : x, from(b, n),
                                                    Flips ? hn::Xor(z, hn::Set(tag, flip_c)) : z, judge),
            tag, &d.v[n]);
        if (LooksFirst && n == 0 && !judge.good(fma_words.sum_operand_limit, fma_words.sum_limit))
            return false;
    }
    return judge.good(fma_words.sum_operand_limit, fma_words.sum_limit);
}

/// Where d is no operand: one of the two variants, or the first that will do.
template <bool Wormhole, bool AnyAddend, bool LooksFirst = true>
HWY_INLINE bool multiply_add_unlike(lanes& d, const lanes& a, const lanes& b, const lanes& c) {
    return multiply_add_of_any_sizes<Wormhole, AnyAddend, false, LooksFirst>(d, a, b, c, 0, 0);
}
template <bool Wormhole>
HWY_INLINE bool multiply_add(lanes& d, const lanes& a, const lanes& b, const lanes& c) {
    return multiply_add_unlike<Wormhole, false>(d, a, b, c) ||
           multiply_add_unlike<Wormhole, true>(d, a, b, c);
}
HWY_INLINE bool multiply_add(lanes& d, lane_operand a, lane_operand b, lane_operand c) {
    const std::uint32_t flip_a = a.flip ^ b.flip;
    return multiply_add_of_any_sizes<false, false, true>(d, a.reg, b.reg, c.reg, flip_a, c.flip) ||
           multiply_add_of_any_sizes<false, true, true>(d, a.reg, b.reg, c.reg, flip_a, c.flip);
}
/// The form for like sizes; d may be an operand.
template <bool Wormhole, bool LooksFirst = true>
HWY_INLINE bool multiply_add_alike(lanes& d, const lanes& a, const lanes& b, const lanes& c) {
    return multiply_add_of_like_sizes<Wormhole, false, LooksFirst>(d, a, b, c, 0, 0);
}
HWY_INLINE bool multiply_add_alike(lanes& d, lane_operand a, lane_operand b, lane_operand c) {
    return multiply_add_of_like_sizes<false, true, true>(d, a.reg, b.reg, c.reg, a.flip ^ b.flip, c.flip);
}
HWY_INLINE bool multiply(lanes& d, lane_operand a, lane_operand b) {
    const words flip = hn::Set(tag, a.flip ^ b.flip);
    judgement judge;
#pragma GCC unroll 8
    for (unsigned n = 0; n < lane_count; n += step)
        hn::Store(multiply_words(from(a.reg, n), from(b.reg, n), flip, judge), tag, &d.v[n]);
    // Operands below 2^63 keep products below 2^127, and from 2^-99 on they are not subnormal.
    return judge.good(fma_words.operand_limit, fma_words.result_limit);
}
#endif

} // namespace moderate
} // namespace HWY_NAMESPACE
} // namespace sfpu::isa
HWY_AFTER_NAMESPACE();

#endif
