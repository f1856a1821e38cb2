// Names that kernel functions use around the macros: registers, counter masks, stall conditions, load and
// store modes. Values are those of the public headers.
#pragma once

#include <sfpu/kernel_recorder/arch.h>

#include <cstdint>

/// Kernels use the C library's short name, which not every C library declares.
using uint = unsigned int;

namespace ckernel {

struct p_sfpu {
    static constexpr std::uint32_t LREG0 = 0, LREG1 = 1, LREG2 = 2, LREG3 = 3;
    static constexpr std::uint32_t LREG4 = 4, LREG5 = 5, LREG6 = 6, LREG7 = 7;
    // constants of the hardware
    static constexpr std::uint32_t LCONST_0_8373 = 8, LCONST_0 = 9, LCONST_1 = 10;
    // programmable constants
    static constexpr std::uint32_t LREG11 = 11, LREG12 = 12, LREG13 = 13, LREG14 = 14, LCONST_neg1 = 11;
    static constexpr std::uint32_t LTILEID = 15;
    // 16-bit immediates
    static constexpr std::uint32_t kCONST_1_FP16B = 0x3f80, kCONST_1_FP16A = 0x3c00, kCONST_0 = 0;
    static constexpr std::uint32_t kCONST_Exp_8Bit = 0, kCONST_Exp_5Bit = 1;
};

struct p_sfpswap {
    static constexpr std::uint32_t UNCONDITIONALLY = 0, ALL_ROWS_MAX = 1;
    static constexpr std::uint32_t ROWS_01_MAX = 2, ROWS_02_MAX = 3, ROWS_03_MAX = 4;
    static constexpr std::uint32_t ROW_0_MAX = 5, ROW_1_MAX = 6, ROW_2_MAX = 5, ROW_3_MAX = 6;
};

struct p_exp {
    static constexpr std::uint32_t FRAC_BITS = 3, C23_73 = 0x4340, ADJ_EXP = 0xbd3f;
};

struct p_setrwc {
    static constexpr std::uint32_t CLR_NONE = 0, CLR_A = 1, CLR_B = 2, CLR_AB = 3;
    static constexpr std::uint32_t SET_A = 1, SET_B = 2, SET_AB = 3, SET_D = 4, SET_AD = 5, SET_BD = 6,
                                   SET_ABD = 7;
    static constexpr std::uint32_t SET_F = 8, SET_A_F = 9, SET_B_F = 10, SET_AB_F = 11, SET_D_F = 12;
    static constexpr std::uint32_t SET_AD_F = 13, SET_BD_F = 14, SET_ABD_F = 15;
    static constexpr std::uint32_t CR_A = 1, CR_B = 2, CR_AB = 3, CR_D = 4, CR_AD = 5, CR_BD = 6, CR_ABD = 7;
    static constexpr std::uint32_t C_TO_CR_MODE = 8;
};

struct p_stall {
    // what to wait for
    static constexpr std::uint32_t NONE = 0, THCON = 0x1, UNPACK0 = 0x2, UNPACK1 = 0x4,
                                   UNPACK = UNPACK0 | UNPACK1;
#ifdef ARCH_BLACKHOLE
    static constexpr std::uint32_t PACK0 = 0x8, PACK = PACK0, MATH = 0x10;
    static constexpr std::uint32_t SRCA_CLR = 0x20, SRCB_CLR = 0x40, SRCA_VLD = 0x80, SRCB_VLD = 0x100;
    static constexpr std::uint32_t XMOV = 0x200, TRISC_CFG = 0x400, SFPU1 = 0x800, WAIT_SFPU = 0x800,
                                   CFGEXU = 0x1000;
#else
    static constexpr std::uint32_t PACK0 = 0x8, PACK1 = 0x10, PACK2 = 0x20, PACK3 = 0x40, MATH = 0x80;
    static constexpr std::uint32_t PACK = PACK0 | PACK1 | PACK2 | PACK3;
    static constexpr std::uint32_t SRCA_CLR = 0x100, SRCB_CLR = 0x200, SRCA_VLD = 0x400, SRCB_VLD = 0x800;
    static constexpr std::uint32_t XMOV = 0x1000, TRISC_CFG = 0x2000, SFPU1 = 0x4000, WAIT_SFPU = 0x4000;
#endif
    static constexpr std::uint32_t ALL_THREAD_RES = THCON | UNPACK | PACK | MATH | XMOV;

    // what to hold back
    static constexpr std::uint32_t STALL_TDMA = 0x1, STALL_SYNC = 0x2, STALL_PACK = 0x4, STALL_UNPACK = 0x8;
    static constexpr std::uint32_t STALL_XMOV = 0x10, STALL_THCON = 0x20, STALL_MATH = 0x40, STALL_CFG = 0x80;
    static constexpr std::uint32_t STALL_SFPU = 0x100, STALL_THREAD = 0x1ff;
    static constexpr std::uint32_t STALL_ON_ZERO = 1, STALL_ON_MAX = 2;
};

constexpr std::uint8_t ADDR_MOD_0 = 0, ADDR_MOD_1 = 1, ADDR_MOD_2 = 2, ADDR_MOD_3 = 3;
constexpr std::uint8_t ADDR_MOD_4 = 4, ADDR_MOD_5 = 5, ADDR_MOD_6 = 6, ADDR_MOD_7 = 7;

/// Modes of SFPLOAD and SFPSTORE under the names of the kernel library. Not all mean what the ISA
/// documentation calls so: its UINT16 is LO16 here (its LO16 is mode 9), its INT32_SM is INT32_2S_COMP.
enum InstrModLoadStore {
    DEFAULT = 0,
    FP16A = 1,
    FP16B = 2,
    FP32 = 3,
    INT32 = 4,
    INT8 = 5,
    LO16 = 6,
    HI16 = 7,
    INT32_2S_COMP = 12,
    INT8_2S_COMP = 13,
    LO16_ONLY = 14,
    HI16_ONLY = 15
};

#ifdef ARCH_BLACKHOLE
/// Modes of SFPCAST.
enum InstrModCast {
    INT32_TO_FP32_NEAREST_EVEN = 0,
    INT32_TO_FP32_STOCHASTIC = 1,
    INT32_2S_COMP_TO_INT_SIGN_MAGN = 2,
    INT_SIGN_MAGN_TO_INT32_2S_COMP = 3
};
#endif

enum DstTileLayout { Default, Interleaved };
enum DstTileShape { Tile32x32 = 0, Tile32x16 = 1, Tile16x16 = 2 };
enum class UnpackDestination { SrcRegs = 0, DestReg = 1 };

/// What templates of the kernel library select by.
enum class ApproximationMode { Precise = 0, Fast = 1 };

} // namespace ckernel

/// Formats of the kernel library, as far as kernels of the vector unit select by them.
enum class DataFormat : std::uint8_t {
    Float32 = 0,
    Float16 = 1,
    Bfp8 = 2,
    Bfp4 = 3,
    Tf32 = 4,
    Float16_b = 5,
    Bfp8_b = 6,
    Bfp4_b = 7,
    Int32 = 8,
    UInt16 = 9,
    Lf8 = 10,
    Bfp2 = 11,
    Int8 = 14,
    Bfp2_b = 15,
    UInt32 = 24,
    UInt8 = 30
};
