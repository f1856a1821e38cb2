// The parts of a thread's pipeline, in the order in which a word passes them. Pure C++.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/frontend/b_core_port.h>
#include <sfpu/frontend/issue_stage.h>
#include <sfpu/frontend/mop_stage.h>
#include <sfpu/frontend/pipeline_context.h>
#include <sfpu/frontend/push_fifo.h>
#include <sfpu/frontend/replay_stage.h>
#include <sfpu/frontend/stage_fifo.h>
#include <sfpu/frontend/wait_gate.h>

namespace sfpu::frontend {

/// A value but for what lies outside: the wait gate knows a Sync Unit and surroundings, the context
/// surroundings and an observer. take_state() copies everything else.
struct pipeline_state {
    push_fifo first_fifo;
    b_core_port b_core;
    mop_stage mop;
    stage_fifo replay_fifo;
    replay_stage replay;
    stage_fifo gate_fifo;
    wait_gate gate;
    issue_stage issue;
    pipeline_context context;

    void reset(const parameters& config, unsigned thread, sync_unit& sync, surroundings& around,
               probe::pipeline_observer* observer);
    void take_state(const pipeline_state& other);

    /// Whether a word is under way behind the first FIFO and the port of the B core.
    bool is_working() {
        return mop.is_expanding() || replay.is_playing() || !replay_fifo.empty() || !gate_fifo.empty();
    }
    /// Whether a wait holds a word until something changes from outside, or for ever.
    bool is_stuck() const { return !gate_fifo.empty() && gate.holds_for_ever(gate_fifo.front().word); }
    /// Reports, in this cycle, what is held and why; only if is_stuck().
    void report_stuck(cycles at) const;
    /// Nothing between the replay buffer and the vector unit can hold the next word back or change its
    /// meaning.
    bool plays_in_bursts() const {
        return replay.is_playing() && gate_fifo.empty() && !gate.waits() && replay.expander().next_is_plain();
    }
    /// Whether no place of the first FIFO can become free before the present playback is over.
    bool frees_nothing_while_playing();
    /// Status bits (instruction_class.h) of all words that are under way and came before this cycle.
    std::uint32_t status(cycles before);
    /// How many words wait that were pushed ahead of time, in this cycle or later.
    std::size_t pushed_from(cycles at) const;
};

} // namespace sfpu::frontend
