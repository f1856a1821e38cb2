// Several threads in front of one vector unit: one issue slot a cycle (T22), waits and semaphores between
// them.
#include "front_end_model.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>

namespace sfpu::frontend::test {
namespace {

constexpr unsigned threads = isa::thread_count, vector_block = 1u << 8, bh_vector = 1u << 11;

/// Three pipelines in front of one timekeeper, with what their cores push.
class three_threads : sync_unit::user {
public:
    timekeeper unit;
    sync_unit semaphores;
    thread_group group;
    std::array<thread_pipeline, threads> pipelines;
    std::array<times, threads> accepted;

    explicit three_threads(const parameters& config = {}, unsigned hold_modulus = 1) {
        unit.hold_modulus = hold_modulus;
        group.reset(config);
        for (unsigned i = 0; i < threads; ++i) {
            pipelines[i].join(group);
            pipelines[i].reset(config, i, thread_pipeline::feed::fifo, semaphores, unit, nullptr);
        }
        semaphores.add(*this);
    }

    void set(unsigned thread, words program, times push_times) {
        programs_[thread] = std::move(program);
        push_times_[thread] = std::move(push_times);
    }
    /// Words that come one a cycle from `at` on.
    void set(unsigned thread, const words& program, std::int64_t at = 0) {
        times when;
        for (std::size_t i = 0; i < program.size(); ++i) when.push_back(at++);
        set(thread, program, when);
    }
    /// The cores try to push in every cycle until all is pushed; then everything issues.
    void run() {
        std::array<std::size_t, threads> next{};
        std::array<std::int64_t, threads> late{};
        bool busy = true;
        for (std::int64_t at = 0; busy && at < 100'000; ++at) {
            busy = false;
            for (unsigned i = 0; i < threads; ++i) {
                if (next[i] == programs_[i].size()) continue;
                busy = true;
                const std::int64_t wanted = push_times_[i][next[i]];
                if (at < wanted + late[i]) continue;
                if (!pipelines[i].push_now(programs_[i][next[i]], static_cast<std::int64_t>(next[i]),
                                           cycles{wanted + late[i]}, cycles{at}))
                    continue;
                accepted[i].push_back(at);
                late[i] = at - wanted;
                ++next[i];
            }
        }
        group.run_to_end();
    }
    /// When the words of a thread were issued, whose tags are 0x10 * thread + 0 to 15.
    times issues_of(unsigned thread) const {
        times result;
        for (std::size_t i = 0; i < unit.words().size(); ++i)
            if ((unit.words()[i] >> 4 & 3) == thread && is_vector(unit.words()[i]))
                result.push_back(unit.cycles_of_issue()[i]);
        return result;
    }

private:
    void bring_to(cycles at) override { group.advance(at); }
    void semaphores_changed(cycles at) override {
        for (thread_pipeline& each : pipelines) each.semaphores_changed(at);
    }
    std::array<words, threads> programs_;
    std::array<times, threads> push_times_;
};

constexpr std::uint32_t word_of(unsigned thread, unsigned tag = 0) { return sfpadd(thread << 4 | tag); }

TEST(front_end_threads, three_threads_with_200_words_each_take_600_cycles_in_turn) {
    three_threads t;
    for (unsigned i = 0; i < threads; ++i) t.set(i, words(200, word_of(i)));
    t.run();
    for (unsigned i = 0; i < threads; ++i) {
        times every_third;
        for (std::int64_t n = 0; n < 200; ++n) every_third.push_back(3 * n + i);
        EXPECT_EQ(t.issues_of(i), every_third) << i;
        // 28 words are held beyond those that have issued: word n waits until word n - 29 has.
        EXPECT_EQ(t.accepted[i][28], 28);
        EXPECT_EQ(t.accepted[i][199], 3 * (199 - 29) + i + 1);
        EXPECT_GT(t.pipelines[i].counters().full_cycles, 300u) << "the core feels it";
    }
    // Thread 0 waits two cycles for each word but the first, thread 1 one and thread 2 two more at the
    // beginning.
    EXPECT_EQ(t.unit.held_back[word_of(0)], 2 * 199);
    EXPECT_EQ(t.unit.held_back[word_of(1)], 2 * 199 + 1);
    EXPECT_EQ(t.unit.held_back[word_of(2)], 2 * 199 + 2);
}

TEST(front_end_threads, in_the_fixed_order_the_lowest_goes_first) {
    parameters config;
    config.issue_thread_order = thread_order::fixed;
    three_threads t(config);
    for (unsigned i = 0; i < threads; ++i) t.set(i, words(20, word_of(i)));
    t.run();
    for (unsigned i = 0; i < threads; ++i) {
        EXPECT_EQ(t.issues_of(i).front(), 20 * i);
        EXPECT_EQ(t.issues_of(i).back(), 20 * i + 19);
    }
}

TEST(front_end_threads, a_word_that_the_unit_holds_leaves_the_slot_to_another_thread) {
    // A word with tag 1 is held for a cycle behind any issue.
    for (const thread_order order : {thread_order::round_robin, thread_order::fixed}) {
        parameters config;
        config.issue_thread_order = order;
        three_threads t(config, 2);
        t.set(0, {word_of(0), word_of(0, 1)});
        t.set(1, {word_of(1), word_of(1)});
        t.run();
        EXPECT_EQ(t.issues_of(1), (times{1, 2}));
        EXPECT_EQ(t.issues_of(0), (times{0, 4}));
        EXPECT_EQ(t.unit.held_back[word_of(0, 1)], 2) << "the unit says how much of it was its own stall";
    }
}

TEST(front_end_threads, a_playback_of_one_thread_takes_turns_with_words_of_another) {
    three_threads t;
    t.set(0, {replay(0, 3, false, true), word_of(0), word_of(0), word_of(0), replay(0, 3, false, false)});
    t.set(1, words(4, word_of(1)), 4);
    t.run();
    EXPECT_EQ(t.issues_of(0), (times{4, 6, 8}));
    EXPECT_EQ(t.issues_of(1), (times{5, 7, 9, 10}));
}

TEST(front_end_threads, a_post_of_one_thread_is_seen_by_a_wait_of_another_in_the_next_cycle) {
    three_threads t;
    t.semaphores.init(1, 15, 0);
    t.set(0, {word_of(0), word_of(0), sempost(1)}, 100); // the post passes in 102
    t.set(1, {semwait_all, word_of(1)});
    t.run();
    EXPECT_EQ(t.issues_of(1), (times{104})) << "met in 103, released in 104";
}

TEST(front_end_threads, a_wait_sees_a_semaphore_that_is_taken_again_at_once) {
    // Posted in 50 and taken in 51: the wait sees it in 51 alone, which is enough.
    three_threads t;
    t.semaphores.init(1, 15, 0);
    t.set(0, {sempost(1), semget(1)}, 50);
    t.set(1, {semwait_all, word_of(1)});
    t.run();
    EXPECT_EQ(t.issues_of(1), (times{52}));
}

TEST(front_end_threads, a_wait_for_the_vector_unit_sees_the_words_of_other_threads) {
    // Busy for three cycles after each issue; thread 1 issues in 0, 2 and 4 and so keeps the unit busy up to
    // 6.
    three_threads t;
    t.unit.latency = 3;
    t.set(1, words(3, word_of(1)), times{0, 2, 4});
    t.set(0, {stallwait(vector_block, bh_vector), word_of(0)}, times{1, 3});
    t.run();
    EXPECT_EQ(t.issues_of(0), (times{8})) << "idle in 7, released in 8";
}

TEST(front_end_threads, a_mutex_is_held_by_one_thread_until_it_releases_it) {
    // Thread 0 acquires in 0, issues from 1 to 4 and releases in 5; thread 1 acquires in 6. Thread 2 takes
    // another mutex.
    three_threads t;
    t.set(0, {atgetm(0), word_of(0), word_of(0), word_of(0), word_of(0), atrelm(0)});
    t.set(1, {atgetm(0), word_of(1), atrelm(0)});
    t.set(2, {atgetm(2), word_of(2), atrelm(2)}, 20);
    t.run();
    EXPECT_EQ(t.issues_of(0), (times{1, 2, 3, 4}));
    EXPECT_EQ(t.issues_of(1), (times{7}));
    EXPECT_EQ(t.issues_of(2), (times{21}));
    EXPECT_EQ(t.pipelines[1].counters().wait_gate_cycles, 6u) << "from 0, when thread 0 takes it, to 5";
    EXPECT_EQ(t.unit.cycles_of_issue().size(), 12u) << "both words take an issue slot";
}

TEST(front_end_threads, a_released_mutex_goes_to_the_next_thread_if_both_others_wait_for_it) {
    // Thread 1 holds it up to cycle 20. Whoever came first, and whatever the order of threads, thread 2 gets
    // it, then 0.
    for (const thread_order order : {thread_order::round_robin, thread_order::fixed}) {
        parameters config;
        config.issue_thread_order = order;
        three_threads t(config);
        t.set(1, {atgetm(3), word_of(1), atrelm(3), word_of(1)}, times{0, 1, 20, 60});
        t.set(0, {atgetm(3), word_of(0), atrelm(3)}, 5);
        t.set(2, {atgetm(3), word_of(2), atrelm(3)}, 9);
        t.run();
        EXPECT_EQ(t.issues_of(2), (times{22}));
        EXPECT_EQ(t.issues_of(0), (times{25}));
    }
}

TEST(front_end_threads, a_mutex_belongs_to_its_thread) {
    // Acquired twice and released once it is free; one that another thread holds, or nobody, cannot be
    // released.
    three_threads t;
    t.set(0, {atgetm(0), atgetm(0), word_of(0), atrelm(0)}, times{0, 1, 2, 30});
    t.set(1, {atrelm(0), atrelm(4), word_of(1), atgetm(0), word_of(1), atrelm(0)},
          times{10, 11, 12, 13, 14, 15});
    t.run();
    EXPECT_EQ(t.issues_of(0), (times{2}));
    EXPECT_EQ(t.issues_of(1), (times{12, 32}));
    EXPECT_TRUE(t.unit.reports.empty());
}

TEST(front_end_threads, a_mutex_that_the_chip_does_not_have_is_waited_for_for_ever) {
    for (const architecture arch : all_architectures)
        for (const bool acquires : {true, false})
            for (unsigned mutex = 0; mutex < 12; ++mutex) {
                parameters config;
                config.arch = arch;
                three_threads t(config);
                t.set(1, {acquires ? atgetm(mutex) : atrelm(mutex), word_of(1)});
                t.run();
                // Number 1 is missing on both chips; Blackhole has four, Wormhole seven.
                const bool is_there = mutex != 1 && mutex <= (arch == architecture::blackhole ? 4 : 7);
                EXPECT_EQ(t.issues_of(1).size(), is_there ? 1u : 0u) << mutex;
                EXPECT_EQ(t.unit.reports.size(), is_there ? 0u : 1u) << mutex;
            }
}

TEST(front_end_threads, behind_a_wait_a_word_for_a_mutex_waits_for_both) {
    // The wait of thread 1 is evaluated and met in cycle 1, which lets words pass from 2 on; the mutex is
    // free from 21 on.
    three_threads t;
    t.set(0, {atgetm(0), atrelm(0)}, times{0, 20});
    t.set(1, {stallwait(block_all, 1u << 11), atgetm(0), word_of(1)});
    t.set(2, {stallwait(block_all, 1u << 11), atrelm(1), word_of(2)}); // no such mutex
    t.run();
    EXPECT_EQ(t.issues_of(1), (times{22}));
    EXPECT_TRUE(t.issues_of(2).empty());
    EXPECT_EQ(t.unit.reports, std::vector<report_id>{report_id::frontend_never_released});
}

TEST(front_end_threads, a_mutex_that_is_never_released_is_reported) {
    three_threads t;
    t.set(0, {atgetm(0), word_of(0)});
    t.set(1, {atgetm(0), word_of(1)});
    t.run();
    EXPECT_EQ(t.issues_of(0).size(), 1u);
    EXPECT_TRUE(t.issues_of(1).empty());
    EXPECT_EQ(t.unit.reports, std::vector<report_id>{report_id::frontend_never_released});
    EXPECT_EQ(t.group.next_action(cycles{50}), forever) << "nothing moves any more";
}

TEST(front_end_threads, a_core_posts_while_two_threads_work_and_one_waits) {
    three_threads t;
    t.semaphores.init(1, 15, 0);
    for (unsigned i = 0; i < 2; ++i)
        for (unsigned n = 0; n < 20; ++n) t.pipelines[i].push(word_of(i), 0, cycles{n});
    t.pipelines[2].push(semwait_all, 0, cycles{0});
    t.pipelines[2].push(word_of(2), 1, cycles{1});
    t.semaphores.write(0, 0, cycles{30});
    t.group.run_to_end();
    EXPECT_EQ(t.unit.cycles_of_issue().size(), 42u);
    EXPECT_EQ(t.issues_of(2), (times{31})) << "met in 30, released in 31; thread 1 had 30, so it is its turn";
}

TEST(front_end_threads, what_is_held_for_ever_is_reported_for_each_thread) {
    three_threads t;
    t.semaphores.init(1, 15, 0);
    for (const unsigned i : {0u, 2u}) t.set(i, {semwait_all, word_of(i)});
    t.set(1, words(5, word_of(1)));
    t.run();
    EXPECT_EQ(t.issues_of(1).size(), 5u);
    EXPECT_EQ(t.unit.reports, std::vector<report_id>(2, report_id::frontend_never_released));
}

TEST(front_end_threads, the_next_action_is_that_of_the_first_word_that_can_move) {
    three_threads t;
    EXPECT_EQ(t.group.next_action(cycles{5}), forever);
    t.pipelines[1].push(word_of(1), 0, cycles{40});
    EXPECT_EQ(t.group.next_action(cycles{5}), cycles{40});
    t.group.advance(cycles{41});
    EXPECT_EQ(t.group.next_action(cycles{41}), forever);
    t.semaphores.init(1, 15, 0);
    t.pipelines[2].push(semwait_all, 0, cycles{50});
    t.pipelines[2].push(word_of(2), 0, cycles{51});
    t.group.advance(cycles{60});
    EXPECT_EQ(t.group.next_action(cycles{60}), forever) << "it waits for a semaphore";
    t.semaphores.write(0, 0, cycles{70});
    EXPECT_EQ(t.group.next_action(cycles{70}), cycles{71});
}

/// Models of the three threads that share a slot, cycle by cycle.
struct group_model {
    static constexpr unsigned nobody = threads;
    std::vector<cycle_model> models;
    std::map<unsigned, unsigned> holders; ///< by mutex
    times issued;
    words issued_words;

    void run(thread_order order) {
        std::int64_t latest_issue = -1000;
        unsigned latest = threads - 1;
        const auto active = [&] {
            return std::any_of(models.begin(), models.end(), [](const cycle_model& m) { return m.active(); });
        };
        for (std::int64_t now = 0; active(); ++now) {
            for (cycle_model& m : models) {
                m.begin_cycle();
                m.move_to_gate();
            }
            for (unsigned i = 0; i < threads; ++i) {
                const unsigned thread = order == thread_order::fixed ? i : (latest + 1 + i) % threads;
                if (!models[thread].can_issue(latest_issue) || !may_pass(thread)) continue;
                use_mutex(thread);
                models[thread].issue();
                issued.push_back(now);
                issued_words.push_back(models[thread].words.back());
                latest_issue = now;
                latest = thread;
                break;
            }
            for (cycle_model& m : models) {
                m.move_to_gate();
                m.end_cycle();
            }
        }
    }

private:
    unsigned holder_of(unsigned mutex) { return holders.emplace(mutex, nobody).first->second; }
    bool may_pass(unsigned thread) {
        const std::uint32_t word = *models[thread].at_gate();
        if (word >> 24 != 0xa0) return true;
        const unsigned holder = holder_of(word & 0xff);
        return holder == nobody || holder == thread;
    }
    /// There is one issue a cycle, so that a mutex that is released can be acquired in the next cycle at the
    /// earliest.
    void use_mutex(unsigned thread) {
        const std::uint32_t word = *models[thread].at_gate();
        const unsigned mutex = word & 0xff;
        if (word >> 24 == 0xa0) holders[mutex] = thread;
        if (word >> 24 != 0xa1 || holder_of(mutex) != thread) return;
        const unsigned next = (thread + 1) % threads, last = (thread + 2) % threads;
        const bool both = models[next].at_gate() == atgetm(mutex) && models[last].at_gate() == atgetm(mutex);
        holders[mutex] = both ? next : nobody;
    }
};

TEST(front_end_threads, issue_and_accept_in_the_cycles_of_a_model_that_simulates_each_cycle) {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        std::array<experiment, threads> experiments;
        for (unsigned i = 0; i < threads; ++i)
            experiments[i] = random_experiment(seed * threads + i, seed % 3 != 0);
        parameters config = experiments[0].config;
        config.issue_thread_order = seed % 2 ? thread_order::round_robin : thread_order::fixed;
        if (config.front_end.fifo_depth == 0) config.front_end.fifo_depth = 32; // of all threads
        const unsigned hold_modulus = experiments[0].hold_modulus;

        three_threads t(config, hold_modulus);
        group_model model;
        for (unsigned i = 0; i < threads; ++i) {
            const experiment& e = experiments[i];
            for (unsigned w = 0; w < e.mop.size(); ++w) t.pipelines[i].set_mop_config(w, e.mop[w], cycles{});
            t.set(i, e.program, e.push_times);
            model.models.emplace_back(config, hold_modulus, e.mop);
            model.models.back().start(e.program, e.push_times);
        }
        t.run();
        model.run(config.issue_thread_order);
        ASSERT_EQ(t.unit.words(), model.issued_words) << "seed " << seed;
        ASSERT_EQ(t.unit.cycles_of_issue(), model.issued)
            << "seed " << seed << difference(t.unit.cycles_of_issue(), model.issued);
        for (unsigned i = 0; i < threads; ++i)
            ASSERT_EQ(t.accepted[i], model.models[i].accepted)
                << "seed " << seed << ", thread " << i << difference(t.accepted[i], model.models[i].accepted);
    }
}

} // namespace
} // namespace sfpu::frontend::test
