// T22: who gets the issue slot.
#include <sfpu/timing/thread_arbiter.h>

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace sfpu::timing {
namespace {

/// Threads that always have a word, each held for a number of cycles behind its own latest issue.
std::vector<unsigned> order_of(thread_order order, std::array<std::int64_t, 3> stall, unsigned slots) {
    thread_arbiter arbiter;
    arbiter.reset(order);
    std::array<cycles, 3> free{};
    std::vector<unsigned> result;
    cycles now{};
    while (result.size() < slots) {
        std::vector<issue_candidate> candidates;
        for (unsigned t = 0; t < 3; ++t) candidates.push_back({t, std::max(free[t], now)});
        const issue_candidate& winner = candidates[arbiter.choose(candidates.data(), candidates.size())];
        arbiter.issued(winner.thread);
        result.push_back(winner.thread);
        now = winner.at + one_cycle;
        free[winner.thread] = now + cycles{stall[winner.thread]};
    }
    return result;
}

TEST(thread_arbiter, round_robin_takes_turns) {
    EXPECT_EQ(order_of(thread_order::round_robin, {0, 0, 0}, 6), (std::vector<unsigned>{0, 1, 2, 0, 1, 2}));
}

TEST(thread_arbiter, in_a_fixed_order_the_lowest_thread_goes_as_long_as_it_can) {
    EXPECT_EQ(order_of(thread_order::fixed, {0, 0, 0}, 4), (std::vector<unsigned>{0, 0, 0, 0}));
}

TEST(thread_arbiter, a_stalled_thread_leaves_the_slot_to_the_others) {
    // Thread 0 is held for a cycle behind each of its words, so it issues in every second cycle at most.
    EXPECT_EQ(order_of(thread_order::fixed, {1, 0, 0}, 6), (std::vector<unsigned>{0, 1, 0, 1, 0, 1}));
    EXPECT_EQ(order_of(thread_order::fixed, {2, 2, 0}, 6), (std::vector<unsigned>{0, 1, 2, 0, 1, 2}));
    EXPECT_EQ(order_of(thread_order::fixed, {3, 3, 0}, 8), (std::vector<unsigned>{0, 1, 2, 2, 0, 1, 2, 2}));
}

TEST(thread_arbiter, the_earliest_goes_whoever_was_last) {
    thread_arbiter arbiter;
    for (const thread_order order : {thread_order::round_robin, thread_order::fixed}) {
        arbiter.reset(order);
        arbiter.issued(2);
        const std::array<issue_candidate, 3> candidates{{{0, cycles{7}}, {1, cycles{6}}, {2, cycles{5}}}};
        EXPECT_EQ(arbiter.choose(candidates.data(), 3), 2u);
    }
}

TEST(thread_arbiter, after_a_thread_the_next_higher_one_goes_and_after_the_last_the_first) {
    thread_arbiter arbiter;
    arbiter.reset(thread_order::round_robin);
    const std::array<issue_candidate, 3> all{{{0, cycles{5}}, {1, cycles{5}}, {2, cycles{5}}}};
    EXPECT_EQ(arbiter.choose(all.data(), 3), 0u) << "nobody has issued yet";
    for (unsigned latest = 0; latest < 3; ++latest) {
        arbiter.issued(latest);
        EXPECT_EQ(arbiter.choose(all.data(), 3), (latest + 1) % 3) << latest;
    }
    arbiter.issued(0); // thread 1 has nothing
    const std::array<issue_candidate, 2> two{{{0, cycles{5}}, {2, cycles{5}}}};
    EXPECT_EQ(arbiter.choose(two.data(), 2), 1u);
}

TEST(thread_arbiter, reset_forgets_who_was_last) {
    thread_arbiter arbiter;
    arbiter.reset(thread_order::round_robin);
    arbiter.issued(0);
    arbiter.reset(thread_order::round_robin);
    const std::array<issue_candidate, 2> two{{{1, cycles{}}, {0, cycles{}}}};
    EXPECT_EQ(arbiter.choose(two.data(), 2), 1u);
}

} // namespace
} // namespace sfpu::timing
