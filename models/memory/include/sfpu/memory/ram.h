// Plain memory: the RAM for bare-metal programs, a core's local RAM.
#pragma once

#include <sfpu/common/systemc_version.h>
#include <sfpu/common/types.h>
#include <sfpu/memory/byte_store.h>

#include <systemc>
#include <tlm_utils/simple_target_socket.h>

namespace sfpu::memory {

/// Bytes from address 0 on. b_transport adds the latency to the delay and never waits; byte enables and
/// streaming are obeyed; responses are those of byte_store::check(). transport_dbg moves the part of its
/// range that exists. DMI is always granted, for the whole memory, with the latency in the descriptor.
class ram : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<ram, 32> tsock{"tsock"};

    /// `bytes`: 1 to byte_store::most_bytes. Others are an SC_ERROR, "/sfpu/module/argument".
    ram(const sc_core::sc_module_name& name, std::uint64_t bytes);

    /// Zeros, with this latency for each access; direct access that was granted is taken back.
    void reset(cycles latency = cycles{}, const sc_core::sc_time& period = sc_core::SC_ZERO_TIME);

    byte_store& bytes() { return bytes_; }
    const byte_store& bytes() const { return bytes_; }

private:
    void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay);
    unsigned transport_dbg(tlm::tlm_generic_payload& trans) { return bytes_.debug_access(trans); }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi);

    byte_store bytes_;
    sc_core::sc_time latency_;
    bool granted_ = false; ///< somebody has a pointer
};

} // namespace sfpu::memory
