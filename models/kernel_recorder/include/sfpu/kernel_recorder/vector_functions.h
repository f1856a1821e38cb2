// The functions of the vendor's library on vector types, in namespace sfpi. Older and newer names stand side
// by side: kernels use both.
#pragma once

#include <sfpu/kernel_recorder/vector_registers.h>

#include <utility>

namespace sfpi {

/// The same bits as another type.
template <class V, std::enable_if_t<impl_::is_vector<V>, int> = 0>
V as(const impl_::vVal& v) {
    return V(v.get());
}
template <class V, std::enable_if_t<impl_::is_vector<V>, int> = 0>
V reinterpret(const impl_::vVal& v) {
    return V(v.get());
}

/// Rounding of conversions, as a name or as the number that older kernels write. Nearest takes ties away from
/// zero in SFP_STOCH_RND and to even in SFPCAST; Zero is Blackhole's.
class RoundMode {
public:
    enum Values {
        NearestAway = 0,
        Nearest = 0,
        NearestEven = 0,
        NearestStochastic = 1,
        Stochastic = 1,
        Zero = 2
    };
    constexpr RoundMode(Values mode) : mode_(mode) {}
    constexpr RoundMode(int mode) : mode_(mode) {}
    constexpr unsigned number() const { return static_cast<unsigned>(mode_); }

private:
    int mode_;
};

enum class ExponentMode { Unbiased = 0, Debias = 0, Biased = 1, NoDebias = 1 };
enum class MantissaMode { FractionOnly, WithUnitBit, ImplicitOne = WithUnitBit };
enum class LZMode { All, IgnoreSign };
enum class LdexpMode { Correct, Fast };
#ifdef ARCH_BLACKHOLE
enum class ShiftMode { Logical, Arithmetic };
enum class RecipMode { All, IfNegative };
enum class FractionalHalf { Low, High };
#else
enum class ShiftMode { Logical };
#endif

namespace impl_ {
template <class V, class... Bases>
using if_one_of = std::enable_if_t<(std::is_base_of_v<Bases, V> || ...), int>;
template <class V>
V unary(unsigned opcode, const vVal& v, unsigned mod, int imm = 0) {
    return V(sfpu_t(record::unary(opcode, v.id(), mod, imm)));
}
/// VC keeps what the instruction does not set from VB.
template <class V>
V field(unsigned opcode, const vVal& rest, const vVal& what, unsigned mod = 0) {
    return V(sfpu_t(record::binary(opcode, what.id(), rest.id(), mod)));
}
namespace opcode = ::sfpu::isa::opcode;
} // namespace impl_

// --- fields of numbers -------------------------------------------------------------------------------------

inline vInt exexp(vFloat v, ExponentMode mode = ExponentMode::Unbiased) {
    return impl_::unary<vInt>(impl_::opcode::sfpexexp, v, mode == ExponentMode::Biased ? 1 : 0);
}
inline vInt exexp_nodebias(vFloat v) { return exexp(v, ExponentMode::Biased); }
inline vMag exman(vFloat v, MantissaMode mode = MantissaMode::FractionOnly) {
    return impl_::unary<vMag>(impl_::opcode::sfpexman, v, mode == MantissaMode::FractionOnly ? 1 : 0);
}
inline vInt exman8(vFloat v) { return impl_::unary<vInt>(impl_::opcode::sfpexman, v, SFPEXMAN_MOD1_PAD8); }
inline vInt exman9(vFloat v) { return impl_::unary<vInt>(impl_::opcode::sfpexman, v, SFPEXMAN_MOD1_PAD9); }
template <class V, impl_::if_one_of<V, vFloat, vInt, vSMag> = 0>
vUInt exsgn(V v) {
    return as<vUInt>(v) >> 31;
}

template <class T, impl_::if_integer<T> = 0>
vFloat setexp(vFloat v, T exponent) {
    return vFloat(record::set_exponent(v.id(), static_cast<int>(exponent)));
}
template <class V, impl_::if_one_of<V, vInt, vUInt> = 0>
vFloat setexp(vFloat v, const V& exponent) {
    return impl_::field<vFloat>(impl_::opcode::sfpsetexp, v, exponent);
}
inline vFloat copyexp(vFloat v, vFloat other) {
    return impl_::field<vFloat>(impl_::opcode::sfpsetexp, v, other, SFPSETEXP_MOD1_CPY);
}
inline vFloat addexp(vFloat v, int exponent) {
    return impl_::unary<vFloat>(impl_::opcode::sfpdivp2, v, SFPDIVP2_MOD1_ADD, exponent);
}
template <class T, impl_::if_integer<T> = 0>
vFloat setman(vFloat v, T mantissa) {
    return vFloat(record::set_mantissa(v.id(), static_cast<unsigned>(mantissa)));
}
template <class V, std::enable_if_t<impl_::is_vector<V>, int> = 0>
vFloat setman(vFloat v, const V& mantissa) {
    return impl_::field<vFloat>(impl_::opcode::sfpsetman, v, mantissa);
}
inline vFloat copyman(vFloat v, vFloat mantissa) { return setman(v, mantissa); }

template <class V, class T, std::enable_if_t<impl_::is_vector<V> && std::is_integral_v<T>, int> = 0>
std::conditional_t<std::is_base_of_v<vUInt, V>, vSMag, V> setsgn(const V& v, T sign) {
    using result = std::conditional_t<std::is_base_of_v<vUInt, V>, vSMag, V>;
    return impl_::unary<result>(impl_::opcode::sfpsetsgn, v, SFPSETSGN_MOD1_ARG_IMM, static_cast<int>(sign));
}
template <class V, class S, std::enable_if_t<impl_::is_vector<V> && impl_::is_vector<S>, int> = 0>
std::conditional_t<impl_::is_integer_vector<V>, vSMag, V> copysgn(const V& v, const S& sign) {
    using result = std::conditional_t<impl_::is_integer_vector<V>, vSMag, V>;
    return impl_::field<result>(impl_::opcode::sfpsetsgn, v, sign);
}
template <class V, class S, std::enable_if_t<impl_::is_vector<V> && impl_::is_vector<S>, int> = 0>
V setsgn(const V& v, const S& sign) {
    return impl_::field<V>(impl_::opcode::sfpsetsgn, v, sign);
}
// For what converts to a vFloat: constant registers, slices of Dst.
inline vFloat setsgn(vFloat v, vFloat sign) {
    return impl_::field<vFloat>(impl_::opcode::sfpsetsgn, v, sign);
}
inline vFloat setsgn(vFloat v, int sign) {
    return impl_::unary<vFloat>(impl_::opcode::sfpsetsgn, v, SFPSETSGN_MOD1_ARG_IMM, sign);
}
inline vFloat copysgn(vFloat v, vFloat sign) { return setsgn(v, sign); }
template <class V, class S, std::enable_if_t<impl_::is_vector<V> && impl_::is_vector<S>, int> = 0>
V setsgn2(const V& v, const S& sign) {
    return copysgn(v, as<vSMag>(as<vUInt>(sign) << 31));
}

inline vFloat abs(vFloat v) { return impl_::unary<vFloat>(impl_::opcode::sfpabs, v, SFPABS_MOD1_FLOAT); }
/// Of the least integer it is that integer, as the chips have it.
inline vMag abs(vInt v) { return impl_::unary<vMag>(impl_::opcode::sfpabs, v, SFPABS_MOD1_INT); }
inline vMag abs(vSMag v) { return vMag(setsgn(v, 0).get()); }

template <class V, std::enable_if_t<impl_::is_vector<V>, int> = 0>
vMag lz(const V& v, LZMode mode = LZMode::All) {
    return impl_::unary<vMag>(impl_::opcode::sfplz, v, mode == LZMode::All ? 0 : SFPLZ_MOD1_NOSGN_MASK);
}
template <class V, std::enable_if_t<impl_::is_vector<V>, int> = 0>
vInt lz_nosgn(const V& v) {
    return impl_::unary<vInt>(impl_::opcode::sfplz, v, SFPLZ_MOD1_NOSGN_MASK);
}

// --- shifts ------------------------------------------------------------------------------------------------

namespace impl_ {
inline bool arithmetic([[maybe_unused]] ShiftMode mode) {
#ifdef ARCH_BLACKHOLE
    return mode == ShiftMode::Arithmetic;
#else
    return false;
#endif
}
#ifdef ARCH_BLACKHOLE
constexpr ShiftMode shift_of_vInt = ShiftMode::Arithmetic;
#else
constexpr ShiftMode shift_of_vInt = ShiftMode::Logical;
#endif
} // namespace impl_

/// To the left by `amount`, to the right by its opposite.
template <class A, class B, impl_::if_integers<A, B> = 0>
A shft(const A& v, const B& amount,
       ShiftMode mode = impl_::is_signed_vector<A> ? impl_::shift_of_vInt : ShiftMode::Logical) {
    return A(record::shift(v.id(), amount.id(), impl_::arithmetic(mode)));
}
template <class A, class T, impl_::if_integer_and_number<A, T> = 0>
A shft(const A& v, T amount,
       ShiftMode mode = impl_::is_signed_vector<A> ? impl_::shift_of_vInt : ShiftMode::Logical) {
    return A(record::shift(v.id(), static_cast<int>(amount), impl_::arithmetic(mode)));
}

inline vFloat ldexp(vFloat v, int exponent, LdexpMode = LdexpMode::Correct) { return addexp(v, exponent); }
inline vFloat ldexp(vFloat v, vInt exponent, LdexpMode mode = LdexpMode::Correct) {
    if (mode == LdexpMode::Fast) return setexp(v, exexp(v, ExponentMode::Biased) + exponent);
    return v * setexp(vFloat(0.0f), exponent + 127);
}

// --- what a number is --------------------------------------------------------------------------------------

inline vBool is_nan(vFloat v) { return exexp(v, ExponentMode::Biased) >= 255 && exman(v) != 0; }
inline vBool is_finite(vFloat v) { return exexp(v, ExponentMode::Biased) < 255; }
inline vBool is_normal(vFloat v) {
    const vInt exponent = exexp(v, ExponentMode::Biased);
    return exponent < 255 && exponent != 0;
}
inline vBool is_subnormal(vFloat v) { return exexp(v, ExponentMode::Biased) == 0 && exman(v) != 0; }
inline vBool is_zero(vFloat v) { return (as<vUInt>(v) << 1) == 0; }
inline vBool is_inf(vFloat v) { return exexp(v, ExponentMode::Biased) >= 255 && exman(v) == 0; }
inline vBool is_pos(vFloat v) { return lz(as<vUInt>(v)) != 0; }
inline vBool is_neg(vFloat v) { return lz(as<vUInt>(v)) == 0; }

// --- tables ------------------------------------------------------------------------------------------------

namespace impl_ {
inline vFloat look_up(const vVal& v, const vVal& l0, const vVal& l1, const vVal& l2, unsigned mod) {
    return vFloat(record::look_up({l0.id(), l1.id(), l2.id()}, v.id(), mod));
}
template <class... Tables>
vFloat look_up_fp32(const vVal& v, unsigned mod, const Tables&... tables) {
    const record::value ids[] = {tables.id()...};
    return vFloat(record::look_up_fp32(ids, sizeof...(tables), v.id(), mod));
}
} // namespace impl_

inline vFloat lut(vFloat v, vUInt l0, vUInt l1, vUInt l2) { return impl_::look_up(v, l0, l1, l2, 4); }
inline vFloat lut_sign(vFloat v, vUInt l0, vUInt l1, vUInt l2) { return impl_::look_up(v, l0, l1, l2, 0); }
/// Of older libraries: the last argument adds a power of two to the result's exponent, which no kernel uses.
inline vFloat lut(vFloat v, vUInt l0, vUInt l1, vUInt l2, int offset) {
    if (offset != 0) SFPU_KERNEL_REFUSE("lut with an offset is not supported");
    return impl_::look_up(v, l0, l1, l2, 4);
}
inline vFloat lut2(vFloat v, vUInt l0, vUInt l1, vUInt l2) {
    return impl_::look_up_fp32(v, SFPLUTFP32_MOD0_FP16_3ENTRY_TABLE | SFPLUTFP32_MOD0_SGN_RETAIN, l0, l1, l2);
}
inline vFloat lut2_sign(vFloat v, vUInt l0, vUInt l1, vUInt l2) {
    return impl_::look_up_fp32(v, SFPLUTFP32_MOD0_FP16_3ENTRY_TABLE, l0, l1, l2);
}
inline vFloat lut2(vFloat v, vFloat a0, vFloat a1, vFloat a2, vFloat b0, vFloat b1, vFloat b2) {
    return impl_::look_up_fp32(v, SFPLUTFP32_MOD0_SGN_RETAIN, a0, a1, a2, b0, b1, b2);
}
inline vFloat lut2_sign(vFloat v, vFloat a0, vFloat a1, vFloat a2, vFloat b0, vFloat b1, vFloat b2) {
    return impl_::look_up_fp32(v, 0, a0, a1, a2, b0, b1, b2);
}
inline vFloat lut2(vFloat v, vUInt a01, vUInt a23, vUInt a45, vUInt b01, vUInt b23, vUInt b45, int mode = 1) {
    const unsigned table =
        mode == 1 ? SFPLUTFP32_MOD0_FP16_6ENTRY_TABLE1 : SFPLUTFP32_MOD0_FP16_6ENTRY_TABLE2;
    return impl_::look_up_fp32(v, table | SFPLUTFP32_MOD0_SGN_RETAIN, a01, a23, a45, b01, b23, b45);
}
inline vFloat lut2_sign(vFloat v, vUInt a01, vUInt a23, vUInt a45, vUInt b01, vUInt b23, vUInt b45,
                        int mode = 1) {
    const unsigned table =
        mode == 1 ? SFPLUTFP32_MOD0_FP16_6ENTRY_TABLE1 : SFPLUTFP32_MOD0_FP16_6ENTRY_TABLE2;
    return impl_::look_up_fp32(v, table, a01, a23, a45, b01, b23, b45);
}

// --- conversions -------------------------------------------------------------------------------------------

namespace impl_ {
template <class V>
V rounded(const vVal& v, unsigned mod, RoundMode rounding, unsigned descale = 0) {
    return V(sfpu_t(record::round(v.id(), mod, rounding.number(), descale)));
}
} // namespace impl_

/// The argument is sign and magnitude, whatever its type says.
template <class V, impl_::if_one_of<V, vInt, vUInt, vSMag> = 0>
vFloat int32_to_float(const V& v, RoundMode rounding = RoundMode::Stochastic) {
    return impl_::unary<vFloat>(impl_::opcode::sfpcast, v, rounding.number() & 1u);
}
inline vFloat float_to_fp16a(vFloat v, RoundMode rounding = RoundMode::Stochastic) {
    return impl_::rounded<vFloat>(v, SFPSTOCHRND_MOD1_FP32_TO_FP16A, rounding);
}
inline vFloat float_to_fp16b(vFloat v, RoundMode rounding = RoundMode::Stochastic) {
    return impl_::rounded<vFloat>(v, SFPSTOCHRND_MOD1_FP32_TO_FP16B, rounding);
}
inline vUInt float_to_uint8(vFloat v, RoundMode rounding = RoundMode::Stochastic) {
    return impl_::rounded<vUInt>(v, SFPSTOCHRND_MOD1_FP32_TO_UINT8, rounding);
}
inline vInt float_to_int8(vFloat v, RoundMode rounding = RoundMode::Stochastic) {
    return impl_::rounded<vInt>(v, SFPSTOCHRND_MOD1_FP32_TO_INT8, rounding);
}
inline vUInt float_to_uint16(vFloat v, RoundMode rounding = RoundMode::Stochastic) {
    return impl_::rounded<vUInt>(v, SFPSTOCHRND_MOD1_FP32_TO_UINT16, rounding);
}
inline vInt float_to_int16(vFloat v, RoundMode rounding = RoundMode::Stochastic) {
    return impl_::rounded<vInt>(v, SFPSTOCHRND_MOD1_FP32_TO_INT16, rounding);
}
template <class T, impl_::if_integer<T> = 0>
vUInt int32_to_uint8(vInt v, T descale, RoundMode rounding = RoundMode::Stochastic) {
    return impl_::rounded<vUInt>(v, SFPSTOCHRND_MOD1_INT32_TO_UINT8, rounding,
                                 static_cast<unsigned>(descale));
}
template <class T, impl_::if_integer<T> = 0>
vInt int32_to_int8(vInt v, T descale, RoundMode rounding = RoundMode::Stochastic) {
    return impl_::rounded<vInt>(v, SFPSTOCHRND_MOD1_INT32_TO_INT8, rounding, static_cast<unsigned>(descale));
}
inline vUInt int32_to_uint8(vInt v, vUInt descale, RoundMode rounding = RoundMode::Stochastic) {
    return vUInt(record::round_by(v.id(), descale.id(), SFPSTOCHRND_MOD1_INT32_TO_UINT8, rounding.number()));
}
inline vInt int32_to_int8(vInt v, vUInt descale, RoundMode rounding = RoundMode::Stochastic) {
    return vInt(record::round_by(v.id(), descale.id(), SFPSTOCHRND_MOD1_INT32_TO_INT8, rounding.number()));
}

inline vInt smag_to_int(vSMag v) {
    vInt result = as<vInt>(v);
    v_if(result < 0) { result = 0 - as<vInt>(setsgn(v, 0)); }
    v_endif;
    return result;
}
inline vSMag int_to_smag(vInt v) {
    if constexpr (on_blackhole)
        return impl_::unary<vSMag>(impl_::opcode::sfpcast, v, SFPCAST_MOD1_INT32_TO_SM32);
    vSMag result = as<vSMag>(v);
    v_if(v < 0) { result = setsgn(as<vSMag>(0 - v), 1); }
    v_endif;
    return result;
}

/// Converts a number to another type, with its value.
template <class To, class From, std::enable_if_t<impl_::is_vector<To> && impl_::is_vector<From>, int> = 0>
To convert(const From& v, [[maybe_unused]] RoundMode rounding = RoundMode::Stochastic) {
    if constexpr (std::is_same_v<To, From>) return v;
    else if constexpr (std::is_base_of_v<vFloat, From>) {
        if constexpr (std::is_same_v<To, vFloat>) return as<vFloat>(v);
        else if constexpr (std::is_same_v<To, vFloat16a>) return impl_::rounded<To>(v, 0, rounding);
        else if constexpr (std::is_same_v<To, vFloat16b>) return impl_::rounded<To>(v, 1, rounding);
        else if constexpr (std::is_same_v<To, vUInt8>) return impl_::rounded<To>(v, 2, rounding);
        else if constexpr (std::is_same_v<To, vSMag8>) return impl_::rounded<To>(v, 3, rounding);
        else if constexpr (std::is_same_v<To, vUInt16>) return impl_::rounded<To>(v, 6, rounding);
        else return impl_::rounded<To>(v, 7, rounding);
    } else if constexpr (std::is_base_of_v<vSMag, From>) {
        if constexpr (std::is_base_of_v<vFloat, To>)
            return convert<To>(int32_to_float(v, rounding), rounding);
        else return smag_to_int(as<vSMag>(v));
    } else if constexpr (std::is_base_of_v<vInt, From>) {
        if constexpr (std::is_same_v<To, vSMag>) return int_to_smag(v);
        else return convert<To>(int_to_smag(v), rounding);
    } else {
        if constexpr (std::is_same_v<To, vInt>) return as<vInt>(v);
        else return convert<To>(as<vSMag>(v), rounding);
    }
}

// --- exchanges ---------------------------------------------------------------------------------------------

namespace impl_ {
template <class V>
void exchange(V& a, V& b, unsigned mod) {
    record::value first = a.id(), second = b.id();
    record::swap(first, second, mod);
    const V one{sfpu_t(first)}, two{sfpu_t(second)};
    a = one;
    b = two;
}
} // namespace impl_

template <class V, std::enable_if_t<impl_::is_vector<V>, int> = 0>
void vec_swap(V& a, V& b) {
    impl_::exchange(a, b, SFPSWAP_MOD1_SWAP);
}
template <class V, std::enable_if_t<impl_::is_vector<V>, int> = 0>
void swap(V& a, V& b) {
    impl_::exchange(a, b, SFPSWAP_MOD1_SWAP);
}
/// `a` becomes the lesser and `b` the greater, by sign and magnitude.
template <class V, std::enable_if_t<impl_::is_vector<V>, int> = 0>
void vec_min_max(V& a, V& b) {
    impl_::exchange(a, b, SFPSWAP_MOD1_VEC_MIN_MAX);
}
namespace impl_ {
/// A bit for each row of 8 lanes: 1 where the first result is the greater one. Masks of 32 bits have eight of
/// them for each row.
inline unsigned rows_of_mask(std::uint32_t mask) {
    if (mask <= 0xfu) return mask;
    unsigned rows = 0;
    for (unsigned row = 0; row < 4; ++row) {
        const std::uint32_t lanes = mask >> (8 * row) & 0xffu;
        if (lanes != 0 && lanes != 0xffu)
            SFPU_KERNEL_REFUSE("min_max: a mask of 32 bits has whole rows of 8 lanes");
        rows |= (lanes & 1u) << row;
    }
    return rows;
}
/// Mod1 of SFPSWAP by the rows in which VD becomes the greater one; 0 if there is none.
constexpr unsigned swap_mode[16] = {SFPSWAP_MOD1_VEC_MIN_MAX,
                                    0,
                                    0,
                                    0,
                                    0,
                                    0,
                                    SFPSWAP_MOD1_SUBVEC_MIN03_MAX12,
                                    SFPSWAP_MOD1_SUBVEC_MIN3_MAX012,
                                    0,
                                    0,
                                    SFPSWAP_MOD1_SUBVEC_MIN02_MAX13,
                                    SFPSWAP_MOD1_SUBVEC_MIN2_MAX013,
                                    SFPSWAP_MOD1_SUBVEC_MIN01_MAX23,
                                    SFPSWAP_MOD1_SUBVEC_MIN1_MAX023,
                                    SFPSWAP_MOD1_SUBVEC_MIN0_MAX123,
                                    0};
} // namespace impl_

/// By sign and magnitude. The first is the lesser, or where `mask` says so the greater.
template <class V, impl_::if_one_of<V, vFloat, vSMag> = 0>
std::pair<V, V> min_max(V a, V b, std::uint32_t mask = 0) {
    const unsigned rows = impl_::rows_of_mask(mask);
    const bool turned = impl_::swap_mode[rows] == 0; // then VC is the first
    record::value vd = a.id(), vc = b.id();
    record::swap(vd, vc, impl_::swap_mode[turned ? ~rows & 0xfu : rows]);
    const V of_vd{impl_::sfpu_t(vd)}, of_vc{impl_::sfpu_t(vc)};
    return turned ? std::pair<V, V>(of_vc, of_vd) : std::pair<V, V>(of_vd, of_vc);
}
template <class V, impl_::if_one_of<V, vFloat, vSMag> = 0>
V min(V a, V b) {
    return min_max(a, b).first;
}
template <class V, impl_::if_one_of<V, vFloat, vSMag> = 0>
V max(V a, V b) {
    return min_max(a, b).second;
}
inline vFloat min(vFloat a, float b) { return min(a, vFloat(b)); }
inline vFloat max(vFloat a, float b) { return max(a, vFloat(b)); }
namespace impl_ {
/// Unsigned numbers by way of sign and magnitude: beside a bound with its top bit clear both are
/// complemented, so that whoever has it set is the greater one.
inline vUInt bounded(vUInt v, std::uint32_t bound, bool from_above) {
    const bool complemented = bound >> 31 == 0;
    const vSMag a = as<vSMag>(complemented ? ~v : v), b(complemented ? ~bound : bound);
    const vSMag chosen = from_above == complemented ? min(a, b) : max(a, b);
    return complemented ? ~as<vUInt>(chosen) : as<vUInt>(chosen);
}
} // namespace impl_
inline vUInt min(vUInt v, unsigned bound) { return impl_::bounded(v, bound, true); }
inline vUInt max(vUInt v, unsigned bound) { return impl_::bounded(v, bound, false); }
inline vUInt clamp(vUInt v, unsigned lower, unsigned upper) { return min(max(v, lower), upper); }
template <class V, impl_::if_one_of<V, vFloat, vSMag> = 0>
V clamp(V v, V lower, V upper) {
    return min(max(v, lower), upper);
}
inline vFloat clamp(vFloat v, float lower, float upper) { return clamp(v, vFloat(lower), vFloat(upper)); }
inline vFloat symmetric_clamp(vFloat v, float bound) { return copysgn(min(abs(v), bound), v); }

/// Transposes four rows of four registers: row i of the j-th becomes row j of the i-th.
template <class V, std::enable_if_t<impl_::is_vector<V>, int> = 0>
void subvec_transp(V& a, V& b, V& c, V& d) {
    record::value ids[4] = {a.id(), b.id(), c.id(), d.id()};
    record::transpose(ids[0], ids[1], ids[2], ids[3]);
    const V results[4] = {V(impl_::sfpu_t(ids[0])), V(impl_::sfpu_t(ids[1])), V(impl_::sfpu_t(ids[2])),
                          V(impl_::sfpu_t(ids[3]))};
    a = results[0];
    b = results[1];
    c = results[2];
    d = results[3];
}
/// Lanes of each row move by one to the right; the last comes to the front, or nothing does.
inline impl_::sfpu_t subvec_shflror1(const impl_::vVal& v) {
    return impl_::sfpu_t(record::move_lanes(v.id(), SFPSHFT2_MOD1_SUBVEC_SHFLROR1));
}
inline impl_::sfpu_t subvec_shflshr1(const impl_::vVal& v) {
    return impl_::sfpu_t(record::move_lanes(v.id(), SFPSHFT2_MOD1_SUBVEC_SHFLSHR1));
}

// --- Blackhole ---------------------------------------------------------------------------------------------

#ifdef ARCH_BLACKHOLE
inline vInt rand() { return vInt(record::random()); }
inline vFloat approx_recip(vFloat v, RecipMode mode = RecipMode::All) {
    if (mode == RecipMode::IfNegative) return impl_::field<vFloat>(impl_::opcode::sfparecip, v, v, 1);
    return impl_::unary<vFloat>(impl_::opcode::sfparecip, v, SFPARECIP_MOD1_RECIP);
}
template <bool Always>
vFloat approx_recip(vFloat v) {
    return approx_recip(v, Always ? RecipMode::All : RecipMode::IfNegative);
}
inline vFloat approx_exp(vFloat v) {
    return impl_::unary<vFloat>(impl_::opcode::sfparecip, v, SFPARECIP_MOD1_EXP);
}
template <class A, class B, std::enable_if_t<impl_::is_vector<A> && impl_::is_vector<B>, int> = 0>
vMag fractional_mul(const A& a, const B& b, FractionalHalf half = FractionalHalf::Low) {
    return vMag(record::multiply_24(a.id(), b.id(), half == FractionalHalf::High ? 1 : 0));
}
inline vFloat rectified_linear_unit(vFloat v) { return max(v, 0.0f); }
#endif

/// The nearest integer, as a number and as an integer.
struct FloatInt : std::pair<vFloat, vInt> {
    using pair::pair;
    operator vFloat() const { return first; }
    operator vInt() const { return second; }
};
inline FloatInt round(vFloat v) {
    const vFloat magic = 12582912.0f, sum = v + magic;
    return {sum - magic, as<vInt>(sum) - as<vInt>(magic)};
}

/// c0 + c1 x + c2 x^2 + ...
inline vFloat polynomial(vFloat) { return vFloat(0.0f); }
template <class First>
vFloat polynomial(vFloat, First c) {
    return vFloat(c);
}
template <class First, class Second, class... More>
vFloat polynomial(vFloat x, First c0, Second c1, More... more) {
    return vFloat(c0) + x * polynomial(x, c1, more...);
}

// --- literals ----------------------------------------------------------------------------------------------

inline sFloat16a::sFloat16a(float number) {
    const std::uint32_t bits = impl_::bits_of(number);
    const int exponent = static_cast<int>(bits >> 23 & 0xffu) - 112;
    const std::uint32_t sign = bits >> 16 & 0x8000u;
    if (exponent <= 0) bits_ = static_cast<std::uint16_t>(sign);
    else if (exponent >= 31) bits_ = static_cast<std::uint16_t>(sign | 0x7bffu);
    else
        bits_ = static_cast<std::uint16_t>(sign | static_cast<std::uint32_t>(exponent) << 10 |
                                           (bits >> 13 & 0x3ffu));
}
/// As SFPLOADI with FLOATA widens it: subnormals have no place of their own there.
inline vFloat::vFloat(sFloat16a number)
    : vVal(impl_::made_constant((number.get() & 0x8000u) << 16 |
                                (((number.get() & 0x7fffu) << 13) + (112u << 23)))) {}

} // namespace sfpi
