// What is wrong with a text that should be JSON, and where. Readers and writers of documents call themselves
// for each level, and an object that keeps the order of its keys looks through all of them for each new one:
// a text that nests deeper than any of ours, or has more keys in one object, is refused before they see it.
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>

namespace sfpu::analysis {

constexpr unsigned deepest_json = 64; ///< levels

/// Whether the brackets of a text, be it damaged, nest no deeper than that.
bool nests_shallowly(std::string_view json);
/// Throws input_error, with the position in the file, if they do.
void check_nesting(const std::string& file, std::string_view json);

constexpr std::size_t most_json_keys = 1000; ///< of one object

/// Whether no object of a text, be it damaged, has more keys than that.
bool has_few_keys(std::string_view json);
/// Throws input_error, with the position of the first one that is too much. For nlohmann::ordered_json, whose
/// objects take time for the square of their keys.
void check_keys(const std::string& file, std::string_view json);

/// Where a text that is JSON has the key or the element of a path as messages write it, "kernels[1].plain" or
/// "parameters.sfpu.latency.mad"; of a path that is not there, its deepest part that is.
std::size_t offset_in_json(std::string_view json, std::string_view path);

/// Where the parser of nlohmann/json found what it threw as, "file:12:3", and what is wrong, without its own
/// number and position.
struct json_fault {
    std::string place, reason;
    std::size_t offset = 0; ///< in the text
};
json_fault fault_of(const std::string& file, std::string_view text, const std::exception& error);

} // namespace sfpu::analysis
