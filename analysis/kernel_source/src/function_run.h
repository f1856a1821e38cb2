// Runs functions of a program on a hart, and takes down what they push.
#pragma once

#include "pushed_kernel.h"
#include "run_notes.h"
#include "thread_backend.h"

#include <sfpu/analysis/kernel_source.h>
#include <sfpu/analysis/machine_choice.h>
#include <sfpu/analysis/session.h>
#include <sfpu/riscv/elf_image.h>

#include <cstdint>
#include <vector>

namespace sfpu::analysis {

/// What the core needs for a function, if nothing ever holds its pushes up. Cycles are those of the core.
struct core_time {
    std::int64_t cycles = 0;        ///< from entry to return
    std::uint64_t instructions = 0; ///< retired
    std::uint64_t pushes = 0;       ///< Tensix words that the core pushed
    std::vector<word_times> words;  ///< of each word of the kernel
};

struct function_run {
    pushed_kernel kernel;
    core_time core; ///< of all functions together
};

constexpr std::uint64_t most_instructions = 10'000'000; ///< of all functions together

/// Runs functions one after the other, each from its entry to its return, on core T1 of a tile in which
/// nothing else runs. Arguments are those of the last one: integers, true, false, or numbers with a point,
/// which become FP32; what is behind a0 to a7 goes to the stack. The words of `kernel` are those behind MOP
/// and REPLAY, `origin` has their addresses, of words out of the replay buffer that where they were recorded.
///
/// Throws user_error: a function that does not return or that traps, waits for other threads unless the
/// request assumes their answers, words that the chip does not have, a session that is over.
function_run trace_functions(const riscv::elf_image& image, const std::vector<std::uint32_t>& entries,
                             const source_request& request, const machine_choice& machine,
                             const session& caller, const place_namer& name = {});

/// The words of one function.
pushed_kernel run_function(const riscv::elf_image& image, std::uint32_t entry, const source_request& request,
                           const machine_choice& machine, const session& caller);

} // namespace sfpu::analysis
