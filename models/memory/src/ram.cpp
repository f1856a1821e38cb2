#include <sfpu/memory/ram.h>

#include "dmi.h"

#include <sfpu/common/module_argument.h>

namespace sfpu::memory {

ram::ram(const sc_core::sc_module_name& name, std::uint64_t bytes)
    : sc_module(name), bytes_(module_argument(*this, "bytes", bytes, 1, byte_store::most_bytes)) {
    tsock.register_b_transport(this, &ram::b_transport);
    tsock.register_transport_dbg(this, &ram::transport_dbg);
    tsock.register_get_direct_mem_ptr(this, &ram::get_direct_mem_ptr);
}

void ram::reset(cycles latency, const sc_core::sc_time& period) {
    latency_ = period * static_cast<double>(latency.count());
    bytes_.clear();
    if (granted_) tsock->invalidate_direct_mem_ptr(0, bytes_.size() - 1);
    granted_ = false;
}

void ram::b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    const tlm::tlm_response_status status = bytes_.check(trans);
    trans.set_response_status(status);
    trans.set_dmi_allowed(status == tlm::TLM_OK_RESPONSE);
    if (status != tlm::TLM_OK_RESPONSE) return;
    bytes_.access(trans);
    delay += latency_;
}

bool ram::get_direct_mem_ptr(tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi) {
    if (!offer_direct_access(bytes_, trans.get_address(), dmi)) return false;
    dmi.set_read_latency(latency_);
    dmi.set_write_latency(latency_);
    granted_ = true;
    return true;
}

} // namespace sfpu::memory
