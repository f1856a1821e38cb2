// Values of a request of the machine interface: read, and named in messages.
#pragma once

#include <sfpu/views/exec_protocol.h>

#include <simdjson.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sfpu::views {

/// Its get() returns an error code, which is 0 if the type fits.
using request_value = simdjson::dom::element;

/// Never longer than a line, whatever the value holds.
std::string describe(const request_value& value);

/// Where a value stands in the request. Text is made of it only if there is something to complain about.
struct place {
    const char* field;
    std::string_view key = {};
    std::ptrdiff_t first = -1, second = -1; ///< indices, -1: none
    std::string_view setting = {};          ///< of an object at these indices
    std::ptrdiff_t in_setting = -1;         ///< an index there

    place at(std::size_t index) const {
        place element = *this;
        if (!setting.empty()) element.in_setting = static_cast<std::ptrdiff_t>(index);
        else (first < 0 ? element.first : element.second) = static_cast<std::ptrdiff_t>(index);
        return element;
    }
};
std::string to_string(const place& where);

[[noreturn]] void refuse(const std::string& message);
[[noreturn]] void refuse(const place& where, const request_value& found, const std::string& expected);

constexpr std::uint8_t no_digit = 0xf0;
constexpr std::array<std::uint8_t, 256> make_digit_values() {
    std::array<std::uint8_t, 256> values{};
    for (std::uint8_t& value : values) value = no_digit;
    for (std::uint8_t i = 0; i < 10; ++i) values['0' + i] = i;
    for (std::uint8_t i = 10; i < 16; ++i) values['a' + i - 10] = values['A' + i - 10] = i;
    return values;
}
inline constexpr std::array<std::uint8_t, 256> digit_values = make_digit_values();

template <typename Number>
std::optional<Number> parse_hex(std::string_view text, unsigned digits) {
    if (text.size() != digits) return std::nullopt;
    Number value = 0;
    std::uint32_t seen = 0;
    for (unsigned i = 0; i < digits; ++i) {
        const std::uint32_t digit = digit_values[static_cast<unsigned char>(text[i])];
        seen |= digit;
        value = value << 4 | digit;
    }
    return seen & no_digit ? std::nullopt : std::optional(value);
}

template <typename Number = std::uint32_t>
Number read_hex(const request_value& value, const place& where, unsigned digits = 8) {
    if (std::string_view text; !value.get(text))
        if (const auto number = parse_hex<Number>(text, digits)) return *number;
    refuse(where, value, "a string of " + std::to_string(digits) + " hexadecimal digits");
}
inline std::uint64_t read_long_hex(const request_value& value, const place& where, unsigned digits) {
    return read_hex<std::uint64_t>(value, where, digits);
}

bool read_boolean(const request_value& value, const place& where);
std::string_view read_string(const request_value& value, const place& where, const char* expected);
std::uint32_t read_integer(const request_value& value, const place& where, std::uint32_t maximum);
simdjson::dom::array read_array(const request_value& value, const place& where, const char* expected);
simdjson::dom::array read_array(const request_value& value, const place& where, std::size_t size,
                                const char* elements);
simdjson::dom::object read_object(const request_value& value, const place& where, const char* expected);
/// A decimal number below `limit` as a key of an object, written the one usual way.
std::optional<unsigned> parse_index(std::string_view text, unsigned limit);
/// 32 values, or one for all lanes.
lanes read_lanes(const request_value& value, const place& where);

} // namespace sfpu::views
