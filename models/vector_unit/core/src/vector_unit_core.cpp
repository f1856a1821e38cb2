#include <sfpu/vector_unit/vector_unit_core.h>

namespace sfpu {

inline void vector_unit_core::direct_link::execute(isa::sub_unit which) {
    switch (which) {
    case isa::sub_unit::load: load(); break;
    case isa::sub_unit::store: store(); break;
    case isa::sub_unit::simple:
    case isa::sub_unit::mad:
    case isa::sub_unit::round: unit->registers_[static_cast<unsigned>(which)].execute(next); break;
    case isa::sub_unit::front_end: break; // its words are no steps of sub-units
    }
}

void vector_unit_core::executor::execute(const plan_order& order) { plan_executor::execute(order); }

vector_unit_core::vector_unit_core(dst::slice_memory& memory, unsigned push_ports)
    : registers_{{{state_, isa::sub_unit::simple},
                  {state_, isa::sub_unit::mad},
                  {state_, isa::sub_unit::round}}},
      store_(state_, memory, stored_, stored_cells_), load_(state_, memory, loaded_, loaded_cells_),
      executor_(state_), issue_(state_, executor_, executor_, push_ports) {
    executor_.link.unit = this;
    reset(parameters{});
}

vector_unit_core::vector_unit_core(vector_unit_core& other, dst::slice_memory& memory)
    : vector_unit_core(memory, other.issue_.ports()) {
    other.complete();
    state_ = other.state_;
    state_.observer = nullptr;
    state_.reporter.listen(nullptr, hazard_policy::warn, nullptr);
    reset_units();
    executor_.continue_from(other.executor_);
    issue_.continue_from(other.issue_, false);
}

void vector_unit_core::reset_units() {
    for (register_unit& unit : registers_) unit.reset();
    load_.reset();
    store_.reset();
}

void vector_unit_core::reset(const parameters& config, const unit_listeners& to) { reset(config, to, false); }

void vector_unit_core::restart(const parameters& config, const unit_listeners& to) {
    const bool is_observed = state_.observer || to.observer;
    reset(config, to, !is_observed && isa::make_machine(config) == state_.machine);
}

void vector_unit_core::reset(const parameters& config, const unit_listeners& to, bool keeps_plans) {
    state_.reset(config, to);
    reset_units();
    executor_.reset();
    if (keeps_plans) issue_.restart(to.observer || to.diagnostics);
    else issue_.reset(to.observer || to.diagnostics);
}

void vector_unit_core::listen(const unit_listeners& to) {
    issue_.complete();
    state_.observer = to.observer;
    state_.reporter.listen(to.diagnostics, to.hazards, to.observer);
    issue_.set_heard(to.observer || to.diagnostics);
}

void vector_unit_core::drain() {
    issue_.drain();
    executor_.publish_end(now());
}

} // namespace sfpu
