// Parameters of the TensorLoad engine.
#pragma once

namespace sfpu {

struct tensorload_parameters {};

} // namespace sfpu
