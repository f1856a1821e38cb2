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

void time_order::finish() { release_before(latest_ + one_cycle); }

void time_order::release_before(cycles end) {
    const auto earlier = [](const held_event& a, const held_event& b) { return a.at < b.at; };
    std::stable_sort(held_.begin(), held_.end(), earlier);
    const auto stays = [end](const held_event& event) { return event.at >= end; };
    const auto first_kept = std::find_if(held_.begin(), held_.end(), stays);
    for (auto event = held_.begin(); event != first_kept; ++event) release(event->event);
    held_.erase(held_.begin(), first_kept);
    released_ = end;
}

void time_order::release(const any_event& event) {
    struct {
        pipeline_observer& to;
        void operator()(const execution_event& e) const { to.executed(e); }
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
    } const hand_on{to_};
    std::visit(hand_on, event);
}

} // namespace sfpu::probe
