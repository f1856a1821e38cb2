#include <sfpu/vector_unit/sub_unit_modules.h>

#include <fmt/format.h>

#include <string>

namespace sfpu {

void slice_sender::report_refusal() const {
    const dst::slice_extension& slice = trans_.slice;
    const std::string text = fmt::format("{} answered {} to a slice of Dst rows {} to {}", socket.name(),
                                         trans_.get_response_string(), slice.row, slice.row + 3);
    SC_REPORT_ERROR("/sfpu/dst/refused", text.c_str());
}

// --- Simple, MAD, Round ------------------------------------------------------------------------------------

register_module::register_module(const sc_core::sc_module_name& name, unit_state& state, isa::sub_unit unit)
    : sub_unit_module(name, state), unit_(state, unit) {}

void register_module::reset() {
    unit_.reset();
    for (unsigned of = 0; of < times_.size(); ++of)
        times_[of] = time_of(unit_.latency(static_cast<isa::latency_class>(of)));
}

void register_module::b_transport(instruction_payload& trans, sc_core::sc_time& delay) {
    unit_step* const step = step_of(trans);
    if (!step) return;
    delay += times_[static_cast<unsigned>(step->insn->latency)];
    unit_.execute(*step);
}

// --- load, store -------------------------------------------------------------------------------------------

load_module::load_module(const sc_core::sc_module_name& name, unit_state& state)
    : sub_unit_module(name, state), dst("dst_load_isock", tlm::TLM_READ_COMMAND),
      unit_(state, dst, dst.access(), dst.cells) {}

void load_module::reset() {
    unit_.reset();
    time_ = time_of(unit_.latency(isa::latency_class::one));
}

void load_module::b_transport(instruction_payload& trans, sc_core::sc_time& delay) {
    unit_step* const step = step_of(trans);
    if (!step) return;
    delay += time_;
    unit_.execute(*step, own_slices{dst});
}

store_module::store_module(const sc_core::sc_module_name& name, unit_state& state)
    : sub_unit_module(name, state), dst("dst_store_isock", tlm::TLM_WRITE_COMMAND),
      unit_(state, dst, dst.access(), dst.cells) {}

void store_module::reset() {
    unit_.reset();
    time_ = time_of(unit_.latency(isa::latency_class::one));
}

void store_module::b_transport(instruction_payload& trans, sc_core::sc_time& delay) {
    unit_step* const step = step_of(trans);
    if (!step) return;
    delay += time_;
    unit_.execute(*step, own_slices{dst});
}

} // namespace sfpu
