// Rules T16, T17 and T18 of the timing contract, and T8 and T9 for neighbours.
#include "chips.h"

#include <sfpu/isa/table.h>
#include <sfpu/timing/issue_rules.h>
#include <sfpu/timing/neighbour_rules.h>

#include <gtest/gtest.h>

#include <deque>
#include <utility>

namespace sfpu::timing {
namespace {

using test::bh, test::wh;

constexpr std::uint32_t mad_to_l3 = 0x84123430; // sfpmad L2, L3, L4, L3

struct outcome {
    std::int64_t wait;
    hold_cause cause;
    bool unprotected;
};

/// The stall logic and its rules, cycle by cycle.
class issue_under_test {
public:
    explicit issue_under_test(const parameters& config = {})
        : arch_(config.arch), machine_(isa::make_machine(config)) {
        rules_.reset(machine_);
    }
    explicit issue_under_test(architecture arch) : issue_under_test(of(arch)) {}

    /// One cycle in which a word is issued.
    void issue(std::uint32_t word, bool discarded = false) {
        rules_.issued(state, decode(word), 0, discarded);
        state.advance(1);
        state.rebase(1);
    }
    /// Cycles that the word is held from the present one on, or from `later` cycles on.
    unsigned wait(std::uint32_t word, unsigned later = 0, word_role role = word_role::instruction) {
        return rules_.wait(state, decode(word), role, later, cause);
    }
    /// What it reads too early if it is issued in the present cycle, or null.
    const producer* reads_too_early(std::uint32_t word) { return rules_.read_too_early(state, decode(word)); }
    bool forbidden_after_shuffle(std::uint32_t word) {
        return rules_.forbidden_after_shuffle(state, decode(word));
    }

    issue_state state;
    hold_cause cause = hold_cause::none;

private:
    static parameters of(architecture arch) {
        parameters config;
        config.arch = arch;
        return config;
    }
    const isa::instruction& decode(std::uint32_t word) {
        return decoded_.emplace_back(isa::decode(word, arch_));
    }

    architecture arch_;
    isa::machine machine_;
    issue_rules rules_;
    std::deque<isa::instruction> decoded_; ///< which producers point to
};

/// What happens to `second` directly after `first`.
outcome after(std::uint32_t first, std::uint32_t second, architecture arch) {
    issue_under_test unit(arch);
    unit.issue(first);
    outcome result{};
    result.wait = unit.wait(second);
    result.cause = unit.cause;
    unit.state.advance(result.wait);
    result.unprotected = unit.reads_too_early(second) != nullptr;
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
    issue_under_test unit;
    unit.issue(mad_to_l3);
    EXPECT_EQ(unit.wait(0x7d000310), 1u);
    EXPECT_EQ(unit.wait(0x7d000310, 1), 0u); // offered a cycle later
    EXPECT_EQ(unit.cause, hold_cause::none);
    unit.state.advance(1);
    EXPECT_EQ(unit.wait(0x7d000310), 0u);
    EXPECT_EQ(unit.cause, hold_cause::none);
}

TEST(rule_t16, a_word_waits_for_the_last_of_several_causes) {
    parameters config;
    config.latency_mad = 5;
    issue_under_test unit(config);
    unit.issue(mad_to_l3);                // visible in cycle 5
    unit.issue(0x92000120);               // cycle 1, sfpswap L1, L2: nothing but SFPNOP in cycle 2
    EXPECT_EQ(unit.wait(0x7d000410), 1u); // sfpabs L4: SFPSWAP only
    EXPECT_EQ(unit.cause, hold_cause::swap);
    EXPECT_EQ(unit.wait(0x7d000310), 3u); // sfpabs L3: cycle 5
    EXPECT_EQ(unit.cause, hold_cause::mad_dependence);
    EXPECT_EQ(unit.wait(0x8f000000), 0u); // SFPNOP
}

TEST(rule_t16, latencies_decide_how_long_a_word_waits) {
    for (unsigned latency = 1; latency <= 8; ++latency) {
        parameters config;
        config.latency_mad = config.latency_swap = config.latency_shuffle = latency;
        const std::pair<std::uint32_t, std::uint32_t> pairs[] = {
            {mad_to_l3, 0x7d000310}, {0x92000120, 0x7d000310}, {0x94000113, 0x7d000310}};
        for (const auto& [first, second] : pairs) {
            issue_under_test unit(config);
            unit.issue(first);
            EXPECT_EQ(unit.wait(second), latency - 1) << std::hex << first << ", latency " << latency;
        }
    }
}

TEST(rule_t16, a_template_write_reads_and_writes_no_register_and_takes_one_cycle) {
    issue_under_test unit;
    unit.issue(mad_to_l3);
    EXPECT_EQ(unit.wait(0x7d0003c0, 0, word_role::template_write), 0u); // sfpabs L3 to VD 12
    EXPECT_EQ(unit.wait(0x7d0003c0), 1u);
    issue_under_test after_swap;
    after_swap.issue(0x92000120);
    EXPECT_EQ(after_swap.wait(0x7d0003c0, 0, word_role::template_write), 1u); // it is no SFPNOP
}

TEST(rule_t16, sfpswap_holds_words_back_even_where_results_do_not) {
    parameters config;
    config.sfpu_auto_stall = stall_choice::off;
    issue_under_test unit(config);
    unit.issue(0x92000120);
    EXPECT_EQ(unit.wait(0x7d000310), 1u);
    issue_under_test shuffle(config);
    shuffle.issue(0x94000113);
    EXPECT_EQ(shuffle.wait(0x7d000310), 0u);
    config.arch = wh;
    config.sfpu_auto_stall = stall_choice::on;
    issue_under_test wormhole(config);
    wormhole.issue(0x94000113);
    EXPECT_EQ(wormhole.wait(0x7d000310), 1u);
}

TEST(rule_t13, a_discarded_producer_still_stalls_but_leaves_nothing_to_read_too_early) {
    issue_under_test unit;
    unit.issue(mad_to_l3, true);
    EXPECT_EQ(unit.wait(0x7d000310), 1u);
    EXPECT_EQ(unit.reads_too_early(0x79000430), nullptr);
    issue_under_test swap;
    swap.issue(0x92000120, true);
    EXPECT_EQ(swap.wait(0x7d000310), 1u);
}

TEST(rule_t17, what_is_read_too_early_is_the_latest_producer_with_its_word) {
    issue_under_test unit(wh);
    unit.issue(mad_to_l3);  // cycle 0
    unit.issue(0x84123430); // cycle 1, the same register; the first result is visible in cycle 2
    const producer* found = unit.reads_too_early(0x7d000310);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->insn->word, 0x84123430u);
    EXPECT_EQ(found->word, -1);
    unit.state.rebase(3); // three words that are none of this unit's
    EXPECT_EQ(unit.state.producers.back().word, -4);
    unit.state.advance(1);
    EXPECT_EQ(unit.reads_too_early(0x7d000310), nullptr);
}

TEST(rule_t17, of_two_producers_of_a_register_the_latest_is_named) {
    parameters config;
    config.arch = wh;
    config.latency_mad = 4;
    issue_under_test unit(config);
    unit.issue(mad_to_l3);
    unit.issue(0x85123430); // SFPADD to L3
    const producer* found = unit.reads_too_early(0x7d000310);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->insn->word, 0x85123430u);
}

TEST(rule_t17, a_long_latency_keeps_every_producer_until_its_result_is_visible) {
    parameters config;
    config.arch = wh;
    config.latency_mad = 8;
    issue_under_test unit(config);
    for (std::uint32_t lreg = 0; lreg < 7; ++lreg) unit.issue(0x84123400 | lreg << 4); // cycles 0 to 6
    for (std::uint32_t lreg = 0; lreg < 7; ++lreg) {                                   // cycle 7
        const producer* found = unit.reads_too_early(0x7d000070 | lreg << 8);
        ASSERT_NE(found, nullptr) << lreg;
        EXPECT_EQ(found->word, static_cast<std::int32_t>(lreg) - 7);
    }
    unit.state.advance(1); // cycle 8: the first result is there
    EXPECT_EQ(unit.reads_too_early(0x7d000070), nullptr);
    EXPECT_NE(unit.reads_too_early(0x7d000170), nullptr);
    EXPECT_EQ(unit.state.producers.size(), 6u);
}

TEST(rule_t17, results_of_one_cycle_can_be_read_in_the_next_one) {
    for (std::uint32_t word :
         {0x7d000430u, 0x70340000u, 0x94000435u}) { // sfpabs, sfpload, sfpshft2 mode 5 to L3
        issue_under_test unit(wh);
        unit.issue(word);
        EXPECT_EQ(unit.reads_too_early(0x7d000310), nullptr) << std::hex << word;
    }
}

TEST(rule_t17, on_wormhole_mode_2_of_sfpshft2_forbids_mad_and_load_to_write_its_registers_in_the_next_cycle) {
    const auto forbidden = [](std::uint32_t shuffle, std::uint32_t second, architecture arch) {
        issue_under_test unit(arch);
        unit.issue(shuffle);
        return unit.forbidden_after_shuffle(second);
    };
    EXPECT_TRUE(forbidden(0x94000112, 0x84000010, wh));  // sfpmad to L1
    EXPECT_TRUE(forbidden(0x94000112, 0x70340000, wh));  // sfpload L3
    EXPECT_FALSE(forbidden(0x94000112, 0x84000000, wh)); // to L0, which is written first
    EXPECT_FALSE(forbidden(0x94000112, 0x84000040, wh)); // to L4
    EXPECT_FALSE(forbidden(0x94000113, 0x84000010, wh)); // mode 3 writes one register
    EXPECT_FALSE(forbidden(0x94000112, 0x7d000310, wh)); // Simple is the business of the neighbour rules
    EXPECT_FALSE(forbidden(0x94000112, 0x84000010, bh)); // the word is held instead
    issue_under_test later(wh);
    later.issue(0x94000112);
    later.state.advance(1);
    EXPECT_FALSE(later.forbidden_after_shuffle(0x84000010));
}

// --- T8 and T9 ---------------------------------------------------------------------------------------------

isa::instruction result_to_l16(std::uint32_t word) {
    isa::instruction insn = isa::decode(word, bh);
    insn.vd = 16;
    isa::refresh(insn, bh);
    return insn;
}

TEST(rule_t9, simple_and_round_share_a_cycle_if_exactly_one_writes_l16) {
    const isa::instruction abs = isa::decode(0x7d000310, bh), shift = isa::decode(0x94000216, bh);
    EXPECT_FALSE(may_share_cycle(abs, shift));
    EXPECT_TRUE(may_share_cycle(result_to_l16(0x7d000310), shift));
    EXPECT_TRUE(may_share_cycle(abs, result_to_l16(0x94000216)));
    EXPECT_FALSE(may_share_cycle(result_to_l16(0x7d000310), result_to_l16(0x94000216)));
    EXPECT_TRUE(may_share_cycle(isa::decode(0x7b000300, bh), shift)); // sfpsetcc writes no LReg
    EXPECT_TRUE(may_share_cycle(isa::decode(0x8f000000, bh), shift));
}

/// Judges one cycle after the other.
struct neighbours_under_test {
    explicit neighbours_under_test(const parameters& config = {}) : machine(isa::make_machine(config)) {
        rules.reset(machine);
    }
    neighbour_faults cycle(const cycle_occupants& busy) { return rules.check(state, busy); }

    isa::machine machine;
    neighbour_rules rules;
    neighbour_state state;
};

TEST(rule_t8, sfpswap_wants_mad_idle_in_its_first_cycle_and_simple_and_round_in_its_second) {
    const isa::instruction swap = isa::decode(0x92000120, bh), mad = isa::decode(mad_to_l3, bh);
    const isa::instruction abs = isa::decode(0x7d000310, bh), nop = isa::decode(0x8f000000, bh);
    const isa::instruction shift = isa::decode(0x94000216, bh);
    neighbours_under_test first;
    EXPECT_EQ(first.cycle({&swap, &mad, nullptr}).swap, &swap);
    EXPECT_EQ(first.cycle({&abs, nullptr, nullptr}).swap, &swap);
    neighbours_under_test round;
    EXPECT_FALSE(round.cycle({&swap, nullptr, nullptr}).any());
    EXPECT_EQ(round.cycle({nullptr, nullptr, &shift}).swap, &swap);
    neighbours_under_test second;
    EXPECT_FALSE(second.cycle({&swap, &nop, nullptr}).swap);
    EXPECT_FALSE(second.cycle({&nop, &mad, nullptr}).swap);
    EXPECT_FALSE(second.cycle({&abs, nullptr, nullptr}).swap);
    neighbours_under_test two;
    const isa::instruction other = isa::decode(0x92000230, bh);
    EXPECT_FALSE(two.cycle({&swap, nullptr, nullptr}).any());
    EXPECT_EQ(two.cycle({&other, &mad, nullptr}).swap, &swap); // the older one is named first
    EXPECT_EQ(two.cycle({&abs, nullptr, nullptr}).swap, &other);
}

TEST(rule_t8, a_two_cycle_sfpshft2_wants_simple_and_round_idle_in_its_second_cycle_but_not_mad) {
    const isa::instruction shuffle = isa::decode(0x94000113, bh), mad = isa::decode(mad_to_l3, bh);
    const isa::instruction abs = isa::decode(0x7d000310, bh), shift = isa::decode(0x94000216, bh);
    neighbours_under_test first;
    EXPECT_FALSE(first.cycle({nullptr, &mad, &shuffle}).any());
    EXPECT_EQ(first.cycle({&abs, nullptr, nullptr}).shuffle, &shuffle);
    neighbours_under_test round;
    round.cycle({nullptr, nullptr, &shuffle});
    EXPECT_EQ(round.cycle({nullptr, nullptr, &shift}).shuffle, &shuffle);
    neighbours_under_test second;
    second.cycle({nullptr, nullptr, &shuffle});
    EXPECT_FALSE(second.cycle({nullptr, &mad, nullptr}).any());
    EXPECT_FALSE(second.cycle({&abs, nullptr, nullptr}).any());
}

TEST(rule_t17, on_wormhole_only_what_writes_a_register_disturbs_an_issued_shuffle) {
    parameters config;
    config.arch = wh;
    const auto disturbs = [&](std::uint32_t word, bool scheduled) {
        neighbours_under_test unit(config);
        const isa::instruction shuffle = isa::decode(0x94000113, wh);
        isa::instruction insn = isa::decode(word, wh);
        if (scheduled) insn.flags |= isa::is_scheduled;
        unit.cycle({nullptr, nullptr, &shuffle});
        return unit.cycle({&insn, nullptr, nullptr}).shuffle != nullptr;
    };
    EXPECT_TRUE(disturbs(0x7d000310, false));  // sfpabs
    EXPECT_FALSE(disturbs(0x7b000300, false)); // sfpsetcc writes no LReg
    EXPECT_TRUE(disturbs(0x7b000300, true));
    EXPECT_FALSE(disturbs(0x8c000000, false)); // sfptransp
    EXPECT_FALSE(disturbs(0x8f000000, true));  // SFPNOP
}

TEST(rule_t9, a_conflict_names_the_instruction_on_simple_and_can_be_switched_off) {
    const isa::instruction abs = isa::decode(0x7d000310, bh), shift = isa::decode(0x94000216, bh);
    EXPECT_EQ(neighbours_under_test().cycle({&abs, nullptr, &shift}).simple_round, &abs);
    parameters config;
    config.sfpu_write_port_rule = false;
    EXPECT_FALSE(neighbours_under_test(config).cycle({&abs, nullptr, &shift}).any());
}

} // namespace
} // namespace sfpu::timing
