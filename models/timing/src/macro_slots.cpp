#include <sfpu/timing/macro_slots.h>

namespace sfpu::timing {

void macro_slots::reset(const parameters& config) {
    occupied_.fill(0);
    count_.fill(0);
    base_ = outstanding_ = instruction_kind_ = 0;
    slots_ = config.macro_slots;
    firing_counts_ = config.macro_firing_entry_outstanding;
}

bool macro_slots::finish_busy_cycle(unsigned fired, bool sfpu_instruction_issued) {
    const unsigned kind_before = instruction_kind_;
    for (unsigned unit = 0; fired >> unit != 0; ++unit) {
        if (!(fired >> unit & 1)) continue;
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

macro_slots::outcome macro_slots::schedule(unsigned unit, const scheduled_entry& entry, unsigned delay,
                                           scheduled_entry* forgotten) {
    const unsigned position = at(delay);
    const unsigned bit = 1u << unit;
    outcome result = outcome::placed;
    if (occupied_[position] & bit) {
        if (forgotten) *forgotten = entries_[unit][position];
        instruction_kind_ -= entries_[unit][position].counts_instructions;
        result = outcome::replaced;
    } else {
        if (count_[unit] >= slots_) return outcome::no_slot;
        ++count_[unit];
        ++outstanding_;
        occupied_[position] = static_cast<std::uint8_t>(occupied_[position] | bit);
    }
    entries_[unit][position] = entry;
    instruction_kind_ += entry.counts_instructions;
    return result;
}

std::uint16_t macro_slots::remaining(unsigned unit) const {
    unsigned result = 0;
    for (unsigned r = 0; r < positions; ++r) result |= (occupied_[at(r)] >> unit & 1u) << r;
    return static_cast<std::uint16_t>(result);
}

} // namespace sfpu::timing
