/* A tile on its way through the machine: 32 x 32 bf16 values lie row by row in L1; the TensorLoad engine
 * brings them into the order of faces (four blocks of 16 x 16) and stores them to Dst; the vector unit
 * replaces each by its reciprocal with a one-cycle macro kernel out of the replay buffer; the hart reads the
 * result back and checks it. */
#include <sfpu_firmware.h>
#include <sfpu_tensix.h>
#include <sfpu_tensorload.h>

#include "recip_bf16.words.h"

#define SIDE 32
#define FACE 16

typedef uint16_t bf16;

IN_L1 bf16 tile_in[SIDE][SIDE];
IN_L1 bf16 tile_out[SIDE][SIDE];

/* Normal numbers of both signs between 2^-16 and 2^16. */
static void fill(void) {
    uint32_t state = 1;
    for (unsigned row = 0; row < SIDE; ++row)
        for (unsigned column = 0; column < SIDE; ++column) {
            state = state * 1664525u + 1013904223u;
            const uint32_t sign = state >> 31, exponent = 111 + (state >> 26 & 31),
                           mantissa = state >> 19 & 127;
            tile_in[row][column] = (bf16)(sign << 15 | exponent << 7 | mantissa);
        }
}

/* Half a tile, 16 rows of 64 bytes, fits a TLReg. Seen as [2][16][2][32] bytes, the tile is in face order
 * once the 16 rows and the two halves of a row have changed places. */
static void tilize_into_dst(void) {
    csr_write(TL_CSR_TYPE, TL_BF16);
    csr_write(TL_CSR_SHAPE, TL_SHAPE(16, 1, SIDE));
    TL_LOAD(1, tile_in, 0);
    TL_LOAD(2, tile_in, 16);
    TL_XPOSE(1, 2, 1, 2, TL_DIMS(2, 16, 2, 32));
    csr_write(TL_CSR_SHAPE, TL_SHAPE(32, 1, FACE)); /* 32 rows of Dst */
    TL_STORE(1, 0, 0);
    TL_STORE(2, 0, 32);
    fence();
}

static void reciprocal(void) {
    TTINSN(TT_SETRWC_DST_ZERO);
    RECIP_BF16_INIT(TTINSN)
    TTINSN(TT_REPLAY_LOAD(0, RECIP_BF16_LOOP_COUNT));
    RECIP_BF16_LOOP(TTINSN)
    for (unsigned row = 0; row < SIDE; row += RECIP_BF16_LOOP_COUNT)
        TTINSN(TT_REPLAY(0, RECIP_BF16_LOOP_COUNT));
    RECIP_BF16_TAIL(TTINSN)
    wait_for_tensix();
}

static void read_back(void) {
    const volatile bf16* dst = (const volatile bf16*)DST_BASE;
    for (unsigned row = 0; row < SIDE; ++row)
        for (unsigned column = 0; column < SIDE; ++column) {
            const unsigned face = row / FACE * 2 + column / FACE;
            tile_out[row][column] = dst[(face * FACE + row % FACE) * FACE + column % FACE];
        }
}

/* Whether x * y lies within 0.56 % of 1, by integer arithmetic: significands have 8 bits, so the product of
 * the two is 2^14 for 1, or twice or four times that if the exponents make up for it. */
static int is_reciprocal(bf16 x, bf16 y) {
    const uint32_t product = (uint32_t)(0x80 | (x & 0x7f)) * (uint32_t)(0x80 | (y & 0x7f));
    const int missing = 254 - (x >> 7 & 0xff) - (y >> 7 & 0xff);
    if ((x ^ y) & 0x8000 || missing < 0 || missing > 2) return 0;
    const uint32_t one = 0x4000u << missing;
    const uint32_t distance = product > one ? product - one : one - product;
    return distance * 10000u <= 56u * one;
}

int main(void) {
    int wrong = 0;
    set_dst_access(0, DST_BF16);
    fill();
    tilize_into_dst();
    reciprocal();
    read_back();
    for (unsigned row = 0; row < SIDE; ++row)
        for (unsigned column = 0; column < SIDE; ++column)
            wrong += !is_reciprocal(tile_in[row][column], tile_out[row][column]);
    return wrong;
}
