#define SC_INCLUDE_DYNAMIC_PROCESSES // sc_spawn: the same in SystemC 2.3.4 and 3.0

#include "kernel_player.h"

#include <algorithm>

namespace sfpu::platform {

kernel_player::kernel_player(const sc_core::sc_module_name& name, vector_unit& unit)
    : sc_module(name), insn_isock("insn_isock"), unit_(unit), port_0_(insn_isock, unit, 0),
      port_1_(insn_isock, unit, 1), port_2_(insn_isock, unit, 2),
      player_(*this, {&port_0_, &port_1_, &port_2_}), lifeline_(std::make_shared<lifeline>()) {
    insn_isock.bind(*this);
    trans_.set_command(tlm::TLM_WRITE_COMMAND);
    trans_.set_address(0);
    trans_.set_streaming_width(4);
    lifeline_->owner = this;
}

kernel_player::~kernel_player() {
    lifeline_->owner = nullptr;
    lifeline_->started.notify(sc_core::SC_ZERO_TIME);
}

void kernel_player::end_of_elaboration() {
    sc_core::sc_spawn_options options;
    options.set_stack_size(0x100000); // sanitizers need room
    const auto process = [line = lifeline_] {
        for (;;) {
            sc_core::wait(line->started);
            if (!line->owner) return;
            try {
                line->owner->play();
            } catch (const sc_core::sc_unwind_exception&) {
                throw;
            } catch (...) {
                // Want of memory, for example: out of a process it would end the simulation for good.
                line->owner->failure_ = std::current_exception();
            }
        }
    };
    sc_core::sc_spawn(process, "play", &options);
}

void kernel_player::start(const run_request& request, run_result& result) {
    request_ = &request;
    result_ = &result;
    failure_ = nullptr;
    lifeline_->started.notify(sc_core::SC_ZERO_TIME);
}

void kernel_player::play() {
    delay_ = sc_core::SC_ZERO_TIME;
    period_ = sc_core::sc_time(static_cast<double>(request_->config.period_ps()), sc_core::SC_PS);
    for (frontend::vector_unit_port* port : {&port_0_, &port_1_, &port_2_})
        port->reset(sc_core::sc_time_stamp(), request_->config);
    const cycles end = player_.play(*request_, *result_);
    if (end != cycles{}) delay_ = port_0_.time_of(end) - sc_core::sc_time_stamp();
    if (delay_ != sc_core::SC_ZERO_TIME) synchronize();
    unit_.drain();
}

void kernel_player::wait(unsigned bubbles) { delay_ += period_ * static_cast<double>(bubbles); }

void kernel_player::push(const std::uint32_t* words, std::size_t count, cycles* start) {
    const sc_core::sc_time quantum = tlm::tlm_global_quantum::instance().get();
    // At least one word; more only as far as the quantum reaches. With two issue slots the words go together
    // at every quantum: which of them share a cycle is known only when the one behind is at hand.
    std::size_t most = 1;
    if (request_->config.sfpu_issue_width > 1) most = count;
    else if (quantum != sc_core::SC_ZERO_TIME)
        most += static_cast<std::size_t>(quantum.value() / period_.value());
    if (request_->words_per_push != 0) most = std::min<std::size_t>(most, request_->words_per_push);
    while (count != 0) {
        const std::size_t now = std::min(count, most);
        trans_.set_data_ptr(reinterpret_cast<unsigned char*>(const_cast<std::uint32_t*>(words)));
        trans_.set_data_length(static_cast<unsigned>(now * 4));
        trans_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        insn_isock->b_transport(trans_, delay_);
        sc_assert(trans_.is_response_ok()); // the platform's own wiring
        if (start) *start = unit_.issue().issue_of_push();
        start = nullptr;
        words += now;
        count -= now;
        if (delay_ >= quantum) synchronize();
    }
}

void kernel_player::synchronize() {
    sc_module::wait(delay_);
    delay_ = sc_core::SC_ZERO_TIME;
}

} // namespace sfpu::platform
