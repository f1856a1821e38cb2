// Shortcuts to memory and decoded instructions must not be noticed: not by results, not by time.
#include "riscv_machine.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace sfpu::test {
namespace {

using namespace rv;

/// A random program of straight loads, stores, atomics, arithmetic and short forward branches over 8 KiB of
/// data.
std::vector<word> random_program(unsigned seed, unsigned length) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    const auto reg = [&] { return 3 + below(12); }; // x1 and x2 hold addresses
    std::vector<word> program;
    while (program.size() < length) {
        const int offset = static_cast<int>(below(2048));
        // One after the other: in which order arguments are evaluated depends on the compiler.
        const unsigned kind = below(8), a = reg(), b = reg(), c = reg(), base = 1 + below(2),
                       function = below(120);
        switch (kind) {
        case 0:
            program.push_back(
                i_type(3, std::array<unsigned, 5>{0, 1, 2, 4, 5}[function % 5], a, base, offset));
            break;
        case 1:
        case 2: program.push_back(s_type(function % 3, a, base, offset)); break;
        case 3: program.push_back(r_type(1, function % 8, a, b, c)); break;
        case 4: program.push_back(branch(function % 2, a, b, 8)); break;
        case 5: program.push_back(amoadd(a, 1, b)); break;
        case 6: program.push_back(i_type(0x13, 0, a, b, offset)); break;
        default: program.push_back(r_type(0, function % 8, a, b, c)); break;
        }
    }
    program.insert(program.end(),
                   {jal(0, 0), jal(0, 0)}); // the last word may be a branch over the first of these
    return program;
}

struct outcome {
    std::vector<word> registers;
    std::vector<unsigned char> memory;
    cycles now;
    std::array<std::uint64_t, riscv::stall_cause_count> stalls;
    bool operator==(const outcome& other) const {
        return registers == other.registers && memory == other.memory && now == other.now &&
               stalls == other.stalls;
    }
};
/// Runs a program up to the cycle, in steps.
outcome run_random(const std::vector<word>& program, bool direct, cycles step, cycles load_time,
                   cycles store_time) {
    machine m;
    m.memory.direct = direct;
    m.memory.load_time = load_time;
    m.memory.store_time = store_time;
    for (std::size_t i = 0; i < program.size(); ++i)
        m.memory.put(machine::base + 4 * static_cast<word>(i), program[i]);
    m.hart.set_reg(1, machine::data);
    m.hart.set_reg(2, machine::data + 0x1800 - 3); // accesses straddle words and a page
    for (unsigned i = 3; i < 15; ++i) m.hart.set_reg(i, 0x9e3779b9u * i);
    // The loop at the end would run for ever: stop at a common cycle.
    const cycles end{20000};
    for (cycles until = step; m.hart.now() < end; until += step)
        if (m.hart.run(std::min(until, end)) == riscv::run_result::trapped) {
            ADD_FAILURE() << m.hart.trap().text();
            break;
        }
    outcome result;
    for (unsigned i = 0; i < 32; ++i) result.registers.push_back(m.hart.reg(i));
    result.memory = m.memory.bytes;
    result.now = m.hart.now();
    result.stalls = m.hart.counters().stalls;
    return result;
}

TEST(riscv_shortcuts, direct_memory_changes_neither_results_nor_cycles) {
    for (unsigned seed = 0; seed < 30; ++seed) {
        const std::vector<word> program = random_program(seed, 400);
        const cycles load_time{seed % 3}, store_time{seed % 7};
        const outcome slow = run_random(program, false, cycles{20000}, load_time, store_time);
        EXPECT_TRUE(slow == run_random(program, true, cycles{20000}, load_time, store_time))
            << "seed " << seed;
    }
}

TEST(riscv_shortcuts, the_length_of_a_run_changes_neither_results_nor_cycles) {
    for (unsigned seed = 30; seed < 40; ++seed) {
        const std::vector<word> program = random_program(seed, 400);
        const outcome whole = run_random(program, true, cycles{20000}, cycles{}, cycles{});
        for (int step : {1, 7, 1000})
            EXPECT_TRUE(whole == run_random(program, true, cycles{step}, cycles{}, cycles{}))
                << "seed " << seed;
    }
}

TEST(riscv_shortcuts, a_store_to_code_is_seen_by_the_next_instruction) {
    for (bool direct : {true, false}) {
        machine m;
        m.memory.direct = direct;
        m.hart.set_reg(1, machine::base);
        m.hart.set_reg(2, addi(3, 0, 2));
        // The first round executes addi(3, 0, 1); it then replaces that and comes back.
        m.run(
            {jal(0, 8), nop, addi(3, 0, 1), sw(2, 1, 8), addi(4, 4, 1), addi(5, 0, 2), branch(1, 4, 5, -16)});
        EXPECT_EQ(m.hart.reg(3), 2u) << (direct ? "direct" : "not direct");
    }
}

TEST(riscv_shortcuts, a_byte_stored_into_code_and_a_misaligned_store_over_two_words_are_seen) {
    machine m;
    m.hart.set_reg(1, machine::base);
    const word next = addi(3, 0, 0x55); // its upper half and nothing more differs
    m.hart.set_reg(2, next >> 16);
    m.run({jal(0, 8), nop, addi(3, 0, 1), s_type(1, 2, 1, 10), addi(4, 4, 1), addi(5, 0, 2),
           branch(1, 4, 5, -16)});
    EXPECT_EQ(m.hart.reg(3), 0x55u);
    m.place(machine::base, {addi(6, 0, 1), addi(7, 0, 1)});
    m.run({addi(6, 0, 1), addi(7, 0, 1)});
    m.hart.set_reg(2, (addi(6, 0, 9) >> 16) | (addi(7, 0, 1) << 16));
    m.hart.set_reg(1, machine::base + 2);
    m.place(machine::data, {sw(2, 1, 0), jal(0, 0)});
    m.hart.set_pc(machine::data);
    m.hart.run(m.hart.now() + cycles{10});
    m.hart.set_pc(machine::base);
    m.hart.run(m.hart.now() + one_cycle);
    EXPECT_EQ(m.hart.reg(6), 9u);
}

// On Wormhole by grace: there fence.i is a nop, but what the hart has decoded is no cache of the chip.
TEST(riscv_shortcuts, code_that_somebody_else_changed_is_seen_after_fence_i) {
    for (const architecture arch : {architecture::blackhole, architecture::wormhole}) {
        parameters config;
        config.arch = arch;
        machine m(config);
        m.place(machine::data, {addi(3, 0, 1), jalr(0, 1, 0)});
        m.hart.set_reg(10, machine::data);
        m.run({jalr(1, 10, 0)});
        EXPECT_EQ(m.hart.reg(3), 1u);
        m.memory.put(machine::data, addi(3, 0, 2)); // not a store of the hart
        m.place(machine::base, {fence_i, jalr(1, 10, 0)});
        m.hart.set_pc(machine::base);
        while (m.hart.pc() != machine::base + 8) m.hart.run(m.hart.now() + one_cycle);
        EXPECT_EQ(m.hart.reg(3), 2u);
    }
}

TEST(riscv_shortcuts, revoked_direct_memory_is_not_touched_again) {
    machine m;
    m.hart.set_reg(1, machine::data);
    m.run({lw(3, 1, 0)});
    m.memory.direct = false;
    m.hart.forget_direct_memory(machine::base, machine::base + plain_memory::size - 1);
    m.memory.load_time = cycles{11};
    const cycles before = m.hart.now();
    const cycles after = m.run({lw(3, 1, 0), addi(3, 3, 0)});
    EXPECT_GT(after - before, cycles{11}) << "the load went through the interface";
}

struct watcher : riscv::hart_listener {
    riscv::hart_core* hart = nullptr;
    std::vector<word> values;
    void watched_store(word, unsigned, word value, cycles) override {
        values.push_back(value);
        if (value) hart->stop();
    }
};

TEST(riscv_watch, stores_that_touch_the_addresses_are_told_and_no_others) {
    for (bool direct : {true, false}) {
        machine m;
        watcher told;
        told.hart = &m.hart;
        m.memory.direct = direct;
        m.hart.set_listener(&told);
        m.hart.watch_stores(machine::data + 8, 8);
        m.hart.set_reg(1, machine::data);
        m.hart.set_reg(2, 0);
        m.run({sw(2, 1, 4), sw(2, 1, 16), sw(2, 1, 8), sw(2, 1, 12), s_type(0, 2, 1, 15), s_type(1, 2, 1, 7),
               lw(2, 1, 8)});
        EXPECT_EQ(told.values.size(), 4u);
    }
}

TEST(riscv_watch, the_listener_can_end_the_run_behind_the_store) {
    machine m;
    watcher told;
    told.hart = &m.hart;
    m.hart.set_listener(&told);
    m.hart.watch_stores(machine::data, 8);
    m.hart.set_reg(1, machine::data);
    m.hart.set_reg(2, 1);
    m.place(machine::base, {sw(2, 1, 0), addi(3, 0, 1)});
    EXPECT_EQ(m.hart.run(cycles{1000}), riscv::run_result::stopped);
    EXPECT_EQ(m.hart.pc(), machine::base + 4);
    EXPECT_EQ(m.memory.at(machine::data), 1u);
    EXPECT_EQ(m.hart.run(m.hart.now() + one_cycle), riscv::run_result::time_over) << "it can go on";
    EXPECT_EQ(m.hart.reg(3), 1u);
}

TEST(riscv_reset, is_the_same_as_construction) {
    const std::vector<word> program = random_program(99, 300);
    const auto run = [&](machine& m) {
        for (std::size_t i = 0; i < program.size(); ++i)
            m.memory.put(machine::base + 4 * static_cast<word>(i), program[i]);
        m.hart.set_reg(1, machine::data);
        m.hart.set_reg(2, machine::data);
        m.hart.run(cycles{5000});
        std::vector<word> state;
        for (unsigned i = 0; i < 32; ++i) state.push_back(m.hart.reg(i));
        for (unsigned number : {0xb00u, 0xb02u, 0x300u, 0x341u}) state.push_back(m.csr(number));
        return state;
    };
    machine fresh, used;
    run(used);
    used.run({illegal});
    std::fill(used.memory.bytes.begin(), used.memory.bytes.end(), static_cast<unsigned char>(0));
    used.reset(parameters{});
    EXPECT_EQ(run(fresh), run(used));
    EXPECT_EQ(fresh.memory.bytes, used.memory.bytes);
}

// --- coprocessor -------------------------------------------------------------------------------------------

/// Claims custom-2, holds the hart three cycles, has the CSR 0x800 and traps on words with bit 31.
struct test_unit : riscv::coprocessor {
    word csr = 0;
    std::vector<std::pair<word, cycles>> issued;
    bool claims(word bits) const override { return (bits & 0x7fu) == 0x5bu; }
    unsigned scalar_operand(word bits) const override { return bits >> 7 & 31u; }
    riscv::coprocessor_answer issue(word bits, word scalar, cycles at) override {
        riscv::coprocessor_answer answer;
        answer.next = at + cycles{3};
        if (bits >> 31) {
            answer.result = riscv::coprocessor_answer::outcome::trap;
            answer.cause = 5;
            answer.value = 0x1234;
        } else {
            issued.emplace_back(scalar, at);
        }
        return answer;
    }
    bool read_csr(unsigned number, cycles, word& value) override {
        value = csr;
        return number == 0x800 || number == 0xcc0;
    }
    bool write_csr(unsigned number, cycles, word value) override {
        if (number != 0x800) return false;
        csr = value;
        return true;
    }
    cycles drained(cycles at) override { return std::max(at, cycles{100}); }
};

TEST(riscv_coprocessor, gets_its_words_with_the_scalar_in_the_rd_field_and_holds_the_hart) {
    plain_memory memory;
    test_unit unit;
    riscv::hart_core hart(memory, nullptr, &unit);
    riscv::hart_setup setup;
    setup.reset_pc = plain_memory::base;
    hart.reset(parameters{}, setup);
    hart.set_reg(1, plain_memory::base + 0x8000);
    hart.set_reg(14, 77);
    const word program[] = {lw(13, 1, 0),
                            0x0000005bu | 14u << 7,
                            0x0000005bu | 13u << 7,
                            csrrw(3, 0x800, 14),
                            csrrs(4, 0x800, 0),
                            fence,
                            nop,
                            0x8000005bu};
    for (unsigned i = 0; i < std::size(program); ++i) memory.put(plain_memory::base + 4 * i, program[i]);
    memory.put(plain_memory::base + 0x8000, 55);
    EXPECT_EQ(hart.run(cycles{1000}), riscv::run_result::trapped);
    EXPECT_EQ(unit.issued, (std::vector<std::pair<word, cycles>>{{77u, cycles{1}}, {55u, cycles{4}}}));
    EXPECT_EQ(hart.reg(4), 77u);
    EXPECT_EQ(hart.counters().stalls[static_cast<unsigned>(riscv::stall_cause::coprocessor)],
              2u + 2u + (100u - 12u));
    EXPECT_EQ(hart.trap().cause, 5u);
    EXPECT_EQ(hart.trap().mtval, 0x1234u);
}

TEST(riscv_coprocessor, its_read_only_csrs_and_foreign_csrs_are_illegal_to_write) {
    plain_memory memory;
    test_unit unit;
    riscv::hart_core hart(memory, nullptr, &unit);
    for (word bits : {csrrw(0, 0xcc0, 0), csrrw(0, 0x801, 0)}) {
        riscv::hart_setup setup;
        setup.reset_pc = plain_memory::base;
        hart.reset(parameters{}, setup);
        memory.put(plain_memory::base, bits);
        EXPECT_EQ(hart.run(cycles{10}), riscv::run_result::trapped);
        EXPECT_EQ(hart.trap().cause, 2u);
    }
}

} // namespace
} // namespace sfpu::test
