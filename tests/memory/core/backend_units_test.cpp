// Words of the Configuration Unit and the Scalar Unit, by the functional models of their pages.
#include <sfpu/memory/backend_units.h>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

namespace {

using namespace sfpu;
using outcome = memory::backend_result::outcome;

/// Memory of 64 KiB at zero, one register at 0xFFB40000 + 4 x 100, GPRs of three threads.
struct backend_rig : memory::backend_surroundings {
    memory::config_registers registers;
    memory::backend_units units{registers, *this};
    std::array<std::array<std::uint32_t, 64>, 3> gprs{};
    std::array<std::uint16_t, 64> thread_registers{};
    std::vector<unsigned char> memory_bytes = std::vector<unsigned char>(0x10000);
    std::map<std::uint32_t, std::uint32_t> words_at; ///< registers
    std::vector<unsigned> written;

    explicit backend_rig(architecture arch = architecture::blackhole) : registers(arch) { units.reset(arch); }

    std::uint32_t gpr(unsigned thread, unsigned number) const override { return gprs[thread].at(number); }
    void set_gpr(unsigned thread, unsigned number, std::uint32_t value) override {
        gprs[thread].at(number) = value;
    }
    std::uint16_t thread_register(unsigned, unsigned number) const override {
        return thread_registers.at(number);
    }
    void configuration_written(unsigned bank_word) override { written.push_back(bank_word); }
    bool read(std::uint32_t address, unsigned char* data, unsigned bytes) override {
        if (const auto found = words_at.find(address); found != words_at.end()) {
            std::memcpy(data, &found->second, bytes);
            return true;
        }
        if (address + std::uint64_t{bytes} > memory_bytes.size()) return false;
        std::memcpy(data, &memory_bytes[address], bytes);
        return true;
    }
    bool write(std::uint32_t address, const unsigned char* data, unsigned bytes) override {
        if (address >= 0xffb11000u) {
            std::memcpy(&words_at[address], data, bytes);
            return true;
        }
        if (address + std::uint64_t{bytes} > memory_bytes.size()) return false;
        std::memcpy(&memory_bytes[address], data, bytes);
        return true;
    }

    outcome operator()(std::uint32_t word, unsigned thread = 1) { return units.execute(word, thread).what; }
    std::uint32_t word_at(std::uint32_t address) const {
        std::uint32_t value = 0;
        std::memcpy(&value, &memory_bytes[address], sizeof value);
        return value;
    }
    void set_word_at(std::uint32_t address, std::uint32_t value) {
        std::memcpy(&memory_bytes[address], &value, sizeof value);
    }
};

constexpr std::uint32_t rmwcib(unsigned byte, unsigned mask, unsigned value, unsigned index) {
    return (0xb3u + byte) << 24 | mask << 16 | value << 8 | index;
}
constexpr std::uint32_t wrcfg(unsigned gpr, bool wide, unsigned index) {
    return 0xb0u << 24 | gpr << 16 | (wide ? 1u << 15 : 0u) | index;
}
constexpr std::uint32_t setdmareg(unsigned half, unsigned value) { return 0x45u << 24 | value << 8 | half; }
constexpr std::uint32_t two_operands(std::uint32_t code, unsigned mode, unsigned to, unsigned right,
                                     unsigned left, bool immediate = false) {
    return code << 24 | (immediate ? 1u << 23 : 0u) | mode << 18 | to << 12 | right << 6 | left;
}

TEST(configuration_unit, rmwcib_changes_the_bits_of_its_mask_in_its_byte) {
    for (unsigned byte = 0; byte < 4; ++byte) {
        backend_rig rig;
        rig.registers.write(10, 0x12345678);
        EXPECT_EQ(rig(rmwcib(byte, 0xf0, 0xab, 10)), outcome::done);
        const std::uint32_t mask = 0xf0u << 8 * byte;
        EXPECT_EQ(rig.registers.word(0, 10), (0x12345678u & ~mask) | (0xa0u << 8 * byte)) << byte;
        EXPECT_EQ(rig.registers.word(1, 10), 0u);
        EXPECT_EQ(rig.written, std::vector<unsigned>{10});
    }
}

TEST(configuration_unit, the_threads_state_selects_the_bank_and_global_words_have_both) {
    backend_rig rig;
    rig.thread_registers[0] = 1;
    rig(rmwcib(0, 0xff, 0x5a, 1));
    EXPECT_EQ(rig.registers.word(0, 1), 0u);
    EXPECT_EQ(rig.registers.word(1, 1), 0x5au);
    rig(rmwcib(0, 0xff, 0x77, 180)); // the first global one of Blackhole
    EXPECT_EQ(rig.registers.word(0, 180), 0x77u);
    EXPECT_EQ(rig.registers.word(1, 180), 0x77u);
}

TEST(configuration_unit, rmwcib_to_the_reset_word_clears_nothing_and_wrcfg_to_it_does) {
    backend_rig rig;
    rig.registers.write(1, 99);
    rig(rmwcib(0, 0xff, 1, 4));
    EXPECT_EQ(rig.registers.word(0, 1), 99u);
    rig(wrcfg(3, false, 4));
    EXPECT_EQ(rig.registers.word(0, 1), 0u);
}

TEST(configuration_unit, words_behind_a_bank_are_undefined_and_change_nothing) {
    for (const auto arch : {architecture::blackhole, architecture::wormhole}) {
        backend_rig rig(arch);
        const unsigned words = arch == architecture::blackhole ? 224 : 188;
        EXPECT_EQ(rig(rmwcib(0, 0xff, 1, words - 1)), outcome::done);
        EXPECT_EQ(rig(rmwcib(0, 0xff, 1, words)), outcome::undefined);
        EXPECT_EQ(rig(wrcfg(0, false, words)), outcome::undefined);
        EXPECT_EQ(rig(0xb1u << 24 | words), outcome::undefined); // RDCFG
        EXPECT_EQ(rig.written.size(), 1u);
    }
}

TEST(configuration_unit, wrcfg_moves_a_gpr_or_four_and_rdcfg_brings_one_back) {
    backend_rig rig;
    for (unsigned i = 0; i < 8; ++i) rig.gprs[1][i] = 100 + i;
    EXPECT_EQ(rig(wrcfg(5, false, 21)), outcome::done);
    EXPECT_EQ(rig.registers.word(0, 21), 105u);
    EXPECT_EQ(rig(wrcfg(6, true, 31)), outcome::done); // aligned down, both
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(rig.registers.word(0, 28 + i), 104 + i);
    EXPECT_EQ(rig(0xb1u << 24 | 40u << 16 | 29), outcome::done);
    EXPECT_EQ(rig.gprs[1][40], 105u);
    EXPECT_EQ(rig.gprs[0][40], 0u);
}

TEST(configuration_unit, cfgshiftmask_is_blackholes_and_combines_with_a_rotated_scratch_word) {
    backend_rig rig;
    rig.registers.write(209, 0xff); // SCRATCH_SEC0
    rig.registers.write(20, 0xffff0000);
    // Keep the old value: no mask on it; OR; eight bits; rotated right by 24, so to bits 15:8.
    EXPECT_EQ(rig(0xb8u << 24 | 1u << 23 | 0u << 20 | 7u << 15 | 24u << 10 | 20), outcome::done);
    EXPECT_EQ(rig.registers.word(0, 20), 0xffffff00u);
    EXPECT_EQ(backend_rig(architecture::wormhole)(0xb8000000), outcome::not_modelled);
}

TEST(configuration_unit, streamwrcfg_reads_the_stream_that_the_thread_has_selected) {
    backend_rig rig;
    rig.thread_registers[60] = 3; // STREAM_ID_SYNC_SEC1
    rig.words_at[0xffb40000 + 3 * 0x1000 + 4 * 28] = 1234;
    EXPECT_EQ(rig(0xb7u << 24 | 1u << 21 | 28u << 11 | 17), outcome::done);
    EXPECT_EQ(rig.registers.word(0, 17), 1234u);
    EXPECT_EQ(rig(0xb7u << 24 | 2u << 21 | 28u << 11 | 17), outcome::undefined); // nothing is there
}

TEST(scalar_unit, setdmareg_sets_a_half_of_a_gpr_of_its_thread) {
    backend_rig rig;
    rig(setdmareg(2 * 7, 0x5678));
    rig(setdmareg(2 * 7 + 1, 0x1234));
    EXPECT_EQ(rig.gprs[1][7], 0x12345678u);
    EXPECT_EQ(rig.gprs[2][7], 0u);
}

TEST(scalar_unit, setdmareg_of_a_packers_state_gives_zero_and_says_so) {
    backend_rig rig;
    rig.gprs[1].fill(7);
    EXPECT_EQ(rig(0x45u << 24 | 2u << 22 | 1u << 7 | 2 * 9), outcome::in_part);
    EXPECT_EQ(rig.gprs[1][7], 7u);
    for (unsigned i = 8; i < 12; ++i) EXPECT_EQ(rig.gprs[1][i], 0u);
    EXPECT_EQ(rig(0x45u << 24 | 2u << 22 | 10u << 11 | 1u << 7 | 2 * 16),
              outcome::done); // zero by definition
}

TEST(scalar_unit, computes_with_a_gpr_or_six_bits) {
    struct row {
        std::uint32_t code;
        unsigned mode;
        std::uint32_t left, right, expected;
    };
    const row rows[] = {
        {0x58, 0, 0xffffffff, 2, 1},
        {0x59, 0, 1, 2, 0xffffffff},
        {0x5a, 0, 0x2ffff, 0x3ffff, 0xfffe0001}, // 16 bits of each
        {0x5b, 0, 0xc, 0xa, 0x8},
        {0x5b, 1, 0xc, 0xa, 0xe},
        {0x5b, 2, 0xc, 0xa, 0x6},
        {0x5c, 0, 3, 33, 6},
        {0x5c, 1, 0x80000000, 31, 1},
        {0x5d, 0, 0xffffffff, 1, 1},
        {0x5d, 1, 0xffffffff, 1, 0},
        {0x5d, 2, 5, 5, 1},
    };
    for (const row& each : rows) {
        backend_rig rig;
        rig.gprs[1][10] = each.left;
        rig.gprs[1][11] = each.right;
        EXPECT_EQ(rig(two_operands(each.code, each.mode, 12, 11, 10)), outcome::done);
        EXPECT_EQ(rig.gprs[1][12], each.expected) << std::hex << each.code << ' ' << each.mode;
        if (each.right > 63) continue;
        EXPECT_EQ(rig(two_operands(each.code, each.mode, 13, each.right, 10, true)), outcome::done);
        EXPECT_EQ(rig.gprs[1][13], each.expected)
            << std::hex << each.code << ' ' << each.mode << " immediate";
    }
    backend_rig rig;
    EXPECT_EQ(rig(two_operands(0x5b, 3, 12, 11, 10)), outcome::undefined);
    EXPECT_EQ(rig(two_operands(0x5c, 2, 12, 11, 10)), outcome::undefined);
    EXPECT_EQ(rig(two_operands(0x5d, 7, 12, 11, 10)), outcome::undefined);
}

/// Offset in the lower half of GPR 20, address in units of 16 bytes in GPR 21, data in GPR 24 and the next.
constexpr std::uint32_t indirect(std::uint32_t code, std::uint32_t size, unsigned step) {
    return code << 24 | size | 40u << 14 | step << 12 | 24u << 6 | 21;
}

TEST(scalar_unit, storeind_and_loadind_move_16_4_2_and_1_bytes_of_l1_and_step_the_offset) {
    constexpr unsigned widths[] = {16, 4, 2, 1}, steps[] = {0, 2, 4, 16};
    for (unsigned size = 0; size < 4; ++size) {
        backend_rig rig;
        rig.gprs[1][20] = 0xabcd0000 | 32;
        rig.gprs[1][21] = 4;
        for (unsigned i = 0; i < 4; ++i) rig.gprs[1][24 + i] = 0x11223344 * (i + 1);
        EXPECT_EQ(rig(indirect(0x66, 1u << 23 | size << 21, size)), outcome::done);
        EXPECT_EQ(rig.gprs[1][20], 0xabcd0000u | (32 + steps[size]));
        unsigned found = 0;
        for (const unsigned char byte : rig.memory_bytes) found += byte != 0;
        EXPECT_EQ(found, widths[size]);
        EXPECT_EQ(rig.memory_bytes[4 * 16 + 32], 0x44);
        rig.gprs[1][20] = 32;
        for (unsigned i = 0; i < 4; ++i) rig.gprs[1][24 + i] = 0xffffffff;
        EXPECT_EQ(rig(indirect(0x49, size << 22, 0)), outcome::done);
        const std::uint32_t first[] = {0x11223344, 0x11223344, 0xffff3344, 0xffffff44};
        EXPECT_EQ(rig.gprs[1][24], first[size]) << size;
        EXPECT_EQ(rig.gprs[1][25], size == 0 ? 0x22446688u : 0xffffffffu);
    }
}

TEST(scalar_unit, an_address_without_memory_is_undefined) {
    backend_rig rig;
    rig.gprs[1][21] = 0x1000; // 64 KiB
    EXPECT_EQ(rig(indirect(0x49, 1u << 22, 0)), outcome::undefined);
    EXPECT_EQ(rig(indirect(0x66, 1u << 23 | 1u << 21, 0)), outcome::undefined);
    EXPECT_EQ(rig(0x67u << 24 | 3u << 18), outcome::undefined); // STOREREG below the registers
}

TEST(scalar_unit, storereg_loadreg_and_storeind_reach_registers) {
    backend_rig rig;
    rig.gprs[1][3] = 77;
    EXPECT_EQ(rig(0x67u << 24 | 3u << 18 | (0x40000u + 4 * 100) / 4), outcome::done);
    EXPECT_EQ(rig.words_at[0xffb40000 + 400], 77u);
    EXPECT_EQ(rig(0x68u << 24 | 9u << 18 | (0x40000u + 4 * 100) / 4), outcome::done);
    EXPECT_EQ(rig.gprs[1][9], 77u);
    rig.gprs[1][20] = 8 << 4; // the offset counts 16ths of a byte here
    rig.gprs[1][21] = 0xfff40000;
    rig.gprs[1][24] = 5;
    EXPECT_EQ(rig(indirect(0x66, 1u << 22, 0)), outcome::done);
    EXPECT_EQ(rig.words_at[0xffb40008], 5u);
    EXPECT_EQ(rig(indirect(0x66, 0, 0)), outcome::not_modelled); // SrcA and SrcB
}

TEST(scalar_unit, reg2flop_writes_words_of_thcon_only) {
    backend_rig rig;
    rig.gprs[1][8] = 42;
    EXPECT_EQ(rig(0x48u << 24 | 1u << 22 | 5u << 6 | 8), outcome::done);
    EXPECT_EQ(rig.registers.word(0, 64 + 5), 42u);
    EXPECT_EQ(rig(0x48u << 24 | 1u << 22 | 116u << 6 | 8), outcome::undefined);
    EXPECT_EQ(rig(0x48u << 24 | 1u << 20 | 8), outcome::not_modelled);
}

TEST(scalar_unit, atomics_change_l1_and_return_what_was_there) {
    backend_rig rig;
    rig.gprs[1][21] = 4;
    rig.gprs[1][24] = 3;
    rig.set_word_at(64 + 8, 0xff);
    // ATINCGET of an integer of 8 bits in the third word.
    EXPECT_EQ(rig(0x61u << 24 | 7u << 14 | 2u << 12 | 24u << 6 | 21), outcome::done);
    EXPECT_EQ(rig.word_at(64 + 8), 2u);
    EXPECT_EQ(rig.gprs[1][24], 0xffu);
    // ATCAS: 2 becomes 9; then it would wait.
    EXPECT_EQ(rig(0x64u << 24 | 9u << 18 | 2u << 14 | 2u << 12 | 21), outcome::done);
    EXPECT_EQ(rig.word_at(64 + 8), 9u);
    EXPECT_EQ(rig(0x64u << 24 | 9u << 18 | 2u << 14 | 2u << 12 | 21), outcome::in_part);
    // ATSWAP of halfwords 0 and 3.
    for (unsigned i = 0; i < 4; ++i) rig.gprs[1][24 + i] = 0x00010002u * (i + 1);
    EXPECT_EQ(rig(0x63u << 24 | 9u << 14 | 24u << 6 | 21), outcome::done);
    EXPECT_EQ(rig.word_at(64), 2u);
    EXPECT_EQ(rig.word_at(64 + 4), 0x00020000u);
}

TEST(scalar_unit, atincgetptr_pushes_and_pops_unless_it_would_wait) {
    backend_rig rig;
    rig.gprs[1][21] = 4;
    const auto word = [](unsigned which) { // a FIFO of 4: pointers of three bits
        return 0x62u << 24 | 0u << 18 | 3u << 14 | which << 12 | 30u << 6 | 21;
    };
    EXPECT_EQ(rig(word(0)), outcome::in_part); // empty
    for (unsigned i = 0; i < 4; ++i) {
        EXPECT_EQ(rig(word(1)), outcome::done);
        EXPECT_EQ(rig.gprs[1][30], i);
    }
    EXPECT_EQ(rig(word(1)), outcome::in_part); // full
    EXPECT_EQ(rig(word(0)), outcome::done);
    EXPECT_EQ(rig.word_at(64), 1u);
    EXPECT_EQ(rig.word_at(68), 4u);
}

TEST(backend_units, words_of_other_units_are_not_theirs) {
    backend_rig rig;
    for (const std::uint32_t opcode : {0x41u, 0x42u, 0x26u, 0x12u, 0x4bu, 0x57u, 0x70u})
        EXPECT_EQ(rig(opcode << 24), outcome::not_modelled);
}

} // namespace
