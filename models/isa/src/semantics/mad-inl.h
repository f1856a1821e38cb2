// Semantics of the MAD sub-unit: multiply-add, 23-bit multiply, piecewise linear functions.
// Source: tt-isa-documentation, pages SFPMAD, SFPADDI, SFPMULI, SFPMUL24, SFPLUT, SFPLUTFP32, and fma.h.
#if defined(SFPU_ISA_MAD_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SFPU_ISA_MAD_INL_H
#undef SFPU_ISA_MAD_INL_H
#else
#define SFPU_ISA_MAD_INL_H
#endif

#include "chip_semantics.h"
#include "float_environment.h"
#include "fma_host-inl.h"
#include "fma_moderate-inl.h"
#include "lanewise-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfpu::isa {
namespace HWY_NAMESPACE {

constexpr unsigned zero_lreg = 9, one_lreg = 10;
constexpr unsigned negate_va = 1, negate_vc = 2, indirect_va = 4, indirect_vd = 8;
constexpr std::uint32_t sign_bit = 0x80000000u;

/// Stores a MAD result in VD, or lane by lane in the register that the low bits of L7 name.
HWY_INLINE lanes& mad_result(execution& x, const instruction& i) {
    if (!(i.mod & indirect_vd) || i.vd == macro_lreg) return x.result(i.vd);
    const lanes& l7 = x.reg(7);
    write_set& out = *x.out;
    const auto buffer = static_cast<std::uint8_t>(out.count);
    for (unsigned d = 0; d < general_lregs; ++d) {
        const lane_mask mask = x.enabled & lanes_where([&](unsigned n) { return (l7.v[n] & 15u) == d; });
        if (mask != 0) out.entries[out.count++] = {static_cast<std::uint8_t>(d), buffer, mask};
    }
    return out.storage[buffer];
}

/// VA, or lane by lane the register that the low bits of L7 name.
HWY_INLINE const lanes& mad_multiplicand(execution& x, const instruction& i, lanes& gathered) {
    if (!(i.mod & indirect_va)) return x.reg(i.va);
    const lanes& l7 = x.reg(7);
    for (unsigned n = 0; n < lane_count; ++n) gathered.v[n] = x.state.lreg[l7.v[n] & 15u].v[n];
    return gathered;
}

// A multiply-add is computed by the first of four ways that can do it for all lanes: by the host, for
// moderate values of like sizes and of any sizes, and in general. The destination may be an operand if the
// execution writes directly. Words that run again mostly find numbers of the same kind, so that ways that
// failed are left out for a while.

HWY_NOINLINE void general_multiply_add(const execution& x, lanes& d, lane_operand a, lane_operand b,
                                       lane_operand c) {
    if (semantics_of(x.arch).has_signed_zeros)
        each_lane(d, [&](unsigned n) { return fma<false>(a[n], b[n], c[n]); });
    else each_lane(d, [&](unsigned n) { return fma<true>(a[n], b[n], c[n]); });
}

/// Runs f on d, or on something else if d may be an operand. Returns whether f, and thereby d, is good.
template <class F>
HWY_INLINE bool into_no_operand(const execution& x, lanes& d, F f) {
    lanes other;
    if (!f(x.direct ? other : d)) return false;
    if (x.direct) d = other;
    return true;
}
template <bool Wormhole, bool LooksFirst>
HWY_NOINLINE bool multiply_add_of_unlike(const execution& x, lanes& d, const lanes& a, const lanes& b,
                                         const lanes& c) {
    return into_no_operand(x, d, [&](lanes& out) HWY_ATTR {
        return moderate::multiply_add_unlike<Wormhole, false, LooksFirst>(out, a, b, c);
    });
}
template <bool Wormhole>
HWY_NOINLINE void multiply_add_of_anything(const execution& x, lanes& d, const lanes& a, const lanes& b,
                                           const lanes& c) {
    into_no_operand(x, d, [&](lanes& out) HWY_ATTR {
        if (!moderate::multiply_add_unlike<Wormhole, true>(out, a, b, c))
            general_multiply_add(x, out, {a, 0}, {b, 0}, {c, 0});
        return true;
    });
}
template <bool Wormhole>
HWY_NOINLINE void multiply_add_not_by_host(const execution& x, lanes& d, const lanes& a, const lanes& b,
                                           const lanes& c) {
    if (!moderate::multiply_add_alike<Wormhole>(d, a, b, c) &&
        !multiply_add_of_unlike<Wormhole, true>(x, d, a, b, c))
        multiply_add_of_anything<Wormhole>(x, d, a, b, c);
}
HWY_NOINLINE void flipped_multiply_add_not_by_host(const execution& x, lanes& d, lane_operand a,
                                                   lane_operand b, lane_operand c) {
    if (moderate::multiply_add_alike(d, a, b, c)) return;
    into_no_operand(x, d, [&](lanes& out) HWY_ATTR {
        if (!moderate::multiply_add(out, a, b, c)) general_multiply_add(x, out, a, b, c);
        return true;
    });
}
HWY_NOINLINE void multiply_not_by_host(const execution& x, lanes& d, lane_operand a, lane_operand b) {
    into_no_operand(x, d, [&](lanes& out) HWY_ATTR {
        if (!moderate::multiply(out, a, b)) general_multiply_add(x, out, a, b, {x.reg(zero_lreg), 0});
        return true;
    });
}

/// Tries all ways, and makes a habit of what works if the host fails.
template <bool Wormhole>
HWY_NOINLINE void multiply_add_anew(const execution& x, multiply_add_habit& habit, lanes& d, const lanes& a,
                                    const lanes& b, const lanes& c) {
    using way = multiply_add_habit::way;
    constexpr std::uint8_t times = 31;
    habit = {};
    if (!Wormhole && by_host::multiply_add(d, a, b, c)) return;
    habit = {way::like_sizes, times};
    if (moderate::multiply_add_alike<Wormhole>(d, a, b, c)) return;
    habit.first = way::unlike_sizes;
    if (multiply_add_of_unlike<Wormhole, true>(x, d, a, b, c)) return;
    habit.first = way::anything;
    multiply_add_of_anything<Wormhole>(x, d, a, b, c);
}
template <bool Wormhole>
HWY_NOINLINE void multiply_add_unlike_again(const execution& x, multiply_add_habit& habit, lanes& d,
                                            const lanes& a, const lanes& b, const lanes& c) {
    if (habit.first == multiply_add_habit::way::anything)
        return multiply_add_of_anything<Wormhole>(x, d, a, b, c);
    if (!multiply_add_of_unlike<Wormhole, false>(x, d, a, b, c))
        multiply_add_anew<Wormhole>(x, habit, d, a, b, c);
}
template <bool Wormhole>
HWY_NOINLINE void multiply_add_by_habit(const execution& x, multiply_add_habit& habit, lanes& d,
                                        const lanes& a, const lanes& b, const lanes& c) {
    --habit.times;
    if (habit.first != multiply_add_habit::way::like_sizes)
        return multiply_add_unlike_again<Wormhole>(x, habit, d, a, b, c);
    if (moderate::multiply_add_alike<Wormhole, false>(d, a, b, c)) return;
    multiply_add_anew<Wormhole>(x, habit, d, a, b, c);
}
HWY_NOINLINE void multiply_add_flipped(const execution& x, lanes& d, lane_operand a, lane_operand b,
                                       lane_operand c) {
    if (!by_host::multiply_add(d, a, b, c)) flipped_multiply_add_not_by_host(x, d, a, b, c);
}

/// d = a * b + c in all lanes, by this instruction.
HWY_INLINE void multiply_add(execution& x, const instruction& i, lanes& d, const lanes& a, const lanes& b,
                             const lanes& c) {
    multiply_add_habit& habit = x.habit_of(i.word);
    const bool is_new = habit.times == 0;
    if (semantics_of(x.arch).has_signed_zeros)
        (is_new ? multiply_add_anew<false> : multiply_add_by_habit<false>)(x, habit, d, a, b, c);
    else (is_new ? multiply_add_anew<true> : multiply_add_by_habit<true>)(x, habit, d, a, b, c);
}
/// The same with flipped signs, which only Blackhole knows.
HWY_INLINE void multiply_add(execution& x, const instruction& i, lanes& d, lane_operand a, lane_operand b,
                             lane_operand c) {
    if (a.flip | b.flip | c.flip) multiply_add_flipped(x, d, a, b, c);
    else multiply_add(x, i, d, a.reg, b.reg, c.reg);
}
/// d = a * 1 + c.
HWY_NOINLINE void add(const execution& x, lanes& d, lane_operand a, lane_operand c) {
    if (by_host::add(d, a, c)) return;
    const lanes& b = x.reg(one_lreg);
    if (a.flip | c.flip) flipped_multiply_add_not_by_host(x, d, a, {b, 0}, c);
    else if (semantics_of(x.arch).has_signed_zeros) multiply_add_not_by_host<false>(x, d, a.reg, b, c.reg);
    else multiply_add_not_by_host<true>(x, d, a.reg, b, c.reg);
}
/// d = a * b + 0.
HWY_NOINLINE void multiply(const execution& x, lanes& d, lane_operand a, lane_operand b) {
    if (!by_host::multiply(d, a, b)) multiply_not_by_host(x, d, a, b);
}

void sfpmad_otherwise(execution& x, const instruction& i);

/// SFPMAD, SFPADD and SFPMUL are one operation.
void sfpmad(execution& x, const instruction& i) {
    if (!float_environment::is_usual()) return execute_in_usual_float_environment(sfpmad, x, i);
    const bool plain = i.mod == 0 && i.vc != zero_lreg && i.va != one_lreg && i.vb != one_lreg;
    if (plain) multiply_add(x, i, x.result(i.vd), x.reg(i.va), x.reg(i.vb), x.reg(i.vc));
    else sfpmad_otherwise(x, i);
}

/// Everything but the plain case.
HWY_NOINLINE void sfpmad_otherwise(execution& x, const instruction& i) {
    lanes gathered;
    const lanes& multiplicand = mad_multiplicand(x, i, gathered);
    const bool negates = describe(x.arch).has_mad_negation; // otherwise these bits are ignored
    const lane_operand va{multiplicand, negates && (i.mod & negate_va) ? sign_bit : 0}, vb{x.reg(i.vb), 0},
        vc{x.reg(i.vc), negates && (i.mod & negate_vc) ? sign_bit : 0};
    lanes& d = mad_result(x, i);
    if (i.vc == zero_lreg && vc.flip == 0) multiply(x, d, va, vb);
    else if (i.vb == one_lreg) add(x, d, va, vc);
    else if (i.va == one_lreg && !(i.mod & indirect_va)) add(x, d, {vb.reg, va.flip}, vc);
    else multiply_add(x, i, d, va, vb, vc);
}

void sfpaddi(execution& x, const instruction& i) {
    if (!float_environment::is_usual()) return execute_in_usual_float_environment(sfpaddi, x, i);
    const lanes imm = broadcast(static_cast<std::uint32_t>(i.imm) << 16);
    const std::uint32_t flip = describe(x.arch).has_mad_negation && (i.mod & negate_vc) ? sign_bit : 0;
    add(x, mad_result(x, i), {imm, 0}, {x.reg(i.vc), flip});
}

void sfpmuli(execution& x, const instruction& i) {
    if (!float_environment::is_usual()) return execute_in_usual_float_environment(sfpmuli, x, i);
    const lanes imm = broadcast(static_cast<std::uint32_t>(i.imm) << 16);
    const std::uint32_t flip = describe(x.arch).has_mad_negation && (i.mod & negate_vc) ? sign_bit : 0;
    multiply(x, mad_result(x, i), {imm, 0}, {x.reg(i.vc), flip});
}

/// What the floating-point adder does to the integer product when VC is not zero (non-contractual).
HWY_INLINE std::uint32_t mul24_shift_add(std::uint32_t product, std::uint32_t c) {
    const std::uint32_t exponent = (c >> 23) & 0xffu;
    const std::uint32_t larger = exponent > 129u ? exponent : 129u;
    const std::uint32_t mantissa = ((c & 0x7fffffu) | 0x800000u) << 3;
    const std::uint32_t shift = (larger - exponent) & 31u;
    const std::uint32_t addend = mantissa >> shift;
    const std::uint32_t shifted = product >> ((larger - 129u) & 31u);
    const std::uint32_t carry = ((addend << shift) ^ mantissa) > 0xffffu ? 0x10000u : 0u;
    const std::uint32_t sum = (shifted + addend + carry) & 0x7fffffu;
    return exponent == 0 ? product : (addend != 0 ? sum : shifted);
}

/// Bits 45:23 of the product of 23-bit integers: with one of them on top of its word, the upper word of the
/// product.
HWY_INLINE void mul24_upper(lanes& d, const lanes& a, const lanes& b) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
    each_lane(d, [&](unsigned n) {
        return static_cast<std::uint32_t>(std::uint64_t{a.v[n] << 9} * (b.v[n] & 0x7fffffu) >> 32);
    });
#else // a lane loop becomes twice as many instructions
    using namespace moderate;
    const words mask = hn::Set(tag, 0x7fffffu);
#pragma GCC unroll 8
    for (unsigned n = 0; n < lane_count; n += static_cast<unsigned>(hn::MaxLanes(tag)))
        hn::Store(upper_product(hn::ShiftLeft<9>(from(a, n)), hn::And(from(b, n), mask)), tag, &d.v[n]);
#endif
}
HWY_INLINE void mul24_product(lanes& d, const lanes& a, const lanes& b, bool upper) {
    if (upper) mul24_upper(d, a, b);
    else each_lane(d, [&](unsigned n) { return (a.v[n] * b.v[n]) & 0x7fffffu; });
}
HWY_NOINLINE void sfpmul24_otherwise(execution& x, const instruction& i) {
    // Without shifts by lane, compilers shift by way of floating-point numbers.
    if (!float_environment::is_usual()) return execute_in_usual_float_environment(sfpmul24_otherwise, x, i);
    lanes gathered, product;
    mul24_product(product, mad_multiplicand(x, i, gathered), x.reg(i.vb), i.mod & 1);
    const lanes& c = x.reg(i.vc);
    lanes& d = mad_result(x, i);
    if (i.vc == zero_lreg) d = product;
    else each_lane(d, [&](unsigned n) { return mul24_shift_add(product.v[n], c.v[n]); });
}
void sfpmul24(execution& x, const instruction& i) {
    if (i.vc == zero_lreg && !(i.mod & (indirect_va | indirect_vd))) // the usual case: nothing is added
        mul24_product(x.result(i.vd), x.reg(i.va), x.reg(i.vb), i.mod & 1);
    else sfpmul24_otherwise(x, i);
}

// --- piecewise linear functions of |L3| --------------------------------------------------------------------

/// 8-bit table value: {sign, exponent 2:0 counted down from 1.0, mantissa 3:0}; FF is zero.
HWY_INLINE words lut8_to_fp32(words v) {
    const words sign = hn::ShiftLeft<24>(hn::And(v, hn::Set(tag, 0x80u)));
    const words down = hn::ShiftLeft<19>(hn::And(v, hn::Set(tag, 0x70u)));
    const words mantissa = hn::ShiftLeft<19>(hn::And(v, hn::Set(tag, 0x0fu)));
    const words value = hn::Or(sign, hn::Add(hn::Sub(hn::Set(tag, 127u << 23), down), mantissa));
    return hn::IfThenZeroElse(hn::Eq(v, hn::Set(tag, 0xffu)), value);
}
/// 16-bit table value: FP16 without subnormals; exponent 31 is zero.
/// Takes it in the upper half of a word, whatever the lower half holds.
HWY_INLINE words lut16_to_fp32(words v) {
    // An arithmetic shift leaves the sign where it is and puts the rest at its place.
    const words placed =
        hn::And(hn::BitCast(tag, hn::ShiftRight<3>(as_signed(v))), hn::Set(tag, 0x8fffe000u));
    const words all_ones = hn::Set(tag, 31u << 23);
    const auto is_zero = hn::Eq(hn::And(placed, all_ones), all_ones);
    return hn::Add(placed, hn::IfThenElse(is_zero, hn::Set(tag, 0u - (31u << 23)), hn::Set(tag, 112u << 23)));
}

/// A lookup sees |L3| of a vector of lanes. The order of bit patterns is that of the values.
constexpr std::uint32_t fp32_half = 0x3f000000u, fp32_1 = 0x3f800000u, fp32_1_5 = 0x3fc00000u,
                        fp32_2 = 0x40000000u, fp32_3 = 0x40400000u, fp32_4 = 0x40800000u;

/// One of three registers by |x| below 1, below 2, or not.
struct three_registers {
    const lanes &first, &second, &third;
    HWY_INLINE words operator()(unsigned n, words x) const {
        return hn::IfThenElse(below(x, fp32_1), at(first.v, n),
                              hn::IfThenElse(below(x, fp32_2), at(second.v, n), at(third.v, n)));
    }
};

/// VD = slope * |L3| + offset; both are functions of a lane number and the |L3| of the lanes from there on.
template <class Slope, class Offset>
HWY_INLINE void piecewise(execution& x, const instruction& i, Slope slope_of, Offset offset_of) {
    const lanes& l3 = x.reg(3);
    lanes slope, offset, magnitude;
    const words sign = hn::Set(tag, sign_bit);
    each_vector(magnitude.v, [&](unsigned n) HWY_ATTR {
        const words value = hn::AndNot(sign, at(l3.v, n));
        hn::StoreU(slope_of(n, value), tag, &slope.v[n]);
        hn::StoreU(offset_of(n, value), tag, &offset.v[n]);
        return value;
    });
    lanes& d = mad_result(x, i);
    if (!(i.mod & 4)) {
        multiply_add(x, i, d, slope, magnitude, offset);
        return;
    }
    lanes result; // SGN_RETAIN; VD may be L3
    multiply_add(x, i, result, slope, magnitude, offset);
    each_vector(d.v, [&](unsigned n) HWY_ATTR {
        return hn::Or(hn::AndNot(sign, at(result.v, n)), hn::And(sign, at(l3.v, n)));
    });
}

void sfplut(execution& x, const instruction& i) {
    if (!float_environment::is_usual()) return execute_in_usual_float_environment(sfplut, x, i);
    const three_registers entry{x.reg(0), x.reg(1), x.reg(2)};
    piecewise(
        x, i,
        [&](unsigned n, words v)
            HWY_ATTR { return lut8_to_fp32(hn::And(hn::ShiftRight<8>(entry(n, v)), hn::Set(tag, 0xffu))); },
        [&](unsigned n, words v)
            HWY_ATTR { return lut8_to_fp32(hn::And(entry(n, v), hn::Set(tag, 0xffu))); });
}

/// FP16_6ENTRY_TABLE1 and 2: each register holds a value for the lower part of its segment below one for the
/// upper part.
HWY_INLINE void sfplutfp32_of_six(execution& x, const instruction& i, const three_registers& slopes,
                                  const three_registers& offsets) {
    const std::uint32_t cut = (i.mod & 3) == 3 ? fp32_4 : fp32_3;
    const auto half = [=](words value, words v) HWY_ATTR {
        const words limit =
            hn::IfThenElse(below(v, fp32_1), hn::Set(tag, fp32_half),
                           hn::IfThenElse(below(v, fp32_2), hn::Set(tag, fp32_1_5), hn::Set(tag, cut)));
        const auto lower = hn::Lt(as_signed(v), as_signed(limit));
        return hn::IfThenElse(hn::RebindMask(tag, lower), hn::ShiftLeft<16>(value), value);
    };
    piecewise(
        x, i, [&](unsigned n, words v) HWY_ATTR { return lut16_to_fp32(half(slopes(n, v), v)); },
        [&](unsigned n, words v) HWY_ATTR { return lut16_to_fp32(half(offsets(n, v), v)); });
}

void sfplutfp32(execution& x, const instruction& i) {
    if (!float_environment::is_usual()) return execute_in_usual_float_environment(sfplutfp32, x, i);
    const three_registers slopes{x.reg(0), x.reg(1), x.reg(2)}, offsets{x.reg(4), x.reg(5), x.reg(6)};
    if (!(i.mod & 2)) { // FP32_3ENTRY_TABLE
        piecewise(x, i, slopes, offsets);
    } else if ((i.mod & 10) == 10) { // FP16_3ENTRY_TABLE; its bit 3 also makes VD indirect, a hardware bug
        piecewise(
            x, i, [&](unsigned n, words v) HWY_ATTR { return lut16_to_fp32(slopes(n, v)); },
            [&](unsigned n, words v) HWY_ATTR { return lut16_to_fp32(hn::ShiftLeft<16>(slopes(n, v))); });
    } else {
        sfplutfp32_of_six(x, i, slopes, offsets);
    }
}

} // namespace HWY_NAMESPACE
} // namespace sfpu::isa
HWY_AFTER_NAMESPACE();

#endif
