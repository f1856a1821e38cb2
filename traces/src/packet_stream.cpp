#include "packet_stream.h"

#include "perfetto_schema.h"

#include <libdeflate.h>

#include <algorithm>
#include <new>
#include <ostream>
#include <string>
#include <string_view>

namespace sfpu::traces {
namespace {

using protobuf::message;

constexpr std::size_t block_capacity = std::size_t{1} << 18;
constexpr int compression_level = 1; ///< the quickest; the next one takes twice as long for a twentieth less

} // namespace

void packet_stream::free_compressor::operator()(libdeflate_compressor* what) const {
    libdeflate_free_compressor(what);
}

packet_stream::packet_stream(std::ostream& out)
    : out_(out), block_(block_capacity), end_(block_.data()),
      compressor_(libdeflate_alloc_compressor(compression_level)) {
    if (!compressor_) throw std::bad_alloc();
    compressed_.resize(libdeflate_zlib_compress_bound(compressor_.get(), block_capacity));
}
packet_stream::~packet_stream() = default;

void packet_stream::add(const message& packet) {
    const std::string bytes = message().part(schema::trace::packet, packet).bytes();
    if (room() < bytes.size()) write_block();
    if (room() < bytes.size()) write(bytes); // larger than a block
    else end_ = std::copy(bytes.begin(), bytes.end(), end_);
}

void packet_stream::finish() {
    write_block();
    out_.flush();
}

void packet_stream::write(const std::string& bytes) {
    out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

void packet_stream::write_block() {
    const auto held = static_cast<std::size_t>(end_ - block_.data());
    if (held == 0) return;
    end_ = block_.data();
    // It has room for whatever a block becomes.
    const std::size_t size = libdeflate_zlib_compress(compressor_.get(), block_.data(), held,
                                                      compressed_.data(), compressed_.size());
    message bundle;
    bundle.text(schema::packet::compressed_packets, std::string_view(compressed_.data(), size));
    write(message().part(schema::trace::packet, bundle).bytes());
}

} // namespace sfpu::traces
