// What small spaces of registers have in common: words at multiples of 4, nothing else.
#pragma once

#include <sfpu/common/systemc_version.h>

#include <tlm>

#include <cstdint>
#include <cstring>

namespace sfpu::memory {

/// The response to an access of one word in a space of so many bytes, before it is done:
/// TLM_ADDRESS_ERROR_RESPONSE outside and misaligned, TLM_BYTE_ENABLE_ERROR_RESPONSE for byte enables,
/// TLM_BURST_ERROR_RESPONSE for another length than 4 and a streaming width below it,
/// TLM_GENERIC_ERROR_RESPONSE without data.
inline tlm::tlm_response_status check_word_access(const tlm::tlm_generic_payload& trans,
                                                  std::uint64_t bytes) {
    if (trans.get_address() >= bytes || trans.get_address() % 4 != 0) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (trans.get_byte_enable_ptr()) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    if (trans.get_data_length() != 4 || trans.get_streaming_width() < 4) return tlm::TLM_BURST_ERROR_RESPONSE;
    return trans.get_data_ptr() ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE;
}

/// Whether a debug access is one of a word; only the first word of it counts.
inline bool is_debug_word_access(const tlm::tlm_generic_payload& trans, std::uint64_t bytes) {
    return trans.get_address() < bytes && trans.get_address() % 4 == 0 && trans.get_data_length() >= 4 &&
           trans.get_data_ptr() && trans.get_command() != tlm::TLM_IGNORE_COMMAND;
}

inline std::uint32_t word_of(const tlm::tlm_generic_payload& trans) {
    std::uint32_t value = 0;
    std::memcpy(&value, trans.get_data_ptr(), sizeof value);
    return value;
}
inline void answer_word(tlm::tlm_generic_payload& trans, std::uint32_t value) {
    std::memcpy(trans.get_data_ptr(), &value, sizeof value);
}

} // namespace sfpu::memory
