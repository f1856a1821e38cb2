// A second reading of the TensorLoad instruction set, for comparison: slow, written from the prose with lists
// of elements and loops over coordinates, sharing nothing with the model. Default choices only.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::test {

class tensorload_reference {
public:
    using bytes = std::vector<std::uint8_t>;
    using elements = std::vector<std::uint32_t>;

    struct fault {
        unsigned cause;
        std::uint32_t value;
        friend bool operator==(const fault& a, const fault& b) {
            return a.cause == b.cause && a.value == b.value;
        }
    };

    std::vector<bytes> tl{32, bytes(1024)};
    bytes l1m, l0m;

    tensorload_reference(std::size_t l1m_bytes, std::size_t l0m_bytes) : l1m(l1m_bytes), l0m(l0m_bytes) {
        type_ = 2;
        for (unsigned i = 0; i < 32; ++i) load_.strides[i] = store_.strides[i] = i;
    }

    void write_csr(unsigned number, std::uint32_t value) {
        switch (number) {
        case 0x800: type_ = value & 0xfff; break;
        case 0x801: shape_ = value & 0xffffff; break;
        case 0x802: load_.mask = store_.mask = value; break;
        case 0x803: concat1_ = value; break;
        case 0x804: concat2_ = value; break;
        case 0x805:
            stretch(load_, value);
            stretch(store_, value);
            break;
        case 0x806: load_.width = store_.width = value; break;
        case 0x810: load_.mask = value; break;
        case 0x811: store_.mask = value; break;
        case 0x812: load_.width = value; break;
        case 0x813: store_.width = value; break;
        case 0x814: stretch(load_, value); break;
        case 0x815: stretch(store_, value); break;
        default:
            if (number >= 0x840 && number < 0x860) load_.strides[number - 0x840] = value;
            if (number >= 0x860 && number < 0x880) store_.strides[number - 0x860] = value;
        }
    }

    /// What the word does with this scalar operand; nothing if it completes.
    std::optional<fault> execute(std::uint32_t word, std::uint32_t scalar) {
        const fault illegal{2, word};
        const unsigned tl_7 = word >> 7 & 31, tl_15 = word >> 15 & 31, tl_20 = word >> 20 & 31;
        const int immediate = static_cast<std::int8_t>(word >> 20 & 255);
        if (matches(word, 0x0000005b, 0x3000707f)) return load(tl_15, immediate, scalar, false, word);
        if (matches(word, 0x1000005b, 0x3000707f)) return load(tl_15, immediate, scalar, true, word);
        for (const std::uint32_t store_word : {0x2000205bu, 0x2000005bu})
            if (matches(word, store_word, 0x3000707f)) return store(tl_15, immediate, scalar, false, word);
        for (const std::uint32_t store_word : {0x3000205bu, 0x3000005bu})
            if (matches(word, store_word, 0x3000707f)) return store(tl_15, immediate, scalar, true, word);
        if (matches(word, 0x0000205b, 0x3000707f)) return add(tl_7, tl_15, immediate, word);
        const unsigned axis = word >> 25 & 3;
        if (axis <= 2 && matches(word, 0x0000105b, 0x3800707f)) return join(axis, tl_7, tl_15, tl_20, word);
        for (const std::uint32_t merge_word : {0x0800105bu, 0x1000105bu})
            if (axis <= 2 && matches(word, merge_word, 0x3800707f))
                return blend(axis, tl_7, tl_15, tl_20, word);
        if (matches(word, 0x0000305b, 0x2000707f)) {
            unsigned one = word >> 25 & 3, other = word >> 27 & 3;
            if (one == 2 && other == 2) one = 1, other = 3; // code 0x0A is printed for axes 1 and 3
            return exchange(one, other, tl_15, tl_20, scalar, word);
        }
        return illegal;
    }

private:
    struct direction {
        std::optional<std::uint32_t> mask;
        std::uint32_t width = 0;
        std::map<unsigned, std::uint32_t> strides;
    };

    static bool matches(std::uint32_t word, std::uint32_t match, std::uint32_t mask) {
        return (word & mask) == match;
    }
    static void stretch(direction& to, std::uint32_t value) {
        for (auto& [index, stride] : to.strides) stride = index * value;
    }
    static bool bit(std::uint32_t mask, unsigned index) { return (mask >> index) % 2 == 1; }

    /// Bits of an element of the current type; 0 if there is none that can be moved.
    unsigned element_bits() const {
        static const std::map<std::uint32_t, unsigned> types{
            {1, 4},      {2, 8},      {4, 16},      {8, 32},      {1 << 6, 8},
            {2 << 6, 8}, {3 << 6, 8}, {1 << 8, 16}, {2 << 8, 16}, {1 << 10, 32}};
        const auto found = types.find(type_);
        return found == types.end() ? 0 : found->second;
    }
    unsigned size(unsigned axis) const { return shape_ >> (16 - 8 * axis) & 255; }
    unsigned count() const { return size(0) * size(1) * size(2); }
    bool block_is_good() const {
        return element_bits() != 0 && count() != 0 && count() * element_bits() <= 1024 * 8;
    }

    static elements unpack(const bytes& data, unsigned bits) {
        elements list(data.size() * 8 / bits);
        for (std::size_t i = 0; i < list.size(); ++i)
            for (unsigned b = 0; b < bits; ++b) {
                const std::size_t at = i * bits + b;
                list[i] |= static_cast<std::uint32_t>(data[at / 8] >> at % 8 & 1) << b;
            }
        return list;
    }
    static bytes pack(const elements& list, unsigned bits) {
        bytes data(list.size() * bits / 8);
        for (std::size_t i = 0; i < list.size(); ++i)
            for (unsigned b = 0; b < bits; ++b) {
                const std::size_t at = i * bits + b;
                data[at / 8] = static_cast<std::uint8_t>(data[at / 8] | (list[i] >> b & 1) << at % 8);
            }
        return data;
    }
    void put(unsigned number, const bytes& data) {
        if (number != 0) tl[number] = data;
    }

    /// The first slice that cannot be accessed, or the addresses of all.
    std::optional<std::uint32_t> addresses(const direction& way, std::uint32_t base, int immediate,
                                           bool masked, std::size_t space, std::uint32_t width,
                                           std::map<unsigned, std::uint32_t>& found) const {
        for (unsigned i = 0; i < size(0); ++i) {
            if (masked && !bit(*way.mask, i)) continue;
            const std::uint64_t sum =
                base + (way.strides.at(i) + static_cast<std::uint64_t>(immediate)) * width;
            const auto address = static_cast<std::uint32_t>(sum & 0xffffffffu);
            const unsigned alignment = element_bits() <= 8 ? 1 : element_bits() / 8;
            if (address % alignment != 0 || address + std::uint64_t{width} > space) return address;
            found[i] = address;
        }
        return std::nullopt;
    }
    /// False if the block or the slices are not good for a transfer.
    bool transfer_is_good(const direction& way, bool masked, std::uint64_t& width) const {
        if (!block_is_good() || size(0) > 32) return false;
        width = way.width ? way.width : (std::uint64_t{size(1)} * size(2) * element_bits() + 7) / 8;
        return size(0) * width <= 1024 && (!masked || way.mask.has_value());
    }

    std::optional<fault> load(unsigned to, int immediate, std::uint32_t base, bool masked,
                              std::uint32_t word) {
        std::uint64_t width = 0;
        if (!transfer_is_good(load_, masked, width)) return fault{2, word};
        std::map<unsigned, std::uint32_t> found;
        const auto w = static_cast<std::uint32_t>(width);
        if (const auto bad = addresses(load_, base, immediate, masked, l1m.size(), w, found))
            return fault{5, *bad};
        bytes data = tl[to];
        for (unsigned i = 0; i < size(0); ++i)
            for (unsigned byte = 0; byte < w; ++byte)
                data[i * w + byte] = found.count(i) ? l1m[found[i] + byte] : std::uint8_t{0};
        put(to, data);
        return std::nullopt;
    }

    std::optional<fault> store(unsigned from, int immediate, std::uint32_t base, bool masked,
                               std::uint32_t word) {
        std::uint64_t width = 0;
        if (!transfer_is_good(store_, masked, width)) return fault{2, word};
        std::map<unsigned, std::uint32_t> found;
        const auto w = static_cast<std::uint32_t>(width);
        if (const auto bad = addresses(store_, base, immediate, masked, l0m.size(), w, found))
            return fault{7, *bad};
        for (const auto& [i, address] : found)
            for (unsigned byte = 0; byte < w; ++byte) l0m[address + byte] = tl[from][i * w + byte];
        return std::nullopt;
    }

    std::optional<fault> add(unsigned to, unsigned from, int immediate, std::uint32_t word) {
        if (type_ != 2 && type_ != 4 && type_ != 8) return fault{2, word};
        const unsigned bits = element_bits();
        const std::int64_t high = (std::int64_t{1} << (bits - 1)) - 1, low = -high - 1;
        elements list = unpack(tl[from], bits);
        for (std::uint32_t& element : list) {
            std::int64_t value = element;
            if (value > high) value -= std::int64_t{1} << bits;
            value += immediate;
            if (value > high) value = high;
            if (value < low) value = low;
            element = static_cast<std::uint32_t>(value);
        }
        put(to, pack(list, bits));
        return std::nullopt;
    }

    unsigned index(const unsigned (&at)[3]) const { return (at[0] * size(1) + at[1]) * size(2) + at[2]; }

    /// Builds the block of a result: value(coordinates) for each element. What is behind the block stays.
    template <class Value>
    void build(unsigned to, Value value) {
        elements result = unpack(tl[to], element_bits());
        unsigned at[3];
        for (at[0] = 0; at[0] < size(0); ++at[0])
            for (at[1] = 0; at[1] < size(1); ++at[1])
                for (at[2] = 0; at[2] < size(2); ++at[2]) result[index(at)] = value(at);
        put(to, pack(result, element_bits()));
    }

    std::optional<fault> join(unsigned axis, unsigned to, unsigned a, unsigned b, std::uint32_t word) {
        if (!block_is_good() || size(axis) > 32 || !concat1_ || !concat2_) return fault{2, word};
        struct pick {
            unsigned source, at;
        };
        std::vector<pick> picks;
        for (unsigned at = 0; at < size(axis); ++at)
            if (bit(*concat1_, at)) picks.push_back({a, at});
        for (unsigned at = 0; at < size(axis); ++at)
            if (bit(*concat2_, at)) picks.push_back({b, at});
        if (picks.size() > size(axis)) return fault{2, word};
        std::map<unsigned, elements> sources{{a, unpack(tl[a], element_bits())},
                                             {b, unpack(tl[b], element_bits())}};
        build(to, [&](const unsigned(&at)[3]) -> std::uint32_t {
            if (at[axis] >= picks.size()) return 0;
            unsigned from[3] = {at[0], at[1], at[2]};
            from[axis] = picks[at[axis]].at;
            return sources[picks[at[axis]].source][index(from)];
        });
        return std::nullopt;
    }

    std::optional<fault> blend(unsigned axis, unsigned to, unsigned a, unsigned b, std::uint32_t word) {
        if (!block_is_good() || size(axis) > 32 || !concat1_) return fault{2, word};
        const elements first = unpack(tl[a], element_bits()), second = unpack(tl[b], element_bits());
        build(to,
              [&](const unsigned(&at)[3]) { return (bit(*concat1_, at[axis]) ? first : second)[index(at)]; });
        return std::nullopt;
    }

    std::optional<fault> exchange(unsigned p, unsigned q, unsigned a, unsigned b, std::uint32_t dims,
                                  std::uint32_t word) {
        if (p == q) return std::nullopt;
        const unsigned d[4] = {dims & 255, dims >> 8 & 255, dims >> 16 & 255, dims >> 24};
        if (std::uint64_t{d[0]} * d[1] * d[2] * d[3] != 2048 || d[0] % 2 != 0 || (a == b && a != 0))
            return fault{2, word};
        bytes source = tl[a], target(2048);
        source.insert(source.end(), tl[b].begin(), tl[b].end());
        unsigned e[4] = {d[0], d[1], d[2], d[3]};
        std::swap(e[p], e[q]);
        unsigned at[4];
        for (at[0] = 0; at[0] < d[0]; ++at[0])
            for (at[1] = 0; at[1] < d[1]; ++at[1])
                for (at[2] = 0; at[2] < d[2]; ++at[2])
                    for (at[3] = 0; at[3] < d[3]; ++at[3]) {
                        unsigned to[4] = {at[0], at[1], at[2], at[3]};
                        std::swap(to[p], to[q]);
                        target[((to[0] * e[1] + to[1]) * e[2] + to[2]) * e[3] + to[3]] =
                            source[((at[0] * d[1] + at[1]) * d[2] + at[2]) * d[3] + at[3]];
                    }
        put(a, bytes(target.begin(), target.begin() + 1024));
        put(b, bytes(target.begin() + 1024, target.end()));
        return std::nullopt;
    }

    std::uint32_t type_ = 2, shape_ = 0;
    direction load_, store_;
    std::optional<std::uint32_t> concat1_, concat2_;
};

} // namespace sfpu::test
