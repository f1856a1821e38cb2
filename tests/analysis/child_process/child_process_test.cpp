#include <sfpu/analysis/child_process.h>

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <stdexcept>

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

TEST(child_process, it_reads_what_it_is_given) {
    const std::string text(200000, 'x');
    const auto answer = ask_command({"wc", "-c"}, 10, nullptr, text);
    ASSERT_TRUE(answer);
    EXPECT_EQ(std::stoul(answer->output), text.size());
}

/// The end of the next child that ends.
child_end end_of(child_crew& crew) {
    for (;;)
        if (const auto end = crew.gather()) return *end;
}

TEST(child_crew, what_the_work_returns_and_says_comes_back_with_its_ticket) {
    child_crew crew({});
    crew.start(7, [](std::string& said) {
        said = "good";
        return 3;
    });
    EXPECT_EQ(crew.size(), 1u);
    const child_end end = end_of(crew);
    EXPECT_EQ(end.ticket, 7u);
    EXPECT_EQ(end.code, 3);
    EXPECT_EQ(end.signal, 0);
    EXPECT_EQ(end.said, "good");
    EXPECT_EQ(crew.size(), 0u);
}

TEST(child_crew, a_crash_and_an_exception_end_no_one_else) {
    child_crew crew({});
    crew.start(1, [](std::string&) { return std::raise(SIGKILL); });
    EXPECT_EQ(end_of(crew).signal, SIGKILL);
    crew.start(2, [](std::string&) -> int { throw std::runtime_error("broken"); });
    const child_end end = end_of(crew);
    EXPECT_EQ(end.code, 70);
    EXPECT_EQ(end.said, "broken");
}

TEST(child_crew, the_time_given_ends_it) {
    child_crew crew({0.1, std::nullopt});
    crew.start(1, [](std::string&) { return static_cast<int>(sleep(60)); });
    const child_end end = end_of(crew);
    EXPECT_TRUE(end.is_late);
    EXPECT_EQ(end.signal, SIGKILL);
}

TEST(child_crew, more_memory_than_given_is_an_exception_of_the_child) {
#ifndef SFPU_INSTRUMENTED // sanitizers take more address space than any limit leaves them
    child_crew crew({std::nullopt, 256});
    crew.start(1, [](std::string& said) {
        said = std::string(std::size_t{1} << 30, 'x');
        return 0;
    });
    EXPECT_EQ(end_of(crew).code, 70);
#endif
}

TEST(child_crew, those_that_run_are_killed_with_it) {
    pid_t shared[2];
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    {
        child_crew crew({});
        crew.start(1, [&](std::string&) {
            const pid_t own = getpid();
            if (write(ends[1], &own, sizeof own) < 0) return 1;
            return static_cast<int>(sleep(60));
        });
        ASSERT_EQ(read(ends[0], shared, sizeof shared[0]), static_cast<ssize_t>(sizeof shared[0]));
    }
    EXPECT_EQ(kill(shared[0], 0), -1);
    close(ends[0]);
    close(ends[1]);
}

} // namespace
} // namespace sfpu::analysis
