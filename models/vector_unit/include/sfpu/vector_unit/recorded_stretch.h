// Stretches of words that were issued before, with all that came of them, so that they can be issued again at once.
#pragma once

#include <sfpu/timing/issue_rules.h>
#include <sfpu/timing/macro_slots.h>
#include <sfpu/timing/neighbour_rules.h>
#include <sfpu/timing/schedule_recorder.h>
#include <sfpu/vector_unit/lreg_file.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace sfpu {

/// The next words of a push: 32 bits each, little-endian, anywhere in memory.
struct pushed_words {
    const unsigned char* bytes;
    unsigned count;

    std::uint32_t operator[](unsigned index) const {
        std::uint32_t word;
        std::memcpy(&word, bytes + 4 * std::size_t{index}, sizeof word);
        return word;
    }
    void drop(unsigned words) {
        bytes += 4 * std::size_t{words};
        count -= words;
    }
};

/// One stretch in one situation.
struct recorded_stretch {
    static constexpr unsigned capacity = 128;

    std::uint64_t number = 0; ///< of the recording; no two have the same
    std::uint64_t hash = 0;
    unsigned length = 0;        ///< words
    bool is_repeatable = false; ///< else it is here only lest it be recorded again
    std::array<std::uint32_t, capacity> words;
    std::vector<isa::instruction> insns; ///< decoded words
    timing::situation before;

    // What happens. Cycles are counted from the first in which the first word could have been issued.
    std::array<std::uint16_t, capacity> issued_at;
    cycles duration{}; ///< up to the cycle after the last issue
    std::vector<timing::schedule_step> steps;
    std::int64_t last_effect = -1;
    unit_counters counted; ///< what is added to the counters; the maximum among them is one

    // What is left behind.
    cycles recorded_at{};
    std::int64_t recorded_word = 0;
    timing::issue_rules rules;
    timing::neighbour_rules neighbours;
    std::vector<timing::recorded_entry> outstanding;

    // The stretch that came next last time, if it has still that number, and whether it followed in the next cycle.
    const recorded_stretch* next = nullptr;
    std::uint64_t next_number = 0;
    bool next_follows = false;

    bool begins(pushed_words with) const {
        return with.count >= length && std::memcmp(with.bytes, words.data(), 4 * std::size_t{length}) == 0;
    }
};

/// The latest recordings. Room is made for the first ones only, up to a bound.
class stretch_store {
public:
    void clear();

    const recorded_stretch* find(std::uint64_t hash, pushed_words words, unsigned length,
                                 const timing::situation& now) const;
    /// Whether the stretch was asked for before, so that recording it may be worth while.
    bool comes_again(std::uint64_t hash);
    /// A place for another recording of a stretch with this hash; the oldest one may be given up for it.
    recorded_stretch& make_room(std::uint64_t hash);

private:
    static constexpr unsigned sets = 32, ways = 4;

    std::uint64_t next_number_ = 1;
    std::array<std::array<std::unique_ptr<recorded_stretch>, ways>, sets> stretches_;
    std::array<std::uint64_t, 1024> seen_{};
};

} // namespace sfpu
