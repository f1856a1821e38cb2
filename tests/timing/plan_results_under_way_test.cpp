// Results that take longer than the chips': who reads too early, what comes too late, whatever the latencies.
// Expected cycles follow from rules T2 and T3: a result is visible as many cycles after its instruction as
// its latency says. Issued one a cycle, word n of a push into an idle unit is in cycle n.
#include "planner_rig.h"

#include <gtest/gtest.h>

namespace sfpu::timing {
namespace {

using namespace words;

using setting = unsigned parameters::*;

parameters machine_with(setting latency, unsigned cycles) {
    parameters result;
    result.*latency = cycles;
    return result;
}

std::size_t count_reports(report_id id, const parameters& config, const std::vector<std::uint32_t>& pushed) {
    planner_rig rig(config);
    rig.push(pushed);
    return rig.reports(id).size();
}

constexpr std::uint32_t mul_to_l1 = 0x86000910, move_to_l1 = 0x7c000210; // SFPMUL, SFPMOV
constexpr std::uint32_t round_to_l1 = 0x8e000211;                        // SFPSTOCHRND
constexpr std::uint32_t load_l1 = 0x70140000, mad_of_l1 = 0x84011900;

TEST(late_write, of_a_slow_mad_behind_a_move_is_reported_with_both_words) {
    planner_rig rig(machine_with(&parameters::latency_mad, 3));
    rig.next_word = 5;
    rig.push({mul_to_l1, move_to_l1}); // visible in cycles 3 and 2
    const auto said = rig.reports(report_id::hazard_late_write);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0].word, 6);
    EXPECT_EQ(said[0].what.insn->word, move_to_l1);
    EXPECT_EQ(said[0].what.second->word, mul_to_l1);
    EXPECT_EQ(said[0].what.other, 1);
    EXPECT_EQ(said[0].what.number, 0); // words from the first of the plan
}

TEST(late_write, is_none_where_both_results_come_together_or_in_order) {
    for (const unsigned mad_latency : {1u, 2u, 3u, 5u, 8u})
        for (unsigned between = 0; between < 8; ++between) {
            std::vector<std::uint32_t> pushed{mul_to_l1};
            pushed.insert(pushed.end(), between, nop);
            pushed.push_back(move_to_l1); // in cycle between + 1, visible in the next one
            EXPECT_EQ(count_reports(report_id::hazard_late_write,
                                    machine_with(&parameters::latency_mad, mad_latency), pushed),
                      mad_latency > between + 2 ? 1u : 0u)
                << "a MAD of " << mad_latency << ", " << between << " SFPNOPs";
        }
    const parameters slow = machine_with(&parameters::latency_mad, 3);
    EXPECT_EQ(count_reports(report_id::hazard_late_write, slow, {mul_to_l1, 0x7c000220}), 0u); // writes L2
}

TEST(late_write, of_every_class_of_results) {
    const std::vector<std::pair<setting, std::uint32_t>> slow{
        {&parameters::latency_load, load(1)},      {&parameters::latency_load, loadi(1, 7)},
        {&parameters::latency_simple, abs(2, 1)},  {&parameters::latency_mad, mad(2, 2, 2, 1)},
        {&parameters::latency_round, round_to_l1},
    };
    for (const auto& [latency, word] : slow)
        for (const auto& [other_latency, younger] : slow) {
            if (latency == other_latency) continue;
            const bool is_mad = other_latency == &parameters::latency_mad; // takes two cycles itself
            const parameters config = machine_with(latency, is_mad ? 4 : 3);
            EXPECT_EQ(count_reports(report_id::hazard_late_write, config, {word, younger}), 1u);
            EXPECT_EQ(count_reports(report_id::hazard_late_write, config, {word, nop, nop, younger}), 0u);
        }
    parameters shuffles = wormhole(); // nothing stalls behind it
    shuffles.latency_shuffle = 4;
    EXPECT_EQ(count_reports(report_id::hazard_late_write, shuffles, {shuffle(2, 1), loadi(1, 7)}), 1u);
    EXPECT_EQ(count_reports(report_id::hazard_late_write, shuffles, {shuffle(2, 1), nop, nop, loadi(1, 7)}),
              0u);
}

TEST(late_write, counts_the_register_that_a_load_fills_beside_its_own) {
    parameters config = machine_with(&parameters::latency_load, 3);
    planner_rig rig(config);
    rig.set_lane_config(0xc); // ENABLE_DEST_INDEX, CAPTURE_DEFAULT_DEST_INDEX: a load of L0 fills L4
    rig.push({load(0), abs(2, 4)});
    EXPECT_EQ(rig.reports(report_id::hazard_late_write).size(), 1u);
    EXPECT_EQ(count_reports(report_id::hazard_late_write, config, {load(0), abs(2, 4)}), 0u);
}

TEST(unprotected_read, of_a_slow_load_is_reported) {
    const parameters slow = machine_with(&parameters::latency_load, 2);
    planner_rig rig(slow);
    rig.push({load_l1, mad_of_l1});
    const auto said = rig.reports(report_id::hazard_unprotected_read);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0].word, 1);
    EXPECT_EQ(said[0].what.other, 1);
    EXPECT_EQ(said[0].what.second->word, load_l1);
    EXPECT_EQ(count_reports(report_id::hazard_unprotected_read, slow, {load_l1, nop, mad_of_l1}), 0u);
    EXPECT_EQ(count_reports(report_id::hazard_unprotected_read, {}, {load_l1, mad_of_l1}), 0u);
}

TEST(unprotected_read, of_every_class_of_results_is_reported_as_long_as_it_is_under_way) {
    const std::vector<std::pair<setting, std::uint32_t>> slow{
        {&parameters::latency_load, load(1)},
        {&parameters::latency_load, loadi(1, 7)},
        {&parameters::latency_simple, abs(2, 1)},
        {&parameters::latency_round, round_to_l1},
    };
    for (const auto& [latency, word] : slow)
        for (const unsigned cycles : {1u, 2u, 5u, 8u})
            for (unsigned distance = 1; distance < 10; ++distance) {
                std::vector<std::uint32_t> pushed{word};
                pushed.insert(pushed.end(), distance - 1, nop);
                pushed.push_back(store(1));
                EXPECT_EQ(
                    count_reports(report_id::hazard_unprotected_read, machine_with(latency, cycles), pushed),
                    distance < cycles ? 1u : 0u)
                    << "latency " << cycles << ", distance " << distance;
            }
}

// --- other than on the chip --------------------------------------------------------------------------------

std::vector<chip_difference> differences(const planner_rig& rig) {
    std::vector<chip_difference> result;
    for (const auto& each : rig.reports(report_id::macro_other_than_chip))
        result.push_back(static_cast<chip_difference>(each.what.number));
    return result;
}
using different = std::vector<chip_difference>;
constexpr std::uint32_t store_l16 = 3u | 0x40u;

struct macro_run {
    parameters config;
    std::uint32_t sequence;
    std::vector<std::uint32_t> pushed;
    std::uint32_t misc = counts_cycles;
};
different found_by(const macro_run& run) {
    planner_rig rig(run.config);
    rig.set_templates(usual_templates);
    rig.set_macro(0, run.sequence, run.misc);
    rig.push(run.pushed);
    rig.idle(40);
    return differences(rig);
}

TEST(other_than_chip, is_never_said_of_the_chip) {
    const std::uint32_t sequence = sequence_of(4, 0) << on_simple | sequence_of(5, 1, false, true) << on_mad |
                                   sequence_of(6, 2) << on_round | (store_l16 | 3u << 3) << on_store;
    for (const parameters& chip : {parameters{}, wormhole()})
        EXPECT_EQ(found_by({chip,
                            sequence,
                            {loadmacro(0, 1), mad(1, 1, 1, 2), abs(2, 3), loadmacro(0, 3), swap(1, 2), nop,
                             load(1), nop, nop, nop}}),
                  different{});
}

/// SFPMAD in cycle 1 to L16, which a store reads in cycle 1 + distance: the chip has it there at distance 2.
TEST(other_than_chip, a_scheduled_read_sees_another_value_in_the_cycles_between_both_latencies) {
    for (unsigned distance = 1; distance < 6; ++distance) {
        const std::uint32_t sequence = sequence_of(5, 0, false, true) << on_mad | (store_l16 | distance << 3)
                                                                                      << on_store;
        const std::vector<std::uint32_t> pushed{loadmacro(0, 1), nop, nop, nop, nop, nop, nop, nop};
        EXPECT_EQ(found_by({machine_with(&parameters::latency_mad, 4), sequence, pushed}),
                  distance == 2 || distance == 3 ? different{chip_difference::read_late} : different{})
            << distance;
        EXPECT_EQ(found_by({machine_with(&parameters::latency_mad, 1), sequence, pushed}),
                  distance == 1 ? different{chip_difference::read_early} : different{})
            << distance;
    }
}

TEST(other_than_chip, results_of_scheduled_instructions_stay_in_another_order) {
    // SFPMAD in cycle 1 to L1, SFPLOADI behind it in cycle 2: on the chip they come together.
    const std::uint32_t sequence = sequence_of(5, 0) << on_mad;
    EXPECT_EQ(
        found_by({machine_with(&parameters::latency_mad, 3), sequence, {loadmacro(0, 1), nop, loadi(1, 7)}}),
        different{chip_difference::other_last});
    EXPECT_EQ(
        found_by({machine_with(&parameters::latency_mad, 3), sequence, {loadmacro(0, 1), nop, loadi(2, 7)}}),
        different{});
}

TEST(other_than_chip, a_word_that_waits_longer_moves_against_what_is_outstanding) {
    const std::uint32_t sequence = sequence_of(4, 7) << on_simple;
    const parameters slow = machine_with(&parameters::latency_mad, 3);
    EXPECT_EQ(found_by({slow, sequence, {loadmacro(0, 1), mad(2, 2, 2, 3), shift(3, 4)}}),
              different{chip_difference::held_otherwise});
    EXPECT_EQ(found_by({slow, sequence, {loadmacro(0, 1), mad(2, 2, 2, 3), nop, nop, shift(3, 4)}}),
              different{});
    EXPECT_EQ(found_by({slow, sequence, {mad(2, 2, 2, 3), shift(3, 4), loadmacro(0, 1)}}), different{});
    parameters unheld;
    unheld.sfpu_auto_stall = stall_choice::off;
    EXPECT_EQ(found_by({unheld, sequence, {loadmacro(0, 1), mad(2, 2, 2, 3), shift(3, 4)}}),
              different{chip_difference::held_otherwise});
}

TEST(other_than_chip, two_words_in_one_cycle_are_one_tick) {
    parameters wide;
    wide.sfpu_issue_width = 2;
    const std::uint32_t sequence = sequence_of(4, 4) << on_simple;
    EXPECT_EQ(found_by({wide, sequence, {loadmacro(0, 1), nop, mad(2, 2, 2, 3), shift(4, 5)}}),
              different{chip_difference::issued_together});
    EXPECT_EQ(found_by({wide, sequence, {mad(2, 2, 2, 3), shift(4, 5), loadmacro(0, 1)}}), different{});
    // A word of the front end is no tick, but takes a cycle on the chip.
    EXPECT_EQ(found_by({wide, sequence, {loadmacro(0, 1), incrwc(1), mad(2, 2, 2, 3)}}),
              different{chip_difference::issued_together});
    EXPECT_EQ(found_by({wide, sequence, {incrwc(1), mad(2, 2, 2, 3), loadmacro(0, 1)}}), different{});
}

TEST(other_than_chip, a_second_unit_keeps_what_the_chip_drops) {
    parameters two_mads;
    two_mads.sfpu_mad_units = 2;
    const std::uint32_t sequence = sequence_of(5, 0) << on_mad;
    EXPECT_EQ(found_by({two_mads, sequence, {loadmacro(0, 1), mad(2, 2, 2, 3), nop}}),
              different{chip_difference::not_discarded});
    EXPECT_EQ(found_by({two_mads, sequence, {loadmacro(0, 1), nop, mad(2, 2, 2, 3)}}), different{});
    parameters two_stores;
    two_stores.dst_store_ports = 2;
    planner_rig rig(two_stores); // stores of both macros in cycle 3
    rig.set_macro(0, (3u | 2u << 3) << on_store);
    rig.set_macro(1, (3u | 1u << 3) << on_store);
    rig.push({loadmacro(0, 1), loadmacro(1, 2), nop, nop});
    EXPECT_EQ(differences(rig), different{chip_difference::not_forgotten});
    EXPECT_TRUE(rig.reports(report_id::macro_forgotten).empty());
}

TEST(other_than_chip, is_said_once_of_each_kind) {
    const std::uint32_t sequence = sequence_of(5, 0, false, true) << on_mad | (store_l16 | 2u << 3)
                                                                                  << on_store;
    std::vector<std::uint32_t> pushed;
    for (unsigned i = 0; i < 20; ++i) pushed.insert(pushed.end(), {loadmacro(0, 1), nop, nop, nop, nop, nop});
    EXPECT_EQ(found_by({machine_with(&parameters::latency_mad, 3), sequence, pushed}),
              different{chip_difference::read_late});
}

TEST(beyond_machine, a_delay_that_has_more_bits_than_the_machine_is_reported) {
    parameters config;
    config.macro_delay_bits = 2;
    for (unsigned delay = 0; delay < 8; ++delay) {
        planner_rig rig(config);
        rig.set_templates(usual_templates);
        rig.set_macro(0, sequence_of(4, delay) << on_simple);
        rig.push({loadmacro(0, 1), nop, nop, nop, nop, nop, nop, nop, nop, nop});
        EXPECT_EQ(rig.reports(report_id::macro_beyond_machine).size(), delay > 3 ? 1u : 0u) << delay;
    }
}

// --- threads -----------------------------------------------------------------------------------------------

constexpr std::uint32_t template_0 = abs(0, 12), template_1 = abs(0, 13);
constexpr std::uint32_t sequence_0 = config(4, 4), sequence_1 = config(5, 4), misc_0 = config(misc, 0x10);

/// Words of several threads, one after the other; the last one is the SFPLOADMACRO that is asked about.
/// Parts that another thread has overwritten, and which thread.
struct foreign_parts {
    std::uint32_t parts = 0;
    unsigned thread = 0;
    friend bool operator==(const foreign_parts& a, const foreign_parts& b) {
        return a.parts == b.parts && a.thread == b.thread;
    }
};
std::vector<foreign_parts>
foreign(const std::vector<std::pair<unsigned, std::vector<std::uint32_t>>>& by_thread) {
    planner_rig rig;
    rig.set_templates(usual_templates);
    rig.set_macro(0, sequence_of(4, 0) << on_simple);
    for (const auto& [thread, pushed] : by_thread) {
        rig.source.thread = static_cast<std::uint8_t>(thread);
        rig.push(pushed);
    }
    std::vector<foreign_parts> result;
    for (const auto& each : rig.reports(report_id::macro_other_thread))
        result.push_back({static_cast<std::uint32_t>(each.what.number), each.what.other});
    return result;
}
using parts = std::vector<foreign_parts>;
constexpr std::uint32_t of_template_0 = 1u, of_sequence_0 = 1u << 8, of_misc = 1u << 16;

TEST(other_thread, that_wrote_what_a_macro_uses_behind_the_thread_itself_is_named) {
    const std::vector<std::uint32_t> set_up{template_0, sequence_0, misc_0, nop, nop};
    EXPECT_EQ(foreign({{0, set_up}, {1, set_up}, {0, {loadmacro(0, 1)}}}),
              (parts{{of_template_0 | of_sequence_0 | of_misc, 1}}));
    EXPECT_EQ(foreign({{0, set_up}, {1, set_up}, {1, {loadmacro(0, 1)}}}), parts{});
    EXPECT_EQ(foreign({{0, set_up}, {0, {loadmacro(0, 1)}}, {1, set_up}}), parts{});
    EXPECT_EQ(foreign({{0, set_up}, {1, set_up}, {0, set_up}, {0, {loadmacro(0, 1)}}}), parts{});
    EXPECT_EQ(foreign({{1, set_up}, {2, {template_0}}, {0, {misc_0, nop, nop}}, {1, {loadmacro(0, 1)}}}),
              (parts{{of_misc, 0}, {of_template_0, 2}}));
}

TEST(other_thread, that_sets_up_for_all_is_not_named) {
    EXPECT_EQ(foreign({{1, {template_0, sequence_0, misc_0, nop, nop}}, {0, {loadmacro(0, 1)}}}), parts{});
    EXPECT_EQ(foreign({{1, {template_0, sequence_0, misc_0, nop, nop}},
                       {2, {template_0, nop, nop}},
                       {0, {loadmacro(0, 1)}}}),
              parts{});
}

TEST(other_thread, that_wrote_other_parts_is_not_named) {
    const std::vector<std::uint32_t> set_up{template_0, sequence_0, misc_0, nop, nop};
    EXPECT_EQ(foreign({{0, set_up}, {1, {template_1, sequence_1, nop, nop}}, {0, {loadmacro(0, 1)}}}),
              parts{});
    EXPECT_EQ(foreign({{0, set_up}, {1, {config(1, 0), nop, nop}}, {0, {loadmacro(0, 1)}}}), parts{});
    EXPECT_EQ(foreign({{0, set_up}, {1, {sequence_0, nop, nop}}, {0, {loadmacro(1, 1)}}}), parts{});
}

} // namespace
} // namespace sfpu::timing
