// Rows of a kernel as one: written out several times, or rolled up where its loop holds equal rows.
#pragma once

#include <sfpu/isa/assembler.h>
#include <sfpu/isa/machine.h>
#include <sfpu/isa/thread_state.h>

namespace sfpu::optimizer {

/// The same kernel with so many iterations of its loop written out in one. Each copy of an instruction has a
/// place of its own in a schedule: a macro, a template, a delay, a unit, registers. `iterations` divides
/// those of the kernel.
isa::kernel unrolled(const isa::kernel& plain, unsigned iterations);

/// The same kernel with as few rows in an iteration as possible, if its loop holds rows that compute the same
/// one behind the other: in any registers, at addresses that advance by a step, with constants that a row
/// sets or finds. The given kernel if it holds none. `thread` is the state in which `.init` begins.
isa::kernel rolled_up(const isa::kernel& plain, const isa::machine& machine, const isa::thread_state& thread,
                      bool lanes_start_enabled);

} // namespace sfpu::optimizer
