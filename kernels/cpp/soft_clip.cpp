#include "soft_clip.h"

#include <sfpu/kernel_recorder/program.h>

void sfpu_kernel(sfpu::kernel_recorder::program_builder& kernel) {
    kernel.calculate(8, ckernel::sfpu::calculate_soft_clip<8>);
}
