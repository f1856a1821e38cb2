// What the pipeline of a thread needs from behind it: somebody who issues words. Pure C++.
#pragma once

#include <sfpu/common/report.h>
#include <sfpu/common/types.h>
#include <sfpu/isa/thread_state.h>

#include <cstdint>
#include <string>

namespace sfpu::frontend {

constexpr unsigned longest_run = 64; ///< words that a pipeline hands on at once

/// Words that follow each other, and how events name them.
struct word_run {
    const std::uint32_t* words = nullptr;
    unsigned count = 0;
    std::int64_t index = -1; ///< of the first
    unsigned index_step = 0; ///< from the index of one word to that of the next: 0 or 1
};

/// Cycles are absolute, those of the vector unit. Calls come in the order of their cycles.
class surroundings {
public:
    virtual ~surroundings() = default;

    /// Issues the words, one a cycle from `start` on and later if the unit holds them, but none in cycle
    /// `end` or later. Writes the cycle in which each was issued to `issued` and returns how many were.
    virtual unsigned issue(const word_run& run, cycles start, cycles end, cycles* issued) = 0;
    /// The cycles in which issue() would issue the words, however late, as far as that is known without
    /// issuing any: writes those of the first ones and returns how many.
    virtual unsigned foresee(const word_run& /*run*/, cycles /*start*/, cycles* /*issued*/) { return 0; }
    /// The cycle in which the word would be issued.
    virtual cycles issue_cycle(std::uint32_t word, cycles start) const = 0;
    /// The word was ready in these cycles, and one of another thread that is issued next, in the last of
    /// them, keeps it waiting (T22).
    virtual void hold_back(std::uint32_t /*word*/, std::int64_t /*index*/, cycles /*from*/,
                           cycles /*until*/) {}
    /// Whether an instruction is in any stage of the vector unit's pipeline in this cycle, one that was
    /// issued before it. Scheduled instructions that are outstanding count (T20).
    virtual bool vector_unit_busy(cycles at) = 0;
    /// Whether the vector unit would still change in this cycle or later if nothing more was issued.
    virtual bool vector_unit_moves(cycles at) = 0;
    /// Whether somebody executes words of the Scalar Unit and the Configuration Unit, so that they take time.
    virtual bool has_backend() const { return false; }
    /// What the words that have been issued leave of the thread's state; null if nobody knows.
    virtual const isa::thread_state* thread_state() const { return nullptr; }
    virtual void report(report_id id, cycles at, std::int64_t index, const std::string& message) = 0;
};

} // namespace sfpu::frontend
