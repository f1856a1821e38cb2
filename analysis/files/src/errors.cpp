#include <sfpu/analysis/errors.h>

#include <sfpu/common/parameters.h>
#include <sfpu/common/shown_name.h>

#include <algorithm>
#include <utility>

namespace sfpu::analysis {

namespace {

std::string message_of(const std::vector<finding>& faults) {
    std::string text;
    for (std::size_t i = 0; i < std::min(most_shown_faults, faults.size()); ++i)
        text += (i ? "\n" : "") + heading_of(faults[i]);
    if (faults.size() > most_shown_faults)
        text += "\n" + shown_name(faults[0].where.file) + ": " +
                std::to_string(faults.size() - most_shown_faults) + " more errors";
    return text;
}

} // namespace

input_error::input_error(std::vector<finding> faults)
    : user_error(message_of(faults)), findings_(std::move(faults)) {}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates,
                       std::string_view otherwise) {
    const std::string near = nearest(word, candidates);
    return near.empty() ? std::string(otherwise) : "; the nearest is '" + near + "'";
}

text_position position_of(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    const std::size_t line_start = before.rfind('\n') + 1; // npos + 1 is 0
    return {static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1,
            before.size() - line_start + 1};
}

std::string to_string(const std::string& file, text_position where) {
    return shown_name(file) + ":" + std::to_string(where.line) + ":" + std::to_string(where.column);
}

std::string shortened(std::string_view message) {
    constexpr std::size_t most = 400;
    std::string text;
    for (std::size_t begin = 0; begin <= message.size();) {
        const std::size_t end = std::min(message.find('\n', begin), message.size());
        const std::string_view line = message.substr(begin, end - begin);
        if (line.size() <= most) {
            text += line;
        } else { // what was found stands at the beginning, what was expected at the end
            text += line.substr(0, most / 2);
            text += " ... (" + std::to_string(line.size() - most) + " characters) ... ";
            text += line.substr(line.size() - most / 2);
        }
        if (end != message.size()) text += '\n';
        begin = end + 1;
    }
    return text;
}

} // namespace sfpu::analysis
