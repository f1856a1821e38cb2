// Copies of an engine, taken at any moment, continue to the same bytes as the original.
#include "front_end_words.h"
#include "lane_machine.h"
#include "whole_log.h"

#include <sfpu/platform/engine.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace sfpu::test {
namespace {

using platform::engine;

/// A part of a program, as it is pushed.
struct push_step {
    word_list pushed;
    unsigned idle = 0; ///< cycles before it
    unsigned port = 0;
    unsigned at_once = 0; ///< words in one push; 0: all
    bool is_ordered = false;
};

/// Who pushes to an engine: all that he keeps is a value, too.
struct pusher {
    cycles at{};
    std::int64_t index = 0;

    void push(engine& to, const push_step& step) {
        at += cycles{step.idle};
        const auto count = static_cast<unsigned>(step.pushed.size());
        const unsigned most = step.at_once == 0 ? count : step.at_once;
        for (unsigned done = 0; done < count; done += most) {
            const auto* bytes = reinterpret_cast<const unsigned char*>(&step.pushed[done]);
            const unsigned now = std::min(most, count - done);
            if (step.is_ordered) push_ordered(to, bytes, now, step.port);
            else at = to.unit().issue().push(step.port, bytes, now, at);
        }
    }

private:
    void push_ordered(engine& to, const unsigned char* bytes, unsigned count, unsigned port) {
        std::vector<cycles> issued(count);
        word_order order;
        order.start = at;
        order.index = index;
        order.index_step = 1;
        order.thread = static_cast<std::uint8_t>(port);
        order.issued = issued.data();
        at = to.unit().issue().push_ordered(to.unit().issue().ports() == 1 ? 0 : port, bytes, count, order);
        index += count;
    }
};

struct random_run {
    parameters config;
    isa::vector_state state;
    std::vector<push_step> steps;
    unsigned ports = 1;
};

random_run make_run(random_loops& loops) {
    random_run result;
    result.config = loops.config();
    if (loops.chance(15)) result.config.sfpu_issue_width = 2;
    result.state.reset(result.config.sfpu_lreg12_default);
    loops.fill(result.state);
    result.ports = loops.chance(30) ? 3 : 1;
    const bool is_ordered = loops.chance(40), is_single = loops.chance(40);
    run_random_program(loops, [&](const word_list& burst, unsigned idle) {
        if (burst.empty()) return;
        const unsigned port = result.ports == 1 && !is_ordered ? 0 : loops.pick(3);
        result.steps.push_back({burst, idle, port, is_single ? 1 : loops.pick(40), is_ordered});
    });
    return result;
}

void expect_same_engines(engine& a, engine& b) {
    const unit_state &x = a.unit().state(), &y = b.unit().state();
    expect_same_state(x.vector, y.vector);
    for (unsigned thread = 0; thread < isa::thread_count; ++thread)
        expect_same_thread(x.threads[thread], y.threads[thread]);
    expect_same_counters(a.counters(), b.counters());
    EXPECT_EQ(a.unit().now(), b.unit().now());
    EXPECT_EQ(a.unit().cycles_used(), b.unit().cycles_used());
    EXPECT_EQ(a.unit().last_effect(), b.unit().last_effect());
    EXPECT_EQ(a.unit().busy(), b.unit().busy());
    EXPECT_EQ(a.unit().is_working(), b.unit().is_working());
    EXPECT_EQ(a.unit().issue().first_issue(), b.unit().issue().first_issue());
    EXPECT_EQ(a.unit().issue().next_free(), b.unit().issue().next_free());
    platform::dst_image p, q;
    a.dst().storage().copy_to(p);
    b.dst().storage().copy_to(q);
    EXPECT_TRUE(p == q);
}

/// Plays the steps from `from` on, and to the end of the program.
void play(engine& on, pusher& by, const std::vector<push_step>& steps, std::size_t from) {
    for (std::size_t i = from; i < steps.size(); ++i) by.push(on, steps[i]);
    on.unit().drain();
    on.dst().settle();
}

TEST(engine_copies, continue_like_their_original_from_any_moment) {
    unsigned copies = 0, heard = 0, in_flight = 0;
    for (unsigned program = 0; copies < case_count(1000); ++program) {
        SCOPED_TRACE(fmt::format("program {}", program));
        random_loops loops(90000 + program);
        const random_run run = make_run(loops);
        engine original(run.ports);
        whole_log before;
        const bool is_observed = loops.chance(30);
        original.reset(run.config, {is_observed ? &before : nullptr, nullptr, hazard_policy::warn});
        original.unit().state().start_from(run.state);
        pusher by;

        struct taken {
            std::unique_ptr<engine> copy;
            pusher by;
            std::size_t next;
        };
        std::vector<taken> all;
        for (std::size_t i = 0; i < run.steps.size(); ++i) {
            if (loops.chance(40)) {
                all.push_back({std::make_unique<engine>(original), by, i});
                in_flight += all.back().copy->unit().is_working();
                expect_same_engines(original, *all.back().copy);
            }
            by.push(original, run.steps[i]);
        }
        original.unit().drain();
        original.dst().settle();
        for (taken& each : all) {
            SCOPED_TRACE(fmt::format("copied before step {}", each.next));
            engine again(*each.copy); // a copy is an original, too
            pusher by_another = each.by;
            each.copy->unit().complete();
            play(*each.copy, each.by, run.steps, each.next);
            expect_same_engines(original, *each.copy);
            each.copy.reset(); // what the other keeps must be its own
            play(again, by_another, run.steps, each.next);
            expect_same_engines(original, again);
            ASSERT_FALSE(testing::Test::HasFailure());
        }
        copies += static_cast<unsigned>(all.size());
        heard += is_observed;
    }
    EXPECT_GT(in_flight, copies / 10);
    EXPECT_GT(heard, 10u);
}

/// Events of both from the copy on, values included.
TEST(engine_copies, are_heard_like_their_original) {
    unsigned lines = 0;
    for (unsigned program = 0; program < case_count(100); ++program) {
        SCOPED_TRACE(fmt::format("program {}", program));
        random_loops loops(120000 + program);
        const random_run run = make_run(loops);
        whole_log first, second;
        diagnostic_log told_first, told_second;
        engine original(run.ports);
        original.reset(run.config, {&first, &told_first, hazard_policy::warn});
        original.unit().state().start_from(run.state);
        pusher by;
        const std::size_t middle = loops.pick(static_cast<unsigned>(run.steps.size()));
        for (std::size_t i = 0; i < middle; ++i) by.push(original, run.steps[i]);
        engine copy(original);
        copy.listen({&second, &told_second, hazard_policy::warn});
        first.lines.clear();
        told_first.lines.clear();
        pusher by_another = by;
        play(original, by, run.steps, middle);
        play(copy, by_another, run.steps, middle);
        expect_same_lines(first.lines, second.lines);
        expect_same_lines(told_first.lines, told_second.lines);
        expect_same_engines(original, copy);
        lines += static_cast<unsigned>(first.lines.size());
        ASSERT_FALSE(testing::Test::HasFailure());
    }
    EXPECT_GT(lines, 10000u);
}

TEST(engine_copies, continue_on_threads_of_their_own) {
    struct continued {
        std::unique_ptr<engine> on;
        pusher by;
        whole_log events;
        diagnostic_log told;
    };
    for (unsigned program = 0; program < case_count(100); ++program) {
        SCOPED_TRACE(fmt::format("program {}", program));
        random_loops loops(150000 + program);
        const random_run run = make_run(loops);
        engine original(run.ports);
        original.reset(run.config, {nullptr, nullptr, hazard_policy::warn});
        original.unit().state().start_from(run.state);
        pusher by;
        const std::size_t middle = loops.pick(static_cast<unsigned>(run.steps.size()));
        for (std::size_t i = 0; i < middle; ++i) by.push(original, run.steps[i]);

        std::vector<continued> all(3 + program % 3);
        for (continued& each : all) {
            each.on = std::make_unique<engine>(original);
            each.by = by;
            each.on->listen({&each.events, &each.told, hazard_policy::warn});
        }
        std::vector<std::thread> threads;
        for (std::size_t i = 1; i < all.size(); ++i)
            threads.emplace_back([&, i] { play(*all[i].on, all[i].by, run.steps, middle); });
        for (std::thread& thread : threads) thread.join();

        play(*all[0].on, all[0].by, run.steps, middle); // alone
        for (const continued& each : all) {
            expect_same_lines(all[0].events.lines, each.events.lines);
            expect_same_lines(all[0].told.lines, each.told.lines);
            expect_same_engines(*all[0].on, *each.on);
        }
        play(original, by, run.steps, middle);
        expect_same_engines(original, *all[0].on);
        ASSERT_FALSE(testing::Test::HasFailure());
    }
}

} // namespace
} // namespace sfpu::test
