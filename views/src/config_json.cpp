#include <sfpu/views/config_json.h>

#include "page_parts.h"

#include <nlohmann/json.hpp>

#include <string_view>

namespace sfpu::views {

nlohmann::ordered_json value_json(const parameter_row& row, const parameters& config) {
    const std::string text = row.text(config);
    if (row.type == parameter_type::integer) return std::stoull(text);
    if (text == "true") return true;
    if (text == "false") return false;
    return text;
}

std::string config_text(const parameters& config) {
    nlohmann::ordered_json document = nlohmann::ordered_json::object();
    for (const parameter_row& row : parameter_table()) {
        nlohmann::ordered_json* place = &document;
        std::string_view path = row.path;
        for (std::size_t dot; (dot = path.find('.')) != std::string_view::npos; path.remove_prefix(dot + 1))
            place = &(*place)[std::string(path.substr(0, dot))];
        (*place)[std::string(path)] = value_json(row, config);
    }
    return document_text(document);
}

} // namespace sfpu::views
