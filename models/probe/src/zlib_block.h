// Bytes in the zlib format (RFC 1950 around RFC 1951), for writers that know where their bytes stood before.
//
// A general compressor spends its time on the search for repetitions. A trace is made of records that look like earlier
// ones but for a few numbers, and whoever writes a record knows which one, so there is no search here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sfpu::probe {

/// Bits of RFC 1951, 3.1.1, written where there is room for all that comes.
class bit_writer {
public:
    void start(std::uint8_t* to) {
        to_ = to;
        pending_ = 0;
        count_ = 0;
    }
    /// At most 32 bits.
    void put(std::uint64_t value, unsigned bits) {
        pending_ |= value << count_;
        count_ += bits;
        if (count_ < 32) return;
        const auto first = static_cast<std::uint32_t>(pending_);
        for (unsigned i = 0; i < 4; ++i) to_[i] = static_cast<std::uint8_t>(first >> 8 * i);
        to_ += 4;
        pending_ >>= 32;
        count_ -= 32;
    }
    /// Fills the last byte; returns the end.
    std::uint8_t* finish() {
        for (; count_ > 0; count_ -= count_ < 8 ? count_ : 8, pending_ >>= 8)
            *to_++ = static_cast<std::uint8_t>(pending_ & 0xff);
        return to_;
    }

private:
    std::uint8_t* to_ = nullptr;
    std::uint64_t pending_ = 0;
    unsigned count_ = 0;
};

class zlib_block {
public:
    /// A code of Huffman's, with its first bit lowest, as it is written.
    struct symbol_code {
        std::uint16_t code = 0;
        std::uint8_t bits = 0; ///< 0 for symbols that do not occur
    };

    static constexpr std::size_t farthest = 32768; ///< bytes that a repetition may lie back

    explicit zlib_block(std::size_t capacity);

    std::size_t size() const { return static_cast<std::size_t>(end_ - bytes_.data()); }
    std::size_t room() const { return bytes_.size() - slack - size(); }

    /// Where the next bytes go; there must be room() for them.
    std::uint8_t* end() { return end_; }

    /// Adds the bytes from end() to `end`, which look like those that begin at `like` (below size(); any value is
    /// right, a good one gives small files).
    void add(std::uint8_t* end, std::size_t like);

    /// Whether the bytes from end() to `end` have more in common at their start with those at `a` than with those at `b`,
    /// both below size().
    bool starts_longer(const std::uint8_t* end, std::size_t a, std::size_t b) const;

    /// Appends all that was added to `out`, compressed, and starts an empty block.
    void compress(std::string& out);

private:
    static constexpr std::size_t slack = 16; ///< bytes that comparisons may read behind the end
    static constexpr unsigned end_of_block = 256, first_length = 257;
    static constexpr unsigned literal_codes = 286, distance_codes = 30;
    static constexpr unsigned blocks_of_a_code = 4;

    void add_literals(const std::uint8_t* from, std::size_t count);
    void add_repetition(std::size_t length, std::size_t distance);
    void end_repetition();
    void put_start();
    void put_repetition(std::uint32_t length, std::uint32_t distance);
    void learn();

    std::vector<std::uint8_t> bytes_;
    std::uint8_t* end_;
    /// A repetition that ends where the next bytes begin and may still grow.
    std::size_t open_length_ = 0, open_distance_ = 0;

    // The codes come from one block and serve the next ones too, which are then written as their bytes come. A block from
    // which codes are learned is kept as tokens: a literal is its value; a repetition has the highest bit set, length - 3 in
    // bits 16 to 23, distance - 1 below. There is never more than one for a byte.
    unsigned blocks_left_ = 0; ///< for which the codes are good
    std::vector<std::uint32_t> tokens_;
    std::uint32_t* tokens_end_;
    std::array<symbol_code, literal_codes> literals_{};
    std::array<symbol_code, distance_codes> distances_{};
    std::vector<std::uint8_t> packed_;
    bit_writer bits_;
};

} // namespace sfpu::probe
