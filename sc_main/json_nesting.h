// How deep a JSON text may nest. Readers and writers of documents call themselves for each level, so a text that nests deeper
// than any of ours is refused before they see it.
#pragma once

#include <string>
#include <string_view>

namespace sfpu::cli {

constexpr unsigned deepest_json = 64; ///< levels

/// Whether the brackets of a text, be it damaged, nest no deeper than that.
bool nests_shallowly(std::string_view json);
/// Throws input_error, with the position in the file, if they do.
void check_nesting(const std::string& file, std::string_view json);

} // namespace sfpu::cli
