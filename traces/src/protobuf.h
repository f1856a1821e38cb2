// The protobuf wire format, as far as writing takes it: https://protobuf.dev/programming-guides/encoding
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace sfpu::traces::protobuf {

enum class wire : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2 };

constexpr unsigned tag(unsigned field, wire type) { return field << 3 | static_cast<unsigned>(type); }

constexpr std::size_t longest_varint = 10;

/// Writes at `to`, where there is room, and returns the end.
inline std::uint8_t* put_varint(std::uint8_t* to, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) *to++ = static_cast<std::uint8_t>(value | 0x80);
    *to++ = static_cast<std::uint8_t>(value);
    return to;
}

/// A message in the making, for what is written now and then.
class message {
public:
    message& number(unsigned field, std::uint64_t value) {
        varint(tag(field, wire::varint));
        varint(value);
        return *this;
    }
    message& text(unsigned field, std::string_view value) {
        varint(tag(field, wire::bytes));
        varint(value.size());
        bytes_ += value;
        return *this;
    }
    message& part(unsigned field, const message& value) { return text(field, value.bytes_); }

    const std::string& bytes() const { return bytes_; }

private:
    void varint(std::uint64_t value) {
        std::uint8_t buffer[longest_varint];
        bytes_.append(reinterpret_cast<const char*>(buffer),
                      static_cast<std::size_t>(put_varint(buffer, value) - buffer));
    }

    std::string bytes_;
};

/// A message at a place in a buffer, of fewer than 128 bytes, so that its length takes one.
class short_message {
public:
    /// Begins the field of the message around it.
    short_message(std::uint8_t* to, unsigned field) : length_(put_varint(to, tag(field, wire::bytes))) {}
    std::uint8_t* begin() const { return length_ + 1; }
    /// `end` is the end of its content.
    void finish(const std::uint8_t* end) const { *length_ = static_cast<std::uint8_t>(end - begin()); }

private:
    std::uint8_t* length_;
};

/// Field numbers are known when this is compiled, and so are their tags.
template <unsigned Field>
std::uint8_t* put_number(std::uint8_t* to, std::uint64_t value) {
    constexpr unsigned key = tag(Field, wire::varint);
    static_assert(key < 0x4000);
    if constexpr (key < 0x80) {
        *to++ = static_cast<std::uint8_t>(key);
    } else {
        *to++ = static_cast<std::uint8_t>(key | 0x80);
        *to++ = static_cast<std::uint8_t>(key >> 7);
    }
    return put_varint(to, value);
}

/// A field of eight bytes, the lowest first.
template <unsigned Field>
std::uint8_t* put_double(std::uint8_t* to, double value) {
    static_assert(sizeof value == 8);
    to = put_varint(to, tag(Field, wire::fixed64));
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    for (unsigned shift = 0; shift < 64; shift += 8) *to++ = static_cast<std::uint8_t>(bits >> shift);
    return to;
}

} // namespace sfpu::traces::protobuf
