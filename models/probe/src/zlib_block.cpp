#include "zlib_block.h"

#include <algorithm>
#include <cstring>

namespace sfpu::probe {
namespace {

constexpr unsigned shortest = 4;      ///< repetition worth its bits
constexpr unsigned longest = 258;     ///< RFC 1951, 3.2.5
constexpr unsigned longest_code = 15; ///< bits, RFC 1951, 3.2.7
constexpr std::uint32_t repetition = 0x80000000;

/// A code of RFC 1951, 3.2.5, that stands for a range of numbers.
struct range_code {
    std::uint16_t first;
    std::uint8_t extra_bits;
};
constexpr std::array<range_code, 29> length_codes{
    {{3, 0},  {4, 0},  {5, 0},  {6, 0},   {7, 0},   {8, 0},   {9, 0},   {10, 0},  {11, 1}, {13, 1},
     {15, 1}, {17, 1}, {19, 2}, {23, 2},  {27, 2},  {31, 2},  {35, 3},  {43, 3},  {51, 3}, {59, 3},
     {67, 4}, {83, 4}, {99, 4}, {115, 4}, {131, 5}, {163, 5}, {195, 5}, {227, 5}, {258, 0}}};
constexpr std::array<range_code, 30> distance_ranges{
    {{1, 0},     {2, 0},     {3, 0},     {4, 0},      {5, 1},      {7, 1},     {9, 2},     {13, 2},
     {17, 3},    {25, 3},    {33, 4},    {49, 4},     {65, 5},     {97, 5},    {129, 6},   {193, 6},
     {257, 7},   {385, 7},   {513, 8},   {769, 8},    {1025, 9},   {1537, 9},  {2049, 10}, {3073, 10},
     {4097, 11}, {6145, 11}, {8193, 12}, {12289, 12}, {16385, 13}, {24577, 13}}};

/// Index of the code for each length - 3.
constexpr auto code_of_length = [] {
    std::array<std::uint8_t, 256> table{};
    for (unsigned length = 3; length <= longest; ++length)
        for (unsigned code = 0; code < length_codes.size(); ++code)
            if (length_codes[code].first <= length) table[length - 3] = static_cast<std::uint8_t>(code);
    return table;
}();

/// Distances double with every second code.
unsigned code_of_distance(std::size_t distance) {
    if (distance <= 4) return static_cast<unsigned>(distance - 1);
    const auto top = 31 - static_cast<unsigned>(__builtin_clz(static_cast<unsigned>(distance - 1)));
    return 2 * top + static_cast<unsigned>((distance - 1) >> (top - 1) & 1);
}

/// How many bytes are the same, at most `most`; may read 7 bytes more.
std::size_t common_bytes(const std::uint8_t* a, const std::uint8_t* b, std::size_t most) {
    std::size_t count = 0;
    while (count < most) {
        std::uint64_t x = 0, y = 0;
        std::memcpy(&x, a + count, 8);
        std::memcpy(&y, b + count, 8);
        if (x != y) return std::min(most, count + static_cast<unsigned>(__builtin_ctzll(x ^ y)) / 8);
        count += 8;
    }
    return most;
}

std::uint32_t adler_32(const std::uint8_t* bytes, std::size_t count) {
    constexpr std::uint32_t modulus = 65521;
    constexpr std::size_t most_at_once = 5536; ///< so that the sums stay below 2^32; a multiple of the chunk
    constexpr std::size_t chunk = 16;
    std::uint32_t low = 1, high = 0;
    while (count != 0) {
        std::size_t now = std::min(count, most_at_once);
        count -= now;
        for (; now >= chunk; now -= chunk, bytes += chunk) {
            std::uint32_t sum = 0, weighted = 0;
            for (std::uint32_t i = 0; i < chunk; ++i) {
                sum += bytes[i];
                weighted += static_cast<std::uint32_t>(chunk - i) * bytes[i];
            }
            high += static_cast<std::uint32_t>(chunk) * low + weighted;
            low += sum;
        }
        for (; now != 0; --now) high += low += *bytes++;
        low %= modulus;
        high %= modulus;
    }
    return high << 16 | low;
}

/// Canonical Huffman code of RFC 1951, 3.2.2; codes stand with their first bit lowest, as they are written.
template <std::size_t Symbols>
struct huffman_code {
    std::array<std::uint16_t, Symbols> code{};
    std::array<std::uint8_t, Symbols> bits{}; ///< 0 for symbols that do not occur

    explicit huffman_code(std::array<std::uint32_t, Symbols> uses) {
        // Halving counts makes a tree flatter; few rounds are needed, if any.
        while (!find_lengths(uses))
            for (std::uint32_t& count : uses) count = (count + 1) / 2;
        assign();
    }

private:
    struct node {
        std::uint64_t uses;
        std::uint16_t left, right; ///< of inner nodes
    };

    /// False if a code is too long.
    bool find_lengths(const std::array<std::uint32_t, Symbols>& uses) {
        std::vector<node> nodes(Symbols);
        std::vector<std::uint16_t> open; // the most used first
        for (std::size_t i = 0; i < Symbols; ++i) {
            nodes[i] = {uses[i], 0, 0};
            if (uses[i] != 0) open.push_back(static_cast<std::uint16_t>(i));
        }
        bits.fill(0);
        // One code alone takes a bit, and a decoder wants two of them for a complete set.
        for (std::uint16_t i = 0; open.size() < 2; ++i)
            if (std::find(open.begin(), open.end(), i) == open.end()) open.push_back(i);
        const auto more_used = [&nodes](std::uint16_t a, std::uint16_t b) {
            return nodes[a].uses != nodes[b].uses ? nodes[a].uses > nodes[b].uses : a < b;
        };
        std::sort(open.begin(), open.end(), more_used);
        while (open.size() > 1) {
            const std::uint16_t left = open.back();
            open.pop_back();
            const std::uint16_t right = open.back();
            open.pop_back();
            const auto joined = static_cast<std::uint16_t>(nodes.size());
            nodes.push_back({nodes[left].uses + nodes[right].uses, left, right});
            open.insert(std::upper_bound(open.begin(), open.end(), joined, more_used), joined);
        }
        std::vector<std::uint8_t> depth(nodes.size(), 0);
        for (std::size_t i = nodes.size(); i-- > Symbols;)
            depth[nodes[i].left] = depth[nodes[i].right] = static_cast<std::uint8_t>(depth[i] + 1);
        for (std::size_t i = 0; i < Symbols; ++i) {
            if (depth[i] > longest_code) return false;
            bits[i] = depth[i];
        }
        return true;
    }

    void assign() {
        std::uint32_t next = 0;
        for (unsigned length = 1; length <= longest_code; ++length, next <<= 1)
            for (std::size_t i = 0; i < Symbols; ++i) {
                if (bits[i] != length) continue;
                std::uint32_t reversed = 0;
                for (unsigned bit = 0; bit < length; ++bit)
                    reversed |= (next >> bit & 1) << (length - 1 - bit);
                code[i] = static_cast<std::uint16_t>(reversed);
                ++next;
            }
    }
};

class bit_writer {
public:
    explicit bit_writer(std::string& out) : out_(out) {}

    /// At most 32 bits.
    void put(std::uint32_t value, unsigned bits) {
        pending_ |= std::uint64_t{value} << count_;
        count_ += bits;
        if (count_ < 32) return;
        std::array<char, 4> bytes;
        for (unsigned i = 0; i < 4; ++i) bytes[i] = static_cast<char>(pending_ >> 8 * i & 0xff);
        out_.append(bytes.data(), bytes.size());
        pending_ >>= 32;
        count_ -= 32;
    }
    void finish() {
        for (; count_ > 0; count_ -= std::min(count_, 8u), pending_ >>= 8)
            out_ += static_cast<char>(pending_ & 0xff);
    }

private:
    std::string& out_;
    std::uint64_t pending_ = 0;
    unsigned count_ = 0;
};

/// The lengths of both codes, RFC 1951, 3.2.7. They are not compressed themselves: each takes four bits.
template <std::size_t Literals, std::size_t Distances>
void put_codes(bit_writer& out, const huffman_code<Literals>& literals,
               const huffman_code<Distances>& distances) {
    constexpr std::array<unsigned, 19> order{16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                             11, 4,  12, 3, 13, 2, 14, 1, 15};
    out.put(Literals - 257, 5);
    out.put(Distances - 1, 5);
    out.put(order.size() - 4, 4);
    for (const unsigned symbol : order) out.put(symbol < 16 ? 4 : 0, 3);
    const auto put_length = [&out](std::uint32_t length) { // the code of four bits, its first bit lowest
        out.put((length & 1) << 3 | (length & 2) << 1 | (length & 4) >> 1 | length >> 3, 4);
    };
    for (const std::uint8_t length : literals.bits) put_length(length);
    for (const std::uint8_t length : distances.bits) put_length(length);
}

} // namespace

zlib_block::zlib_block(std::size_t capacity) : bytes_(capacity + slack), end_(bytes_.data()) {
    tokens_.reserve(capacity);
}

void zlib_block::add_literal(std::uint8_t byte) {
    tokens_.push_back(byte);
    ++literal_uses_[byte];
    latest_length_ = 0;
}

void zlib_block::add_repetition(std::size_t length, std::size_t distance) {
    const bool continues =
        latest_length_ != 0 && latest_distance_ == distance && latest_length_ + length <= longest;
    if (continues) { // the one before grows
        --literal_uses_[257 + code_of_length[latest_length_ - 3]];
        tokens_.pop_back();
        length += latest_length_;
    } else {
        ++distance_uses_[code_of_distance(distance)];
    }
    ++literal_uses_[257 + code_of_length[length - 3]];
    tokens_.push_back(repetition | static_cast<std::uint32_t>(length - 3) << 16 |
                      static_cast<std::uint32_t>(distance - 1));
    latest_length_ = length;
    latest_distance_ = distance;
}

void zlib_block::add(std::uint8_t* end, std::size_t like) {
    const std::uint8_t* next = end_;
    const auto distance = static_cast<std::size_t>(next - (bytes_.data() + like));
    end_ = end;
    if (distance == 0 || distance > farthest) {
        for (; next != end; ++next) add_literal(*next);
        return;
    }
    while (next != end) {
        const auto rest = static_cast<std::size_t>(end - next);
        const std::size_t same = common_bytes(next, next - distance, std::min<std::size_t>(rest, longest));
        const bool grows =
            latest_length_ != 0 && latest_distance_ == distance && latest_length_ + same <= longest;
        if (same >= shortest || (same != 0 && grows)) {
            add_repetition(same, distance);
            next += same;
        } else {
            const std::size_t count = std::min(rest, same + 1);
            for (std::size_t i = 0; i < count; ++i) add_literal(*next++);
        }
    }
}

bool zlib_block::starts_longer(const std::uint8_t* end, std::size_t a, std::size_t b) const {
    constexpr std::size_t most = 64;
    const std::size_t count = std::min(most, static_cast<std::size_t>(end - end_));
    return common_bytes(end_, &bytes_[a], count) > common_bytes(end_, &bytes_[b], count);
}

void zlib_block::compress(std::string& out) {
    constexpr std::uint32_t method = 0x78, check = 0x01; // deflate, 32 KiB; RFC 1950, 2.2
    literal_uses_[end_of_block] = 1;
    const huffman_code<literal_codes> literals(literal_uses_);
    const huffman_code<distance_codes> distances(distance_uses_);
    out += static_cast<char>(method);
    out += static_cast<char>(check);
    bit_writer bits(out);
    bits.put(1, 1); // the last block
    bits.put(2, 2); // with codes of its own
    put_codes(bits, literals, distances);
    for (const std::uint32_t token : tokens_) {
        if (!(token & repetition)) {
            bits.put(literals.code[token], literals.bits[token]);
            continue;
        }
        const std::uint32_t length = (token >> 16 & 0xff) + 3, distance = (token & 0x7fff) + 1;
        const unsigned length_code = code_of_length[length - 3];
        bits.put(literals.code[257 + length_code], literals.bits[257 + length_code]);
        bits.put(length - length_codes[length_code].first, length_codes[length_code].extra_bits);
        const unsigned distance_code = code_of_distance(distance);
        bits.put(distances.code[distance_code], distances.bits[distance_code]);
        bits.put(distance - distance_ranges[distance_code].first, distance_ranges[distance_code].extra_bits);
    }
    bits.put(literals.code[end_of_block], literals.bits[end_of_block]);
    bits.finish();
    const std::uint32_t sum = adler_32(bytes_.data(), size());
    for (unsigned shift = 32; shift != 0;) out += static_cast<char>(sum >> (shift -= 8) & 0xff);

    end_ = bytes_.data();
    tokens_.clear();
    literal_uses_ = {};
    distance_uses_ = {};
    latest_length_ = 0;
}

} // namespace sfpu::probe
