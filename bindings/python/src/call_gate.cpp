#include "call_gate.h"

#include <atomic>

namespace sfpu::python {
namespace {

std::atomic<bool> ending{false};

/// Never destroyed: daemon threads may wait at it when the process ends.
call_gate*& gate_of_process() {
    static auto* the_gate = new call_gate;
    return the_gate;
}
call_gate*& exit_gate_of_process() {
    static auto* the_gate = new call_gate;
    return the_gate;
}

} // namespace

call_gate& gate() { return *gate_of_process(); }

call_gate& exit_gate() { return *exit_gate_of_process(); }

bool is_python_ending() { return ending; }

void call_gate::enter() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return is_open(); });
    ++inside_;
}

void call_gate::leave() {
    const std::lock_guard<std::mutex> lock(mutex_);
    --inside_;
    changed_.notify_all();
}

void call_gate::close() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return is_open(); });
    closed_by_ = std::this_thread::get_id();
    ++times_closed_;
    changed_.wait(lock, [this] { return inside_ == 0; });
}

void call_gate::open() {
    const std::lock_guard<std::mutex> lock(mutex_);
    --times_closed_;
    changed_.notify_all();
}

void close_gate_for_python() {
    namespace py = pybind11;
    const py::cpp_function close([] { without_python_lock([] { gate().close(); }); });
    const py::cpp_function open([] { gate().open(); });
    // The threads that wait at the parent's gates are not in the child, and what they left of their mutexes
    // is of no use.
    const py::cpp_function replace([] {
        gate_of_process() = new call_gate;
        exit_gate_of_process() = new call_gate;
    });
    using namespace py::literals;
    py::module_::import("os").attr("register_at_fork")("before"_a = close, "after_in_parent"_a = open,
                                                       "after_in_child"_a = replace);
    const py::cpp_function end([] {
        ending = true;
        without_python_lock([] {
            exit_gate().close();
            gate().close();
        });
    });
    py::module_::import("atexit").attr("register")(end);
}

} // namespace sfpu::python
