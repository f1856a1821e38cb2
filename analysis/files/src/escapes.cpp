#include <sfpu/analysis/escapes.h>

#include <sfpu/common/shown_name.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace sfpu::analysis {
namespace {

/// In single quotes; `quote` stands for one inside.
std::string in_single_quotes(std::string_view text, std::string_view quote) {
    std::string result = "'";
    for (const char c : text) {
        if (c == '\'') result += quote;
        else result += c;
    }
    return result + "'";
}

bool means_itself(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("-_./+,:=@%").find(c) != std::string_view::npos;
}

} // namespace

std::string gnuplot_text(std::string_view text) {
    const bool plain = std::none_of(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
    std::string shown = plain ? std::string(text) : shown_name(text);
    constexpr std::string_view end_of_data =
        "]]>"; // gnuplot escapes & and < alone, and no XML has this in a text
    for (std::size_t at = 0; (at = shown.find(end_of_data, at)) != std::string::npos;)
        shown.replace(at, end_of_data.size(), "]]\\x3e");
    return in_single_quotes(shown, "''");
}

std::string gnuplot_file(std::string_view path) {
    // Of what stands in double quotes gnuplot takes apart escapes, and runs what stands in backticks.
    std::string result = "\"";
    for (const char c : path) {
        if (means_itself(c)) result += c;
        else result += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    }
    return result + '"';
}

std::string shell_word(std::string_view text) { return in_single_quotes(text, "'\\''"); }

std::string readable_shell_word(const std::string& text) {
    const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), means_itself);
    return plain ? text : shell_word(text);
}

} // namespace sfpu::analysis
