// What every port that takes instruction words demands of a payload.
#pragma once

#include <sfpu/common/systemc_version.h>

#include <tlm>

namespace sfpu {

/// A window of this size takes pushes, on the chips and here, at each multiple of 4: which address it is says
/// nothing.
constexpr unsigned push_window_bytes = 0x10000;

/// Whether a transfer consists of words of 4 bytes. Streaming is of no consequence, as long as it does not
/// cut words: a word goes the same way whatever its address. A streaming width of zero, and one that reaches
/// to the end, mean none.
inline bool has_whole_words(const tlm::tlm_generic_payload& trans) {
    const unsigned length = trans.get_data_length(), width = trans.get_streaming_width();
    return length != 0 && length % 4 == 0 && (width >= length || width % 4 == 0);
}

/// The response to a payload that pushes words, TLM_OK_RESPONSE if nothing is wrong but the address, at which
/// it does not look.
inline tlm::tlm_response_status check_push(const tlm::tlm_generic_payload& trans) {
    if (!trans.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
    if (trans.get_byte_enable_ptr()) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    if (!has_whole_words(trans)) return tlm::TLM_BURST_ERROR_RESPONSE;
    return trans.get_data_ptr() ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE;
}

} // namespace sfpu
