// The last stage of a thread's pipeline: words pass the wait gate and go to the vector unit. Pure C++.
//
// Source: tt-isa-documentation, STALLWAIT; tile.md K8.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/frontend/pipeline_context.h>
#include <sfpu/frontend/push_fifo.h>
#include <sfpu/frontend/replay_stage.h>
#include <sfpu/frontend/stage_fifo.h>
#include <sfpu/frontend/wait_gate.h>

#include <cstdint>

namespace sfpu::frontend {

/// Issues one word, or the words of a playback straight from the replay buffer. Runs of other words go by
/// plain_runs.h.
class issue_stage {
public:
    void reset(const parameters& config);

    /// Issues the word at the wait gate if the unit issues it before `end`. Whether it did. `held` gets back
    /// its place. `shares_slot`: words of other threads may keep this one waiting.
    bool step(cycles end, wait_gate& gate, stage_fifo& in, push_fifo& held, bool shares_slot,
              pipeline_context& context);
    /// Issues words of a playback that nothing but the unit can hold back, those that it issues before `end`.
    /// Whether there was any. `in`: the FIFO that they would have gone through, which is empty.
    bool step_burst(cycles end, wait_gate& gate, replay_stage& replay, stage_fifo& in,
                    pipeline_context& context);

    /// The first cycle in which the next word can issue.
    cycles free() const { return free_; }
    /// Words have been issued, the last one in the cycle before this.
    void words_have_issued(cycles free) { free_ = free; }
    /// How many words may be handed to the unit at once.
    unsigned longest() const { return longest_; }

private:
    bool issues_before(cycles end, std::uint32_t word, cycles at, bool shares_slot,
                       const surroundings& around) const;

    unsigned longest_ =
        longest_run;        ///< 1 if the unit takes several words in a cycle, which the gate does not pass
    cycles longest_hold_{}; ///< of a word by the unit, behind the one that was issued before it
    cycles free_{};
};

} // namespace sfpu::frontend
