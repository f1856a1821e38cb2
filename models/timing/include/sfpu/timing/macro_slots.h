// Rules T1, T10, T11, T12, T19 and T20: when scheduled instructions execute.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/isa/instruction.h>
#include <sfpu/timing/schedule_recorder.h>

#include <array>
#include <cstdint>
#include <vector>

namespace sfpu::timing {

/// T10: a cycle is a tick for all outstanding entries if all of them count cycles, or if an SFPU instruction is
/// issued in it.
constexpr bool is_tick(bool any_entry_counts_instructions, bool sfpu_instruction_issued) {
    return sfpu_instruction_issued || !any_entry_counts_instructions;
}

/// One scheduled instruction that waits for its cycle.
struct scheduled_entry {
    const isa::instruction* insn =
        nullptr;                   ///< must stay where it is until it has executed, or until keep_copies()
    std::int64_t word = -1;        ///< index of the SFPLOADMACRO
    std::uint16_t dst_address = 0; ///< stores: the slice, fixed by the SFPLOADMACRO (T6)
    bool counts_instructions = false;
    std::uint8_t launch = 0; ///< while a schedule is recorded: number of the SFPLOADMACRO
    std::uint8_t thread = 0; ///< of the SFPLOADMACRO
};

/// An entry of a recorded schedule: it stands for those of all the times when the schedule is used.
struct recorded_entry {
    const isa::instruction* insn = nullptr;
    std::uint8_t unit = 0, remaining = 0, launch = 0;
    bool counts_instructions = false;
};
/// What an SFPLOADMACRO gives to all that it schedules.
struct launch_origin {
    std::int64_t word = -1;
    std::uint16_t dst_address = 0;
    std::uint8_t thread = 0;
};

/// The entries outstanding on Simple, MAD, Round and Store, ordered by the ticks that they still have to wait.
///
/// A cycle goes: due() and take() what executes in it; finish_cycle(); then schedule() what the cycle's SFPLOADMACRO
/// places. Entries that reach a count of 0 execute in the next cycle without waiting for anything (T11).
class macro_slots {
public:
    /// Positions by remaining ticks. Twice the largest delay, so that a new entry never lands on a firing one.
    static constexpr unsigned positions = 16;

    void reset(const parameters& config);

    /// Sub-units whose entry executes in the coming cycle, as bits.
    unsigned due() const { return occupied_[base_]; }
    /// The entry of a due sub-unit. Valid until the next finish_cycle() but one.
    const scheduled_entry& firing(unsigned unit) const { return entries_[unit][base_]; }

    /// Ends a cycle: what was due is gone; the rest ticks if T10 says so. Returns whether it did.
    bool finish_cycle(bool sfpu_instruction_issued) {
        if (outstanding_ == 0) return false;
        const unsigned kind_before = instruction_kind_;
        for (unsigned fired = occupied_[base_]; fired != 0; fired &= fired - 1) {
            const auto unit = static_cast<unsigned>(__builtin_ctz(fired));
            --count_[unit];
            --outstanding_;
            instruction_kind_ -= entries_[unit][base_].counts_instructions;
        }
        occupied_[base_] = 0;
        const bool tick =
            is_tick((firing_counts_ ? kind_before : instruction_kind_) != 0, sfpu_instruction_issued);
        if (tick) base_ = at(1);
        return tick;
    }

    enum class outcome : std::uint8_t { placed, replaced, no_slot };
    /// Places an entry that waits `delay` ticks, counted from the next cycle on. An entry of the same sub-unit with
    /// the same remaining ticks is forgotten (T12, except for the longest delay, where none can be).
    outcome schedule(unsigned unit, const scheduled_entry& entry, unsigned delay,
                     scheduled_entry* forgotten) {
        const unsigned position = at(delay), bit = 1u << unit;
        if ((occupied_[position] & bit) || count_[unit] >= slots_)
            return schedule_in_the_way(unit, entry, position, forgotten);
        ++count_[unit];
        ++outstanding_;
        occupied_[position] = static_cast<std::uint8_t>(occupied_[position] | bit);
        entries_[unit][position] = entry;
        instruction_kind_ += entry.counts_instructions;
        return outcome::placed;
    }

    /// Copies the instructions of all entries, since their places are about to be used for others.
    void keep_copies();

    /// T20: scheduled instructions count as busy.
    bool busy() const { return outstanding_ != 0; }
    unsigned outstanding() const { return outstanding_; }
    /// T19: whether a cycle without an issue can still change anything.
    bool can_advance_alone() const {
        return outstanding_ != 0 && (occupied_[base_] != 0 || instruction_kind_ == 0);
    }
    /// Bit r: an entry of the sub-unit has r ticks left.
    std::uint16_t remaining(unsigned unit) const;
    /// Calls f(unit, remaining ticks, entry) for every entry, soonest first.
    template <class F>
    void for_each(F f) const {
        if (outstanding_ == 0) return;
        for (unsigned r = 0; r < positions; ++r)
            for (unsigned units = occupied_[at(r)]; units != 0; units &= units - 1) {
                const auto unit = static_cast<unsigned>(__builtin_ctz(units));
                f(unit, r, entries_[unit][at(r)]);
            }
    }

    /// Adds what is outstanding.
    void describe(situation& to) const;
    /// Numbers the entries in the order of for_each() as launches of their own; returns how many they are.
    unsigned number_launches();
    std::vector<recorded_entry> recorded() const;
    /// Replaces everything outstanding by the entries of a recording.
    void resume(const std::vector<recorded_entry>& entries, const launch_origin* launches);

private:
    outcome schedule_in_the_way(unsigned unit, const scheduled_entry& entry, unsigned position,
                                scheduled_entry* forgotten);
    unsigned at(unsigned remaining) const { return (base_ + remaining) % positions; }

    std::array<std::array<scheduled_entry, positions>, isa::scheduled_units> entries_;
    std::array<std::array<isa::instruction, positions>, isa::scheduled_units> copies_;
    std::array<std::uint8_t, positions> occupied_{}; ///< by position: bit per sub-unit
    std::array<unsigned, isa::scheduled_units> count_{};
    unsigned base_ = 0; ///< position of the entries with no ticks left
    unsigned outstanding_ = 0;
    unsigned instruction_kind_ = 0; ///< outstanding entries that count instructions
    unsigned slots_ = 8;
    bool firing_counts_ = true; ///< macro.firing_entry_outstanding
};

} // namespace sfpu::timing
