// Traps, interrupts and CSRs of a hart, as the RISC-V privileged specification has them for machine mode.
#include "riscv_machine.h"

#include <gtest/gtest.h>

#include <string>

namespace sfpu::test {
namespace {

using namespace rv;
namespace csr = riscv::csr;
namespace cause = riscv::cause;

/// Runs a program whose last instruction traps to a handler that does nothing; returns the machine in it.
void run_to_trap(machine& m, std::initializer_list<word> program) {
    m.place(machine::handler, {nop, nop, nop, nop});
    m.hart.set_reg(31, machine::handler);
    m.place(machine::base, {csrrw(0, csr::mtvec, 31)});
    m.place(machine::base + 4, program);
    m.hart.set_pc(machine::base);
    for (unsigned i = 0; i < 100 && m.hart.pc() != machine::handler; ++i)
        m.hart.run(m.hart.now() + one_cycle);
    ASSERT_EQ(m.hart.pc(), machine::handler) << "no trap was taken";
}
void expect_trap(machine& m, word mcause, word mepc, word mtval) {
    EXPECT_EQ(m.csr(csr::mcause), mcause);
    EXPECT_EQ(m.csr(csr::mepc), mepc);
    EXPECT_EQ(m.csr(csr::mtval), mtval);
}

constexpr word second = machine::base + 4; ///< the first instruction after mtvec is set

// --- exceptions --------------------------------------------------------------------------------------------

TEST(riscv_traps, environment_calls_have_cause_11_and_breakpoints_cause_3_with_their_address) {
    machine m;
    run_to_trap(m, {ecall});
    expect_trap(m, 11, second, 0);
    run_to_trap(m, {ebreak});
    expect_trap(m, 3, second, second);
}

TEST(riscv_traps, illegal_instructions_have_cause_2_with_the_word) {
    machine m;
    for (word bits : {0xffffffffu, 0x00000000u, 0xc0001073u /* unimp */, 0x02109093u, 0x10200073u /* sret */,
                      0x12000073u /* sfence.vma */, 0x0000207bu}) {
        run_to_trap(m, {bits});
        expect_trap(m, 2, second, bits);
    }
}

TEST(riscv_traps, the_zero_word_can_be_made_a_tensix_word) {
    parameters config;
    config.hart.zero_word_is_illegal = false;
    config.hart.fuse_tensix_words = by_chip::off;
    machine m{config};
    m.run({0u});
    ASSERT_EQ(m.tensix.pushes.size(), 1u);
    EXPECT_EQ(m.tensix.pushes[0].words, std::vector<word>{0u});
}

TEST(riscv_traps, access_faults_name_the_address_and_change_nothing) {
    for (bool direct : {true, false}) {
        machine m;
        m.memory.direct = direct;
        const word outside = 0x70000000u;
        m.hart.set_reg(1, outside);
        m.hart.set_reg(2, 7);
        run_to_trap(m, {lw(2, 1, 4)});
        expect_trap(m, cause::load_fault, second, outside + 4);
        EXPECT_EQ(m.hart.reg(2), 7u);
        run_to_trap(m, {sw(2, 1, -4)});
        expect_trap(m, cause::store_fault, second, outside - 4);
        run_to_trap(m, {amoadd(2, 1, 2)});
        expect_trap(m, cause::store_fault, second, outside);
        EXPECT_EQ(m.hart.reg(2), 7u);
        run_to_trap(m, {jalr(2, 1, 0)});
        expect_trap(m, cause::fetch_fault, outside, outside);
        EXPECT_EQ(m.hart.reg(2), second + 4); // the jump itself has been executed
    }
}

TEST(riscv_traps, a_misaligned_access_that_leaves_memory_faults_at_the_first_byte_outside) {
    machine m;
    const word end = machine::base + plain_memory::size;
    m.hart.set_reg(1, end);
    run_to_trap(m, {lw(2, 1, -2)});
    expect_trap(m, cause::load_fault, second, end);
    run_to_trap(m, {sw(2, 1, -1)});
    expect_trap(m, cause::store_fault, second, end);
}

TEST(riscv_traps, misaligned_accesses_to_devices_and_misaligned_atomics_trap) {
    machine m;
    m.hart.set_reg(1, plain_memory::device);
    run_to_trap(m, {lw(2, 1, 2)});
    expect_trap(m, cause::misaligned_load, second, plain_memory::device + 2);
    run_to_trap(m, {sw(2, 1, 1)});
    expect_trap(m, cause::misaligned_store, second, plain_memory::device + 1);
    EXPECT_TRUE(m.memory.device_writes.empty());
    m.hart.set_reg(1, machine::data + 2);
    run_to_trap(m, {amoadd(2, 1, 2)});
    expect_trap(m, cause::misaligned_store, second, machine::data + 2);
}

TEST(riscv_traps, misaligned_accesses_to_memory_trap_if_the_machine_is_told_to) {
    parameters config;
    config.hart.misaligned = misaligned_access::trap;
    machine m(config);
    m.hart.set_reg(1, machine::data);
    run_to_trap(m, {lw(2, 1, 2)});
    expect_trap(m, cause::misaligned_load, second, machine::data + 2);
    run_to_trap(m, {sw(2, 1, 1)});
    expect_trap(m, cause::misaligned_store, second, machine::data + 1);
}

TEST(riscv_traps, only_taken_jumps_to_misaligned_addresses_trap_and_write_no_register) {
    machine m;
    m.hart.set_reg(1, machine::base);
    m.hart.set_reg(5, 77);
    run_to_trap(m, {jalr(5, 1, 2)});
    expect_trap(m, cause::misaligned_fetch, second, machine::base + 2);
    EXPECT_EQ(m.hart.reg(5), 77u);
    run_to_trap(m, {jal(5, 6)});
    expect_trap(m, cause::misaligned_fetch, second, second + 6);
    EXPECT_EQ(m.hart.reg(5), 77u);
    run_to_trap(m, {branch(1, 0, 0, 6), branch(0, 0, 0, 10)}); // bne is not taken
    expect_trap(m, cause::misaligned_fetch, second + 4, second + 14);
}

TEST(riscv_traps, traps_turn_interrupts_off_and_mret_restores_them) {
    machine m;
    m.run({csrrwi(0, csr::mstatus, 8)});
    EXPECT_EQ(m.csr(csr::mstatus), 0x1808u); // MPP is always machine mode
    run_to_trap(m, {ecall});
    EXPECT_EQ(m.csr(csr::mstatus), 0x1880u);
    m.place(machine::handler, {mret});
    m.hart.run(m.hart.now() + one_cycle);
    EXPECT_EQ(m.csr(csr::mstatus), 0x1888u);
    EXPECT_EQ(m.hart.pc(), second);
}

TEST(riscv_unhandled, a_zero_word_that_is_illegal_is_not_shown_as_the_tensix_word_that_it_could_be) {
    machine m;
    m.place(machine::base, {0u});
    m.hart.run(cycles{1000});
    ASSERT_EQ(m.traps.size(), 1u);
    EXPECT_NE(m.traps[0].text().find("instruction 0x00000000 (.word 0x00000000)"), std::string::npos)
        << m.traps[0].text();
}

// --- traps without a way out -------------------------------------------------------------------------------

TEST(riscv_unhandled, a_trap_without_a_handler_ends_the_run_and_is_described) {
    machine m;
    m.place(machine::base, {nop, illegal});
    EXPECT_EQ(m.hart.run(cycles{1000}), riscv::run_result::trapped);
    ASSERT_EQ(m.traps.size(), 1u);
    const riscv::unhandled_trap& trap = m.traps[0];
    EXPECT_EQ(trap.cause, 2u);
    EXPECT_EQ(trap.mepc, second);
    EXPECT_EQ(trap.mtval, illegal);
    EXPECT_TRUE(trap.no_handler);
    EXPECT_EQ(trap.text(),
              "illegal instruction (cause 2), mepc 0x80000004, mtval 0xffffffff, instruction 0xffffffff "
              "(.word 0xffffffff); no handler is set, mtvec is zero");
    EXPECT_EQ(m.hart.pc(), second);
    EXPECT_EQ(m.hart.run(cycles{2000}), riscv::run_result::trapped) << "it stays there";
    EXPECT_EQ(m.hart.counters().instructions, 1u);
}

TEST(riscv_unhandled, a_handler_whose_first_instruction_traps_ends_the_run) {
    machine m;
    m.hart.set_reg(31, machine::handler);
    m.place(machine::handler, {illegal});
    m.place(machine::base, {csrrw(0, csr::mtvec, 31), ecall});
    EXPECT_EQ(m.hart.run(cycles{1000}), riscv::run_result::trapped);
    ASSERT_EQ(m.traps.size(), 1u);
    EXPECT_FALSE(m.traps[0].no_handler);
    EXPECT_EQ(m.traps[0].mepc, machine::handler);
}

TEST(riscv_unhandled, a_handler_outside_memory_ends_the_run) {
    machine m;
    m.hart.set_reg(31, 0x100);
    m.place(machine::base, {csrrw(0, csr::mtvec, 31), ecall});
    EXPECT_EQ(m.hart.run(cycles{1000}), riscv::run_result::trapped);
    EXPECT_EQ(m.hart.trap().cause, cause::fetch_fault);
    EXPECT_FALSE(m.hart.trap().has_instruction);
}

TEST(riscv_unhandled, a_handler_that_traps_later_on_without_end_ends_the_run) {
    machine m;
    m.hart.set_reg(31, machine::handler);
    m.place(machine::handler, {addi(2, 2, -16), nop, illegal});
    m.place(machine::base, {csrrw(0, csr::mtvec, 31), ecall});
    EXPECT_EQ(m.hart.run(cycles{1000000}), riscv::run_result::trapped);
    EXPECT_EQ(m.hart.trap().mepc, machine::handler + 8);
}

TEST(riscv_unhandled, a_program_may_use_the_handler_address_to_skip_what_traps) {
    machine m; // as the start-up code of the public test suites does for CSRs that may be missing
    m.hart.set_reg(10, machine::base + 12);
    m.hart.set_reg(11, machine::base + 24);
    m.run({csrrw(0, csr::mtvec, 10), csrrw(0, 0x744, 0), illegal, csrrw(0, csr::mtvec, 11),
           csrrw(0, 0x180, 0), illegal, nop});
    EXPECT_EQ(m.hart.pc(), machine::base + 28);
    EXPECT_TRUE(m.traps.empty());
}

TEST(riscv_unhandled, a_reset_address_that_is_no_multiple_of_four_is_a_trap) {
    machine m;
    riscv::hart_setup setup;
    setup.reset_pc = machine::base + 2;
    m.hart.reset(parameters{}, setup);
    EXPECT_EQ(m.hart.run(cycles{10}), riscv::run_result::trapped);
    EXPECT_EQ(m.hart.trap().cause, cause::misaligned_fetch);
    EXPECT_EQ(m.hart.trap().mtval, machine::base + 2);
}

// --- interrupts --------------------------------------------------------------------------------------------

void enable(machine& m, word mie, word mtvec) {
    m.hart.set_reg(10, mie);
    m.hart.set_reg(11, mtvec);
    m.run({csrrw(0, csr::mie, 10), csrrw(0, csr::mtvec, 11), csrrwi(0, csr::mstatus, 8)});
}

TEST(riscv_interrupts, are_taken_before_the_next_instruction_if_enabled_everywhere) {
    for (unsigned interrupt : {3u, 7u, 11u}) {
        machine m;
        enable(m, 1u << interrupt, machine::handler);
        m.place(machine::handler, {nop});
        m.hart.set_pc(machine::data);
        m.hart.set_interrupt(interrupt, true);
        EXPECT_EQ(m.csr(csr::mip), 1u << interrupt);
        m.hart.run(m.hart.now() + one_cycle);
        EXPECT_EQ(m.csr(csr::mcause), 0x80000000u + interrupt);
        EXPECT_EQ(m.csr(csr::mepc), machine::data);
        EXPECT_EQ(m.csr(csr::mstatus), 0x1880u);
    }
}

constexpr word loop_here = jal(0, 0);

TEST(riscv_interrupts, wait_while_they_are_off_and_come_with_the_write_that_turns_them_on) {
    machine m;
    m.hart.set_reg(10, 1u << 7);
    m.hart.set_reg(11, machine::handler);
    m.hart.set_interrupt(7, true);
    m.place(machine::handler, {loop_here});
    m.place(machine::base,
            {csrrw(0, csr::mtvec, 11), csrrw(0, csr::mie, 10), nop, csrrwi(0, csr::mstatus, 8), nop, nop});
    m.hart.run(cycles{100});
    EXPECT_EQ(m.csr(csr::mcause), 0x80000007u);
    EXPECT_EQ(m.csr(csr::mepc), machine::base + 16);
}

TEST(riscv_interrupts, external_comes_before_software_before_timer_and_vectors_are_four_bytes_apart) {
    std::vector<unsigned> pending{3, 7, 11};
    for (unsigned expected : {11u, 3u, 7u}) {
        machine m;
        enable(m, 0x888, machine::handler + 1);
        for (word slot = 0; slot < 12; ++slot) m.place(machine::handler + 4 * slot, {loop_here});
        m.place(machine::data, {loop_here});
        m.hart.set_pc(machine::data);
        for (unsigned interrupt : pending) m.hart.set_interrupt(interrupt, true);
        m.hart.run(m.hart.now() + cycles{10});
        EXPECT_EQ(m.csr(csr::mcause), 0x80000000u + expected);
        EXPECT_EQ(m.hart.pc(), machine::handler + 4 * expected);
        pending.erase(std::find(pending.begin(), pending.end(), expected));
    }
}

TEST(riscv_interrupts, do_not_change_where_exceptions_go) {
    machine m;
    m.hart.set_reg(11, machine::handler + 1);
    m.place(machine::handler, {loop_here});
    m.place(machine::base, {csrrw(0, csr::mtvec, 11), ecall});
    m.hart.run(cycles{100});
    EXPECT_EQ(m.hart.pc(), machine::handler);
    EXPECT_EQ(m.csr(csr::mcause), 11u);
}

TEST(riscv_interrupts, mip_cannot_be_written) {
    machine m;
    m.hart.set_reg(10, 0xffffffffu);
    m.run({csrrw(0, csr::mip, 10)});
    EXPECT_EQ(m.csr(csr::mip), 0u);
}

// --- CSRs --------------------------------------------------------------------------------------------------

TEST(riscv_csrs, read_as_the_specification_says_after_reset) {
    machine m;
    const std::pair<unsigned, word> values[] = {
        {csr::mstatus, 0x1800}, {csr::misa, 0x40001100}, {csr::mie, 0},     {csr::mtvec, 0},
        {csr::mscratch, 0},     {csr::mepc, 0},          {csr::mcause, 0},  {csr::mtval, 0},
        {csr::mip, 0},          {csr::mvendorid, 0},     {csr::marchid, 0}, {csr::mimpid, 0},
        {csr::mhartid, 0},      {csr::cfg0, 0x20000},    {0x7c6, 0}};
    for (auto [number, value] : values) {
        word found = ~value;
        EXPECT_TRUE(m.hart.read_csr(number, found)) << std::hex << number;
        EXPECT_EQ(found, value) << std::hex << number;
    }
}

TEST(riscv_csrs, hold_the_bits_that_exist) {
    machine m;
    m.hart.set_reg(10, 0xffffffffu);
    const std::pair<unsigned, word> values[] = {{csr::mstatus, 0x1888},      {csr::misa, 0x40001100},
                                                {csr::mie, 0x888},           {csr::mtvec, 0xfffffffd},
                                                {csr::mscratch, 0xffffffff}, {csr::mepc, 0xfffffffc},
                                                {csr::mcause, 0xffffffff},   {csr::mtval, 0xffffffff},
                                                {csr::cfg0, 0xffffffff},     {csr::vgsrc, 0xffffffff}};
    for (auto [number, value] : values) {
        m.run({csrrw(0, number, 10)});
        EXPECT_EQ(m.csr(number), value) << std::hex << number;
    }
    EXPECT_TRUE(m.traps.empty());
}

TEST(riscv_csrs, write_set_and_clear_return_the_old_value) {
    machine m;
    m.hart.set_reg(1, 0x0f0f);
    m.hart.set_reg(2, 0x00ff);
    const auto set_immediate = i_type(0x73, 6, 6, 16, csr::mscratch),
               clear_immediate = i_type(0x73, 7, 7, 15, csr::mscratch);
    m.run({csrrw(3, csr::mscratch, 1), csrrs(4, csr::mscratch, 2), csrrc(5, csr::mscratch, 1), set_immediate,
           clear_immediate, csrrwi(8, csr::mscratch, 31), csrrs(9, csr::mscratch, 0)});
    EXPECT_EQ(m.hart.reg(3), 0u);
    EXPECT_EQ(m.hart.reg(4), 0x0f0fu);
    EXPECT_EQ(m.hart.reg(5), 0x0fffu);
    EXPECT_EQ(m.hart.reg(6), 0x00f0u);
    EXPECT_EQ(m.hart.reg(7), 0x00f0u | 16u);
    EXPECT_EQ(m.hart.reg(8), 0x00f0u);
    EXPECT_EQ(m.hart.reg(9), 31u);
}

TEST(riscv_csrs, that_do_not_exist_are_illegal_instructions) {
    machine m;
    for (unsigned number :
         {0x000u, 0x001u, 0x100u, 0x105u, 0x180u, 0x302u, 0x303u, 0x306u, 0x310u, 0x3a0u, 0x3b0u,
          0x744u, 0x7b0u, 0x7c7u, 0x800u, 0xb03u, 0xbc2u, 0xc01u, 0xc81u, 0xf15u, 0xfffu}) {
        const word bits = csrrs(3, number, 0);
        run_to_trap(m, {bits});
        expect_trap(m, 2, second, bits);
        word value;
        EXPECT_FALSE(m.hart.read_csr(number, value));
    }
}

TEST(riscv_csrs, that_are_read_only_can_be_read_by_csrrs_x0_and_not_written) {
    machine m;
    m.hart.set_reg(2, 1);
    for (unsigned number :
         {csr::mhartid, csr::mvendorid, csr::cycle, csr::instret, csr::cycleh, csr::instreth}) {
        m.run({csrrs(3, number, 0), csrrc(3, number, 0)});
        EXPECT_TRUE(m.traps.empty());
        for (word bits :
             {csrrw(0, number, 0), csrrs(3, number, 2), csrrc(3, number, 2), csrrwi(0, number, 0)}) {
            run_to_trap(m, {bits});
            expect_trap(m, 2, second, bits);
        }
    }
}

TEST(riscv_csrs, each_hart_has_its_number) {
    machine m;
    riscv::hart_setup setup;
    setup.hart_id = 2;
    m.hart.reset(parameters{}, setup);
    EXPECT_EQ(m.csr(csr::mhartid), 2u);
}

TEST(riscv_csrs, the_status_of_the_front_end_comes_from_its_port) {
    machine m;
    m.run({csrrs(3, csr::tensix_queues, 0), csrrs(4, csr::tensix_busy, 0), csrrw(5, csr::tensix_queues, 0)});
    EXPECT_EQ(m.hart.reg(3), 0x1234u);
    EXPECT_EQ(m.hart.reg(4), 0x5678u);
    EXPECT_EQ(m.hart.reg(5), 0x1234u);
}

TEST(riscv_counters, instret_counts_what_came_before_and_not_what_trapped) {
    machine m;
    m.run({nop, nop, csrrs(3, csr::instret, 0), csrrs(4, csr::minstret, 0)});
    EXPECT_EQ(m.hart.reg(3), 2u);
    EXPECT_EQ(m.hart.reg(4), 3u);
    run_to_trap(m, {ecall}); // csrrw, then ecall, which does not retire
    EXPECT_EQ(m.csr(csr::instret), 5u);
    EXPECT_EQ(m.hart.counters().instructions, 5u);
    EXPECT_EQ(m.hart.counters().traps, 1u);
}

TEST(riscv_counters, the_instruction_behind_a_write_of_instret_reads_what_was_written) {
    machine m;
    m.hart.set_reg(10, 0xffffffffu);
    m.run({csrrwi(0, csr::minstret, 0), csrrs(3, csr::minstret, 0), csrrw(0, csr::minstret, 10),
           csrrw(0, csr::minstreth, 10), nop, csrrs(4, csr::minstret, 0), csrrs(5, csr::minstreth, 0)});
    EXPECT_EQ(m.hart.reg(3), 0u);
    EXPECT_EQ(m.hart.reg(4), 0u); // 2^64 - 1, and the nop
    EXPECT_EQ(m.hart.reg(5), 0u);
}

TEST(riscv_counters, cycle_advances_with_time_and_can_be_set_through_mcycle) {
    machine m;
    m.hart.set_reg(10, 1000);
    m.hart.set_reg(11, 5);
    m.run({csrrw(0, csr::mcycle, 10), csrrw(0, csr::mcycleh, 11), csrrs(3, csr::cycle, 0),
           csrrs(4, csr::cycleh, 0)});
    EXPECT_EQ(m.hart.reg(3), 1004u); // hart.latency.csr is 2
    EXPECT_EQ(m.hart.reg(4), 5u);
}

} // namespace
} // namespace sfpu::test
