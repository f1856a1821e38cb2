// TracePackets of Perfetto for a stream, in blocks that are compressed in the zlib format.
#pragma once

#include "protobuf.h"

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <vector>

struct libdeflate_compressor;

namespace sfpu::probe {

class packet_stream {
public:
    static constexpr std::size_t longest_record = 512; ///< of what is written without a message

    /// `out` must outlive the packets. Failures show in its state.
    explicit packet_stream(std::ostream& out);
    ~packet_stream();
    packet_stream(const packet_stream&) = delete;
    packet_stream& operator=(const packet_stream&) = delete;

    /// A place for a record: packets with their fields around them, of `longest_record` bytes at most. What
    /// was written there stays if end_record() says where it ends.
    std::uint8_t* begin_record() {
        if (room() < longest_record) write_block();
        return end_;
    }
    void end_record(std::uint8_t* end) { end_ = end; }

    /// A packet of any size.
    void add(const protobuf::message& packet);

    /// Writes what is left.
    void finish();

private:
    struct free_compressor {
        void operator()(libdeflate_compressor* what) const;
    };

    std::size_t room() const { return static_cast<std::size_t>(block_.data() + block_.size() - end_); }
    void write(const std::string& bytes);
    void write_block();

    std::ostream& out_;
    std::vector<std::uint8_t> block_;
    std::uint8_t* end_; ///< of what the block holds
    std::unique_ptr<libdeflate_compressor, free_compressor> compressor_;
    std::vector<char> compressed_;
};

} // namespace sfpu::probe
