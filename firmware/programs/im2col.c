/* im2col: turns a convolution into a matrix product. An 8 x 8 image with 16 channels of int8 becomes a matrix
 * with one row of 3 x 3 x 16 values for each pixel; neighbours outside the image are a constant.
 *
 * The work is all TensorLoad's. A block holds one image row, a slice is one pixel. A masked load shifts the
 * row and leaves zeros outside, TL.MERGE puts the constant there, and the store stride of nine slices drops
 * each pixel into its place of the matrix. */
#include <sfpu_firmware.h>
#include <sfpu_results.h>
#include <sfpu_tensorload.h>

#define SIDE 8
#define CHANNELS 16
#define KERNEL 3
#define PLACES (KERNEL * KERNEL)
#define PADDING 50

IN_L1 uint8_t image[SIDE][SIDE][CHANNELS];
IN_L1 uint8_t matrix_out[SIDE * SIDE][PLACES][CHANNELS];

/* Slices whose pixel, `shift` to the left or right, lies inside the image row. */
static uint32_t inside(int shift) {
    const uint32_t all = (1u << SIDE) - 1;
    return shift < 0 ? all & (all << -shift) : all >> shift;
}

static void im2col(void) {
    csr_write(TL_CSR_TYPE, TL_INT8);
    csr_write(TL_CSR_SHAPE, TL_SHAPE(SIDE, 1, CHANNELS));
    csr_write(TL_CSR_STORE_STRIDE, PLACES);
    TL_ADDI(2, 0, PADDING);
    for (int y = 0; y < SIDE; ++y)
        for (int place = 0; place < PLACES; ++place) {
            const int from_row = y + place / KERNEL - 1, shift = place % KERNEL - 1;
            const uint32_t mask = from_row < 0 || from_row >= SIDE ? 0 : inside(shift);
            const uint32_t first =
                (uint32_t)(uintptr_t)image + (uint32_t)((from_row * SIDE + shift) * CHANNELS);
            const uint32_t to = RESULT_OFFSET + (uint32_t)((y * SIDE * PLACES + place) * CHANNELS);
            csr_write(TL_CSR_LOAD_MASK, mask);
            csr_write(TL_CSR_MASK_CONCAT_1, mask);
            TL_MLOAD(1, first, 0);
            TL_MERGE(0, 3, 1, 2);
            TL_STORE(3, to, 0);
        }
    fence();
}

static uint8_t expected(int pixel, int place, int channel) {
    const int y = pixel / SIDE + place / KERNEL - 1, x = pixel % SIDE + place % KERNEL - 1;
    return y < 0 || y >= SIDE || x < 0 || x >= SIDE ? PADDING : image[y][x][channel];
}

int main(void) {
    int wrong = 0;
    uint8_t* pixel = &image[0][0][0];
    for (unsigned i = 0; i < sizeof image; ++i) pixel[i] = (uint8_t)(i * 37 % 127);
    results_begin();
    im2col();
    results_read(0, &matrix_out[0][0][0], sizeof matrix_out);
    for (int p = 0; p < SIDE * SIDE; ++p)
        for (int place = 0; place < PLACES; ++place)
            for (int c = 0; c < CHANNELS; ++c) wrong += matrix_out[p][place][c] != expected(p, place, c);
    return wrong;
}
