// Rules T16, T17 and T18 of the timing contract, and T8 and T9 for neighbours.
#include <sfpu/isa/table.h>
#include <sfpu/timing/issue_rules.h>
#include <sfpu/timing/neighbour_rules.h>

#include <gtest/gtest.h>

namespace sfpu::timing {
namespace {

constexpr architecture bh = architecture::blackhole, wh = architecture::wormhole;
constexpr std::uint32_t mad_to_l3 = 0x84123430; // sfpmad L2, L3, L4, L3

struct outcome {
    std::int64_t wait;
    hold_cause cause;
    bool unprotected;
};

/// What happens to `second` directly after `first`.
outcome after(std::uint32_t first, std::uint32_t second, architecture arch) {
    parameters config;
    config.arch = arch;
    issue_rules rules;
    rules.reset(config);
    const isa::instruction producer = isa::decode(first, arch);
    rules.issued(producer, cycles{10}, 0);
    outcome result{};
    const isa::instruction insn = isa::decode(second, arch);
    const cycles at = rules.may_issue(insn, cycles{11}, result.cause);
    result.wait = (at - cycles{11}).count();
    issue_rules::unprotected_read found;
    result.unprotected = rules.reads_too_early(insn, at, found);
    return result;
}

TEST(rule_t16, a_reader_of_a_mad_result_waits_one_cycle_on_blackhole) {
    const outcome o = after(mad_to_l3, 0x7d000310, bh); // sfpabs L3 -> L1
    EXPECT_EQ(o.wait, 1);
    EXPECT_EQ(o.cause, hold_cause::mad_dependence);
    EXPECT_FALSE(o.unprotected);
}

TEST(rule_t16, an_independent_instruction_does_not_wait) {
    EXPECT_EQ(after(mad_to_l3, 0x7d000410, bh).wait, 0);
}

TEST(rule_t16, what_a_mode_does_not_read_causes_no_wait) {
    EXPECT_EQ(after(mad_to_l3, 0x71300000, bh).wait, 0); // sfploadi L3, FLOATB: overwrites
    EXPECT_EQ(after(mad_to_l3, 0x71380000, bh).wait, 1); // UPPER keeps half
    EXPECT_EQ(after(mad_to_l3, 0x70340000, bh).wait, 0); // sfpload L3, INT32
    EXPECT_EQ(after(mad_to_l3, 0x703e0000, bh).wait, 1); // LO16_ONLY
    EXPECT_EQ(after(mad_to_l3, 0x7b000301, bh).wait, 0); // sfpsetcc by immediate
    EXPECT_EQ(after(mad_to_l3, 0x7b000300, bh).wait, 1); // sfpsetcc VC = 3
}

TEST(rule_t16, indirect_operands_count_as_every_register) {
    EXPECT_EQ(after(0x84123438, 0x7d000510, bh).wait, 1); // INDIRECT_VD writes L5 perhaps
    EXPECT_EQ(after(0x84123450, 0x84111174, bh).wait, 1); // INDIRECT_VA reads L5 perhaps
    EXPECT_EQ(after(0x84123470, 0x84111158, bh).wait, 1); // INDIRECT_VD reads L7
}

TEST(rule_t16, the_blind_spots_read_the_old_value_and_are_found) {
    const std::uint32_t blind[] = {
        0x7e003411, // sfpand USE_VB, VB = 3
        0x7f003411, // sfpor USE_VB
        0x79000430, // sfpiadd VD = 3
        0x7a000430, // sfpshft VD = 3
        0x92000431, // sfpswap MIN_MAX, VD = 3
        0x94000312, // sfpshft2 mode 2, VC = 3
        0x94000313, // mode 3
        0x94000314, // mode 4
        0x94003415, // mode 5, VB = 3
        0x94003016, // mode 6, VB = 3
    };
    for (std::uint32_t word : blind) {
        const outcome o = after(mad_to_l3, word, bh);
        EXPECT_EQ(o.wait, 0) << std::hex << word;
        EXPECT_TRUE(o.unprotected) << std::hex << word;
    }
    const outcome config = after(0x84123400, 0x910000f0, bh); // sfpmad -> L0, sfpconfig from L0
    EXPECT_EQ(config.wait, 0);
    EXPECT_TRUE(config.unprotected);
}

TEST(rule_t16, the_blind_logic_waits_for_registers_that_are_not_read) {
    EXPECT_EQ(after(mad_to_l3, 0x7e001431, bh).wait, 1); // sfpand USE_VB with VD = 3: seen as reading VD
    EXPECT_EQ(after(mad_to_l3, 0x94001435, bh).wait, 1); // sfpshft2 mode 5 with VD = 3
    EXPECT_EQ(after(mad_to_l3, 0x8e003210, bh).wait, 1); // sfpstochrnd with VB = 3, unused
}

TEST(rule_t16, sfplutfp32_is_judged_by_its_mirrored_modifier) {
    EXPECT_EQ(after(0x95080030, 0x7d000510, bh).wait, 1); // mirror bit 3: may write L5
    EXPECT_EQ(after(0x95000030, 0x7d000510, bh).wait, 0); // clear: writes VD only
    EXPECT_EQ(after(0x84123470, 0x95000010, bh).wait, 0); // clear: reads all but L7
    EXPECT_EQ(after(0x84123450, 0x95000010, bh).wait, 1);
}

TEST(rule_t16, after_sfpswap_everything_but_sfpnop_waits_on_both_chips) {
    for (architecture arch : {bh, wh}) {
        EXPECT_EQ(after(0x92000120, 0x7d000310, arch).wait, 1);
        EXPECT_EQ(after(0x92000120, 0x7d000310, arch).cause, hold_cause::swap);
        EXPECT_EQ(after(0x92000120, 0x8f000000, arch).wait, 0);
        EXPECT_EQ(after(0x92000120, 0x38000000, arch).wait, 0); // a front-end word fills the cycle
    }
}

TEST(rule_t16, after_a_two_cycle_sfpshft2_only_blackhole_waits) {
    for (std::uint32_t mode : {2u, 3u, 4u}) {
        EXPECT_EQ(after(0x94000110 | mode, 0x7d000310, bh).wait, 1);
        EXPECT_EQ(after(0x94000110 | mode, 0x7d000310, wh).wait, 0);
    }
    EXPECT_EQ(after(0x94000116, 0x7d000310, bh).wait, 0);
}

TEST(rule_t17, wormhole_never_waits_for_a_mad_and_the_read_is_found) {
    const outcome o = after(mad_to_l3, 0x7d000310, wh);
    EXPECT_EQ(o.wait, 0);
    EXPECT_TRUE(o.unprotected);
}

TEST(rule_t16, a_bubble_satisfies_a_stall) {
    issue_rules rules;
    rules.reset({});
    const isa::instruction mad = isa::decode(mad_to_l3, bh);
    rules.issued(mad, cycles{10}, 0);
    hold_cause cause;
    EXPECT_EQ(rules.may_issue(isa::decode(0x7d000310, bh), cycles{12}, cause), cycles{12});
    EXPECT_EQ(cause, hold_cause::none);
}

TEST(rule_t13, a_discarded_producer_still_stalls_but_leaves_nothing_to_read_too_early) {
    issue_rules rules;
    rules.reset({});
    const isa::instruction mad = isa::decode(mad_to_l3, bh);
    rules.issued(mad, cycles{10}, 0);
    rules.was_discarded();
    hold_cause cause;
    EXPECT_EQ(rules.may_issue(isa::decode(0x7d000310, bh), cycles{11}, cause), cycles{12});
    issue_rules::unprotected_read found;
    EXPECT_FALSE(rules.reads_too_early(isa::decode(0x79000430, bh), cycles{11}, found));
}

// --- T8 and T9 -------------------------------------------------------------------------------------------------------

isa::instruction to_l16(std::uint32_t word) {
    isa::instruction insn = isa::decode(word, bh);
    insn.vd = 16;
    isa::refresh(insn, bh);
    return insn;
}

TEST(rule_t9, simple_and_round_share_a_cycle_if_exactly_one_writes_l16) {
    const isa::instruction abs = isa::decode(0x7d000310, bh), shift = isa::decode(0x94000216, bh);
    EXPECT_FALSE(may_share_cycle(abs, shift));
    EXPECT_TRUE(may_share_cycle(to_l16(0x7d000310), shift));
    EXPECT_TRUE(may_share_cycle(abs, to_l16(0x94000216)));
    EXPECT_FALSE(may_share_cycle(to_l16(0x7d000310), to_l16(0x94000216)));
    EXPECT_TRUE(may_share_cycle(isa::decode(0x7b000300, bh), shift)); // sfpsetcc writes no LReg
    EXPECT_TRUE(may_share_cycle(isa::decode(0x8f000000, bh), shift));
}

TEST(rule_t8, sfpswap_wants_mad_idle_in_its_first_cycle_and_simple_and_round_in_its_second) {
    const isa::instruction swap = isa::decode(0x92000120, bh), mad = isa::decode(mad_to_l3, bh);
    const isa::instruction abs = isa::decode(0x7d000310, bh), nop = isa::decode(0x8f000000, bh);
    neighbour_rules rules;
    rules.reset(bh);
    EXPECT_TRUE(rules.check(cycles{0}, {&swap, &mad, nullptr}).swap);
    EXPECT_TRUE(rules.check(cycles{1}, {&abs, nullptr, nullptr}).swap);
    rules.reset(bh);
    EXPECT_FALSE(rules.check(cycles{0}, {&swap, &nop, nullptr}).swap);
    EXPECT_FALSE(rules.check(cycles{1}, {&nop, &mad, nullptr}).swap);
    EXPECT_FALSE(rules.check(cycles{2}, {&abs, nullptr, nullptr}).swap);
}

TEST(rule_t8, a_two_cycle_sfpshft2_wants_simple_and_round_idle_in_its_second_cycle_but_not_mad) {
    const isa::instruction shuffle = isa::decode(0x94000113, bh), mad = isa::decode(mad_to_l3, bh);
    const isa::instruction abs = isa::decode(0x7d000310, bh);
    neighbour_rules rules;
    rules.reset(bh);
    EXPECT_FALSE(rules.check(cycles{0}, {nullptr, &mad, &shuffle}).any());
    EXPECT_TRUE(rules.check(cycles{1}, {&abs, nullptr, nullptr}).shuffle);
    rules.reset(bh);
    rules.check(cycles{0}, {nullptr, nullptr, &shuffle});
    EXPECT_FALSE(rules.check(cycles{1}, {nullptr, &mad, nullptr}).any());
}

} // namespace
} // namespace sfpu::timing
