#include "word_expander.h"

#include <sfpu/frontend/instruction_class.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::analysis {

word_expander::word_expander(const parameters& config, thread_backend& to, run_notes& notes)
    : to_(to), notes_(notes), dead_cycles_(config.front_end.mop_dead_cycles),
      start_cycles_(config.front_end.replay_start_cycles) {
    replay_.reset(config.front_end.replay_count_zero);
}

std::int64_t word_expander::next_cycle(std::int64_t pushed) {
    const std::int64_t at = std::max(free_, pushed);
    free_ = at + 1;
    return at;
}

bool word_expander::push(std::uint32_t word, std::uint32_t pc, std::int64_t cycle, bool first) {
    ++pushes_;
    if (first) to_.core_goes_on();
    if (frontend::is_mop_cfg(word)) {
        mop_.set_mask_hi(word & 0xffffu);
        next_cycle(cycle);
        return true;
    }
    if (!frontend::is_mop(word)) return pass(word, pc, cycle);
    mop_.begin(word);
    while (mop_.pending())
        if (!pass(mop_.take(), pc, cycle)) return false;
    free_ += dead_cycles_;
    return true;
}

/// A word comes to the replay expander.
bool word_expander::pass(std::uint32_t word, std::uint32_t pc, std::int64_t pushed) {
    if (replay_.loading()) {
        recorded_at_[replay_.position()] = pc;
        const bool executes = replay_.executes();
        replay_.store(word, frontend::is_plain(word));
        const std::int64_t at = next_cycle(pushed);
        return !executes || to_.take(word, pc, {pushed, at});
    }
    if (!frontend::is_replay(word)) return to_.take(word, pc, {pushed, next_cycle(pushed)});
    return play(word, pc, pushed);
}

bool word_expander::play(std::uint32_t replay, std::uint32_t pc, std::int64_t pushed) {
    replay_.begin(replay);
    if (!replay_.playing()) { // the words that follow are recorded
        next_cycle(pushed);
        return !to_.is_full();
    }
    if (!replay_.plays_loaded())
        notes_.assumes(pc,
                       fmt::format("REPLAY of {} words from slot {} on, of which not all have been recorded",
                                   replay_.left(), replay_.position()),
                       "what is missing is left out; --function 'FIRST; SECOND' runs one function before "
                       "another");
    free_ = std::max(free_, pushed) + start_cycles_;
    for (; replay_.playing(); replay_.skip(1)) {
        const unsigned slot = replay_.position();
        if (replay_.next() == 0) continue; // never recorded
        if (!to_.take(replay_.next(), recorded_at_[slot], {pushed, next_cycle(pushed)})) return false;
    }
    return true;
}

} // namespace sfpu::analysis
