// When a hart does things: tile.md K1, K2 and K9. Every program runs on a fresh machine, whose memory adds no
// time.
#include "riscv_machine.h"

#include <gtest/gtest.h>

#include <string>

namespace sfpu::test {
namespace {

using namespace rv;
using riscv::stall_cause;

/// Cycles from the first instruction of a program to the one behind it. Registers: x1 is an address of data
/// (plain RAM), x2 a device, x5 = 7, x6 = 3.
struct timed {
    machine m;
    cycles duration{};

    timed(std::initializer_list<word> program, const parameters& config = {}) : m(config) { go(program); }
    timed(std::initializer_list<word> program, cycles memory_store_time, cycles device_time) {
        m.memory.store_time = memory_store_time;
        m.memory.device_time = device_time;
        go(program);
    }
    void go(std::initializer_list<word> program) {
        m.hart.set_reg(1, machine::data);
        m.hart.set_reg(2, plain_memory::device);
        m.hart.set_reg(5, 7);
        m.hart.set_reg(6, 3);
        duration = m.run(program);
    }
    std::uint64_t stalls(stall_cause cause) const {
        return m.hart.counters().stalls[static_cast<unsigned>(cause)];
    }
};
parameters wormhole() {
    parameters config;
    config.arch = architecture::wormhole;
    return config;
}
parameters with_ram_latency(unsigned latency) {
    parameters config;
    config.hart.latency_ram = latency;
    return config;
}

TEST(riscv_timing, one_integer_instruction_a_cycle_even_if_each_needs_the_last_result) {
    EXPECT_EQ(timed({nop}).duration, cycles{1});
    EXPECT_EQ(timed({addi(3, 3, 1), addi(3, 3, 1), add(3, 3, 3), lui(4, 0x1000), wfi}).duration, cycles{5});
}

TEST(riscv_timing, a_load_holds_up_only_who_uses_its_result) {
    for (unsigned latency : {1u, 2u, 8u}) {
        const parameters config = with_ram_latency(latency);
        EXPECT_EQ(timed({lw(3, 1, 0), nop, nop}, config).duration, cycles{3});
        const timed used({lw(3, 1, 0), addi(4, 3, 0)}, config);
        EXPECT_EQ(used.duration, cycles{latency + 1});
        EXPECT_EQ(used.stalls(stall_cause::load_use), latency - 1);
        EXPECT_EQ(timed({lw(3, 1, 0), nop, sw(3, 1, 4)}, config).duration, cycles{std::max(2u, latency) + 1});
    }
}

TEST(riscv_timing, a_register_that_is_overwritten_is_no_longer_waited_for) {
    EXPECT_EQ(timed({lw(3, 1, 0), addi(3, 0, 1), addi(4, 3, 0)}, with_ram_latency(8)).duration, cycles{3});
}

TEST(riscv_timing, loads_have_the_latency_of_their_region) {
    const parameters config;
    const std::pair<word, unsigned> expected[] = {{0x00000000u, 8}, {0x0017ffffu, 8}, {0x80000000u, 2},
                                                  {0xffb00000u, 2}, {0xffb01fffu, 2}, {0xffb12000u, 7},
                                                  {0xffb20000u, 7}, {0xffe00000u, 4}, {0xffe80004u, 3},
                                                  {0xffe80020u, 3}, {0xffec0000u, 3}, {0xffef000cu, 4}};
    for (auto [address, latency] : expected)
        EXPECT_EQ(riscv::load_latency(address, config), cycles{latency}) << std::hex << address;
}

// Wormhole's page: with a latency of N cycles, 5 or more, four loads every N - 1 cycles.
TEST(riscv_timing, four_far_loads_issue_in_one_latency_but_one_cycle_on_wormhole) {
    const std::initializer_list<word> nine{lw(3, 1, 0),   lw(4, 1, 4),   lw(7, 1, 8),
                                           lw(8, 1, 12),  lw(9, 1, 16),  lw(10, 1, 20),
                                           lw(11, 1, 24), lw(12, 1, 28), lw(13, 1, 32)};
    parameters config = wormhole();
    config.hart.latency_ram = 8;
    const timed held(nine, config); // in 0, 1, 2, 3, 7, 8, 9, 10 and 14
    EXPECT_EQ(held.duration, cycles{15});
    EXPECT_EQ(held.stalls(stall_cause::load_queue), 6u);
    config.hart.latency_ram = 5; // in 0 to 8
    EXPECT_EQ(timed(nine, config).duration, cycles{9});
    config.hart.latency_ram = 4;
    EXPECT_EQ(timed(nine, config).duration, cycles{9});
    config.hart.latency_ram = 8;
    config.hart.far_loads = 2; // in 0, 1, 7, 8, 14, 15, 21, 22 and 28
    EXPECT_EQ(timed(nine, config).duration, cycles{29});
    EXPECT_EQ(timed(nine, with_ram_latency(8)).duration, cycles{9}) << "Blackhole";
}

TEST(riscv_timing, far_loads_that_come_slowly_wait_for_nobody) {
    parameters config = wormhole();
    config.hart.latency_ram = 8;
    EXPECT_EQ(
        timed({lw(3, 1, 0), nop, lw(4, 1, 4), nop, lw(7, 1, 8), nop, lw(8, 1, 12), nop, lw(9, 1, 16)}, config)
            .duration,
        cycles{9});
}

TEST(riscv_timing, what_a_target_adds_counts_on_top_of_the_region) {
    const timed used({lw(3, 2, 0), addi(4, 3, 0)}, cycles{}, cycles{5});
    EXPECT_EQ(used.duration, cycles{7 + 5 + 1});
}

TEST(riscv_timing, multiplications_are_pipelined_on_blackhole_and_not_on_wormhole) {
    EXPECT_EQ(timed({mul(3, 5, 6), nop, nop}).duration, cycles{3});
    EXPECT_EQ(timed({mul(3, 5, 6), mul(4, 5, 6), nop}).duration, cycles{3});
    const timed used({mul(3, 5, 6), addi(4, 3, 0)});
    EXPECT_EQ(used.duration, cycles{3});
    EXPECT_EQ(used.stalls(stall_cause::multiply), 1u);
    EXPECT_EQ(timed({mul(3, 5, 6), nop, nop}, wormhole()).duration, cycles{4});
    EXPECT_EQ(timed({mul(3, 5, 6), addi(4, 3, 0)}, wormhole()).duration, cycles{3});
}

TEST(riscv_timing, divisions_take_2_cycles_or_6_to_33_by_the_dividend) {
    struct division {
        word dividend, divisor;
        unsigned signed_time, unsigned_time;
    };
    for (const division& d :
         {division{5, 0, 2, 2}, division{5, 1, 2, 2}, division{0x80000000u, 0xffffffffu, 2, 33},
          division{0, 7, 6, 6}, division{31, 7, 6, 6}, division{32, 7, 7, 7},
          division{0x7fffffffu, 7, 32, 32}, division{0xffffffffu, 7, 6, 33}, division{0x80000000u, 7, 33, 33},
          division{5, 0xffffffffu, 6, 6}}) {
        for (bool is_signed : {true, false}) {
            machine m;
            m.hart.set_reg(5, d.dividend);
            m.hart.set_reg(6, d.divisor);
            const unsigned time = is_signed ? d.signed_time : d.unsigned_time;
            EXPECT_EQ(m.run({is_signed ? div(3, 5, 6) : divu(3, 5, 6)}), cycles{time})
                << d.dividend << "/" << d.divisor;
            EXPECT_EQ(m.hart.counters().stalls[static_cast<unsigned>(stall_cause::divide)], time - 1);
        }
    }
}

TEST(riscv_timing, backward_branches_and_returns_are_predicted_taken_and_forward_branches_not) {
    const word taken_forward = branch(0, 0, 0, 8), not_taken_forward = branch(1, 0, 0, 8);
    EXPECT_EQ(timed({not_taken_forward, nop}).duration, cycles{2});
    EXPECT_EQ(timed({taken_forward, nop, nop}).duration, cycles{1 + 4 + 1});
    EXPECT_EQ(timed({taken_forward, nop, nop}, wormhole()).duration, cycles{1 + 2 + 1});
    EXPECT_EQ(timed({jal(0, 8), nop, nop}).duration, cycles{2});
    // Three rounds of a two-instruction loop: only the last branch is mispredicted.
    const timed loop({addi(3, 0, 3), addi(3, 3, -1), branch(1, 3, 0, -4)});
    EXPECT_EQ(loop.duration, cycles{1 + 6 + 4});
    EXPECT_EQ(loop.m.hart.counters().branches, 3u);
    EXPECT_EQ(loop.m.hart.counters().mispredicted, 1u);
    EXPECT_EQ(loop.stalls(stall_cause::branch), 4u);
    // x31 holds no address: jalr to base + 8 through x1 or x7, which differ in what they are used for only.
    for (auto [link, penalty] : {std::pair<unsigned, int>{5, 0}, {7, 4}}) {
        machine m;
        m.hart.set_reg(link, machine::base + 8);
        EXPECT_EQ(m.run({jalr(0, link, 0), nop, nop}), cycles{2 + penalty}) << "x" << link;
    }
}

TEST(riscv_timing, perfect_prediction_and_none_are_the_bounds) {
    parameters config;
    const std::initializer_list<word> program{branch(0, 0, 0, 8), nop, branch(1, 0, 0, 8), jal(0, 4)};
    config.hart.predictor = branch_predictor::perfect;
    EXPECT_EQ(timed(program, config).duration, cycles{3});
    config.hart.predictor = branch_predictor::none;
    EXPECT_EQ(timed(program, config).duration, cycles{3 + 4 + 4});
}

/// Cycles for each of ten turns through `words` words of straight code and a jump back, on hart `id`.
std::int64_t cycles_a_turn(const parameters& config, std::uint32_t id, word words, bool is_b_hart = false) {
    constexpr word first = machine::base;
    machine m;
    riscv::hart_setup setup;
    setup.hart_id = id;
    setup.reset_pc = first;
    setup.is_b_hart = is_b_hart;
    m.hart.reset(config, setup);
    for (word i = 0; i + 1 < words; ++i) m.place(first + 4 * i, {nop});
    const word last = first + 4 * (words - 1);
    m.place(last, {jal(0, static_cast<std::int32_t>(first - last))});
    const auto go_to = [&](unsigned turn) {
        while (m.hart.counters().instructions < std::uint64_t{turn} * words)
            m.hart.run(m.hart.now() + one_cycle);
    };
    go_to(1);
    const cycles from = m.hart.now();
    go_to(11);
    return (m.hart.now() - from).count() / 10;
}

TEST(riscv_timing, straight_code_that_the_instruction_cache_does_not_hold_misses_each_line) {
    parameters config = wormhole();
    EXPECT_EQ(cycles_a_turn(config, 1, 132), 132) << "nothing misses unless a miss costs something";
    config.hart.icache_miss_cycles = 2;
    EXPECT_EQ(cycles_a_turn(config, 1, 128), 128) << "512 bytes";
    EXPECT_EQ(cycles_a_turn(config, 1, 132), 132 + 33 * 2);
    for (const std::uint32_t other : {0u, 2u}) {
        EXPECT_EQ(cycles_a_turn(config, other, 512), 512) << other;
        EXPECT_EQ(cycles_a_turn(config, other, 516), 516 + 129 * 2) << other;
    }
    EXPECT_EQ(cycles_a_turn(config, 1, 512, true), 512) << "the B core has 2 KiB";
    config.hart.icache_bytes = 64;
    EXPECT_EQ(cycles_a_turn(config, 0, 16), 16);
    EXPECT_EQ(cycles_a_turn(config, 0, 17), 17 + 5 * 2);
    config.hart.icache_bytes = 0;
    config.arch = architecture::blackhole;
    EXPECT_EQ(cycles_a_turn(config, 1, 600), 600) << "nothing is known of its size";
}

TEST(riscv_timing, csr_instructions_wait_until_everything_before_has_retired) {
    EXPECT_EQ(timed({csrrs(3, 0x340, 0), nop}).duration, cycles{3});
    EXPECT_EQ(timed({lw(3, 1, 0), csrrs(4, 0x340, 0), nop}, with_ram_latency(8)).duration, cycles{10});
}

TEST(riscv_timing, stores_are_posted_until_the_queue_is_full) {
    const word store = sw(5, 1, 0);
    EXPECT_EQ(timed({store, store, store, store, store, store, store, store}).duration, cycles{8});
    const std::initializer_list<word> six{store, store, store, store, store, store};
    EXPECT_EQ(timed(six, cycles{5}, cycles{}).duration,
              cycles{4 + 2 + 5}); // the fifth waits for the first, until 5
    EXPECT_EQ(timed(six, cycles{5}, cycles{}).stalls(stall_cause::store_queue), 5u);
    parameters config;
    config.hart.store_queue = 1;
    timed one({}, config);
    one.m.memory.store_time = cycles{5};
    EXPECT_EQ(one.m.run({store, store, store}), cycles{11});
}

TEST(riscv_timing, a_device_holds_the_hart_until_it_has_taken_a_store) {
    EXPECT_EQ(timed({sw(5, 2, 0), sw(5, 2, 0), nop}).duration, cycles{3});
    const timed slow({sw(5, 2, 0), nop}, cycles{}, cycles{10});
    EXPECT_EQ(slow.duration, cycles{11});
    EXPECT_EQ(slow.stalls(stall_cause::device), 9u);
}

TEST(riscv_timing, fence_waits_for_stores_on_blackhole_and_does_nothing_on_wormhole) {
    EXPECT_EQ(timed({sw(5, 1, 0), fence, nop}, cycles{20}, cycles{}).duration, cycles{21});
    timed wh({}, wormhole());
    wh.m.memory.store_time = cycles{20};
    EXPECT_EQ(wh.m.run({sw(5, 1, 0), fence, nop}), cycles{3});
}

// Wormhole's page of the instruction cache: fence.i is a nop and does not clear it. RISC-V's manual: stores
// come before.
TEST(riscv_timing, fence_i_waits_and_clears_the_instruction_cache_on_blackhole_and_is_a_nop_on_wormhole) {
    EXPECT_EQ(timed({sw(5, 1, 0), fence_i, nop}, cycles{20}, cycles{}).duration, cycles{21});
    timed wh({}, wormhole());
    wh.m.memory.store_time = cycles{20};
    EXPECT_EQ(wh.m.run({sw(5, 1, 0), fence_i, nop}), cycles{3});
    for (const architecture arch : {architecture::blackhole, architecture::wormhole}) {
        parameters config;
        config.arch = arch;
        config.hart.icache_bytes = 64;
        config.hart.icache_miss_cycles = 5;
        const timed one_line({nop, fence_i, nop}, config);
        EXPECT_EQ(one_line.stalls(stall_cause::fetch), arch == architecture::blackhole ? 10u : 5u);
    }
}

TEST(riscv_timing, atomics_take_longer_than_loads) {
    EXPECT_EQ(timed({amoadd(3, 1, 5), addi(4, 3, 0)}).duration, cycles{2 + 4 + 1});
}

TEST(riscv_timing, traps_and_returns_cost_a_mispredicted_branch) {
    machine m;
    m.hart.set_reg(10, machine::handler);
    m.hart.set_reg(11, machine::base + 8);
    m.place(machine::handler, {csrrw(0, 0x341, 11), mret});
    EXPECT_EQ(m.run({csrrw(0, 0x305, 10), ecall, nop}), cycles{2 + (1 + 4) + 2 + (1 + 4) + 1});
}

// --- Tensix words ------------------------------------------------------------------------------------------

constexpr word sfpnop = 0x8f000000u;

TEST(riscv_tensix, up_to_four_adjacent_words_go_in_one_cycle) {
    const word w0 = ttinsn(sfpnop), w1 = ttinsn(sfpnop + 1);
    const timed six({w0, w1, w0, w0, w1, w0, nop});
    EXPECT_EQ(six.duration, cycles{3});
    ASSERT_EQ(six.m.tensix.pushes.size(), 2u);
    EXPECT_EQ(six.m.tensix.pushes[0].words, (std::vector<word>{sfpnop, sfpnop + 1, sfpnop, sfpnop}));
    EXPECT_EQ(six.m.tensix.pushes[1].words, (std::vector<word>{sfpnop + 1, sfpnop}));
    EXPECT_EQ(six.m.tensix.pushes[1].at, cycles{1});
    EXPECT_EQ(six.m.hart.counters().instructions, 7u);
    EXPECT_EQ(six.m.hart.counters().tensix_words, 6u);
}

TEST(riscv_tensix, words_go_one_by_one_if_fusion_is_off) {
    const word w = ttinsn(sfpnop);
    machine b_hart, switched_off, wh{wormhole()};
    b_hart.reset(parameters{}, true);
    EXPECT_EQ(b_hart.run({w, w, w, w}), cycles{4});
    EXPECT_EQ(wh.run({w, w, w, w}), cycles{4});
    switched_off.hart.set_reg(10, 1u << 18);
    EXPECT_EQ(switched_off.run({csrrs(0, 0x7c0, 10), w, w, w, w}), cycles{2 + 4});
    EXPECT_EQ(switched_off.tensix.pushes.size(), 4u);
}

TEST(riscv_tensix, fusion_goes_across_a_page_and_ends_where_nothing_can_be_fetched) {
    machine m;
    const word w = ttinsn(sfpnop), border = machine::base + 0x2000, end = machine::base + plain_memory::size;
    m.place(border - 8, {w, w, w, w, nop});
    m.hart.set_pc(border - 8);
    m.hart.run(one_cycle);
    ASSERT_EQ(m.tensix.pushes.size(), 1u);
    EXPECT_EQ(m.tensix.pushes[0].words.size(), 4u);
    m.place(end - 8, {w, w});
    m.hart.set_pc(end - 8);
    m.hart.run(m.hart.now() + one_cycle);
    ASSERT_EQ(m.tensix.pushes.size(), 2u);
    EXPECT_EQ(m.tensix.pushes[1].words.size(), 2u);
    EXPECT_TRUE(m.traps.empty());
}

TEST(riscv_tensix, a_full_fifo_holds_the_hart) {
    machine m;
    m.tensix.held_until = cycles{30};
    EXPECT_EQ(m.run({ttinsn(sfpnop), nop}), cycles{31});
    EXPECT_EQ(m.hart.counters().stalls[static_cast<unsigned>(stall_cause::fifo_full)], 29u);
}

TEST(riscv_tensix, without_anybody_to_take_them_words_are_store_access_faults) {
    machine m;
    m.tensix.refuses = true;
    m.place(machine::base, {ttinsn(sfpnop)});
    EXPECT_EQ(m.hart.run(cycles{10}), riscv::run_result::trapped);
    EXPECT_EQ(m.hart.trap().cause, 7u);
    EXPECT_EQ(m.hart.trap().mtval, 0xffe40000u);
}

// --- events ------------------------------------------------------------------------------------------------

struct recorder : riscv::hart_listener {
    std::vector<riscv::retired_instruction> retirements;
    std::vector<std::pair<cycles, cycles>> stalls;
    void retired(const riscv::retired_instruction& insn) override { retirements.push_back(insn); }
    void stalled(stall_cause, cycles from, cycles until) override { stalls.emplace_back(from, until); }
};

TEST(riscv_events, retired_instructions_and_stalls_tell_every_cycle_once) {
    machine m;
    recorder events;
    m.hart.set_listener(&events);
    m.hart.publish(true);
    m.hart.set_reg(1, machine::data);
    const cycles end =
        m.run({lw(3, 1, 0), addi(4, 3, 1), branch(0, 0, 0, 8), nop, ttinsn(sfpnop), ttinsn(sfpnop)});
    EXPECT_EQ(end, cycles{1 + 1 + 1 + 1 + 4 + 1});
    ASSERT_EQ(events.retirements.size(), 4u);
    EXPECT_EQ(events.retirements[1].begin, cycles{2});
    EXPECT_EQ(events.retirements[1].pc, machine::base + 4);
    EXPECT_EQ(events.retirements[1].word, addi(4, 3, 1));
    EXPECT_EQ(events.retirements[2].begin, cycles{3});
    EXPECT_EQ(events.retirements[2].end, cycles{7});
    EXPECT_EQ(events.retirements[3].count, 2u);
    EXPECT_EQ(events.stalls,
              (std::vector<std::pair<cycles, cycles>>{{cycles{1}, cycles{2}}, {cycles{4}, cycles{8}}}));
}

TEST(riscv_events, publishing_changes_no_cycle) {
    const std::initializer_list<word> program{lw(3, 1, 0),        mul(4, 3, 3), div(5, 4, 3),
                                              branch(0, 0, 0, 8), nop,          csrrs(6, 0xc00, 0)};
    timed silent(program);
    timed loud({});
    recorder events;
    loud.m.hart.set_listener(&events);
    loud.m.hart.publish(true);
    loud.go(program);
    EXPECT_EQ(silent.duration, loud.duration);
    EXPECT_EQ(silent.m.hart.counters().stalls, loud.m.hart.counters().stalls);
}

} // namespace
} // namespace sfpu::test
