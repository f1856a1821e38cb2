// Where words of the B core enter a thread's pipeline: behind the MOP expander. Pure C++.
#pragma once

#include <sfpu/frontend/stage_fifo.h>

#include <algorithm>
#include <cstdint>

namespace sfpu::frontend {

/// The B core has no FIFO of its own: a word waits here until the FIFO before the replay expander has room,
/// and the core waits with the next one.
class b_core_port {
public:
    void reset(unsigned depth) {
        *this = {};
        words_.set_capacity(depth);
    }

    bool empty() const { return words_.empty(); }
    std::size_t size() const { return words_.size(); }
    const queued_word& operator[](std::size_t index) const { return words_[index]; }
    const queued_word& front() const { return words_.front(); }

    /// The first cycle in which the next word can arrive.
    cycles next_arrival() const { return next_arrival_; }
    /// A word arrives; none may be waiting.
    void add(std::uint32_t word, std::int64_t index, cycles at) {
        next_arrival_ = at + one_cycle;
        words_.push_back({word, false, index, at});
    }

    /// When the waiting word can pass on into a FIFO that is not full.
    cycles next_pass(const stage_fifo& out) const { return std::max(words_.front().at, out.room()); }
    /// The waiting word passes on in this cycle.
    void pass(cycles at, stage_fifo& out) {
        queued_word word = words_.front();
        words_.pop_front();
        word.at = at;
        out.push_back(word);
    }
    /// Passes a word on if it can go before `end` and before a word that the T core would pass on at
    /// `t_core`. Whether it did.
    bool step(cycles end, cycles t_core, stage_fifo& out) {
        if (words_.empty() || out.full()) return false;
        const cycles at = next_pass(out);
        if (at >= std::min(end, t_core)) return false;
        pass(at, out);
        return true;
    }

private:
    word_queue<queued_word> words_;
    cycles next_arrival_{};
};

} // namespace sfpu::frontend
