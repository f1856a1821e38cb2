#include <sfpu/analysis/child_process.h>

#include <gtest/gtest.h>

#include <chrono>

#include <unistd.h>

namespace sfpu::analysis {
namespace {

TEST(child_process, output_and_complaints_come_apart_with_the_code) {
    const auto answer = ask_command({"sh", "-c", "echo out; echo wrong >&2; exit 3"});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->code, 3);
    EXPECT_FALSE(answer->ok());
    EXPECT_EQ(answer->output, "out\n");
    EXPECT_EQ(answer->complaints, "wrong");
    EXPECT_EQ(answer->problem, "");
}

TEST(child_process, a_missing_program_is_named) {
    const auto answer = ask_command({"no-such-program-of-mine"});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->code, 127);
    EXPECT_EQ(answer->complaints, "no-such-program-of-mine: not found");
}

TEST(child_process, the_time_given_ends_it) {
    const auto begin = std::chrono::steady_clock::now();
    const auto answer = ask_command({"sleep", "60"}, 0.2);
    ASSERT_TRUE(answer);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(50));
    EXPECT_EQ(answer->problem, "not finished after 0.2 seconds");
    EXPECT_FALSE(answer->ok());
}

TEST(child_process, an_interruption_leaves_no_answer) {
    EXPECT_FALSE(ask_command({"sleep", "60"}, std::nullopt, [] { return true; }));
}

TEST(child_process, it_reads_nothing) {
    // What we could read ourselves is not for it.
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    ASSERT_EQ(write(ends[1], "x", 1), 1);
    close(ends[1]);
    const int own_input = dup(STDIN_FILENO);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    const auto answer = ask_command({"cat"}, 10);
    if (own_input >= 0) {
        dup2(own_input, STDIN_FILENO);
        close(own_input);
    }
    ASSERT_TRUE(answer);
    EXPECT_TRUE(answer->ok());
    EXPECT_EQ(answer->output, "");
}

TEST(child_process, a_signal_is_named) {
    const auto answer = ask_command({"sh", "-c", "kill -SEGV $$"});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->code, 128 + 11);
    EXPECT_EQ(answer->problem, "ended by a signal: Segmentation fault");
}

} // namespace
} // namespace sfpu::analysis
