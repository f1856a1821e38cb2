#include <sfpu/timing/chip_watch.h>

#include <algorithm>

namespace sfpu::timing {
namespace {

using isa::latency_class;

std::uint8_t less(std::uint8_t value, std::int64_t cycles_on) {
    return static_cast<std::uint8_t>(value > cycles_on ? value - cycles_on : 0);
}

isa::register_set seen_reads(const isa::instruction& insn, word_role role) {
    return role == word_role::template_write ? 0 : insn.use.seen_reads;
}

/// -1, 0, 1: the first comes before, with or behind the second.
int order_of(unsigned first, unsigned second) { return first < second ? -1 : first > second ? 1 : 0; }

} // namespace

void stall_shadow::advance(std::int64_t cycles_on) {
    busy_before = cycles_on <= 8 ? believed_busy.in(static_cast<unsigned>(cycles_on - 1)) : 0;
    exclusive_before = exclusive_for >= cycles_on;
    believed_busy.advance(cycles_on);
    exclusive_for = less(exclusive_for, cycles_on);
}

bool stall_shadow::is_settled() const {
    return believed_busy.bytes() == 0 && exclusive_for == 0 && busy_before == 0 && !exclusive_before;
}

void stall_shadow::issued(const isa::instruction& insn, const isa::machine& machine) {
    if (insn.latency < latency_class::mad) return;
    const unsigned latency = isa::latency_of(insn, machine);
    if (insn.latency == latency_class::mad) {
        if (machine.stalls_for_results) believed_busy.enter(insn.use.seen_writes, latency);
    } else if (insn.latency == latency_class::swap || machine.stalls_for_results) {
        exclusive_for = static_cast<std::uint8_t>(latency);
    }
}

unsigned stall_shadow::wait(const isa::instruction& insn, word_role role) const {
    if (insn.unit == isa::sub_unit::front_end) return 0;
    unsigned at = insn.is(isa::opcode::sfpnop) ? 0 : exclusive_for;
    while (believed_busy.in(at)&seen_reads(insn, role)) ++at;
    return at;
}

bool stall_shadow::releases(const isa::instruction& insn, word_role role) const {
    if (insn.unit == isa::sub_unit::front_end || wait(insn, role) != 0) return false;
    return (exclusive_before && !insn.is(isa::opcode::sfpnop)) || (busy_before & seen_reads(insn, role)) != 0;
}

void chip_watch_state::advance(std::int64_t cycles_on) {
    if (is_settled()) return;
    issued_before = issued_now && cycles_on == 1;
    issued_now = false;
    stalls.advance(cycles_on);
    stalls_on_chip.advance(cycles_on);
    for (watched_result& each : results) {
        each.visible_in = less(each.visible_in, cycles_on);
        each.on_chip = less(each.on_chip, cycles_on);
    }
    results.erase(
        std::remove_if(results.begin(), results.end(),
                       [](const watched_result& each) { return each.visible_in == 0 && each.on_chip == 0; }),
        results.end());
}

void chip_watch_state::delay_on_chip(std::int64_t cycles_on) {
    stalls_on_chip.advance(cycles_on);
    for (watched_result& each : results) each.on_chip = less(each.on_chip, cycles_on);
}

bool chip_watch_state::has_scheduled() const {
    return std::any_of(results.begin(), results.end(),
                       [](const watched_result& each) { return each.scheduled; });
}

void chip_watch::reset(const isa::machine& of) {
    machine_ = of;
    parameters usual;
    usual.arch = of.chip;
    chip_ = isa::make_machine(usual);
    is_active_ = machine_.latency != chip_.latency || machine_.issue_width != chip_.issue_width ||
                 machine_.stalls_for_results != chip_.stalls_for_results;
}

chip_difference chip_watch::executes(chip_watch_state& state, const isa::instruction& insn,
                                     isa::register_set reads, isa::register_set writes,
                                     bool among_macros) const {
    const auto latency = static_cast<std::uint8_t>(isa::latency_of(insn, machine_)),
               on_chip = static_cast<std::uint8_t>(isa::latency_of(insn, chip_));
    chip_difference found = chip_difference::none;
    for (const watched_result& before : state.results) {
        if (!before.scheduled && !insn.scheduled()) continue;
        if (before.writes & reads) {
            if (before.visible_in != 0 && before.on_chip == 0) found = chip_difference::read_late;
            if (before.visible_in == 0 && before.on_chip != 0) found = chip_difference::read_early;
        }
        if ((before.writes & writes) &&
            order_of(before.visible_in, latency) != order_of(before.on_chip, on_chip))
            found = chip_difference::other_last;
    }
    const bool reads_again = insn.latency == latency_class::swap && latency != on_chip;
    if (reads_again && (among_macros || insn.scheduled() || state.has_scheduled()))
        found = chip_difference::exchange_moved;
    if (writes != 0) state.results.push_back({latency, on_chip, insn.scheduled(), writes});
    return found;
}

void chip_watch::issued(chip_watch_state& state, const isa::instruction& insn) const {
    state.stalls.issued(insn, machine_);
    state.stalls_on_chip.issued(insn, chip_);
}

} // namespace sfpu::timing
