// Describes the kernel of uint16_to_fp32.h, in place in rows 0x40 to 0x7f of Dst.
#include "uint16_to_fp32.h"

#include <sfpu/kernel_recorder/program.h>

void sfpu_kernel(sfpu::kernel_recorder::program_builder& kernel) {
    kernel.init(ckernel::sfpu::configure_uint16_to_fp32_addrmod)
        .init(ckernel::sfpu::_init_uint16_to_fp32_<false>)
        .calculate(8, [] { ckernel::sfpu::_calculate_uint16_to_fp32_<false, 8>(1); })
        .expect_cycles_per_row(1);
}
