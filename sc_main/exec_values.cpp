#include "exec_values.h"

#include <string_view>

namespace sfpu::cli {

std::string describe(const simdjson::dom::element& value) {
    constexpr std::size_t longest = 40;
    if (simdjson::dom::array elements; !value.get(elements))
        return "an array of " + std::to_string(elements.size());
    if (value.is_object()) return "an object";
    std::string_view text;
    if (value.get(text)) return simdjson::to_string(value);
    return "'" + std::string(text.substr(0, longest)) + (text.size() <= longest ? "'" : "...'");
}

} // namespace sfpu::cli
