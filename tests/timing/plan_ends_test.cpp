// Where plans end: behind what changes the rules, at a limit, and where nothing moves any more. Expected
// cycles follow from the timing contract. Issued one a cycle, word n of a push into an idle unit is in cycle
// n.
#include "planner_rig.h"

#include <gtest/gtest.h>

namespace sfpu::timing {
namespace {

using namespace words;

TEST(plan_ends, behind_sfpconfig_of_lane_config_only) {
    for (std::uint32_t destination = 0; destination < 16; ++destination) {
        planner_rig rig;
        rig.push({abs(1, 2), config(destination, 0), abs(1, 2), abs(1, 2)});
        const bool ends = destination == lane_config || destination == 9 || destination == 10;
        EXPECT_EQ(rig.lengths, ends ? (std::vector<unsigned>{2, 2}) : (std::vector<unsigned>{4}))
            << destination;
        EXPECT_EQ(rig.issued_at, (std::vector<std::int64_t>{0, 1, 2, 3}));
    }
}

/// Nothing but an SFPLOADMACRO depends on LoadMacroConfig.
TEST(plan_ends, in_front_of_the_first_macro_behind_a_write_of_its_configuration) {
    for (const std::uint32_t write : {config(0, 0), config(4, 0), config(8, 0), abs(1, 12)}) {
        planner_rig rig;
        rig.push({loadmacro(0, 1), write, abs(1, 2), loadmacro(0, 1), abs(1, 2), loadmacro(0, 1)});
        EXPECT_EQ(rig.lengths, (std::vector<unsigned>{3, 3})) << std::hex << write;
        EXPECT_EQ(rig.issued_at, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
    }
}

TEST(plan_ends, with_two_issue_slots_behind_each_write_of_configuration) {
    parameters config_of;
    config_of.sfpu_issue_width = 2;
    planner_rig rig(config_of);
    rig.push({config(8, 0), nop, abs(1, 2), abs(1, 2)});
    EXPECT_EQ(rig.lengths.size(), 2u);
}

TEST(plan_ends, a_template_write_says_that_the_rules_have_changed) {
    const std::vector<std::uint32_t> words{abs(1, 2), abs(1, 12), abs(1, 2)};
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

/// SFPSWAP and SFPSHFT2 of constants: no results are under way that would have to be waited for.
TEST(plan_idle, the_second_cycle_of_what_writes_nothing_passes_like_any_other) {
    const auto busy = [](const planner_rig& rig, isa::sub_unit unit) {
        return rig.counts.busy[static_cast<std::size_t>(unit)];
    };
    for (const std::uint32_t two_cycles : {swap(9, 10), shuffle(9, 10)}) {
        planner_rig idle;
        idle.push({two_cycles});
        EXPECT_FALSE(idle.planner.moves());
        idle.idle(1);
        idle.push({load(1)});
        EXPECT_EQ(idle.issued_at, (std::vector<std::int64_t>{0, 2}));
        EXPECT_EQ(busy(idle, isa::sub_unit::simple), 0u);
        EXPECT_EQ(busy(idle, isa::sub_unit::round), 0u);
        planner_rig neighbour;
        neighbour.push({two_cycles});
        neighbour.idle(1);
        neighbour.push({abs(1, 2)});
        EXPECT_EQ(neighbour.reports(), 1u); // that its result is lost
    }
}

/// A scheduled SFPNOP takes the unit of the issued word (T13), so that no result is under way; the stall
/// logic waits all the same.
TEST(plan_idle, what_the_stall_logic_expects_of_a_discarded_word_passes_like_any_other) {
    const auto issued_at = [](unsigned unit, std::uint32_t discarded, std::int64_t bubbles,
                              std::uint32_t next) {
        planner_rig rig;
        rig.set_macro(0, sequence_of(2, 0) << unit);
        rig.push({loadmacro(0, 3), discarded});
        EXPECT_EQ(rig.reports(report_id::issue_discarded_by_macro).size(), 1u);
        EXPECT_FALSE(rig.planner.moves());
        rig.idle(bubbles);
        rig.push({next});
        return rig.issued_at.back();
    };
    EXPECT_EQ(issued_at(on_mad, mad(0, 0, 0, 3), 0, abs(3, 4)), 3);
    EXPECT_EQ(issued_at(on_mad, mad(0, 0, 0, 3), 1, abs(3, 4)), 3);
    EXPECT_EQ(issued_at(on_simple, swap(1, 2), 0, load(1)), 3);
    EXPECT_EQ(issued_at(on_simple, swap(1, 2), 1, load(1)), 3);
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
    rig.idle(5);
    EXPECT_EQ(rig.planner.wait(reader, cycles{7}, cause), 1u);
    EXPECT_EQ(rig.planner.wait(reader, cycles{8}, cause), 0u);
}

} // namespace
} // namespace sfpu::timing
