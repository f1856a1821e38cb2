#include "python_session.h"

namespace sfpu::python {
namespace {

namespace py = pybind11;

constexpr std::chrono::milliseconds between_looks{50};

/// Signals are handled in the main thread, and nowhere else.
bool is_main_thread() {
    const py::module_ threading = py::module_::import("threading");
    return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

} // namespace

python_session::python_session(std::optional<double> timeout)
    : on_main_thread_(is_main_thread()), timeout_(timeout) {
    if (timeout)
        end_ = wall_clock::now() + std::chrono::duration_cast<wall_clock::duration>(
                                       std::chrono::duration<double>(std::min(*timeout, 1e9)));
    session_.interrupted = [this] { return is_over(); };
}

bool python_session::is_over() {
    if (is_python_ending() || (end_ && wall_clock::now() >= *end_)) return true;
    return on_main_thread_ && std::this_thread::get_id() == caller_ && was_signalled();
}

bool python_session::was_signalled() {
    if (signal_) return true;
    const auto now = wall_clock::now();
    if (now - looked_ < between_looks) return false;
    looked_ = now;
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() == 0) return false;
    signal_ = std::make_exception_ptr(py::error_already_set());
    return true;
}

void python_session::finish() {
    if (signal_) std::rethrow_exception(signal_);
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (end_ && wall_clock::now() >= *end_) throw timed_out{*timeout_};
}

} // namespace sfpu::python
