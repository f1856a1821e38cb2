// The report of `llk`: JSON for programs, a page for people.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace sfpu::cli::llk {

/// How many headers compile and record, functions are equal, and so on, by chip.
nlohmann::ordered_json summary_of(const nlohmann::ordered_json& rows);
/// The summary as lines of text.
std::string summary_text(const nlohmann::ordered_json& summary);
/// A page that needs no other file.
std::string report_page(const nlohmann::ordered_json& rows, const nlohmann::ordered_json& summary);

} // namespace sfpu::cli::llk
