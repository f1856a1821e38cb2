// Address counters, address modifiers and Dst addresses against cases worked out by hand from the documents
// (tile.md K6).
#include <sfpu/isa/table.h>
#include <sfpu/isa/thread_state.h>

#include "chips.h"
#include "lane_machine.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace sfpu::test {
namespace {

constexpr unsigned int32 = isa::dst_mode::int32, int32_all = isa::dst_mode::int32_all;

struct address_case {
    architecture arch;
    unsigned mode, imm, math_offset, dst, regw_base, sp, sp_base, stack_increment;
    bool load;
    unsigned address, sp_after;
};

TEST(dst_address, is_the_sum_of_its_parts_modulo_1024) {
    // clang-format off
    constexpr address_case cases[] = {
        // arch mode     imm  math dst  regw sp  spb inc load  addr sp
        {bh, int32,      5,   0,   0,   0,   0,  0,  0, true,  5,   0},
        {bh, int32,      5,   16,  100, 200, 0,  0,  0, true,  321, 0},
        {bh, int32,      1,   0,   0,   0,   6,  1,  4, true,  4,   6},   // (6 + 1) & 3
        {bh, int32,      1,   0,   0,   0,   6,  1,  4, false, 4,   6},
        {bh, int32,      1023, 0,  1,   0,   0,  0,  0, true,  0,   0},
        {bh, int32,      1023, 1023, 1023, 1023, 3, 0, 0, false, 1023, 3},
        {bh, int32_all,  2,   0,   7,   0,   8,  16, 4, true,  25,  4},   // Sp 8 - 4; 2 + 4 + 16 + (7 & 3)
        {bh, int32_all,  2,   0,   7,   0,   8,  16, 4, false, 29,  12},  // 2 + 8 + 16 + 3, then Sp + 4
        {bh, int32_all,  2,   0,   7,   0,   0,  16, 4, true,  21,  0},   // an empty stack is not popped
        {bh, int32_all,  0,   0,   3,   2,   0,  0,  4, false, 1,   4},   // (3 + 2) & 3
        {bh, int32_all,  0,   0,   0,   0,   2,  0,  4, true,  1022, 1022},
        {bh, int32_all,  0,   0,   0,   0,   1022, 0, 4, false, 1022, 2},
        {wh, int32,      5,   16,  100, 200, 6,  1,  0, true,  321, 6},   // no stack pointer
        {wh, int32_all,  5,   16,  103, 3,   6,  1,  0, true,  23,  6},   // 21 + (106 & 3)
        {wh, int32_all,  5,   16,  103, 3,   6,  1,  0, false, 23,  6},
        {wh, int32,      1023, 0,  2,   0,   0,  0,  0, false, 1,   0},
    };
    // clang-format on
    for (const address_case& c : cases) {
        isa::thread_state thread;
        thread.reset(c.arch);
        thread.rwc = {c.dst, 0, c.sp};
        isa::backend_configuration backend;
        backend.dest_regw_base = c.regw_base;
        backend.dest_sp_base = c.sp_base;
        thread.set_backend(backend);
        thread.set_math_offset(c.math_offset);
        thread.set_sfpu_stack_incr(c.stack_increment);
        const isa::instruction insn =
            isa::decode(word::dst(c.load ? 0x70 : 0x72, 0, c.mode, c.imm, 0, c.arch), c.arch);
        EXPECT_EQ(thread.dst_address(insn, c.mode, c.load), c.address) << &c - cases;
        EXPECT_EQ(thread.rwc.sp, c.sp_after) << &c - cases;
        EXPECT_EQ(thread.rwc.dst, c.dst) << &c - cases;
    }
}

struct modifier_case {
    unsigned image, dst, dst_cr, dst_after, dst_cr_after;
};

TEST(address_modifier, changes_the_dst_counters_by_clear_copy_carriage_return_or_increment) {
    constexpr unsigned carriage_return = 1u << 10, clear = 1u << 11, to_carriage_return = 1u << 12;
    // clang-format off
    constexpr modifier_case cases[] = {
        {0, 7, 9, 7, 9},
        {2, 7, 9, 9, 9},
        {1023, 7, 9, 6, 9},                                            // minus one
        {2, 1023, 9, 1, 9},
        {carriage_return | 2, 7, 9, 11, 11},
        {carriage_return | 2, 7, 1023, 1, 1},
        {clear | 2, 7, 9, 0, 0},
        {to_carriage_return | 2, 7, 9, 9, 9},
        {to_carriage_return | 5, 1020, 9, 1, 1},
        {clear | to_carriage_return | carriage_return | 2, 7, 9, 0, 0}, // clear wins,
        {to_carriage_return | carriage_return | 2, 7, 100, 9, 9},       // then the copy
        {0xe000 | 2, 7, 9, 9, 9},                                      // fidelity bits play no part
    };
    // clang-format on
    for (const architecture arch : {bh, wh})
        for (const modifier_case& c : cases)
            for (unsigned entry = 0; entry < (arch == bh ? 8u : 4u); ++entry) {
                isa::thread_state thread;
                thread.reset(arch);
                thread.rwc = {c.dst, c.dst_cr, 3};
                thread.set_addr_mod_dst(entry, static_cast<std::uint16_t>(c.image));
                thread.apply_addr_mod(entry);
                EXPECT_EQ(thread.rwc.dst, c.dst_after) << short_name(arch) << ' ' << &c - cases;
                EXPECT_EQ(thread.rwc.dst_cr, c.dst_cr_after) << short_name(arch) << ' ' << &c - cases;
                EXPECT_EQ(thread.rwc.sp, 3u);
            }
}

TEST(address_modifier, selects_entries_four_to_seven_by_the_base_register_on_wormhole) {
    isa::thread_state thread;
    thread.reset(wh);
    for (unsigned entry = 0; entry < 8; ++entry)
        thread.set_addr_mod_dst(entry, static_cast<std::uint16_t>(1u << entry));
    for (unsigned base = 0; base < 2; ++base)
        for (unsigned n = 0; n < 4; ++n) {
            thread.set_addr_mod_base(base);
            thread.rwc.dst = 0;
            thread.apply_addr_mod(n);
            EXPECT_EQ(thread.rwc.dst, 1u << (4 * base + n));
        }
}

TEST(address_modifier, is_taken_from_three_bits_of_the_word_on_blackhole_and_from_two_on_wormhole) {
    EXPECT_EQ(isa::decode(0x7000e000u, bh).addr_mod, 7u);
    EXPECT_EQ(isa::decode(0x70002000u, bh).addr_mod, 1u);
    EXPECT_EQ(isa::decode(0x7000c000u, wh).addr_mod, 3u);
    EXPECT_EQ(isa::decode(0x70002000u, wh).addr_mod, 0u);
    EXPECT_EQ(isa::decode(0x70001fffu, bh).imm10, 0x3ffu);
}

TEST(address_modifier, is_applied_after_the_access) {
    for (const architecture arch : {bh, wh}) {
        lane_machine machine(arch);
        machine.thread.set_addr_mod_dst(3, 8);
        machine.dst[0][0] = 1;
        machine.dst[8][0] = 2;
        machine.execute(word::dst(0x70, 0, 6, 0, 3, arch));
        machine.execute(word::dst(0x70, 1, 6, 0, 3, arch));
        EXPECT_EQ(machine.state.lreg[0][0], 1u);
        EXPECT_EQ(machine.state.lreg[1][0], 2u);
        EXPECT_EQ(machine.thread.rwc.dst, 16u);
    }
}

TEST(address_modifier, is_applied_also_by_loads_that_write_no_register) {
    lane_machine machine(bh);
    machine.thread.set_addr_mod_dst(3, 8);
    machine.execute(word::dst(0x70, 9, 6, 0, 3, bh));
    EXPECT_EQ(machine.thread.rwc.dst, 8u);
}

// SETC16, SETRWC, INCRWC

constexpr std::uint32_t setc16(unsigned index, unsigned value) { return 0xb2000000u | index << 16 | value; }
constexpr std::uint32_t incrwc(unsigned cr, unsigned dst) { return 0x38000000u | cr << 18 | dst << 14; }
constexpr std::uint32_t setrwc(unsigned cr, unsigned dst, unsigned mask) {
    return 0x37000000u | cr << 18 | dst << 14 | mask;
}
constexpr unsigned dst_from_cr = 4, dst_to_cr = 8, select_dst = 4; // cr field: bit 2 is DstCr, bit 3 DstCtoCr

TEST(set_config, reaches_the_registers_that_address_generation_reads) {
    lane_machine machine(bh);
    machine.execute(setc16(1, 64));
    machine.execute(setc16(28 + 6, 2));
    machine.dst[64][2] = 77;
    machine.execute(word::dst(0x70, 0, 6, 0, 6, bh));
    EXPECT_EQ(machine.state.lreg[0][1], 77u);
    EXPECT_EQ(machine.thread.rwc.dst, 2u);
    lane_machine other(wh);
    other.execute(setc16(1, 64));
    other.execute(setc16(2, 1));
    other.execute(setc16(23 + 6, 2)); // AddrMod 2 with base 1
    other.dst[64][2] = 77;
    other.execute(word::dst(0x70, 0, 6, 0, 2, wh));
    EXPECT_EQ(other.state.lreg[0][1], 77u);
    EXPECT_EQ(other.thread.rwc.dst, 2u);
}

TEST(set_config, of_a_register_that_does_not_exist_is_refused_and_changes_nothing) {
    isa::thread_state thread;
    thread.reset(bh);
    EXPECT_TRUE(thread.execute_front_end(isa::decode(setc16(54, 1), bh)));
    EXPECT_FALSE(thread.execute_front_end(isa::decode(setc16(55, 1), bh)));
    EXPECT_FALSE(thread.execute_front_end(isa::decode(setc16(255, 1), bh)));
    thread.reset(wh);
    EXPECT_TRUE(thread.execute_front_end(isa::decode(setc16(55, 1), wh)));
    EXPECT_FALSE(thread.execute_front_end(isa::decode(setc16(56, 1), wh)));
}

struct counter_case {
    std::uint32_t word;
    unsigned dst, dst_cr, dst_after, dst_cr_after;
};

TEST(counter_instructions, change_the_dst_counters_as_documented) {
    // clang-format off
    constexpr counter_case cases[] = {
        {incrwc(0, 2), 7, 100, 9, 100},
        {incrwc(0, 15), 1020, 100, 11, 100},
        {incrwc(dst_from_cr, 2), 7, 100, 102, 102},
        {setrwc(0, 3, select_dst), 7, 100, 3, 3},
        {setrwc(0, 3, 0), 7, 100, 7, 100},
        {setrwc(0, 3, 0x3b), 7, 100, 7, 100}, // every other counter
        {setrwc(dst_from_cr, 3, select_dst), 7, 100, 103, 103},
        {setrwc(dst_to_cr, 3, select_dst), 7, 100, 10, 10},
        {setrwc(dst_from_cr, 15, select_dst), 7, 1020, 11, 11},
        {0x02ffffffu, 7, 100, 7, 100},
    };
    // clang-format on
    for (const architecture arch : {bh, wh})
        for (const counter_case& c : cases) {
            lane_machine machine(arch);
            machine.thread.rwc = {c.dst, c.dst_cr, 5};
            machine.execute(c.word);
            EXPECT_EQ(machine.thread.rwc.dst, c.dst_after) << &c - cases;
            EXPECT_EQ(machine.thread.rwc.dst_cr, c.dst_cr_after) << &c - cases;
            EXPECT_EQ(machine.thread.rwc.sp, 5u);
        }
}

TEST(source_format, resolves_mode_srcb) {
    for (unsigned format = 0; format < 16; ++format) {
        const bool wide = format == 0 || (format >= 4 && format <= 9) || format == 15;
        EXPECT_EQ(isa::resolve_srcb(0, false, format), wide ? isa::dst_mode::bf16 : isa::dst_mode::fp16)
            << format;
        EXPECT_EQ(isa::resolve_srcb(0, true, format), isa::dst_mode::fp32);
        for (unsigned mode = 1; mode < 16; ++mode) EXPECT_EQ(isa::resolve_srcb(mode, true, format), mode);
    }
}

} // namespace
} // namespace sfpu::test
