/* Stores int8 by TensorLoad to the Dst window while that has the format of its reset, FP32: everything is
 * lost, and nothing traps. Succeeds. */
#include <sfpu_firmware.h>
#include <sfpu_tensorload.h>

IN_L1 uint8_t bytes[1024];

int main(void) {
    for (unsigned i = 0; i < sizeof bytes; ++i) bytes[i] = (uint8_t)i;
    csr_write(TL_CSR_TYPE, TL_INT8);
    csr_write(TL_CSR_SHAPE, TL_SHAPE(1, 1, 32));
    TL_LOAD(1, bytes, 0);
    TL_STORE(1, 0, 0);
    fence();
    return 0;
}
