// Events of units that run ahead of each other, put in order.
#include <sfpu/probe/time_order.h>

#include "probe_events.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace sfpu;
using namespace sfpu::test;
using probe::activity_event;
using probe::tile_unit;

activity_event activity(std::int64_t begin, std::int64_t end, tile_unit unit, const char* lane,
                        const char* kind, std::string_view text = {}) {
    return {cycles{begin}, cycles{end}, unit, 0, lane, kind, text, 0};
}

/// Notes the begin cycle and the kind of everything that it hears of.
struct order_recorder : probe::pipeline_observer {
    void executed(const probe::execution_event& e) override {
        heard.emplace_back(e.begin.count(), "executed");
    }
    void stalled(const probe::stall_event& e) override { heard.emplace_back(e.at.count(), "stalled"); }
    void acted(const activity_event& e) override { heard.emplace_back(e.begin.count(), std::string(e.text)); }
    std::vector<std::pair<std::int64_t, std::string>> heard;
};

TEST(time_order, hands_events_of_different_units_on_in_the_order_of_their_cycles) {
    order_recorder heard;
    probe::time_order order(heard, cycles{100});
    {
        const std::string text = "addi"; // gone before the event is handed on
        order.acted(activity(7, 7, tile_unit::hart, "retire", "busy", text));
    }
    order.executed(issued(3, 0, nop));
    order.executed(issued(7, 1, nop));
    stall(order, 5, 1);
    EXPECT_TRUE(heard.heard.empty()) << "something earlier may still come";
    order.finish();
    const std::vector<std::pair<std::int64_t, std::string>> expected{
        {3, "executed"}, {5, "stalled"}, {7, "addi"}, {7, "executed"}};
    EXPECT_EQ(heard.heard, expected);
}

TEST(time_order, never_goes_back_while_no_unit_runs_ahead_by_more_than_the_horizon) {
    order_recorder heard;
    probe::time_order order(heard, cycles{64});
    std::mt19937 random(1);
    for (std::int64_t at = 0; at < 10'000; ++at) {
        const std::int64_t begin = at + static_cast<std::int64_t>(random() % 64);
        order.acted(activity(begin, begin, tile_unit::memory, "l1", "busy"));
    }
    EXPECT_GT(heard.heard.size(), 9'000u) << "events are not all kept to the end";
    order.finish();
    ASSERT_EQ(heard.heard.size(), 10'000u);
    for (std::size_t i = 1; i < heard.heard.size(); ++i)
        ASSERT_GE(heard.heard[i].first, heard.heard[i - 1].first);
}

TEST(time_order, hands_on_events_of_one_cycle_as_they_came_and_late_ones_before_all_others) {
    order_recorder heard;
    probe::time_order order(heard, cycles{10});
    order.acted(activity(3, 3, tile_unit::hart, "retire", "busy", "b"));
    order.acted(activity(3, 3, tile_unit::memory, "l1", "busy", "a"));
    order.acted(activity(100, 100, tile_unit::hart, "retire", "busy", "c")); // far beyond the horizon
    ASSERT_EQ(heard.heard.size(), 2u);
    order.acted(activity(5, 5, tile_unit::hart, "retire", "busy", "late"));
    order.finish();
    const std::vector<std::pair<std::int64_t, std::string>> expected{
        {3, "b"}, {3, "a"}, {5, "late"}, {100, "c"}};
    EXPECT_EQ(heard.heard, expected);
}

/// The same with what state it is told of.
struct state_recorder : order_recorder {
    void slots_changed(const probe::slots_event& e) override { heard.emplace_back(e.at.count(), "slots"); }
    void counters_changed(const probe::counters_event& e) override {
        heard.emplace_back(e.at.count(), "counters " + std::to_string(e.dst));
    }
    void cycle_begins(const probe::cycle_event& e) override {
        heard.emplace_back(e.at.count(), "L0 " + std::to_string(e.state->lreg[0].v[5]));
    }
};

TEST(time_order, keeps_of_what_is_outside_the_window_the_state_before_it_and_the_first_behind_it) {
    state_recorder heard;
    probe::trace_options shown;
    shown.from = cycles{50};
    shown.to = cycles{60};
    probe::time_order order(heard, cycles{10}, {5}, probe::cycle_window(shown));
    isa::vector_state state;
    const auto all_in = [&](std::int64_t at) {
        state.lreg[0].v[5] = static_cast<std::uint32_t>(at);
        order.cycle_begins({cycles{at}, &state});
        order.counters_changed({cycles{at}, static_cast<std::uint32_t>(at), 0, 0, 0});
        order.slots_changed({cycles{at}, {}});
        order.acted(activity(at, at, tile_unit::hart, "retire", "busy", "one"));
    };
    all_in(20);
    all_in(40);
    order.acted(activity(45, 50, tile_unit::hart, "stall", "busy", "reaches in"));
    all_in(55);
    all_in(61);
    order.finish();
    const std::vector<std::pair<std::int64_t, std::string>> expected{
        {40, "L0 40"},       {40, "slots"}, {40, "counters 40"}, {45, "reaches in"}, {55, "L0 55"},
        {55, "counters 55"}, {55, "slots"}, {55, "one"},         {61, "L0 61"}};
    EXPECT_EQ(heard.heard, expected);
}

} // namespace
