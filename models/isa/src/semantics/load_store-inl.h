// Semantics of the load and store sub-units: moves between Dst cells and LRegs, and immediates.
// Source: tt-isa-documentation, pages SFPLOAD, SFPSTORE, SFPLOADI, Dst of either chip.
#if defined(SFPU_ISA_LOAD_STORE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SFPU_ISA_LOAD_STORE_INL_H
#undef SFPU_ISA_LOAD_STORE_INL_H
#else
#define SFPU_ISA_LOAD_STORE_INL_H
#endif

#include "chip_semantics.h"
#include "lanewise-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfpu::isa {
namespace HWY_NAMESPACE {

// --- bit layouts -------------------------------------------------------------------------------------------
// Dst keeps BF16 and FP32 with the exponent below the upper mantissa bits, FP16 with the exponent at the
// bottom.

using vectors::HWY_NAMESPACE::choose_bits;
using vectors::HWY_NAMESPACE::halves;
using vectors::HWY_NAMESPACE::shift_right_signed;

/// 32-bit cell {sign, mantissa 22:16, exponent, mantissa 15:0} to {sign, exponent, mantissa}. A signed shift
/// keeps the sign in its place.
HWY_INLINE words fp32_from_cell(words cell) {
    return choose_bits(0x7f800000u, hn::ShiftLeft<7>(cell), halves(shift_right_signed<8>(cell), cell));
}
HWY_INLINE words fp32_to_cell(words x) {
    return choose_bits(0x7f000000u, hn::ShiftLeft<8>(x), halves(shift_right_signed<7>(x), x));
}
HWY_INLINE words fp32_from_bf16_cell(words cell) { return fp32_from_cell(hn::ShiftLeft<16>(cell)); }
HWY_INLINE words fp32_to_flushed_cell(words x) {
    const words exponent = hn::And(x, hn::Set(tag, 0x7f800000u));
    const auto is_subnormal = hn::Eq(exponent, hn::Zero(tag));
    const words sign = hn::And(x, hn::Set(tag, 0x80000000u));
    return fp32_to_cell(hn::IfThenElse(is_subnormal, sign, x));
}
HWY_INLINE words fp32_to_bf16_cell(words x) { return hn::ShiftRight<16>(fp32_to_flushed_cell(x)); }

/// FP16 cell {sign, mantissa 9:0, exponent 4:0}. Exponents other than 0 are rebiased; the largest value
/// becomes infinity where LaneConfig asks for it.
HWY_INLINE std::uint32_t fp32_from_fp16_cell(std::uint32_t cell, bool with_infinity) {
    const std::uint32_t sign = (cell & 0x8000u) << 16, mantissa = (cell >> 5) & 0x3ffu,
                        exponent = cell & 0x1fu;
    const std::uint32_t finite = ((exponent ? exponent + 112u : 0u) << 23) | (mantissa << 13);
    return sign | ((with_infinity & ((cell & 0x7fffu) == 0x7fffu)) ? 0x7f800000u : finite);
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
template <std::uint32_t MagnitudeMask>
HWY_INLINE std::uint32_t integer8_from_cell(std::uint32_t cell) {
    return ((cell & 0x8000u) << 16) | ((cell >> 5) & MagnitudeMask);
}

/// INT16: 15 bits of magnitude below the sign.
HWY_INLINE std::uint32_t integer16_from_cell(std::uint32_t cell) {
    return ((cell & 0x8000u) << 16) | (cell & 0x7fffu);
}
HWY_INLINE std::uint32_t integer16_to_cell(std::uint32_t x) { return ((x >> 16) & 0x8000u) | (x & 0x7fffu); }

// --- conversions by mode -----------------------------------------------------------------------------------

/// A conversion in which each lane depends on its own cell or value only.
template <std::uint32_t (*Lane)(std::uint32_t)>
void load_each(const lanes& cells, const lanes&, lanes& result) {
    each_lane(result, [&](unsigned n) { return Lane(cells.v[n]); });
}
template <std::uint32_t (*Lane)(std::uint32_t)>
void store_each(const lanes& values, lanes& cells) {
    each_lane(cells, [&](unsigned n) { return Lane(values.v[n]); });
}

HWY_INLINE std::uint32_t zero(std::uint32_t) { return 0; }
HWY_INLINE std::uint32_t same(std::uint32_t x) { return x; }
HWY_INLINE std::uint32_t low_half(std::uint32_t x) { return x & 0xffffu; }
HWY_INLINE std::uint32_t high_half(std::uint32_t x) { return x >> 16; }
HWY_INLINE std::uint32_t to_high_half(std::uint32_t x) { return x << 16; }
HWY_INLINE std::uint32_t halves_exchanged(std::uint32_t x) { return (x << 16) | (x >> 16); }
HWY_INLINE std::uint32_t fp32_from_finite_fp16_cell(std::uint32_t cell) {
    return fp32_from_fp16_cell(cell, false);
}
/// Wormhole: registers hold two's complement where cells hold sign and magnitude.
HWY_INLINE std::uint32_t twos_from_integer8_cell(std::uint32_t cell) {
    return sign_magnitude_to_twos(integer8_from_cell<0x3ffu>(cell));
}
HWY_INLINE std::uint32_t twos_to_integer8_cell(std::uint32_t x) {
    return integer8_to_cell(negative_to_magnitude(x));
}

/// The same, of whole vectors.
template <words (*Vector)(words)>
void load_vectors(const lanes& cells, const lanes&, lanes& result) {
    each_vector(result.v, [&](unsigned n) { return Vector(at(cells.v, n)); });
}
template <words (*Vector)(words)>
void store_vectors(const lanes& values, lanes& cells) {
    each_vector(cells.v, [&](unsigned n) { return Vector(at(values.v, n)); });
}

/// Wormhole, INT32_SM.
void load_twos(const lanes& cells, const lanes& old, lanes& result) {
    load_vectors<fp32_from_cell>(cells, old, result);
    each_lane(result, [&](unsigned n) { return sign_magnitude_to_twos(result.v[n]); });
}
void store_twos(const lanes& values, lanes& cells) {
    each_lane(cells, [&](unsigned n) { return negative_to_magnitude(values.v[n]); });
    store_vectors<fp32_to_cell>(cells, cells);
}

void load_low_half(const lanes& cells, const lanes& old, lanes& result) {
    each_lane(result, [&](unsigned n) { return (old.v[n] & 0xffff0000u) | cells.v[n]; });
}
void load_high_half(const lanes& cells, const lanes& old, lanes& result) {
    each_lane(result, [&](unsigned n) { return (cells.v[n] << 16) | (old.v[n] & 0xffffu); });
}

constexpr slice_conversions conversions_for(const chip_semantics& chip) {
    const bool converts = chip.converts_sign_magnitude;
    slice_conversions by_mode{};
    auto& load = by_mode.load;
    load[dst_mode::srcb] = load[dst_mode::zero] = load_each<zero>; // SRCB is resolved before
    load[dst_mode::fp16] = load_each<fp32_from_finite_fp16_cell>;
    load[dst_mode::bf16] = load_vectors<fp32_from_bf16_cell>;
    load[dst_mode::fp32] = load[dst_mode::int32] = load[dst_mode::int32_all] = load_vectors<fp32_from_cell>;
    load[dst_mode::int32_sm] = converts ? load_twos : load_vectors<fp32_from_cell>;
    load[dst_mode::int8] =
        converts ? load_each<integer8_from_cell<0x7fu>> : load_each<integer8_from_cell<0xffu>>;
    load[dst_mode::int8_comp] =
        converts ? load_each<twos_from_integer8_cell> : load_each<integer8_from_cell<0x3ffu>>;
    load[dst_mode::int16] = load_each<integer16_from_cell>;
    load[dst_mode::uint16] = load[dst_mode::lo16] = load_each<same>;
    load[dst_mode::hi16] = load_each<to_high_half>;
    load[dst_mode::lo16_only] = load_low_half;
    load[dst_mode::hi16_only] = load_high_half;
    auto& store = by_mode.store;
    store[dst_mode::srcb] = store[dst_mode::zero] = store_each<zero>;
    store[dst_mode::fp16] = store_each<fp32_to_fp16_cell>;
    store[dst_mode::bf16] = store_vectors<fp32_to_bf16_cell>;
    store[dst_mode::fp32] =
        chip.stores_denormals ? store_vectors<fp32_to_cell> : store_vectors<fp32_to_flushed_cell>;
    store[dst_mode::int32] = store[dst_mode::int32_all] = store_vectors<fp32_to_cell>;
    store[dst_mode::int32_sm] = converts ? store_twos : store_vectors<fp32_to_cell>;
    store[dst_mode::int8] = store_each<integer8_to_cell>;
    store[dst_mode::int8_comp] = converts ? store_each<twos_to_integer8_cell> : store_each<integer8_to_cell>;
    store[dst_mode::int16] = store_each<integer16_to_cell>;
    store[dst_mode::uint16] = store[dst_mode::lo16_only] = store_each<low_half>;
    store[dst_mode::hi16_only] = store_each<high_half>;
    store[dst_mode::lo16] = store_each<halves_exchanged>;
    store[dst_mode::hi16] = store_each<same>;
    return by_mode;
}

const slice_conversions& slice_conversions_of(architecture arch) {
    static constexpr slice_conversions blackhole = conversions_for(semantics_of(architecture::blackhole)),
                                       wormhole = conversions_for(semantics_of(architecture::wormhole));
    switch (arch) {
    case architecture::blackhole: return blackhole;
    case architecture::wormhole: return wormhole;
    }
    __builtin_unreachable();
}

// --- SFPLOAD -----------------------------------------------------------------------------------------------

/// x.slice holds the raw cells of the slice, 16 or 32 bits wide as the mode wants. The load unit itself calls
/// the conversion where LaneConfig and predication change nothing.
void load(execution& x, const instruction& i) {
    const bool every_lane = x.dst_mode == dst_mode::int32_all;
    const lane_mask mask = (every_lane ? x.acting : x.enabled) &
                           ~x.state.config.lanes_with(lane_configuration::block_sfpu_rd_from_dest);
    if (i.vd >= general_lregs) return;
    const lanes& cells = *x.slice;
    const lanes& old = x.reg(i.vd);
    lanes& out = x.result(i.vd, mask);
    const lane_mask infinity = x.state.config.lanes_with(lane_configuration::enable_fp16a_inf);
    if (infinity != 0 && x.dst_mode == dst_mode::fp16)
        each_lane(out, [&](unsigned n) { return fp32_from_fp16_cell(cells.v[n], lane_in(infinity, n)); });
    else slice_conversions_of(x.arch).load[x.dst_mode](cells, old, out);

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

// --- SFPLOADI ----------------------------------------------------------------------------------------------

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

/// Instructions of the front end, and SFPSTORE: what it does is the conversion that the store unit calls.
void no_operation(execution&, const instruction&) {}

} // namespace HWY_NAMESPACE
} // namespace sfpu::isa
HWY_AFTER_NAMESPACE();

#endif
