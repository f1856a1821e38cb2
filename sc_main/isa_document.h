// The catalogue of the instruction set (isa_catalogue.h) as JSON, as rows of text, and as docs/isa.md.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace sfpu::cli {

/// An array with one object for each architecture, opcode and modifier.
nlohmann::ordered_json isa_json();
/// The same as cells of a table, the first row being its head.
std::vector<std::vector<std::string>> isa_table();
/// The text of docs/isa.md.
std::string isa_markdown();

} // namespace sfpu::cli
