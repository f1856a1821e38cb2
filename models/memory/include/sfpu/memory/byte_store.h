// The bytes of a memory, and what a generic payload does to them: shared by all memories.
#pragma once

#include <sfpu/common/systemc_version.h>

#include <tlm>

#include <cstdint>
#include <memory>

namespace sfpu::memory {

/// Zeroed bytes. Those of large memories are pages of their own, which the operating system provides when
/// they are touched: memory that a program does not use costs nothing, in any number of tiles.
class byte_store {
public:
    static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40;

    explicit byte_store(std::uint64_t bytes) : bytes_(bytes) { clear(); }

    /// Zeros again; pointers to the old bytes are invalid.
    void clear();

    unsigned char* data() { return data_.get(); }
    const unsigned char* data() const { return data_.get(); }
    std::uint64_t size() const { return bytes_; }

    /// The response that the base protocol demands for this payload: TLM_ADDRESS_ERROR_RESPONSE if it leaves
    /// the memory, TLM_BURST_ERROR_RESPONSE without length or streaming width, TLM_BYTE_ENABLE_ERROR_RESPONSE
    /// for byte enables without length, TLM_GENERIC_ERROR_RESPONSE without data, else TLM_OK_RESPONSE.
    tlm::tlm_response_status check(const tlm::tlm_generic_payload& trans) const;
    /// Moves the bytes of a payload for which check() is TLM_OK_RESPONSE: byte enables and streaming are
    /// obeyed.
    void access(tlm::tlm_generic_payload& trans);
    /// A debug access: moves what there is of its range; returns the number of bytes.
    unsigned debug_access(tlm::tlm_generic_payload& trans);

private:
    class release {
    public:
        release() : mapped_(0) {}
        /// Bytes of pages; 0: from the heap.
        explicit release(std::uint64_t mapped) : mapped_(mapped) {}
        void operator()(unsigned char* bytes) const;

    private:
        std::uint64_t mapped_;
    };
    std::uint64_t bytes_;
    std::unique_ptr<unsigned char[], release> data_;
};

} // namespace sfpu::memory
