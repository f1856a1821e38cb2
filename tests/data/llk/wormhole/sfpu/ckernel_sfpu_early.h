// A kernel of our own for the test of `sfpusim llk`: its plain path reads a product before it is there.
#pragma once

#include "ckernel_ops.h"
#include "sfpi.h"

namespace ckernel::sfpu {

template <int ITERATIONS>
inline void calculate_early() {
    for (int d = 0; d < ITERATIONS; d++) {
        TTI_SFPLOADI(2, 0, 0x4040); // 3
        TTI_SFPLOAD(0, InstrModLoadStore::FP32, ADDR_MOD_3, 0);
#ifndef DISABLE_SFPLOADMACRO
        TTI_SFPLOADMACRO(1, InstrModLoadStore::FP32, ADDR_MOD_3, 0);
        TTI_SFPNOP;
        TTI_SFPNOP;
#endif
        TTI_SFPMUL(0, 0, 9, 2, 0);
#ifndef DISABLE_SFPLOADMACRO
        TTI_SFPNOP;
#endif
        TTI_SFPMOV(0, 2, 3, 0);
        TTI_SFPSTORE(3, InstrModLoadStore::FP32, ADDR_MOD_2, 0);
    }
    TTI_SFPNOP;
    TTI_SFPNOP;
    TTI_SFPNOP;
}

} // namespace ckernel::sfpu
