#include <sfpu/timing/macro_slots.h>

#include <algorithm>

namespace sfpu::timing {

namespace {

bool later(const scheduled_entry& a, const scheduled_entry& b) {
    return std::tie(a.remaining, a.unit, a.instance) < std::tie(b.remaining, b.unit, b.instance);
}

constexpr std::uint32_t bit_of(isa::sub_unit unit) { return 1u << static_cast<unsigned>(unit); }
constexpr std::uint32_t every_unit = (1u << isa::scheduled_units) - 1;

} // namespace

macro_slots::unit_set macro_slots::counting_units(const isa::machine& machine) const {
    unit_set units = 0;
    for (const scheduled_entry& entry : entries_)
        if (entry.counts_instructions) units |= bit_of(entry.unit);
    return units != 0 && machine.freeze_scope == freeze_scope::all ? every_unit : units;
}

macro_slots::unit_set macro_slots::occupied_units() const {
    unit_set units = 0;
    for (const scheduled_entry& entry : entries_) units |= bit_of(entry.unit);
    return units;
}

void macro_slots::finish_cycle(bool sfpu_instruction_issued, const isa::machine& machine) {
    if (entries_.empty()) return;
    const unit_set with_firing = counting_units(machine);
    entries_.erase(entries_.begin(), std::find_if(entries_.begin(), entries_.end(),
                                                  [](const auto& entry) { return entry.remaining != 0; }));
    const unit_set counting = machine.firing_entry_outstanding ? with_firing : counting_units(machine);
    for (scheduled_entry& entry : entries_)
        if (is_tick(counting & bit_of(entry.unit), sfpu_instruction_issued)) --entry.remaining;
    // Sub-units that did not tick fall behind the others.
    if (machine.freeze_scope != freeze_scope::all) std::sort(entries_.begin(), entries_.end(), later);
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
