// Collects the words of one run for plain_runs.cpp.
#pragma once

#include <sfpu/frontend/instruction_class.h>
#include <sfpu/frontend/pipeline_state.h>
#include <sfpu/frontend/stage_fifo.h>
#include <sfpu/frontend/surroundings.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace sfpu::frontend {

/// Words that nothing can hold back but the unit, those behind the gate's head included: they are at the gate
/// by the time at which the unit can take them, if it takes one a cycle from the head's cycle on. A word may
/// go through all stages in one cycle, one word a cycle through each, and the place that a word leaves can be
/// taken in the same cycle, so that a FIFO is never too full for a word whose turn it is.
class plain_run {
public:
    /// `most` words at most, those that are issued before `end` if the unit holds none. `free`: when the unit
    /// can take one.
    plain_run(unsigned most, cycles free, cycles end) : most_(most), free_(free), end_(end) {}

    /// Takes words from the FIFOs, from the wait gate on, up to the first that does not belong to the run.
    void collect(pipeline_state& pipeline) {
        if (add_from_gate_fifo(pipeline) && add_from_replay_fifo(pipeline)) add_from_first_fifo(pipeline);
    }
    unsigned count() const { return count_; }
    word_run words() const { return {words_.data(), count_, first_index_, index_step_}; }
    /// When the unit can take the first.
    cycles start() const { return start_; }

private:
    bool add_from_gate_fifo(const pipeline_state& pipeline) {
        const stage_fifo& fifo = pipeline.gate_fifo;
        for (std::size_t i = 0; i < fifo.size(); ++i)
            if (!add(fifo[i], fifo[i].at)) return false;
        return true;
    }
    bool add_from_replay_fifo(const pipeline_state& pipeline) {
        if (pipeline.replay.is_loading() || pipeline.replay.is_playing()) return false;
        const stage_fifo& fifo = pipeline.replay_fifo;
        leaves_replay_ = pipeline.replay.free();
        for (std::size_t i = 0; i < fifo.size(); ++i, leaves_replay_ += one_cycle) {
            leaves_replay_ = std::max(leaves_replay_, fifo[i].at);
            if (is_replay(fifo[i].word) || !add(fifo[i], leaves_replay_)) return false;
        }
        return true;
    }
    void add_from_first_fifo(pipeline_state& pipeline) {
        if (pipeline.mop.is_expanding() || !pipeline.b_core.empty()) return;
        const push_fifo& fifo = pipeline.first_fifo;
        cycles leaves_mop = pipeline.mop.free_for_words();
        for (std::size_t i = 0; i < fifo.size(); ++i, leaves_mop += one_cycle, leaves_replay_ += one_cycle) {
            leaves_mop = std::max(leaves_mop, fifo[i].at);
            leaves_replay_ = std::max(leaves_replay_, leaves_mop);
            if (is_for_expander(fifo[i].word) || !add(fifo[i], leaves_replay_)) return;
        }
    }

    /// False if the run ends before this word, which is at the gate in cycle `at`.
    bool add(const queued_word& next, cycles at) {
        if (count_ < 2 && !begin_with(next, at)) return false;
        if (count_ == most_now_ || next.index != next_index_ || at > start_ + cycles{count_} ||
            passes_alone(next.word))
            return false;
        next_index_ += index_step_;
        words_[count_++] = next.word;
        return true;
    }
    /// The first word says when the run starts, the second one how its words are numbered.
    bool begin_with(const queued_word& next, cycles at) {
        if (count_ == 0) {
            start_ = std::max(at, free_);
            first_index_ = next_index_ = next.index;
            if (end_ <= start_) return false;
            most_now_ = static_cast<unsigned>(std::min<std::int64_t>(most_, (end_ - start_).count()));
            return true;
        }
        index_step_ = next.index != first_index_;
        next_index_ = first_index_ + index_step_;
        return true;
    }

    const unsigned most_;
    const cycles free_, end_;
    std::array<std::uint32_t, longest_run> words_;
    unsigned count_ = 0;
    unsigned most_now_ = 0; ///< that are issued before `end`
    cycles start_{};
    std::int64_t first_index_ = 0, next_index_ = 0;
    unsigned index_step_ = 0;
    cycles leaves_replay_{}; ///< when the replay expander could pass the next word on
};

} // namespace sfpu::frontend
