// Puts the events of models that run ahead of each other into the order of time.
//
// The vector unit lags behind those who push, and a hart may be a whole quantum ahead. Formats that are
// written along the time axis (VCD, Kanata) need one order, so their writers stand behind this adapter.
#pragma once

#include <sfpu/probe/observer.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sfpu::probe {

/// Holds events back until nothing earlier is to be expected and hands them on in non-decreasing order of
/// their begin cycle; those of one cycle keep the order in which they came.
class time_order : public pipeline_observer {
public:
    /// No model runs ahead of another by more than `horizon` cycles; events that come later than that are
    /// handed on at once. Memory stays proportional to the events of two horizons. `to` must outlive the
    /// adapter. Values are handed on of these lanes only: those of the others are 0, and without lanes there
    /// are none.
    time_order(pipeline_observer& to, cycles horizon, std::vector<unsigned> value_lanes = {})
        : to_(to), horizon_(horizon), value_lanes_(std::move(value_lanes)) {}
    /// Hands on what is still held, as finish() does.
    ~time_order() override;
    time_order(const time_order&) = delete;
    time_order& operator=(const time_order&) = delete;

    void cycle_begins(const cycle_event& event) override;
    void executed(const execution_event& event) override;
    void stalled(const stall_event& event) override { hold(event.at, event); }
    void slots_changed(const slots_event& event) override { hold(event.at, event); }
    void forgotten(const forgotten_event& event) override { hold(event.at, event); }
    void counters_changed(const counters_event& event) override { hold(event.at, event); }
    void diagnosed(const diagnostic& event) override { hold(event.at, event); }
    void acted(const activity_event& event) override {
        hold(event.begin, owned_activity{event, std::string(event.text)});
    }

    void simulation_ended() override {
        finish();
        to_.simulation_ended();
    }

    /// Hands on all that is still held.
    void finish();

private:
    /// An activity_event with a text of its own.
    struct owned_activity {
        activity_event event;
        std::string text;
    };
    /// An execution_event with values of its own.
    struct owned_execution {
        execution_event event;
        std::unique_ptr<std::array<lanes, 2>> values; ///< result and cells; null if it has neither
    };
    /// What changed in the registers since the cycle before.
    struct state_change {
        struct value {
            std::uint8_t lreg = 0, lane = 0;
            std::uint32_t bits = 0;
        };
        lane_mask flags = 0, use_flags = 0;
        std::vector<value> values;
    };
    using any_event = std::variant<owned_execution, stall_event, slots_event, forgotten_event, counters_event,
                                   diagnostic, owned_activity, state_change>;
    struct held_event {
        cycles at;
        any_event event;
    };

    void hold(cycles at, any_event event);
    void release_before(cycles end);
    void release(const held_event& event);

    pipeline_observer& to_;
    cycles horizon_;
    cycles latest_{};   ///< of all events
    cycles released_{}; ///< everything before it has been handed on
    std::vector<held_event> held_;
    std::vector<unsigned> value_lanes_;
    isa::vector_state newest_, released_state_; ///< as held and as handed on; of the lanes with values
};

} // namespace sfpu::probe
