// The four phases of the base protocol in front of a blocking target.
#pragma once

#include <sfpu/common/systemc_version.h>

#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_get.h>

#include <functional>
#include <memory>

namespace sfpu {

/// Serves requests one after the other by a blocking access: END_REQ and BEGIN_RESP come when that is done,
/// its delay included, so that an initiator that sends the next request after END_REQ is held as one that
/// calls b_transport. A request that begins before the END_REQ of the one before it breaks the exclusion
/// rule: it is answered at once with TLM_GENERIC_ERROR_RESPONSE and not done. Phases that the base protocol
/// does not have are ignored.
class nonblocking_port : public std::enable_shared_from_this<nonblocking_port> {
public:
    using payload = tlm::tlm_generic_payload;
    using access = std::function<void(payload&, sc_core::sc_time&)>;
    using answer = std::function<tlm::tlm_sync_enum(payload&, tlm::tlm_phase&, sc_core::sc_time&)>;

    /// `backward`: nb_transport_bw of the socket. SystemC cannot end the process of a module that is
    /// destroyed, so that the process shares this object with its owner.
    static std::shared_ptr<nonblocking_port> make(access blocking, answer backward);
    nonblocking_port(const nonblocking_port&) = delete;
    nonblocking_port& operator=(const nonblocking_port&) = delete;

    /// nb_transport_fw of the socket.
    tlm::tlm_sync_enum forward(payload& trans, tlm::tlm_phase& phase, sc_core::sc_time& delay);
    /// Makes the process that serves, if there is none yet: a child of the module that is being elaborated.
    /// The first request does it otherwise, so that a socket which is never used in this way has no process.
    void start();
    /// The owner is destroyed: nothing is served or answered from now on.
    void close() { is_open_ = false; }

private:
    nonblocking_port(access blocking, answer backward);
    void serve_for_ever();
    void serve(payload& trans);
    void respond(payload& trans);

    access blocking_;
    answer backward_;
    tlm_utils::peq_with_get<payload> requests_;
    sc_core::sc_event response_ended_;
    bool is_open_ = true, has_process_ = false;
    bool is_requested_ = false;     ///< between BEGIN_REQ and END_REQ
    payload* responding_ = nullptr; ///< between BEGIN_RESP and END_RESP
};

} // namespace sfpu
