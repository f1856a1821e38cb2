/* Matrices from L1 to Dst, transposed on the way by the TensorLoad engine, one after another: 32 x 32 bytes
 * each, two in a pair of registers. Nothing else happens, so that the cycles of a run are those of loading,
 * transposing and storing: what docs/exploration.md asks about the transpose buffer and the width of L1. */
#include <sfpu_firmware.h>
#include <sfpu_tensorload.h>

#define SIDE 32
#define MATRICES 8
#define ROUNDS 128

IN_L1 uint8_t matrices[MATRICES][SIDE][SIDE];

/* Registers differ so that matrices are loaded while those before are transposed. */
#define PAIR(low, high, first)                                                                               \
    TL_LOAD(low, matrices[first], 0);                                                                        \
    TL_LOAD(high, matrices[(first) + 1], 0);                                                                 \
    TL_XPOSE(1, 2, low, high, TL_DIMS(2, SIDE, SIDE, 1));                                                    \
    TL_STORE(low, (first)*SIDE* SIDE, 0);                                                                    \
    TL_STORE(high, ((first) + 1) * SIDE * SIDE, 0);

/* From 0 to 127: Dst holds sign and magnitude. */
static uint8_t element(unsigned matrix, unsigned row, unsigned column) {
    return (uint8_t)((matrix * 31 + row * 7 + column * 3) & 127);
}

int main(void) {
    set_dst_access(0, DST_INT8);
    for (unsigned i = 0; i < SIDE; ++i) /* a row and a column of each are enough to see what happened */
        for (unsigned matrix = 0; matrix < MATRICES; ++matrix) {
            matrices[matrix][5][i] = element(matrix, 5, i);
            matrices[matrix][i][9] = element(matrix, i, 9);
        }
    csr_write(TL_CSR_TYPE, TL_INT8);
    csr_write(TL_CSR_SHAPE, TL_SHAPE(16, 1, 64));
    for (unsigned round = 0; round < ROUNDS; ++round) {
        PAIR(1, 2, 0)
        PAIR(3, 4, 2)
        PAIR(5, 6, 4)
        PAIR(7, 8, 6)
    }
    fence();
    const volatile uint8_t* dst = (const volatile uint8_t*)DST_BASE;
    int wrong = 0;
    for (unsigned i = 0; i < SIDE; ++i)
        for (unsigned matrix = 0; matrix < MATRICES; ++matrix) {
            wrong += dst[(matrix * SIDE + i) * SIDE + 5] != element(matrix, 5, i);
            wrong += dst[(matrix * SIDE + 9) * SIDE + i] != element(matrix, i, 9);
        }
    return wrong;
}
