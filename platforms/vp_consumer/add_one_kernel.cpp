// A kernel in the vendor's manner: adds one to 32 rows of 32-bit integers.
#include "ckernel_ops.h"

#include <sfpu/kernel_recorder/program.h>

namespace {

void add_one() {
    TTI_SFPLOAD(0, 4, 3, 0); // L0 = row, as an integer
    TTI_SFPIADD(1, 0, 0, 5); // L0 = L0 + 1, no flags
    TTI_SFPSTORE(0, 4, 3, 0);
    TTI_INCRWC(0, 2, 0, 0); // the next row
}

} // namespace

void sfpu_kernel(sfpu::kernel_recorder::program_builder& kernel) {
    kernel.calculate(1, add_one).expect_cycles_per_row(4);
}
