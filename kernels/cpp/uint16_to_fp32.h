// Unsigned 16-bit integers to FP32 with SFPLOADMACRO, on both architectures. The C++ twin of
// kernels/uint16_to_fp32.s, in the style of the kernel library.
#pragma once

#include "ckernel_addrmod.h"
#include "ckernel_defs.h"
#include "ckernel_ops.h"
#include "cmath_common.h"
#include "lltt.h"
#include "sfpi.h"

#include <cstdint>

namespace ckernel {
namespace sfpu {

inline void configure_uint16_to_fp32_addrmod() {
#ifdef ARCH_WORMHOLE
    math::set_addr_mod_base();
#endif
    addr_mod_t{
        .srca = {.incr = 0},
        .srcb = {.incr = 0},
        .dest = {.incr = 2},
    }
        .set(ADDR_MOD_6);
}

template <bool APPROXIMATION_MODE>
inline void _init_uint16_to_fp32_() {
    // Template 0, through the backdoor.
    TTI_SFPCAST(p_sfpu::LREG0, 12, 0);

    { // macro 0: L16 = cast, and its store
        constexpr std::uint32_t simple_bits = 0x00 | 0x40 | (0 << 3) | 4;
        constexpr std::uint32_t mad_bits = 0;
        constexpr std::uint32_t round_bits = 0;
        constexpr std::uint32_t store_bits = 0x00 | 0x40 | (1 << 3) | 3;
        TTI_SFPLOADI(0, sfpi::SFPLOADI_MOD0_LOWER, (mad_bits << 8) | simple_bits);
        TTI_SFPLOADI(0, sfpi::SFPLOADI_MOD0_UPPER, (store_bits << 8) | round_bits);
        TTI_SFPCONFIG(0, 4 + 0, 0);
    }

    // Misc: stores are FP32, Simple counts instructions.
    TTI_SFPCONFIG(0x100 | InstrModLoadStore::FP32, 8, 1);
    TTI_SFPNOP; // an SFPLOADMACRO comes three words behind a write of Misc (T21)
    TTI_SFPNOP;
}

/// `dst_index` is a tile of 32-bit cells, whose 16-bit view holds the input. Unlike mul32_macro.h this one
/// plays its row from the replay buffer.
template <bool APPROXIMATION_MODE, int ITERATIONS>
inline void _calculate_uint16_to_fp32_(const std::uint32_t dst_index) {
#ifdef ARCH_WORMHOLE
    constexpr std::uint32_t step = ADDR_MOD_2; // entry 6, see set_addr_mod_base()
#else
    constexpr std::uint32_t step = ADDR_MOD_6;
#endif
    constexpr std::uint32_t v = p_sfpu::LREG0;

    lltt::record(0, 1);
    TT_SFPLOADMACRO((0 << 2) | (v & 3), InstrModLoadStore::LO16, step, (dst_index * 64) | (v >> 2));

#pragma GCC unroll 8
    for (int d = 0; d < ITERATIONS; d++) lltt::replay(0, 1);

    TTI_SFPNOP;
    TTI_SFPNOP;
}

} // namespace sfpu
} // namespace ckernel
