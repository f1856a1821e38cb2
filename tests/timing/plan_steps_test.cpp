// What is planned for words: who executes in which cycle, and whose result goes to its register directly.
// Rules T2 to T5, T8 and T16. Issued one a cycle, word n of a push into an idle unit is in cycle n.
#include "planner_rig.h"

#include <gtest/gtest.h>

namespace sfpu::timing {
namespace {

using namespace words;
using lines = std::vector<std::string>;
using kind = plan_note::kind;

TEST(plan_steps, results_that_nobody_else_waits_for_go_directly_to_their_registers) {
    planner_rig rig;
    rig.push({abs(1, 2), mad(0, 0, 0, 3), load(4), nop, shift(0, 6), store(2)});
    EXPECT_EQ(rig.steps,
              (lines{"0: word 0 on simple, direct", "1: word 1 on mad, direct", "2: word 2 on load, direct",
                     "4: word 4 on round, direct", "5: word 5 on store, direct"}));
    EXPECT_EQ(rig.planner.now(), cycles{6});
    EXPECT_EQ(rig.notes_of(kind::no_operation).size(), 1u);
    EXPECT_EQ(rig.counts.words, 6u);
    EXPECT_EQ(rig.counts.issued[4], 2u); // SFPLOAD, SFPNOP
}

TEST(rule_t3, a_mad_result_that_is_read_a_cycle_later_is_written_afterwards) {
    planner_rig rig(wormhole());
    rig.push({mad(0, 0, 0, 3), abs(3, 1), nop});
    EXPECT_EQ(rig.steps, (lines{"0: word 0 on mad", "1: word 1 on simple, direct", "1: commit mad"}));
}

TEST(rule_t16, blackhole_holds_the_reader_so_that_the_result_can_be_written_at_once) {
    planner_rig rig;
    rig.push({mad(0, 0, 0, 3), abs(3, 1), nop});
    EXPECT_EQ(rig.steps, (lines{"0: word 0 on mad, direct", "2: word 1 on simple, direct"}));
    const auto stalls = rig.notes_of(kind::stall);
    ASSERT_EQ(stalls.size(), 1u);
    EXPECT_EQ(stalls[0].at, 1);
    EXPECT_EQ(stalls[0].word, 1);
    EXPECT_EQ(stalls[0].what.cause, hold_cause::mad_dependence);
    EXPECT_EQ(rig.counts.held[static_cast<unsigned>(hold_cause::mad_dependence)], 1u);
    EXPECT_EQ(rig.issued_at, (std::vector<std::int64_t>{0, 2, 3}));
}

TEST(rule_t2a, two_results_for_one_register_in_one_cycle_meet_in_write_back) {
    planner_rig rig;
    rig.push({mad(0, 0, 0, 3), abs(0, 3), nop}); // SFPABS does not read L3
    EXPECT_EQ(rig.steps, (lines{"0: word 0 on mad", "1: word 1 on simple", "1: commit mad simple"}));
}

TEST(rule_t2a, a_result_that_is_under_way_when_a_plan_begins_is_met_too) {
    planner_rig rig;
    rig.push({mad(0, 0, 0, 3)});
    EXPECT_EQ(rig.steps, (lines{"0: word 0 on mad"}));
    rig.push({abs(0, 3)});
    rig.push({abs(0, 3)});
    EXPECT_EQ(rig.steps, (lines{"0: word 0 on mad", "1: word 1 on simple", "1: commit mad simple",
                                "2: word 2 on simple, direct"}));
}

TEST(rule_t2a, a_result_under_way_is_not_disturbed_by_registers_that_it_does_not_write) {
    planner_rig rig;
    rig.push({mad(0, 0, 0, 3)});
    rig.push({abs(0, 4)});
    EXPECT_EQ(rig.steps, (lines{"0: word 0 on mad", "1: word 1 on simple, direct", "1: commit mad"}));
}

TEST(rule_t2a, with_long_latencies_older_results_of_any_age_are_met) {
    parameters config = wormhole();
    config.latency_mad = 6;
    planner_rig rig(config);
    rig.push({mad(0, 0, 0, 3), nop, nop, nop, nop, abs(0, 3), nop}); // both at the end of cycle 5
    EXPECT_EQ(rig.steps, (lines{"0: word 0 on mad", "5: word 5 on simple", "5: commit mad simple"}));
    planner_rig other(config);
    other.push({mad(0, 0, 0, 3), nop, nop, abs(0, 3), nop, nop, nop}); // the older one arrives later and wins
    EXPECT_EQ(other.steps,
              (lines{"0: word 0 on mad", "3: word 3 on simple", "3: commit simple", "5: commit mad"}));
    planner_rig reader(config);
    reader.push({mad(0, 0, 0, 3), nop, nop, nop, nop, abs(3, 1), nop});
    EXPECT_EQ(reader.steps, (lines{"0: word 0 on mad", "5: word 5 on simple, direct", "5: commit mad"}));
    planner_rig late(config);
    late.push({mad(0, 0, 0, 3), nop, nop, nop, nop, nop, abs(3, 1)});
    EXPECT_EQ(late.steps, (lines{"0: word 0 on mad, direct", "6: word 6 on simple, direct"}));
}

TEST(rule_t2a, results_for_one_register_that_are_due_in_their_order_go_directly_one_after_the_other) {
    planner_rig rig(wormhole());
    rig.push({mad(0, 0, 0, 3), mad(0, 0, 0, 3), mad(0, 0, 0, 3), nop});
    EXPECT_EQ(rig.steps,
              (lines{"0: word 0 on mad, direct", "1: word 1 on mad, direct", "2: word 2 on mad, direct"}));
    planner_rig reader(wormhole()); // L3 of the first, visible in cycle 2 only
    reader.push({mad(0, 0, 0, 3), mad(0, 0, 0, 3), abs(3, 1), nop});
    EXPECT_EQ(reader.steps, (lines{"0: word 0 on mad, direct", "1: word 1 on mad",
                                   "2: word 2 on simple, direct", "2: commit mad"}));
}

TEST(rule_t2a, a_result_behind_one_that_has_to_wait_waits_too) {
    parameters config = wormhole();
    config.latency_mad = 6;
    planner_rig rig(config); // SFPABS sees the old L3
    rig.push({mad(0, 0, 0, 3), abs(3, 1), mad(0, 0, 0, 3), nop, nop, nop, nop, nop});
    EXPECT_EQ(rig.steps, (lines{"0: word 0 on mad", "1: word 1 on simple, direct", "2: word 2 on mad",
                                "5: commit mad", "7: commit mad"}));
}

TEST(rule_t2a, a_result_under_way_is_written_early_if_its_register_is_written_again_and_not_read) {
    planner_rig rig(wormhole());
    rig.push({mad(0, 0, 0, 3)});
    rig.push({mad(0, 0, 0, 3), nop});
    EXPECT_EQ(rig.steps, (lines{"0: word 0 on mad", "1: commit mad", "1: word 1 on mad, direct"}));
    planner_rig reader(wormhole());
    reader.push({mad(0, 0, 0, 3)});
    reader.push({mad(3, 0, 0, 3), nop}); // sees the old L3
    EXPECT_EQ(reader.steps,
              (lines{"0: word 0 on mad", "1: word 1 on mad", "1: commit mad", "2: commit mad"}));
    parameters config = wormhole();
    config.latency_mad = 4;
    planner_rig several(config); // due at the end of cycles 3 and 4
    several.push({mad(0, 0, 0, 3), mad(0, 0, 0, 3)});
    several.push({mad(0, 0, 0, 3), nop, nop, nop, nop});
    EXPECT_EQ(several.steps, (lines{"0: word 0 on mad", "1: word 1 on mad", "3: commit mad", "4: commit mad",
                                    "2: word 2 on mad, direct"}));
    planner_rig between(config);
    between.push({mad(0, 0, 0, 3), mad(0, 0, 0, 3)});
    between.push({mad(0, 0, 0, 3), nop, abs(3, 1), nop, nop}); // cycle 4 sees the first, not the second
    EXPECT_EQ(between.steps,
              (lines{"0: word 0 on mad", "1: word 1 on mad", "3: commit mad", "2: word 2 on mad",
                     "4: word 4 on simple, direct", "4: commit mad", "5: commit mad"}));
    planner_rig simple(config); // the older result is due later and wins
    simple.push({mad(0, 0, 0, 3)});
    simple.push({abs(0, 3), nop, nop, nop});
    EXPECT_EQ(simple.steps, (lines{"0: word 0 on mad", "1: word 1 on simple, direct", "3: commit mad"}));
}

TEST(rule_t8, sfpswap_reads_again_at_the_start_of_its_second_cycle_and_writes_at_its_end) {
    planner_rig rig;
    rig.push({swap(1, 2), nop, abs(1, 3)});
    EXPECT_EQ(rig.steps, (lines{"0: word 0 on simple", "1: swap reads again", "1: commit swap",
                                "2: word 2 on simple, direct"}));
}

TEST(rule_t8, sfpswap_holds_what_follows_and_an_sfpnop_fills_the_gap) {
    planner_rig rig;
    rig.push({swap(1, 2), abs(5, 6), swap(1, 2), nop, abs(5, 6), swap(1, 2), incrwc(1), abs(5, 6)});
    EXPECT_EQ(rig.issued_at, (std::vector<std::int64_t>{0, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(rig.counts.held[static_cast<unsigned>(hold_cause::swap)], 1u);
    EXPECT_EQ(rig.reports(), 0u);
}

TEST(rule_t8, a_swap_that_ends_a_plan_is_finished_by_the_next_one) {
    for (const bool in_pieces : {false, true}) {
        planner_rig rig;
        if (in_pieces) {
            rig.push({swap(1, 2)});
            rig.push({abs(1, 3)});
        } else {
            rig.push({swap(1, 2), abs(1, 3)});
        }
        EXPECT_EQ(rig.steps, (lines{"0: word 0 on simple", "1: swap reads again", "1: commit swap",
                                    "2: word 1 on simple, direct"}));
    }
}

TEST(rule_t8, an_exchange_under_way_reads_again_although_its_register_is_written_anew) {
    planner_rig rig;
    rig.set_templates({swap(0, 2), 0, 0, 0});
    rig.set_macro(0, sequence_of(4, 0) << on_simple);
    rig.push({loadmacro(0, 3), nop}); // nothing waits for the exchange that is scheduled for cycle 1
    rig.push({mad(0, 0, 0, 3), nop});
    EXPECT_EQ(rig.steps,
              (lines{"0: word 0 on load, direct", "1: macro of word 0 on simple", "2: swap reads again",
                     "2: word 2 on mad", "2: commit swap", "3: commit mad"}));
}

TEST(rule_t8, a_two_cycle_sfpshft2_writes_at_the_end_of_its_second_cycle) {
    planner_rig rig;
    rig.push({shuffle(1, 2), nop, abs(2, 3)});
    EXPECT_EQ(rig.steps, (lines{"0: word 0 on round, direct", "2: word 2 on simple, direct"}));
    planner_rig read(wormhole());
    read.push({shuffle(1, 2), store(2), nop});
    EXPECT_EQ(read.steps, (lines{"0: word 0 on round", "1: word 1 on store, direct", "1: commit shuffle"}));
    EXPECT_EQ(read.reports(report_id::hazard_unprotected_read).size(), 1u);
}

TEST(rule_t2, in_one_cycle_a_load_reads_dst_before_a_store_writes_it) {
    for (const unsigned visible : {1u, 0u}) {
        parameters config;
        config.dst_store_load_visible = visible;
        planner_rig rig(config);
        rig.set_macro(0, sequence_of(3, 0) << on_store);
        rig.push({loadmacro(0, 3), load(4), nop});
        // With a distance of 0 the load sees the store of its own cycle.
        const lines first{"1: word 1 on load, direct", "1: macro of word 0 on store, direct"};
        const lines second{first[1], first[0]};
        const lines& order = visible == 0 ? second : first;
        EXPECT_EQ(rig.steps, (lines{"0: word 0 on load, direct", order[0], order[1]}));
    }
}

TEST(rule_t5, a_flag_writer_takes_effect_behind_everything_else_in_its_cycle) {
    planner_rig rig;
    rig.set_templates(usual_templates);
    // SFPSETCC on Simple, MAD, Round and Store in cycle 1, beside an SFPLOAD.
    rig.set_macro(0, sequence_of(7, 0) << on_simple | sequence_of(5, 0, true, true) << on_mad |
                         sequence_of(6, 0) << on_round | sequence_of(3, 0) << on_store);
    rig.push({loadmacro(0, 3), load(5), nop, nop});
    EXPECT_EQ(rig.steps, (lines{"0: word 0 on load, direct", "1: word 1 on load, direct",
                                "1: macro of word 0 on store, direct", "1: macro of word 0 on mad, direct",
                                "1: macro of word 0 on round", "1: macro of word 0 on simple, direct",
                                "1: commit round"})); // SFPSETCC reads the old L3
}

TEST(rule_t2, a_load_and_a_scheduled_reader_of_the_old_value_share_a_cycle) {
    planner_rig rig;
    rig.set_templates(usual_templates);
    rig.set_macro(0, sequence_of(4, 0, false, true) << on_simple); // L16 = abs(loaded)
    rig.push({loadmacro(0, 3), load(3), nop});
    // The load goes first in the list, so its value must wait until SFPABS has read the old one.
    EXPECT_EQ(rig.steps, (lines{"0: word 0 on load, direct", "1: word 1 on load",
                                "1: macro of word 0 on simple, direct", "1: commit load"}));
}

TEST(rule_t4, l16_is_written_late_if_a_store_still_reads_the_old_value) {
    planner_rig rig;
    rig.set_templates(usual_templates);
    // MAD to L16 in cycle 1, visible in cycle 3; a store of L16 in cycle 1 + delay.
    const auto steps_with = [&](unsigned delay) {
        planner_rig unit;
        unit.set_templates(usual_templates);
        unit.set_macro(0, sequence_of(5, 0, false, true) << on_mad | sequence_of(3, delay, false, true)
                                                                         << on_store);
        unit.push({loadmacro(0, 3), nop, nop, nop, nop});
        return unit.steps;
    };
    const std::string load = "0: word 0 on load, direct";
    EXPECT_EQ(steps_with(0),
              (lines{load, "1: macro of word 0 on store, direct", "1: macro of word 0 on mad, direct"}));
    EXPECT_EQ(steps_with(1), (lines{load, "1: macro of word 0 on mad", "2: macro of word 0 on store, direct",
                                    "2: commit mad"}));
    EXPECT_EQ(steps_with(2),
              (lines{load, "1: macro of word 0 on mad, direct", "3: macro of word 0 on store, direct"}));
}

TEST(plan_steps, lanes_with_a_special_configuration_never_take_the_direct_way) {
    planner_rig rig;
    rig.set_lane_config(1u << isa::lane_configuration::enable_dest_index);
    rig.push({abs(1, 2), nop});
    EXPECT_EQ(rig.steps, (lines{"0: word 0 on simple", "0: commit simple"}));
    rig.set_lane_config(1u << isa::lane_configuration::disable_backdoor_load);
    rig.push({abs(1, 2), nop});
    EXPECT_EQ(rig.steps.back(), "2: word 2 on simple, direct");
}

TEST(plan_steps, what_lanes_with_indices_have_under_way_may_touch_any_general_register) {
    parameters config;
    config.latency_swap = 4;
    planner_rig rig(config);
    rig.set_lane_config(1u << isa::lane_configuration::enable_dest_index);
    rig.push({swap(0, 1)}); // argmin and argmax take L4 and L5 along
    rig.set_lane_config(0);
    rig.push({nop, nop, nop, nop});
    planner_rig other(config);
    other.set_lane_config(1u << isa::lane_configuration::enable_dest_index);
    other.push({swap(0, 1)});
    other.set_lane_config(0);
    other.set_templates(usual_templates);
    other.push({nop, nop, nop, load(4), nop}); // the load is issued in cycle 4, behind the swap
    EXPECT_EQ(other.steps.back(), "4: word 4 on load, direct");
    planner_rig third(config);
    third.set_templates(usual_templates);
    third.set_lane_config(1u << isa::lane_configuration::enable_dest_index);
    third.set_macro(0, sequence_of(4, 0) << on_simple);
    third.set_templates({swap(0, 1), 0, 0, 0});
    third.push({loadmacro(0, 1), nop}); // the swap is in cycles 1 to 4
    third.set_lane_config(0);
    third.push({nop, nop, load(5), nop}); // cycle 4: L5 is under way
    EXPECT_EQ(third.steps, (lines{"0: word 0 on load", "0: commit load", "1: macro of word 0 on simple",
                                  "4: swap reads again", "4: word 4 on load", "4: commit swap load"}));
}

// --- what is counted ---

using by_unit = std::array<std::uint32_t, 5>; // simple, mad, round, store, load

TEST(plan_counts, a_unit_is_busy_when_an_instruction_starts_and_as_long_as_it_keeps_others_out) {
    planner_rig rig;
    rig.push({mad(0, 0, 0, 3), mad(0, 0, 0, 4), swap(1, 2), nop, shuffle(1, 2), nop, nop});
    EXPECT_EQ(rig.counts.busy, (by_unit{2, 2, 2, 0, 0}));
    rig.push({nop, front_end_nop});
    EXPECT_EQ(rig.counts.busy, by_unit{});

    parameters slow;
    slow.latency_swap = 4;
    slow.latency_shuffle = 3;
    planner_rig slower(slow);
    slower.push({swap(1, 2), nop, nop, nop, shuffle(1, 2), nop, nop, nop});
    EXPECT_EQ(slower.counts.busy, (by_unit{4, 0, 3, 0, 0}));
}

TEST(plan_counts, a_second_cycle_may_be_in_the_next_plan) {
    planner_rig rig;
    rig.push({swap(1, 2)});
    EXPECT_EQ(rig.counts.busy, (by_unit{1, 0, 0, 0, 0}));
    rig.push({nop, shuffle(1, 2)});
    EXPECT_EQ(rig.counts.busy, (by_unit{1, 0, 1, 0, 0}));
    rig.push({nop, nop});
    EXPECT_EQ(rig.counts.busy, (by_unit{0, 0, 1, 0, 0}));
}

TEST(plan_counts, no_cycle_counts_twice_and_what_is_discarded_keeps_nothing_busy) {
    planner_rig rig;
    rig.set_templates(usual_templates);
    rig.set_macro(0, sequence_of(4, 1) << on_simple); // SFPABS in cycle 2, the second one of the swap
    rig.push({loadmacro(0, 3), swap(1, 2), nop, nop});
    EXPECT_EQ(rig.counts.busy, (by_unit{2, 0, 0, 0, 1}));
    rig.push({loadmacro(0, 3), nop, abs(1, 2), nop}); // discarded
    EXPECT_EQ(rig.counts.busy, (by_unit{1, 0, 0, 0, 1}));
    EXPECT_EQ(rig.counts.discarded, (by_unit{1, 0, 0, 0, 0}));
}

} // namespace
} // namespace sfpu::timing
