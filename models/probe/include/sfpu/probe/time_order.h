// Puts the events of models that run ahead of each other into the order of time.
//
// The vector unit lags behind those who push, and a hart may be a whole quantum ahead. Formats that are written along
// the time axis (VCD, Kanata) need one order, so their writers stand behind this adapter.
#pragma once

#include <sfpu/probe/observer.h>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace sfpu::probe {

/// Holds events back until nothing earlier is to be expected and hands them on in non-decreasing order of their begin
/// cycle; those of one cycle keep the order in which they came.
class time_order : public pipeline_observer {
public:
    /// No model runs ahead of another by more than `horizon` cycles; events that come later than that are handed on at
    /// once. Memory stays proportional to the events of two horizons. `to` must outlive the adapter.
    time_order(pipeline_observer& to, cycles horizon) : to_(to), horizon_(horizon) {}

    void executed(const execution_event& event) override {
        execution_event kept = event;
        kept.early = false;
        kept.result = kept.cells = nullptr; // they would be gone
        hold(kept.begin, kept);
    }
    void stalled(const stall_event& event) override { hold(event.at, event); }
    void slots_changed(const slots_event& event) override { hold(event.at, event); }
    void forgotten(const forgotten_event& event) override { hold(event.at, event); }
    void counters_changed(const counters_event& event) override { hold(event.at, event); }
    void diagnosed(const diagnostic& event) override { hold(event.at, event); }
    void acted(const activity_event& event) override {
        hold(event.begin, owned_activity{event, std::string(event.text)});
    }

    /// Hands on all that is still held.
    void finish();

private:
    /// An activity_event with a text of its own.
    struct owned_activity {
        activity_event event;
        std::string text;
    };
    using any_event = std::variant<execution_event, stall_event, slots_event, forgotten_event, counters_event,
                                   diagnostic, owned_activity>;
    struct held_event {
        cycles at;
        any_event event;
    };

    void hold(cycles at, any_event event);
    void release_before(cycles end);
    void release(const any_event& event);

    pipeline_observer& to_;
    cycles horizon_;
    cycles latest_{};   ///< of all events
    cycles released_{}; ///< everything before it has been handed on
    std::vector<held_event> held_;
};

} // namespace sfpu::probe
