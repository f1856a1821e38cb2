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

// --- what mode SRCB stands for, changed while accesses in that mode are under way --------------------------

struct format_changes : diagnostic_sink {
    void diagnose(const diagnostic& what) override {
        if (what.id == report_id::dst_format_changed) messages.push_back(what.message);
    }
    std::vector<std::string> messages;
};

/// What is said of a program, and what it leaves in Dst.
struct format_answer {
    std::vector<std::string> said;
    sfpu::dst::image dst;
};
format_answer formats_of(tile& t, const std::vector<program>& harts) {
    format_changes sink;
    t.reset({nullptr, &sink, hazard_policy::warn, false});
    t.load(image_of(harts));
    t.run(cycles{3'000});
    return {sink.messages, t.dst()};
}
format_answer formats_of(tile& t, const program& p) { return formats_of(t, std::vector<program>{p}); }

bool says(const std::string& message, const char* what) { return message.find(what) != std::string::npos; }

void wait_until_done(program& p) { p.load(t0, done_check) << rv::addi(t0, t0, 0); }

/// A test of one tile of each chip.
void on_both_chips(unsigned harts, const std::function<void(tile&, architecture)>& test) {
    for (const architecture arch : all_architectures)
        in_child([&] {
            parameters config = with_harts(harts);
            config.arch = arch;
            tile t("tile", config);
            test(t, arch);
        });
}

/// A store that waits for semaphore 0 in 32-bit mode.
void hold_a_store(program& p) {
    p.push(enable_fp32);
    wait_until_done(p);
    p.push(seminit(1, 0, 1)).push(semwait_while_zero(1));
    store_by_configuration(p, 0);
}
void post_and_wait(program& p) {
    p.store(semaphores, x0);
    wait_until_done(p);
    p.park();
}
/// It, what the core does meanwhile, and its end.
program while_a_store_is_held(const std::function<void(program&)>& meanwhile, unsigned bank = 0) {
    program p;
    if (bank != 0) p.push(setc16(0, bank));
    hold_a_store(p);
    meanwhile(p);
    post_and_wait(p);
    return p;
}
/// A store of a core, and a load behind which it has been done.
void store_word(program& p, std::uint32_t address, unsigned reg) {
    p.store(address, reg).load(t0, address) << rv::addi(t0, t0, 0);
}

TEST(srcb_format, stores_in_queues_find_a_format_that_a_core_changes_and_that_is_said) {
    on_both_chips(1, [](tile& t, architecture) {
        const auto clear = [](program& p) { store_word(p, alu_word, x0); };
        const format_answer changed = formats_of(t, while_a_store_is_held(clear));
        ASSERT_EQ(changed.said.size(), 1u);
        EXPECT_TRUE(says(changed.said[0], "came before a change of the configuration")) << changed.said[0];
        program narrow;
        store_by_configuration(narrow, 0);
        wait_until_done(narrow);
        EXPECT_TRUE(changed.dst == formats_of(t, narrow.park()).dst) << "what the chip gives: 16 bits";
        EXPECT_TRUE(formats_of(t, while_a_store_is_held([](program&) {})).said.empty());
        const auto rewrite = [](program& p) { p.load(t1, alu_word).store(alu_word, t1); };
        EXPECT_TRUE(formats_of(t, while_a_store_is_held(rewrite)).said.empty()) << "nothing changes";
    });
}

TEST(srcb_format, only_a_change_in_the_bank_of_the_access_is_its_business) {
    on_both_chips(1, [](tile& t, architecture arch) {
        const unsigned bank_words = arch == architecture::blackhole ? 56 * 4 : 47 * 4;
        const std::uint32_t in_bank_1 = alu_word + 4 * bank_words;
        const auto clear = [in_bank_1](program& p) { store_word(p, in_bank_1, x0); };
        const auto change_other = [](program& p) {
            p.li(t1, fp32_enabled);
            store_word(p, alu_word, t1);
        };
        EXPECT_EQ(formats_of(t, while_a_store_is_held(clear, 1)).said.size(), 1u);
        EXPECT_TRUE(formats_of(t, while_a_store_is_held(clear, 0)).said.empty());
        EXPECT_TRUE(formats_of(t, while_a_store_is_held(change_other, 1)).said.empty());
    });
}

TEST(srcb_format, another_core_changes_it_for_stores_that_wait_in_queues) {
    on_both_chips(2, [](tile& t, architecture) {
        const auto run = [&t](bool clears) {
            std::vector<program> harts(2);
            hold_a_store(harts[0]);
            wait_until_done(harts[0]);
            harts[0].park();
            for (unsigned i = 0; i < 300; ++i) harts[1] << rv::addi(x0, x0, 0);
            if (clears) store_word(harts[1], alu_word, x0);
            post_and_wait(harts[1]);
            return formats_of(t, harts).said;
        };
        const std::vector<std::string> said = run(true);
        ASSERT_EQ(said.size(), 1u);
        EXPECT_TRUE(says(said[0], "thread 0: a load or store in mode SRCB came before")) << said[0];
        EXPECT_TRUE(run(false).empty());
    });
}

TEST(srcb_format, changed_when_the_unit_is_done_it_is_nobody_s_business) {
    on_both_chips(1, [](tile& t, architecture) {
        program p;
        p.push(enable_fp32);
        store_by_configuration(p, 0);
        wait_until_done(p);
        p.store(alu_word, x0);
        store_by_configuration(p, 64);
        wait_until_done(p);
        EXPECT_TRUE(formats_of(t, p.park()).said.empty());
    });
}

/// Enables 32-bit mode, does this, disables it by a word.
program then_disable(const std::function<void(program&)>& first) {
    program p;
    p.push(enable_fp32);
    first(p);
    p.push(disable_fp32);
    wait_until_done(p);
    p.park();
    return p;
}

TEST(srcb_format, a_word_that_changes_it_at_the_heels_of_a_store_needs_a_wait_for_the_unit) {
    on_both_chips(1, [](tile& t, architecture arch) {
        const std::uint32_t wait_for_unit = // of the next configuration word
            stallwait(0x80, arch == architecture::blackhole ? 1u << 11 : 1u << 14);
        const format_answer at_once =
            formats_of(t, then_disable([](program& p) { store_by_configuration(p, 0); }));
        const format_answer waited = formats_of(t, then_disable([wait_for_unit](program& p) {
                                                    store_by_configuration(p, 0);
                                                    p.push(wait_for_unit);
                                                }));
        ASSERT_EQ(at_once.said.size(), 1u);
        EXPECT_TRUE(says(at_once.said[0], "may not have finished; here it keeps FP32")) << at_once.said[0];
        EXPECT_TRUE(waited.said.empty());
        EXPECT_TRUE(at_once.dst == waited.dst) << "words are in order";
    });
}

TEST(srcb_format, sfploadi_and_sfpnop_do_not_ask_for_it) {
    on_both_chips(1, [](tile& t, architecture) {
        const auto say = [&t](std::uint32_t word) {
            return formats_of(t, then_disable([word](program& p) { p.push(word); })).said.size();
        };
        EXPECT_EQ(say(0x71003f80), 0u) << "SFPLOADI in mode FLOATB, whose number is that of SRCB";
        EXPECT_EQ(say(sfpnop), 0u);
        EXPECT_EQ(say(sfpload(0, mode_srcb, 3, 0)), 1u);
        EXPECT_EQ(say(sfpload(0, mode_uint16, 3, 0)), 0u);
    });
}

TEST(srcb_format, a_store_that_a_macro_has_scheduled_finds_the_change_by_a_younger_word) {
    on_both_chips(1, [](tile& t, architecture arch) {
        const auto with = [&](unsigned nops) {
            return formats_of(t, then_disable([&](program& p) {
                                  p.push(0x710a0000)
                                      .push(0x71081b00)
                                      .push(0x91000040); // sequence 0: a store 4 cycles later
                                  p.push(0x91000081);    // Misc: in mode SRCB
                                  for (unsigned i = 0; i < 3; ++i) p.push(sfpnop);
                                  p.push(arch == architecture::blackhole ? 0x93136000
                                                                         : 0x9313c000); // loads in mode FP32
                                  for (unsigned i = 0; i < nops; ++i) p.push(sfpnop);
                              }))
                .said;
        };
        const std::vector<std::string> said = with(0);
        ASSERT_EQ(said.size(), 1u);
        EXPECT_TRUE(says(said[0], "came before a change of the configuration")) << said[0];
        EXPECT_TRUE(with(8).empty());
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
            const auto set = [&p](std::uint32_t value) {
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
