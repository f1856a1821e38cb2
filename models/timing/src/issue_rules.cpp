#include <sfpu/timing/issue_rules.h>

#include <algorithm>

namespace sfpu::timing {

namespace opcode = isa::opcode;
using isa::latency_class;

void issue_rules::reset(const parameters& config) {
    *this = issue_rules{};
    auto_stall_ = config.auto_stall();
    const auto set = [&](latency_class which, unsigned latency) {
        spans_[static_cast<unsigned>(which)] = {cycles{static_cast<std::int64_t>(latency)},
                                                register_calendar::cycles_before(latency)};
    };
    set(latency_class::mad, config.latency_mad);
    set(latency_class::swap, config.latency_swap);
    set(latency_class::shuffle, config.latency_shuffle);
}

cycles issue_rules::find_slot(const isa::instruction& insn, cycles earliest, hold_cause& cause) const {
    cycles at = earliest;
    if (insn.unit == isa::sub_unit::front_end) return at;
    if (at < exclusive_until_ && !insn.is(opcode::sfpnop)) {
        at = exclusive_until_;
        cause = exclusive_cause_;
    }
    for (; believed_busy_.in(static_cast<unsigned>((at - today_).count())) & insn.use.seen_reads; ++at)
        cause = hold_cause::mad_dependence;
    return at;
}

void issue_rules::remember(const isa::instruction& insn, cycles at, std::int64_t word) {
    advance_to(at);
    const span& takes = spans_[static_cast<unsigned>(insn.latency)];
    const cycles visible = at + takes.latency;
    busy_.enter(insn.use.writes, takes.bytes);
    results_[next_result_] = {visible, insn.use.writes, insn.word, word};
    next_result_ = (next_result_ + 1) % results_.size();
    quiet_from_ = std::max(quiet_from_, visible);
    if (insn.latency == latency_class::mad) {
        if (auto_stall_) believed_busy_.enter(insn.use.seen_writes, takes.bytes);
        return;
    }
    const bool is_swap = insn.latency == latency_class::swap;
    if (is_swap || auto_stall_) {
        exclusive_until_ = visible;
        exclusive_cause_ = is_swap ? hold_cause::swap : hold_cause::shuffle;
    }
    if (is_swap) return;
    shuffle_second_cycle_ = visible - one_cycle;
    shuffle_writes_ = insn.use.writes;
}

void issue_rules::describe(cycles now, situation& to) {
    if (!(now < quiet_from_)) {
        to.add(0);
        return;
    }
    advance_to(now);
    const auto left = [&](cycles until) {
        return static_cast<std::uint64_t>(until < now ? 0 : (until - now).count() + 1);
    };
    to.add(1 + left(quiet_from_));
    to.add(busy_.all());
    to.add(believed_busy_.all());
    to.add(left(exclusive_until_) << 32 | left(shuffle_second_cycle_) << 16 |
           static_cast<std::uint64_t>(exclusive_cause_) << 8 | shuffle_writes_);
}

void issue_rules::resume(const issue_rules& from, cycles now, cycles later, std::int64_t words) {
    quiet_from_ = from.quiet_from_ + later;
    if (!(now < quiet_from_)) return; // nothing of it matters any more
    *this = from;
    today_ += later;
    quiet_from_ += later;
    exclusive_until_ += later;
    shuffle_second_cycle_ += later;
    for (result& r : results_) {
        r.visible += later;
        r.word += words;
    }
}

bool issue_rules::search(const isa::instruction& insn, cycles at, unprotected_read& found) const {
    for (unsigned back = 1; back <= results_.size(); ++back) { // the latest producer first
        const result& r = results_[(next_result_ + results_.size() - back) % results_.size()];
        const unsigned early = insn.use.reads & r.writes;
        if (early == 0 || !(at < r.visible)) continue;
        unsigned lreg = 0;
        while (!(early >> lreg & 1)) ++lreg;
        found = {lreg, r.by, r.word};
        return true;
    }
    return false;
}

/// Simple and Round are the business of neighbour_rules. Mode 2 writes L1 to L3 in its second cycle, so that no other
/// sub-unit may write them then.
bool issue_rules::disturbs_shuffle(const isa::instruction& insn) const {
    if (insn.unit == isa::sub_unit::simple || insn.unit == isa::sub_unit::round) return false;
    return shuffle_writes_ == 0x0f && (insn.use.writes & 0x0e) != 0;
}

void issue_rules::was_discarded() {
    results_[(next_result_ + results_.size() - 1) % results_.size()].writes = 0;
}

} // namespace sfpu::timing
