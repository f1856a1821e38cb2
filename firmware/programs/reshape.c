/* The worked examples of the TensorLoad description: exchange of axes, concat, merge, constants, masked loads
 * and stores, each compared with plain loops over the coordinates. */
#include <sfpu_firmware.h>
#include <sfpu_results.h>
#include <sfpu_tensorload.h>

#define REGISTER 1024 /* bytes */

IN_L1 uint8_t first[REGISTER];
IN_L1 uint8_t second[REGISTER];
IN_L1 uint8_t results[8 * REGISTER];

/* Where each example stores its result, in registers. */
enum { EXCHANGE_01 = 0, EXCHANGE_23 = 2, CONCAT = 4, MERGE = 5, CONSTANT = 6, MASKED = 7 };

static void shape(unsigned d0, unsigned d1, unsigned d2) { csr_write(TL_CSR_SHAPE, TL_SHAPE(d0, d1, d2)); }

static uint32_t place(unsigned result) { return RESULT_OFFSET + result * REGISTER; }

static void load_both(void) {
    shape(32, 1, 32);
    TL_LOAD(11, first, 0);
    TL_LOAD(12, second, 0);
}
static void store(unsigned result, unsigned count) {
    shape(32, 1, 32);
    TL_STORE(11, place(result), 0);
    if (count == 2) TL_STORE(12, place(result + 1), 0);
}

static void run_examples(void) {
    load_both(); /* [8,16,8,2] becomes [16,8,8,2] */
    TL_XPOSE(0, 1, 11, 12, 0x02081008u);
    store(EXCHANGE_01, 2);

    load_both(); /* [16,8,8,2] becomes [16,8,2,8] */
    TL_XPOSE(2, 3, 11, 12, 0x02080810u);
    store(EXCHANGE_23, 2);

    load_both(); /* the upper half of one innermost axis before the lower half of the other */
    shape(8, 8, 4);
    csr_write(TL_CSR_MASK_CONCAT_1, 0xc);
    csr_write(TL_CSR_MASK_CONCAT_2, 0x3);
    TL_CONCAT(2, 11, 11, 12);
    store(CONCAT, 1);

    load_both(); /* odd positions of one, even positions of the other */
    shape(8, 16, 8);
    csr_write(TL_CSR_MASK_CONCAT_1, 0xaa);
    TL_MERGE(0, 11, 11, 12);
    store(MERGE, 1);

    TL_ADDI(11, 0, 50); /* a register of constants */
    store(CONSTANT, 1);

    shape(8, 32, 4); /* slices 2, 3, 6 and 7 loaded, the others zero; the first four stored over constants */
    store(MASKED, 1);
    shape(8, 32, 4);
    csr_write(TL_CSR_LOAD_MASK, 0xcc);
    csr_write(TL_CSR_STORE_MASK, 0x0f);
    TL_MLOAD(13, first, 0);
    TL_MSTORE(13, place(MASKED), 0);
    fence();
}

static uint8_t source(unsigned i) { return i < REGISTER ? first[i] : second[i - REGISTER]; }

/* Checks of one byte of each result; `i` is its index there. */
static uint8_t exchanged_01(unsigned i) {
    const unsigned inner = i % 16, d0 = i / 16 % 8, d1 = i / 128;
    return source((d0 * 16 + d1) * 16 + inner);
}
static uint8_t exchanged_23(unsigned i) {
    const unsigned d2 = i % 8, d3 = i / 8 % 2, outer = i / 16;
    return source((outer * 8 + d2) * 2 + d3);
}
static uint8_t concatenated(unsigned i) {
    if (i >= 8 * 8 * 4) return first[i]; /* behind the block nothing changes */
    return i % 4 < 2 ? first[i + 2] : second[i - 2];
}
static uint8_t merged(unsigned i) { return i / 128 % 2 ? first[i] : second[i]; }
static uint8_t constant(unsigned i) { return (void)i, 50; }
static uint8_t masked(unsigned i) {
    const unsigned slice = i / 128;
    if (slice >= 4) return 50;
    return slice >= 2 ? first[i] : 0;
}

static int count_wrong(unsigned result, unsigned registers, uint8_t (*expected)(unsigned)) {
    int wrong = 0;
    for (unsigned i = 0; i < registers * REGISTER; ++i)
        wrong += results[result * REGISTER + i] != expected(i);
    return wrong;
}

int main(void) {
    for (unsigned i = 0; i < REGISTER; ++i) {
        first[i] = (uint8_t)(i * 29 % 127);
        second[i] = (uint8_t)(i * 53 % 113);
    }
    csr_write(TL_CSR_TYPE, TL_INT8);
    results_begin();
    run_examples();
    results_read(0, results, sizeof results);
    return count_wrong(EXCHANGE_01, 2, exchanged_01) + count_wrong(EXCHANGE_23, 2, exchanged_23) +
           count_wrong(CONCAT, 1, concatenated) + count_wrong(MERGE, 1, merged) +
           count_wrong(CONSTANT, 1, constant) + count_wrong(MASKED, 1, masked);
}
