// A FIFO between two stages of a thread's pipeline. Pure C++.
#pragma once

#include <sfpu/common/types.h>
#include <sfpu/frontend/word_queue.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sfpu::frontend {

/// A word on its way through the pipeline.
struct queued_word {
    std::uint32_t word = 0;
    bool held = false; ///< takes a place of the first FIFO until it has left the wait gate
    std::int64_t index = -1;
    cycles at{}; ///< since when it can be taken
};

/// Words, and when the latest ones left: time is not simulated cycle by cycle, so the FIFO has to know since
/// when the next word has had room.
class stage_fifo {
public:
    void reset(unsigned depth) {
        *this = {};
        words_.set_capacity(depth);
        left_.assign(depth, cycles{});
    }

    std::size_t size() const { return words_.size(); }
    bool empty() const { return words_.empty(); }
    bool full() const { return words_.full(); }
    const queued_word& operator[](std::size_t index) const { return words_[index]; }
    const queued_word& front() const { return words_.front(); }

    /// Since when the next word to enter has had room; only if the FIFO is not full.
    cycles room() const {
        const std::size_t place = next_ + words_.size();
        return left_[place < left_.size() ? place : place - left_.size()];
    }
    /// It must not be full.
    void push_back(const queued_word& word) { words_.push_back(word); }
    /// Takes words out; note_departure() says when each of them left.
    void pop_front(std::size_t count = 1) { words_.pop_front(count); }
    /// A word left in this cycle, or would have left if it had not bypassed the FIFO.
    void note_departure(cycles at) {
        left_[next_] = at;
        if (++next_ == left_.size()) next_ = 0;
    }

private:
    word_queue<queued_word> words_;
    std::vector<cycles> left_; ///< a ring, as long as the FIFO is deep: when the latest words left
    std::size_t next_ = 0;     ///< the place of the oldest entry
};

} // namespace sfpu::frontend
