// Configuration by words, as the vendor's kernels write it, is configuration by stores: in the order of the
// words, at any quantum.
#include "forked.h"
#include "tile_programs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sfpu::test {
namespace {

constexpr std::uint32_t alu_word = 0xffef0004, fp32_enabled = 1u << 30;
constexpr std::uint32_t enable_fp32 = 0xb6404001, disable_fp32 = 0xb6400001; // RMWCIB3 of bit 6 of word 1
constexpr unsigned mode_srcb = 0;
constexpr std::uint32_t sfploadi_hi(unsigned lreg, unsigned value) {
    return 0x71000000 | lreg << 20 | 8u << 16 | value;
}
constexpr std::uint32_t sfploadi_lo(unsigned lreg, unsigned value) {
    return 0x71000000 | lreg << 20 | 10u << 16 | value;
}

/// Loads 0x3f812345, which 16 bits do not hold, and stores it as the configuration says.
void store_by_configuration(program& p, unsigned address) {
    p.push(sfploadi_hi(0, 0x3f81)).push(sfploadi_lo(0, 0x2345));
    p.push(sfpstore(0, mode_srcb, 3, address));
}

/// Runs it at all quanta, which must agree; SystemC has one tile for all programs of a test.
outcome run_on(tile& t, const program& p) {
    const riscv::elf_image image = image_of({p});
    const outcome first = run(t, image, 2'000, quanta()[0]);
    for (const sc_core::sc_time& quantum : quanta())
        expect_same(first, run(t, image, 2'000, quantum), "quantum " + quantum.to_string());
    return first;
}

outcome after(tile& t, const std::function<void(program&)>& configure) {
    program p;
    configure(p);
    store_by_configuration(p, 0);
    p.load(t0, done_check) << rv::addi(t0, t0, 0);
    p.load(s1, alu_word).store(0, s1);
    p.park();
    return run_on(t, p);
}

TEST(tile_backend, rmwcib_does_what_a_store_to_the_configuration_does) {
    in_child([] {
        tile t("tile", with_harts(1));
        const outcome by_store =
            after(t, [](program& p) { p.li(t0, fp32_enabled).store(alu_word, t0).load(t1, alu_word); });
        const outcome by_word = after(t, [](program& p) { p.push(enable_fp32); });
        const outcome without = after(t, [](program&) {});
        EXPECT_TRUE(by_word.dst == by_store.dst);
        EXPECT_FALSE(without.dst == by_store.dst);
        EXPECT_EQ(by_word.l1[0], fp32_enabled);
        EXPECT_EQ(without.l1[0], 0u);
    });
}

TEST(tile_backend, wrcfg_takes_the_gprs_that_setdmareg_has_set) {
    in_child([] {
        tile t("tile", with_harts(1));
        const outcome by_gpr = after(t, [](program& p) {
            p.push(0x45000000 | (fp32_enabled & 0xffff) << 8 | 2 * 5);
            p.push(0x45000000 | (fp32_enabled >> 16) << 8 | (2 * 5 + 1));
            p.push(0xb0000000 | 5u << 16 | 1);
        });
        const outcome by_word = after(t, [](program& p) { p.push(enable_fp32); });
        EXPECT_TRUE(by_gpr.dst == by_word.dst);
        EXPECT_EQ(by_gpr.l1[0], fp32_enabled);
    });
}

TEST(tile_backend, each_word_sees_the_configuration_that_words_before_it_left) {
    in_child([] {
        tile t("tile", with_harts(1));
        program p;
        p.push(enable_fp32);
        store_by_configuration(p, 0);
        p.push(disable_fp32);
        store_by_configuration(p, 64);
        p.load(t0, done_check) << rv::addi(t0, t0, 0);
        p.park();
        const outcome both = run_on(t, p);
        const outcome only_first = after(t, [](program& q) { q.push(enable_fp32); });
        program plain;
        store_by_configuration(plain, 64);
        plain.load(t0, done_check) << rv::addi(t0, t0, 0);
        plain.park();
        const outcome only_second = run_on(t, plain);
        // The two stores write different rows: what both leave is what each leaves alone.
        for (unsigned row = 0; row < 64; ++row)
            for (unsigned column = 0; column < 16; ++column)
                EXPECT_EQ(both.dst[row][column], only_first.dst[row][column]) << row << ' ' << column;
        for (unsigned row = 64; row < 128; ++row)
            for (unsigned column = 0; column < 16; ++column)
                EXPECT_EQ(both.dst[row][column], only_second.dst[row][column]) << row << ' ' << column;
    });
}

TEST(tile_backend, a_thread_has_gprs_of_its_own_that_its_core_reads) {
    in_child([] {
        std::vector<program> harts(2);
        for (unsigned n = 0; n < 2; ++n) {
            program& p = harts[n];
            p.push(0x45000000 | (0x100 + n) << 8 | 2 * 9);           // SETDMAREG
            p.push(0x58000000 | 1u << 23 | 10u << 12 | 5u << 6 | 9); // GPR 10 = GPR 9 + 5
            p.load(t0, done_check) << rv::addi(t0, t0, 0);
            p.load(s1, 0xffe00000 + 4 * 10).store(4 * n, s1);
            p.park();
        }
        const outcome result = run_at_all_quanta(with_harts(2), harts, 2'000);
        EXPECT_EQ(result.l1[0], 0x105u);
        EXPECT_EQ(result.l1[1], 0x106u);
    });
}

TEST(tile_backend, a_word_stores_a_gpr_to_l1_where_a_core_sees_it) {
    in_child([] {
        tile t("tile", with_harts(1));
        program p;
        p.push(0x45000000 | 4u << 8 | 2 * 21);      // GPR 21: address 64
        p.push(0x45000000 | 0x1234u << 8 | 2 * 24); // GPR 24: data
        p.push(0x66000000 | 1u << 23 | 1u << 21 | 40u << 14 | 24u << 6 | 21);
        p.load(t0, done_check) << rv::addi(t0, t0, 0);
        p.load(s1, 64).store(0, s1);
        p.park();
        EXPECT_EQ(run_on(t, p).l1[0], 0x1234u);
    });
}

TEST(tile_backend, what_a_word_cannot_do_is_reported_once) {
    in_child([] {
        struct : diagnostic_sink {
            void diagnose(const diagnostic& what) override { messages.push_back(what.message); }
            std::vector<std::string> messages;
        } sink;
        program p;
        for (unsigned i = 0; i < 2; ++i) p.push(0xb60000ff).push(0x41000000);
        p.load(t0, done_check) << rv::addi(t0, t0, 0);
        p.park();
        tile t("tile", with_harts(1));
        t.reset({nullptr, &sink, hazard_policy::warn, false});
        t.load(image_of({p}));
        t.run(cycles{2'000});
        ASSERT_EQ(sink.messages.size(), 3u); // PACR twice, as ever
        EXPECT_NE(
            sink.messages[0].find("RMWCIB3 (b60000ff) of thread 0: configuration word 255, a bank has 224"),
            std::string::npos)
            << sink.messages[0];
    });
}

// --- 16-bit accesses to the upper halves of 32-bit cells ---------------------------------------------------

TEST(tile_backend, bit_11_of_dbg_feature_disable_sends_16_bit_accesses_to_upper_halves_of_32_bit_cells) {
    constexpr std::uint32_t feature_disable = 0xffb12068, upper_halves = 1u << 11;
    for (const architecture arch : all_architectures)
        in_child([arch] {
            parameters config = with_harts(1);
            config.arch = arch;
            tile t("tile", config);
            program p;
            const auto wait_until_done = [](program& q) { q.load(t0, done_check) << rv::addi(t0, t0, 0); };
            const auto set = [&p, &wait_until_done](std::uint32_t value) {
                wait_until_done(p);
                p.li(s1, value).store(feature_disable, s1).load(t0, feature_disable) << rv::addi(t0, t0, 0);
            };
            set(upper_halves);
            p.push(sfploadi_ushort(0, 0x1234)).push(sfpstore(0, mode_uint16, 3, 16));
            p.push(sfpnop).push(sfpnop).push(sfpnop);
            p.push(sfpload(1, mode_uint16, 3, 16));
            set(0);
            p.push(sfpstore(1, mode_uint16, 3, 128));
            wait_until_done(p);
            const sfpu::dst::image dst = run_on(t, p.park()).dst;
            EXPECT_EQ(dst[32][0], 0x1234u) << "row 16 of 512 is rows 32 and 40 of 1024";
            EXPECT_EQ(dst[16][0], 0u);
            EXPECT_EQ(dst[40][0], 0u);
            EXPECT_EQ(dst[128][0], 0x1234u) << "loaded from there, stored as ever";
        });
}

// --- time --------------------------------------------------------------------------------------------------

/// Cycles until all words of all harts are done, each having pushed `count` of them in turn.
std::int64_t time_of(tile& t, const std::vector<std::vector<std::uint32_t>>& words, unsigned count) {
    std::vector<program> harts;
    for (const std::vector<std::uint32_t>& of_hart : words) {
        program p;
        for (unsigned i = 0; i < count; ++i) p.push(of_hart[i % of_hart.size()]);
        p.load(t0, done_check) << rv::addi(t0, t0, 0);
        p.stamp(static_cast<std::uint32_t>(0x80 + 4 * harts.size()));
        p.park();
        harts.push_back(p);
    }
    const riscv::elf_image image = image_of(harts);
    const outcome first = run(t, image, 1'000, quanta()[0]);
    expect_same(first, run(t, image, 1'000, quanta()[1]), "another quantum");
    return *std::max_element(first.l1.begin() + 32, first.l1.begin() + 32 + static_cast<int>(harts.size()));
}
/// What eight more of them cost, where each thread repeats its words.
std::int64_t time_of_eight(tile& t, const std::vector<std::vector<std::uint32_t>>& words) {
    return time_of(t, words, 12) - time_of(t, words, 4);
}

constexpr std::uint32_t add_immediate = 0x58800000 | 10u << 12 | 5u << 6 | 9, dmanop = 0x60000000,
                        rdcfg = 0xb1000000 | 6u << 16 | 1, wrcfg = 0xb0000000 | 5u << 16 | 1,
                        rmwcib = 0xb3000001;

TEST(tile_backend, a_word_of_the_scalar_unit_holds_its_thread_for_the_documented_time) {
    struct {
        const char* name;
        std::uint32_t word;
        std::int64_t cycles;
    } const rows[] = {
        {"SFPNOP", sfpnop, 1},
        {"SETDMAREG", 0x45000000 | 7u << 8 | 18, 1},
        {"DMANOP", dmanop, 1},
        {"FLUSHDMA", 0x46000001, 2},
        {"REG2FLOP", 0x48400000, 2},
        {"ADDDMAREG of an immediate", add_immediate, 3},
        {"ADDDMAREG of a group", 0x58000000 | 10u << 12 | 5u << 6 | 6, 3},
        {"CMPDMAREG of two groups", 0x5d000000 | 10u << 12 | 5u << 6 | 9, 4},
        {"LOADIND", 0x49000000 | 1u << 22 | 40u << 14 | 24u << 6 | 21, 3},
        {"STOREIND", 0x66a00000 | 40u << 14 | 24u << 6 | 21, 3},
        {"LOADREG", 0x68000000 | 24u << 18 | 0x121f0 / 4, 3},
        {"ATINCGET, of which one begins in twelve cycles", 0x61000000 | 31u << 14 | 24u << 6 | 21, 12},
        {"ATCAS, whose word has the value", 0x64000000 | 21, 15},
    };
    in_child([&] {
        tile t("tile", with_harts(1));
        for (const auto& row : rows) EXPECT_EQ(time_of_eight(t, {{row.word}}), 8 * row.cycles) << row.name;
    });
}

TEST(tile_backend, words_behind_one_that_moves_a_gpr_to_or_from_the_configuration_wait_as_documented) {
    in_child([] {
        tile t("tile", with_harts(1));
        EXPECT_EQ(time_of_eight(t, {{wrcfg}}), 8) << "pipelined";
        EXPECT_EQ(time_of_eight(t, {{rmwcib}}), 8);
        EXPECT_EQ(time_of_eight(t, {{rdcfg}}), 16);
        EXPECT_EQ(time_of_eight(t, {{wrcfg, rmwcib}}), 4 * 3) << "none in the cycle behind WRCFG";
        EXPECT_EQ(time_of_eight(t, {{wrcfg, sfpnop}}), 8) << "its thread goes on";
    });
}

TEST(tile_backend, the_scalar_unit_does_one_word_at_a_time_for_all_threads_and_holds_no_other_word) {
    in_child([] {
        tile t("tile", with_harts(2));
        EXPECT_EQ(time_of_eight(t, {{add_immediate}, {add_immediate}}), 2 * 8 * 3);
        EXPECT_EQ(time_of_eight(t, {{add_immediate}, {sfpnop}}), 8 * 3);
        EXPECT_EQ(time_of_eight(t, {{rdcfg}, {rmwcib}}), 8 * 3) << "RDCFG, a cycle for nobody, RMWCIB";
    });
}

} // namespace
} // namespace sfpu::test
