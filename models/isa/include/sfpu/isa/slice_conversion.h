// How SFPLOAD turns the raw cells of a Dst slice into the lanes of a register, and SFPSTORE these into cells,
// by mode.
//
// A slice is 32 raw cells: 16-bit cells zero-extended, or 32-bit cells with the high half on top.
#pragma once

#include <sfpu/common/types.h>

#include <array>

namespace sfpu::isa {

/// `old` is what the register holds; it may be `result` itself.
using load_conversion = void (*)(const lanes& cells, const lanes& old, lanes& result);
using store_conversion = void (*)(const lanes& values, lanes& cells);

/// Of all lanes, by Mod0 with SRCB resolved. What LaneConfig changes is no part of it: FP16 gives no
/// infinities.
struct slice_conversions {
    std::array<load_conversion, 16> load;
    std::array<store_conversion, 16> store;
};

/// Compiled for the best vector instruction set that this processor has, like instruction_table().
const slice_conversions& slice_conversions_of(architecture arch);
/// Compiled for what every processor of the build target has, like baseline_instruction_table(). Only for
/// comparing.
const slice_conversions& baseline_slice_conversions_of(architecture arch);

} // namespace sfpu::isa
