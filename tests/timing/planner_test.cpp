// The planner: which steps it plans for which words, and that what it remembers changes nothing. Expected cycles follow
// from rules T1 to T21 of the timing contract. Issued one a cycle, word n of a push into an idle unit is in cycle n.
#include "planner_rig.h"

#include <gtest/gtest.h>

namespace sfpu::timing {
namespace {

using namespace words;
using lines = std::vector<std::string>;
using kind = plan_note::kind;

parameters wormhole() {
    parameters result;
    result.arch = architecture::wormhole;
    return result;
}

/// Templates for Simple (SFPABS), MAD and Round (SFPSHFT2 mode 5, one cycle), and SFPSETCC.
constexpr std::array<std::uint32_t, 4> usual_templates{abs(0, 0), mad(1, 1, 1, 1), shift(0, 0), setcc(0)};

// --- steps -----------------------------------------------------------------------------------------------------------

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

// --- where plans end -------------------------------------------------------------------------------------------------

TEST(plan_ends, behind_sfpconfig_of_anything_but_constants) {
    for (std::uint32_t destination = 0; destination < 16; ++destination) {
        planner_rig rig;
        rig.push({abs(1, 2), config(destination, 0), abs(1, 2), abs(1, 2)});
        const bool is_constant = destination >= l11 && destination <= l14;
        EXPECT_EQ(rig.lengths, is_constant ? (std::vector<unsigned>{4}) : (std::vector<unsigned>{2, 2}))
            << destination;
        EXPECT_EQ(rig.issued_at, (std::vector<std::int64_t>{0, 1, 2, 3}));
    }
}

TEST(plan_ends, behind_a_template_write_and_says_that_the_rules_have_changed) {
    planner_rig rig;
    const std::vector<std::uint32_t> words{abs(1, 2), abs(1, 12), abs(1, 2)};
    rig.push(words);
    EXPECT_EQ(rig.lengths, (std::vector<unsigned>{2, 1}));
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(words.data());
    planner_rig open, closed;
    EXPECT_TRUE(open.planner.plan_words({bytes, 3}, 100, {}, 0).changes_rules);
    closed.set_lane_config(1u << isa::lane_configuration::disable_backdoor_load);
    EXPECT_FALSE(closed.planner.plan_words({bytes, 3}, 100, {}, 0).changes_rules);
}

TEST(plan_ends, in_the_cycle_of_a_scheduled_sfpconfig_even_while_a_word_is_held) {
    planner_rig rig;
    rig.set_templates({config(lane_config, 0), 0, 0, 0});
    rig.set_macro(0, sequence_of(4, 1) << on_simple); // executes in cycle 2
    rig.push({loadmacro(0, 0), mad(1, 1, 1, 3), abs(3, 4), nop});
    EXPECT_EQ(rig.issued_at, (std::vector<std::int64_t>{0, 1, 3, 4}));
    EXPECT_EQ(rig.scheduled_at[config(lane_config, 0)], 2);
    EXPECT_EQ(rig.lengths, (std::vector<unsigned>{2, 2}));
}

TEST(plan_limits, no_word_is_issued_in_the_cycle_of_the_limit_or_later) {
    planner_rig rig;
    EXPECT_EQ(rig.push({abs(1, 2), abs(1, 2), abs(1, 2)}, 2), 2u);
    EXPECT_EQ(rig.planner.now(), cycles{2});
    planner_rig held;
    EXPECT_EQ(held.push({mad(0, 0, 0, 3), abs(3, 1)}, 2), 1u); // SFPABS has to wait until cycle 2
    EXPECT_EQ(held.planner.now(), cycles{1});
    EXPECT_EQ(held.push({abs(3, 1)}, 1), 0u);
    EXPECT_EQ(held.planner.now(), cycles{1});
    EXPECT_EQ(held.push({abs(3, 1)}, 2), 1u);
    EXPECT_EQ(held.issued_at, (std::vector<std::int64_t>{0, 2}));
}

TEST(plan_limits, a_remembered_plan_that_takes_too_long_is_not_used) {
    planner_rig rig;
    const std::vector<std::uint32_t> words{abs(1, 2), abs(1, 2), abs(1, 2), abs(1, 2)};
    for (unsigned i = 0; i < 4; ++i) rig.push(words);
    EXPECT_NE(rig.plans.back()->number, 0u);
    EXPECT_EQ(rig.push(words, 3), 3u);
    EXPECT_EQ(rig.push(words, 4), 4u);
}

// --- macros ----------------------------------------------------------------------------------------------------------

TEST(rule_t1, each_scheduled_instruction_executes_its_delay_and_one_cycle_after_the_sfploadmacro) {
    for (unsigned delay = 0; delay < 8; ++delay) {
        planner_rig rig;
        rig.set_templates(usual_templates);
        rig.set_macro(0, sequence_of(5, delay) << on_mad);
        rig.push({nop, loadmacro(0, 3)}); // cycle 1
        rig.push(std::vector<std::uint32_t>(10, nop));
        EXPECT_EQ(rig.scheduled_at[usual_templates[1]], 2 + delay);
    }
}

TEST(rule_t1, templates_are_those_of_the_cycle_of_the_sfploadmacro) {
    planner_rig rig;
    rig.set_templates(usual_templates);
    rig.set_macro(0, sequence_of(4, 3) << on_simple);
    rig.push({loadmacro(0, 3)});
    rig.set_templates({setcc(0), 0, 0, 0});
    rig.push({nop, nop, nop, nop, nop});
    EXPECT_EQ(rig.scheduled_at.count(abs(0, 0)), 1u);
    EXPECT_EQ(rig.scheduled_at.count(setcc(0)), 0u);
}

TEST(rule_t10, front_end_words_bubbles_and_stalls_are_no_ticks_for_entries_that_count_instructions) {
    planner_rig rig;
    rig.set_macro(0, sequence_of(3, 2) << on_store, counts_instructions);
    rig.push({loadmacro(0, 3), incrwc(1), front_end_nop, setc16(12, 0), nop}); // ticks: cycle 4
    rig.idle(2);                                                               // cycles 5 and 6
    rig.push({mad(0, 0, 0, 3), abs(3, 4)}); // tick in cycle 7, held in cycle 8: executes in cycle 8
    EXPECT_EQ(rig.steps[4], "7: word 5 on mad");
    EXPECT_EQ(rig.steps[5], "8: macro of word 0 on store, direct");
    planner_rig elapsed;
    elapsed.set_macro(0, sequence_of(3, 2) << on_store, counts_cycles);
    elapsed.push({loadmacro(0, 3), incrwc(1), incrwc(1), incrwc(1)});
    EXPECT_EQ(elapsed.scheduled_at.begin()->second, 3);
}

TEST(rule_t11, an_entry_at_zero_executes_in_a_bubble) {
    planner_rig rig;
    rig.set_macro(0, sequence_of(3, 0) << on_store, counts_instructions);
    rig.push({loadmacro(0, 3)});
    rig.idle(5);
    EXPECT_EQ(rig.scheduled_at.begin()->second, 1);
}

TEST(rule_t12, an_entry_that_would_execute_in_the_same_cycle_is_forgotten_and_said_so) {
    planner_rig rig;
    rig.set_templates(usual_templates);
    rig.set_macro(0, sequence_of(4, 3) << on_simple);
    rig.set_macro(1, sequence_of(7, 2) << on_simple);
    rig.push({loadmacro(0, 3), loadmacro(1, 2), nop, nop, nop, nop});
    EXPECT_EQ(rig.scheduled_at.count(abs(0, 0)), 0u);
    EXPECT_EQ(rig.scheduled_at[setcc(0)], 4);
    EXPECT_EQ(rig.counts.macros_forgotten, 1u);
    const auto said = rig.reports(report_id::macro_forgotten);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0].word, 1);
    EXPECT_EQ(said[0].what.insn->word, abs(0, 0));
    EXPECT_EQ(said[0].what.second->word, setcc(0));
    const auto shown = rig.notes_of(kind::forgotten);
    ASSERT_EQ(shown.size(), 1u);
    EXPECT_EQ(shown[0].word, 0);
}

TEST(rule_t12, a_sequence_byte_of_selector_0_forgets_nothing) {
    planner_rig rig;
    rig.set_templates(usual_templates);
    rig.set_macro(0, sequence_of(4, 3) << on_simple);
    rig.set_macro(1, sequence_of(0, 2) << on_simple | sequence_of(3, 0) << on_store);
    rig.push({loadmacro(0, 3), loadmacro(1, 2), nop, nop, nop, nop});
    EXPECT_EQ(rig.scheduled_at[abs(0, 0)], 4);
    EXPECT_EQ(rig.counts.macros_forgotten, 0u);
}

TEST(rule_t12, with_all_slots_taken_an_entry_is_refused_and_reported) {
    parameters config;
    config.macro_slots = 1;
    planner_rig rig(config);
    rig.set_templates(usual_templates);
    rig.set_macro(0, sequence_of(4, 5) << on_simple);
    rig.push({loadmacro(0, 3), loadmacro(0, 2), nop, nop, nop, nop, nop, nop});
    EXPECT_EQ(rig.reports(report_id::macro_slots_full).size(), 1u);
    EXPECT_EQ(rig.scheduled_at[abs(0, 0)], 6);
    EXPECT_EQ(rig.counts.max_outstanding, 1u);
}

TEST(rule_t13, a_scheduled_instruction_wins_its_unit_and_the_issued_one_is_discarded) {
    planner_rig rig;
    rig.set_templates(usual_templates);
    rig.set_macro(0, sequence_of(5, 0, false, true) << on_mad, counts_instructions);
    rig.push({loadmacro(0, 3), mad(0, 0, 0, 5), abs(5, 6), nop});
    // SFPABS waits all the same: to the stall logic a discarded word is a predecessor like any other.
    EXPECT_EQ(rig.steps, (lines{"0: word 0 on load, direct", "1: macro of word 0 on mad, direct",
                                "3: word 2 on simple, direct"}));
    EXPECT_EQ(rig.counts.discarded[1], 1u);
    EXPECT_EQ(rig.counts.scheduled[1], 1u);
    EXPECT_EQ(rig.counts.issued[1], 0u);
    const auto said = rig.reports(report_id::issue_discarded_by_macro);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0].word, 1);
    EXPECT_EQ(said[0].what.second->word, usual_templates[1]);
    EXPECT_EQ(rig.notes_of(kind::discarded).size(), 1u);
}

TEST(rule_t13, a_discarded_word_is_a_tick_and_leaves_no_result_to_read_too_early) {
    planner_rig rig(wormhole());
    rig.set_templates(usual_templates);
    rig.set_macro(0, sequence_of(5, 0, false, true) << on_mad | sequence_of(3, 1) << on_store,
                  counts_instructions);
    rig.push({loadmacro(0, 3), mad(0, 0, 0, 5), abs(5, 6), nop});
    EXPECT_EQ(rig.steps[2], "2: macro of word 0 on store, direct");
    EXPECT_EQ(rig.reports(report_id::hazard_unprotected_read).size(), 0u);
}

TEST(rule_t13, a_scheduled_sfpnop_discards_and_an_issued_one_is_never_discarded) {
    planner_rig rig;
    rig.set_macro(0, sequence_of(2, 0) << on_mad | sequence_of(3, 1) << on_store);
    rig.push({loadmacro(0, 3), mad(0, 0, 0, 5), nop});
    EXPECT_EQ(rig.reports(report_id::issue_discarded_by_macro).size(), 1u);
    planner_rig idle;
    idle.set_macro(0, sequence_of(2, 0) << on_mad | sequence_of(2, 0) << on_simple |
                          sequence_of(2, 0) << on_round);
    idle.push({loadmacro(0, 3), nop, nop});
    EXPECT_EQ(idle.reports(), 0u);
}

TEST(rule_t13, a_discarded_template_write_or_sfpconfig_does_not_end_a_plan) {
    for (const std::uint32_t word : {abs(1, 12), config(misc, 0)}) {
        planner_rig rig;
        rig.set_templates(usual_templates);
        rig.set_macro(0, sequence_of(4, 0) << on_simple);
        rig.push({loadmacro(0, 3), word, loadmacro(0, 3), nop});
        EXPECT_EQ(rig.reports(report_id::issue_discarded_by_macro).size(), 1u);
        EXPECT_EQ(rig.reports(report_id::hazard_config_macro_distance).size(), 0u);
    }
}

TEST(rule_t18, nothing_waits_for_a_scheduled_producer_and_no_scheduled_reader_waits) {
    planner_rig rig;
    rig.set_templates(usual_templates);
    rig.set_macro(0, sequence_of(5, 0) << on_mad); // cycle 1, writes L3
    rig.push({loadmacro(0, 3), nop, abs(3, 4), nop});
    EXPECT_EQ(rig.issued_at, (std::vector<std::int64_t>{0, 1, 2, 3}));
    EXPECT_EQ(rig.steps[1], "1: macro of word 0 on mad");
    EXPECT_EQ(rig.steps[2], "2: word 2 on simple, direct");
    EXPECT_EQ(rig.steps[3], "2: commit mad");
    EXPECT_EQ(rig.reports(), 0u);
    planner_rig reader;
    reader.set_templates(usual_templates);
    reader.set_macro(0, sequence_of(4, 1) << on_simple);       // cycle 2
    reader.push({loadmacro(0, 3), mad(0, 0, 0, 3), nop, nop}); // visible in cycle 3
    EXPECT_EQ(reader.scheduled_at[abs(0, 0)], 2);
    EXPECT_EQ(reader.steps[1], "1: word 1 on mad");
}

TEST(rule_t19, entries_that_count_instructions_stay_and_others_drain) {
    planner_rig rig;
    rig.set_macro(0, sequence_of(3, 5) << on_store, counts_instructions);
    rig.push({loadmacro(0, 3)});
    EXPECT_TRUE(rig.planner.busy()); // T20
    EXPECT_FALSE(rig.planner.moves());
    rig.idle(100);
    EXPECT_EQ(rig.planner.now(), cycles{101});
    EXPECT_TRUE(rig.planner.busy());
    rig.push({nop, nop, nop, nop, nop, nop}); // ticks in cycles 101 to 105
    EXPECT_EQ(rig.scheduled_at.begin()->second, 106);
    EXPECT_FALSE(rig.planner.busy());

    planner_rig drains;
    drains.set_macro(0, sequence_of(3, 5) << on_store);
    drains.push({loadmacro(0, 3)});
    EXPECT_TRUE(drains.planner.moves());
    drains.idle(100);
    EXPECT_EQ(drains.scheduled_at.begin()->second, 6);
    EXPECT_FALSE(drains.planner.busy());
    EXPECT_FALSE(drains.planner.moves());
    EXPECT_EQ(drains.planner.now(), cycles{101});
}

TEST(rule_t19, results_under_way_become_visible_without_an_issue) {
    planner_rig rig;
    rig.push({mad(0, 0, 0, 3)});
    EXPECT_TRUE(rig.planner.has_results());
    EXPECT_TRUE(rig.planner.moves());
    rig.idle(1);
    EXPECT_EQ(rig.steps, (lines{"0: word 0 on mad", "1: commit mad"}));
    EXPECT_FALSE(rig.planner.moves());
}

TEST(plan_idle, ends_where_nothing_moves_any_more_and_time_passes_all_the_same) {
    planner_rig rig;
    rig.push({abs(1, 2)});
    rig.idle(1000);
    EXPECT_EQ(rig.planner.now(), cycles{1001});
    EXPECT_EQ(rig.planner.plan_idle(cycles{500}), nullptr); // the past
    EXPECT_EQ(rig.planner.now(), cycles{1001});
}

TEST(plan_idle, the_second_cycle_of_a_swap_passes_like_any_other) {
    planner_rig rig;
    rig.push({swap(1, 2)});
    rig.idle(1);
    rig.push({abs(1, 2)});
    EXPECT_EQ(rig.issued_at, (std::vector<std::int64_t>{0, 2}));
    EXPECT_EQ(rig.reports(), 0u);
}

TEST(plan_idle, a_word_may_be_offered_for_a_cycle_that_has_passed) {
    planner_rig rig;
    rig.push({mad(0, 0, 0, 3)});
    rig.idle(5);
    hold_cause cause;
    const isa::instruction& reader = rig.planner.library().decode(abs(3, 4)).insn;
    EXPECT_EQ(rig.planner.wait(reader, cycles{1}, cause), 1u);
    EXPECT_EQ(cause, hold_cause::mad_dependence);
    EXPECT_EQ(rig.planner.wait(reader, cycles{2}, cause), 0u);
    EXPECT_EQ(rig.planner.wait(reader, cycles{6}, cause), 0u);
    rig.push({mad(0, 0, 0, 3)}); // cycle 6
    EXPECT_EQ(rig.planner.wait(reader, cycles{7}, cause), 1u);
    EXPECT_EQ(rig.planner.wait(reader, cycles{8}, cause), 0u);
}

// --- diagnostics -----------------------------------------------------------------------------------------------------

TEST(rule_t17, an_unprotected_read_names_the_register_and_the_producer_across_pushes) {
    planner_rig rig(wormhole());
    rig.next_word = 10;
    rig.push({mad(0, 0, 0, 3)});
    rig.next_word = 20; // others used the words in between
    rig.push({abs(3, 4)});
    const auto said = rig.reports(report_id::hazard_unprotected_read);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0].word, 20);
    EXPECT_EQ(said[0].what.other, 3);
    EXPECT_EQ(said[0].what.number, -10); // words from the first of the plan
    EXPECT_EQ(said[0].what.second->word, mad(0, 0, 0, 3));
    rig.clear();
    rig.push({nop, mad(0, 0, 0, 3), abs(3, 4)});
    ASSERT_EQ(rig.reports(report_id::hazard_unprotected_read).size(), 1u);
    EXPECT_EQ(rig.reports(report_id::hazard_unprotected_read)[0].what.number, 1);
}

TEST(rule_t17, words_that_share_an_index_are_named_by_it) {
    planner_rig rig(wormhole());
    rig.source.word_step = 0;
    rig.next_word = 7;
    rig.push({mad(0, 0, 0, 3), abs(3, 4)});
    const auto said = rig.reports(report_id::hazard_unprotected_read);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0].word, 7);
    EXPECT_EQ(said[0].what.number, 0);
}

TEST(rule_t8, a_neighbour_of_a_swap_is_named_with_the_other_one) {
    planner_rig rig;
    rig.set_templates(usual_templates);
    // SFPABS and SFPSHFT2 in cycle 2; SFPABS writes L16, so that the two may share it.
    rig.set_macro(0, sequence_of(4, 1, false, true) << on_simple | sequence_of(6, 1) << on_round);
    rig.push({loadmacro(0, 3), swap(1, 2), nop, nop});
    const auto said = rig.reports(report_id::hazard_swap_neighbour);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0].at, 2);
    EXPECT_EQ(said[0].what.insn->word, swap(1, 2));
    EXPECT_EQ(said[0].what.second->word, abs(0, 0));
    EXPECT_EQ(said[0].what.third->word, shift(0, 0));
    EXPECT_EQ(said[0].what.number, 1); // in its second cycle
    EXPECT_EQ(rig.reports(report_id::hazard_simple_round_conflict).size(), 0u);
    planner_rig first;
    first.set_templates(usual_templates);
    first.set_macro(0, sequence_of(5, 0, false, true) << on_mad);
    first.push({loadmacro(0, 3), swap(1, 2), nop});
    const auto beside = first.reports(report_id::hazard_swap_neighbour);
    ASSERT_EQ(beside.size(), 1u);
    EXPECT_EQ(beside[0].what.insn->word, swap(1, 2));
    EXPECT_EQ(beside[0].what.second->word, usual_templates[1]);
    EXPECT_EQ(beside[0].what.third, nullptr);
    EXPECT_EQ(beside[0].what.number, 0);
}

TEST(rule_t9, simple_and_round_in_one_cycle_are_reported_unless_exactly_one_writes_l16) {
    const auto conflicts = [](bool simple_l16, bool round_l16, bool rule) {
        parameters config;
        config.sfpu_write_port_rule = rule;
        planner_rig rig(config);
        rig.set_templates(usual_templates);
        rig.set_macro(0, sequence_of(4, 0, false, simple_l16) << on_simple |
                             sequence_of(6, 0, false, round_l16) << on_round);
        rig.push({loadmacro(0, 3), nop, nop});
        const auto said = rig.reports(report_id::hazard_simple_round_conflict);
        if (!said.empty()) {
            EXPECT_EQ(said[0].what.insn->word, abs(0, 0));
            EXPECT_EQ(said[0].what.second->word, shift(0, 0));
        }
        return said.size();
    };
    EXPECT_EQ(conflicts(false, false, true), 1u);
    EXPECT_EQ(conflicts(true, false, true), 0u);
    EXPECT_EQ(conflicts(false, true, true), 0u);
    EXPECT_EQ(conflicts(true, true, true), 1u);
    EXPECT_EQ(conflicts(false, false, false), 0u);
}

TEST(rule_t8, a_neighbour_of_a_two_cycle_shuffle_is_reported) {
    planner_rig rig;
    rig.set_templates(usual_templates);
    rig.set_macro(0, sequence_of(4, 1, false, true) << on_simple);
    rig.push({loadmacro(0, 3), shuffle(1, 2), nop, nop});
    const auto said = rig.reports(report_id::hazard_shft2_neighbour);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0].what.insn->word, shuffle(1, 2));
    EXPECT_EQ(said[0].what.second->word, abs(0, 0));
    EXPECT_EQ(said[0].what.number, 1);
    planner_rig issued(wormhole()); // mode 2 beside a word that writes L1
    issued.push({0x94000112, load(1), nop});
    EXPECT_EQ(issued.reports(report_id::hazard_shft2_neighbour).size(), 1u);
}

TEST(rule_t16, a_template_write_reads_and_writes_no_register_and_has_no_neighbours) {
    for (const std::uint32_t write : {swap(1, 12), shuffle(1, 13)}) {
        planner_rig rig;
        rig.push({write, abs(1, 2), nop});
        EXPECT_EQ(rig.issued_at, (std::vector<std::int64_t>{0, 1, 2}));
        EXPECT_EQ(rig.reports(), 0u);
        const char* const unit = write >> 24 == 0x92 ? "simple" : "round";
        EXPECT_EQ(rig.steps, (lines{fmt::format("0: word 0 on {}", unit), "1: word 1 on simple, direct"}));
        planner_rig closed;
        closed.set_lane_config(1u << isa::lane_configuration::disable_backdoor_load);
        closed.push({write, abs(1, 2), nop});
        EXPECT_EQ(closed.issued_at, (std::vector<std::int64_t>{0, 2, 3}));
    }
    for (const architecture arch : {architecture::blackhole, architecture::wormhole}) {
        parameters config;
        config.arch = arch;
        planner_rig reader(config);
        reader.push({mad(0, 0, 0, 3), abs(3, 12), mad(0, 0, 0, 14), abs(6, 5)});
        EXPECT_EQ(reader.issued_at, (std::vector<std::int64_t>{0, 1, 2, 3}));
        EXPECT_EQ(reader.reports(), 0u);
    }
}

TEST(rule_t16, a_word_directly_after_a_change_of_the_backdoor_is_reported_if_it_names_a_template) {
    const auto reported = [](unsigned bubbles, std::uint32_t word) {
        planner_rig rig;
        rig.push({config(lane_config, 2)});
        rig.set_lane_config(1u << isa::lane_configuration::disable_backdoor_load);
        rig.planner.note_backdoor_change();
        rig.idle(bubbles);
        rig.push({word});
        return rig.reports(report_id::hazard_laneconfig_neighbour).size();
    };
    EXPECT_EQ(reported(0, abs(1, 12)), 1u);
    EXPECT_EQ(reported(1, abs(1, 12)), 0u);
    EXPECT_EQ(reported(0, abs(1, 2)), 0u);
}

TEST(rule_t21, an_sfploadmacro_less_than_three_words_after_its_configuration_is_reported) {
    const auto reported = [](std::uint32_t write, unsigned words_between, unsigned distance) {
        parameters config;
        config.macro_config_distance = distance;
        planner_rig rig(config);
        rig.push({write});
        rig.push(std::vector<std::uint32_t>(words_between, nop));
        rig.idle(3); // bubbles are no words
        rig.push({loadmacro(0, 3)});
        const auto said = rig.reports(report_id::hazard_config_macro_distance);
        return said.empty() ? 0 : said[0].what.number;
    };
    EXPECT_EQ(reported(config(misc, 0), 0, 3), 1);
    EXPECT_EQ(reported(config(misc, 0), 1, 3), 2);
    EXPECT_EQ(reported(config(misc, 0), 2, 3), 0);
    EXPECT_EQ(reported(config(misc, 0), 0, 0), 0);
    EXPECT_EQ(reported(config(misc, 0), 0, 1), 0);
    EXPECT_EQ(reported(config(misc, 0), 0, 2), 1);
    EXPECT_EQ(reported(config(misc, 0), 1, 2), 0);
    EXPECT_EQ(reported(config(misc, 0), 6, 8), 7);
    for (std::uint32_t sequence = 4; sequence < 8; ++sequence)
        EXPECT_EQ(reported(config(sequence, 0), 0, 3), 1);
    for (const std::uint32_t other : {0u, 3u, l11, l14, lane_config})
        EXPECT_EQ(reported(config(other, 0), 0, 3), 0) << other;
    EXPECT_EQ(reported(abs(1, 12), 0, 3), 0); // a template by the backdoor
}

TEST(rule_t21, every_sfploadmacro_that_comes_too_early_is_reported) {
    planner_rig rig;
    rig.push({config(misc, 0), loadmacro(0, 3), loadmacro(0, 3), loadmacro(0, 3), config(misc, 0), nop,
              loadmacro(0, 3)});
    const auto said = rig.reports(report_id::hazard_config_macro_distance);
    ASSERT_EQ(said.size(), 3u);
    EXPECT_EQ(said[0].word, 1);
    EXPECT_EQ(said[1].word, 2);
    EXPECT_EQ(said[2].word, 6);
}

// --- what is remembered ----------------------------------------------------------------------------------------------

TEST(plan_cache, a_plan_is_remembered_when_it_is_asked_for_again_in_the_same_state) {
    planner_rig rig;
    const std::vector<std::uint32_t> loop{load(1), abs(1, 2), store(2)};
    for (unsigned i = 0; i < 4; ++i) rig.push(loop);
    ASSERT_EQ(rig.plans.size(), 4u);
    EXPECT_EQ(rig.plans[1], rig.plans[2]);
    EXPECT_EQ(rig.plans[2], rig.plans[3]);
    EXPECT_NE(rig.plans[3]->number, 0u);
    rig.push({load(1), abs(1, 3), store(2)});
    EXPECT_NE(rig.plans.back(), rig.plans[3]);
}

/// Whether words that have been remembered are planned anew in a state that `change` makes another.
template <class F>
bool planned_anew(F change, const parameters& config = {}) {
    planner_rig rig(config);
    const std::vector<std::uint32_t> loop{load(1), abs(1, 2), store(2), loadmacro(0, 3), nop, nop, nop, nop};
    rig.set_templates(usual_templates);
    rig.set_macro(0, sequence_of(4, 2) << on_simple);
    for (unsigned i = 0; i < 4; ++i) rig.push(loop);
    const plan* const known = rig.plans.back();
    EXPECT_EQ(rig.plans[2], known);
    change(rig);
    rig.push(loop);
    return rig.plans.back() != known;
}

TEST(plan_cache, everything_that_rules_look_at_is_part_of_the_key) {
    EXPECT_FALSE(planned_anew([](planner_rig&) {}));
    EXPECT_FALSE(planned_anew([](planner_rig& rig) { rig.idle(3); }));
    EXPECT_FALSE(planned_anew([](planner_rig& rig) { rig.next_word += 100; }));
    EXPECT_TRUE(planned_anew([](planner_rig& rig) { rig.set_macro(0, sequence_of(4, 3) << on_simple); }));
    EXPECT_TRUE(planned_anew([](planner_rig& rig) { rig.set_macro(0, sequence_of(4, 2), 4); })); // StoreMod0
    EXPECT_TRUE(planned_anew([](planner_rig& rig) { rig.set_lane_config(2); }));
    EXPECT_TRUE(planned_anew([](planner_rig& rig) { rig.set_lane_config(4); }));
    EXPECT_TRUE(planned_anew([](planner_rig& rig) { rig.planner.note_backdoor_change(); }));
    EXPECT_TRUE(planned_anew([](planner_rig& rig) { rig.source.thread = 1; }));
    EXPECT_TRUE(planned_anew([](planner_rig& rig) { rig.source.word_step = 0; }));
    EXPECT_TRUE(planned_anew([](planner_rig& rig) { rig.push({mad(0, 0, 0, 5)}); }));
    EXPECT_TRUE(planned_anew([](planner_rig& rig) { rig.push({swap(1, 2)}); }));
    EXPECT_TRUE(planned_anew([](planner_rig& rig) { rig.push({config(misc, 0)}); }));
    EXPECT_TRUE(planned_anew([](planner_rig& rig) { rig.push({loadmacro(0, 3)}); }));
}

TEST(plan_cache, after_a_change_and_back_the_old_plan_is_used_again) {
    planner_rig rig;
    const std::vector<std::uint32_t> loop{load(1), abs(1, 2), store(2), nop};
    for (unsigned i = 0; i < 4; ++i) rig.push(loop);
    const plan* const known = rig.plans.back();
    rig.set_lane_config(4);
    rig.push(loop);
    EXPECT_NE(rig.plans.back(), known);
    rig.set_lane_config(0);
    rig.push(loop);
    EXPECT_EQ(rig.plans.back(), known);
}

TEST(plan_cache, producers_are_named_right_by_a_remembered_plan_whatever_words_lie_in_between) {
    planner_rig rig(wormhole());
    const auto number_of = [&](std::int64_t between) {
        rig.clear();
        rig.push({mad(0, 0, 0, 3)});
        rig.next_word += between;
        rig.push({abs(3, 4), nop, nop});
        const auto said = rig.reports(report_id::hazard_unprotected_read);
        return said.size() == 1 ? said[0].what.number : 0;
    };
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(number_of(0), -1);
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(number_of(5), -6);
    EXPECT_EQ(number_of(0), -1);
    EXPECT_EQ(number_of(5), -6);
}

TEST(plan_cache, a_word_that_was_offered_in_vain_does_not_change_the_names_of_producers) {
    planner_rig rig(wormhole());
    const auto round = [&](bool in_vain) {
        rig.clear();
        rig.push({nop, nop, mad(0, 0, 0, 3)});
        rig.next_word += 4;
        if (in_vain) {
            rig.push({abs(3, 4), nop, nop}, 0);
        }
        rig.push({abs(3, 4), nop, nop});
        const auto said = rig.reports(report_id::hazard_unprotected_read);
        return said.size() == 1 ? said[0].what.number : 0;
    };
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(round(false), -5);
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(round(true), -5);
    rig.next_word -= 4;
    const auto without_gap = [&] {
        rig.clear();
        rig.push({nop, nop, mad(0, 0, 0, 3)});
        rig.push({abs(3, 4), nop, nop});
        return rig.reports(report_id::hazard_unprotected_read).at(0).what.number;
    };
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(without_gap(), -1);
    EXPECT_EQ(round(true), -5);
}

TEST(plan_cache, origins_of_outstanding_entries_survive_repetitions) {
    planner_rig rig;
    rig.set_templates(usual_templates);
    rig.set_macro(0, sequence_of(4, 6) << on_simple | sequence_of(3, 7) << on_store);
    rig.set_macro(1, sequence_of(5, 5, false, true) << on_mad);
    const std::vector<std::uint32_t> loop{loadmacro(0, 1), loadmacro(1, 2), nop, loadmacro(0, 3), nop};
    lines expected;
    for (std::int64_t at = 0; at < 60; ++at) {
        // Loop k starts in cycle 5k; macro 0 of words 5k and 5k + 3, macro 1 of word 5k + 1.
        const auto add = [&](std::int64_t delay, std::int64_t place, const char* unit) {
            const std::int64_t word = at - delay - 1;
            if (word >= 0 && word % 5 == place)
                expected.push_back(fmt::format("{}: macro of word {} on {}", at, word, unit));
        };
        add(7, 0, "store");
        add(7, 3, "store");
        add(5, 1, "mad");
        add(6, 0, "simple");
        add(6, 3, "simple");
    }
    for (unsigned i = 0; i < 12; ++i) rig.push(loop);
    EXPECT_EQ(rig.plans[11], rig.plans[10]);
    lines scheduled;
    for (const std::string& line : rig.steps)
        if (line.find("macro") != std::string::npos) scheduled.push_back(line.substr(0, line.find(',')));
    EXPECT_EQ(scheduled, expected);
}

TEST(plan_cache, a_long_push_of_a_loop_is_cut_where_the_loop_begins_again) {
    planner_rig rig;
    std::vector<std::uint32_t> words;
    for (unsigned i = 0; i < 204; ++i) // plans hold 256 words
        for (const std::uint32_t word : {load(1), abs(1, 2), iadd(2, 3), store(3), nop})
            words.push_back(word);
    rig.push(words);
    EXPECT_EQ(rig.lengths, (std::vector<unsigned>{255, 255, 255, 255}));
    EXPECT_EQ(rig.plans[2], rig.plans[3]);
    planner_rig once;
    words.resize(1);
    for (unsigned i = 1; i < 400; ++i) words.push_back(loadi(1, i)); // the first word never comes again
    once.push(words);
    EXPECT_EQ(once.lengths, (std::vector<unsigned>{256, 144}));
}

TEST(plan_cache, when_the_library_forgets_everything_what_is_under_way_goes_on) {
    planner_rig rig(wormhole());
    rig.set_templates(usual_templates);
    rig.set_macro(0, sequence_of(4, 7) << on_simple | sequence_of(3, 3) << on_store);
    const std::vector<std::uint32_t> loop{load(1), abs(1, 2), store(2), nop};
    for (unsigned i = 0; i < 4; ++i) rig.push(loop); // cycles 0 to 15
    rig.push({loadmacro(0, 3), mad(0, 0, 0, 5)});    // cycles 16 and 17
    for (std::uint32_t imm = 0; imm < 40000; ++imm) rig.planner.library().decode(loadi(1, imm));
    ASSERT_TRUE(rig.planner.library().is_full());
    rig.planner.forget();
    EXPECT_FALSE(rig.planner.library().is_full());
    rig.sample();
    rig.clear();
    rig.push({abs(5, 6), swap(1, 2), nop, nop, nop, nop, nop, nop}); // cycles 18 to 25
    EXPECT_EQ(rig.steps, (lines{"18: word 18 on simple, direct", "18: commit mad", "19: word 19 on simple",
                                "20: swap reads again", "20: macro of word 16 on store, direct",
                                "20: commit swap", "24: macro of word 16 on simple, direct"}));
    const auto said = rig.reports(report_id::hazard_unprotected_read);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0].what.second->word, mad(0, 0, 0, 5));
    EXPECT_EQ(said[0].what.number, -1);
    EXPECT_EQ(rig.scheduled_at[abs(0, 0)], 24);
    for (unsigned i = 0; i < 4; ++i) rig.push(loop);
    EXPECT_EQ(rig.plans.back(), rig.plans[rig.plans.size() - 2]); // and is learned again
}

TEST(plan_cache, forgetting_between_the_cycles_of_a_swap_keeps_its_neighbours) {
    planner_rig rig;
    rig.set_templates(usual_templates);
    rig.set_macro(0, sequence_of(4, 1) << on_simple);
    rig.push({loadmacro(0, 3), swap(1, 2)});
    rig.planner.forget();
    rig.sample();
    rig.push({nop, nop});
    const auto said = rig.reports(report_id::hazard_swap_neighbour);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0].what.insn->word, swap(1, 2));
}

TEST(plan_cache, a_reset_forgets_the_past_for_good) {
    planner_rig rig;
    rig.push({mad(0, 0, 0, 3)});
    rig.idle(5);
    rig.push({mad(0, 0, 0, 3), swap(1, 2)});
    rig.planner.reset(rig.machine);
    rig.sample();
    EXPECT_EQ(rig.planner.now(), cycles{});
    EXPECT_FALSE(rig.planner.has_results());
    rig.planner.forget(); // touches nothing of the time before
    rig.sample();
    rig.next_word = 0;
    rig.clear();
    rig.push({abs(3, 4), nop});
    EXPECT_EQ(rig.steps, (lines{"0: word 0 on simple, direct"}));
    EXPECT_EQ(rig.reports(), 0u);
}

// --- grown machines --------------------------------------------------------------------------------------------------

parameters two_slots() {
    parameters result;
    result.sfpu_issue_width = 2;
    return result;
}

/// The cycles in which words are issued by a machine with two issue slots.
std::vector<std::int64_t> pairing(const std::vector<std::uint32_t>& words,
                                  const parameters& config = two_slots()) {
    planner_rig rig(config);
    rig.push(words);
    return rig.issued_at;
}
bool share(std::uint32_t first, std::uint32_t second, const parameters& config = two_slots()) {
    const auto at = pairing({first, second}, config);
    return at[0] == at[1];
}

TEST(two_issue_slots, independent_words_of_different_units_share_a_cycle) {
    EXPECT_EQ(
        pairing({mad(0, 0, 0, 3), abs(1, 2), load(4), store(2), nop, nop}), // the load may move the counters
        (std::vector<std::int64_t>{0, 0, 1, 2, 2, 3}));
    EXPECT_TRUE(share(mad(0, 0, 0, 3), shift(1, 2)));
    EXPECT_TRUE(share(abs(1, 2), shift(4, 5)));
    EXPECT_TRUE(share(abs(1, 2), nop));
    EXPECT_FALSE(share(load(1), nop)); // both are of the load unit
    EXPECT_FALSE(share(abs(1, 2), abs(3, 4)));
    EXPECT_FALSE(share(mad(0, 0, 0, 3), mad(0, 0, 0, 4)));
}

TEST(two_issue_slots, the_second_word_neither_reads_nor_writes_what_the_first_writes) {
    EXPECT_FALSE(share(abs(1, 2), mad(2, 0, 0, 3)));
    EXPECT_FALSE(share(abs(1, 2), mad(0, 0, 0, 2)));
    EXPECT_TRUE(share(abs(1, 2), mad(1, 0, 0, 3)));
    EXPECT_TRUE(share(abs(1, 2), mad(0, 0, 0, 1))); // reads of the first are at the start of the cycle
    EXPECT_FALSE(share(setcc(1), load(4)));         // flags
    EXPECT_FALSE(share(iadd(1, 2), load(4)));       // writes flags too
    EXPECT_TRUE(share(load(4), setcc(1)));
    EXPECT_FALSE(share(swap(1, 2), load(4)));
    EXPECT_FALSE(share(shuffle(1, 2), load(4)));
    EXPECT_FALSE(share(0x8e003210, 0x7c000028)); // SFPSTOCHRND, SFPMOV that reads the random numbers
}

TEST(two_issue_slots, configuration_macros_and_template_writes_go_first_or_alone) {
    EXPECT_FALSE(share(load(1), config(misc, 0)));
    EXPECT_FALSE(share(abs(1, 2), loadmacro(0, 3)));
    EXPECT_FALSE(share(load(1), abs(1, 12)));
    EXPECT_FALSE(share(load(1), incrwc(1)));
    EXPECT_TRUE(share(config(l11, 0), load(1)));
    EXPECT_TRUE(share(config(l11, 0), mad(0, 0, 12, 3)));
    EXPECT_FALSE(share(config(l11, 0), mad(0, 0, 11, 3))); // reads L11
    EXPECT_TRUE(share(config(misc, 0), load(1)));
    EXPECT_FALSE(share(config(lane_config, 0), load(1)));
    EXPECT_TRUE(share(abs(1, 12), load(1)));
    EXPECT_TRUE(share(loadmacro(0, 3), abs(1, 2)));
    EXPECT_FALSE(share(loadmacro(0, 3), abs(3, 2)));
    EXPECT_TRUE(share(front_end_nop, load(1)));
    EXPECT_TRUE(share(incrwc(1), abs(1, 2)));
    EXPECT_FALSE(share(incrwc(1), load(1)));
    EXPECT_FALSE(share(incrwc(1), store(1)));
}

TEST(two_issue_slots, two_accesses_of_dst_share_a_cycle_if_the_first_leaves_the_counters_alone) {
    const auto accesses = [](std::uint32_t first, std::uint32_t second, std::uint8_t still) {
        planner_rig rig(two_slots());
        rig.still_modifiers = still;
        rig.sample();
        rig.push({first, second});
        return rig.issued_at[0] == rig.issued_at[1];
    };
    EXPECT_TRUE(accesses(load(1, 0, 3), store(2), 0x08));
    EXPECT_FALSE(accesses(load(1, 0, 3), store(2), 0xf7));
    EXPECT_FALSE(accesses(store(2, 0, 3), load(1), 0x08)); // addresses are no business of plans
}

TEST(two_issue_slots, two_words_in_a_cycle_are_one_tick_and_one_plan) {
    planner_rig rig(two_slots());
    rig.set_macro(0, sequence_of(3, 2) << on_store, counts_instructions);
    rig.push({loadmacro(0, 3), abs(1, 2), mad(0, 0, 0, 4), shift(1, 5), load(1), abs(5, 6), nop, nop});
    // Cycle 0: launch; ticks in cycles 1 and 2; the store is in cycle 3.
    EXPECT_EQ(rig.issued_at, (std::vector<std::int64_t>{0, 0, 1, 1, 2, 2, 3, 4}));
    EXPECT_EQ(rig.scheduled_at.begin()->second, 3);
}

TEST(two_issue_slots, a_scheduled_instruction_leaves_no_unit_for_the_second_word_but_discards_the_first) {
    planner_rig rig(two_slots());
    rig.set_templates(usual_templates);
    rig.set_macro(0, sequence_of(4, 0, false, true) << on_simple);
    rig.push({loadmacro(0, 3), nop, mad(0, 0, 0, 4), abs(1, 2), nop});
    EXPECT_EQ(rig.issued_at,
              (std::vector<std::int64_t>{0, 1, 1, 2, 2})); // SFPNOP is of the load unit, like the macro
    planner_rig busy(two_slots());
    busy.set_templates(usual_templates);
    busy.set_macro(0, sequence_of(4, 0, false, true) << on_simple);
    busy.push({loadmacro(0, 3), load(5), abs(1, 2), nop}); // SFPABS finds Simple taken in cycle 1 and waits
    EXPECT_EQ(busy.issued_at, (std::vector<std::int64_t>{0, 1, 2, 2}));
    EXPECT_EQ(busy.reports(report_id::issue_discarded_by_macro).size(), 0u);
}

TEST(two_issue_slots, a_held_word_is_no_second_word) {
    EXPECT_EQ(pairing({mad(0, 0, 0, 3), nop, load(1), abs(3, 4), nop}),
              (std::vector<std::int64_t>{0, 0, 1, 2, 2}));
}

TEST(two_issue_slots, where_a_push_is_cut_by_a_plan_makes_no_difference) {
    std::vector<std::uint32_t> words;
    for (std::uint32_t i = 0; i < 150; ++i) {
        words.push_back(loadi(1, i));
        words.push_back(abs(2, 3));
    }
    words.insert(words.begin(), {nop, nop}); // each alone, so that pairs lie across the end of a plan
    words.insert(words.begin() + 1, mad(0, 0, 0, 4));
    const auto at = pairing(words);
    EXPECT_EQ(at.back(), 151);
}

TEST(two_issue_slots, a_remembered_plan_is_used_only_with_the_word_behind_it_that_it_has_seen) {
    planner_rig rig(two_slots());
    // The last word of each plan is the SFPCONFIG: what follows decides whether it goes alone.
    const auto cycles_of = [&](const std::vector<std::uint32_t>& words) {
        rig.idle(4);
        rig.clear();
        rig.push(words);
        std::vector<std::int64_t> result;
        for (const std::int64_t at : rig.issued_at) result.push_back(at - rig.issued_at.front());
        return result;
    };
    using cycles = std::vector<std::int64_t>;
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(cycles_of({nop, config(misc, 0)}), (cycles{0, 1}));
    const std::vector<std::uint32_t> alone{load(1), config(misc, 0)},
        with_word{load(1), config(misc, 0), load(2)}, with_another{load(1), config(misc, 0), config(misc, 0)};
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(cycles_of(alone), (cycles{0, 1}));
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(cycles_of(with_word), (cycles{0, 1, 1}));
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(cycles_of(with_another), (cycles{0, 1, 2}));
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(cycles_of(alone), (cycles{0, 1}));
    EXPECT_EQ(cycles_of(with_word), (cycles{0, 1, 1}));
}

TEST(two_issue_slots, a_remembered_plan_of_a_whole_push_is_not_used_for_the_beginning_of_a_longer_one) {
    planner_rig rig(two_slots());
    for (unsigned i = 0; i < 4; ++i) {
        rig.push({nop, mad(0, 0, 0, 3), load(1)});
        rig.push({nop, nop, nop, nop});
    }
    rig.clear();
    rig.push({nop, mad(0, 0, 0, 3), load(1), abs(1, 2), abs(4, 5)});
    std::vector<std::int64_t> at;
    for (const std::int64_t cycle : rig.issued_at) at.push_back(cycle - rig.issued_at.front());
    EXPECT_EQ(at, (std::vector<std::int64_t>{0, 0, 1, 2, 3}));
    rig.push({nop, nop, nop, nop});
    rig.clear();
    rig.push({nop, mad(0, 0, 0, 3), load(1), abs(4, 5)});
    at.clear();
    for (const std::int64_t cycle : rig.issued_at) at.push_back(cycle - rig.issued_at.front());
    EXPECT_EQ(at, (std::vector<std::int64_t>{0, 0, 1, 1}));
}

TEST(two_issue_slots, a_remembered_plan_is_not_used_before_a_word_that_may_join_its_last_one) {
    planner_rig rig(two_slots());
    rig.set_lane_config(
        1u << isa::lane_configuration::disable_backdoor_load); // plans end a word behind SFPABS
    const auto cycles_of = [&](std::uint32_t last) {
        rig.push({nop, nop});
        rig.clear();
        rig.push({nop, abs(1, 12), load(1), last});
        std::vector<std::int64_t> result;
        for (const std::int64_t at : rig.issued_at) result.push_back(at - rig.issued_at.front());
        return result;
    };
    for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(cycles_of(load(2)), (std::vector<std::int64_t>{0, 0, 1, 2}));
    EXPECT_NE(rig.plans.front()->number, 0u);
    for (unsigned i = 0; i < 5; ++i)
        EXPECT_EQ(cycles_of(mad(0, 0, 0, 3)), (std::vector<std::int64_t>{0, 0, 1, 1}));
    EXPECT_EQ(cycles_of(load(2)), (std::vector<std::int64_t>{0, 0, 1, 2}));

    planner_rig other(two_slots()); // here nothing stands behind the words at first
    other.set_lane_config(1u << isa::lane_configuration::disable_backdoor_load);
    for (unsigned i = 0; i < 5; ++i) other.push({nop, abs(1, 12), load(1)});
    EXPECT_NE(other.plans.back()->number, 0u);
    other.clear();
    other.push({nop, abs(1, 12), load(1), mad(0, 0, 0, 3)});
    EXPECT_EQ(other.issued_at[3], other.issued_at[2]);
}

TEST(second_mad_unit, takes_an_issued_word_beside_a_scheduled_one) {
    parameters config;
    config.sfpu_mad_units = 2;
    planner_rig rig(config);
    rig.set_templates(usual_templates);
    rig.set_macro(0, sequence_of(5, 0, false, true) << on_mad);
    rig.push({loadmacro(0, 3), mad(0, 0, 0, 5), mad(0, 0, 0, 6), nop, nop});
    EXPECT_EQ(rig.steps, (lines{"0: word 0 on load, direct", "1: macro of word 0 on mad, direct",
                                "1: word 1 on mad 1, direct", "2: word 2 on mad, direct"}));
    EXPECT_EQ(rig.reports(), 0u);
}

TEST(second_mad_unit, has_a_result_port_of_its_own) {
    parameters config = wormhole();
    config.sfpu_mad_units = 2;
    planner_rig rig(config);
    rig.set_templates(usual_templates);
    rig.set_macro(0, sequence_of(5, 0) << on_mad);
    rig.push({loadmacro(0, 3), mad(0, 0, 0, 3), nop, nop}); // both write L3
    EXPECT_EQ(rig.steps, (lines{"0: word 0 on load, direct", "1: macro of word 0 on mad",
                                "1: word 1 on mad 1", "2: commit mad second mad"}));
}

TEST(second_mad_unit, serves_two_issue_slots) {
    parameters config = two_slots();
    config.sfpu_mad_units = 2;
    EXPECT_TRUE(share(mad(0, 0, 0, 3), mad(0, 0, 0, 4), config));
    EXPECT_FALSE(share(mad(0, 0, 0, 3), mad(3, 0, 0, 4), config));
    planner_rig rig(config);
    rig.set_templates(usual_templates);
    rig.set_macro(0, sequence_of(5, 0, false, true) << on_mad);
    rig.push({loadmacro(0, 3), nop, mad(0, 0, 0, 5), mad(0, 0, 0, 6), mad(0, 0, 0, 7)});
    EXPECT_EQ(rig.issued_at, (std::vector<std::int64_t>{0, 1, 1, 2, 2})); // one of two is taken in cycle 1
}

TEST(second_ports, two_loads_or_two_stores_share_a_cycle) {
    parameters config = two_slots();
    config.dst_load_ports = 2;
    planner_rig loads(config);
    loads.still_modifiers = 0xff;
    loads.sample();
    loads.push({load(1), load(2), nop});
    EXPECT_EQ(loads.steps, (lines{"0: word 0 on load, direct", "0: word 1 on load 1, direct"}));
    parameters stores_config;
    stores_config.dst_store_ports = 2;
    planner_rig stores(stores_config);
    stores.set_macro(0, sequence_of(3, 0) << on_store);
    stores.push({loadmacro(0, 3), store(1), nop});
    EXPECT_EQ(stores.steps, (lines{"0: word 0 on load, direct", "1: macro of word 0 on store, direct",
                                   "1: word 1 on store 1, direct"}));
    EXPECT_EQ(stores.reports(), 0u);
    planner_rig one_port;
    one_port.set_macro(0, sequence_of(3, 0) << on_store);
    one_port.push({loadmacro(0, 3), store(1), nop});
    EXPECT_EQ(one_port.reports(report_id::issue_discarded_by_macro).size(), 1u); // T6
}

} // namespace
} // namespace sfpu::timing
