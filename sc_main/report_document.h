// The table of diagnostics (report.h) as JSON, as rows of text, and as the pages docs/report-ids.md and
// docs/hazards.md.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace sfpu::cli {

/// An array with one object for each diagnostic.
nlohmann::ordered_json reports_json();
/// The same as cells of a table, the first row being its head.
std::vector<std::vector<std::string>> reports_table();
/// The text of docs/report-ids.md.
std::string report_ids_markdown();

// What is said of one diagnostic, named by its id or the last parts of it, or of all. Throw user_error if it
// is unknown.
/// An object; an array for "all".
nlohmann::ordered_json explanation_json(const std::string& id);
std::string explanation_text(const std::string& id);
/// A section of docs/hazards.md; the page for "all".
std::string explanation_markdown(const std::string& id);

} // namespace sfpu::cli
