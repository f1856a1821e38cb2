// STALLWAIT, SEMWAIT and semaphores. Rules: tile.md K8; ISA documentation, STALLWAIT, SEMWAIT, SyncUnit.
#include "front_end_model.h"

#include <gtest/gtest.h>

namespace sfpu::frontend::test {
namespace {

constexpr unsigned b1 = 1u << 1, b6 = 1u << 6, b7 = 1u << 7, b8 = 1u << 8, all_blocks = 0x1ff;
constexpr unsigned bh_matrix = 1u << 4, bh_vector = 1u << 11, bh_config = 1u << 12;
constexpr unsigned wh_matrix = 1u << 7, wh_vector = 1u << 14;
constexpr std::uint32_t nop = 0x02000000, incrwc = 0x38008000, setc16 = 0xb2010000, setrwc = 0x37000000,
                        mova2d = 0x12000000;

parameters with(architecture arch) {
    parameters config;
    config.arch = arch;
    return config;
}

times issue_times(const words& program, const parameters& config = {}, std::int64_t latency = 1) {
    bench b(config);
    b.unit.latency = latency;
    b.push_all(program, 0);
    return b.unit.cycles_of_issue();
}

// --- one-cycle lag -----------------------------------------------------------------------------------------

TEST(wait_gate, holds_the_next_blocked_word_for_a_cycle_even_if_nothing_is_busy) {
    EXPECT_EQ(issue_times({stallwait(b8, bh_vector), sfpadd(1), sfpadd(2)}), (times{0, 2, 3}));
}
TEST(wait_gate, lets_words_pass_that_it_does_not_block) {
    EXPECT_EQ(issue_times({stallwait(b8, bh_vector), incrwc, incrwc, sfpadd(2)}), (times{0, 1, 2, 3}));
}
TEST(wait_gate, its_lag_is_a_parameter) {
    parameters config;
    config.front_end.wait_gate_lag = 3;
    EXPECT_EQ(issue_times({stallwait(b8, bh_vector), sfpadd(1)}, config), (times{0, 4}));
}
TEST(wait_gate, a_blocked_word_holds_everything_behind_it) {
    // The add of cycle 0 is busy to cycle 4, so the wait is met in 5 and released in 6.
    EXPECT_EQ(issue_times({sfpadd(0), stallwait(b1, bh_vector), sempost(1), incrwc}, {}, 5),
              (times{0, 1, 6, 7}));
}

// --- conditions --------------------------------------------------------------------------------------------

TEST(wait_gate, waits_for_the_vector_unit_by_the_number_of_each_architecture) {
    for (const architecture arch : {architecture::blackhole, architecture::wormhole}) {
        const bool blackhole = arch == architecture::blackhole;
        const unsigned right = blackhole ? bh_vector : wh_vector, wrong = blackhole ? wh_vector : bh_vector;
        EXPECT_EQ(issue_times({sfpadd(0), stallwait(b8, right), sfpadd(1)}, with(arch), 5), (times{0, 1, 6}));
        EXPECT_EQ(issue_times({sfpadd(0), stallwait(b8, wrong | 1u), sfpadd(1)}, with(arch), 5),
                  (times{0, 1, 3}));
    }
}
TEST(wait_gate, a_condition_of_zero_does_not_name_the_vector_unit) {
    EXPECT_EQ(issue_times({sfpadd(0), stallwait(b8, 0), sfpadd(1)}, {}, 5), (times{0, 1, 3}));
    EXPECT_EQ(issue_times({sfpadd(0), stallwait(b8, 0), sfpadd(1)}, with(architecture::wormhole), 5),
              (times{0, 1, 3}));
}
TEST(wait_gate, a_block_mask_of_zero_blocks_the_matrix_unit) {
    EXPECT_EQ(issue_times({sfpadd(0), stallwait(0, bh_vector), sfpadd(1), incrwc}, {}, 5),
              (times{0, 1, 2, 8}));
}
TEST(wait_gate, vector_words_that_pass_a_wait_keep_the_unit_busy) {
    // Busy in 0 and 1 and from 2 on by the second add: met in 4.
    EXPECT_EQ(issue_times({sfpadd(0), stallwait(b1, bh_vector), sfpadd(1), sempost(1)}, {}, 2),
              (times{0, 1, 2, 5}));
}
TEST(wait_gate, address_counter_words_are_the_matrix_unit_s_for_one_cycle) {
    EXPECT_EQ(issue_times({stallwait(b8, bh_matrix), incrwc, sfpadd(1)}), (times{0, 1, 3}));
    EXPECT_EQ(issue_times({stallwait(b8, wh_matrix), incrwc, sfpadd(1)}, with(architecture::wormhole)),
              (times{0, 1, 3}));
    EXPECT_EQ(issue_times({stallwait(b8, bh_vector), incrwc, sfpadd(1)}), (times{0, 1, 2}));
}
TEST(wait_gate, a_wait_for_the_matrix_unit_may_take_longer_than_others) {
    parameters config;
    config.front_end.wait_gate_matrix_lag = 3;
    EXPECT_EQ(issue_times({stallwait(b8, bh_matrix), sfpadd(1)}, config), (times{0, 5}));
    EXPECT_EQ(issue_times({stallwait(b8, bh_matrix | bh_config), sfpadd(1)}, config), (times{0, 5}));
    EXPECT_EQ(issue_times({stallwait(b8, bh_vector), sfpadd(1)}, config), (times{0, 2}));
    EXPECT_EQ(issue_times({stallwait(b8, bh_config), sfpadd(1)}, config), (times{0, 2}));
}
TEST(wait_gate, a_setrwc_may_keep_the_matrix_unit_busy) {
    parameters config;
    config.front_end.matrix_busy_after_setrwc = 3;
    // Busy in 0 to 3: met in 4, released in 5. The same from behind the wait, from 1 to 4.
    EXPECT_EQ(issue_times({setrwc, stallwait(b8, bh_matrix), sfpadd(1)}, config), (times{0, 1, 5}));
    EXPECT_EQ(issue_times({stallwait(b8, bh_matrix), setrwc, sfpadd(1)}, config), (times{0, 1, 6}));
    EXPECT_EQ(issue_times({incrwc, stallwait(b8, bh_matrix), sfpadd(1)}, config), (times{0, 1, 3}));
    EXPECT_EQ(issue_times({mova2d, stallwait(b8, bh_matrix), sfpadd(1)}, config), (times{0, 1, 3}));
    EXPECT_EQ(issue_times({setrwc, stallwait(b8, bh_vector), sfpadd(1)}, config), (times{0, 1, 3}));
    EXPECT_EQ(issue_times({setrwc, nop, nop, nop, stallwait(b8, bh_matrix), sfpadd(1)}, config),
              (times{0, 1, 2, 3, 4, 6}))
        << "it has been busy";
}
TEST(wait_gate, both_readings_of_the_measured_cycles_agree_on_a_call_after_a_call) {
    const words call{stallwait(b8, bh_matrix), sfpadd(1), setrwc, stallwait(b8, bh_matrix), sfpadd(2)};
    const times plain = issue_times(call);
    parameters lag, busy;
    lag.front_end.wait_gate_matrix_lag = 3;
    busy.front_end.matrix_busy_after_setrwc = 4; // of which the wait's own cycle is one
    EXPECT_EQ(issue_times(call, lag).back() - issue_times(call, lag)[1], plain.back() - plain[1] + 3);
    EXPECT_EQ(issue_times(call, busy).back() - issue_times(call, busy)[1], plain.back() - plain[1] + 3);
}
TEST(wait_gate, a_replayed_setrwc_keeps_the_matrix_unit_busy_too) {
    parameters config;
    config.front_end.matrix_busy_after_setrwc = 3;
    EXPECT_EQ(issue_times({replay(0, 2, false, true), setrwc, sfpadd(0), replay(0, 2, false, false),
                           stallwait(b8, bh_matrix), sfpadd(1)},
                          config),
              (times{3, 4, 5, 8}));
}
TEST(wait_gate, a_copy_to_dst_may_keep_the_matrix_unit_busy) {
    parameters config;
    config.front_end.matrix_busy_after_copy = 20;
    EXPECT_EQ(issue_times({mova2d, stallwait(b8, bh_matrix), sfpadd(1)}, config), (times{0, 1, 22}));
    EXPECT_EQ(issue_times({mova2d, sfpadd(1)}, config), (times{0, 1})) << "nobody waits for it";
}
TEST(wait_gate, configuration_words_are_the_configuration_unit_s_for_one_cycle) {
    EXPECT_EQ(issue_times({stallwait(b8, bh_config), setc16, sfpadd(1)}), (times{0, 1, 3}));
}
TEST(wait_gate, conditions_of_units_that_do_not_exist_here_are_reported_once) {
    bench b;
    b.push_all({stallwait(b8, 1), sfpadd(1), stallwait(b8, 2), sfpadd(2)}, 0);
    EXPECT_EQ(b.unit.reports, (std::vector<report_id>{report_id::frontend_idle_condition}));
    bench quiet;
    quiet.push_all({stallwait(b8, bh_vector | bh_matrix | bh_config), sfpadd(1)}, 0);
    EXPECT_TRUE(quiet.unit.reports.empty());
}

// --- which words are blocked -------------------------------------------------------------------------------

TEST(block_mask, names_units_as_documented) {
    constexpr auto bh = architecture::blackhole;
    EXPECT_EQ(blocked_by(sfpadd(0), bh), b8);
    EXPECT_EQ(blocked_by(incrwc, bh), b6);
    EXPECT_EQ(blocked_by(0x37000000, bh), b6); // SETRWC
    EXPECT_EQ(blocked_by(setc16, bh), b7);
    EXPECT_EQ(blocked_by(sempost(1), bh), b1);
    EXPECT_EQ(blocked_by(0x41000000, bh), 1u << 0 | 1u << 2); // PACR
    EXPECT_EQ(blocked_by(0x42000000, bh), 1u << 0 | 1u << 3); // UNPACR
    EXPECT_EQ(blocked_by(0x40000000, bh), 1u << 0 | 1u << 4); // XMOV
    EXPECT_EQ(blocked_by(0x58000000, bh), 1u << 0 | 1u << 5); // ADDDMAREG
    EXPECT_EQ(blocked_by(0x50000000, bh), 1u << 0);           // SETADC
    EXPECT_EQ(blocked_by(stallwait(0, 0), bh), all_blocks);
}
TEST(block_mask, holds_nop_back_only_with_all_bits) {
    for (unsigned bit = 0; bit < 9; ++bit)
        EXPECT_FALSE(
            is_blocked(nop, static_cast<block_mask>(all_blocks & ~(1u << bit)), architecture::blackhole));
    EXPECT_TRUE(is_blocked(nop, all_blocks, architecture::blackhole));
}
TEST(block_mask, a_second_wait_does_not_replace_the_first_except_a_semwait_on_wormhole) {
    // The first wait waits for a post that never comes; the second would let the add pass.
    const words program{semwait(b8, 1, 1), semwait(b8, 2, 2), sfpadd(1)};
    for (const architecture arch : {architecture::blackhole, architecture::wormhole}) {
        bench b(with(arch));
        b.semaphores.init(2, 15, 0);
        b.push_all(program, 0);
        EXPECT_EQ(b.unit.words().size(), arch == architecture::blackhole ? 1u : 3u);
    }
    bench stall(with(architecture::wormhole));
    stall.push_all({semwait(b8, 1, 1), stallwait(b8, wh_vector), sfpadd(1)}, 0);
    EXPECT_EQ(stall.unit.words().size(), 1u);
}

// --- semaphores --------------------------------------------------------------------------------------------

TEST(semaphores, stop_at_15_and_at_0) {
    sync_unit bank;
    bank.init(0b11, 3, 14);
    for (unsigned i = 0; i < 3; ++i) bank.post(0b01);
    EXPECT_EQ(bank.value(0), 15u);
    EXPECT_EQ(bank.value(1), 14u);
    EXPECT_EQ(bank.maximum(0), 3u);
    for (unsigned i = 0; i < 20; ++i) bank.get(0b10);
    EXPECT_EQ(bank.value(1), 0u);
}
TEST(semaphores, are_changed_by_words_that_pass_the_gate) {
    bench b;
    b.push_all({seminit(5, 3, 0xff), sempost(1), sempost(1), semget(2)},
               0); // SEMINIT 5, 3, all; SEMGET
    EXPECT_EQ(b.semaphores.value(0), 5u);
    EXPECT_EQ(b.semaphores.value(1), 2u);
    EXPECT_EQ(b.semaphores.value(7), 3u);
    EXPECT_EQ(b.semaphores.maximum(7), 5u);
}
TEST(semaphores, hold_words_while_any_selected_one_is_zero) {
    bench b;
    b.semaphores.init(0b01, 15, 1);
    b.push(semwait(b8, 0b11, 1), 0);
    b.push(sfpadd(1), 1);
    b.pipeline.advance(cycles{100});
    EXPECT_EQ(b.unit.words().size(), 1u);
    b.semaphores.write(1, 0, cycles{100});
    b.pipeline.run_to_end();
    EXPECT_EQ(b.unit.cycles_of_issue(), (times{0, 101}));
}
TEST(semaphores, hold_words_while_any_selected_one_is_at_its_maximum) {
    bench b;
    b.semaphores.init(0b01, 2, 2);
    b.push(semwait(b8, 0b01, 2), 0);
    b.push(sfpadd(1), 1);
    b.semaphores.write(0, 1, cycles{50}); // an odd value is a get
    b.pipeline.run_to_end();
    EXPECT_EQ(b.unit.cycles_of_issue(), (times{0, 51}));
}
TEST(semaphores, a_wait_that_was_met_for_one_cycle_is_forgotten) {
    bench b;
    b.push(semwait(b8, 0b01, 1), 0);
    b.semaphores.write(0, 0, cycles{50});
    b.semaphores.write(0, 1, cycles{60});
    b.push(sfpadd(1), 70);
    b.pipeline.run_to_end();
    EXPECT_EQ(b.unit.cycles_of_issue(), (times{0, 70}));
}
TEST(semaphores, a_wait_that_nothing_ends_is_reported_and_loses_no_word_before_it) {
    bench b;
    b.push_all({sfpadd(1), semwait_all, sfpadd(2), sfpadd(3)}, 0);
    EXPECT_EQ(b.unit.words(), (words{sfpadd(1), semwait_all}));
    EXPECT_EQ(b.unit.reports, (std::vector<report_id>{report_id::frontend_never_released}));
    EXPECT_FALSE(b.pipeline.is_empty());
}
TEST(semaphores, a_wait_without_a_condition_is_reported_and_met_at_once) {
    bench b;
    b.push_all({semwait(b8, 1, 0), sfpadd(1)}, 0);
    EXPECT_EQ(b.unit.cycles_of_issue(), (times{0, 2}));
    EXPECT_EQ(b.unit.reports, (std::vector<report_id>{report_id::isa_undefined}));
}
TEST(wait_gate, waits_for_ever_while_outstanding_entries_need_further_instructions) {
    bench b;
    b.unit.never_idle = true; // T20: busy, but nothing moves
    b.push_all({stallwait(b8, bh_vector), sfpadd(1)}, 0);
    EXPECT_EQ(b.unit.words().size(), 1u);
    EXPECT_EQ(b.unit.reports, (std::vector<report_id>{report_id::frontend_never_released}));
}

} // namespace
} // namespace sfpu::frontend::test
