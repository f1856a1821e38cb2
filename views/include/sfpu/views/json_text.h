// Appends JSON to a string. Answers are written this way because building a document first costs more than
// the simulation of a short program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sfpu::views {

/// A quoted and escaped string. Bytes that are not UTF-8 become U+FFFD.
void append_json_string(std::string& out, std::string_view text);

/// Lower-case hexadecimal digits, with leading zeros and without quotes. Returns their end.
inline char* write_hex(char* out, std::uint64_t value, unsigned digits) {
    for (unsigned shift = 4 * digits; shift != 0;) {
        shift -= 4;
        *out++ = "0123456789abcdef"[value >> shift & 15];
    }
    return out;
}

inline void append_hex(std::string& out, std::uint64_t value, unsigned digits) {
    char text[16];
    out.append(text, write_hex(text, value, digits));
}

/// The same in quotes.
inline void append_quoted_hex(std::string& out, std::uint64_t value, unsigned digits) {
    out += '"';
    append_hex(out, value, digits);
    out += '"';
}

/// ["00000000","00000001",...] of `count` values, got by index. Most of an answer is such lists, so their
/// place is made at once.
template <typename Value>
void append_hex_list(std::string& out, unsigned count, unsigned digits, Value&& value) {
    const std::size_t begin = out.size();
    out.resize(begin + 2 + std::size_t{count} * (digits + 3) - (count != 0));
    char* at = out.data() + begin;
    *at++ = '[';
    for (unsigned i = 0; i < count; ++i) {
        if (i) *at++ = ',';
        *at++ = '"';
        at = write_hex(at, value(i), digits);
        *at++ = '"';
    }
    *at = ']';
}

} // namespace sfpu::views
