// The tile as a component: repeated runs, several tiles, several harts, programs that do not fit.
#include "../../analysis/bench/src/bench_firmware.h"

#include "checked_tile.h"
#include "forked.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <unistd.h>

namespace sfpu::test {
namespace {

using tile = checked_tile;
using platform::tile_result;

/// The program of `bench --kernel tile`: TensorLoad, MOP and REPLAY, a macro kernel.
riscv::elf_image bench_program() { return analysis::tile_firmware().program; }

std::uint32_t word_at(tile& of, std::uint32_t address) {
    std::array<unsigned char, 4> bytes{};
    EXPECT_TRUE(of.read(address, bytes.data(), bytes.size()));
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    return word;
}

tile_result run_bench(tile& on) {
    on.reset({});
    on.load(bench_program());
    return on.run(cycles{100'000});
}

/// Of this process, in KiB.
long resident() {
    std::ifstream pages("/proc/self/statm");
    long all = 0, in_memory = 0;
    pages >> all >> in_memory;
    return in_memory * (sysconf(_SC_PAGESIZE) / 1024);
}

TEST(tile, memory_that_nobody_touches_is_not_there) {
    in_child([] {
        constexpr long count = 8;
        std::vector<std::unique_ptr<sfpu::tile>> tiles;
        const auto add = [&] {
            tiles.push_back(
                std::make_unique<sfpu::tile>(("t" + std::to_string(tiles.size())).c_str(), parameters{}));
            tiles.back()->reset({});
            tiles.back()->reset({}); // gives memory back and takes it again
        };
        add(); // what the first one needs for all
        const long before = resident();
        for (long i = 0; i < count; ++i) add();
#ifdef SFPU_HAS_ADDRESS_SANITIZER
        constexpr long most = 3072; // it keeps what was freed
#else
        constexpr long most = 1024;
#endif
        EXPECT_LT((resident() - before) / count, most) << "KiB for each tile; L1 and RAM have 3584";
    });
}

TEST(tile, a_run_after_reset_is_like_the_first) {
    in_child([] {
        tile t("tile", parameters{});
        const tile_result first = run_bench(t);
        ASSERT_EQ(first.why, tile_result::outcome::ended);
        EXPECT_EQ(first.tohost, 1u);
        const sfpu::dst::image dst = t.dst();
        const probe::unit_counters counters = t.vector_unit_counters();
        EXPECT_GE(counters.instructions, 1024u);
        const std::uint64_t retired = t.hart_instructions();

        const tile_result second = run_bench(t);
        EXPECT_EQ(second.cycles_run, first.cycles_run);
        EXPECT_EQ(second.last_cycle, first.last_cycle);
        EXPECT_EQ(t.dst(), dst);
        EXPECT_EQ(t.vector_unit_counters().instructions, counters.instructions);
        EXPECT_EQ(t.hart_instructions(), retired);
    });
}

TEST(tile, two_tiles_in_one_simulation_give_what_each_gives_alone) {
    in_child([] {
        tile a("a", parameters{}), b("b", parameters{});
        const tile_result of_a = run_bench(a);
        const tile_result of_b = run_bench(b);
        EXPECT_EQ(of_a.why, tile_result::outcome::ended);
        EXPECT_EQ(of_b.cycles_run, of_a.cycles_run);
        EXPECT_EQ(b.dst(), a.dst());
    });
}

// Each hart stores 10 + mhartid to its word of L1 and to its own local RAM; then it waits.
const std::vector<std::uint32_t> greet{0xf14022f3,  // csrr t0, mhartid
                                       0x00229313,  // slli t1, t0, 2
                                       0x00a28393,  // addi t2, t0, 10
                                       0x10732023,  // sw t2, 0x100(t1)
                                       0xffb00e37,  // lui t3, 0xffb00
                                       0x007e2023,  // sw t2, 0(t3)
                                       0x0000006f}; // j .

TEST(tile, harts_share_l1_and_have_local_ram_of_their_own) {
    in_child([] {
        parameters config;
        config.hart.count = 3;
        tile t("tile", config);
        t.reset({});
        t.load(riscv::elf_image::of_words(0x80000000, greet));
        const tile_result result = t.run(cycles{500});
        EXPECT_EQ(result.why, tile_result::outcome::cycle_limit);
        EXPECT_EQ(result.pc, 0x80000018u);
        for (std::uint32_t hart = 0; hart < 3; ++hart) EXPECT_EQ(word_at(t, 0x100 + 4 * hart), 10 + hart);
        EXPECT_EQ(word_at(t, 0xffb00000), 10u) << "debug accesses see what hart 0 sees";
        EXPECT_EQ(t.counters().size(), 3u * 3 + 1);
    });
}

constexpr std::uint32_t jump_here = 0x0000006f, nop = 0x00000013;
/// RISC-V words of `.ttinsn`, which are Tensix words rotated by two bits.
constexpr std::uint32_t ttinsn(std::uint32_t word) { return word << 2 | word >> 30; }
constexpr std::uint32_t sfpnop = ttinsn(0x8f000000),
                        semwait_on_0 = ttinsn(0xa6ff8005); ///< blocks all while it is 0
/// Hart 0 goes on with the first list, the others with the second.
std::vector<std::uint32_t> split(const std::vector<std::uint32_t>& first,
                                 const std::vector<std::uint32_t>& others) {
    const auto distance = static_cast<std::uint32_t>(4 * (first.size() + 1));
    const std::uint32_t offset = (distance >> 1 & 15u) << 8 | (distance >> 5 & 63u) << 25; // below 2048
    std::vector<std::uint32_t> code{0xf14022f3,                                            // csrr t0, mhartid
                                    0x00029063 | offset};                                  // bnez t0, others
    code.insert(code.end(), first.begin(), first.end());
    code.insert(code.end(), others.begin(), others.end());
    return code;
}

TEST(tile, the_queue_status_has_the_words_of_the_own_thread_and_those_of_all) {
    in_child([] {
        parameters config;
        config.hart.count = 2;
        tile t("tile", config);
        // Hart 1 waits with a word of the vector unit in its queue; hart 0 looks at CSR 0xBC0 later.
        std::vector<std::uint32_t> look(20, nop);
        look.insert(look.end(), {0xbc002373, // csrr t1, 0xbc0
                                 0x10602023, // sw t1, 0x100(zero)
                                 0xbc102373, // csrr t1, 0xbc1
                                 0x10602223, // sw t1, 0x104(zero)
                                 jump_here});
        t.reset({});
        t.load(riscv::elf_image::of_words(0x80000000, split(look, {semwait_on_0, sfpnop, jump_here})));
        t.run(cycles{500});
        constexpr std::uint32_t lanes = 1u << 11 | 1u << 24, vector = 1u << 9;
        EXPECT_EQ(word_at(t, 0x100), lanes | vector << 13);
        EXPECT_EQ(word_at(t, 0x104), vector << 11);
    });
}

TEST(tile, words_that_are_under_way_at_the_end_issue_in_their_own_time_whichever_hart_pushed_them) {
    in_child([] {
        parameters config;
        config.hart.count = 2;
        tile t("tile", config);
        std::vector<std::uint32_t> late(100, nop);
        late.insert(late.end(), {sfpnop, sfpnop, sfpnop, sfpnop, jump_here});
        std::vector<std::uint32_t> early(8, sfpnop);
        early.push_back(jump_here);
        t.reset({});
        t.load(riscv::elf_image::of_words(0x80000000, split(late, early)));
        // Two cycles for the CSR, one for the branch, a hundred for the nops: four words are pushed in cycle
        // 103 and issue from there on. Those of hart 1 were issued long before.
        const tile_result result = t.run(cycles{104});
        EXPECT_EQ(t.vector_unit_counters().instructions, 12u);
        EXPECT_EQ(result.last_cycle, cycles{106});
    });
}

TEST(tile, a_program_outside_memory_is_refused_and_changes_nothing) {
    in_child([] {
        tile t("tile", parameters{});
        t.reset({});
        for (const std::uint32_t address : {0x40000000u, 0xffe40000u, 0x001ffff8u})
            EXPECT_THROW(t.load(riscv::elf_image::of_words(address, greet)), load_error)
                << std::hex << address;
        EXPECT_EQ(word_at(t, 0x80000000), 0u);
    });
}

TEST(tile, wormhole_has_a_tile_too) {
    in_child([] {
        parameters config;
        config.arch = architecture::wormhole;
        tile t("tile", config);
        t.reset({});
        t.load(riscv::elf_image::of_words(0, greet));
        EXPECT_EQ(t.run(cycles{500}).pc, 0x18u);
        EXPECT_EQ(word_at(t, 0x100), 10u);
    });
}

TEST(tile, every_place_for_stores_of_tensorload_can_be_elaborated) {
    for (const l0m_binding binding : {l0m_binding::dst, l0m_binding::l1, l0m_binding::sram})
        for (const bool raw : {false, true})
            in_child([=] {
                parameters config;
                config.tensorload.l0m = binding;
                config.tensorload.l0m_raw = raw;
                tile t("tile", config);
                EXPECT_EQ(run_bench(t).why, tile_result::outcome::ended);
            });
}

} // namespace
} // namespace sfpu::test
