#include <sfpu/probe/time_order.h>

#include <algorithm>
#include <utility>

namespace sfpu::probe {

void time_order::hold(cycles at, any_event event) {
    held_.push_back({at, std::move(event)});
    latest_ = std::max(latest_, at);
    // Sorting only once for each horizon keeps its cost per event small.
    if (latest_ - released_ > horizon_ + horizon_) release_before(latest_ - horizon_);
}

time_order::~time_order() {
    try {
        finish();
    } catch (...) { // of an observer: a destructor has nobody to tell
    }
}

void time_order::finish() { release_before(latest_ + one_cycle); }

void time_order::release_before(cycles end) {
    const auto earlier = [](const held_event& a, const held_event& b) { return a.at < b.at; };
    std::stable_sort(held_.begin(), held_.end(), earlier);
    const auto stays = [end](const held_event& event) { return event.at >= end; };
    const auto first_kept = std::find_if(held_.begin(), held_.end(), stays);
    for (auto event = held_.begin(); event != first_kept; ++event) release(*event);
    held_.erase(held_.begin(), first_kept);
    released_ = end;
}

void time_order::cycle_begins(const cycle_event& event) {
    if (value_lanes_.empty()) return;
    state_change change{event.state->flags, event.state->use_flags, {}};
    for (unsigned lreg = 0; lreg < isa::lreg_count; ++lreg)
        for (const unsigned lane : value_lanes_) {
            const std::uint32_t bits = event.lreg(lreg).v[lane];
            if (std::exchange(newest_.lreg[lreg].v[lane], bits) != bits)
                change.values.push_back(
                    {static_cast<std::uint8_t>(lreg), static_cast<std::uint8_t>(lane), bits});
        }
    hold(event.at, std::move(change));
}

void time_order::executed(const execution_event& event) {
    owned_execution kept{event, nullptr};
    if (!value_lanes_.empty() && (event.result || event.cells)) {
        kept.values = std::make_unique<std::array<lanes, 2>>();
        for (const unsigned lane : value_lanes_) {
            if (event.result) (*kept.values)[0].v[lane] = event.result->v[lane];
            if (event.cells) (*kept.values)[1].v[lane] = event.cells->v[lane];
        }
    }
    if (value_lanes_.empty()) kept.event.result = kept.event.cells = nullptr;
    hold(event.begin, std::move(kept));
}

void time_order::release(const held_event& event) {
    struct {
        pipeline_observer& to;
        cycles at;
        isa::vector_state& state;
        void operator()(const owned_execution& e) const {
            execution_event whole = e.event;
            if (whole.result) whole.result = &(*e.values)[0];
            if (whole.cells) whole.cells = &(*e.values)[1];
            to.executed(whole);
        }
        void operator()(const state_change& e) const {
            state.flags = e.flags;
            state.use_flags = e.use_flags;
            for (const state_change::value& each : e.values) state.lreg[each.lreg].v[each.lane] = each.bits;
            to.cycle_begins({at, &state});
        }
        void operator()(const stall_event& e) const { to.stalled(e); }
        void operator()(const slots_event& e) const { to.slots_changed(e); }
        void operator()(const forgotten_event& e) const { to.forgotten(e); }
        void operator()(const counters_event& e) const { to.counters_changed(e); }
        void operator()(const diagnostic& e) const { to.diagnosed(e); }
        void operator()(const owned_activity& e) const {
            activity_event whole = e.event;
            whole.text = e.text;
            to.acted(whole);
        }
    } const hand_on{to_, event.at, released_state_};
    std::visit(hand_on, event.event);
}

} // namespace sfpu::probe
