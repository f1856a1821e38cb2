// Describes the kernel of mul32_macro.h: a in rows 0x00 to 0x3f of Dst, b in 0x40 to 0x7f, out in 0x80 to
// 0xbf.
#include "mul32_macro.h"

#include <sfpu/kernel_recorder/program.h>

void sfpu_kernel(sfpu::kernel_recorder::program_builder& kernel) {
    kernel.init(ckernel::sfpu::configure_mul32_addrmod)
        .init(ckernel::sfpu::_init_mul32_<false>)
        .calculate(8, [] { ckernel::sfpu::_calculate_mul32_<false, 8>(0, 1, 2); })
        .expect_cycles_per_row(8);
}
