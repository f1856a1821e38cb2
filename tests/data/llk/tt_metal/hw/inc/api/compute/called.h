// A header of our own for the test of `sfpusim llk`: it is read, not compiled, and says what prepares a kernel.
#pragma once

ALWI void called_tile_init() { MATH(SFPU_UNARY_INIT_FN(negative, ckernel::sfpu::init_all_signs, (APPROX))); }

ALWI void called_tile(uint32_t idst) {
    MATH(SFPU_UNARY_CALL(DST_SYNC_MODE, DST_ACCUM_MODE, calculate_called, (APPROX, 8 /*rows*/), idst));
}
