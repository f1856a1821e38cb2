#include "json_nesting.h"

#include "program.h"

namespace sfpu::cli {
namespace {

/// Where brackets nest too deep; npos if nowhere.
std::size_t too_deep_at(std::string_view text) {
    unsigned depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        switch (text[i]) {
        case '\\':
            if (in_string) ++i;
            break;
        case '"': in_string = !in_string; break;
        case '[':
        case '{':
            if (!in_string && ++depth > deepest_json) return i;
            break;
        case ']':
        case '}':
            if (!in_string && depth != 0) --depth;
            break;
        default: break;
        }
    }
    return std::string_view::npos;
}

} // namespace

bool nests_shallowly(std::string_view json) { return too_deep_at(json) == std::string_view::npos; }

void check_nesting(const std::string& file, std::string_view json) {
    const std::size_t place = too_deep_at(json);
    if (place == std::string_view::npos) return;
    throw input_error(to_string(file, position_of(json, place)) + ": nested deeper than " +
                      std::to_string(deepest_json) + " levels");
}

} // namespace sfpu::cli
