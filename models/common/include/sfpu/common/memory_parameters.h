// Parameters of memories outside the vector unit: L1, local RAM, plain RAM, the Dst window.
#pragma once

namespace sfpu {

struct memory_parameters {};

} // namespace sfpu
