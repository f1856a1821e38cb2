#include <sfpu/analysis/json_nesting.h>

#include <sfpu/analysis/text_files.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace sfpu::analysis {
namespace {

/// The first place of which `is_found` says yes; npos if there is none. It is asked of each character that is
/// in no string.
template <class predicate>
std::size_t find_outside_strings(std::string_view text, const predicate& is_found) {
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"') in_string = !in_string;
        else if (in_string && text[i] == '\\') ++i;
        else if (!in_string && is_found(text[i])) return i;
    }
    return std::string_view::npos;
}

/// Where brackets nest too deep; npos if nowhere.
std::size_t too_deep_at(std::string_view text) {
    unsigned depth = 0;
    return find_outside_strings(text, [&](char c) {
        if (c == '[' || c == '{') return ++depth > deepest_json;
        if ((c == ']' || c == '}') && depth != 0) --depth;
        return false;
    });
}

/// Behind the first key of an object that is too much; npos if there is none.
std::size_t crowded_at(std::string_view text) {
    std::vector<std::size_t> keys; // of the brackets that are open
    return find_outside_strings(text, [&](char c) {
        if (c == '[' || c == '{') keys.push_back(0);
        if ((c == ']' || c == '}') && !keys.empty()) keys.pop_back();
        return c == ':' && !keys.empty() && ++keys.back() > most_json_keys;
    });
}

} // namespace

bool nests_shallowly(std::string_view json) { return too_deep_at(json) == std::string_view::npos; }

void check_nesting(const std::string& file, std::string_view json) {
    const std::size_t place = too_deep_at(json);
    if (place == std::string_view::npos) return;
    throw input_error(to_string(file, position_of(json, place)) + ": nested deeper than " +
                      std::to_string(deepest_json) + " levels");
}

bool has_few_keys(std::string_view json) { return crowded_at(json) == std::string_view::npos; }

void check_keys(const std::string& file, std::string_view json) {
    const std::size_t place = crowded_at(json);
    if (place == std::string_view::npos) return;
    throw input_error(to_string(file, position_of(json, place)) + ": more than " +
                      std::to_string(most_json_keys) + " keys in one object");
}

json_fault fault_of(const std::string& file, std::string_view text, const std::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: what is wrong", or without a
    // position "[json.exception.out_of_range.406] number overflow parsing '1e999'"
    std::string_view reason = error.what();
    std::size_t offset = 0;
    if (const auto* misspelt = dynamic_cast<const nlohmann::json::parse_error*>(&error)) {
        if (misspelt->byte != 0) offset = misspelt->byte - 1;
        const std::size_t colon = reason.find(": ", std::min(reason.find("column "), reason.size()));
        if (colon != std::string_view::npos) reason.remove_prefix(colon + 2);
    } else {
        if (const std::size_t bracket = reason.find("] "); bracket != std::string_view::npos)
            reason.remove_prefix(bracket + 2);
        const std::size_t quote = reason.find('\'');
        if (quote != std::string_view::npos) {
            const std::string_view number = reason.substr(quote + 1, reason.rfind('\'') - quote - 1);
            if (const std::size_t found = text.find(number); found != std::string_view::npos) offset = found;
        }
    }
    return {to_string(file, position_of(text, offset)), std::string(reason), offset};
}

} // namespace sfpu::analysis
