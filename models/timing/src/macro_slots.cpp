#include <sfpu/timing/macro_slots.h>

namespace sfpu::timing {

void macro_slots::reset(const parameters& config) {
    occupied_.fill(0);
    count_.fill(0);
    base_ = outstanding_ = instruction_kind_ = 0;
    slots_ = config.macro_slots;
    firing_counts_ = config.macro_firing_entry_outstanding;
}

macro_slots::outcome macro_slots::schedule_in_the_way(unsigned unit, const scheduled_entry& entry,
                                                      unsigned position, scheduled_entry* forgotten) {
    scheduled_entry& place = entries_[unit][position];
    if (!(occupied_[position] >> unit & 1)) return outcome::no_slot;
    if (forgotten) *forgotten = place;
    instruction_kind_ -= place.counts_instructions;
    place = entry;
    instruction_kind_ += entry.counts_instructions;
    return outcome::replaced;
}

void macro_slots::keep_copies() {
    for (unsigned position = 0; position < positions; ++position)
        for (unsigned unit = 0; unit < isa::scheduled_units; ++unit) {
            if (!(occupied_[position] >> unit & 1)) continue;
            copies_[unit][position] = *entries_[unit][position].insn;
            entries_[unit][position].insn = &copies_[unit][position];
        }
}

std::uint16_t macro_slots::remaining(unsigned unit) const {
    unsigned result = 0;
    for (unsigned r = 0; r < positions; ++r) result |= (occupied_[at(r)] >> unit & 1u) << r;
    return static_cast<std::uint16_t>(result);
}

} // namespace sfpu::timing
