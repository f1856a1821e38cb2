// Parameters of a RISC-V hart.
#pragma once

namespace sfpu {

struct hart_parameters {};

} // namespace sfpu
