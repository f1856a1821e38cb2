// The words of RISC-V instructions, as tests call them.
#pragma once

#include <sfpu/riscv/encode.h>

namespace sfpu::test {

namespace rv = riscv::encode;

} // namespace sfpu::test
