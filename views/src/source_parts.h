// What a kernel was before it was assembly, as JSON answers have it.
#pragma once

#include <sfpu/analysis/user_places.h>

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace sfpu::views {

/// {"file", "function", "form"}, and "told" where a kernel was translated.
nlohmann::ordered_json source_json(const analysis::given_source& given);
/// Adds "source" unless nobody said what was given.
void add_source(nlohmann::ordered_json& to, const analysis::given_source& given);

/// Sets `line` (null if it has none), and `address` and `cpp` where they are known, each with a prefix like
/// "moved_". An address is a number.
void put_place(nlohmann::ordered_json& to, const std::string& prefix, const isa::word_origin& place);

} // namespace sfpu::views
