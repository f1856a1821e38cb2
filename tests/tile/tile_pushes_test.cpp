// Words that a hart pushes one behind the other go together: nobody can tell, at any quantum.
#include "forked.h"
#include "tile_programs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace sfpu::test {
namespace {

/// Words that stall the unit in every way, and some that go through the expanders and the wait gate.
std::uint32_t random_word(std::mt19937& random, unsigned hart) {
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    const unsigned a = below(8), b = below(8), c = below(8), d = below(8);
    switch (below(24)) {
    case 0: return 0x38000000u | below(4) << 14;        // INCRWC
    case 1: return setc16(28 + below(4), 2 * below(3)); // address modifiers
    case 2: return sfpload(d, mode_uint16, below(4), 128 * hart + 2 * below(8));
    case 3: return sfpstore(d, mode_uint16, below(4), 128 * hart + 2 * below(8));
    case 4: return sfploadi_ushort(d, below(0x10000));
    case 5: return 0x92000000u | a << 8 | d << 4 | 1;                   // SFPSWAP
    case 6: return 0x94000000u | a << 8 | d << 4 | 3;                   // SFPSHFT2 of two cycles
    case 7: return 0x04000000u | below(16) << 14 | (1 + below(8)) << 4; // REPLAY plays
    case 8: return 0x04000000u | below(16) << 14 | (1 + below(4)) << 4 | 1 | below(2) << 1; // and loads
    case 9: return below(4) ? tensix_nop : mop_1;
    case 10: return wait_for_unit_before_post;
    case 11: return below(2) ? sempost(1u << below(8)) : semget(1u << below(8));
    case 12:
    case 13: return 0x79000000u | c << 8 | d << 4 | 4; // SFPIADD
    case 14: return sfpnop;
    default: return 0x84000000u | a << 16 | b << 12 | c << 8 | d << 4; // SFPMAD
    }
}

/// Firmware that pushes in both ways, at several rates, and in between does everything that could tell when.
class pushing_firmware {
public:
    pushing_firmware(std::mt19937& random, unsigned hart) : random_(random), hart_(hart) {}

    program make() {
        const std::array<std::uint32_t, 9> mop{2,      3,          tensix_nop, sfpnop, tensix_nop,
                                               sfpnop, tensix_nop, sfpnop,     sfpnop};
        for (unsigned i = 0; i < mop.size(); ++i) p_.li(t0, mop[i]).store(mop_config + 4 * i, t0);
        p_.li(s0, 0x300).li(s2, 0x100 + 0x40 * hart_).li(s4, push_by_store).li(s5, 0xffb00000);
        for (unsigned i = 0; i < 50; ++i) {
            const unsigned what = below(16);
            if (what < 7) push(what);
            else look_or_wait(what);
        }
        note_cycle();
        p_.park();
        return p_;
    }

private:
    static constexpr unsigned s4 = 20, s5 = 21, s6 = 22;

    unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
    std::uint32_t word() { return random_word(random_, hart_); }
    void note(unsigned reg) { p_ << rv::sw(reg, s2, static_cast<int>(4 * (noted_++ % 16))); }
    void note_cycle() {
        p_ << rv::csrrs(t0, cycle_csr, x0);
        note(t0);
    }

    void push(unsigned how) {
        switch (how) {
        case 3: // one word in a register, again and again
            p_.li(s6, below(3) ? sfpnop : word());
            for (unsigned n = 1 + below(70); n != 0; --n)
                p_ << rv::sw(s6, s4, static_cast<int>(4 * (below(9) / 8)));
            break;
        case 4: // built each time, so that the unit is faster
            for (unsigned n = 1 + below(40); n != 0; --n) p_.li(s6, word()) << rv::sw(s6, s4, 0);
            break;
        case 5: // both ways
            for (unsigned n = 1 + below(40); n != 0; --n)
                if (below(2)) p_.push(word());
                else p_ << rv::sw(s6, s4, 0);
            break;
        case 6: // a loop
            p_.repeat(s3, 1 + below(20), [&](program& q) {
                for (unsigned n = 1 + below(20); n != 0; --n) q.push(word());
            });
            break;
        default:
            for (unsigned n = 1 + below(70); n != 0; --n) p_.push(word());
            break;
        }
    }

    void look_or_wait(unsigned how) {
        switch (how) {
        case 7: note_cycle(); break;
        case 8:
            p_ << rv::lw(t0, s0, static_cast<int>(4 * below(8)));
            note(t0);
            break;
        case 9:
            p_ << rv::csrrs(t0, cycle_csr, x0)
               << rv::sw(t0, below(2) ? s0 : s5, static_cast<int>(4 * below(8)));
            break;
        case 10:
            p_.load(t0, semaphores + 4 * below(8));
            note(t0);
            break;
        case 11: p_.store(semaphores + 4 * below(8), x0); break;
        case 12:
            if (below(2)) p_ << rv::fence;
            else p_.load(t0, done_check) << rv::addi(t0, t0, 0);
            note_cycle();
            break;
        case 13:
            p_ << rv::csrrs(t0, 0xbc0 + below(2), x0);
            note(t0);
            break;
        case 14: p_.spin(1 + below(60)); break;
        default: // Tensix words go one a cycle, or four
            p_.li(t0, 1u << 18);
            p_ << (below(2) ? rv::csrrs(x0, 0x7c0, t0) : rv::csrrc(x0, 0x7c0, t0));
            break;
        }
    }

    std::mt19937& random_;
    const unsigned hart_;
    program p_;
    unsigned noted_ = 0;
};
program random_firmware(std::mt19937& random, unsigned hart) { return pushing_firmware(random, hart).make(); }

/// All counters of the tile but those that depend on how far a parked hart has run ahead.
void flatten(const std::string& path, const probe::counter_group& group, std::vector<std::string>& to) {
    for (const auto& [name, value] : group.counters)
        if (name != "cycles" && name != "instructions" && name != "branches" && name != "mispredicted" &&
            name != "stalled" && name != "branch")
            to.push_back(path + group.name + "." + name + " " + std::to_string(value));
    for (const probe::counter_group& inner : group.groups) flatten(path + group.name + ".", inner, to);
}
std::vector<std::string> counters_of(const tile& t) {
    std::vector<std::string> all;
    for (const probe::counter_group& group : t.counters()) flatten("", group, all);
    return all;
}

/// What an observer hears, in the order of time and then of text.
struct event_texts : probe::pipeline_observer {
    std::vector<std::string> texts;
    void executed(const probe::execution_event& e) override {
        add(e.begin, "executed " + std::to_string(e.insn.word) + " of word " + std::to_string(e.word) +
                         " of thread " + std::to_string(e.thread) + " until " +
                         std::to_string(e.end.count()));
    }
    void stalled(const probe::stall_event& e) override {
        add(e.at, std::string(to_string(e.cause)) + " word " + std::to_string(e.word) + " of thread " +
                      std::to_string(e.thread));
    }
    void acted(const probe::activity_event& e) override {
        add(e.begin, std::string(e.lane) + " " + e.kind + " " + std::string(e.text) + " until " +
                         std::to_string(e.end.count()) + " of " + std::to_string(e.instance));
    }
    void add(cycles at, const std::string& text) {
        std::string time = std::to_string(at.count());
        time.insert(0, 12 - time.size(), '0');
        texts.push_back(time + " " + text);
    }
    std::vector<std::string> sorted() {
        std::sort(texts.begin(), texts.end());
        return texts;
    }
};

#ifdef SFPU_INSTRUMENTED
constexpr unsigned rounds = 2;
#else
constexpr unsigned rounds = 6;
#endif

TEST(tile_pushes, words_that_go_together_do_what_they_do_one_by_one_at_every_quantum) {
    for (const architecture arch : all_architectures)
        for (unsigned harts = 1; harts <= 3; ++harts)
            in_child([&] {
                parameters config = with_harts(harts);
                config.arch = arch;
                tile t("tile", config);
                std::mt19937 random(1000 * harts + static_cast<unsigned>(arch));
                for (unsigned round = 0; round < rounds; ++round) {
                    std::vector<program> programs;
                    for (unsigned hart = 0; hart < harts; ++hart)
                        programs.push_back(random_firmware(random, hart));
                    const riscv::elf_image image = image_of(programs);
                    t.set_longest_push(1);
                    const outcome first = run(t, image, 30'000, sc_core::SC_ZERO_TIME);
                    const std::vector<std::string> counters = counters_of(t);
                    EXPECT_NE(first.words, 0u);
                    for (const sc_core::sc_time& quantum : quanta())
                        for (const unsigned longest : {1u, 3u, 64u}) {
                            const std::string what =
                                std::to_string(harts) + " harts, round " + std::to_string(round) +
                                ", quantum " + quantum.to_string() + ", pushes of " + std::to_string(longest);
                            t.set_longest_push(longest);
                            expect_same(first, run(t, image, 30'000, quantum), what);
                            EXPECT_EQ(counters, counters_of(t)) << what;
                        }
                    ASSERT_FALSE(testing::Test::HasFailure());
                }
            });
}

TEST(tile_pushes, observers_hear_the_same_of_words_that_go_together) {
    for (unsigned harts = 1; harts <= 3; ++harts)
        in_child([&] {
            tile t("tile", with_harts(harts));
            std::mt19937 random(77 + harts);
            for (unsigned round = 0; round < 3; ++round) {
                std::vector<program> programs;
                for (unsigned hart = 0; hart < harts; ++hart)
                    programs.push_back(random_firmware(random, hart));
                const riscv::elf_image image = image_of(programs);
                tlm::tlm_global_quantum::instance().set(sc_core::sc_time(1, sc_core::SC_MS));
                std::array<std::vector<std::string>, 2> heard;
                for (unsigned together = 0; together < 2; ++together) {
                    event_texts texts;
                    platform::tile_listeners to;
                    to.observer = &texts;
                    t.set_longest_push(together ? 64 : 1);
                    t.reset(to);
                    t.load(image);
                    t.run(cycles{20'000});
                    heard[together] = texts.sorted();
                    t.reset({});
                }
                EXPECT_GT(heard[0].size(), 500u);
                const auto at =
                    std::mismatch(heard[0].begin(), heard[0].end(), heard[1].begin(), heard[1].end());
                EXPECT_TRUE(at.first == heard[0].end() && at.second == heard[1].end())
                    << (at.first == heard[0].end() ? "the end" : *at.first) << " and "
                    << (at.second == heard[1].end() ? "the end" : *at.second);
            }
        });
}

} // namespace
} // namespace sfpu::test
