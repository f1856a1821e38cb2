// Which row of an iteration a word of a loop works on.
#pragma once

#include <sfpu/isa/assembler.h>

namespace sfpu::analysis {

/// Whether the loop is its rows one behind the other: as many parts as rows, of the same instructions, each
/// of which reads and writes Dst one row further than the part before, or at the same place, which then moves
/// by itself. Registers and macros may differ, as they do where rows take turns with them.
bool is_row_by_row(const isa::kernel& kernel);

} // namespace sfpu::analysis
