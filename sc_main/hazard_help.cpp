#include "hazard_page.h"

#include <algorithm>
#include <string_view>

namespace sfpu::cli {
namespace {

/// The text of a paragraph in one line.
std::string unwrapped(std::string_view paragraph) {
    std::string line;
    for (const char each : paragraph) line += each == '\n' ? ' ' : each;
    while (!line.empty() && line.back() == ' ') line.pop_back();
    return line;
}

std::string_view section_of(std::string_view name) {
    const std::string_view page = hazard_page;
    const std::string heading = "\n## `" + std::string(name) + "`\n";
    const std::size_t found = page.find(heading);
    if (found == std::string_view::npos) return {};
    const std::size_t begin = found + heading.size();
    return page.substr(begin, page.find("\n## ", begin) - begin);
}

constexpr bool starts_with(std::string_view text, std::string_view beginning) {
    return text.substr(0, beginning.size()) == beginning;
}

} // namespace

hazard_help help_for(const report_row& row) {
    constexpr std::string_view fence = "```\n", cure = "Cure: ", only = "Only ";
    hazard_help help;
    std::string_view rest = section_of(row.name);
    while (!rest.empty()) {
        const bool is_code = starts_with(rest, fence);
        const std::size_t begin = is_code ? fence.size() : 0;
        const std::string_view closing = is_code ? fence : std::string_view("\n\n");
        const std::size_t end = std::min(rest.find(closing, begin), rest.size());
        const std::string_view part = rest.substr(begin, end - begin);
        if (is_code) {
            help.example = part;
            help.is_assembly = true;
        } else if (starts_with(part, cure)) {
            help.cure = unwrapped(part.substr(cure.size()));
        } else if (starts_with(part, only) && help.example.empty() && !starts_with(row.explanation, only)) {
            help.example = unwrapped(part) + "\n";
        }
        rest.remove_prefix(std::min(end + closing.size(), rest.size()));
        while (!rest.empty() && rest.front() == '\n') rest.remove_prefix(1);
    }
    return help;
}

} // namespace sfpu::cli
