// Plans for machines with more than the chips have: two issue slots, a second MAD unit, more ports. Expected
// cycles follow from the timing contract. Issued one a cycle, word n of a push into an idle unit is in cycle
// n.
#include "planner_rig.h"

#include <gtest/gtest.h>

namespace sfpu::timing {
namespace {

using namespace words;
using lines = std::vector<std::string>;

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
    EXPECT_FALSE(share(0x79001220, load(4)));       // SFPIADD writes flags too
    EXPECT_TRUE(share(iadd(1, 2), load(4)));        // but not in this mode
    EXPECT_TRUE(share(load(4), setcc(1)));
    EXPECT_FALSE(share(swap(1, 2), load(4)));
    EXPECT_FALSE(share(shuffle(1, 2), load(4)));
    EXPECT_FALSE(share(0x8e003210, 0x7c000928)); // SFPSTOCHRND, SFPMOV that reads the random numbers
    EXPECT_TRUE(share(0x8e003210, 0x7c000028));  // SFPMOV that reads a template
}

TEST(two_issue_slots, a_word_writes_flags_only_in_the_modes_that_do) {
    constexpr std::uint32_t sfpload = 0x70540010;
    const std::vector<std::uint32_t> silent{
        0x79001224, // SFPIADD CC_NONE
        0x79001225, // the same with an immediate
        0x790012b0, // to a constant: neither a result nor flags (T9)
        0x77000120, // SFPEXEXP
        0x81000124, // SFPLZ NOSGN_MASK
        0x96000128, // SFPLE SET_VD
        0x96000122, // SFPLE MUTATE_STACK: the stack is no flags
        0x97000128, // SFPGT SET_VD
        0x7f000120, // SFPOR
    };
    for (const std::uint32_t word : silent) EXPECT_TRUE(share(word, sfpload)) << std::hex << word;
    const std::vector<std::uint32_t> writers{
        0x79001220, // SFPIADD CC_LT0
        0x7900122c, // CC_GTE0 and CC_NONE: complements
        0x77000122, // SFPEXEXP SET_CC_SGN_EXP
        0x81000122, // SFPLZ CC_NE0
        0x96000121, // SFPLE SET_CC
        0x97000121, // SFPGT SET_CC
        0x7b000100, // SFPSETCC
        0x8a000000, // SFPENCC
    };
    for (const std::uint32_t word : writers) EXPECT_FALSE(share(word, sfpload)) << std::hex << word;
}

TEST(two_issue_slots, random_numbers_are_taken_in_the_order_of_the_words) {
    constexpr std::uint32_t stochastic_cast = 0x9042a511, round = 0x8e263b03;
    for (const bool rule : {false, true}) {
        parameters config = two_slots();
        config.sfpu_write_port_rule = rule;
        EXPECT_FALSE(share(stochastic_cast, round, config));
        EXPECT_FALSE(share(round, stochastic_cast, config));
        EXPECT_FALSE(share(stochastic_cast, 0x8e060a23, config)); // to nearest takes them, too
        EXPECT_TRUE(share(0x9042a510, round, config));            // SFPCAST to nearest takes none
        EXPECT_TRUE(share(stochastic_cast, shift(3, 4), config));
    }
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

/// The same with accesses of Dst, of which address modifier 3 leaves the counters alone.
bool share_dst(std::uint32_t first, std::uint32_t second, const parameters& config = two_slots(),
               std::uint32_t lane_config_value = 0) {
    planner_rig rig(config);
    rig.still_modifiers = 1u << 3;
    rig.set_lane_config(lane_config_value);
    rig.push({first, second});
    return rig.issued_at[0] == rig.issued_at[1];
}
constexpr std::uint32_t in_mode(unsigned mode, std::uint32_t int32_access) {
    return (int32_access & ~0xf0000u) | mode << 16;
}
constexpr unsigned srcb = 0, uint16 = 6, int32_all = 10;

TEST(two_issue_slots, two_accesses_of_dst_share_a_cycle_if_the_first_leaves_the_counters_alone) {
    EXPECT_TRUE(share_dst(load(1, 0, 3), store(2)));
    EXPECT_FALSE(share_dst(load(1, 0, 2), store(2)));
    EXPECT_FALSE(share_dst(store(2, 0, 2), load(1, 4)));
    EXPECT_FALSE(share_dst(in_mode(int32_all, store(2, 0, 3)), load(1, 4))); // may move the stack pointer
}

TEST(two_issue_slots, what_the_first_stores_the_second_neither_loads_nor_stores_wherever_the_counters_stand) {
    // Bit 0 of an address is unused and bit 1 the column, so a distance of 1 is the same slice at every other
    // counter.
    EXPECT_FALSE(share_dst(store(2, 8, 3), load(1, 8, 3)));
    EXPECT_FALSE(share_dst(store(2, 8, 3), load(1, 9, 3)));
    EXPECT_FALSE(share_dst(store(2, 8, 3), load(1, 7, 3)));
    EXPECT_TRUE(share_dst(store(2, 8, 3), load(1, 10, 3)));
    EXPECT_TRUE(share_dst(store(2, 8, 3), load(1, 6, 3)));
    EXPECT_TRUE(share_dst(store(2, 8, 3), load(1, 11, 3)));
    // Rows 256 and 512 of the 32-bit view are the same (bits 8 and 9 both become bit 9 of the row of
    // storage).
    EXPECT_FALSE(share_dst(store(2, 0, 3), load(1, 256, 3)));
    EXPECT_FALSE(share_dst(store(2, 0, 3), load(1, 767, 3)));
    EXPECT_TRUE(share_dst(in_mode(uint16, store(2, 0, 3)), in_mode(uint16, load(1, 256, 3))));
    EXPECT_FALSE(share_dst(in_mode(uint16, store(2, 0, 3)), in_mode(uint16, load(1, 1023, 3))));
    // A 32-bit cell takes two rows of storage, which a 16-bit one may be; odd and even columns never meet.
    EXPECT_FALSE(share_dst(store(2, 0, 3), in_mode(uint16, load(1, 4, 3))));
    EXPECT_FALSE(share_dst(in_mode(uint16, store(2, 0, 3)), load(1, 4, 3)));
    EXPECT_TRUE(share_dst(store(2, 0, 3), in_mode(uint16, load(1, 2, 3))));
    // What SRCB stands for is known when it executes.
    EXPECT_TRUE(share_dst(in_mode(srcb, store(2, 0, 3)), in_mode(srcb, load(1, 4, 3))));
    EXPECT_FALSE(share_dst(in_mode(srcb, store(2, 0, 3)), in_mode(srcb, load(1, 256, 3))));
    EXPECT_FALSE(share_dst(in_mode(srcb, store(2, 0, 3)), in_mode(uint16, load(1, 4, 3))));
    EXPECT_TRUE(share_dst(in_mode(srcb, store(2, 0, 3)), in_mode(uint16, load(1, 2, 3))));
    EXPECT_FALSE(share_dst(store(2, 0, 3), in_mode(int32_all, load(1, 4, 3)))); // its address has other parts
    const std::uint32_t exchange = 1u << isa::lane_configuration::dest_rd_col_exchange;
    EXPECT_FALSE(share_dst(store(2, 0, 3), load(1, 2, 3), two_slots(), exchange));
    EXPECT_FALSE(share_dst(store(1, 0, 3), store(2, 4, 3))); // one Store unit
    parameters two_stores = two_slots();
    two_stores.dst_store_ports = 2;
    EXPECT_TRUE(share_dst(store(1, 0, 3), store(2, 4, 3), two_stores));
    EXPECT_FALSE(share_dst(store(1, 0, 3), store(2, 0, 3), two_stores));
}

TEST(two_issue_slots, a_word_that_moves_the_counters_executes_behind_the_one_in_front) {
    const auto steps = [](const parameters& config, std::uint32_t first, std::uint32_t second) {
        planner_rig rig(config);
        rig.still_modifiers = 1u << 3;
        rig.sample();
        rig.push({first, second, nop});
        return rig.steps;
    };
    EXPECT_EQ(steps(two_slots(), store(2, 0, 3), load(1, 4, 0)),
              (lines{"0: word 0 on store, direct", "0: word 1 on load, direct"}));
    // What the store reads the load may write: in the order of the words it does so at once, in the other one
    // at the end.
    EXPECT_EQ(steps(two_slots(), store(2, 0, 3), load(2, 4, 0)),
              (lines{"0: word 0 on store, direct", "0: word 1 on load, direct"}));
    EXPECT_EQ(steps(two_slots(), store(2, 0, 3), load(2, 4, 3)),
              (lines{"0: word 1 on load", "0: word 0 on store, direct", "0: commit load"}));
    parameters seen_at_once = two_slots(); // stores go first otherwise
    seen_at_once.dst_store_load_visible = 0;
    EXPECT_EQ(steps(seen_at_once, load(1, 4, 3), store(2, 0, 0)),
              (lines{"0: word 0 on load, direct", "0: word 1 on store, direct"}));
}

TEST(two_issue_slots, a_load_that_moves_the_counters_does_not_go_beside_a_scheduled_store_and_another) {
    // The load would have to be behind the first store and in front of the scheduled one, which goes before
    // that.
    parameters config = two_slots();
    config.dst_store_ports = 2;
    const auto both = [&](std::uint32_t second) {
        planner_rig rig(config);
        rig.still_modifiers = 1u << 3;
        rig.set_macro(0, sequence_of(3, 0) << on_store);
        rig.push({loadmacro(0, 3), store(1, 8, 3), second, nop});
        return rig.issued_at[2] == rig.issued_at[1];
    };
    EXPECT_TRUE(both(load(4, 16, 3)));
    EXPECT_FALSE(both(load(4, 16, 0)));
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

TEST(two_issue_slots, a_foreseen_plan_is_not_used_before_a_word_that_may_join_its_last_one) {
    planner_rig rig(two_slots());
    rig.set_lane_config(1u << isa::lane_configuration::disable_backdoor_load);
    const std::vector<std::uint32_t> words{nop, abs(1, 12), load(1), mad(0, 0, 0, 3)};
    const auto* bytes = reinterpret_cast<const unsigned char*>(words.data());
    EXPECT_EQ(rig.planner.foresee({bytes, 3}, rig.source, rig.next_word).length, 3u);
    rig.push(words);
    EXPECT_EQ(rig.issued_at, (std::vector<std::int64_t>{0, 0, 1, 1}));
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
    EXPECT_EQ(rig.reports(), 1u);
    EXPECT_EQ(rig.reports(report_id::macro_other_than_chip).size(), 1u); // which discards it
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
    EXPECT_EQ(stores.reports(), 1u);
    EXPECT_EQ(stores.reports(report_id::macro_other_than_chip).size(), 1u); // which discards the second
    planner_rig one_port;
    one_port.set_macro(0, sequence_of(3, 0) << on_store);
    one_port.push({loadmacro(0, 3), store(1), nop});
    EXPECT_EQ(one_port.reports(report_id::issue_discarded_by_macro).size(), 1u); // T6
}

} // namespace
} // namespace sfpu::timing
