// Diagnostics of plans and whom they name: rules T8, T9, T16, T17 and T21. Expected cycles follow from the
// timing contract. Issued one a cycle, word n of a push into an idle unit is in cycle n.
#include "planner_rig.h"

#include <gtest/gtest.h>

namespace sfpu::timing {
namespace {

using namespace words;
using lines = std::vector<std::string>;

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

/// SFPMAD takes six cycles, SFPSWAP behind it two: in cycle 3 only L3 is not there yet.
TEST(rule_t17, a_producer_whose_result_can_be_read_is_not_named) {
    parameters config = wormhole();
    config.latency_mad = 6;
    planner_rig rig(config);
    rig.push({mad(0, 0, 0, 3), swap(4, 5), nop, iadd(3, 5)});
    const auto said = rig.reports(report_id::hazard_unprotected_read);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0].at, 3);
    EXPECT_EQ(said[0].what.other, 3);
    EXPECT_EQ(said[0].what.second->word, mad(0, 0, 0, 3));
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

TEST(rule_t16, the_second_word_after_a_change_of_the_backdoor_is_not_reported) {
    for (const bool together : {false, true}) {
        planner_rig rig;
        rig.push({config(lane_config, 2)});
        rig.set_lane_config(1u << isa::lane_configuration::disable_backdoor_load);
        rig.planner.note_backdoor_change();
        if (together) {
            rig.push({nop, abs(1, 12)});
        } else {
            rig.push({nop});
            rig.push({abs(1, 12)});
        }
        EXPECT_EQ(rig.reports(report_id::hazard_laneconfig_neighbour).size(), 0u);
    }
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

} // namespace
} // namespace sfpu::timing
