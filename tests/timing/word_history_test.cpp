// What comes next if words repeat themselves.
#include <sfpu/timing/word_history.h>

#include <gtest/gtest.h>

namespace sfpu::timing {
namespace {

word_history history_of(const std::vector<std::uint32_t>& words) {
    word_history result;
    result.add(words.data(), words.size());
    return result;
}

std::vector<std::uint32_t> next_of(const word_history& history, std::size_t period, std::size_t most) {
    std::vector<std::uint32_t> result;
    history.go_on(period, most, result);
    return result;
}

TEST(word_history, finds_the_shortest_period_of_the_latest_words) {
    const word_history history = history_of({9, 1, 2, 3, 1, 2, 3, 1, 2});
    EXPECT_EQ(history.period(5), 3u);
    EXPECT_EQ(history.period(6), 0u); // 9 came instead of 3
    EXPECT_EQ(history.period(1), 3u);
    EXPECT_EQ(history_of({7, 7, 7, 7}).period(3), 1u);
    EXPECT_EQ(history_of({7, 7, 7, 7}).period(4), 0u); // nothing is known before them
    EXPECT_EQ(history_of({7, 7, 7, 7}).period(5), 0u);
    EXPECT_EQ(word_history{}.period(1), 0u);
}

TEST(word_history, a_context_longer_than_a_run_of_one_word_tells_the_loop_from_the_run) {
    const word_history history = history_of({1, 5, 5, 5, 1, 5, 5, 5, 1, 5, 5, 5});
    EXPECT_EQ(history.period(2), 1u);
    EXPECT_EQ(history.period(4), 4u);
}

TEST(word_history, goes_on_in_whole_periods) {
    const word_history history = history_of({1, 2, 3, 1, 2, 3, 1});
    EXPECT_EQ(next_of(history, 3, 8), (std::vector<std::uint32_t>{2, 3, 1, 2, 3, 1}));
    EXPECT_EQ(next_of(history, 3, 3), (std::vector<std::uint32_t>{2, 3, 1}));
    EXPECT_EQ(next_of(history, 3, 2), (std::vector<std::uint32_t>{2, 3})); // longer than what is wanted
}

TEST(word_history, keeps_at_least_the_latest_words_however_many_came) {
    word_history history;
    for (std::uint32_t i = 0; i < 5000; ++i) history.add(i % 200);
    EXPECT_EQ(history.period(word_history::kept - 200), 200u);
    EXPECT_EQ(next_of(history, 200, 2), (std::vector<std::uint32_t>{0, 1}));
    history.clear();
    history.add(4999 % 200);
    EXPECT_EQ(history.period(1), 0u);
}

} // namespace
} // namespace sfpu::timing
