// Puts the events of models that run ahead of each other into the order of time.
//
// The vector unit lags behind those who push, and a hart may be a whole quantum ahead. Formats that are
// written along the time axis (VCD, Kanata) need one order, so their writers stand behind this adapter.
#pragma once

#include <sfpu/probe/observer.h>
#include <sfpu/probe/trace_window.h>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace sfpu::probe {

/// Holds events back until nothing earlier is to be expected and hands them on in non-decreasing order of
/// their begin cycle; those of one cycle keep the order in which they came.
class time_order : public pipeline_observer {
public:
    /// No model runs ahead of another by more than `horizon` cycles; events that come later than that are
    /// handed on before all others. Memory stays in proportion to the events of two horizons. `to` outlives
    /// the adapter. Values are handed on of these lanes only: those of the others are 0, and without lanes
    /// there are none. Events outside the window are not held, but for state: what those before it leave, and
    /// the first one behind it.
    time_order(pipeline_observer& to, cycles horizon, const std::vector<unsigned>& value_lanes = {},
               const cycle_window& window = cycle_window(trace_options{}));
    /// Hands on what is still held, as finish() does.
    ~time_order() override;
    time_order(const time_order&) = delete;
    time_order& operator=(const time_order&) = delete;

    void cycle_begins(const cycle_event& event) override;
    void executed(const execution_event& event) override;
    void stalled(const stall_event& event) override;
    void slots_changed(const slots_event& event) override;
    void forgotten(const forgotten_event& event) override;
    void counters_changed(const counters_event& event) override;
    void diagnosed(const diagnostic& event) override;
    void acted(const activity_event& event) override;

    void simulation_ended() override {
        finish();
        to_.simulation_ended();
    }

    /// Hands on all that is still held.
    void finish();

private:
    enum class kind : std::uint8_t {
        execution,
        stall,
        slots,
        forgotten,
        counters,
        diagnostic,
        activity,
        state,
    };
    /// What changed in the registers since the cycle before, and an execution with its values: both have
    /// numbers in value_pool.
    struct held_execution {
        execution_event event;
        std::uint32_t values = 0; ///< of result, then of cells, of each lane; as far as there are any
    };
    struct changed_value {
        std::uint8_t lreg = 0, lane = 0;
        std::uint32_t bits = 0;
    };
    struct held_state {
        lane_mask flags = 0, use_flags = 0;
        std::uint32_t first = 0, count = 0; ///< of the changed values
    };
    struct held_activity {
        activity_event event;
        std::uint32_t text = 0, length = 0; ///< of its text among all texts
    };
    struct place {
        std::uint32_t offset = 0; ///< cycles behind the bucket's first
        kind what{};
        std::uint32_t index = 0; ///< among those of its kind
    };
    /// The events of some cycles. Memory stays with it.
    struct bucket {
        std::vector<place> places, sorted;
        std::vector<std::uint32_t> begins; ///< while they are sorted
        std::vector<held_execution> executions;
        std::vector<std::uint32_t> values;
        std::vector<stall_event> stalls;
        std::vector<slots_event> slots;
        std::vector<forgotten_event> forgotten;
        std::vector<counters_event> counters;
        std::vector<diagnostic> diagnostics;
        std::vector<held_activity> activities;
        std::vector<char> texts;
        std::vector<held_state> states;
        std::vector<changed_value> changes;

        void clear();
        void sort(std::size_t cycles_of_bucket);
    };
    struct state_before_window {
        std::optional<cycles> at;
        std::optional<slots_event> slots;
        std::array<std::optional<counters_event>, 3> counters;
    };

    /// Whether anything of an event in these cycles would be shown.
    bool wants(cycles begin, cycles end) const { return window_.first <= end && begin <= window_.last; }
    template <class Event>
    void hold(cycles at, kind what, std::vector<Event> bucket::*place_of, Event event);
    bucket& bucket_of(cycles at);
    void release_before(cycles end);
    void release_first();
    void hand_on(const bucket& from, const place& which);
    void hand_on_execution(const bucket& from, const held_execution& which);
    void begin_window();

    pipeline_observer& to_;
    cycles horizon_;
    std::int64_t length_; ///< of a bucket, in cycles
    cycles latest_{};     ///< of all events
    cycles first_{};      ///< of the first bucket; everything before it has been handed on
    std::deque<std::unique_ptr<bucket>> buckets_;
    std::vector<std::unique_ptr<bucket>> spare_;
    std::vector<unsigned> value_lanes_;
    cycle_window window_;
    state_before_window before_;
    bool in_window_ = false;
    bool is_behind_window_ = false;             ///< its last cycles show what the first state behind it says
    isa::vector_state newest_, released_state_; ///< as held and as handed on; of the lanes with values
    lanes result_{}, cells_{};                  ///< of the execution that is handed on; other lanes stay 0
};

} // namespace sfpu::probe
