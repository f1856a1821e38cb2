// An initiator socket that looks up what is bound to it once, at the end of elaboration, instead of at every
// call.
#pragma once

#include <sfpu/common/systemc_version.h>

#include <systemc>
#include <tlm>

namespace sfpu {

template <class Socket, class Payload>
class connected_socket : public Socket {
public:
    using Socket::Socket;

    /// Only after elaboration.
    void b_transport(Payload& trans, sc_core::sc_time& delay) { bound_->b_transport(trans, delay); }

private:
    void end_of_elaboration() override {
        Socket::end_of_elaboration();
        bound_ = this->operator->();
    }

    tlm::tlm_blocking_transport_if<Payload>* bound_ = nullptr;
};

} // namespace sfpu
