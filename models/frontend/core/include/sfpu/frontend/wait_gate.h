// The wait gate: holds words back until the conditions of a STALLWAIT or SEMWAIT are met, and an ATGETM until
// its mutex is free. Pure C++.
//
// Source: tt-isa-documentation, STALLWAIT, SEMWAIT, ATGETM, ATRELM, SyncUnit; tile.md K8.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/frontend/backend_times.h>
#include <sfpu/frontend/instruction_class.h>
#include <sfpu/frontend/surroundings.h>
#include <sfpu/frontend/sync_unit.h>

#include <algorithm>
#include <cstdint>

namespace sfpu::frontend {

/// A wait word that passes in cycle t is evaluated in t + 1 and every cycle after that. If its conditions are
/// met in cycle c, words that it blocks pass from c + 1 on (parameter front_end.wait_gate.lag), so that the
/// word behind a wait is always held for a cycle at least. A word that is held holds everything behind it.
///
/// Conditions that exist in this model: the vector unit, for as long as an instruction is in any of its
/// stages or outstanding (T20); the Matrix Unit and the Configuration Unit, busy in the cycle in which
/// SETRWC, INCRWC, SETC16 and other words of theirs pass and in no other, unless parameters let SETRWC and
/// MOVA2D keep the Matrix Unit busy for longer, and WRCFG and RDCFG the Configuration Unit for two cycles;
/// semaphores. All other units count as idle. Words of the Scalar and the Configuration Unit pass when
/// those take them (backend_times.h), and a word of the Scalar Unit holds its thread.
///
/// An ATGETM passes when no other thread holds its mutex: behind an ATRELM that passes in cycle t, in t + 1
/// at the earliest. Both wait for ever for a mutex that the chip does not have.
class wait_gate {
public:
    void reset(const parameters& config, unsigned thread, sync_unit& sync, surroundings& around);
    /// Takes over everything but the Sync Unit and the surroundings.
    void take_state(const wait_gate& other);

    bool waits() const { return waiting_; }
    bool blocks(std::uint32_t word) const { return waiting_ && is_blocked(word, block_, arch_); }
    /// The first cycle from `from` on in which the word may pass, or `limit` if there is none before that.
    /// Everything that passed before `from` must be known.
    cycles may_pass(std::uint32_t word, cycles from, cycles limit) {
        const cycles at = waiting_ ? find_cycle(word, from, limit) : from;
        if (is_for_mutex(word)) return std::min(std::max(at, mutex_free_from(word)), limit);
        return takes_time(word) ? std::min(std::max(at, backend_free(word, sync_->backend)), limit) : at;
    }
    /// The same as far as is known: the first cycle in which the word may pass, or before which it does not.
    struct opening {
        cycles at{};
        bool is_certain = false;
    };
    opening opens(std::uint32_t word, cycles from);
    /// The word passes in this cycle. Call it before the word is issued.
    void pass(std::uint32_t word, cycles at, std::int64_t index) {
        if (waiting_) evaluate_with(word, at);
        if (!is_plain(word)) execute(word, at, index);
        thread_held_until_ = at + one_cycle;
        if (takes_time(word)) occupy(word, at);
        if (matrix_stays_busy_) note_matrix_word(word, at);
    }
    /// The first cycle in which the word behind the one that passed latest may pass, whatever it waits for.
    cycles thread_held_until() const { return thread_held_until_; }
    /// Words that do nothing in the gate have passed without a wait, in these cycles.
    void passed(const std::uint32_t* words, unsigned count, const cycles* at) {
        if (!matrix_stays_busy_) return;
        for (unsigned i = 0; i < count; ++i) note_matrix_word(words[i], at[i]);
    }
    /// No word passes before `end` but those that did.
    void time_passes(cycles end) {
        if (waiting_) evaluate_until(end);
    }
    /// A semaphore changes from outside in this cycle; time has passed up to it.
    void semaphores_change(cycles at);

    /// The same up to this cycle and with it, before a word of another thread passes in it.
    void look_at(cycles at) {
        time_passes(at + one_cycle);
        if (waiting_ && stuck_) evaluated_until_ = std::max(evaluated_until_, at + one_cycle);
    }
    /// A word of another thread was issued in this cycle; time has passed beyond it.
    void another_has_issued(cycles at);
    /// Whether the wait still has to look at every cycle.
    bool is_open_question() const { return waiting_ && !is_met_; }
    /// Whether what other threads issue decides how long the wait goes on.
    bool sees_every_issue() const { return waiting_ && !is_met_ && waits_for_unit(); }
    /// Whether the wait has an end, or none as far as is known.
    bool is_decided() const { return is_met_ || stuck_; }
    /// Lets the wait, if there is one, look at all cycles before `end`. Whether that decided it.
    bool judge(cycles end) {
        if (!waiting_) return false;
        const bool was_decided = is_decided();
        time_passes(end);
        return is_decided() != was_decided;
    }

    /// Whether the word that may_pass() refused is held until a semaphore changes from outside, until another
    /// thread releases a mutex, or for ever.
    bool holds_for_ever(std::uint32_t word) const {
        return blocks(word) ? stuck_ : is_for_mutex(word) && mutex_free_from(word) == forever;
    }
    /// Whether the chip has the mutex that the word names.
    bool has_mutex_of(std::uint32_t word) const;
    /// The word that waits: "stallwait ..." or "semwait ...", with its index.
    std::uint32_t wait_word() const { return word_; }
    std::int64_t wait_index() const { return index_; }

private:
    bool takes_time(std::uint32_t word) const { return has_backend_ && is_for_backend(word); }
    void occupy(std::uint32_t word, cycles at);
    bool waits_for_config() const;
    cycles find_cycle(std::uint32_t word, cycles from, cycles limit);
    cycles mutex_free_from(std::uint32_t word) const;
    void evaluate_with(std::uint32_t word, cycles at);
    void evaluate_until(cycles end);
    void forget_by(cycles at);
    bool waits_for_unit() const;
    bool waits_for_matrix() const;
    void note_matrix_word(std::uint32_t word, cycles at);
    bool is_met(cycles at, bool vector, bool matrix, bool config) const;
    void execute(std::uint32_t word, cycles at, std::int64_t index);
    void latch(std::uint32_t word, cycles at, std::int64_t index);
    void met_in(cycles at);

    architecture arch_ = architecture::blackhole;
    unsigned thread_ = 0;
    cycles lag_{1}, matrix_lag_{};
    cycles busy_after_setrwc_{}, busy_after_copy_{};
    bool has_backend_ = false;
    cycles thread_held_until_{};
    cycles config_busy_until_{};     ///< exclusive; by words of this thread
    bool matrix_stays_busy_ = false; ///< after either of them
    cycles matrix_busy_until_{};     ///< exclusive
    sync_unit* sync_ = nullptr;
    surroundings* around_ = nullptr;

    bool waiting_ = false;
    bool is_met_ = false; ///< conditions are met; blocking ends in blocked_until_
    bool stuck_ = false;
    bool reported_idle_ = false;
    std::uint32_t word_ = 0;
    std::int64_t index_ = -1;
    block_mask block_ = 0;
    std::uint32_t conditions_ = 0; ///< of STALLWAIT
    sync_unit::mask semaphore_mask_ = 0;
    bool while_zero_ = false, while_maximum_ = false;
    cycles evaluated_until_{}; ///< exclusive
    cycles blocked_until_{};   ///< exclusive
};

} // namespace sfpu::frontend
