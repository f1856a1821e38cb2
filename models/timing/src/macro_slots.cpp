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

void macro_slots::describe(situation& to) const {
    std::uint64_t occupied = 0;
    for (unsigned r = 0; r < positions; ++r)
        occupied |= std::uint64_t{occupied_[at(r)]} << (isa::scheduled_units * r);
    to.add(occupied);
    for_each([&](unsigned, unsigned, const scheduled_entry& entry) {
        to.add(reinterpret_cast<std::uintptr_t>(entry.insn) | entry.counts_instructions);
    });
}

unsigned macro_slots::number_launches() {
    unsigned count = 0;
    for_each([&](unsigned unit, unsigned r, const scheduled_entry&) {
        entries_[unit][at(r)].launch = static_cast<std::uint8_t>(count++);
    });
    return count;
}

std::vector<recorded_entry> macro_slots::recorded() const {
    std::vector<recorded_entry> result;
    for_each([&](unsigned unit, unsigned r, const scheduled_entry& entry) {
        result.push_back({entry.insn, static_cast<std::uint8_t>(unit), static_cast<std::uint8_t>(r),
                          entry.launch, entry.counts_instructions});
    });
    return result;
}

void macro_slots::resume(const std::vector<recorded_entry>& entries, const launch_origin* launches) {
    occupied_.fill(0);
    count_.fill(0);
    base_ = instruction_kind_ = 0;
    outstanding_ = static_cast<unsigned>(entries.size());
    for (const recorded_entry& from : entries) {
        const launch_origin& origin = launches[from.launch];
        entries_[from.unit][from.remaining] = {from.insn, origin.word, origin.dst_address,
                                               from.counts_instructions, 0};
        occupied_[from.remaining] = static_cast<std::uint8_t>(occupied_[from.remaining] | 1u << from.unit);
        ++count_[from.unit];
        instruction_kind_ += from.counts_instructions;
    }
}

std::uint16_t macro_slots::remaining(unsigned unit) const {
    unsigned result = 0;
    for (unsigned r = 0; r < positions; ++r) result |= (occupied_[at(r)] >> unit & 1u) << r;
    return static_cast<std::uint16_t>(result);
}

} // namespace sfpu::timing
