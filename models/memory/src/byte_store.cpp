#include <sfpu/memory/byte_store.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include <sys/mman.h>

namespace sfpu::memory {

namespace {

/// What is smaller comes from the heap, where tools find accesses outside.
constexpr std::uint64_t least_mapped = 0x10000;

} // namespace

void byte_store::release::operator()(unsigned char* bytes) const {
    if (mapped_ != 0) munmap(bytes, mapped_);
    else std::free(bytes);
}

/// A heap that has once given back a large piece hands it out again and clears it, so that all of it is
/// touched.
void byte_store::clear() {
    data_.reset(); // first, so that both are not there together
    const std::uint64_t mapped = bytes_ >= least_mapped ? bytes_ : 0;
    void* found = nullptr;
    if (mapped != 0) {
        found =
            mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (found == MAP_FAILED) throw std::bad_alloc();
    } else {
        found = std::calloc(bytes_ ? bytes_ : 1, 1);
        if (!found) throw std::bad_alloc();
    }
    data_ = {static_cast<unsigned char*>(found), release(mapped)};
}

tlm::tlm_response_status byte_store::check(const tlm::tlm_generic_payload& trans) const {
    const std::uint64_t address = trans.get_address();
    const std::uint64_t span = std::min(trans.get_data_length(), trans.get_streaming_width());
    if (span == 0) return tlm::TLM_BURST_ERROR_RESPONSE;
    if (address >= bytes_ || span > bytes_ - address) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (trans.get_byte_enable_ptr() && trans.get_byte_enable_length() == 0)
        return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    return trans.get_data_ptr() ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE;
}

void byte_store::access(tlm::tlm_generic_payload& trans) {
    if (trans.get_command() == tlm::TLM_IGNORE_COMMAND) return;
    unsigned char* const place = data_.get() + trans.get_address();
    unsigned char* const bytes = trans.get_data_ptr();
    const unsigned char* const enables = trans.get_byte_enable_ptr();
    const unsigned length = trans.get_data_length(), width = trans.get_streaming_width();
    if (!enables && width >= length) {
        if (trans.is_read()) std::memcpy(bytes, place, length);
        else std::memcpy(place, bytes, length);
        return;
    }
    for (unsigned i = 0; i < length; ++i) {
        if (enables && enables[i % trans.get_byte_enable_length()] == TLM_BYTE_DISABLED) continue;
        if (trans.is_read()) bytes[i] = place[i % width];
        else place[i % width] = bytes[i];
    }
}

unsigned byte_store::debug_access(tlm::tlm_generic_payload& trans) {
    const std::uint64_t address = trans.get_address();
    if (address >= bytes_ || trans.get_command() == tlm::TLM_IGNORE_COMMAND || !trans.get_data_ptr())
        return 0;
    const auto length =
        static_cast<unsigned>(std::min<std::uint64_t>(trans.get_data_length(), bytes_ - address));
    if (trans.is_read()) std::memcpy(trans.get_data_ptr(), data_.get() + address, length);
    else std::memcpy(data_.get() + address, trans.get_data_ptr(), length);
    return length;
}

} // namespace sfpu::memory
