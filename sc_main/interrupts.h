// Ctrl-C ends what a command is doing, and not the program; or the program, in an orderly way.
#pragma once

#include <csignal>
#include <string>

namespace sfpu::cli {

/// While it lives, the first SIGINT or SIGTERM is noted and does nothing else; the second one ends the
/// program, which need not look at what was noted. One guard at a time.
class interrupt_guard {
public:
    interrupt_guard();
    ~interrupt_guard();
    interrupt_guard(const interrupt_guard&) = delete;
    interrupt_guard& operator=(const interrupt_guard&) = delete;

    /// Whether a signal came since the latest guard was made.
    static bool interrupted();

private:
    struct sigaction before_int_ = {}, before_term_ = {};
};

/// From now on, where no guard lives, SIGINT ends the program with a line on standard error and exit code
/// 130, and SIGTERM and SIGHUP as they always do; unfinished files are removed first. A signal that the
/// caller ignores stays ignored.
void end_on_interrupts();

/// While it lives, SIGINT, SIGTERM and SIGHUP wait.
class interrupts_wait {
public:
    interrupts_wait();
    ~interrupts_wait();
    interrupts_wait(const interrupts_wait&) = delete;
    interrupts_wait& operator=(const interrupts_wait&) = delete;

private:
    sigset_t before_ = {};
};

} // namespace sfpu::cli
