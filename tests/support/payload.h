// A generic payload with the attributes of a plain access.
#pragma once

#include <tlm>

#include <cstdint>

namespace sfpu::test {

/// As a transaction begins: `length` bytes, neither byte enables nor streaming, no response.
inline void fill(tlm::tlm_generic_payload& trans, tlm::tlm_command command, std::uint64_t address, void* data,
                 unsigned length) {
    trans.set_command(command);
    trans.set_address(address);
    trans.set_data_ptr(static_cast<unsigned char*>(data));
    trans.set_data_length(length);
    trans.set_streaming_width(length);
    trans.set_byte_enable_ptr(nullptr);
    trans.set_dmi_allowed(false);
    trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

} // namespace sfpu::test
