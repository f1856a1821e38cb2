// The four phases of the base protocol in front of a blocking target.
#pragma once

#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_target_socket.h>

#include <functional>

namespace sfpu::platform {

/// Serves requests one after the other by a blocking access: END_REQ and BEGIN_RESP come when that is done, its delay included, so
/// that an initiator that sends the next request after END_REQ is held as one that calls b_transport. A request that begins before
/// the END_REQ of the one before it breaks the exclusion rule: it is answered at once with TLM_GENERIC_ERROR_RESPONSE and not done. Phases
/// that the base protocol does not have are ignored.
class nonblocking_port {
public:
    using payload = tlm::tlm_generic_payload;
    using access = std::function<void(payload&, sc_core::sc_time&)>;
    using answer = std::function<tlm::tlm_sync_enum(payload&, tlm::tlm_phase&, sc_core::sc_time&)>;

    /// `backward`: nb_transport_bw of the socket.
    nonblocking_port(access blocking, answer backward);

    tlm::tlm_sync_enum forward(payload& trans, tlm::tlm_phase& phase, sc_core::sc_time& delay);
    /// The process that serves; never returns.
    void serve_for_ever();

private:
    void serve(payload& trans);
    void respond(payload& trans);

    access blocking_;
    answer backward_;
    tlm_utils::peq_with_get<payload> requests_{"requests"};
    sc_core::sc_event response_ended_{"response_ended"};
    bool is_requested_ = false;     ///< between BEGIN_REQ and END_REQ
    payload* responding_ = nullptr; ///< between BEGIN_RESP and END_RESP
};

} // namespace sfpu::platform
