#include <sfpu/timing/macro_slots.h>

#include <algorithm>

namespace sfpu::timing {

bool macro_slots::counts_instructions() const {
    return std::any_of(entries_.begin(), entries_.end(),
                       [](const scheduled_entry& entry) { return entry.counts_instructions; });
}

bool macro_slots::finish_cycle(bool sfpu_instruction_issued, const isa::machine& machine) {
    if (entries_.empty()) return false;
    const bool with_firing = counts_instructions();
    entries_.erase(entries_.begin(), std::find_if(entries_.begin(), entries_.end(),
                                                  [](const auto& entry) { return entry.remaining != 0; }));
    const bool counts = machine.firing_entry_outstanding ? with_firing : counts_instructions();
    const bool tick = is_tick(counts, sfpu_instruction_issued);
    if (tick)
        for (scheduled_entry& entry : entries_) --entry.remaining;
    return tick;
}

macro_slots::outcome macro_slots::schedule(scheduled_entry entry, const isa::machine& machine,
                                           scheduled_entry& forgotten) {
    // MAD has a second unit for issued words only.
    const unsigned units = entry.unit == isa::sub_unit::store ? machine.store_ports : 1;
    for (unsigned instance = 0;; ++instance) {
        entry.instance = static_cast<std::uint8_t>(instance);
        scheduled_entry* in_the_way = nullptr;
        unsigned waiting = 0;
        for (scheduled_entry& other : entries_) {
            if (other.unit != entry.unit || other.instance != entry.instance) continue;
            ++waiting;
            if (other.remaining == entry.remaining) in_the_way = &other;
        }
        const bool is_last = instance + 1 == units;
        if (in_the_way && is_last) {
            forgotten = *in_the_way;
            *in_the_way = entry;
            return outcome::replaced;
        }
        if (!in_the_way && waiting < machine.slots) break;
        if (is_last) return outcome::no_slot;
    }
    const auto later = [](const scheduled_entry& a, const scheduled_entry& b) {
        return std::tie(a.remaining, a.unit, a.instance) < std::tie(b.remaining, b.unit, b.instance);
    };
    entries_.insert(std::upper_bound(entries_.begin(), entries_.end(), entry, later), entry);
    return outcome::placed;
}

std::uint32_t macro_slots::remaining(isa::sub_unit unit) const {
    std::uint32_t result = 0;
    for (const scheduled_entry& entry : entries_)
        if (entry.unit == unit) result |= 1u << entry.remaining;
    return result;
}

} // namespace sfpu::timing
