// Firmware whose pushes are delayed, and what that changes against the run without.
#include "forked.h"
#include "tile_programs.h"

#include <sfpu/analysis/firmware_run.h>

#include <gtest/gtest.h>

#include <cstdint>

namespace sfpu::test {
namespace {

constexpr std::uint32_t jitter_tohost = 0x1000;

analysis::firmware firmware_of(program p) {
    p.li(t0, 1).store(jitter_tohost, t0).park();
    analysis::firmware result;
    result.file = "test";
    result.program = riscv::elf_image::of_words(0x4000, p.code, {{"tohost", jitter_tohost}});
    return result;
}

analysis::firmware_answer delayed(tile& on, const parameters& config, const analysis::firmware& programs,
                                  std::uint64_t seed, unsigned most = 100) {
    analysis::firmware_options how;
    how.most_cycles = 100'000;
    how.jitter = riscv::push_jitter{seed, most};
    return analysis::run_firmware(on, config, programs, how, {});
}

TEST(jitter, each_nop_delays_a_stream_that_neither_core_nor_unit_runs_ahead_of_by_a_cycle) {
    in_child([] {
        parameters config; // one word a cycle
        config.arch = architecture::wormhole;
        tile t("tile", config);
        program p;
        for (unsigned i = 0; i < 64; ++i) p.push(sfpnop);
        p.load(t0, done_check) << rv::addi(t0, t0, 0);
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
            const analysis::firmware_answer answer = delayed(t, config, firmware_of(p), seed);
            ASSERT_TRUE(answer.jitter);
            const riscv::jitter_counters& done = answer.jitter->done;
            EXPECT_GT(done.core_nops, 0u);
            EXPECT_GT(done.tensix_nops, 0u);
            EXPECT_EQ(done.places, done.delays) << "no loop";
            EXPECT_EQ((answer.jitter->cycles_with - answer.jitter->cycles_without).count(),
                      static_cast<std::int64_t>(done.core_nops + done.tensix_nops));
            EXPECT_FALSE(answer.jitter->changed());
            EXPECT_TRUE(answer.ok());
        }
    });
}

/// Stores 0x3f80 to Dst and looks at it through the window, after having waited or not.
program reader(bool waits) {
    program p;
    p << rv::lui(s0, dst_window);
    p.push(sfploadi_ushort(0, 0x3f80)).push(sfpstore(0, mode_uint16, 3, 0));
    if (waits) p.load(t0, done_check) << rv::addi(t0, t0, 0);
    for (unsigned i = 0; i < 8; ++i) p << rv::addi(x0, x0, 0);
    p << rv::lw(s1, s0, 0);
    p.store(0, s1);
    p.load(t0, done_check) << rv::addi(t0, t0, 0);
    return p;
}

TEST(jitter, a_program_that_does_not_wait_is_changed_by_some_seed_and_one_that_waits_by_none) {
    in_child([] {
        tile t("tile", parameters{});
        unsigned changed = 0;
        for (std::uint64_t seed = 0; seed < 24; ++seed) {
            const analysis::firmware_answer racy = delayed(t, {}, firmware_of(reader(false)), seed);
            ASSERT_TRUE(racy.jitter);
            EXPECT_TRUE(racy.succeeded && racy.jitter->succeeded_without);
            EXPECT_EQ(racy.jitter->dst_cells, 0u) << "the store comes late, but it comes";
            EXPECT_EQ(racy.ok(), !racy.jitter->changed());
            if (racy.jitter->l1_bytes != 0) {
                ++changed;
                EXPECT_LT(racy.jitter->l1_address, 4u);
                EXPECT_NE(racy.jitter->done.tensix_nops, 0u) << "NOPs of the core delay what looks, too";
            }
            const analysis::firmware_answer right = delayed(t, {}, firmware_of(reader(true)), seed);
            ASSERT_TRUE(right.jitter);
            EXPECT_FALSE(right.jitter->changed()) << seed;
        }
        EXPECT_GT(changed, 0u);
        EXPECT_LT(changed, 24u) << "most seeds do not delay the two words";
    });
}

TEST(jitter, a_run_without_it_is_like_one_before_it) {
    in_child([] {
        tile t("tile", parameters{});
        analysis::firmware_options how;
        how.most_cycles = 100'000;
        const analysis::firmware programs = firmware_of(reader(true));
        const auto plain = [&] { return analysis::run_firmware(t, {}, programs, how, {}).result.cycles_run; };
        const cycles before = plain();
        const analysis::firmware_answer answer = delayed(t, {}, programs, 1);
        EXPECT_EQ(answer.jitter->cycles_without, before);
        EXPECT_EQ(plain(), before);
    });
}

} // namespace
} // namespace sfpu::test
