#include <sfpu/timing/issue_rules.h>

#include <algorithm>

namespace sfpu::timing {

namespace opcode = isa::opcode;
using isa::latency_class;

void issue_state::advance(std::int64_t cycles_on) {
    busy.advance(cycles_on);
    believed_busy.advance(cycles_on);
    const auto left = [&](std::uint8_t value) {
        return static_cast<std::uint8_t>(value > cycles_on ? value - cycles_on : 0);
    };
    exclusive_for = left(exclusive_for);
    if (exclusive_for == 0) exclusive_cause = hold_cause::none;
    shuffle_second_cycle = left(shuffle_second_cycle);
    if (shuffle_second_cycle == 0) shuffle_writes = 0;
    if (producers.empty()) return;
    for (producer& p : producers) p.visible_in = left(p.visible_in);
    producers.erase(std::remove_if(producers.begin(), producers.end(),
                                   [](const producer& p) { return p.visible_in == 0; }),
                    producers.end());
}

unsigned issue_rules::wait(const issue_state& state, const isa::instruction& insn, word_role role,
                           unsigned later, hold_cause& cause) const {
    cause = hold_cause::none;
    if (insn.unit == isa::sub_unit::front_end) return 0;
    unsigned at = later;
    if (at < state.exclusive_for && !insn.is(opcode::sfpnop)) {
        at = state.exclusive_for;
        cause = state.exclusive_cause;
    }
    const isa::register_set reads = role == word_role::template_write ? 0 : insn.use.seen_reads;
    for (; state.believed_busy.in(at)&reads; ++at) cause = hold_cause::mad_dependence;
    return at - later;
}

const producer* issue_rules::read_too_early(const issue_state& state, const isa::instruction& insn) const {
    if ((state.busy.in(0) & insn.use.reads) == 0) return nullptr;
    for (auto p = state.producers.rbegin(); p != state.producers.rend(); ++p)
        if (p->writes & insn.use.reads) return &*p;
    return nullptr;
}

namespace {

std::uint8_t general_results(const isa::instruction& insn, bool lanes_ordinary) {
    isa::register_set writes = insn.use.results() & isa::general_registers;
    const bool may_take_along = insn.unit == isa::sub_unit::load || insn.latency == latency_class::swap;
    if (!lanes_ordinary && writes != 0 && may_take_along) writes |= 0xf0; // index of L0 to L3 in L4 to L7
    return static_cast<std::uint8_t>(writes);
}

} // namespace

const producer* issue_rules::overwrites(const issue_state& state, const isa::instruction& insn,
                                        bool lanes_ordinary) const {
    if (state.producers.empty()) return nullptr;
    const unsigned writes = general_results(insn, lanes_ordinary);
    const unsigned visible_in = isa::latency_of(insn, *machine_);
    for (auto p = state.producers.rbegin(); p != state.producers.rend(); ++p)
        if ((p->writes & writes) && p->visible_in > visible_in) return &*p;
    return nullptr;
}

/// Simple and Round are the business of neighbour_rules. Mode 2 writes L1 to L3 in its second cycle, so that
/// no other sub-unit may write them then.
bool issue_rules::forbidden_after_shuffle(const issue_state& state, const isa::instruction& insn) const {
    if (state.shuffle_second_cycle != 1 || machine_->stalls_for_results) return false;
    if (insn.unit == isa::sub_unit::simple || insn.unit == isa::sub_unit::round) return false;
    return state.shuffle_writes == 0x0f && (insn.use.writes & 0x0e) != 0;
}

void issue_rules::issued(issue_state& state, const isa::instruction& insn, std::int32_t word, bool discarded,
                         bool lanes_ordinary) const {
    const unsigned latency = isa::latency_of(insn, *machine_);
    if (insn.latency < latency_class::mad && latency <= 1) return;
    const std::uint8_t writes = general_results(insn, lanes_ordinary);
    if (!discarded && writes != 0 && latency > 1) {
        state.busy.enter(writes, latency);
        if (state.producers.size() == state.producers.capacity())
            state.producers.erase(state.producers.begin());
        state.producers.push_back({&insn, word, static_cast<std::uint8_t>(latency), writes});
    }
    if (insn.latency < latency_class::mad) return;
    if (insn.latency == latency_class::mad) {
        if (machine_->stalls_for_results) state.believed_busy.enter(insn.use.seen_writes, latency);
        return;
    }
    const bool is_swap = insn.latency == latency_class::swap;
    if (is_swap || machine_->stalls_for_results) {
        state.exclusive_for = static_cast<std::uint8_t>(latency);
        state.exclusive_cause = is_swap ? hold_cause::swap : hold_cause::shuffle;
    }
    if (is_swap) return;
    state.shuffle_second_cycle = static_cast<std::uint8_t>(latency);
    state.shuffle_writes = writes;
}

} // namespace sfpu::timing
