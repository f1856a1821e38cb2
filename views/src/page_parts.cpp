#include "page_parts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace sfpu::views {
namespace {

/// A cell of a Markdown table.
std::string markdown_cell(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '|') escaped += '\\';
        escaped += c;
    }
    return escaped;
}

} // namespace

std::string document_text(const nlohmann::ordered_json& document) {
    return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

page make_page(const nlohmann::ordered_json& document, std::string text) {
    return {document_text(document), std::move(text)};
}

std::string page_table_text(const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::string text;
    for (const auto& row : rows) {
        for (std::size_t i = 0; i + 1 < row.size(); ++i) text += fmt::format("{:<{}}  ", row[i], widths[i]);
        text += row.back() + "\n";
    }
    return text;
}

std::string markdown_line(const std::vector<std::string>& cells) {
    std::string line = "|";
    for (const std::string& text : cells) line += ' ' + markdown_cell(text) + " |";
    return line + '\n';
}

std::string markdown_head(const std::vector<std::string>& names) {
    std::string rule = "|";
    for (std::size_t i = 0; i < names.size(); ++i) rule += "---|";
    return markdown_line(names) + rule + '\n';
}

} // namespace sfpu::views
