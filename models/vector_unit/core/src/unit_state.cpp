#include <sfpu/vector_unit/unit_state.h>

namespace sfpu {

void unit_state::reset(const parameters& to, const unit_listeners& listeners) {
    config = to;
    machine = isa::make_machine(to);
    vector.reset(to.sfpu_lreg12_default);
    for (isa::thread_state& thread : threads) thread.reset(to.arch);
    results.reset(machine);
    reporter.reset(listeners.diagnostics, listeners.hazards, listeners.observer);
    observer = listeners.observer;
    counters = {};
}

} // namespace sfpu
