#include <sfpu/common/shown_name.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace sfpu {
namespace {

/// A character of a text; `length` 1 and no code where no UTF-8 (RFC 3629) begins.
struct utf8_character {
    std::size_t length = 1;
    std::uint32_t code = 0;
    bool valid = false;
};

utf8_character character_at(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(at);
    if (first < 0x80) return {1, first, true};
    const std::size_t length = first >= 0xf0 && first < 0xf5   ? 4
                               : first >= 0xe0 && first < 0xf0 ? 3
                               : first >= 0xc2 && first < 0xe0 ? 2
                                                               : 0;
    if (length == 0 || at + length > text.size()) return {};
    std::uint32_t code = first & (0x7fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(at + i) & 0xc0) != 0x80) return {};
        code = code << 6 | (byte(at + i) & 0x3fu);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    if (code < least[length] || code > 0x10ffff || surrogate) return {};
    return {length, code, true};
}

/// Control characters, line separators, and what changes the direction of a text (UAX 9).
bool moves_the_cursor(std::uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029 ||
           code == 0x200e || code == 0x200f || code == 0x061c || (code >= 0x202a && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

void append_escaped(std::string& out, std::string_view bytes) {
    constexpr auto digits = "0123456789abcdef";
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '\n') out += "\\n";
        else if (c == '\t') out += "\\t";
        else if (c == '\r') out += "\\r";
        else out += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    }
}

template <typename Stays>
std::string shown(std::string_view text, Stays&& stays) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const utf8_character next = character_at(text, at);
        const std::string_view bytes = text.substr(at, next.length);
        if (stays(next.code) || (next.valid && !moves_the_cursor(next.code))) result += bytes;
        else append_escaped(result, bytes);
        at += next.length;
    }
    return result;
}

} // namespace

std::string shown_name(std::string_view name) {
    std::string result;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find('\\', begin), name.size());
        result += shown(name.substr(begin, end - begin), [](std::uint32_t) { return false; });
        if (end != name.size()) result += "\\\\";
        begin = end + 1;
    }
    return result;
}

std::string shown_text(std::string_view text) {
    return shown(text, [](std::uint32_t code) { return code == '\n' || code == '\t'; });
}

} // namespace sfpu
