// A kernel of our own for the test of `sfpusim llk`: vector types.
#pragma once

#include "sfpi.h"

namespace ckernel::sfpu {

template <bool APPROXIMATION_MODE, int ITERATIONS = 8>
inline void calculate_half() {
    for (int d = 0; d < ITERATIONS; d++) {
        sfpi::vFloat x = sfpi::dst_reg[0];
        v_if(x < 0.0f) { x = APPROXIMATION_MODE ? x : -x; }
        v_endif;
        sfpi::dst_reg[0] = x * 0.5f;
        sfpi::dst_reg++;
    }
}

} // namespace ckernel::sfpu
