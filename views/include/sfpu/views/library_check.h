// The check of a kernel library: JSON for programs, a page for people.
#pragma once

#include <sfpu/analysis/library_check.h>

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace sfpu::views {

/// {"summary": {"bh": {...}}, "rows": [...]}
nlohmann::ordered_json to_json(const analysis::library_answer& answer);
nlohmann::ordered_json to_json(const std::vector<analysis::library_row>& rows);
/// What to_json() wrote; nothing if it is anything else.
std::optional<std::vector<analysis::library_row>> library_rows_of(const nlohmann::ordered_json& rows);

/// The summary, a line for each chip.
std::string to_text(const analysis::library_answer& answer);
/// Schedules of the calls that have one, a line each, and the summary of each chip.
std::string schedules_text(const analysis::library_answer& answer);
/// The same as a table: arch, header, function, words, plain, macro, ours, bound, status, macros, seconds,
/// reason, files.
std::string schedules_csv(const analysis::library_answer& answer);
/// A page that needs no other file.
std::string to_page(const analysis::library_answer& answer);

} // namespace sfpu::views
