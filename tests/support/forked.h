// Runs the body of a test in a process of its own.
//
// SystemC elaborates once a process, so every test that builds modules needs a fresh one. The parent must not
// have created any module. These are no death tests: the body may use EXPECT_ and ASSERT_ as usual, and what
// it printed is shown if it fails.
#pragma once

#include "address_sanitizer.h"

#include <gtest/gtest.h>

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <string>

namespace sfpu::test {

/// How a child ended and everything that it wrote to standard output and standard error.
struct child_result {
    int exit_code = -1; ///< -1 if a signal ended the child
    int signal = 0;
    std::string output;

    bool passed() const { return exit_code == 0; }
    std::string how_it_ended() const {
        return signal != 0 ? "ended by signal " + std::to_string(signal)
                           : "ended with exit code " + std::to_string(exit_code);
    }
};

/// A child that hangs is ended by SIGALRM after this many seconds.
constexpr unsigned child_seconds = 240;

/// What the child does: never returns.
[[noreturn]] inline void run_child(const std::function<void()>& body) {
    alarm(child_seconds);
    try {
        body();
    } catch (const std::exception& problem) {
        ADD_FAILURE() << "the body threw: " << problem.what();
    } catch (...) {
        ADD_FAILURE() << "the body threw something that is no std::exception";
    }
    std::cout.flush();
    std::cerr.flush();
    std::fflush(nullptr);
    const int exit_code = testing::Test::HasFailure() ? 1 : 0;
#ifdef SFPU_HAS_ADDRESS_SANITIZER
    // What the sanitizer checks at exit it cannot check on the stacks of SystemC's threads. No report of it
    // may stand in the child's output.
    close(STDOUT_FILENO);
    close(STDERR_FILENO);
    std::_Exit(exit_code);
#else
    std::exit(exit_code); // not _Exit(), so that coverage is written
#endif
}

/// Runs `body` in a forked child and waits for it. Exit code 0 means that no expectation of the body failed.
inline child_result run_in_child(const std::function<void()>& body) {
    child_result result;
    std::array<int, 2> ends{};
    std::cout.flush();
    std::cerr.flush();
    std::fflush(nullptr); // or the child would write the parent's buffers a second time
    if (pipe(ends.data()) != 0) {
        ADD_FAILURE() << "cannot create a pipe";
        return result;
    }
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        run_child(body);
    }
    close(ends[1]);
    std::array<char, 4096> block{};
    for (;;) {
        const ssize_t count = read(ends[0], block.data(), block.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        result.output.append(block.data(), static_cast<std::size_t>(count));
    }
    close(ends[0]);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        ADD_FAILURE() << "cannot start or await a child process";
        return result;
    }
    if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
    else result.exit_code = WEXITSTATUS(status);
    return result;
}

/// Runs the body of a test in a child; the test fails if the body does, and shows what the child wrote.
inline void in_child(const std::function<void()>& body) {
    const child_result result = run_in_child(body);
    if (!result.passed())
        ADD_FAILURE() << "the child " << result.how_it_ended() << "; it wrote:\n" << result.output;
}

} // namespace sfpu::test
