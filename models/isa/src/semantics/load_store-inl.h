// Semantics of the load and store sub-units: moves between Dst cells and LRegs, and immediates.
// Source: tt-isa-documentation, pages SFPLOAD, SFPSTORE, SFPLOADI, Dst of either chip.
#if defined(SFPU_ISA_LOAD_STORE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SFPU_ISA_LOAD_STORE_INL_H
#undef SFPU_ISA_LOAD_STORE_INL_H
#else
#define SFPU_ISA_LOAD_STORE_INL_H
#endif

#include "lanewise-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfpu::isa {
namespace HWY_NAMESPACE {

// --- bit layouts ---------------------------------------------------------------------------------------------------
// Dst keeps BF16 and FP32 with the exponent below the upper mantissa bits, FP16 with the exponent at the bottom.

/// 32-bit cell {sign, mantissa 22:16, exponent, mantissa 15:0} to {sign, exponent, mantissa}.
HWY_INLINE std::uint32_t fp32_from_cell(std::uint32_t cell) {
    return (cell & 0x8000ffffu) | ((cell & 0x00ff0000u) << 7) | ((cell & 0x7f000000u) >> 8);
}
HWY_INLINE std::uint32_t fp32_to_cell(std::uint32_t x) {
    return (x & 0x8000ffffu) | ((x & 0x7f800000u) >> 7) | ((x & 0x007f0000u) << 8);
}
HWY_INLINE std::uint32_t fp32_from_bf16_cell(std::uint32_t cell) { return fp32_from_cell(cell << 16); }
HWY_INLINE std::uint32_t flush_subnormal(std::uint32_t x) { return (x & 0x7f800000u) ? x : x & 0x80000000u; }

/// FP16 cell {sign, mantissa 9:0, exponent 4:0}. Exponents other than 0 are rebiased; the largest value becomes
/// infinity where LaneConfig asks for it.
HWY_INLINE std::uint32_t fp32_from_fp16_cell(std::uint32_t cell, bool with_infinity) {
    const std::uint32_t sign = (cell & 0x8000u) << 16, mantissa = (cell >> 5) & 0x3ffu,
                        exponent = cell & 0x1fu;
    const std::uint32_t finite = ((exponent ? exponent + 112u : 0u) << 23) | (mantissa << 13);
    return sign | (with_infinity & ((cell & 0x7fffu) == 0x7fffu) ? 0x7f800000u : finite);
}
/// Truncates towards zero; too small becomes signed zero, too large the largest pattern.
HWY_INLINE std::uint32_t fp32_to_fp16_cell(std::uint32_t x) {
    const std::uint32_t sign = (x >> 16) & 0x8000u, mantissa = (x >> 13) & 0x3ffu;
    const std::int32_t exponent = static_cast<std::int32_t>((x >> 23) & 0xffu) - 112;
    const std::uint32_t ordinary = (mantissa << 5) | static_cast<std::uint32_t>(exponent);
    return sign | (exponent <= 0 ? 0u : exponent > 31 ? 0x7fffu : ordinary);
}
/// Two's complement to sign-magnitude and back, -2^31 and -0 as the pages have it.
HWY_INLINE std::uint32_t negative_to_magnitude(std::uint32_t x) {
    return (x & 0x80000000u) ? 0x80000000u | ((0u - x) & 0x7fffffffu) : x;
}
HWY_INLINE std::uint32_t sign_magnitude_to_twos(std::uint32_t x) {
    return (x & 0x80000000u) ? 0u - (x & 0x7fffffffu) : x;
}
/// "Integer 8" cell {sign, magnitude 9:0, exponent 16}.
HWY_INLINE std::uint32_t integer8_to_cell(std::uint32_t x) {
    return ((x >> 16) & 0x8000u) | ((x & 0x3ffu) << 5) | 16u;
}
HWY_INLINE std::uint32_t integer8_from_cell(std::uint32_t cell, std::uint32_t magnitude_mask) {
    return ((cell & 0x8000u) << 16) | ((cell >> 5) & magnitude_mask);
}

// --- SFPLOAD -------------------------------------------------------------------------------------------------------

/// x.slice holds the raw cells of the slice, 16 or 32 bits wide as the mode wants.
void load(execution& x, const instruction& i) {
    const bool wormhole = x.arch == architecture::wormhole;
    const bool every_lane = x.dst_mode == dst_mode::int32_all;
    const lane_mask mask = (every_lane ? x.acting : x.enabled) &
                           ~x.state.config.lanes_with(lane_configuration::block_sfpu_rd_from_dest);
    if (i.vd >= general_lregs) return;
    const lanes& cell = *x.slice;
    const lanes& old = x.reg(i.vd);
    lanes& out = x.result(i.vd, mask);
    switch (x.dst_mode) {
    case dst_mode::fp16: {
        const lane_mask infinity = x.state.config.lanes_with(lane_configuration::enable_fp16a_inf);
        each_lane(out, [&](unsigned n) { return fp32_from_fp16_cell(cell.v[n], lane_in(infinity, n)); });
        break;
    }
    case dst_mode::bf16: each_lane(out, [&](unsigned n) { return fp32_from_bf16_cell(cell.v[n]); }); break;
    case dst_mode::int32_sm:
        if (wormhole) {
            each_lane(out, [&](unsigned n) { return sign_magnitude_to_twos(fp32_from_cell(cell.v[n])); });
            break;
        }
        [[fallthrough]];
    case dst_mode::fp32:
    case dst_mode::int32:
    case dst_mode::int32_all: each_lane(out, [&](unsigned n) { return fp32_from_cell(cell.v[n]); }); break;
    case dst_mode::int8: {
        const std::uint32_t magnitude = wormhole ? 0x7fu : 0xffu;
        each_lane(out, [&](unsigned n) { return integer8_from_cell(cell.v[n], magnitude); });
        break;
    }
    case dst_mode::int8_comp:
        if (wormhole)
            each_lane(out, [&](unsigned n) {
                return sign_magnitude_to_twos(integer8_from_cell(cell.v[n], 0x3ffu));
            });
        else each_lane(out, [&](unsigned n) { return integer8_from_cell(cell.v[n], 0x3ffu); });
        break;
    case dst_mode::int16:
        each_lane(out, [&](unsigned n) { return ((cell.v[n] & 0x8000u) << 16) | (cell.v[n] & 0x7fffu); });
        break;
    case dst_mode::uint16:
    case dst_mode::lo16: each_lane(out, [&](unsigned n) { return cell.v[n]; }); break;
    case dst_mode::hi16: each_lane(out, [&](unsigned n) { return cell.v[n] << 16; }); break;
    case dst_mode::lo16_only:
        each_lane(out, [&](unsigned n) { return (old.v[n] & 0xffff0000u) | cell.v[n]; });
        break;
    case dst_mode::hi16_only:
        each_lane(out, [&](unsigned n) { return (cell.v[n] << 16) | (old.v[n] & 0xffffu); });
        break;
    default: // ZERO
        each_lane(out, [](unsigned) { return 0u; });
        break;
    }
    // CAPTURE_DEFAULT_DEST_INDEX: a second register receives the position that was read.
    const lane_mask index = mask & x.state.config.lanes_with(lane_configuration::enable_dest_index) &
                            x.state.config.lanes_with(lane_configuration::capture_default_dest_index);
    if (index != 0 && i.vd < 4) {
        lanes& position = x.result(i.vd + 4, index);
        const std::uint32_t row = x.dst_address & 0x3fcu;
        const lane_mask odd = x.odd_columns;
        lanes value;
        each_lane(value, [&](unsigned n) { return ((row + n / 8) << 4) | ((n & 7) * 2 + lane_in(odd, n)); });
        position = value;
    }
}

// --- SFPSTORE ------------------------------------------------------------------------------------------------------

/// Fills x.slice with the raw cells to write.
void store(execution& x, const instruction& i) {
    const bool wormhole = x.arch == architecture::wormhole;
    const lanes& d = x.reg(i.vd);
    lanes& cell = *x.slice;
    switch (x.dst_mode) {
    case dst_mode::fp16: each_lane(cell, [&](unsigned n) { return fp32_to_fp16_cell(d.v[n]); }); break;
    case dst_mode::bf16:
        each_lane(cell, [&](unsigned n) { return fp32_to_cell(flush_subnormal(d.v[n])) >> 16; });
        break;
    case dst_mode::fp32:
        if (wormhole) // raw; Blackhole flushes
            each_lane(cell, [&](unsigned n) { return fp32_to_cell(d.v[n]); });
        else each_lane(cell, [&](unsigned n) { return fp32_to_cell(flush_subnormal(d.v[n])); });
        break;
    case dst_mode::int32_sm:
        if (wormhole) {
            each_lane(cell, [&](unsigned n) { return fp32_to_cell(negative_to_magnitude(d.v[n])); });
            break;
        }
        [[fallthrough]];
    case dst_mode::int32:
    case dst_mode::int32_all: each_lane(cell, [&](unsigned n) { return fp32_to_cell(d.v[n]); }); break;
    case dst_mode::int8_comp:
        if (wormhole) {
            each_lane(cell, [&](unsigned n) { return integer8_to_cell(negative_to_magnitude(d.v[n])); });
            break;
        }
        [[fallthrough]];
    case dst_mode::int8: each_lane(cell, [&](unsigned n) { return integer8_to_cell(d.v[n]); }); break;
    case dst_mode::lo16_only:
    case dst_mode::uint16: each_lane(cell, [&](unsigned n) { return d.v[n] & 0xffffu; }); break;
    case dst_mode::hi16_only: each_lane(cell, [&](unsigned n) { return d.v[n] >> 16; }); break;
    case dst_mode::int16:
        each_lane(cell, [&](unsigned n) { return ((d.v[n] >> 16) & 0x8000u) | (d.v[n] & 0x7fffu); });
        break;
    case dst_mode::lo16: each_lane(cell, [&](unsigned n) { return (d.v[n] << 16) | (d.v[n] >> 16); }); break;
    case dst_mode::hi16: each_lane(cell, [&](unsigned n) { return d.v[n]; }); break;
    default: // ZERO
        each_lane(cell, [](unsigned) { return 0u; });
        break;
    }
}

// --- SFPLOADI ------------------------------------------------------------------------------------------------------

void load_immediate(execution& x, const instruction& i) {
    if (i.vd >= general_lregs) return;
    const std::uint32_t imm = static_cast<std::uint32_t>(i.imm);
    const lanes& old = x.reg(i.vd);
    const auto fill = [&](std::uint32_t value) {
        each_lane(x.result(i.vd), [=](unsigned) { return value; });
    };
    switch (i.mod) {
    case 0: fill(imm << 16); break; // FLOATB
    case 1:
        fill(((imm & 0x8000u) << 16) | ((((imm >> 10) & 0x1fu) + 112u) << 23) | ((imm & 0x3ffu) << 13));
        break;
    case 2: fill(imm); break;                                       // USHORT
    case 4: fill((imm & 0x8000u) ? imm | 0xffff0000u : imm); break; // SHORT
    case 8:                                                         // UPPER
        each_lane(x.result(i.vd), [&](unsigned n) { return (imm << 16) | (old.v[n] & 0xffffu); });
        break;
    case 10: // LOWER
        each_lane(x.result(i.vd), [&](unsigned n) { return (old.v[n] & 0xffff0000u) | imm; });
        break;
    default: break; // undefined: leaves VD as it is
    }
}

void no_operation(execution&, const instruction&) {}

} // namespace HWY_NAMESPACE
} // namespace sfpu::isa
HWY_AFTER_NAMESPACE();

#endif
