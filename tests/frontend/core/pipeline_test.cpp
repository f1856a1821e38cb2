// The way from pushed words to issued ones, compared with a model that simulates every cycle of every stage.
#include "front_end_model.h"

#include <sfpu/frontend/thread_pipeline.h>

#include <gtest/gtest.h>

#include <random>

namespace sfpu::frontend::test {
namespace {

// --- latency and throughput --------------------------------------------------------------------------------

TEST(front_end_pipeline, a_word_that_meets_empty_fifos_issues_in_the_cycle_of_its_push) {
    bench b;
    b.push(sfpadd(1), 10);
    b.pipeline.run_to_end();
    EXPECT_EQ(b.unit.cycles_of_issue(), (times{10}));
}
TEST(front_end_pipeline, one_word_issues_a_cycle) {
    bench b;
    for (unsigned i = 0; i < 4; ++i) b.push(sfpadd(i), 5); // fused: all come in cycle 5
    b.pipeline.run_to_end();
    EXPECT_EQ(b.unit.cycles_of_issue(), (times{5, 6, 7, 8}));
}
TEST(front_end_pipeline, nothing_issues_at_the_end_of_an_advance_or_later) {
    bench b;
    for (unsigned i = 0; i < 4; ++i) b.push(sfpadd(i), 5);
    b.pipeline.advance(cycles{7});
    EXPECT_EQ(b.unit.cycles_of_issue(), (times{5, 6}));
}

// --- MOP and REPLAY (tile.md K4, K5) -----------------------------------------------------------------------

TEST(front_end_pipeline, a_mop_issues_one_word_a_cycle_and_then_loses_one) {
    bench b;
    b.configure_mop({0, 0, 0, sfpadd(1), 0, 0, 0, 0, 0});
    b.push_all({mop_0(2), sfpadd(9)}, 0);
    EXPECT_EQ(b.unit.cycles_of_issue(), (times{0, 1, 2, 4}));
}
TEST(front_end_pipeline, a_mop_after_a_mop_loses_no_cycle) {
    bench b;
    b.configure_mop({0, 0, 0, sfpadd(1), 0, 0, 0, 0, 0});
    b.push_all({mop_0(1), mop_0(1)}, 0);
    EXPECT_EQ(b.unit.cycles_of_issue(), (times{0, 1, 2, 3}));
}
TEST(front_end_pipeline, a_replay_inside_the_mop_hides_the_lost_cycle) {
    bench b;
    b.push_all({replay(0, 2, true, true), sfpadd(1), sfpadd(2)}, 0); // issue in 1 and 2
    b.configure_mop({0, 0, 0, replay(0, 2, false, false), 0, 0, 0, 0, 0});
    b.push_all({mop_0(1), sfpadd(9)}, 3);
    EXPECT_EQ(b.unit.cycles_of_issue(), (times{1, 2, 3, 4, 5, 6, 7}));
}
TEST(front_end_pipeline, what_a_replay_costs_before_its_first_word_is_a_parameter) {
    parameters config;
    config.front_end.replay_start_cycles = 2;
    bench b(config);
    b.push_all({replay(0, 2, true, true), sfpadd(1), sfpadd(2), replay(0, 2, false, false), sfpadd(9)}, 0);
    EXPECT_EQ(b.unit.cycles_of_issue(), (times{1, 2, 5, 6, 7})) << "loading costs what it did";
}
TEST(front_end_pipeline, a_load_without_execution_issues_nothing_and_takes_a_cycle_a_word) {
    bench b;
    b.push_all(
        {replay(0, 3, false, true), sfpadd(1), sfpadd(2), sfpadd(3), replay(0, 3, false, false), sfpadd(9)},
        0);
    EXPECT_EQ(b.unit.cycles_of_issue(), (times{4, 5, 6, 7}));
    EXPECT_EQ(b.unit.words(), (words{sfpadd(1), sfpadd(2), sfpadd(3), sfpadd(9)}));
    EXPECT_EQ(b.pipeline.counters().loaded_words, 3u);
}
TEST(front_end_pipeline, words_carry_the_index_of_the_word_that_they_come_from) {
    bench b;
    b.push_all({replay(0, 2, true, true), sfpadd(1), sfpadd(2), replay(0, 2, false, false), sfpadd(3)}, 0);
    EXPECT_EQ(b.unit.indices(), (times{1, 2, 3, 3, 4}));
}
TEST(front_end_pipeline, a_replay_in_the_replay_buffer_is_not_expanded) {
    bench b;
    b.push_all({replay(0, 2, false, true), replay(0, 1, false, false), sfpadd(1), replay(0, 2, false, false)},
               0);
    EXPECT_EQ(b.unit.words(), (words{replay(0, 1, false, false), sfpadd(1)}));
}

// --- FIFO depths (tile.md K3) ------------------------------------------------------------------------------

/// How many words are taken, one a cycle, while a SEMWAIT holds everything.
unsigned words_taken(const parameters& config, unsigned thread, unsigned width = 1) {
    bench b(config, thread);
    b.push(semwait_all, 0);
    unsigned taken = 0;
    for (std::int64_t at = 1;; ++at)
        for (unsigned i = 0; i < width; ++i) {
            const auto accepted = b.pipeline.push(sfpadd(1), 0, cycles{at});
            if (!accepted || accepted->count() != at) return taken;
            ++taken;
        }
}
parameters with(architecture arch) {
    parameters config;
    config.arch = arch;
    return config;
}

TEST(front_end_fifo, blackhole_takes_29_words_one_by_one) {
    EXPECT_EQ(words_taken(with(architecture::blackhole), 0), 29u);
    EXPECT_EQ(words_taken(with(architecture::blackhole), 1), 29u);
}
TEST(front_end_fifo, blackhole_reaches_32_by_four_words_at_28) {
    EXPECT_EQ(words_taken(with(architecture::blackhole), 0, 4), 32u);
}
TEST(front_end_fifo, wormhole_takes_32_words_for_thread_0_and_16_for_others_and_10_behind_them) {
    EXPECT_EQ(words_taken(with(architecture::wormhole), 0), 42u);
    EXPECT_EQ(words_taken(with(architecture::wormhole), 1), 26u);
    EXPECT_EQ(words_taken(with(architecture::wormhole), 2), 26u);
}
TEST(front_end_fifo, depths_are_parameters) {
    parameters config = with(architecture::wormhole);
    config.front_end.fifo_depth = 5;
    config.front_end.replay_fifo_depth = 3;
    config.front_end.gate_fifo_depth = 1;
    EXPECT_EQ(words_taken(config, 0), 9u);
}
TEST(front_end_fifo, on_blackhole_an_expansion_frees_the_place_of_its_word) {
    bench b;
    b.push_all({replay(0, 2, true, true), sfpadd(1), sfpadd(2)}, 0);
    b.push(semwait_all, 5);
    unsigned taken = 0;
    for (std::int64_t at = 6;; ++at, ++taken) {
        const auto accepted = b.pipeline.push(replay(0, 2, false, false), 0, cycles{at});
        if (!accepted || accepted->count() != at) break;
    }
    EXPECT_EQ(taken, 31u) << "the first has gone to the gate, the second is being played";
}
TEST(front_end_fifo, a_push_that_was_held_goes_on_one_cycle_after_a_place_became_free) {
    bench b;
    b.unit.hold = 1; // one word every two cycles
    for (std::int64_t at = 0; at < 100; ++at) b.push(sfpadd(0), b.accepted + 1);
    // 29 words ahead of the issue; from then on the pushes follow the issues.
    b.pipeline.run_to_end();
    const times& issued = b.unit.cycles_of_issue();
    for (std::size_t i = 80; i < 100; ++i) EXPECT_EQ(b.accepted_at[i], issued[i - 29] + 1) << i;
    EXPECT_GT(b.pipeline.counters().full_cycles, 0u);
}

// --- the B core --------------------------------------------------------------------------------------------

TEST(front_end_collision, drops_the_word_of_the_t_core_and_reports_it) {
    bench b;
    b.push(sfpadd(1), 4);
    b.push(sfpadd(2), 5);
    b.pipeline.push_b(sfpadd(7), 100, cycles{5});
    b.push(sfpadd(3), 6);
    b.pipeline.run_to_end();
    EXPECT_EQ(b.unit.words(), (words{sfpadd(1), sfpadd(7), sfpadd(3)}));
    EXPECT_EQ(b.pipeline.counters().collisions, 1u);
    EXPECT_EQ(b.unit.reports, (std::vector<report_id>{report_id::frontend_collision}));
}
TEST(front_end_collision, does_not_happen_in_different_cycles) {
    bench b;
    b.push(sfpadd(1), 4);
    b.push(sfpadd(2), 6);
    b.pipeline.push_b(sfpadd(7), 100, cycles{5});
    b.pipeline.run_to_end();
    EXPECT_EQ(b.unit.words(), (words{sfpadd(1), sfpadd(7), sfpadd(2)}));
    EXPECT_EQ(b.pipeline.counters().collisions, 0u);
}
TEST(front_end_collision, words_of_the_b_core_pass_no_mop_expander) {
    bench b;
    b.configure_mop({0, 0, 0, sfpadd(1), 0, 0, 0, 0, 0});
    b.pipeline.push_b(mop_0(3), 0, cycles{0});
    b.pipeline.run_to_end();
    EXPECT_EQ(b.unit.words(), (words{mop_0(3)}));
}
TEST(front_end_collision, frees_the_place_of_the_lost_word) {
    bench b;
    for (std::int64_t at = 0; at < 200; ++at) {
        b.push(sfpadd(1), at);
        b.pipeline.push_b(sfpadd(7), 0, cycles{at});
    }
    b.pipeline.run_to_end();
    EXPECT_EQ(b.pipeline.counters().words_in, 200u);
    EXPECT_EQ(b.pipeline.counters().b_words_in, 200u);
    EXPECT_EQ(b.pipeline.counters().words_out, 400u - b.pipeline.counters().collisions);
    EXPECT_TRUE(b.pipeline.is_empty());
}

// --- what a core asks --------------------------------------------------------------------------------------

TEST(front_end_done_check, waits_for_the_last_issue) {
    bench b;
    b.push_all({replay(0, 2, true, true), sfpadd(1), sfpadd(2), replay(0, 2, false, false)}, 0, false);
    EXPECT_EQ(b.pipeline.idle_from(cycles{1}), cycles{5});
    EXPECT_EQ(b.pipeline.idle_from(cycles{9}), cycles{9});
}
TEST(front_end_done_check, has_no_answer_while_a_wait_holds_a_word_for_ever) {
    bench b;
    b.push(semwait_all, 0);
    b.push(sfpadd(1), 1);
    EXPECT_EQ(b.pipeline.idle_from(cycles{1}), std::nullopt);
    b.semaphores.write(0, 0, cycles{20});
    EXPECT_EQ(b.pipeline.idle_from(cycles{20}), cycles{22}) << "met in 20, released in 21";
}
TEST(front_end_mop_check, waits_for_the_end_of_the_expansion) {
    bench b;
    b.configure_mop({0, 0, 0, sfpadd(1), 0, 0, 0, 0, 0});
    b.push(sfpadd(0), 0);
    b.push(mop_0(4), 1);
    EXPECT_EQ(b.pipeline.mop_idle_from(cycles{2}), cycles{6});
}
TEST(front_end_mop_check, a_configuration_that_changes_during_an_expansion_is_reported_and_used) {
    bench b;
    b.configure_mop({0, 0, 0, sfpadd(1), 0, 0, 0, 0, 0});
    b.push(mop_0(3), 0);
    b.pipeline.set_mop_config(3, sfpadd(2), cycles{2});
    b.pipeline.run_to_end();
    EXPECT_EQ(b.unit.words(), (words{sfpadd(1), sfpadd(1), sfpadd(2), sfpadd(2)}));
    EXPECT_EQ(b.unit.reports, (std::vector<report_id>{report_id::frontend_mop_config_race}));
}
TEST(front_end_status, names_the_kinds_of_words_that_wait) {
    bench b;
    b.push(semwait_all, 0);
    EXPECT_EQ(b.pipeline.queued_status(), 1u << 7) << "SEMWAIT is the Sync Unit's";
    b.pipeline.advance(cycles{1});
    EXPECT_EQ(b.pipeline.queued_status(), 0u);
    b.push(sfpadd(1), 1);
    EXPECT_EQ(b.pipeline.queued_status(), 1u << 9);
    b.push(mop_0(1), 2);
    b.push(replay(0, 1, false, false), 3);
    EXPECT_EQ(b.pipeline.queued_status(), 1u << 9 | 1u << 1 | 1u << 0);
}

// --- any program -------------------------------------------------------------------------------------------

TEST(front_end_pipeline, issues_and_accepts_in_the_cycles_of_a_model_that_simulates_each_cycle) {
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
        const experiment e = random_experiment(seed);
        bench b(e.config, 0, e.hold_modulus);
        b.configure_mop(e.mop);
        cycle_model model(e.config, e.hold_modulus, e.mop);
        std::int64_t late = 0; // stalls shift everything behind them
        for (std::size_t i = 0; i < e.program.size(); ++i) {
            b.push(e.program[i], e.push_times[i] + late);
            late = b.accepted - e.push_times[i];
        }
        b.pipeline.run_to_end();
        model.run(e.program, e.push_times);
        ASSERT_EQ(b.unit.words(), model.words) << "seed " << seed;
        ASSERT_EQ(b.unit.cycles_of_issue(), model.issued)
            << "seed " << seed << difference(b.unit.cycles_of_issue(), model.issued);
        ASSERT_EQ(b.accepted_at, model.accepted)
            << "seed " << seed << difference(b.accepted_at, model.accepted);
    }
}

TEST(front_end_pipeline, results_do_not_depend_on_when_somebody_looks) {
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        const experiment e = random_experiment(seed);
        std::mt19937 random(seed);
        times issued[2], accepted[2];
        for (const bool looks : {false, true}) {
            bench b(e.config, 0, e.hold_modulus);
            b.configure_mop(e.mop);
            std::int64_t late = 0;
            for (std::size_t i = 0; i < e.program.size(); ++i) {
                const std::int64_t at = e.push_times[i] + late;
                if (looks)
                    for (std::int64_t t = b.accepted; t <= at;
                         t += 1 + static_cast<std::int64_t>(random() % 3))
                        b.pipeline.advance(cycles{t});
                b.push(e.program[i], at);
                late = b.accepted - e.push_times[i];
            }
            b.pipeline.run_to_end();
            issued[looks] = b.unit.cycles_of_issue();
            accepted[looks] = b.accepted_at;
        }
        ASSERT_EQ(issued[0], issued[1]) << "seed " << seed << difference(issued[0], issued[1]);
        ASSERT_EQ(accepted[0], accepted[1]) << "seed " << seed;
    }
}

/// What a core sees that pushes faster than the unit issues, and what the unit gets. Words come one by one or
/// in groups that one cycle sends; now and then an expander gets one, the B core pushes, or somebody looks.
struct crowded_run {
    times accepted, issued, indices;
    test::words words;
    std::vector<std::uint32_t> status;
    std::uint64_t full_cycles = 0;
    unsigned foreseen = 0;

    crowded_run(std::uint32_t seed, bool foresees) {
        std::mt19937 random(seed);
        const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
        parameters config;
        if (below(2)) config.front_end.fifo_depth = 6 + below(20);
        config.front_end.push_width = 1 + below(2) * below(4);
        const unsigned expanding = below(2) * 40, b_words = below(2) * 30, looks = below(2) * 20;
        bench b(config, 0, 1 + below(3));
        b.unit.foresees = foresees;
        b.configure_mop({1, 1, sfpadd(20), sfpadd(21), 0x02000000u, sfpadd(23), 0x02000000u, sfpadd(25), 0});
        for (unsigned group = 0; group < 150; ++group) {
            const std::int64_t at = b.accepted + 1 + below(20) / 19 * below(40);
            if (looks != 0 && below(looks) == 0) {
                const cycles look{b.accepted + below(3)};
                b.pipeline.advance(look);
                status.push_back(b.pipeline.queued_status(look));
            }
            if (b_words != 0 && below(b_words) == 0)
                b.pipeline.push_b(sfpadd(40), 5000 + group, cycles{b.accepted + below(3)});
            for (unsigned i = 0; i < config.front_end.push_width; ++i)
                b.push(expanding != 0 && below(expanding) == 0 ? mop_1 : sfpadd(below(16)), at);
        }
        b.pipeline.forget_from(cycles{b.accepted - below(10)});
        b.pipeline.run_to_end();
        accepted = b.accepted_at;
        issued = b.unit.cycles_of_issue();
        indices = b.unit.indices();
        words = b.unit.words();
        full_cycles = b.pipeline.counters().full_cycles;
        foreseen = b.unit.foreseen;
    }
};
TEST(front_end_pipeline, departures_that_are_foreseen_change_nothing) {
    unsigned foreseen = 0, words = 0;
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
        const crowded_run with(seed, true), without(seed, false);
        ASSERT_EQ(with.words, without.words) << "seed " << seed;
        ASSERT_EQ(with.accepted, without.accepted)
            << "seed " << seed << difference(with.accepted, without.accepted);
        ASSERT_EQ(with.issued, without.issued) << "seed " << seed << difference(with.issued, without.issued);
        ASSERT_EQ(with.indices, without.indices) << "seed " << seed;
        ASSERT_EQ(with.status, without.status) << "seed " << seed;
        ASSERT_EQ(with.full_cycles, without.full_cycles) << "seed " << seed;
        foreseen += with.foreseen;
        words += static_cast<unsigned>(with.words.size());
    }
    EXPECT_GT(foreseen, words / 300);
}

} // namespace
} // namespace sfpu::frontend::test
