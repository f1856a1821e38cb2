// A kernel as the segments of a program.
#pragma once

#include <sfpu/isa/assembler.h>
#include <sfpu/platform/program.h>

#include <cstdint>
#include <vector>

namespace sfpu::platform {

/// Three segments: init once, the loop `iterations` times, tail once.
std::vector<program_segment> segments_of(const isa::kernel& kernel, std::uint64_t iterations);

} // namespace sfpu::platform
