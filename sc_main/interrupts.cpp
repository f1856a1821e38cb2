#include "interrupts.h"

#include "program.h"

#include <sfpu/analysis/unfinished_file.h>

#include <atomic>
#include <string_view>

#include <unistd.h>

namespace sfpu::cli {
namespace {

/// A SystemC of POSIX threads, or any other library, may have threads that take the signal.
std::atomic<bool> noted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "handlers of signals use it");

pid_t owner = 0; ///< of the files; not a process that it has made since

void end_program(int signal) {
    if (getpid() == owner) remove_unfinished_files();
    if (signal == SIGINT) {
        constexpr std::string_view line = "sfpusim: interrupted\n";
        if (getpid() == owner && write(STDERR_FILENO, line.data(), line.size()) < 0) _exit(exit_interrupted);
        _exit(exit_interrupted);
    }
    std::signal(signal, SIG_DFL);
    raise(signal);
}

void note(int signal) {
    if (noted.exchange(true)) end_program(signal);
}

void end_program_on(int signal) {
    struct sigaction before = {}, action = {};
    if (sigaction(signal, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) return;
    action.sa_handler = end_program;
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
}

} // namespace

void end_on_interrupts() {
    owner = getpid();
    end_program_on(SIGINT);
    end_program_on(SIGTERM);
    end_program_on(SIGHUP);
}

interrupts_wait::interrupts_wait() {
    sigset_t all;
    sigemptyset(&all);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&all, signal);
    sigprocmask(SIG_BLOCK, &all, &before_);
}

interrupts_wait::~interrupts_wait() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

interrupt_guard::interrupt_guard() {
    noted = false;
    struct sigaction action = {};
    action.sa_handler = note;
    sigaction(SIGINT, &action, &before_int_);
    sigaction(SIGTERM, &action, &before_term_);
}

interrupt_guard::~interrupt_guard() {
    sigaction(SIGINT, &before_int_, nullptr);
    sigaction(SIGTERM, &before_term_, nullptr);
}

bool interrupt_guard::interrupted() { return noted; }

} // namespace sfpu::cli
