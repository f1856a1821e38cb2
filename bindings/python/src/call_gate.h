// Calls that run while other Python threads do.
#pragma once

#include <pybind11/pybind11.h>

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace sfpu::python {

/// Runs work that touches no Python objects without Python's global lock.
///
/// A statement takes the lock back, not a destructor: at the end of the interpreter Python ends daemon
/// threads that ask for the lock, by an unwinding that no destructor may begin.
template <class Work>
void without_python_lock(Work work) {
    std::exception_ptr failure;
    PyThreadState* const thread = PyEval_SaveThread();
    try {
        work();
    } catch (...) {
        failure = std::current_exception();
    }
    PyEval_RestoreThread(thread);
    if (failure) std::rethrow_exception(failure);
}

/// Calls are inside while they run without Python's lock, and ask for that lock when they are outside again.
/// Who closes the gate waits until nobody is inside.
class call_gate {
public:
    /// Waits while another thread has closed the gate.
    void enter();
    void leave();

    /// From now on only this thread enters, until it has called open() as often. Holds no lock of Python.
    void close();
    void open();

private:
    bool is_open() const { return times_closed_ == 0 || closed_by_ == std::this_thread::get_id(); }

    std::mutex mutex_;
    std::condition_variable changed_;
    unsigned inside_ = 0, times_closed_ = 0;
    std::thread::id closed_by_;
};

/// The gate of this process.
call_gate& gate();

/// That of calls which go on while Python forks, as they own all that they change; it closes when the
/// interpreter ends.
call_gate& exit_gate();
/// From then on such calls are to end soon.
bool is_python_ending();

/// Has Python close the gate before it forks, since a child could not go on with a unit that another thread
/// is changing, and when the interpreter ends, since that thread would use data of the process that are
/// destroyed then. Called once.
void close_gate_for_python();

} // namespace sfpu::python
