// The part of get_direct_mem_ptr that all memories share.
#pragma once

#include <sfpu/memory/byte_store.h>

namespace sfpu::memory {

/// Refuses direct access from an address to the end of all addresses, or everywhere inside the memory.
inline void refuse_direct_access(const byte_store& bytes, sc_dt::uint64 address, tlm::tlm_dmi& dmi) {
    const bool inside = address < bytes.size();
    dmi.set_start_address(inside ? 0 : bytes.size());
    dmi.set_end_address(inside ? bytes.size() - 1 : ~sc_dt::uint64{0});
    dmi.allow_none();
}

/// Offers the whole memory, if the address lies in it.
inline bool offer_direct_access(byte_store& bytes, sc_dt::uint64 address, tlm::tlm_dmi& dmi) {
    refuse_direct_access(bytes, address, dmi);
    if (address >= bytes.size()) return false;
    dmi.set_dmi_ptr(bytes.data());
    dmi.allow_read_write();
    return true;
}

} // namespace sfpu::memory
