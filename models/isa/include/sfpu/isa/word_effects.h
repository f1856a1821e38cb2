// What a word may change beside registers, whatever its modifier: what decides which words share an issue
// cycle.
#pragma once

#include <sfpu/isa/instruction.h>

namespace sfpu::isa {

/// Changes LaneFlags, the flag stack or whether flags are used.
bool may_write_flags(const instruction& insn);
/// The same of this instruction with its modifier and VD, as a macro gives it where it is scheduled.
bool writes_flags(const instruction& insn);
/// Pushes to the flag stack, pops or looks at its top: only such have something to report (execution_report).
bool uses_flag_stack(const instruction& insn);
/// May step the random number generators.
bool may_use_random_numbers(const instruction& insn);

} // namespace sfpu::isa
