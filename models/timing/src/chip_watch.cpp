#include <sfpu/timing/chip_watch.h>

#include <algorithm>

namespace sfpu::timing {
namespace {

using isa::latency_class;

std::uint8_t less(std::uint8_t value, std::int64_t cycles_on) {
    return static_cast<std::uint8_t>(value > cycles_on ? value - cycles_on : 0);
}

/// -1, 0, 1: the first comes before, with or behind the second.
int order_of(unsigned first, unsigned second) { return first < second ? -1 : first > second ? 1 : 0; }

} // namespace

void chip_watch_state::advance(std::int64_t cycles_on) {
    if (is_settled()) return;
    believed_busy.advance(cycles_on);
    exclusive_for = less(exclusive_for, cycles_on);
    for (watched_result& each : results) {
        each.visible_in = less(each.visible_in, cycles_on);
        each.on_chip = less(each.on_chip, cycles_on);
    }
    results.erase(
        std::remove_if(results.begin(), results.end(),
                       [](const watched_result& each) { return each.visible_in == 0 && each.on_chip == 0; }),
        results.end());
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

unsigned chip_watch::wait(const chip_watch_state& state, const isa::instruction& insn, word_role role) const {
    if (insn.unit == isa::sub_unit::front_end) return 0;
    unsigned at = insn.is(isa::opcode::sfpnop) ? 0 : state.exclusive_for;
    const isa::register_set reads = role == word_role::template_write ? 0 : insn.use.seen_reads;
    while (state.believed_busy.in(at)&reads) ++at;
    return at;
}

void chip_watch::issued(chip_watch_state& state, const isa::instruction& insn) const {
    if (insn.latency < latency_class::mad) return;
    const unsigned latency = isa::latency_of(insn, chip_);
    if (insn.latency == latency_class::mad) {
        if (chip_.stalls_for_results) state.believed_busy.enter(insn.use.seen_writes, latency);
    } else if (insn.latency == latency_class::swap || chip_.stalls_for_results) {
        state.exclusive_for = static_cast<std::uint8_t>(latency);
    }
}

} // namespace sfpu::timing
