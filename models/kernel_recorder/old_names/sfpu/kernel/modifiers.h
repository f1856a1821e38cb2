// Old name, kept for one release: this header is <sfpu/kernel_recorder/modifiers.h> now, and its namespace sfpu::kernel_recorder.
#pragma once

#include <sfpu/kernel_recorder/modifiers.h>

namespace sfpu {
namespace kernel_recorder {}
namespace kernel = kernel_recorder;
} // namespace sfpu
