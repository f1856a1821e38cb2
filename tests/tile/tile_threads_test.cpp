// Several harts of a tile: they see each other's changes in the cycles in which they happen, whatever the
// quantum.
#include "forked.h"
#include "tile_programs.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <iostream>
#include <random>
#include <string>
#include <vector>

namespace sfpu::test {
namespace {

// --- a post is seen when it happens ------------------------------------------------------------------------

/// What the producer does afterwards.
struct aftermath {
    const char* name;
    void (*append)(program&);
};
const aftermath aftermaths[] = {
    {"parks", [](program& p) { p.park(); }},
    {"spins", [](program& p) { p.for_ever([](program& q) { q.spin(100); }); }},
    {"reads L1",
     [](program& p) {
         p.li(s0, 0x200).for_ever([](program& q) { q << rv::lw(t0, s0, 0) << rv::addi(t0, t0, 1); });
     }},
    {"reads another semaphore",
     [](program& p) {
         p.li(s0, semaphores + 8).for_ever([](program& q) { q << rv::lw(t0, s0, 0) << rv::addi(t0, t0, 1); });
     }},
    {"stores to L1",
     [](program& p) { p.li(s0, 0x200).for_ever([](program& q) { q << rv::sw(x0, s0, 0); }); }},
    {"stores to its own RAM",
     [](program& p) { p.li(s0, 0xffb00000).for_ever([](program& q) { q << rv::sw(x0, s0, 0); }); }},
    {"reads Dst",
     [](program& p) {
         p.li(s0, dst_window).for_ever([](program& q) { q << rv::lw(t0, s0, 0) << rv::addi(t0, t0, 1); });
     }},
    {"reads a CSR of the queues",
     [](program& p) { p.for_ever([](program& q) { q << rv::csrrs(t0, 0xbc1, x0); }); }},
    {"sleeps", [](program& p) { p.for_ever([](program& q) { q << rv::wfi; }); }},
    {"waits for a mailbox",
     [](program& p) { p.load(t0, mailbox_of_t1) << rv::addi(t0, t0, 1) << rv::jal(x0, 0); }},
    {"waits for the semaphore", [](program& p) { p.li(s0, semaphores).poll().park(); }},
    {"fences", [](program& p) { p.for_ever([](program& q) { q << rv::fence; }); }},
    {"asks whether the coprocessor is done",
     [](program& p) { p.load(t0, done_check) << rv::addi(t0, t0, 1) << rv::jal(x0, 0); }},
    {"goes on behind that question", [](program& p) { p.load(t0, done_check).park(); }},
};

/// A MOP of 127 x 40 words.
void set_up_mop(program& p) {
    const std::array<std::uint32_t, 9> config{127,    40,         tensix_nop, tensix_nop, tensix_nop,
                                              sfpnop, tensix_nop, sfpnop,     sfpnop};
    for (unsigned i = 0; i < config.size(); ++i) {
        p.li(t0, config[i]);
        p.store(mop_config + 4 * i, t0);
    }
}

/// Polls semaphore 0 and writes down when it saw it, then when the next poll would have been.
program consumer() {
    program p;
    p.li(s0, semaphores).poll().stamp(0x100).park();
    return p;
}

TEST(tile_threads,
     a_post_in_the_queue_is_seen_when_it_passes_the_wait_gate_whatever_the_hart_does_meanwhile) {
    for (const aftermath& then : aftermaths)
        in_child([&] {
            program producer;
            set_up_mop(producer);
            producer.stamp(0x104);
            producer.push(mop_1).push(wait_for_unit_before_post).push(sempost(1));
            then.append(producer);
            const outcome seen = run_at_all_quanta(with_harts(2), {producer, consumer()}, 20'000, then.name);
            // 5,080 words from a few cycles after the time stamp on, then two cycles of wait and post.
            const auto begin = static_cast<std::int64_t>(seen.l1[0x104 / 4]);
            const auto saw = static_cast<std::int64_t>(seen.l1[0x100 / 4]);
            EXPECT_EQ(seen.words, 5080u + 2) << then.name;
            EXPECT_GE(saw, begin + 5080) << then.name;
            EXPECT_LE(saw, begin + 5080 + 40) << then.name;
        });
}

TEST(tile_threads, a_post_of_a_core_that_waited_for_the_unit_is_seen_at_once_whatever_it_does_afterwards) {
    for (const aftermath& then : aftermaths)
        in_child([&] {
            program producer;
            producer.repeat(s3, 500, [](program& p) {
                for (unsigned i = 0; i < 10; ++i) p.push(sfpnop);
            });
            producer.load(t0, done_check) << rv::addi(t0, t0, 0); // which waits for the answer
            producer.stamp(0x104).store(semaphores, x0);
            then.append(producer);
            const outcome seen = run_at_all_quanta(with_harts(2), {producer, consumer()}, 20'000, then.name);
            const auto posted = static_cast<std::int64_t>(seen.l1[0x104 / 4]);
            const auto saw = static_cast<std::int64_t>(seen.l1[0x100 / 4]);
            EXPECT_EQ(seen.words, 5000u) << then.name;
            EXPECT_GE(posted, 5000) << then.name;
            EXPECT_LE(posted, 5000 + 40) << then.name;
            EXPECT_GE(saw, posted) << then.name;
            EXPECT_LE(saw, posted + 40) << then.name;
        });
}

TEST(tile_threads, a_store_to_l1_is_seen_at_once_whatever_the_writer_does_afterwards) {
    for (const aftermath& then : aftermaths)
        in_child([&] {
            program producer;
            producer.spin(2500).stamp(0x104);
            producer.li(t0, 1).store(0x180, t0);
            then.append(producer);
            program reader;
            reader.li(s0, 0x180).poll().stamp(0x100).park();
            const outcome seen = run_at_all_quanta(with_harts(2), {producer, reader}, 20'000, then.name);
            const auto stored = static_cast<std::int64_t>(seen.l1[0x104 / 4]);
            const auto saw = static_cast<std::int64_t>(seen.l1[0x100 / 4]);
            EXPECT_GE(stored, 5000) << then.name;
            EXPECT_GE(saw, stored) << then.name;
            EXPECT_LE(saw, stored + 40) << then.name;
        });
}

TEST(tile_threads, a_full_fifo_lets_its_core_go_on_when_another_core_posts) {
    in_child([] {
        program blocked;
        blocked.push(semwait_while_zero(1));
        for (unsigned i = 0; i < 64; ++i) blocked.push(sfpnop);
        blocked.stamp(0x100).park();
        program poster;
        poster.spin(2500).stamp(0x104).store(semaphores, x0).park();
        const outcome seen = run_at_all_quanta(with_harts(2), {blocked, poster}, 20'000);
        EXPECT_EQ(seen.words, 65u);
        const auto posted = static_cast<std::int64_t>(seen.l1[0x104 / 4]);
        const auto went_on = static_cast<std::int64_t>(seen.l1[0x100 / 4]);
        // The last words are taken when 28 are left: 36 of them have been issued by then.
        EXPECT_GE(went_on, posted + 36);
        EXPECT_LE(went_on, posted + 36 + 40);
    });
}

TEST(tile_threads, after_a_reset_of_harts_that_are_held_by_pushes_a_run_is_like_the_first) {
    program busy; // all share the issue slot
    for (unsigned i = 0; i < 100; ++i) busy.push(sfpnop);
    busy.stamp(0x100).park();
    program held; // for ever: nobody posts
    held.push(semwait_while_zero(1));
    for (unsigned i = 0; i < 64; ++i) held.push(sfpnop);
    held.stamp(0x104).park();
    program waits; // for a unit that never comes to rest
    waits.push(semwait_while_zero(1)).push(sfpnop).load(t0, done_check).stamp(0x108).park();
    program parked;
    parked.park();
    for (const unsigned harts : {1u, 3u})
        in_child([&] {
            tile t("tile", with_harts(harts));
            const riscv::elf_image good = image_of(std::vector<program>(harts, busy));
            const riscv::elf_image bad = harts == 1 ? image_of({held}) : image_of({held, waits, parked});
            const outcome first = run(t, good, 5'000, quanta()[0]);
            EXPECT_EQ(first.words, 100u * harts);
            for (const sc_core::sc_time& quantum : quanta()) {
                const outcome hung = run(t, bad, 3'000, quantum);
                EXPECT_EQ(hung.l1[0x104 / 4], 0u);
                EXPECT_EQ(hung.l1[0x108 / 4], 0u);
                expect_same(first, run(t, good, 5'000, quantum), quantum.to_string());
            }
        });
}

// --- what is a thread's own, and what is shared ------------------------------------------------------------

TEST(tile_threads, atomics_of_three_harts_lose_nothing) {
    in_child([] {
        program p;
        p.li(s0, 0x180).li(s1, 1);
        p.repeat(s3, 100, [](program& q) { q << rv::amoadd(t0, s0, s1); });
        p.park();
        EXPECT_EQ(run_at_all_quanta(with_harts(3), {p, p, p}, 20'000).l1[0x180 / 4], 300u);
    });
}

TEST(tile_threads, three_threads_share_the_issue_slot) {
    in_child([] {
        program p;
        for (unsigned i = 0; i < 200; ++i) p.push(sfpnop);
        p.stamp(0x100).park(); // the last one to come here counts
        const outcome seen = run_at_all_quanta(with_harts(3), {p, p, p}, 5'000);
        EXPECT_EQ(seen.words, 600u);
        EXPECT_GE(seen.result.last_cycle, cycles{600});
        EXPECT_GT(seen.stalls[static_cast<unsigned>(probe::stall_cause::thread_slot)], 1000u);
        // When the last of 200 words is taken, at most 32 of each thread have not been issued.
        EXPECT_GE(seen.l1[0x100 / 4], 600u - 3 * 32);
        EXPECT_LE(seen.l1[0x100 / 4], 600u + 40);
    });
}

TEST(tile_threads, a_mutex_keeps_read_and_write_of_three_threads_together) {
    for (const bool with_mutex : {true, false})
        in_child([&] {
            // Each thread adds 1 to a row of Dst twenty times, with other words between load and store.
            // Without the mutex they overwrite each other's sums.
            const auto adds = [&](unsigned thread) {
                program p;
                for (unsigned i = 0; i < 20; ++i) {
                    if (with_mutex) p.push(atgetm(2));
                    p.push(sfpload(thread, mode_uint16, 0, 0));
                    p.push(0x79001005 | thread << 8 | thread << 4); // SFPIADD: 1 more, no flags
                    p.push(sfpnop);
                    p.push(sfpstore(thread, mode_uint16, 0, 0));
                    if (with_mutex) p.push(atrelm(2));
                }
                return p.park();
            };
            const outcome seen = run_at_all_quanta(with_harts(3), {adds(0), adds(1), adds(2)}, 5'000);
            if (with_mutex) EXPECT_EQ(seen.dst[0][0], 60u);
            else EXPECT_LT(seen.dst[0][0], 60u);
        });
}

TEST(tile_threads, a_full_fifo_lets_its_core_go_on_when_another_thread_releases_a_mutex) {
    in_child([] {
        program holder;
        holder.push(atgetm(0)).spin(2500).stamp(0x104).push(atrelm(0)).park();
        program blocked;
        blocked.spin(20).push(atgetm(0));
        for (unsigned i = 0; i < 64; ++i) blocked.push(sfpnop);
        blocked.stamp(0x100).park();
        const outcome seen = run_at_all_quanta(with_harts(2), {holder, blocked}, 20'000);
        EXPECT_EQ(seen.words, 67u);
        const auto released = static_cast<std::int64_t>(seen.l1[0x104 / 4]);
        const auto went_on = static_cast<std::int64_t>(seen.l1[0x100 / 4]);
        EXPECT_GE(went_on, released + 36); // of the words, 28 are left
        EXPECT_LE(went_on, released + 36 + 40);
    });
}

TEST(tile_threads, counters_address_modifiers_and_offsets_are_each_threads_own) {
    in_child([] {
        // Thread n begins at Dst row 128 n by its offset, goes on by 4 + 4 n rows a store and begins 4 n + 4
        // rows further by its counter; it stores 0x100 + n, from its own register.
        const auto thread = [](unsigned n) {
            program p;
            p.push(setc16(1, 128 * n)).push(setc16(28 + 3, 4 + 4 * n));
            p.push(incrwc(4 * (n + 1)));
            p.push(sfploadi_ushort(n, 0x100 + n));
            for (unsigned i = 0; i < 8; ++i) p.push(sfpstore(n, mode_uint16, 3, 0));
            p.park();
            return p;
        };
        const outcome seen = run_at_all_quanta(with_harts(3), {thread(0), thread(1), thread(2)}, 2'000);
        sfpu::dst::image expected{};
        for (unsigned n = 0; n < 3; ++n)
            for (unsigned i = 0; i < 8; ++i) {
                const unsigned row = 128 * n + 4 * (n + 1) + i * (4 + 4 * n);
                for (unsigned r = 0; r < 4; ++r)
                    for (unsigned column = 0; column < 16; column += 2)
                        expected[row + r][column] = static_cast<std::uint16_t>(0x100 + n);
            }
        EXPECT_TRUE(seen.dst == expected);
    });
}

// --- a pipeline --------------------------------------------------------------------------------------------

// Two places in Dst between stages, rows 0 and 4 and rows 16 and 20. Semaphore 0 counts full places of the
// first kind, semaphore 1 of the second; both have room for two.
constexpr unsigned pipeline_tiles = 8, pipeline_input = 0x200, pipeline_output = 0x280;

program pipeline_producer() {
    program p;
    p.push(seminit(2, 0, 3));
    p.li(s0, pipeline_input).li(s1, sfploadi_ushort(0, 0)).li(s2, push_by_store);
    for (unsigned i = 0; i < pipeline_tiles; ++i) {
        p.push(semwait_while_full(1));
        p << rv::lw(t0, s0, static_cast<int>(4 * i)) << rv::add(t0, t0, s1) << rv::sw(t0, s2, 0);
        p.push(sfpstore(0, mode_uint16, 0, 4 * (i % 2)));
        p.push(wait_for_unit_before_post).push(sempost(1));
    }
    p.park();
    return p;
}

program pipeline_summer() {
    program p;
    p.spin(50); // until the semaphores have their maximum
    for (unsigned i = 0; i < pipeline_tiles; ++i) {
        p.push(semwait_while_zero(1)).push(semwait_while_full(2));
        p.push(sfpload(1, mode_uint16, 0, 4 * (i % 2)));
        p.push(0x79000000 | 1u << 8 | 2u << 4 | 4); // SFPIADD: L2 += L1, no flags
        p.push(sfpstore(2, mode_uint16, 0, 16 + 4 * (i % 2)));
        p.push(wait_for_unit_before_post).push(semget(1)).push(sempost(2));
    }
    p.park();
    return p;
}

program pipeline_reader() {
    program p;
    // T2 sees the window as unsigned 16-bit integers, unswizzled.
    p.li(t0, 4u << 26 | 1u << 25 | 1u << 24).store(0xffef000c, t0);
    p.li(s0, semaphores + 4).li(s1, dst_window).li(s2, pipeline_output);
    for (unsigned i = 0; i < pipeline_tiles; ++i) {
        p.poll();
        const int row = static_cast<int>((16 + 4 * (i % 2)) * 16 * 2);
        p << rv::i_type(0x03, 5, t0, s1, row) << rv::sw(t0, s2, static_cast<int>(4 * i));
        p << rv::addi(t1, x0, 1) << rv::sw(t1, s0, 0); // takes it
    }
    p.stamp(0x100).park();
    return p;
}

outcome run_pipeline(tile& t, const riscv::elf_image& image) {
    outcome one;
    t.reset({});
    t.load(image);
    std::array<std::uint32_t, pipeline_tiles> values{};
    for (unsigned i = 0; i < pipeline_tiles; ++i) values[i] = 0x10u + i;
    EXPECT_TRUE(
        t.write(pipeline_input, reinterpret_cast<const unsigned char*>(values.data()), sizeof values));
    one.result = t.run(cycles{20'000});
    one.l1.resize(256);
    EXPECT_TRUE(t.read(0, reinterpret_cast<unsigned char*>(one.l1.data()), 1024));
    one.dst = t.dst();
    one.words = t.vector_unit_counters().words;
    one.stalls = t.vector_unit_counters().stalls;
    return one;
}

TEST(tile_threads, a_pipeline_of_three_threads_over_two_semaphores_moves_eight_tiles) {
    in_child([] {
        parameters config = with_harts(3);
        tile t("tile", config);
        const riscv::elf_image image = image_of({pipeline_producer(), pipeline_summer(), pipeline_reader()});
        std::vector<outcome> seen;
        for (const sc_core::sc_time& quantum : quanta()) {
            tlm::tlm_global_quantum::instance().set(quantum);
            seen.push_back(run_pipeline(t, image));
        }
        for (const outcome& one : seen) expect_same(seen.front(), one, "pipeline");
        std::uint32_t sum = 0;
        for (unsigned i = 0; i < pipeline_tiles; ++i) {
            sum += 0x10 + i;
            EXPECT_EQ(seen.front().l1[pipeline_output / 4 + i], sum) << "tile " << i;
        }
        EXPECT_LT(seen.front().l1[0x100 / 4], 20'000u);
    });
}

// --- any program -------------------------------------------------------------------------------------------

/// Pushes, loads, stores, semaphores and waits in random order; what is seen, and when, is written down.
program random_hart(std::mt19937& random, unsigned hart) {
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    program p;
    set_up_mop(p);
    p.li(s0, 0x300).li(s2, 0x100 + 0x40 * hart);
    unsigned noted = 0;
    const auto note = [&](unsigned reg) { // in the hart's own 16 words
        p << rv::sw(reg, s2, static_cast<int>(4 * (noted++ % 16)));
    };
    for (unsigned i = 0; i < 60; ++i) {
        switch (below(14)) {
        case 0:
            p << rv::lw(t0, s0, static_cast<int>(4 * below(8)));
            note(t0);
            break;
        case 1: p << rv::csrrs(t0, cycle_csr, x0) << rv::sw(t0, s0, static_cast<int>(4 * below(8))); break;
        case 2: p.spin(1 + below(60)); break;
        case 3:
            for (unsigned n = 1 + below(50); n != 0; --n) p.push(sfpnop);
            break;
        case 4: p.push(sempost(1u << below(8))); break;
        case 5:
            p.load(t0, semaphores + 4 * below(8));
            note(t0);
            break;
        case 6: p.load(t0, done_check) << rv::addi(t0, t0, 0); break;
        case 7:
            p << rv::csrrs(t0, 0xbc0 + below(2), x0);
            note(t0);
            break;
        case 8:
            p << rv::csrrs(t0, cycle_csr, x0);
            note(t0);
            break;
        case 9: p.push(wait_for_unit_before_post).push(semget(1u << below(8))); break;
        case 10: {
            const unsigned mutex = below(2) ? 0 : 3;
            p.push(atgetm(mutex));
            for (unsigned n = below(20); n != 0; --n) p.push(sfpnop);
            p.push(atrelm(mutex));
            break;
        }
        case 11:
            p << rv::addi(t0, s0, static_cast<int>(4 * below(8))) << rv::amoadd(t0, t0, s0);
            note(t0);
            break;
        case 12: // 32-bit elements of Dst, also while words store to it
            p.push(sfpstore(0, 4, 0, 4 * below(8))).load(t0, dst_window + 64 * below(32));
            note(t0);
            break;
        case 13: p << rv::wfi; break;
        }
    }
    p.park();
    return p;
}

TEST(tile_threads, random_programs_of_three_harts_do_the_same_at_every_quantum) {
    in_child([] {
        tile t("tile", with_harts(3));
        std::mt19937 random(77);
        for (unsigned round = 0; round < 12; ++round) {
            std::vector<program> harts;
            for (unsigned hart = 0; hart < 3; ++hart) harts.push_back(random_hart(random, hart));
            const riscv::elf_image image = image_of(harts);
            const outcome first = run(t, image, 30'000, quanta()[0]);
            for (const sc_core::sc_time& quantum : quanta())
                expect_same(first, run(t, image, 30'000, quantum),
                            "round " + std::to_string(round) + ", quantum " + quantum.to_string());
            ASSERT_FALSE(testing::Test::HasFailure());
        }
    });
}

// --- TensorLoad beside pushes and narrow writes ------------------------------------------------------------

constexpr unsigned a4 = 14, a5 = 15;
constexpr word tl_store_whole = 0xA000A75B, tl_load_whole = 0x0000875B; // tl1, 0(a4)
constexpr std::uint32_t mop_done_check = 0xffe80008, dst_access_control = 0xffef000c,
                        int8_of_thread_0 = 5u << 16;

/// The cycles between two stamps around the body and a fence go to L1 0x100; a block is [8, 32, 4] of int8.
program timed(const std::function<void(program&)>& body) {
    program p;
    p.li(t0, 2) << rv::csrrw(x0, 0x800, t0);
    p.li(t0, 8u << 16 | 32u << 8 | 4u) << rv::csrrw(x0, 0x801, t0);
    p.li(t0, int8_of_thread_0).store(dst_access_control, t0);
    p.li(a4, 0).li(a5, 0x4000);
    p << rv::fence << rv::csrrs(s2, cycle_csr, x0);
    body(p);
    p << rv::fence << rv::csrrs(s1, cycle_csr, x0) << rv::sub(s1, s1, s2);
    p.store(0x100, s1).park();
    return p;
}

/// The same at all quanta, alone and beside a hart that sleeps.
std::int64_t cycles_of(parameters config, const program& p) {
    std::int64_t cycles_taken[2]{-1, -2};
    for (unsigned others = 0; others < 2; ++others) {
        const child_result child = run_in_child([&] {
            config.hart.count = 1 + others;
            program sleeper;
            sleeper.park();
            std::vector<program> harts{p};
            if (others) harts.push_back(sleeper);
            std::cout << "\ntaken " << run_at_all_quanta(config, harts, 20'000).l1[0x40] << std::endl;
        });
        EXPECT_TRUE(child.passed()) << child.output;
        const std::size_t at = child.output.rfind("\ntaken ");
        if (at != std::string::npos) cycles_taken[others] = std::stoll(child.output.substr(at + 7));
    }
    EXPECT_EQ(cycles_taken[0], cycles_taken[1]) << "beside a hart";
    return cycles_taken[0];
}

program one_store() {
    return timed([](program& p) { p << tl_store_whole; });
}

/// Decode 1, 16 beats of 64 bytes, read 1, memory 2: complete 19 cycles after its issue, for which the fence
/// waits. A CSR instruction takes two cycles, so the store is issued in the second cycle after the stamp.
TEST(tile_overlap, a_store_to_dst_takes_the_latency_of_the_window_once) {
    parameters config;
    EXPECT_EQ(cycles_of(config, one_store()), 2 + 19);
    config.memory.dst_window_latency = 7;
    EXPECT_EQ(cycles_of(config, one_store()), 2 + 19 + 7);
}

/// 32 stores occupy their sub-engine for 16 cycles each, and the issue slot takes as many words meanwhile as
/// stand between two of them. The FIFO takes words 28 ahead, so that the hart offers each store before the
/// one before it is over: the last starts 31 * 16 cycles after the first. One after the other, stores and
/// words would take twice as long.
TEST(tile_overlap, stores_to_dst_and_pushes_of_one_hart_go_on_side_by_side) {
    const program both = timed([](program& p) {
        for (unsigned i = 0; i < 32; ++i) {
            p << tl_store_whole;
            for (unsigned n = 0; n < 16; ++n) p.push(sfpnop);
        }
    });
    EXPECT_EQ(cycles_of(parameters{}, both), 2 + 31 * 16 + 19);
}

/// A narrow write holds its bank for five cycles. The load reads line n in cycle 1 + n after its issue, from
/// bank n mod 16, so that a write to each line behind the other meets it; without conflicts none does. The
/// pointer to L1 and b_transport give the same cycles.
TEST(tile_overlap, a_load_and_narrow_writes_of_its_hart_meet_in_the_banks_of_l1) {
    const program both = timed([](program& p) {
        for (unsigned i = 0; i < 8; ++i) {
            p << tl_load_whole;
            for (unsigned n = 0; n < 32; ++n) p << rv::sw(x0, a5, 0) << rv::addi(a5, a5, 16);
        }
    });
    parameters config;
    const std::int64_t conflicting = cycles_of(config, both);
    config.memory.l1_dmi = false;
    EXPECT_EQ(cycles_of(config, both), conflicting);
    config.memory.l1_bank_conflicts = false;
    const std::int64_t free = cycles_of(config, both);
    EXPECT_GT(conflicting, free);
    config.memory.l1_dmi = true;
    EXPECT_EQ(cycles_of(config, both), free);
}

/// A MOP of 40 SFPSWAPs, two cycles each, and the question whether it is expanded.
void swaps_of_a_mop(program& p) {
    const std::uint32_t swap = 0x92000001;
    const std::array<std::uint32_t, 9> mop{1,    40,         tensix_nop, tensix_nop, tensix_nop,
                                           swap, tensix_nop, swap,       swap};
    for (unsigned i = 0; i < mop.size(); ++i) p.li(t0, mop[i]).store(mop_config + 4 * i, t0);
    p.push(mop_1).load(t0, mop_done_check) << rv::addi(t0, t0, 0);
}

TEST(tile_parameters, queues_of_blackhole_and_its_instruction_cache_have_an_effect) {
    const auto pushes = [](unsigned words) {
        return [words](program& p) {
            for (unsigned n = 0; n < words; ++n) p.push(sfpnop);
        };
    };
    const struct {
        const char* path;
        const char* value;
        program what;
    } rows[] = {
        {"front_end.fifo.depth", "64", timed(pushes(64))},
        {"front_end.fifo.push_width", "8", timed(pushes(24))},
        {"front_end.replay.fifo_depth", "32", timed(swaps_of_a_mop)},
        {"front_end.wait_gate.fifo_depth", "32", timed(swaps_of_a_mop)},
        {"hart.icache.miss_cycles", "3", timed(pushes(64))},
    };
    for (const auto& row : rows) {
        parameters config;
        const std::int64_t before = cycles_of(config, row.what);
        ASSERT_FALSE(set_parameter(config, row.path, row.value)) << row.path;
        EXPECT_NE(cycles_of(config, row.what), before) << row.path;
    }
}

} // namespace
} // namespace sfpu::test
