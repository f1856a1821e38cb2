// The words of RISC-V instructions, as tests call them.
#pragma once

#include <sfpu/riscv/encode.h>

namespace sfpu::test::rv {

using namespace riscv::encode;

} // namespace sfpu::test::rv
