// Where a machine that is not the chip leads a program with SFPLOADMACROs to something else than the chip
// does: the same words, scheduled for other latencies, other stalls, other units. Nothing protects them
// (T18).
//
// Looked at are instructions that are scheduled, and issued ones beside them. Issued ones among themselves
// are the business of issue_rules: they are to do what they do one after the other.
#pragma once

#include <sfpu/isa/instruction.h>
#include <sfpu/isa/machine.h>
#include <sfpu/timing/fields.h>
#include <sfpu/timing/issue_rules.h>

#include <cstdint>
#include <tuple>
#include <vector>

namespace sfpu::timing {

/// What happens on the machine and not on its chip, or the other way round.
enum class chip_difference : std::uint8_t {
    none,
    read_late,       ///< a result that the chip would see is not there yet
    read_early,      ///< a result is there that the chip would not see yet
    other_last,      ///< of two results for one register the other one stays
    exchange_moved,  ///< SFPSWAP reads its operands again in another cycle
    held_otherwise,  ///< a word waits for another number of cycles
    issued_together, ///< two words in one cycle are one tick
    not_discarded,   ///< a second unit executes what the chip drops (T13)
    not_forgotten,   ///< a second unit keeps what the chip forgets (T12)
};

/// A result under way on the machine or on its chip.
struct watched_result {
    std::uint8_t visible_in = 0, on_chip = 0; ///< cycles until it can be read, here and there
    bool scheduled = false;
    isa::register_set writes = 0;
};
inline auto fields_of(const watched_result& x) {
    const auto& [visible_in, on_chip, scheduled, writes] = x;
    return std::tie(visible_in, on_chip, scheduled, writes);
}
inline bool operator==(const watched_result& a, const watched_result& b) {
    return fields_of(a) == fields_of(b);
}

/// What the stall logic of a machine holds back (T16), in this cycle and in the one before.
struct stall_shadow {
    register_calendar believed_busy;
    std::uint8_t exclusive_for = 0; ///< only SFPNOP in so many cycles from now on
    isa::register_set busy_before = 0;
    bool exclusive_before = false;

    void advance(std::int64_t cycles_on);
    /// Whether cycles without an issue leave it as it is.
    bool is_settled() const;
    /// An instruction was issued in this cycle on a machine.
    void issued(const isa::instruction& insn, const isa::machine& machine);
    /// Cycles that a word would still wait.
    unsigned wait(const isa::instruction& insn, word_role role) const;
    /// Whether it would have waited in the cycle before and does not wait now. That it was there then is
    /// another matter.
    bool releases(const isa::instruction& insn, word_role role) const;
};
inline auto fields_of(const stall_shadow& x) {
    const auto& [busy, exclusive, busy_before, exclusive_before] = x;
    return std::tie(busy, exclusive, busy_before, exclusive_before);
}

/// Empty where the machine has the chip's timing.
struct chip_watch_state {
    std::vector<watched_result> results;
    stall_shadow stalls, stalls_on_chip;
    std::uint16_t said = 0;                         ///< bit d: chip_difference d. Each is said once
    bool launched = false;                          ///< the program has macros
    bool issued_now = false, issued_before = false; ///< any word, in this cycle and in the one before

    void advance(std::int64_t cycles_on);
    /// Whether cycles without an issue leave it as it is.
    bool is_settled() const {
        return results.empty() && stalls.is_settled() && stalls_on_chip.is_settled() && !issued_now &&
               !issued_before;
    }
    /// On the chip a word waits so much longer, and all behind it comes so much later.
    void delay_on_chip(std::int64_t cycles_on);
    bool has_scheduled() const;
};
inline auto fields_of(const chip_watch_state& x) {
    const auto& [results, stalls, stalls_on_chip, said, launched, issued_now, issued_before] = x;
    return std::tie(results, stalls, stalls_on_chip, said, launched, issued_now, issued_before);
}

class chip_watch {
public:
    void reset(const isa::machine& of);
    /// Whether the machine's timing is another one than that of its chip.
    bool is_active() const { return is_active_; }

    /// An instruction executes in this cycle, with what it reads and writes. `among_macros`: something is
    /// outstanding. Its result is watched from now on.
    chip_difference executes(chip_watch_state& state, const isa::instruction& insn, isa::register_set reads,
                             isa::register_set writes, bool among_macros) const;
    /// A word that is no template write was issued in this cycle.
    void issued(chip_watch_state& state, const isa::instruction& insn) const;

private:
    isa::machine machine_, chip_;
    bool is_active_ = false;
};

} // namespace sfpu::timing
