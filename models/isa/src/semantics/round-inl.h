// Semantics of the round sub-unit: rounding to narrower types, lane shuffles and one kind of shift.
// Source: tt-isa-documentation, pages SFPSTOCHRND (three flavours) and SFPSHFT2 of either chip.
#if defined(SFPU_ISA_ROUND_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SFPU_ISA_ROUND_INL_H
#undef SFPU_ISA_ROUND_INL_H
#else
#define SFPU_ISA_ROUND_INL_H
#endif

#include "lanewise-inl.h"
#include "simple-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfpu::isa {
namespace HWY_NAMESPACE {

// SFPSTOCHRND. `random` holds 23 bits; a fraction of 23 bits rounds up if it is not below them (a hardware
// bug: the comparison is ">=" instead of ">"). Fraction + 2^23 - random carries into bit 23 in just that
// case.

/// Drops the mantissa's lowest bits. Zero for zeros and subnormals; infinities and NaNs become infinities.
template <int Bits>
HWY_INLINE words round_mantissa(words v, words random) {
    constexpr std::uint32_t unit = 1u << Bits, infinity = 0x7f800000u;
    const words bits = hn::ShiftRight<23 - Bits>(random), exponent = hn::And(v, hn::Set(tag, infinity));
    const words rounded = hn::And(hn::Add(v, hn::Sub(hn::Set(tag, unit), bits)), hn::Set(tag, 0u - unit));
    const words normal = hn::IfThenZeroElse(hn::Eq(exponent, hn::Zero(tag)), rounded);
    return hn::IfThenElse(hn::Eq(exponent, hn::Set(tag, infinity)), hn::And(v, hn::Set(tag, 0xff800000u)),
                          normal);
}

/// integer + (fraction >= random), not above the limit, with the sign of v if it is kept and the result is
/// not zero.
template <bool KeepSign>
HWY_INLINE words round_fraction(words integer, words fraction, words random, words v, std::uint32_t limit) {
    const words up = hn::ShiftRight<23>(hn::Add(fraction, hn::Sub(hn::Set(tag, 0x800000u), random)));
    const words magnitude = hn::Min(hn::Add(integer, up), hn::Set(tag, limit));
    if (!KeepSign) return magnitude;
    const words sign = hn::And(v, hn::Set(tag, 0x80000000u));
    return hn::Or(magnitude, hn::IfThenZeroElse(hn::Eq(magnitude, hn::Zero(tag)), sign));
}

/// FP32 to an integer magnitude with a limit; |x| below 0.5 is zero, 2^16 and above and NaN give the limit.
template <bool KeepSign>
HWY_INLINE words round_to_integer(words v, words random, std::uint32_t limit) {
    const words mantissa = hn::Or(hn::And(v, hn::Set(tag, 0x7fffffu)), hn::Set(tag, 0x800000u));
    // 0 for [0.5, 1), 16 for the largest below 2^16; negative for what is smaller.
    const words scale = hn::Sub(hn::ShiftRight<24>(hn::Add(v, v)), hn::Set(tag, 126));
    const words integer = shift_right(mantissa, hn::Sub(hn::Set(tag, 24), scale));
    const words fraction = hn::And(hn::ShiftRight<1>(shift_left(mantissa, scale)), hn::Set(tag, 0x7fffffu));
    const auto too_large = hn::RebindMask(tag, hn::Gt(as_signed(scale), as_signed(hn::Set(tag, 16))));
    const words kept = hn::IfThenElse(too_large, hn::Set(tag, limit), integer);
    // Below 0.5 nothing rounds up; of 2^16 and above the limit is left, whatever its fraction does.
    const words small = all_ones_if_negative(scale);
    const words rounded = round_fraction<KeepSign>(kept, fraction, random, v, limit);
    return hn::AndNot(small, rounded);
}

/// Sign-magnitude integer shifted right by 0 to 31 with rounding, then limited.
template <bool KeepSign>
HWY_INLINE words round_shifted(words v, words shift, words random) {
    const words magnitude = hn::And(v, hn::Set(tag, 0x7fffffffu)), fraction_bits = hn::Set(tag, 23);
    // The 23 bits behind the point; one of the two shifts is by more than 31 unless both are by 0.
    const words fraction = hn::And(hn::Or(shift_left(magnitude, hn::Sub(fraction_bits, shift)),
                                          shift_right(magnitude, hn::Sub(shift, fraction_bits))),
                                   hn::Set(tag, 0x7fffffu));
    return round_fraction<KeepSign>(shift_right(magnitude, shift), fraction, random, v,
                                    KeepSign ? 127u : 255u);
}

/// VD = f(VC, random) vector by vector. `random` is a half (to nearest), just below 1 (towards zero), or
/// random.
template <class F>
HWY_INLINE void write_rounded(execution& x, const instruction& i, unsigned rounding, F f) {
    const lanes &c = x.reg(i.vc), &prng = x.state.prng;
    const words fraction_bits = hn::Set(tag, 0x7fffffu);
    if (rounding == 0 || rounding == 2) {
        const words fixed = rounding == 0 ? hn::Set(tag, 0x400000u) : fraction_bits;
        write_vectors(x, i, [&](unsigned n) HWY_ATTR { return f(n, at(c.v, n), fixed); });
    } else {
        write_vectors(x, i, [&](unsigned n) HWY_ATTR {
            return f(n, at(c.v, n), hn::And(at(prng.v, n), fraction_bits));
        });
    }
}

template <bool KeepSign>
HWY_INLINE void write_rounded_integer(execution& x, const instruction& i, unsigned rounding,
                                      std::uint32_t limit) {
    write_rounded(x, i, rounding, [=](unsigned, words v, words random) HWY_ATTR {
        return round_to_integer<KeepSign>(v, random, limit);
    });
}
template <bool KeepSign>
HWY_INLINE void write_rounded_shifted(execution& x, const instruction& i, unsigned rounding) {
    const lanes& b = x.reg(i.vb);
    const words five_bits = hn::Set(tag, 31),
                imm = hn::And(hn::Set(tag, static_cast<std::uint32_t>(i.imm)), five_bits);
    if (i.mod & 8) {
        write_rounded(x, i, rounding, [&](unsigned, words v, words random) HWY_ATTR {
            return round_shifted<KeepSign>(v, imm, random);
        });
    } else {
        write_rounded(x, i, rounding, [&](unsigned n, words v, words random) HWY_ATTR {
            return round_shifted<KeepSign>(v, hn::And(at(b.v, n), five_bits), random);
        });
    }
}

void sfpstochrnd(execution& x, const instruction& i) {
    const unsigned rounding = describe(x.arch).has_zero_rounding ? i.rounding : i.rounding & 1u;
    switch (i.mod & 7) {
    case 0:
        write_rounded(x, i, rounding,
                      [](unsigned, words v, words random) HWY_ATTR { return round_mantissa<13>(v, random); });
        break;
    case 1:
        write_rounded(x, i, rounding,
                      [](unsigned, words v, words random) HWY_ATTR { return round_mantissa<16>(v, random); });
        break;
    case 2: write_rounded_integer<false>(x, i, rounding, 255); break;
    case 3: write_rounded_integer<true>(x, i, rounding, 127); break;
    case 4: write_rounded_shifted<false>(x, i, rounding); break;
    case 5: write_rounded_shifted<true>(x, i, rounding); break;
    case 6: write_rounded_integer<false>(x, i, rounding, 65535); break;
    default: write_rounded_integer<true>(x, i, rounding, 32767); break;
    }
    step_prng(x, x.enabled); // in every rounding mode
}

/// Rotates each group of eight lanes right by one.
HWY_INLINE lanes rotate_right(const lanes& v) {
    lanes r;
    for (unsigned n = 0; n < lane_count; ++n) r.v[n] = v.v[(n & ~7u) | ((n + 7u) & 7u)];
    return r;
}

void sfpshft2(execution& x, const instruction& i) {
    const auto copy_down = [&](const lanes& last) { // L0 = L1, L1 = L2, L2 = L3, L3 = last
        const lanes v[4] = {x.reg(1), x.reg(2), x.reg(3), last};
        for (unsigned r = 0; r < 4; ++r) x.result(r) = v[r];
    };
    switch (i.mod) {
    case 0: copy_down(broadcast(0)); break; // COPY4
    case 1: { // SUBVEC_CHAINED_COPY4: L3 receives the old L0 moved down by a row
        const lanes& first = x.reg(0);
        lanes last;
        for (unsigned n = 0; n < lane_count; ++n) last.v[n] = n < 24 ? first.v[n + 8] : 0u;
        copy_down(last);
        break;
    }
    case 2:   // SUBVEC_SHFLROR1_AND_COPY4
    case 3: { // SUBVEC_SHFLROR1
        const lanes source = x.reg(i.vc);
        const lanes rotated = rotate_right(source);
        // What Wormhole's mode 4 shifts in. The page limits it to "VD < 12": a rotation with VD of 12 and
        // above (backdoor disabled) or 16 (from a macro) is not remembered.
        if (i.vd < 12) x.state.shuffle_source = source;
        if (i.mod == 2) copy_down(rotated);
        else if (writable(i.vd)) x.result(i.vd) = rotated;
        break;
    }
    case 4: { // SUBVEC_SHFLSHR1
        if (!writable(i.vd)) break;
        lanes shifted = rotate_right(x.reg(i.vc));
        // Zero is shifted in, or by a fault of Wormhole what the latest rotation saw.
        const bool zero = describe(x.arch).has_defined_shuffle_right;
        for (unsigned n = 0; n < lane_count; n += 8)
            shifted.v[n] = zero ? 0u : x.state.shuffle_source.v[n + 7];
        x.result(i.vd) = shifted;
        break;
    }
    case 5: { // SHFT_LREG
        const lanes &b = x.reg(i.vb), &c = x.reg(i.vc);
        write_vd(x, i, [&](unsigned n) { return shift_by(b.v[n], static_cast<std::int32_t>(c.v[n])); });
        break;
    }
    case 6: { // SHFT_IMM: VB is part of the immediate
        const lanes& b = x.reg(i.vb);
        write_vd(x, i, [&](unsigned n) { return shift_by(b.v[n], i.imm); });
        break;
    }
    default: break; // undefined: nothing
    }
}

} // namespace HWY_NAMESPACE
} // namespace sfpu::isa
HWY_AFTER_NAMESPACE();

#endif
