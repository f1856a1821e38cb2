#define SC_INCLUDE_DYNAMIC_PROCESSES // sc_spawn: the same in SystemC 2.3.4 and 3.0

#include <sfpu/vector_unit/nonblocking_port.h>

#include <utility>

namespace sfpu {

nonblocking_port::nonblocking_port(access blocking, answer backward)
    : blocking_(std::move(blocking)), backward_(std::move(backward)),
      requests_(sc_core::sc_gen_unique_name("requests")),
      response_ended_(sc_core::sc_gen_unique_name("response_ended")) {}

std::shared_ptr<nonblocking_port> nonblocking_port::make(access blocking, answer backward) {
    return std::shared_ptr<nonblocking_port>(new nonblocking_port(std::move(blocking), std::move(backward)));
}

void nonblocking_port::start() {
    if (has_process_) return;
    has_process_ = true;
    sc_core::sc_spawn_options options;
    options.set_stack_size(0x40000); // an access goes through the whole model
    sc_core::sc_spawn([self = shared_from_this()] { self->serve_for_ever(); },
                      sc_core::sc_gen_unique_name("serve_requests"), &options);
}

tlm::tlm_sync_enum nonblocking_port::forward(payload& trans, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::END_RESP) {
        if (&trans == responding_) {
            responding_ = nullptr;
            response_ended_.notify(delay);
        }
        return tlm::TLM_COMPLETED;
    }
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    if (is_requested_) {
        trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        phase = tlm::BEGIN_RESP;
        return tlm::TLM_COMPLETED;
    }
    is_requested_ = true;
    if (trans.has_mm()) trans.acquire();
    requests_.notify(trans, delay);
    start();
    return tlm::TLM_ACCEPTED;
}

void nonblocking_port::serve_for_ever() {
    for (;;) {
        while (payload* const trans = requests_.get_next_transaction()) {
            if (is_open_) serve(*trans);
            if (trans->has_mm()) trans->release();
        }
        sc_core::wait(requests_.get_event());
    }
}

void nonblocking_port::serve(payload& trans) {
    sc_core::sc_time delay;
    blocking_(trans, delay);
    if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
    if (!is_open_) return;
    is_requested_ = false;
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time at_once;
    backward_(trans, phase, at_once);
    respond(trans);
}

void nonblocking_port::respond(payload& trans) {
    responding_ = &trans;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    const tlm::tlm_sync_enum status = backward_(trans, phase, delay);
    if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP)) {
        responding_ = nullptr;
        if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
        return;
    }
    sc_core::wait(response_ended_);
}

} // namespace sfpu
