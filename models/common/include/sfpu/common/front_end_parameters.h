// Parameters of the front end: FIFOs, MOP and replay expanders, wait gate.
#pragma once

namespace sfpu {

struct front_end_parameters {};

} // namespace sfpu
