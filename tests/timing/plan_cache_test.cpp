// What is remembered changes nothing, and is found again only where everything that rules look at is the
// same. Issued one a cycle, word n of a push into an idle unit is in cycle n.
#include "planner_rig.h"

#include <gtest/gtest.h>

namespace sfpu::timing {
namespace {

using namespace words;
using lines = std::vector<std::string>;

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

TEST(plan_cache, a_plan_of_words_that_have_not_come_yet_is_remembered_and_expected) {
    planner_rig rig;
    const std::vector<std::uint32_t> loop{load(1), abs(1, 2), store(2), nop, shift(0, 6)};
    const auto* const bytes = reinterpret_cast<const unsigned char*>(loop.data());
    const pushed_words coming{bytes, 5};
    for (unsigned i = 0; i < 4; ++i)
        for (const std::uint32_t word : loop) rig.push({word});
    EXPECT_EQ(rig.planner.expected(loop[0], rig.source, rig.next_word), nullptr); // a plan of one word came
    const plan* const whole = rig.planner.expect(coming, rig.source, rig.next_word);
    ASSERT_NE(whole, nullptr);
    EXPECT_EQ(whole->length, 5u);
    EXPECT_EQ(rig.planner.now(), cycles{20}); // nothing has been executed
    EXPECT_EQ(rig.planner.expected(loop[0], rig.source, rig.next_word), whole);
    EXPECT_EQ(rig.planner.expected(loop[1], rig.source, rig.next_word), nullptr);
    EXPECT_EQ(rig.planner.expected(loop[0], rig.source, rig.next_word + 1), nullptr);
    EXPECT_EQ(rig.planner.expected(loop[0], {1, 1}, rig.next_word), nullptr);
    rig.push(loop);
    EXPECT_EQ(rig.plans.back(), whole);
    EXPECT_EQ(rig.planner.expected(loop[0], rig.source, rig.next_word), nullptr); // not known to come again
    EXPECT_EQ(rig.planner.expect(coming, rig.source, rig.next_word), whole);
    EXPECT_EQ(rig.planner.expected(loop[0], rig.source, rig.next_word), whole);
    rig.set_lane_config(2); // other rules
    EXPECT_EQ(rig.planner.expected(loop[0], rig.source, rig.next_word), nullptr);
}

TEST(plan_cache, expecting_words_changes_nothing_of_what_comes_instead) {
    planner_rig rig(wormhole()), plain(wormhole());
    const std::vector<std::uint32_t> coming{nop, abs(3, 5), nop, nop};
    for (planner_rig* each : {&rig, &plain}) {
        each->push({mad(0, 0, 0, 3)});
        each->next_word += 7;
        if (each == &rig)
            rig.planner.expect({reinterpret_cast<const unsigned char*>(coming.data()), 4}, rig.source,
                               rig.next_word);
        each->push({abs(3, 4)}); // reads L3 too early
        each->push({nop, nop});
    }
    EXPECT_EQ(rig.steps, plain.steps);
    const auto said = rig.reports(report_id::hazard_unprotected_read),
               expected = plain.reports(report_id::hazard_unprotected_read);
    ASSERT_EQ(said.size(), 1u);
    ASSERT_EQ(expected.size(), 1u);
    EXPECT_EQ(said[0].what.number, expected[0].what.number);
}

TEST(plan_cache, expected_words_end_behind_a_change_of_the_rules) {
    planner_rig rig;
    const std::vector<std::uint32_t> coming{load(1), abs(1, 2), config(lane_config, 3), shift(0, 6)};
    const plan* const up_to_config =
        rig.planner.expect({reinterpret_cast<const unsigned char*>(coming.data()), 4}, rig.source, 0);
    ASSERT_NE(up_to_config, nullptr);
    EXPECT_EQ(up_to_config->length, 3u);
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

TEST(plan_cache, instructions_that_others_need_are_kept_when_the_library_forgets) {
    planner_rig rig;
    const isa::instruction* needed = &rig.planner.library().decode(mad(0, 0, 0, 5)).insn;
    rig.planner.forget({&needed});
    for (std::uint32_t imm = 0; imm < 1000; ++imm) rig.planner.library().decode(loadi(1, imm));
    EXPECT_EQ(needed->word, mad(0, 0, 0, 5));
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

} // namespace
} // namespace sfpu::timing
