#include "interrupts.h"

#include "program.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include <unistd.h>

namespace sfpu::cli {
namespace {

/// A SystemC of POSIX threads, or any other library, may have threads that take the signal.
std::atomic<bool> noted{false};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<char*>::is_always_lock_free,
              "handlers of signals use them");
void note(int) { noted = true; }

/// Names of files, for a handler of signals: it can neither allocate nor wait for a lock. More files than this are left behind.
constexpr std::size_t most_unfinished = 64;
std::array<std::atomic<char*>, most_unfinished> unfinished_names{};
pid_t owner = 0; ///< of the files; not a process that it has made since

void end_program(int signal) {
    if (getpid() == owner)
        for (std::atomic<char*>& each : unfinished_names)
            if (char* const name = each.load()) unlink(name);
    if (signal == SIGINT) {
        constexpr std::string_view line = "sfpusim: interrupted\n";
        if (getpid() == owner && write(STDERR_FILENO, line.data(), line.size()) < 0) _exit(exit_interrupted);
        _exit(exit_interrupted);
    }
    std::signal(signal, SIG_DFL);
    raise(signal);
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
}

unfinished_file::unfinished_file(const std::string& name) {
    char* const copy = strdup(name.c_str());
    for (std::size_t i = 0; copy && i < unfinished_names.size(); ++i) {
        char* none = nullptr;
        if (!unfinished_names[i].compare_exchange_strong(none, copy)) continue;
        place_ = static_cast<int>(i);
        return;
    }
    std::free(copy);
}

unfinished_file::unfinished_file(unfinished_file&& other) noexcept
    : place_(std::exchange(other.place_, -1)) {}

unfinished_file& unfinished_file::operator=(unfinished_file&& other) noexcept {
    std::swap(place_, other.place_);
    return *this;
}

unfinished_file::~unfinished_file() {
    if (place_ >= 0) std::free(unfinished_names[static_cast<std::size_t>(place_)].exchange(nullptr));
}

interrupts_wait::interrupts_wait() {
    sigset_t both;
    sigemptyset(&both);
    sigaddset(&both, SIGINT);
    sigaddset(&both, SIGTERM);
    sigprocmask(SIG_BLOCK, &both, &before_);
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
