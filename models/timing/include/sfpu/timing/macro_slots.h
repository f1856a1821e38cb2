// Rules T1, T10, T11, T12, T19 and T20: when scheduled instructions execute.
#pragma once

#include <sfpu/isa/instruction.h>
#include <sfpu/isa/machine.h>
#include <sfpu/timing/fields.h>

#include <boost/container/small_vector.hpp>

#include <array>
#include <cstdint>
#include <tuple>

namespace sfpu::timing {

/// T10: a cycle is a tick for outstanding entries if all of them count cycles, or if an SFPU instruction is
/// issued in it. macro.freeze_scope says whether that is asked of all of them together, or of those of each
/// sub-unit.
constexpr bool is_tick(bool any_entry_counts_instructions, bool sfpu_instruction_issued) {
    return sfpu_instruction_issued || !any_entry_counts_instructions;
}

/// One scheduled instruction that waits for its cycle.
struct scheduled_entry {
    const isa::instruction* insn = nullptr; ///< as it will execute
    isa::sub_unit unit{};
    std::uint8_t instance = 0; ///< of the units of its kind
    std::uint8_t remaining =
        0; ///< ticks; with none left it executes in the coming cycle without waiting (T11)
    bool counts_instructions = false; ///< WaitForElapsedInstructions
    std::uint16_t origin = 0;         ///< which SFPLOADMACRO: its number among those that the executor knows
};
inline auto fields_of(const scheduled_entry& x) {
    const auto& [insn, unit, instance, remaining, counts_instructions, origin] = x;
    return std::tie(insn, unit, instance, remaining, counts_instructions, origin);
}
inline bool operator==(const scheduled_entry& a, const scheduled_entry& b) {
    return fields_of(a) == fields_of(b);
}

/// The entries outstanding on Simple, MAD, Round and Store: those with the fewest ticks left first, then by
/// unit.
///
/// A cycle goes: for_each_due(); finish_cycle(); then schedule() what the cycle's SFPLOADMACRO places.
class macro_slots {
public:
    void clear() { entries_.clear(); }

    /// Calls f(entry) for each entry that executes in the coming cycle.
    template <class F>
    void for_each_due(F f) const {
        for (const scheduled_entry& entry : entries_) {
            if (entry.remaining != 0) return;
            f(entry);
        }
    }

    /// Ends a cycle: what was due is gone; the rest ticks if T10 says so.
    void finish_cycle(bool sfpu_instruction_issued, const isa::machine& machine);

    enum class outcome : std::uint8_t { placed, replaced, no_slot };
    /// Places an entry, which waits `entry.remaining` ticks, counted from the next cycle on. An entry of the
    /// same unit with the same remaining ticks is forgotten (T12). Where Store has two units, the second
    /// takes what the first cannot.
    outcome schedule(scheduled_entry entry, const isa::machine& machine, scheduled_entry& forgotten);

    /// T20: scheduled instructions count as busy.
    bool busy() const { return !entries_.empty(); }
    unsigned outstanding() const { return static_cast<unsigned>(entries_.size()); }
    /// T19: whether a cycle without an issue can still change anything.
    bool can_advance_alone(const isa::machine& machine) const {
        return !entries_.empty() &&
               (entries_.front().remaining == 0 || (occupied_units() & ~counting_units(machine)) != 0);
    }
    /// Bit r: an entry of the unit has r ticks left.
    std::uint32_t remaining(isa::sub_unit unit) const;

    const auto& entries() const { return entries_; }
    auto& entries() { return entries_; }

private:
    using unit_set = std::uint32_t; ///< bit u: sub-unit u
    /// Sub-units that an entry that counts instructions keeps from counting in a cycle without issue.
    unit_set counting_units(const isa::machine& machine) const;
    unit_set occupied_units() const;

    boost::container::small_vector<scheduled_entry, 16> entries_;
};
inline auto fields_of(const macro_slots& x) { return std::tie(x.entries()); } // all that there is

} // namespace sfpu::timing
