// What pages are made of: tables as text and in Markdown.
#pragma once

#include <sfpu/views/page.h>

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace sfpu::views {

/// JSON in lines, whatever bytes its texts have: those that are not UTF-8 become U+FFFD.
std::string document_text(const nlohmann::ordered_json& document);

page make_page(const nlohmann::ordered_json& document, std::string text);

/// Rows of text in columns as wide as their widest cell; the last column is ragged.
std::string page_table_text(const std::vector<std::vector<std::string>>& rows);

/// A line of a Markdown table.
std::string markdown_line(const std::vector<std::string>& cells);
/// The head of a Markdown table and the line below it.
std::string markdown_head(const std::vector<std::string>& names);

} // namespace sfpu::views
