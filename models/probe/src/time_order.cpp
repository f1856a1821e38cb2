#include <sfpu/probe/time_order.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace sfpu::probe {
namespace {

constexpr std::int64_t longest_bucket = 4096;

template <class T>
std::uint32_t size_of(const std::vector<T>& of) {
    return static_cast<std::uint32_t>(of.size());
}

} // namespace

time_order::time_order(pipeline_observer& to, cycles horizon, const std::vector<unsigned>& value_lanes,
                       const cycle_window& window)
    : to_(to), horizon_(horizon), length_(std::clamp<std::int64_t>(horizon.count() / 2, 1, longest_bucket)),
      value_lanes_(value_lanes), window_(window) {}

time_order::~time_order() {
    try {
        finish();
    } catch (...) { // of an observer: a destructor has nobody to tell
    }
}

// --- holding -----------------------------------------------------------------------------------------------

void time_order::bucket::clear() {
    places.clear();
    executions.clear();
    values.clear();
    stalls.clear();
    slots.clear();
    forgotten.clear();
    counters.clear();
    diagnostics.clear();
    activities.clear();
    texts.clear();
    states.clear();
    changes.clear();
}

/// The bucket of a cycle; of one that has been handed on, the first.
time_order::bucket& time_order::bucket_of(cycles at) {
    if (at > latest_) {
        latest_ = at;
        if ((latest_ - first_).count() > 2 * horizon_.count() + length_) release_before(latest_ - horizon_);
    }
    const std::int64_t behind = std::max<std::int64_t>((at - first_).count(), 0);
    const auto which = static_cast<std::size_t>(behind / length_);
    while (buckets_.size() <= which) {
        if (spare_.empty()) spare_.push_back(std::make_unique<bucket>());
        buckets_.push_back(std::move(spare_.back()));
        spare_.pop_back();
    }
    bucket& found = *buckets_[which];
    const std::int64_t offset = behind - static_cast<std::int64_t>(which) * length_;
    found.places.push_back({static_cast<std::uint32_t>(offset), {}, 0});
    return found;
}

template <class Event>
void time_order::hold(cycles at, kind what, std::vector<Event> bucket::*place_of, Event event) {
    bucket& in = bucket_of(at);
    in.places.back().what = what;
    in.places.back().index = size_of(in.*place_of);
    (in.*place_of).push_back(std::move(event));
}

void time_order::stalled(const stall_event& event) {
    if (wants(event.at, event.at)) hold(event.at, kind::stall, &bucket::stalls, event);
}
void time_order::forgotten(const forgotten_event& event) {
    if (wants(event.at, event.at)) hold(event.at, kind::forgotten, &bucket::forgotten, event);
}
void time_order::diagnosed(const diagnostic& event) {
    if (wants(event.at, event.at)) hold(event.at, kind::diagnostic, &bucket::diagnostics, event);
}
void time_order::slots_changed(const slots_event& event) {
    if (event.at < window_.first) before_.slots = event;
    else if (event.at <= window_.last) hold(event.at, kind::slots, &bucket::slots, event);
}
void time_order::counters_changed(const counters_event& event) {
    if (event.at >= window_.first) {
        if (event.at <= window_.last) hold(event.at, kind::counters, &bucket::counters, event);
    } else if (event.thread < before_.counters.size()) {
        before_.counters[event.thread] = event;
    }
}

void time_order::acted(const activity_event& event) {
    if (!wants(event.begin, event.end)) return;
    bucket& in = bucket_of(event.begin);
    in.places.back().what = kind::activity;
    in.places.back().index = size_of(in.activities);
    in.activities.push_back({event, size_of(in.texts), static_cast<std::uint32_t>(event.text.size())});
    in.texts.insert(in.texts.end(), event.text.begin(), event.text.end());
}

void time_order::cycle_begins(const cycle_event& event) {
    if (value_lanes_.empty()) return;
    if (event.at > window_.last && std::exchange(is_behind_window_, true)) return;
    const bool is_early = event.at < window_.first;
    bucket* const in = is_early ? nullptr : &bucket_of(event.at);
    const std::uint32_t first = in ? size_of(in->changes) : 0;
    for (unsigned lreg = 0; lreg < isa::lreg_count; ++lreg) {
        const lanes& now = event.lreg(lreg);
        for (const unsigned lane : value_lanes_) {
            const std::uint32_t bits = now.v[lane];
            if (std::exchange(newest_.lreg[lreg].v[lane], bits) == bits) continue;
            if (is_early) released_state_.lreg[lreg].v[lane] = bits;
            else
                in->changes.push_back(
                    {static_cast<std::uint8_t>(lreg), static_cast<std::uint8_t>(lane), bits});
        }
    }
    if (is_early) {
        released_state_.flags = event.state->flags;
        released_state_.use_flags = event.state->use_flags;
        before_.at = event.at;
        return;
    }
    in->places.back().what = kind::state;
    in->places.back().index = size_of(in->states);
    in->states.push_back({event.state->flags, event.state->use_flags, first, size_of(in->changes) - first});
}

void time_order::executed(const execution_event& event) {
    if (!wants(event.begin, event.end)) return;
    bucket& in = bucket_of(event.begin);
    in.places.back().what = kind::execution;
    in.places.back().index = size_of(in.executions);
    in.executions.push_back({event, size_of(in.values)});
    if (value_lanes_.empty()) {
        in.executions.back().event.result = in.executions.back().event.cells = nullptr;
        return;
    }
    for (const lanes* const values : {event.result, event.cells})
        if (values)
            for (const unsigned lane : value_lanes_) in.values.push_back(values->v[lane]);
}

// --- handing on --------------------------------------------------------------------------------------------

void time_order::finish() {
    while (!buckets_.empty()) release_first();
    begin_window();
}

/// Buckets that end before this cycle.
void time_order::release_before(cycles end) {
    while (!buckets_.empty() && first_ + cycles{length_} <= end) release_first();
    if (buckets_.empty() && first_ < end) first_ = end; // nothing came for a long time
}

/// Stable: those of one cycle keep their order.
void time_order::bucket::sort(std::size_t cycles_of_bucket) {
    begins.assign(cycles_of_bucket + 1, 0);
    for (const place& each : places) ++begins[each.offset + 1];
    for (std::size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
    sorted.resize(places.size());
    for (const place& each : places) sorted[begins[each.offset]++] = each;
}

void time_order::release_first() {
    std::unique_ptr<bucket> first = std::move(buckets_.front());
    buckets_.pop_front();
    if (!first->places.empty()) {
        begin_window();
        first->sort(static_cast<std::size_t>(length_));
        for (const place& each : first->sorted) hand_on(*first, each);
    }
    first_ += cycles{length_};
    first->clear();
    spare_.push_back(std::move(first));
}

/// The state that events before the window have left.
void time_order::begin_window() {
    if (std::exchange(in_window_, true)) return;
    if (before_.at) to_.cycle_begins({*before_.at, &released_state_});
    if (before_.slots) to_.slots_changed(*before_.slots);
    for (const std::optional<counters_event>& each : before_.counters)
        if (each) to_.counters_changed(*each);
}

void time_order::hand_on(const bucket& from, const place& which) {
    const std::uint32_t i = which.index;
    switch (which.what) {
    case kind::execution: return hand_on_execution(from, from.executions[i]);
    case kind::stall: return to_.stalled(from.stalls[i]);
    case kind::slots: return to_.slots_changed(from.slots[i]);
    case kind::forgotten: return to_.forgotten(from.forgotten[i]);
    case kind::counters: return to_.counters_changed(from.counters[i]);
    case kind::diagnostic: return to_.diagnosed(from.diagnostics[i]);
    case kind::activity: {
        activity_event whole = from.activities[i].event;
        whole.text = std::string_view(from.texts.data() + from.activities[i].text, from.activities[i].length);
        return to_.acted(whole);
    }
    case kind::state: break;
    }
    const held_state& state = from.states[i];
    released_state_.flags = state.flags;
    released_state_.use_flags = state.use_flags;
    for (std::uint32_t at = state.first; at < state.first + state.count; ++at) {
        const changed_value& each = from.changes[at];
        released_state_.lreg[each.lreg].v[each.lane] = each.bits;
    }
    to_.cycle_begins({first_ + cycles{which.offset}, &released_state_});
}

void time_order::hand_on_execution(const bucket& from, const held_execution& which) {
    execution_event whole = which.event;
    const std::uint32_t* next = from.values.data() + which.values;
    const auto take = [&](const lanes*& values, lanes& to) {
        if (!values) return;
        for (const unsigned lane : value_lanes_) to.v[lane] = *next++;
        values = &to;
    };
    take(whole.result, result_);
    take(whole.cells, cells_);
    to_.executed(whole);
}

} // namespace sfpu::probe
