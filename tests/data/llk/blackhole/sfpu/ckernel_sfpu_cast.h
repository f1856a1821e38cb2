// A kernel of our own for the test of `sfpusim llk`: a macro and a plain path that are equal.
#pragma once

#include "ckernel_ops.h"
#include "sfpi.h"

namespace ckernel::sfpu {

inline void init_cast() {
    TTI_SFPCAST(0, 12, 0); // template 0
    TTI_SFPLOADI(0, sfpi::SFPLOADI_MOD0_LOWER, 0x44);
    TTI_SFPLOADI(0, sfpi::SFPLOADI_MOD0_UPPER, (0x40 | 1 << 3 | 3) << 8);
    TTI_SFPCONFIG(0, 4, 0);
    TTI_SFPCONFIG(0x100 | InstrModLoadStore::FP32, 8, 1);
}

// This achieves a throughput of 2 cycles per
// input row.
template <int ITERATIONS>
inline void calculate_cast() {
    for (int d = 0; d < ITERATIONS; d++) {
#ifdef DISABLE_SFPLOADMACRO
        TTI_SFPLOAD(0, InstrModLoadStore::LO16, ADDR_MOD_7, 0);
        TTI_SFPCAST(0, 1, 0);
        TTI_SFPSTORE(1, InstrModLoadStore::FP32, ADDR_MOD_6, 0);
#else
        TTI_SFPLOADMACRO(0, InstrModLoadStore::LO16, ADDR_MOD_6, 0);
        TTI_SFPNOP;
#endif
    }
    TTI_SFPNOP;
    TTI_SFPNOP;
    TTI_SFPNOP;
}

} // namespace ckernel::sfpu
