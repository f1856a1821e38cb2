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

class zlib_block {
public:
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
    static constexpr unsigned end_of_block = 256;
    static constexpr unsigned literal_codes = 286, distance_codes = 30;

    void add_literal(std::uint8_t byte);
    void add_repetition(std::size_t length, std::size_t distance);

    std::vector<std::uint8_t> bytes_;
    std::uint8_t* end_;
    /// A literal is its value; a repetition has the highest bit set, length - 3 in bits 16 to 23, distance - 1 below.
    std::vector<std::uint32_t> tokens_;
    std::array<std::uint32_t, literal_codes> literal_uses_{};
    std::array<std::uint32_t, distance_codes> distance_uses_{};
    std::size_t latest_length_ = 0,
                latest_distance_ = 0; ///< of a repetition that ends where the next bytes begin
};

} // namespace sfpu::probe
