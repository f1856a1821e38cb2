// A kernel with vector types: x / 2 + x^3 / 8 between -1 and 1, and beyond these 0.8373 with the sign of x.
#pragma once

#include "sfpi.h"

namespace ckernel::sfpu {

template <int ITERATIONS>
void calculate_soft_clip() {
    for (int d = 0; d < ITERATIONS; d++) {
        sfpi::vFloat x = sfpi::dst_reg[0];
        sfpi::vFloat y = x * 0.5f + x * x * x * 0.125f;
        v_if(x > 1.0f || x < -1.0f) { y = sfpi::setsgn(sfpi::vConst0p8373, x); }
        v_endif;
        sfpi::dst_reg[0] = y;
        sfpi::dst_reg++;
    }
}

} // namespace ckernel::sfpu
