// How Python calls an analysis: without its lock, ended by Ctrl-C, by a time limit, and by the end of the
// interpreter.
#pragma once

#include "call_gate.h"

#include <sfpu/analysis/session.h>

#include <chrono>
#include <optional>
#include <thread>

namespace sfpu::python {

/// One call. Analyses own all that they change, so any number of them may run at once, and a process may fork
/// while they do.
class python_session {
public:
    /// `timeout` in seconds; none: no limit.
    explicit python_session(std::optional<double> timeout);

    /// Runs `work(const analysis::session&)` without Python's lock. Throws what it throws; KeyboardInterrupt
    /// or what else a signal raised; timed_out if the time was over. Called with the lock.
    template <class Work>
    void run(Work work) {
        std::exception_ptr failure;
        without_python_lock([&] {
            const passage inside;
            try {
                work(session_);
            } catch (...) {
                failure = std::current_exception();
            }
        });
        finish(); // an interruption tells more than what followed from it
        if (failure) std::rethrow_exception(failure);
    }

private:
    struct passage {
        passage() { exit_gate().enter(); }
        ~passage() { exit_gate().leave(); }
        passage(const passage&) = delete;
        passage& operator=(const passage&) = delete;
    };
    using wall_clock = std::chrono::steady_clock;

    bool is_over();
    bool was_signalled();
    void finish();

    analysis::session session_;
    std::thread::id caller_ = std::this_thread::get_id();
    bool on_main_thread_;
    std::optional<wall_clock::time_point> end_;
    std::optional<double> timeout_;
    wall_clock::time_point looked_ = wall_clock::now();
    std::exception_ptr signal_;
};

/// That a call lasted longer than its `timeout`.
struct timed_out {
    double seconds;
};

} // namespace sfpu::python
