// However words come to a unit, whoever watches and whatever it remembers: the same words in the same cycles
// do the same. Random programs run in several ways that must not differ, and a few programs have values
// worked out by hand.
#include "forked.h"
#include "random_loops.h"
#include "rig.h"

#include <malloc.h>

#include <memory>
#include <random>

namespace sfpu::test {
namespace {

/// How words come to a unit.
enum class pushing { in_bursts, word_by_word, cut_anywhere };

/// A unit with what listens to it, run in one way.
struct listening_rig {
    unit_rig rig;
    diagnostic_log diagnostics;
    event_log events;
    const pushing how;
    const bool observed, forgetful;

    listening_rig(const char* name, pushing words_come, bool is_observed, bool forgets)
        : rig(name), how(words_come), observed(is_observed), forgetful(forgets) {}
    void reset(const parameters& config) {
        diagnostics.lines.clear();
        events.lines.clear();
        random_.seed(1);
        rig.port().delay = sc_core::SC_ZERO_TIME;
        rig.reset(config, {observed ? &events : nullptr, &diagnostics, hazard_policy::warn});
    }
    void push(const std::vector<std::uint32_t>& words) {
        for (std::size_t next = 0; next < words.size();) {
            std::size_t count = words.size();
            if (how == pushing::word_by_word) count = 1;
            if (how == pushing::cut_anywhere) count = 1 + random_() % 12;
            count = std::min(count, words.size() - next);
            if (forgetful) rig.sfpu.forget_plans();
            const auto from = words.begin() + static_cast<std::ptrdiff_t>(next);
            ASSERT_EQ(rig.port().push({from, from + static_cast<std::ptrdiff_t>(count)}),
                      tlm::TLM_OK_RESPONSE);
            next += count;
        }
    }
    std::uint64_t remembered() const { return rig.sfpu.issue().remembered_words(); }

private:
    std::mt19937 random_;
};

void expect_same(const listening_rig& a, const listening_rig& b) {
    expect_same_rigs(a.rig, b.rig);
    expect_same_lines(a.diagnostics.lines, b.diagnostics.lines);
    EXPECT_EQ(a.rig.ports[0]->delay, b.rig.ports[0]->delay);
    if (a.observed && b.observed) {
        expect_same_lines(a.events.lines, b.events.lines);
    }
}

/// Units that run the same words in every way.
struct all_ways {
    std::vector<std::unique_ptr<listening_rig>> ways;

    all_ways() {
        const auto add = [&](const char* name, pushing how, bool observed, bool forgetful) {
            ways.push_back(std::make_unique<listening_rig>(name, how, observed, forgetful));
        };
        add("observed", pushing::in_bursts, true, false);
        add("unobserved", pushing::in_bursts, false, false);
        add("observed_words", pushing::word_by_word, true, false);
        add("words", pushing::word_by_word, false, false);
        add("cut", pushing::cut_anywhere, false, false);
        add("forgetful", pushing::in_bursts, false, true);
        add("observed_forgetful_cut", pushing::cut_anywhere, true, true);
    }
    void reset(const parameters& config, random_loops& loops) {
        isa::vector_state filled;
        filled.reset(config.sfpu_lreg12_default);
        loops.fill(filled);
        for (auto& way : ways) {
            way->reset(config);
            way->rig.sfpu.state().start_from(filled);
            way->rig.sfpu.state().threads[0].set_addr_mod_dst(3, 2);
        }
    }
    void push(const std::vector<std::uint32_t>& words, unsigned idle = 0) {
        for (auto& way : ways) {
            way->rig.port().delay += period() * static_cast<double>(idle);
            way->push(words);
        }
    }
    void drain() {
        for (auto& way : ways) way->rig.sfpu.drain();
    }
    void expect_no_difference() const {
        for (std::size_t i = 1; i < ways.size(); ++i) {
            SCOPED_TRACE(ways[i]->rig.name());
            expect_same(*ways[0], *ways[i]);
        }
        expect_same(*ways[2], *ways[6]); // both observed
    }
    listening_rig& unobserved() { return *ways[1]; }
    listening_rig& observed() { return *ways[0]; }
};

TEST(plans, random_programs_do_the_same_in_every_way) {
    in_child([] {
        all_ways units;
        start();
        std::uint64_t words = 0, remembered = 0, with_macros = 0, with_stalls = 0, with_diagnostics = 0;
        const unsigned programs = program_count(300);
        for (unsigned program = 0; program < programs; ++program) {
            random_loops loops(1000 + program);
            units.reset(loops.config(), loops);
            run_random_program(loops, [&](const std::vector<std::uint32_t>& burst, unsigned idle) {
                if (!burst.empty()) units.push(burst, idle);
            });
            units.drain();
            units.expect_no_difference();
            ASSERT_FALSE(testing::Test::HasFailure()) << "program " << program;
            const probe::unit_counters& counters = units.unobserved().rig.sfpu.state().counters;
            words += counters.words;
            remembered += units.unobserved().remembered();
            with_macros += counters.macros_launched != 0;
            for (const std::uint64_t stalls : counters.stalls) with_stalls += stalls != 0;
            with_diagnostics += !units.unobserved().diagnostics.lines.empty();
        }
        // The programs are worth comparing.
        EXPECT_GT(remembered, words / 8);
        EXPECT_GT(with_macros, programs / 4);
        EXPECT_GT(with_stalls, programs / 4);
        EXPECT_GT(with_diagnostics, programs / 4);
    });
}

TEST(plans, with_two_issue_slots_nothing_depends_on_what_is_remembered_or_observed) {
    in_child([] {
        all_ways units;
        units.ways.resize(2); // which words are known decides which share a cycle: pushes are not cut
        units.ways.push_back(std::make_unique<listening_rig>("forgets", pushing::in_bursts, true, true));
        start();
        for (unsigned program = 0; program < program_count(200); ++program) {
            random_loops loops(5000 + program);
            parameters config = loops.config();
            config.sfpu_issue_width = 2;
            units.reset(config, loops);
            run_random_program(loops, [&](const std::vector<std::uint32_t>& burst, unsigned idle) {
                if (!burst.empty()) units.push(burst, idle);
            });
            units.drain();
            expect_same(units.observed(), units.unobserved());
            expect_same(units.observed(), *units.ways[2]);
            ASSERT_FALSE(testing::Test::HasFailure()) << "program " << program;
        }
    });
}

TEST(plans, lanes_that_become_ordinary_while_a_scheduled_swap_is_under_way_change_nothing_of_it) {
    in_child([] {
        all_ways units;
        start();
        for (unsigned latency = 5; latency <= 8; ++latency)
            for (unsigned between = 0; between < 8; ++between) {
                random_loops loops(100 * latency + between);
                parameters config;
                config.latency_swap = latency;
                units.reset(config, loops);
                for (auto& way : units.ways) {
                    for (isa::macro_configuration& column : way->rig.sfpu.state().vector.macro) {
                        column.instruction_template[0] = 0x92000111u; // argmin of L1 and L1..., see T14
                        column.sequence[0] = 0x84u;
                        column.misc = 0;
                    }
                    ++way->rig.sfpu.state().vector.macro_version;
                }
                units.push({0x910004f1u}); // LaneConfig: ENABLE_DEST_INDEX
                for (unsigned i = 0; i < 3; ++i) {
                    units.push({sfploadmacro(0, 2, mode_int32, 0), sfpnop});
                    units.push(std::vector<std::uint32_t>(between + 1, sfpload(6, mode_int32, 2)));
                    units.push({0x910000f1u}); // ordinary lanes
                    units.push({sfpload(5, mode_int32, 4), sfpmad(5, 6, 9, 1), sfpmad(1, 6, 9, 6), sfpnop,
                                sfpnop, sfpnop});
                    units.push({0x910004f1u});
                }
                units.drain();
                units.expect_no_difference();
                ASSERT_FALSE(testing::Test::HasFailure())
                    << "latency " << latency << ", " << between << " loads";
            }
    });
}

// --- programs with values worked out by hand ---------------------------------------------------------------

constexpr std::uint32_t sfpabs(unsigned c, unsigned dest) { return 0x7d000000u | c << 8 | dest << 4; }
constexpr std::uint32_t floatb(unsigned lreg, std::uint32_t high_half) {
    return sfploadi(lreg, high_half, 0);
}
/// SFPCONFIG by immediate.
constexpr std::uint32_t sfpconfig(unsigned destination, unsigned imm) {
    return 0x91000001u | imm << 8 | destination << 4;
}

void set_templates(unit_rig& rig, const std::array<std::uint32_t, 4>& to) {
    for (isa::macro_configuration& column : rig.sfpu.state().vector.macro)
        std::copy(to.begin(), to.end(), column.instruction_template.begin());
    ++rig.sfpu.state().vector.macro_version;
}

/// T16 and T18. L1 is 2.0 and L3 is 5.0, so SFPMAD makes L3 = 2 * 2 + 5 = 9.0. Issued, it holds the next
/// reader until the new value is there; scheduled, it holds nobody, and the reader a cycle later sees 5.0.
TEST(plans, an_issued_and_a_scheduled_sfpmad_before_the_same_words) {
    in_child([] {
        unit_rig rig;
        start();
        set_templates(rig, {0, sfpmad(1, 1, 0, 0), 0, 0});
        rig.set_macro(0, 0x05u << 8,
                      misc_counts_cycles); // MAD in the next cycle: VC and VD are the loaded register
        const std::vector<std::uint32_t> stretch{sfpabs(3, 4), sfpabs(4, 5), sfpnop, sfpnop};
        std::uint64_t stalls = 0;
        for (const bool scheduled : {false, false, false, true, true, true, false, true, false, true}) {
            rig.port().push({floatb(1, 0x4000), floatb(3, 0x40a0), sfpstore(3, mode_int32, 0), sfpnop});
            if (scheduled) rig.port().push({sfploadmacro(0, 3, mode_int32, 0), sfpnop});
            else rig.port().push({sfpnop, sfpmad(1, 1, 3, 3)});
            rig.port().push(stretch);
            stalls += !scheduled;
            const isa::vector_state& state = rig.sfpu.state().vector;
            EXPECT_EQ(state.lreg[4][0], scheduled ? 0x40a00000u : 0x41100000u);
            EXPECT_EQ(state.lreg[5][0], scheduled ? 0x40a00000u : 0x41100000u);
            EXPECT_EQ(state.lreg[3][0], 0x41100000u); // and at the end it is 9.0 anyway
            EXPECT_EQ(rig.sfpu.state().counters.stalls[0], stalls);
        }
        EXPECT_NE(rig.sfpu.issue().remembered_words(), 0u);
    });
}

/// A scheduled SFPSTORE takes its mode from Misc: UINT16 stores 1234, ZERO stores 0.
TEST(plans, the_same_words_after_another_store_mode) {
    in_child([] {
        unit_rig rig;
        start();
        rig.set_macro(0, store_after(1, true), mode_uint16);
        rig.sfpu.state().vector.lreg[0] = broadcast(0x1234);
        const std::vector<std::uint32_t> stretch{sfploadmacro(0, 1, mode_uint16, 0), sfpnop, sfpnop, sfpnop};
        const auto stored = [&](unsigned mode) {
            std::uint16_t cell = 0x55;
            rig.memory.delay = rig.port().delay;
            rig.memory.write(0, &cell, 2);
            rig.port().delay = std::max(rig.port().delay, rig.memory.delay);
            rig.port().push({sfpconfig(8, mode), sfpnop, sfpnop});
            rig.port().push(stretch);
            return rig.memory.debug_cell(0, 0);
        };
        for (unsigned round = 0; round < 4; ++round) {
            for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(stored(mode_uint16), 0x1234);
            for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(stored(mode_zero), 0);
        }
        EXPECT_NE(rig.sfpu.issue().remembered_words(), 0u);
    });
}

/// T3 and T4. SFPLOADMACRO k loads x into L2; in the next cycle L16 = 3 * x is under way and the old L16 is
/// stored. The product of macro k is visible in cycle k + 3, in which macro k + 2 stores: so macro k stores
/// that of macro k - 2.
TEST(plans, a_store_beside_the_sfpmul24_that_writes_the_register_it_reads) {
    in_child([] {
        unit_rig rig;
        start();
        set_templates(rig, {0, 0x98001000u, 0, 0}); // SFPMUL24 VA = L0... VB becomes the loaded register
        rig.set_macro(0, (0x80u | 0x40u | 5u) << 8 | (0x40u | 3u) << 24,
                      misc_counts_cycles | misc_load_mod_for_store);
        isa::vector_state& state = rig.sfpu.state().vector;
        state.lreg[0] = broadcast(3);
        state.lreg[16] = broadcast(0x77);
        std::uint16_t old = 0x77;
        constexpr unsigned count = 8;
        for (unsigned round = 0; round < 6; ++round) {
            std::vector<std::uint32_t> words;
            for (unsigned k = 0; k < count; ++k) {
                std::uint16_t x = static_cast<std::uint16_t>(10 + k + round);
                rig.memory.delay = rig.port().delay;
                rig.memory.write(32u * 4u * k, &x, 2);
                words.push_back(sfploadmacro(0, 2, mode_uint16, 4 * k));
            }
            rig.port().delay = std::max(rig.port().delay, rig.memory.delay);
            words.insert(words.end(), 4, sfpnop);
            if (round % 2 == 0) rig.port().push(words);
            else
                for (const std::uint32_t word : words) rig.port().push({word});
            for (unsigned k = 0; k < count; ++k) {
                const unsigned expected = k < 2 ? old : 3 * (10 + k - 2 + round);
                EXPECT_EQ(rig.memory.debug_cell(4 * k, 0), expected) << "macro " << k << ", round " << round;
            }
            old = static_cast<std::uint16_t>(3 * (10 + count - 1 + round));
        }
    });
}

/// T8 and T16: SFPSWAP at the end of a push; what comes next waits a cycle and sees both registers exchanged.
TEST(plans, a_push_that_ends_in_sfpswap_and_its_dependants) {
    in_child([] {
        unit_rig rig;
        start();
        const std::vector<std::uint32_t> first{sfploadi(1, 11), sfploadi(2, 22), sfpswap(1, 2)},
            dependants{sfpabs(1, 3), sfpabs(2, 4), sfpstore(1, mode_uint16, 0), sfpnop};
        for (unsigned round = 0; round < 6; ++round) {
            rig.port().push(first);
            rig.port().push(dependants);
            const isa::vector_state& state = rig.sfpu.state().vector;
            EXPECT_EQ(state.lreg[1][0], 22u);
            EXPECT_EQ(state.lreg[2][0], 11u);
            EXPECT_EQ(state.lreg[3][0], 22u);
            EXPECT_EQ(state.lreg[4][0], 11u);
            EXPECT_EQ(rig.memory.debug_cell(0, 0), 22);
            EXPECT_EQ(rig.sfpu.issue().next_free(), cycles{8 * (round + 1)}); // seven words, one cycle held
        }
        EXPECT_NE(rig.sfpu.issue().remembered_words(), 0u);
    });
}

/// T2a: what collides is named as executed, with the operands that the macro gave it, not as the template has
/// them.
TEST(plans, a_write_collision_names_operands_as_executed) {
    in_child([] {
        listening_rig unit("unit", pushing::in_bursts, false, false);
        start();
        unit.reset(parameters{});
        set_templates(unit.rig, {0x7d0000c0u, 0, 0, 0}); // SFPABS, VD = 12 in the template
        unit.rig.set_macro(0, 0x04u, misc_counts_cycles);
        for (unsigned i = 0; i < 4; ++i) {
            unit.diagnostics.lines.clear();
            unit.rig.port().push({sfploadmacro(0, 3, mode_int32, 0), sfpload(3, mode_int32, 0), sfpnop});
            ASSERT_EQ(unit.diagnostics.lines.size(), 1u);
            const std::string& line = unit.diagnostics.lines[0];
            EXPECT_NE(line.find("/sfpu/hazard/write-collision"), std::string::npos) << line;
            EXPECT_NE(line.find("L3"), std::string::npos) << line;
            EXPECT_EQ(line.find("L12"), std::string::npos) << line;
        }
    });
}

/// T8: an SFPSWAP that runs into the second cycle of its like. Both words are the same, and neither is an
/// SFPSHFT2.
TEST(plans, an_instruction_that_is_its_own_neighbour_is_named_twice) {
    in_child([] {
        listening_rig unit("unit", pushing::in_bursts, false, false);
        start();
        unit.reset(parameters{});
        set_templates(unit.rig, {sfpswap(1, 0), 0, 0, 0});
        unit.rig.set_macro(0, 0x04u, misc_counts_cycles);
        for (unsigned i = 0; i < 4; ++i) {
            unit.diagnostics.lines.clear();
            unit.rig.port().push(
                {sfploadmacro(0, 2, mode_int32, 0), sfploadmacro(0, 2, mode_int32, 0), sfpnop});
            ASSERT_EQ(unit.diagnostics.lines.size(), 1u);
            const std::string& line = unit.diagnostics.lines[0];
            EXPECT_NE(line.find("/sfpu/hazard/swap-neighbour"), std::string::npos) << line;
            EXPECT_NE(line.find("on simple in the second cycle of sfpswap"), std::string::npos) << line;
            EXPECT_EQ(line.find("SFPSHFT2"), std::string::npos) << line;
            unit.rig.port().push({sfpnop, sfpnop, sfpnop});
        }
    });
}

/// Instructions of results that are under way outlive the library's memory of them.
TEST(plans, a_collision_is_named_although_its_words_have_been_forgotten) {
    in_child([] {
        listening_rig unit("unit", pushing::in_bursts, false, false);
        start();
        for (const unsigned times : {0u, 1u, 3u}) {
            unit.reset(parameters{});
            unit.rig.port().push({sfpmad(1, 1, 1, 3)});
            for (unsigned i = 0; i < times; ++i) unit.rig.sfpu.forget_plans();
            unit.rig.port().push({sfploadi(3, 1), sfpnop});
            ASSERT_EQ(unit.diagnostics.lines.size(), 1u);
            const std::string& line = unit.diagnostics.lines[0];
            EXPECT_NE(line.find("write-collision"), std::string::npos) << line;
            EXPECT_NE(line.find("sfpmad"), std::string::npos) << line;
            EXPECT_NE(line.find("sfploadi"), std::string::npos) << line;
        }
    });
}

// --- what is remembered ------------------------------------------------------------------------------------

TEST(plans, all_but_the_first_repetitions_of_a_loop_are_remembered_observed_or_not) {
    in_child([] {
        all_ways units;
        start();
        random_loops loops(1);
        units.reset(parameters{}, loops);
        const std::vector<std::uint32_t> loop{
            sfpload(0, mode_int32, 0), sfpmad(0, 1, 2, 3), sfpnop, sfpmad(3, 1, 2, 4), sfpnop,
            sfpstore(4, mode_int32, 0)};
        for (unsigned i = 0; i < 10; ++i) units.push(loop);
        // The first repetition is in a state of its own; the second is seen once, the third is kept.
        EXPECT_GE(units.unobserved().remembered(), 7 * loop.size());
        EXPECT_EQ(units.observed().remembered(), units.unobserved().remembered());
        units.drain();
        units.expect_no_difference();
    });
}

/// Wherever the hashes of plans fall: no two put each other out of a table for ever.
TEST(plans, thirty_words_that_come_one_by_one_again_and_again_are_all_remembered) {
    in_child([] {
        unit_rig rig;
        start();
        diagnostic_log listener; // so that words are executed one by one
        rig.reset(parameters{}, {nullptr, &listener, hazard_policy::off});
        constexpr unsigned words = 30, rounds = 10;
        for (unsigned round = 0; round < rounds; ++round)
            for (unsigned i = 0; i < words; ++i) rig.port().push({sfpabs(i / 6, i % 6)});
        EXPECT_GE(rig.sfpu.issue().remembered_words(), words * (rounds - 2));
    });
}

TEST(plans, a_remembered_plan_reports_its_diagnostics_each_time) {
    in_child([] {
        all_ways units;
        start();
        random_loops loops(3);
        parameters config;
        config.sfpu_auto_stall = stall_choice::off;
        units.reset(config, loops);
        for (unsigned i = 0; i < 10; ++i)
            units.push({sfpmad(0, 1, 2, 3), sfpmad(3, 1, 2, 4), sfpnop, sfpnop});
        EXPECT_NE(units.unobserved().remembered(), 0u);
        EXPECT_EQ(units.unobserved().rig.sfpu.state().reporter.count(report_id::hazard_unprotected_read),
                  10u);
        units.expect_no_difference();
    });
}

TEST(plans, a_changed_macro_is_planned_anew) {
    in_child([] {
        all_ways units;
        start();
        random_loops loops(4);
        units.reset(parameters{}, loops);
        for (auto& way : units.ways)
            way->rig.set_macro(0, store_after(1), misc_counts_cycles | misc_load_mod_for_store);
        const std::vector<std::uint32_t> loop{sfploadmacro(0, 1, mode_int32, 0), sfpnop, sfpnop, sfpnop};
        for (unsigned i = 0; i < 6; ++i) units.push(loop);
        const std::uint64_t before = units.unobserved().remembered();
        EXPECT_NE(before, 0u);
        // Sequence 0 now stores two cycles later: bits 31:16 of a word in L0, written by SFPCONFIG.
        units.push({sfploadi(0, 0), sfploadi(0, store_after(3) >> 16, 8), 0x91000040u});
        for (unsigned i = 0; i < 6; ++i) units.push(loop);
        EXPECT_GT(units.unobserved().remembered(), before);
        units.drain();
        units.expect_no_difference();
    });
}

/// Counts what malloc() has given away; nothing under a sanitizer, which has a malloc() of its own.
std::size_t heap_in_use() { return mallinfo2().uordblks; }

TEST(plans, more_plans_than_are_kept_give_the_same_results_in_less_than_4_mib_a_unit) {
    in_child([] {
        const std::size_t before = heap_in_use();
        all_ways units;
        units.ways.resize(2);
        start();
        random_loops loops(5);
        units.reset(parameters{}, loops);
        std::vector<std::vector<std::uint32_t>> bodies(600);
        for (auto& body : bodies) body = loops.loop();
        for (unsigned round = 0; round < 3; ++round)
            for (const auto& body : bodies) {
                for (unsigned i = 0; i < 4; ++i) units.push(body);
                for (auto& way : units.ways) way->events.lines = {};
            }
        units.drain();
        EXPECT_NE(units.unobserved().remembered(), 0u);
        expect_same_rigs(units.observed().rig, units.unobserved().rig);
        for (auto& way : units.ways) way->diagnostics.lines = {};
        constexpr std::size_t mib = 1024 * 1024;
        EXPECT_LT(heap_in_use() - before, 2 * 4 * mib) << "two units, each with its Dst";
    });
}

} // namespace
} // namespace sfpu::test
