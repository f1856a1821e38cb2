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

/// Drops mantissa bits below `1 << shift` (random holds 23 bits); a hardware bug makes the comparison ">=".
HWY_INLINE std::uint32_t round_mantissa(std::uint32_t v, std::uint32_t random, unsigned shift) {
    const std::uint32_t exponent = (v >> 23) & 0xffu, unit = 1u << shift, discarded = v & (unit - 1);
    const std::uint32_t rounded = v - discarded + (discarded >= (random >> (23 - shift)) ? unit : 0u);
    return exponent == 0 ? 0u : exponent == 255 ? v & 0xff800000u : rounded;
}

/// FP32 to an integer magnitude with a limit; |x| below 0.5 is zero, 2^16 and above and NaN give the limit.
HWY_INLINE std::uint32_t round_to_integer(std::uint32_t v, std::uint32_t random, bool keep_sign,
                                          std::uint32_t limit) {
    const std::int32_t exponent = static_cast<std::int32_t>((v >> 23) & 0xffu) - 127;
    const std::uint32_t mantissa = (v & 0x7fffffu) | 0x800000u;
    const std::uint32_t up = static_cast<std::uint32_t>(exponent < 0 ? 0 : exponent) & 31u;
    // 23 fraction bits: integer part and fraction of mantissa * 2^exponent, exponent -1 to 15.
    const std::uint32_t integer = exponent < 0 ? 0u : mantissa >> (23u - (up < 23u ? up : 23u));
    const std::uint32_t fraction = (exponent < 0 ? mantissa >> 1 : mantissa << up) & 0x7fffffu;
    std::uint32_t magnitude = integer + (fraction >= random ? 1u : 0u);
    magnitude = exponent < -1 ? 0u : exponent >= 16 ? limit : magnitude;
    magnitude = magnitude > limit ? limit : magnitude;
    return magnitude | (keep_sign && magnitude != 0 ? v & 0x80000000u : 0u);
}

/// Sign-magnitude integer shifted right by 0 to 31 with rounding, then limited.
HWY_INLINE std::uint32_t round_shifted(std::uint32_t v, std::uint32_t shift, std::uint32_t random,
                                       bool keep_sign) {
    const std::uint64_t wide = (static_cast<std::uint64_t>(v & 0x7fffffffu) << 23) >> shift;
    const std::uint32_t limit = keep_sign ? 127u : 255u;
    std::uint32_t magnitude = static_cast<std::uint32_t>(wide >> 23) +
                              ((static_cast<std::uint32_t>(wide) & 0x7fffffu) >= random ? 1u : 0u);
    magnitude = magnitude > limit ? limit : magnitude;
    return magnitude | (keep_sign && magnitude != 0 ? v & 0x80000000u : 0u);
}

void sfpstochrnd(execution& x, const instruction& i) {
    const bool wormhole = x.arch == architecture::wormhole;
    const unsigned rounding = wormhole ? i.rounding & 1u : i.rounding;
    const lanes &b = x.reg(i.vb), &c = x.reg(i.vc);
    lanes random = advance_prng(x, x.enabled); // steps in every rounding mode
    if (rounding == 0) random = broadcast(0x400000u);
    else if (rounding == 2) random = broadcast(0x7fffffu);
    else each_lane(random, [&](unsigned n) { return random.v[n] & 0x7fffffu; });
    switch (i.mod & 7) {
    case 0: write_vd(x, i, [&](unsigned n) { return round_mantissa(c.v[n], random.v[n], 13); }); break;
    case 1: write_vd(x, i, [&](unsigned n) { return round_mantissa(c.v[n], random.v[n], 16); }); break;
    case 2:
        write_vd(x, i, [&](unsigned n) { return round_to_integer(c.v[n], random.v[n], false, 255); });
        break;
    case 3:
        write_vd(x, i, [&](unsigned n) { return round_to_integer(c.v[n], random.v[n], true, 127); });
        break;
    case 6:
        write_vd(x, i, [&](unsigned n) { return round_to_integer(c.v[n], random.v[n], false, 65535); });
        break;
    case 7:
        write_vd(x, i, [&](unsigned n) { return round_to_integer(c.v[n], random.v[n], true, 32767); });
        break;
    default: { // 4 and 5
        const bool immediate = i.mod & 8, keep_sign = i.mod & 1;
        const std::uint32_t imm = static_cast<std::uint32_t>(i.imm) & 31u;
        write_vd(x, i, [&](unsigned n) {
            return round_shifted(c.v[n], immediate ? imm : b.v[n] & 31u, random.v[n], keep_sign);
        });
        break;
    }
    }
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
        // What Wormhole's mode 4 shifts in. The page limits it to "VD < 12": a rotation with VD of 12 and above
        // (backdoor disabled) or 16 (from a macro) is not remembered.
        if (i.vd < 12) x.state.shuffle_source = source;
        if (i.mod == 2) copy_down(rotated);
        else if (writable(i.vd)) x.result(i.vd) = rotated;
        break;
    }
    case 4: { // SUBVEC_SHFLSHR1
        if (!writable(i.vd)) break;
        lanes shifted = rotate_right(x.reg(i.vc));
        // Wormhole shifts in what the latest rotation saw instead of zero.
        const bool bug = x.arch == architecture::wormhole;
        for (unsigned n = 0; n < lane_count; n += 8)
            shifted.v[n] = bug ? x.state.shuffle_source.v[n + 7] : 0u;
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
