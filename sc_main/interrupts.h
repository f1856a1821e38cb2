// Ctrl-C ends what a command is doing, and not the program.
#pragma once

#include <csignal>

namespace sfpu::cli {

/// While it lives, SIGINT and SIGTERM are noted and do nothing else. One at a time.
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

} // namespace sfpu::cli
