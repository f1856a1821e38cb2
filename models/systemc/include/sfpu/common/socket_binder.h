// How the sockets inside an assembled platform are bound to each other.
#pragma once

#include <sfpu/common/systemc_version.h>

#include <tlm>

namespace sfpu {

using initiator_end = tlm::tlm_base_initiator_socket_b<32>;
using target_end = tlm::tlm_base_target_socket_b<32>;

/// Binds initiators of a platform to its targets, all that speak the base protocol. One of yours can put a
/// module between them, which sees, counts, checks or changes what passes: bind `from` to its target socket
/// and its initiator socket to `to`. Called by the constructor of the platform, of which such modules become
/// children; they must outlive it.
class socket_binder {
public:
    socket_binder() = default;
    socket_binder(const socket_binder&) = delete;
    socket_binder& operator=(const socket_binder&) = delete;
    virtual ~socket_binder() = default;
    virtual void bind(initiator_end& from, target_end& to) = 0;
};

/// As `by` does it, or directly if it is null.
template <class Initiator, class Target>
void bind_sockets(socket_binder* by, Initiator& from, Target& to) {
    if (by) by->bind(from, to);
    else from.bind(to);
}

} // namespace sfpu
