// 32-bit integer multiplication with SFPLOADMACRO: out = a * b modulo 2^32. The C++ twin of
// kernels/mul32_macro.s, in the style of the kernel library.
//
// Source: Jason Davies, "32-bit integer multiplication" (20 November 2025), the schedule with four macros,
// which kernels/mul32_macro.s explains.
#pragma once

#include "ckernel_addrmod.h"
#include "ckernel_defs.h"
#include "ckernel_ops.h"
#include "sfpi.h"

#include <cstdint>

namespace ckernel {
namespace sfpu {

inline void configure_mul32_addrmod() {
    addr_mod_t{
        .srca = {.incr = 0},
        .srcb = {.incr = 0},
        .dest = {.incr = 2},
    }
        .set(ADDR_MOD_6);
    addr_mod_t{
        .srca = {.incr = 0},
        .srcb = {.incr = 0},
        .dest = {.incr = 0},
    }
        .set(ADDR_MOD_7);
}

template <bool APPROXIMATION_MODE>
inline void _init_mul32_() {
    constexpr std::uint32_t b1 = p_sfpu::LREG2, c = p_sfpu::LREG4;

    // Templates, written through the backdoor: destination 12 + i is template i.
    TTI_SFPSHFT2(-23 & 0xfff, p_sfpu::LREG0, 12, sfpi::SFPSHFT2_MOD1_SHFT_IMM);
    TTI_SFPMUL24(p_sfpu::LREG0, p_sfpu::LREG0, p_sfpu::LCONST_0, 13, sfpi::SFPMUL24_MOD1_LOWER);
    TTI_SFPSHFT(23, b1, 14, sfpi::SFPSHFT_MOD1_ARG_IMM | sfpi::SFPSHFT_MOD1_ARG_IMM_USE_VC);
    TTI_SFPIADD(0, c, 15, sfpi::SFPIADD_MOD1_CC_NONE);

    { // macro 0: low(b * (a >> 23))
        constexpr std::uint32_t simple_bits = 0;
        constexpr std::uint32_t mad_bits = 0x80 | (1 << 3) | 5;
        constexpr std::uint32_t round_bits = 0x80 | (0 << 3) | 4;
        constexpr std::uint32_t store_bits = 0;
        TTI_SFPLOADI(0, sfpi::SFPLOADI_MOD0_LOWER, (mad_bits << 8) | simple_bits);
        TTI_SFPLOADI(0, sfpi::SFPLOADI_MOD0_UPPER, (store_bits << 8) | round_bits);
        TTI_SFPCONFIG(0, 4 + 0, 0);
    }
    { // macro 1: low(a * (b >> 23)), then + c
        constexpr std::uint32_t simple_bits = 0x80 | (4 << 3) | 7;
        constexpr std::uint32_t mad_bits = 0x80 | (1 << 3) | 5;
        constexpr std::uint32_t round_bits = 0x80 | (0 << 3) | 4;
        constexpr std::uint32_t store_bits = 0;
        TTI_SFPLOADI(0, sfpi::SFPLOADI_MOD0_LOWER, (mad_bits << 8) | simple_bits);
        TTI_SFPLOADI(0, sfpi::SFPLOADI_MOD0_UPPER, (store_bits << 8) | round_bits);
        TTI_SFPCONFIG(0, 4 + 1, 0);
    }
    { // macro 2: low(a * b), then L16 = that + c
        constexpr std::uint32_t simple_bits = 0x80 | 0x40 | (4 << 3) | 7;
        constexpr std::uint32_t mad_bits = 0x80 | (1 << 3) | 5;
        constexpr std::uint32_t round_bits = 0;
        constexpr std::uint32_t store_bits = 0;
        TTI_SFPLOADI(0, sfpi::SFPLOADI_MOD0_LOWER, (mad_bits << 8) | simple_bits);
        TTI_SFPLOADI(0, sfpi::SFPLOADI_MOD0_UPPER, (store_bits << 8) | round_bits);
        TTI_SFPCONFIG(0, 4 + 2, 0);
    }
    { // macro 3: c = b1 << 23, and the store of L16
        constexpr std::uint32_t simple_bits = 0x80 | (0 << 3) | 6;
        constexpr std::uint32_t mad_bits = 0;
        constexpr std::uint32_t round_bits = 0;
        constexpr std::uint32_t store_bits = 0x40 | (2 << 3) | 3;
        TTI_SFPLOADI(0, sfpi::SFPLOADI_MOD0_LOWER, (mad_bits << 8) | simple_bits);
        TTI_SFPLOADI(0, sfpi::SFPLOADI_MOD0_UPPER, (store_bits << 8) | round_bits);
        TTI_SFPCONFIG(0, 4 + 3, 0);
    }

    // Misc: stores take the mode of their load, all delays count instructions.
    TTI_SFPCONFIG(0xff0, 8, 1);
    TTI_SFPNOP; // an SFPLOADMACRO comes three words behind a write of Misc (T21)
}

template <bool APPROXIMATION_MODE, int ITERATIONS>
inline void _calculate_mul32_(const std::uint32_t dst_index_in0, const std::uint32_t dst_index_in1,
                              const std::uint32_t dst_index_out) {
    constexpr std::uint32_t dst_tile_size = 64;
    const std::uint32_t offset0 = dst_index_in0 * dst_tile_size;
    const std::uint32_t offset1 = dst_index_in1 * dst_tile_size;
    const std::uint32_t offset2 = dst_index_out * dst_tile_size;

    constexpr std::uint32_t a0 = p_sfpu::LREG0, b0 = p_sfpu::LREG0, a1 = p_sfpu::LREG1;
    constexpr std::uint32_t b1 = p_sfpu::LREG2, b2 = p_sfpu::LREG3, c = p_sfpu::LREG4;

#pragma GCC unroll 8
    for (int d = 0; d < ITERATIONS; d++) {
        TT_SFPLOAD(b0, INT32, ADDR_MOD_7, offset1);
        TT_SFPLOADMACRO((0 << 2) | (a1 & 3), INT32, ADDR_MOD_7, offset0 | (a1 >> 2));
        TT_SFPLOADMACRO((1 << 2) | (b1 & 3), INT32, ADDR_MOD_7, offset1 | (b1 >> 2));
        TT_SFPLOAD(a0, INT32, ADDR_MOD_7, offset0);
        TT_SFPLOADMACRO((2 << 2) | (b2 & 3), INT32, ADDR_MOD_7, offset1 | (b2 >> 2));
        TTI_SFPMUL24(a0, b2, p_sfpu::LCONST_0, c, sfpi::SFPMUL24_MOD1_UPPER);
        TTI_SFPIADD(0, a1, b1, sfpi::SFPIADD_MOD1_CC_NONE);
        TT_SFPLOADMACRO((3 << 2) | (c & 3), INT32, ADDR_MOD_6, offset2 | (c >> 2));
    }
    TTI_SFPNOP;
    TTI_SFPNOP;
    TTI_SFPNOP;
}

} // namespace sfpu
} // namespace ckernel
