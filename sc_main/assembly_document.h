// The assembly language (isa/assembler.h) as JSON, as rows of text, and as docs/assembly.md.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace sfpu::cli {

/// {"directives": [...], "instructions": [...], "types": [...]}
nlohmann::ordered_json assembly_json();
/// Directives, then instructions, as cells of a table, the first row being its head.
std::vector<std::vector<std::string>> assembly_table();
/// The text of docs/assembly.md.
std::string assembly_markdown();

} // namespace sfpu::cli
