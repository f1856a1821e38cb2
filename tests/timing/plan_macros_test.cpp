// What SFPLOADMACRO schedules, in plans: rules T1, T10 to T13, T18 and T19. Expected cycles follow from the
// timing contract. Issued one a cycle, word n of a push into an idle unit is in cycle n.
#include "planner_rig.h"

#include <gtest/gtest.h>

namespace sfpu::timing {
namespace {

using namespace words;
using lines = std::vector<std::string>;
using kind = plan_note::kind;

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

} // namespace
} // namespace sfpu::timing
