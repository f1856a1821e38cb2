// The second stage of a thread's pipeline: the replay expander in time. Pure C++.
//
// Source: tt-isa-documentation, REPLAY; tile.md K5.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/frontend/instruction_class.h>
#include <sfpu/frontend/pipeline_context.h>
#include <sfpu/frontend/push_fifo.h>
#include <sfpu/frontend/replay_expander.h>
#include <sfpu/frontend/stage_fifo.h>

#include <cstdint>

namespace sfpu::frontend {

/// Moves one word a cycle: from the FIFO before it to the one before the wait gate, into the replay buffer,
/// or out of it.
class replay_stage {
public:
    void reset(const parameters& config);

    /// Moves one word out of the FIFO before it, if that happens before `end`. Whether it did. `held` gets
    /// back the places of words that go no further. Only if a word waits and no playback goes on.
    bool step(cycles end, stage_fifo& in, stage_fifo& out, push_fifo& held, pipeline_context& context);
    /// Moves one word of a playback, likewise.
    bool step_playback(cycles end, stage_fifo& out, pipeline_context& context);
    /// `count` words of a playback have left the expander, the last one in cycle `at`.
    void played(unsigned count, cycles at, pipeline_context& context);

    bool is_loading() const { return expander_.loading(); }
    bool is_playing() const { return expander_.playing(); }
    const replay_expander& expander() const { return expander_; }
    /// Of the REPLAY that plays.
    std::int64_t index() const { return index_; }

    /// When it can move a word.
    cycles free() const { return free_; }
    /// When its playback is over, if nothing holds it.
    cycles playback_end() const { return free_ + cycles{expander_.left()}; }
    /// Words that were not for it have passed, the last one in the cycle before this.
    void words_have_passed(cycles free) { free_ = free; }
    /// A word is on its way to the wait gate: it passed, or it was played.
    void note_passed(std::uint32_t word) {
        ++passed_;
        if (is_store(word)) {
            store_ = word;
            store_at_ = passed_;
        }
    }

private:
    void begin(const queued_word& head, const stage_fifo& out, pipeline_context& context);
    void check_record(const queued_word& head, const stage_fifo& out, pipeline_context& context) const;

    replay_expander expander_;
    cycles start_{};          ///< from a REPLAY to the first word of its playback
    std::int64_t index_ = -1; ///< of the REPLAY
    cycles begin_{};          ///< of the playback
    cycles free_{};
    std::int64_t passed_ = 0;   ///< words
    std::int64_t store_at_ = 0; ///< how many words had passed with the last SFPSTORE, 0 if there was none
    std::uint32_t store_ = 0;   ///< that SFPSTORE
};

} // namespace sfpu::frontend
