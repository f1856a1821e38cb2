#include "source_parts.h"

#include <nlohmann/json.hpp>

namespace sfpu::views {

using source_part = nlohmann::ordered_json;

source_part source_json(const analysis::given_source& given) {
    source_part form = {
        {"file", given.file},
        {"function", given.function.empty() ? source_part(nullptr) : source_part(given.function)},
        {"form", given.form}};
    if (!given.told.empty()) form["told"] = given.told;
    return form;
}

void add_source(source_part& to, const analysis::given_source& given) {
    if (!given.form.empty()) to["source"] = source_json(given);
}

void put_place(source_part& to, const std::string& prefix, const isa::word_origin& place) {
    to[prefix + "line"] = place.line ? source_part(place.line) : source_part(nullptr);
    if (place.address) to[prefix + "address"] = *place.address;
    if (place.cpp_line) to[prefix + "cpp"] = {{"file", place.cpp_file}, {"line", place.cpp_line}};
}

} // namespace sfpu::views
