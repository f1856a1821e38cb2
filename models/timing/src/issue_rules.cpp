#include <sfpu/timing/issue_rules.h>

#include <algorithm>

namespace sfpu::timing {

namespace opcode = isa::opcode;
using isa::latency_class;

void issue_rules::reset(const parameters& config) {
    *this = issue_rules{};
    arch_ = config.arch;
    auto_stall_ = config.auto_stall();
    mad_latency_ = config.latency_mad;
    swap_latency_ = config.latency_swap;
    shuffle_latency_ = config.latency_shuffle;
}

cycles issue_rules::find_slot(const isa::instruction& insn, cycles earliest, hold_cause& cause) const {
    cycles at = earliest;
    if (insn.unit == isa::sub_unit::front_end) return at;
    if (at < exclusive_until_ && !insn.is(opcode::sfpnop)) {
        at = exclusive_until_;
        cause = exclusive_cause_;
    }
    for (unsigned reads = insn.use.seen_reads, lreg = 0; reads != 0; reads >>= 1, ++lreg) {
        if ((reads & 1) && at < seen_ready_[lreg]) {
            at = seen_ready_[lreg];
            cause = hold_cause::mad_dependence;
        }
    }
    return at;
}

void issue_rules::remember(const isa::instruction& insn, cycles at, std::int64_t word) {
    const std::int64_t latency = insn.latency == latency_class::mad    ? mad_latency_
                                 : insn.latency == latency_class::swap ? swap_latency_
                                                                       : shuffle_latency_;
    const cycles visible = at + cycles{latency};
    if (at >= visible_from_) recent_writes_ = 0;
    recent_writes_ |= insn.use.writes;
    results_[next_result_] = {visible, insn.use.writes, &insn, word};
    next_result_ = (next_result_ + 1) % results_.size();
    if (auto_stall_ && insn.latency == latency_class::mad)
        for (unsigned seen = insn.use.seen_writes, lreg = 0; seen != 0; seen >>= 1, ++lreg)
            if (seen & 1) seen_ready_[lreg] = visible;
    visible_from_ = std::max(visible_from_, visible);
    const bool exclusive =
        insn.latency == latency_class::swap || (insn.latency == latency_class::shuffle && auto_stall_);
    if (exclusive) {
        exclusive_until_ = visible;
        exclusive_cause_ = insn.latency == latency_class::swap ? hold_cause::swap : hold_cause::shuffle;
    }
    if (insn.latency == latency_class::shuffle) {
        shuffle_second_cycle_ = visible - one_cycle;
        shuffle_writes_ = insn.use.writes;
    }
    quiet_from_ = std::max(quiet_from_, visible);
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

bool issue_rules::forbidden_after_shuffle(const isa::instruction& insn, cycles at) const {
    if (auto_stall_ || at != shuffle_second_cycle_) return false;
    // Simple and Round are the business of neighbour_rules. Mode 2 writes L1 to L3 in its second cycle, so that no
    // other sub-unit may write them then.
    if (insn.unit == isa::sub_unit::simple || insn.unit == isa::sub_unit::round) return false;
    return shuffle_writes_ == 0x0f && (insn.use.writes & 0x0e) != 0;
}

void issue_rules::was_discarded() {
    results_[(next_result_ + results_.size() - 1) % results_.size()].writes = 0;
}

} // namespace sfpu::timing
