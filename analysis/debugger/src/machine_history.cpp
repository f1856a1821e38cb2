#include "machine_history.h"

#include <algorithm>
#include <tuple>

namespace sfpu::analysis::debug {

void cycle_record::apply(machine_state& state) const {
    for (const auto& [lreg, value] : lregs) state.lreg[lreg] = value;
    if (flags) std::tie(state.flags, state.use_flags) = *flags;
    for (const auto& [row, cells] : dst_rows) state.dst[row] = cells;
}

namespace {

bool same(const lanes& a, const lanes& b) {
    return std::equal(std::begin(a.v), std::end(a.v), std::begin(b.v));
}

} // namespace

/// What cycle `at` left is what the one behind it begins with.
void cycle_follower::finish_cycle(std::int64_t at, const probe::cycle_event& next) {
    for (unsigned lreg = 0; lreg < isa::lreg_count; ++lreg) {
        const lanes& value = next.lreg(lreg);
        if (same(state_.lreg[lreg], value)) continue;
        state_.lreg[lreg] = value;
        record_.lregs.emplace_back(lreg, value);
    }
    const isa::vector_state& state = *next.state;
    if (state_.flags != state.flags || state_.use_flags != state.use_flags) {
        std::tie(state_.flags, state_.use_flags) = std::pair{state.flags, state.use_flags};
        record_.flags = std::pair{state.flags, state.use_flags};
    }
    if (stored_) note_dst(record_);
    while (!stalls_.empty() && stalls_.front().at.count() <= at) { // they may come before the cycle begins
        record_.stalls.push_back(stalls_.front());
        stalls_.erase(stalls_.begin());
    }
    end_of_cycle(at, record_);
    record_ = {};
}

void cycle_follower::note_dst(cycle_record& record) {
    runner_.read_dst(dst_);
    for (unsigned row = 0; row < dst_.size(); ++row) {
        if (dst_[row] == state_.dst[row]) continue;
        state_.dst[row] = dst_[row];
        record.dst_rows.emplace_back(row, dst_[row]);
    }
    stored_ = false;
}

void cycle_follower::cycle_begins(const probe::cycle_event& event) {
    if (!started_) { // what the program starts with counts as left by cycle -1
        started_ = true;
        stored_ = true;
        finish_cycle(-1, event);
        reached_ = 0;
    }
    for (; reached_ < event.at.count(); ++reached_)
        finish_cycle(reached_, event); // nothing happened in between
}

void cycle_follower::executed(const probe::execution_event& event) {
    if (event.unit == isa::sub_unit::store) stored_ = true;
    execution one;
    one.event = event;
    one.event.result = one.event.cells = nullptr;
    if (event.result) one.result = *event.result;
    if (event.cells) one.cells = *event.cells;
    record_.executed.push_back(one);
}

void cycle_follower::stalled(const probe::stall_event& event) { stalls_.push_back(event); }
void cycle_follower::forgotten(const probe::forgotten_event& event) { record_.forgotten.push_back(event); }

void recording::end_of_cycle(std::int64_t at, cycle_record& record) {
    if (at == first_ - 1) before_ = state();
    if (at < first_ || at > last_) return;
    records_.resize(static_cast<std::size_t>(at - first_) + 1);
    records_.back() = std::move(record);
}

const cycle_record& recording::of(std::int64_t cycle) const {
    static const cycle_record nothing;
    const std::int64_t index = cycle - first_;
    return index >= 0 && index < static_cast<std::int64_t>(records_.size())
               ? records_[static_cast<std::size_t>(index)]
               : nothing;
}

machine_state recording::state_after(std::int64_t cycle) const {
    machine_state state = before_;
    for (std::int64_t at = first_; at <= cycle; ++at) of(at).apply(state);
    return state;
}

void search::end_of_cycle(std::int64_t at, cycle_record& record) {
    if (!found_ && at >= from_ && wanted_(at, record, state())) found_ = at;
}

} // namespace sfpu::analysis::debug
