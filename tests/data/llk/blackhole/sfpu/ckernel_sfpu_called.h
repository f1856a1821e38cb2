// Kernels of our own for the test of `sfpusim llk`: what a checkout says of them in other headers, and what they say of
// each other.
#pragma once

#include "api/quarter.h"
#include "ckernel_ops.h"
#include "lltt.h"
#include "sfpi.h"

namespace ckernel::sfpu {

template <int ITERATIONS>
inline void calculate_quarter() {
    for (int d = 0; d < ITERATIONS; d++) {
        sfpi::dst_reg[0] = sfpi::dst_reg[0] * quarter_of_one;
        sfpi::dst_reg++;
    }
}

/// Whoever calls this kernel prepares it by a function of another name.
template <bool NEGATE, int ITERATIONS>
inline void calculate_called() {
    for (int d = 0; d < ITERATIONS; d++) {
#ifdef DISABLE_SFPLOADMACRO
        TTI_SFPLOAD(0, InstrModLoadStore::FP32, ADDR_MOD_7, 0);
        TTI_SFPMOV(0, 0, 0, NEGATE ? 1 : 0);
        TTI_SFPSTORE(0, InstrModLoadStore::FP32, ADDR_MOD_6, 0);
#else
        TTI_SFPLOADMACRO(0, InstrModLoadStore::FP32, ADDR_MOD_6, 0);
        TTI_SFPNOP;
#endif
    }
    TTI_SFPNOP;
    TTI_SFPNOP;
    TTI_SFPNOP;
}
template <bool TURN>
inline void init_all_signs() {
    TTI_SFPMOV(0, 0, 12, TURN ? 1 : 0); // template 0
    TTI_SFPLOADI(0, sfpi::SFPLOADI_MOD0_LOWER, 0x44);
    TTI_SFPLOADI(0, sfpi::SFPLOADI_MOD0_UPPER, (0x40 | 1 << 3 | 3) << 8);
    TTI_SFPCONFIG(0, 4, 0);
    TTI_SFPCONFIG(0x100 | InstrModLoadStore::FP32, 8, 1);
}
/// Its name says that it prepares the kernel, and it does not.
template <bool NEGATE>
inline void called_init() {
    init_all_signs<!NEGATE>();
}

/// A part of the function behind it, which prepares it.
inline void called_part() {
    TTI_SFPLOADMACRO(0, InstrModLoadStore::FP32, ADDR_MOD_6, 0);
    TTI_SFPNOP;
}
inline void calculate_parts() {
    init_all_signs<true>();
    for (int d = 0; d < 8; d++) called_part();
    TTI_SFPNOP;
    TTI_SFPNOP;
    TTI_SFPNOP;
}

/// It plays what the function behind it has loaded.
inline void called_plays() { lltt::replay(0, 2); }
inline void called_loads() {
    load_replay_buf(0, 2, [] {
        TTI_SFPLOAD(0, InstrModLoadStore::FP32, ADDR_MOD_7, 0);
        TTI_SFPSTORE(0, InstrModLoadStore::FP32, ADDR_MOD_6, 0);
    });
    lltt::replay(0, 2);
}

} // namespace ckernel::sfpu
