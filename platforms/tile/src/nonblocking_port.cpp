#include "nonblocking_port.h"

namespace sfpu::platform {

nonblocking_port::nonblocking_port(access blocking, answer backward)
    : blocking_(std::move(blocking)), backward_(std::move(backward)) {}

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
    return tlm::TLM_ACCEPTED;
}

void nonblocking_port::serve_for_ever() {
    for (;;) {
        sc_core::wait(requests_.get_event());
        while (payload* const trans = requests_.get_next_transaction()) serve(*trans);
    }
}

void nonblocking_port::serve(payload& trans) {
    sc_core::sc_time delay;
    blocking_(trans, delay);
    if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
    is_requested_ = false;
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time at_once;
    backward_(trans, phase, at_once);
    respond(trans);
    if (trans.has_mm()) trans.release();
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

} // namespace sfpu::platform
