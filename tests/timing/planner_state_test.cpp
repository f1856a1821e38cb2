// Every field of the planner's state decides what a plan is: two states that differ in one field are
// different keys.
#include <sfpu/isa/table.h>
#include <sfpu/timing/planner_state.h>

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace sfpu::timing {
namespace {

const isa::instruction first = isa::decode(0x7d000310, architecture::blackhole);
const isa::instruction second = isa::decode(0x7d000320, architecture::blackhole);

/// A state in which every field has a value of its own.
planner_state full_state() {
    planner_state state;
    state.issue.busy.enter(0x0f, 3);
    state.issue.believed_busy.enter(0x03, 2);
    state.issue.producers.push_back({&first, -3, 2, 0x08});
    state.issue.exclusive_for = 1;
    state.issue.exclusive_cause = hold_cause::swap;
    state.issue.shuffle_second_cycle = 1;
    state.issue.shuffle_writes = 0x04;
    state.slots.entries().push_back({&first, isa::sub_unit::mad, 0, 3, true, 2});
    state.neighbours = {&first, &second};
    state.results.in[1] = {only(result_port::mad), 0x08};
    state.rules.configuration = 5;
    state.rules.backdoor_closed = 0xff;
    state.rules.still_modifiers = 3;
    state.source = {1, 1};
    state.configured_words_ago = 2;
    state.simple_held_for = 3;
    state.round_held_for = 4;
    state.writers.write(1, 0);
    state.writers.write(1, 2);
    state.on_chip.results.push_back({3, 2, true, 0x08});
    state.on_chip.stalls.believed_busy.enter(0x04, 2);
    state.on_chip.stalls.exclusive_for = 1;
    state.on_chip.stalls.busy_before = 2;
    state.on_chip.stalls.exclusive_before = true;
    state.on_chip.stalls_on_chip.exclusive_for = 3;
    state.on_chip.said = 2;
    return state;
}

struct change {
    const char* field;
    std::function<void(planner_state&)> make;
};

const change changes[] = {
    {"issue.busy", [](planner_state& s) { s.issue.busy.enter(0x10, 3); }},
    {"issue.believed_busy", [](planner_state& s) { s.issue.believed_busy.enter(0x10, 3); }},
    {"issue.producers",
     [](planner_state& s) {
         s.issue.producers.push_back({&first, -1, 1, 0x10});
     }},
    {"producer.insn", [](planner_state& s) { s.issue.producers[0].insn = &second; }},
    {"producer.word", [](planner_state& s) { s.issue.producers[0].word = -4; }},
    {"producer.visible_in", [](planner_state& s) { s.issue.producers[0].visible_in = 1; }},
    {"producer.writes", [](planner_state& s) { s.issue.producers[0].writes = 0x10; }},
    {"issue.exclusive_for", [](planner_state& s) { s.issue.exclusive_for = 2; }},
    {"issue.exclusive_cause", [](planner_state& s) { s.issue.exclusive_cause = hold_cause::shuffle; }},
    {"issue.shuffle_second_cycle", [](planner_state& s) { s.issue.shuffle_second_cycle = 2; }},
    {"issue.shuffle_writes", [](planner_state& s) { s.issue.shuffle_writes = 0x0f; }},
    {"slots", [](planner_state& s) { s.slots.clear(); }},
    {"entry.insn", [](planner_state& s) { s.slots.entries()[0].insn = &second; }},
    {"entry.unit", [](planner_state& s) { s.slots.entries()[0].unit = isa::sub_unit::simple; }},
    {"entry.instance", [](planner_state& s) { s.slots.entries()[0].instance = 1; }},
    {"entry.remaining", [](planner_state& s) { s.slots.entries()[0].remaining = 4; }},
    {"entry.counts_instructions", [](planner_state& s) { s.slots.entries()[0].counts_instructions = false; }},
    {"entry.origin", [](planner_state& s) { s.slots.entries()[0].origin = 3; }},
    {"neighbours.swap", [](planner_state& s) { s.neighbours.swap = nullptr; }},
    {"neighbours.shuffle", [](planner_state& s) { s.neighbours.shuffle = nullptr; }},
    {"results",
     [](planner_state& s) {
         s.results.in[3] = {only(result_port::load), 0x01};
     }},
    {"due_results.ports", [](planner_state& s) { s.results.in[1].ports = only(result_port::simple); }},
    {"due_results.lregs", [](planner_state& s) { s.results.in[1].lregs = 0x10; }},
    {"rules.configuration", [](planner_state& s) { s.rules.configuration = 6; }},
    {"rules.backdoor_closed", [](planner_state& s) { s.rules.backdoor_closed = 0; }},
    {"rules.lanes_ordinary", [](planner_state& s) { s.rules.lanes_ordinary = false; }},
    {"rules.backdoor_changed", [](planner_state& s) { s.rules.backdoor_changed = true; }},
    {"rules.still_modifiers", [](planner_state& s) { s.rules.still_modifiers = 7; }},
    {"source.thread", [](planner_state& s) { s.source.thread = 2; }},
    {"source.word_step", [](planner_state& s) { s.source.word_step = 0; }},
    {"simple_held_for", [](planner_state& s) { s.simple_held_for = 2; }},
    {"round_held_for", [](planner_state& s) { s.round_held_for = 2; }},
    {"writers.own", [](planner_state& s) { s.writers.own[1] = 1; }},
    {"writers.overwritten", [](planner_state& s) { s.writers.overwritten[0] = 0; }},
    {"writers.latest", [](planner_state& s) { s.writers.latest = 0; }},
    {"on_chip.results", [](planner_state& s) { s.on_chip.results.clear(); }},
    {"watched_result.visible_in", [](planner_state& s) { s.on_chip.results[0].visible_in = 4; }},
    {"watched_result.on_chip", [](planner_state& s) { s.on_chip.results[0].on_chip = 1; }},
    {"watched_result.scheduled", [](planner_state& s) { s.on_chip.results[0].scheduled = false; }},
    {"watched_result.writes", [](planner_state& s) { s.on_chip.results[0].writes = 4; }},
    {"on_chip.stalls_on_chip", [](planner_state& s) { s.on_chip.stalls_on_chip = {}; }},
    {"stall_shadow.believed_busy", [](planner_state& s) { s.on_chip.stalls.believed_busy.enter(0x10, 3); }},
    {"stall_shadow.exclusive_for", [](planner_state& s) { s.on_chip.stalls.exclusive_for = 2; }},
    {"stall_shadow.busy_before", [](planner_state& s) { s.on_chip.stalls.busy_before = 6; }},
    {"stall_shadow.exclusive_before", [](planner_state& s) { s.on_chip.stalls.exclusive_before = false; }},
    {"on_chip.issued_now", [](planner_state& s) { s.on_chip.issued_now = true; }},
    {"on_chip.issued_before", [](planner_state& s) { s.on_chip.issued_before = true; }},
    {"on_chip.launched", [](planner_state& s) { s.on_chip.launched = true; }},
    {"on_chip.said", [](planner_state& s) { s.on_chip.said = 3; }},
    {"configured_words_ago", [](planner_state& s) { s.configured_words_ago = 1; }},
    {"new_templates", [](planner_state& s) { s.new_templates = 4; }},
};

std::uint64_t hash_of(const planner_state& state) {
    std::uint64_t result = 0;
    hash_into(result, state);
    return result;
}

TEST(planner_state, equal_states_are_one_key) {
    EXPECT_TRUE(full_state() == full_state());
    EXPECT_EQ(hash_of(full_state()), hash_of(full_state()));
    EXPECT_TRUE(planner_state{} == planner_state{});
    EXPECT_FALSE(planner_state{} == full_state());
}

TEST(planner_state, every_field_makes_another_key) {
    for (const change& each : changes) {
        planner_state changed = full_state();
        each.make(changed);
        EXPECT_FALSE(changed == full_state()) << each.field;
        EXPECT_NE(hash_of(changed), hash_of(full_state())) << each.field;
    }
}

TEST(planner_state, results_under_way_move_towards_the_present) {
    result_calendar results;
    EXPECT_TRUE(results.empty());
    results.in[0] = {1, 1};
    results.in[3] = {2, 2};
    EXPECT_EQ(results.length(), 4u);
    results.advance(1);
    EXPECT_EQ(results.length(), 3u);
    EXPECT_EQ(results.in[0].ports, 0);
    EXPECT_EQ(results.in[2].ports, 2);
    results.advance(100);
    EXPECT_TRUE(results.empty());
}

TEST(planner_state, idle_cycles_end_everything_that_is_counted_in_cycles_and_nothing_else) {
    planner_state state = full_state();
    state.rules.backdoor_changed = true;
    planner_state later = state;
    later.advance_idle(0);
    EXPECT_TRUE(later == state);
    later.advance_idle(1);
    EXPECT_EQ(later.issue.exclusive_for, 0);
    EXPECT_EQ(later.issue.exclusive_cause, hold_cause::none);
    EXPECT_EQ(later.issue.shuffle_second_cycle, 0);
    EXPECT_EQ(later.issue.shuffle_writes, 0);
    ASSERT_EQ(later.issue.producers.size(), 1u);
    EXPECT_EQ(later.issue.producers[0].visible_in, 1);
    EXPECT_EQ(later.issue.busy.in(1), 0x0fu);
    EXPECT_EQ(later.issue.busy.in(2), 0u);
    EXPECT_EQ(later.neighbours.swap, nullptr);
    EXPECT_EQ(later.neighbours.shuffle, nullptr);
    EXPECT_EQ(later.results.in[0].ports, only(result_port::mad));
    EXPECT_FALSE(later.rules.backdoor_changed);
    EXPECT_EQ(later.simple_held_for, 2);
    EXPECT_EQ(later.round_held_for, 3);
    later.advance_idle(10);
    EXPECT_TRUE(later.issue.producers.empty());
    EXPECT_EQ(later.issue.busy.bytes(), 0u);
    EXPECT_TRUE(later.results.empty());
    EXPECT_EQ(later.configured_words_ago, 2); // words, not cycles
    EXPECT_EQ(later.slots.outstanding(), 1u);
    EXPECT_EQ(later.rules.configuration, 5u);
}

} // namespace
} // namespace sfpu::timing
