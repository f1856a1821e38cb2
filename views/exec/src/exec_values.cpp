#include "exec_values.h"

namespace sfpu::views {

std::string describe(const simdjson::dom::element& value) {
    constexpr std::size_t longest = 40;
    if (simdjson::dom::array elements; !value.get(elements))
        return "an array of " + std::to_string(elements.size());
    if (value.is_object()) return "an object";
    std::string_view text;
    if (value.get(text)) return simdjson::to_string(value);
    return "'" + std::string(text.substr(0, longest)) + (text.size() <= longest ? "'" : "...'");
}

std::string to_string(const place& where) {
    std::string text = where.field;
    if (!where.key.empty()) text += "." + std::string(where.key);
    if (where.first >= 0) text += "[" + std::to_string(where.first) + "]";
    if (where.second >= 0) text += "[" + std::to_string(where.second) + "]";
    if (!where.setting.empty()) text += "." + std::string(where.setting);
    if (where.in_setting >= 0) text += "[" + std::to_string(where.in_setting) + "]";
    return text;
}

void refuse(const std::string& message) { throw request_error("bad-request", message); }
void refuse(const place& where, const request_value& found, const std::string& expected) {
    refuse(to_string(where) + ": found " + describe(found) + ", expected " + expected);
}

bool read_boolean(const request_value& value, const place& where) {
    bool result = false;
    if (value.get(result)) refuse(where, value, "true or false");
    return result;
}

std::string_view read_string(const request_value& value, const place& where, const char* expected) {
    std::string_view result;
    if (value.get(result)) refuse(where, value, expected);
    return result;
}

std::uint32_t read_integer(const request_value& value, const place& where, std::uint32_t maximum) {
    std::uint64_t result = 0;
    if (value.get(result) || result > maximum)
        refuse(where, value, "an integer from 0 to " + std::to_string(maximum));
    return static_cast<std::uint32_t>(result);
}

simdjson::dom::array read_array(const request_value& value, const place& where, const char* expected) {
    simdjson::dom::array result;
    if (value.get(result)) refuse(where, value, expected);
    return result;
}
simdjson::dom::array read_array(const request_value& value, const place& where, std::size_t size,
                                const char* elements) {
    simdjson::dom::array result;
    if (value.get(result) || result.size() != size)
        refuse(where, value, std::to_string(size) + " " + elements);
    return result;
}
simdjson::dom::object read_object(const request_value& value, const place& where, const char* expected) {
    simdjson::dom::object result;
    if (value.get(result)) refuse(where, value, expected);
    return result;
}

std::optional<unsigned> parse_index(std::string_view text, unsigned limit) {
    if (text.empty() || text.size() > 4 || (text.size() > 1 && text.front() == '0')) return std::nullopt;
    unsigned value = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return std::nullopt;
        value = value * 10 + static_cast<unsigned>(c - '0');
    }
    return value < limit ? std::optional(value) : std::nullopt;
}

lanes read_lanes(const request_value& value, const place& where) {
    if (value.is_string()) return broadcast(read_hex(value, where));
    simdjson::dom::array elements;
    if (value.get(elements) || elements.size() != lane_count)
        refuse(where, value, "a string of 8 hexadecimal digits or an array of 32 of them");
    lanes result;
    unsigned lane = 0;
    for (const request_value element : elements) {
        result[lane] = read_hex(element, where.at(lane));
        ++lane;
    }
    return result;
}

} // namespace sfpu::views
