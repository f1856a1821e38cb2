// A kernel with macros as the plain kernel that computes the same: what was executed, in an order in which
// each instruction may be issued by itself.
#pragma once

#include <sfpu/common/types.h>
#include <sfpu/isa/assembler.h>
#include <sfpu/isa/instruction.h>
#include <sfpu/isa/machine.h>
#include <sfpu/isa/thread_state.h>
#include <sfpu/optimizer/dataflow.h>
#include <sfpu/optimizer/structure.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sfpu::optimizer {

/// What a sub-unit executed in a run of the kernel, with the operands that it got.
struct executed_instruction {
    std::int64_t begin = 0, visible = 0; ///< cycles: reads its operands; its results can be read
    isa::instruction insn;
    bool scheduled = false;
    std::int64_t word = -1; ///< index of the issued word; for a scheduled one, that of its SFPLOADMACRO
    unsigned dst_address = 0;
    lane_mask lanes = 0; ///< that were enabled
};

struct expanded_kernel {
    std::string text; ///< plain assembly
    structure places;
    unsigned span = 0; ///< cycles from the first to the last instruction of an iteration's rows, in the run
};

/// Iterations that have to be whole in the run of `record`.
constexpr unsigned expansion_iterations = 16;
/// Iterations that it has.
constexpr unsigned expansion_run = expansion_iterations + 2;

/// `record` holds what a run of the kernel on the machine that it is written for executed, with
/// `expansion_run` iterations of its loop, in any order. `source` is the kernel's text, for its names;
/// `thread` the state in which `.init` begins. The plain kernel waits long enough for each result on
/// `machine`, the one of the run, and on `other`. Throws row_error if the kernel is not of a kind that this
/// understands. That the plain kernel computes the same has to be tried.
expanded_kernel expand_macros(const isa::kernel& kernel, const std::string& source,
                              const std::vector<executed_instruction>& record, unsigned rows,
                              const isa::machine& machine, const isa::machine& other,
                              const isa::thread_state& thread);

} // namespace sfpu::optimizer
