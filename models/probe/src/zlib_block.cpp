#include "zlib_block.h"

#include <algorithm>
#include <cstring>

namespace sfpu::probe {
namespace {

constexpr unsigned shortest = 4;      ///< repetition worth its bits
constexpr unsigned longest = 258;     ///< RFC 1951, 3.2.5
constexpr unsigned longest_code = 15; ///< bits, RFC 1951, 3.2.7
constexpr std::uint32_t repetition = 0x80000000;

using symbol_code = zlib_block::symbol_code;

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

std::uint64_t eight_bytes(const std::uint8_t* at) {
    std::uint64_t value = 0;
    std::memcpy(&value, at, 8);
    return value;
}

/// How many bytes from `a` to `end` are those at `b`; may read 8 bytes more.
std::size_t common_bytes(const std::uint8_t* a, const std::uint8_t* b, const std::uint8_t* end) {
    const std::uint8_t* next = a;
    for (; next < end; next += 8, b += 8)
        if (const std::uint64_t difference = eight_bytes(next) ^ eight_bytes(b)) {
            next += static_cast<unsigned>(__builtin_ctzll(difference)) / 8;
            break;
        }
    return static_cast<std::size_t>(std::min(next, end) - a);
}

/// RFC 1950, 8.2. 64 bytes at once, in parts of 16 bits: `sums` is that of all bytes so far, `sums_before` that of `sums`
/// before each eight bytes. The top part of a product with four weights is the sum of the products.
std::uint32_t adler_32(const std::uint8_t* bytes, std::size_t count) {
    constexpr std::uint32_t modulus = 65521;
    constexpr std::size_t most_at_once = 5504; ///< so that the sums stay below 2^32; a multiple of 64
    constexpr std::uint64_t even_bytes = 0x00ff00ff00ff00ff;
    constexpr std::uint64_t ones = 0x0001000100010001, even_weights = 0x0008000600040002,
                            odd_weights = 0x0007000500030001;
    const auto weighted = [](std::uint64_t parts, std::uint64_t weights) {
        return static_cast<std::uint32_t>(parts * weights >> 48);
    };
    std::uint32_t low = 1, high = 0;
    while (count != 0) {
        std::size_t now = std::min(count, most_at_once);
        count -= now;
        for (; now >= 64; now -= 64) {
            std::uint64_t even = 0, odd = 0, sums = 0, sums_before = 0;
            for (unsigned i = 0; i < 8; ++i, bytes += 8) {
                const std::uint64_t all = eight_bytes(bytes), evens = all & even_bytes,
                                    odds = all >> 8 & even_bytes;
                sums_before += sums;
                sums += evens + odds;
                even += evens;
                odd += odds;
            }
            high += 64 * low + 8 * weighted(sums_before, ones) + weighted(even, even_weights) +
                    weighted(odd, odd_weights);
            low += weighted(sums, ones);
        }
        for (; now != 0; --now) high += low += *bytes++;
        low %= modulus;
        high %= modulus;
    }
    return high << 16 | low;
}

/// Canonical Huffman code of RFC 1951, 3.2.2.
template <std::size_t Symbols>
struct huffman_code {
    std::array<symbol_code, Symbols> symbols{};

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
            symbols[i].bits = depth[i];
        }
        return true;
    }

    void assign() {
        std::uint32_t next = 0;
        for (unsigned length = 1; length <= longest_code; ++length, next <<= 1)
            for (std::size_t i = 0; i < Symbols; ++i) {
                if (symbols[i].bits != length) continue;
                std::uint32_t reversed = 0;
                for (unsigned bit = 0; bit < length; ++bit)
                    reversed |= (next >> bit & 1) << (length - 1 - bit);
                symbols[i].code = static_cast<std::uint16_t>(reversed);
                ++next;
            }
    }
};

/// The lengths of both codes, RFC 1951, 3.2.7. They are not compressed themselves: each takes four bits.
template <std::size_t Literals, std::size_t Distances>
void put_codes(bit_writer& out, const std::array<symbol_code, Literals>& literals,
               const std::array<symbol_code, Distances>& distances) {
    constexpr std::array<unsigned, 19> order{16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                             11, 4,  12, 3, 13, 2, 14, 1, 15};
    out.put(Literals - 257, 5);
    out.put(Distances - 1, 5);
    out.put(order.size() - 4, 4);
    for (const unsigned symbol : order) out.put(symbol < 16 ? 4 : 0, 3);
    const auto put_length = [&out](std::uint32_t length) { // the code of four bits, its first bit lowest
        out.put((length & 1) << 3 | (length & 2) << 1 | (length & 4) >> 1 | length >> 3, 4);
    };
    for (const symbol_code& symbol : literals) put_length(symbol.bits);
    for (const symbol_code& symbol : distances) put_length(symbol.bits);
}

} // namespace

zlib_block::zlib_block(std::size_t capacity)
    : bytes_(capacity + slack), end_(bytes_.data()), tokens_(capacity + 1), tokens_end_(tokens_.data()),
      packed_(2 * capacity + 1024) {}

void zlib_block::add_literals(const std::uint8_t* from, std::size_t count) {
    end_repetition();
    if (blocks_left_ != 0) {
        bit_writer bits = bits_; // bytes that are written might else be its members
        for (std::size_t i = 0; i < count; ++i) bits.put(literals_[from[i]].code, literals_[from[i]].bits);
        bits_ = bits;
    } else {
        std::uint32_t* end = tokens_end_;
        for (std::size_t i = 0; i < count; ++i) *end++ = from[i];
        tokens_end_ = end;
    }
}

void zlib_block::add_repetition(std::size_t length, std::size_t distance) {
    if (open_distance_ != distance) {
        end_repetition();
        open_distance_ = distance;
    }
    open_length_ += length;
}

void zlib_block::end_repetition() {
    while (open_length_ != 0) {
        // None of the parts may be shorter than three.
        const std::size_t length = open_length_ <= longest       ? open_length_
                                   : open_length_ < longest + 3u ? open_length_ - 3
                                                                 : longest;
        if (blocks_left_ != 0) {
            put_repetition(static_cast<std::uint32_t>(length), static_cast<std::uint32_t>(open_distance_));
        } else {
            *tokens_end_++ = repetition | static_cast<std::uint32_t>(length - 3) << 16 |
                             static_cast<std::uint32_t>(open_distance_ - 1);
        }
        open_length_ -= length;
    }
    open_distance_ = 0;
}

void zlib_block::add(std::uint8_t* end, std::size_t like) {
    const std::uint8_t* next = end_;
    const auto distance = static_cast<std::size_t>(next - (bytes_.data() + like));
    end_ = end;
    if (distance == 0 || distance > farthest) {
        add_literals(next, static_cast<std::size_t>(end - next));
        return;
    }
    while (next != end) {
        const std::size_t same = common_bytes(next, next - distance, end);
        if (same >= shortest || (same != 0 && open_distance_ == distance)) {
            add_repetition(same, distance);
            next += same;
        } else {
            const std::size_t count = std::min(static_cast<std::size_t>(end - next), same + 1);
            add_literals(next, count);
            next += count;
        }
    }
}

bool zlib_block::starts_longer(const std::uint8_t* end, std::size_t a, std::size_t b) const {
    constexpr std::ptrdiff_t most = 64;
    const std::uint8_t* const until = end_ + std::min(most, end - end_);
    return common_bytes(end_, &bytes_[a], until) > common_bytes(end_, &bytes_[b], until);
}

void zlib_block::put_start() {
    constexpr std::uint8_t method = 0x78, check = 0x01; // deflate, 32 KiB; RFC 1950, 2.2
    packed_[0] = method;
    packed_[1] = check;
    bits_.start(packed_.data() + 2);
    bits_.put(1, 1); // the last block
    bits_.put(2, 2); // with codes of its own
    put_codes(bits_, literals_, distances_);
}

void zlib_block::put_repetition(std::uint32_t length, std::uint32_t distance) {
    const unsigned length_code = code_of_length[length - 3];
    const range_code& lengths = length_codes[length_code];
    const symbol_code first = literals_[first_length + length_code];
    bit_writer bits = bits_;
    bits.put(first.code | std::uint64_t{length - lengths.first} << first.bits,
             unsigned{first.bits} + lengths.extra_bits);
    const unsigned distance_code = code_of_distance(distance);
    const range_code& range = distance_ranges[distance_code];
    const symbol_code second = distances_[distance_code];
    bits.put(second.code | std::uint64_t{distance - range.first} << second.bits,
             unsigned{second.bits} + range.extra_bits);
    bits_ = bits;
}

/// Makes codes for the tokens, in which each symbol has one, and writes the tokens in them.
void zlib_block::learn() {
    std::array<std::uint32_t, literal_codes> literal_uses;
    std::array<std::uint32_t, distance_codes> distance_uses;
    literal_uses.fill(1);
    distance_uses.fill(1);
    for (const std::uint32_t* token = tokens_.data(); token != tokens_end_; ++token) {
        if (*token & repetition) {
            literal_uses[first_length + code_of_length[*token >> 16 & 0xff]] += 4;
            distance_uses[code_of_distance((*token & 0x7fff) + 1)] += 4;
        } else {
            literal_uses[*token] += 4;
        }
    }
    literals_ = huffman_code<literal_codes>(literal_uses).symbols;
    distances_ = huffman_code<distance_codes>(distance_uses).symbols;
    put_start();
    for (const std::uint32_t* token = tokens_.data(); token != tokens_end_; ++token) {
        if (*token & repetition) put_repetition((*token >> 16 & 0xff) + 3, (*token & 0x7fff) + 1);
        else bits_.put(literals_[*token].code, literals_[*token].bits);
    }
    tokens_end_ = tokens_.data();
    blocks_left_ = blocks_of_a_code;
}

void zlib_block::compress(std::string& out) {
    end_repetition();
    if (blocks_left_ == 0) learn();
    bits_.put(literals_[end_of_block].code, literals_[end_of_block].bits);
    std::uint8_t* end = bits_.finish();
    const std::uint32_t sum = adler_32(bytes_.data(), size());
    for (unsigned shift = 32; shift != 0;) *end++ = static_cast<std::uint8_t>(sum >> (shift -= 8));
    out.append(reinterpret_cast<const char*>(packed_.data()), static_cast<std::size_t>(end - packed_.data()));

    end_ = bytes_.data();
    if (--blocks_left_ != 0) put_start();
}

} // namespace sfpu::probe
