// The replay expander: a buffer of 32 words that REPLAY fills and plays. Pure C++, without time.
//
// Source: tt-isa-documentation, REPLAY; tile.md K5.
#pragma once

#include <array>
#include <cstdint>

namespace sfpu::frontend {

class replay_expander {
public:
    static constexpr unsigned slots = 32;

    /// `count_zero`: what a count of 0 stands for.
    void reset(unsigned count_zero);

    /// Takes a REPLAY word: from now on the expander loads or plays, until it has moved the word's count.
    void begin(std::uint32_t replay);

    bool loading() const { return loading_ && left_ != 0; }
    /// Whether words that are loaded are passed on as well.
    bool executes() const { return executes_; }
    /// Stores the next word of a load.
    void store(std::uint32_t word, bool is_plain);

    bool playing() const { return !loading_ && left_ != 0; }
    unsigned left() const { return left_; }
    /// The slot of the next word, of a load or a playback.
    unsigned position() const { return position_; }
    /// The next word of a playback.
    std::uint32_t next() const { return buffer_[position_]; }
    /// Whether a playback that just began will only play slots that were loaded.
    bool plays_loaded() const;
    bool next_is_plain() const { return plain_ >> position_ & 1; }
    /// How many words from next() on lie in one piece and are plain, 0 to left().
    unsigned plain_run() const;
    const std::uint32_t* words() const { return &buffer_[position_]; }
    /// Which of the next `count` words, which lie in one piece, is the last that stores to Dst: 1 is the
    /// first, 0 is none.
    unsigned last_store_in(unsigned count) const;
    /// Leaves `count` words behind.
    void skip(unsigned count);

    std::uint32_t slot(unsigned index) const { return buffer_[index]; }

    static unsigned count_field(std::uint32_t replay) { return replay >> 4 & 63u; }

private:
    std::array<std::uint32_t, slots> buffer_{};
    std::uint32_t stores_ = 0; ///< bit i: slot i holds a store
    std::uint32_t plain_ = 0;  ///< bit i: slot i holds a word that means nothing to the wait gate
    std::uint32_t loaded_ = 0; ///< bit i: slot i was loaded
    unsigned count_zero_ = 64;
    unsigned position_ = 0, left_ = 0;
    bool loading_ = false, executes_ = false;
};

} // namespace sfpu::frontend
