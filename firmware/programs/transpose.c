/* Tiles from L1 to Dst, one after another: each is 32 x 32 bf16 values that lie row by row; the TensorLoad engine brings them
 * into the order of faces. Nothing else happens, so that the cycles of a run are those of loading, exchanging axes and
 * storing: what docs/exploration.md asks about the transpose buffer and the width of L1. */
#include <sfpu_firmware.h>
#include <sfpu_tensorload.h>

#define SIDE 32
#define FACE 16
#define ROUNDS 32 /* of four tiles */

typedef uint16_t bf16;

IN_L1 bf16 tiles[4][SIDE][SIDE];

/* Half a tile fits a register. Registers differ so that a tile is loaded while the one before is exchanged. */
#define TILE(low, high, from, to)                                                                            \
    csr_write(TL_CSR_SHAPE, TL_SHAPE(16, 1, SIDE));                                                          \
    TL_LOAD(low, from, 0);                                                                                   \
    TL_LOAD(high, from, 16);                                                                                 \
    TL_XPOSE(1, 2, low, high, TL_DIMS(2, 16, 2, 32));                                                        \
    csr_write(TL_CSR_SHAPE, TL_SHAPE(32, 1, FACE));                                                          \
    TL_STORE(low, to, 0);                                                                                    \
    TL_STORE(high, to, 32);

int main(void) {
    set_dst_access(0, DST_BF16);
    for (unsigned i = 0; i < 8; ++i) tiles[i % 4][i][31 - i] = (bf16)(0x3f80 + i);
    csr_write(TL_CSR_TYPE, TL_BF16);
    for (unsigned round = 0; round < ROUNDS; ++round) {
        TILE(1, 2, tiles[0], 0 * 2048)
        TILE(3, 4, tiles[1], 1 * 2048)
        TILE(5, 6, tiles[2], 2 * 2048)
        TILE(7, 8, tiles[3], 3 * 2048)
    }
    fence();
    const volatile bf16* dst = (const volatile bf16*)DST_BASE;
    int wrong = 0;
    for (unsigned i = 0; i < 8; ++i) {
        const unsigned face = i / FACE * 2 + (31 - i) / FACE;
        wrong += dst[(i % 4) * 1024 + (face * FACE + i % FACE) * FACE + (31 - i) % FACE] != 0x3f80 + i;
    }
    return wrong;
}
