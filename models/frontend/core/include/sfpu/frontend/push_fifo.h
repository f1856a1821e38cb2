// The FIFO that the T core pushes to, and when it accepts a push. Pure C++.
//
// Source: tt-isa-documentation, PushTensixInstruction; tile.md K2 and K3.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/frontend/departure_forecast.h>
#include <sfpu/frontend/instruction_class.h>
#include <sfpu/frontend/stage_fifo.h>
#include <sfpu/frontend/word_queue.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace sfpu::frontend {

/// It accepts a push in a cycle that begins with no more words held than front_end.fifo.accept_limit. On
/// Blackhole a word is held until it has left the wait gate or an expander has taken it in, on Wormhole until
/// the MOP expander takes it. So words in later FIFOs take places of this one, too; held() counts all places
/// that are taken.
class push_fifo {
public:
    void reset(const parameters& config, unsigned thread);

    // --- when a push is accepted ---

    /// Words that one cycle can bring.
    unsigned push_width() const { return push_width_; }
    cycles latest_arrival() const { return latest_arrival_; }
    /// Whether a word that comes in this cycle is accepted together with the one before it.
    bool joins_arrival(cycles at) const {
        return at == latest_arrival_ && arrived_together_ < push_width_ &&
               held_ - departures_.passed() < depth_;
    }
    /// Whether there is room for a push in this cycle, by what is known without letting time pass.
    bool has_room(cycles at) { return held_ - departures_.before(at) <= accept_limit_; }
    /// When there will be room, if has_room() says no and the forecast reaches that far.
    std::optional<cycles> foretold_room() {
        const unsigned leave = words_in_the_way();
        if (departures_.size() < leave) return std::nullopt;
        const cycles room = departures_[leave - 1] + one_cycle;
        departures_.before(room);
        return room;
    }
    /// How many words, one a cycle, would still be accepted without letting time pass.
    unsigned sure_room() const {
        const unsigned held = held_ - departures_.passed();
        return held <= accept_limit_ ? accept_limit_ + 1 - held : 0;
    }
    /// Whether more words are held than a push allows, whatever the forecast says.
    bool is_over_limit() const { return held_ > accept_limit_; }
    /// How many words have to leave before a push is accepted; only if is_over_limit().
    unsigned words_in_the_way() const { return held_ - accept_limit_; }
    departure_forecast& departures() { return departures_; }

    // --- words ---

    /// A word arrives. Whether it is for an expander.
    bool add(std::uint32_t word, std::int64_t index, cycles at) {
        arrived_together_ = at == latest_arrival_ ? arrived_together_ + 1 : 1;
        latest_arrival_ = at;
        if (words_.full()) words_.set_capacity(2 * words_.capacity()); // a program's
        words_.push_back({word, true, index, at});
        ++held_;
        if (!is_for_expander(word)) return false;
        mops_ += is_mop(word);
        ++expander_words_;
        return true;
    }
    std::size_t size() const { return words_.size(); }
    bool empty() const { return words_.empty(); }
    const queued_word& operator[](std::size_t index) const { return words_[index]; }
    const queued_word& front() const { return words_.front(); }
    /// The MOP expander takes the first word. Frees its place if the expander keeps the word, or on Wormhole.
    queued_word take_front();
    /// So many words, none of them for an expander, have gone on. Their places are freed one by one.
    void pop_front(std::size_t count) { words_.pop_front(count); }
    /// A word leaves the last stage that it is held for.
    void release(const queued_word& word) { held_ -= word.held; }
    /// Words that came in this cycle and later never came. Returns how many.
    unsigned forget_from(cycles at);

    bool has_mops() const { return mops_ != 0; }
    bool has_expander_words() const { return expander_words_ != 0; }
    bool held_to_gate() const { return held_to_gate_; }
    unsigned held() const { return held_; }

private:
    unsigned depth_ = 32, accept_limit_ = 28, push_width_ = 4;
    bool held_to_gate_ = true; ///< Blackhole

    word_queue<queued_word> words_;
    unsigned held_ = 0;             ///< places that are taken
    departure_forecast departures_; ///< of words of which each takes such a place
    cycles latest_arrival_{-1};
    unsigned arrived_together_ = 0; ///< words that came in latest_arrival_
    unsigned mops_ = 0;             ///< MOPs among the words
    unsigned expander_words_ = 0;   ///< words there for one of the expanders
};

} // namespace sfpu::frontend
