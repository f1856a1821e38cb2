// Names of the kernel library beside instructions and registers: what its templates select by, and small
// helpers. Values are those of the public headers.
#pragma once

#include <sfpu/kernel_recorder/names.h>
#include <sfpu/kernel_recorder/ops.h>

#include <cstdint>
#include <type_traits>

/// Attributes of pointers on the device.
#define tt_l1_ptr
#define tt_reg_ptr

/// What does not hold cannot be recorded.
#define LLK_ASSERT(condition, message)                                                                       \
    do {                                                                                                     \
        if (!(condition)) SFPU_KERNEL_REFUSE(message);                                                       \
    } while (false)

#ifndef ALWI
#define ALWI inline __attribute__((always_inline))
#endif

#ifndef LOWER_HALFWORD
#define LOWER_HALFWORD(x) ((x)&0xFFFF)
#define UPPER_HALFWORD(x) ((x) >> 16)
#define LO_16(REG) (2 * (REG))
#define HI_16(REG) (2 * (REG) + 1)
#endif

/// What a build of the library decides for a whole kernel. Here they hold for a translation unit, and these
/// macros decide: results that are approximated, Dst of 32 bits.
#ifndef SFPU_KERNEL_APPROX
#define SFPU_KERNEL_APPROX false
#endif
#ifndef SFPU_KERNEL_DST_ACCUM_MODE
#define SFPU_KERNEL_DST_ACCUM_MODE false
#endif
constexpr bool APPROX = SFPU_KERNEL_APPROX, DST_ACCUM_MODE = SFPU_KERNEL_DST_ACCUM_MODE;

/// Operations by name. Only their being different matters.
enum class SfpuType {
    OP,
    TYPE,
    abs,
    abs_int32,
    acos,
    acosh,
    add1,
    add_int32,
    add_top_row,
    add_uint16,
    add_uint32,
    addcdiv,
    addcmul,
    alt_complex_rotate90,
    asin,
    asinh,
    atan,
    atanh,
    bitwise_and,
    bitwise_not,
    bitwise_or,
    bitwise_xor,
    cast_fp32_to_fp16a,
    cbrt,
    ceil,
    celu,
    clamp,
    cosh,
    cosine,
    cpy_values,
    cumsum,
    dequant_int32,
    digamma,
    div_int32,
    div_int32_floor,
    div_int32_trunc,
    dropout,
    elu,
    eq,
    eq_int,
    equal_zero,
    erf,
    erfc,
    erfinv,
    exp2,
    exp_with_base,
    expm1,
    expm1_cw,
    exponential,
    fill,
    floor,
    fmod,
    fmod_int32,
    frac,
    gcd,
    ge,
    ge_int,
    gelu,
    gelu_appx,
    gelu_derivative,
    gelu_tanh,
    greater_than_equal_zero,
    greater_than_zero,
    gt,
    gt_int,
    hardmish,
    hardshrink,
    hardsigmoid,
    hardtanh,
    heaviside,
    i0,
    i1,
    identity,
    isclose,
    isfinite,
    isinf,
    isnan,
    isneginf,
    isposinf,
    lcm,
    le,
    le_int,
    left_shift,
    lerp,
    less_than_equal_zero,
    less_than_zero,
    lgamma,
    log,
    log1p,
    log_with_base,
    logical_not_unary,
    lrelu,
    lt,
    lt_int,
    mask,
    max,
    max_int32,
    max_pool_with_indices,
    max_uint32,
    min,
    min_int32,
    min_uint32,
    mish,
    mul_int32,
    mul_uint16,
    ne,
    ne_int,
    neg,
    negative,
    not_equal_zero,
    polygamma,
    power,
    prelu,
    quant_int32,
    rdiv,
    reciprocal,
    reduce,
    relu_max,
    relu_min,
    remainder,
    remainder_int32,
    remainder_uint32,
    requant_int32,
    reshuffle_rows,
    right_shift,
    round,
    rpow,
    rsqrt,
    rsqrt_compat,
    selu,
    sigmoid,
    sigmoid_appx,
    sign,
    signbit,
    silu,
    sine,
    sinh,
    snake_beta,
    softplus,
    softshrink,
    softsign,
    sqrt,
    sqrt_custom,
    square,
    sub_int32,
    sub_uint16,
    tan,
    tanh,
    tanh_derivative,
    tanh_derivative_lut,
    tanhshrink,
    threshold,
    tiled_prod,
    topk_local_sort,
    topk_merge,
    topk_rebuild,
    trunc,
    typecast,
    unary_eq,
    unary_ge,
    unary_gt,
    unary_le,
    unary_lt,
    unary_max,
    unary_max_int32,
    unary_max_uint32,
    unary_min,
    unary_min_int32,
    unary_min_uint32,
    unary_ne,
    unused,
    where,
    xielu
};

namespace ckernel {

using ::SfpuType;

enum VectorMode { None = 0, R = 1, C = 2, RC = 4, RC_custom = 6, Invalid = 0xff };
enum ReduceDim { REDUCE_ROW, REDUCE_COL, REDUCE_SCALAR };
enum PoolType { SUM, AVG, MAX, MIN };
enum EltwiseBinaryType { ELWMUL, ELWDIV, ELWADD, ELWSUB, ELWLESS };
enum class BroadcastType : std::uint8_t { NONE = 0, COL = 1, ROW = 2, SCALAR = 3 };
enum DstSync { SyncHalf = 0, SyncFull = 1 };
enum ReluType { NO_RELU, ZERO_RELU, MIN_THRESHOLD_RELU, MAX_THRESHOLD_RELU };
enum class MathFidelity : std::uint8_t { LoFi = 0, HiFi2 = 2, HiFi3 = 3, HiFi4 = 4 };
enum class DataLayout { TILE = 0, ROW_MAJOR = 1 };
enum SortDir : bool { ArgMax = false, ArgMin = true };
enum class ActivationType { Celu = 0, Elu = 1, Gelu = 2, Hardtanh = 3, Hardsigmoid = 4 };
enum class RoundingMode : std::uint8_t { None = 0, Trunc = 1, Floor = 2 };
enum class BinaryOp : std::uint8_t {
    ADD = 0,
    SUB = 1,
    MUL = 2,
    DIV = 3,
    RSUB = 4,
    POW = 5,
    XLOGY = 6,
    RSHFT = 7,
    LSHFT = 8,
    LOGICAL_RSHFT = 9,
    ADD_TOP_ROW = 10
};

/// Rows of Dst in 16-bit mode.
constexpr std::uint32_t DEST_REGISTER_FULL_SIZE = 1024, DEST_REGISTER_HALF_SIZE = 512;
constexpr std::uint32_t FACE_HEIGHT = 16, FACE_WIDTH = 16, TILE_HEIGHT = 32, TILE_WIDTH = 32;
constexpr std::uint32_t FACE_R_DIM = FACE_HEIGHT, FACE_C_DIM = FACE_WIDTH,
                        FACE_SIZE = FACE_R_DIM * FACE_C_DIM;
constexpr std::uint32_t TILE_R_DIM = TILE_HEIGHT, TILE_C_DIM = TILE_WIDTH, TILE_NUM_FACES = 4;

/// Rows of Dst that a tile of each DstTileShape takes, as a power of two.
constexpr std::uint32_t DstTileSizeLog2[] = {6, 5, 4};

/// The number behind an enumerator.
template <typename Enumeration>
constexpr auto to_underlying(Enumeration value) noexcept {
    return static_cast<std::underlying_type_t<Enumeration>>(value);
}

/// The mode in which a format is loaded from Dst; block formats by what Dst holds. A Dst of 32 bits holds
/// 16-bit formats as FP32 and INT32.
template <DataFormat Format, bool WideDst = false>
constexpr InstrModLoadStore GetSfpLoadStoreInstrMod() {
    switch (Format) {
    case DataFormat::Float32:
    case DataFormat::Tf32: return InstrModLoadStore::FP32;
    case DataFormat::Float16: return WideDst ? InstrModLoadStore::FP32 : InstrModLoadStore::FP16A;
    case DataFormat::Float16_b: return WideDst ? InstrModLoadStore::FP32 : InstrModLoadStore::FP16B;
    case DataFormat::Int8:
    case DataFormat::UInt8: return InstrModLoadStore::INT8;
    case DataFormat::UInt16: return WideDst ? InstrModLoadStore::INT32 : InstrModLoadStore::LO16;
    case DataFormat::Int32:
    case DataFormat::UInt32: return InstrModLoadStore::INT32;
    default: return InstrModLoadStore::DEFAULT;
    }
}

/// Modes in which integer kernels load and store.
constexpr bool is_valid_instruction_mode(InstrModLoadStore mode) {
    return mode == InstrModLoadStore::INT32_2S_COMP || mode == InstrModLoadStore::INT32 ||
           mode == InstrModLoadStore::LO16;
}

#ifdef ARCH_BLACKHOLE
/// Between two's complement and sign and magnitude, from `source` to `dest` and back to `source` with the
/// sign.
inline void apply_sign_magnitude_conversion(std::uint32_t source, std::uint32_t dest, InstrModCast mode) {
    TTI_SFPCAST(source, dest, mode);
    TTI_SFPSETSGN(0, dest, source, 0);
}
#endif

/// The seed of the generator is a configuration register, which recorded words do not reach: a run sets it
/// with `.config`. The wait behind it is part of the words.
inline void init_prng_seed(std::uint32_t) {
    for (int i = 0; i < 600; ++i) TTI_SFPNOP;
}

} // namespace ckernel
