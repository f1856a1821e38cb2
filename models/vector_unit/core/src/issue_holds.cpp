// Words that wait: counts their stalls, and publishes them.
#include <sfpu/vector_unit/issue_core.h>

#include <algorithm>

namespace sfpu {

void issue_core::hold_back(std::uint32_t word, std::int64_t index, std::uint8_t thread, cycles from,
                           cycles until) {
    complete();
    const held_word held = count_hold(word, thread, from, until);
    if (state_.observer && held.from < held.until)
        held_words_.push_back({index, thread, held.cause, held.from, held.allowed, held.until});
}

/// Counts the cycles for which a word waits, by its own causes and then for the slot.
issue_core::held_word issue_core::count_hold(std::uint32_t word, std::uint8_t thread, cycles from,
                                             cycles until) {
    from = std::max(from, next_free_); // before that it was counted when other words were issued
    if (!(from < until)) return {};
    take_rules();
    timing::hold_cause cause;
    const unsigned wait = planner_.wait(planner_.library().decode(word).insn, from, cause);
    const cycles allowed = std::min(from + cycles{wait}, until);
    count_stall(cause_of(cause), thread, from, allowed);
    count_stall(probe::stall_cause::thread_slot, thread, allowed, until);
    return {-1, thread, cause_of(cause), from, allowed, until};
}

void issue_core::count_stall(probe::stall_cause cause, std::uint8_t thread, cycles from, cycles until) {
    state_.counters.count_stall(cause, thread, static_cast<std::uint64_t>((until - from).count()));
}

/// Publishes the cycles for which the next word, offered at `offered`, waits, and those for which it keeps
/// others waiting.
void issue_core::publish_held_words(std::uint32_t word, cycles offered) {
    timing::hold_cause cause;
    const unsigned wait = planner_.wait(planner_.library().decode(word).insn, offered, cause);
    const cycles allowed = offered + cycles{wait};
    count_stall(cause_of(cause), thread_, offered, allowed);
    cycles first = offered, end = allowed;
    for (const held_word& other : held_words_) {
        first = std::min(first, other.from);
        end = std::max(end, other.until);
    }
    for (cycles at = first; at < end; ++at) {
        let_pass(at); // sub-units run first, so that the event stream stays in order
        context_.publish_begin_once(at);
        if (offered <= at && at < allowed)
            state_.observer->stalled({at, cause_of(cause), word_count_, thread_});
        for (const held_word& other : held_words_)
            if (other.from <= at && at < other.until)
                state_.observer->stalled({at,
                                          at < other.allowed ? other.cause : probe::stall_cause::thread_slot,
                                          other.index, other.thread});
    }
    held_words_.clear();
}

/// A word was offered for a cycle that has been let pass: it may have been held then.
void issue_core::held_before(std::uint32_t word, cycles offered, cycles now) {
    timing::hold_cause cause;
    const unsigned wait = planner_.wait(planner_.library().decode(word).insn, offered, cause);
    const cycles until = std::min(offered + cycles{wait}, now);
    if (until <= offered) return;
    const auto which = cause_of(cause);
    count_stall(which, thread_, offered, until);
    if (!state_.observer) return;
    for (cycles at = offered; at < until; ++at) state_.observer->stalled({at, which, word_count_, thread_});
}

} // namespace sfpu
