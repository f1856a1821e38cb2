#include <sfpu/analysis/compiler_messages.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string_view>

namespace sfpu::analysis {
namespace {

constexpr std::string_view error_mark = "error:";

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The word that begins nearest to a place; what is no part of a word may stand in between.
std::string word_from(std::string_view line, std::size_t at) {
    while (at < line.size() && !is_word(line[at])) ++at;
    std::size_t end = at;
    while (end < line.size() && is_word(line[end])) ++end;
    return std::string(line.substr(at, end - at));
}
/// The word that ends nearest to a place.
std::string word_until(std::string_view line, std::size_t at) {
    while (at > 0 && !is_word(line[at - 1])) --at;
    std::size_t begin = at;
    while (begin > 0 && is_word(line[begin - 1])) --begin;
    return std::string(line.substr(begin, at - begin));
}

/// The name that a line is about if the pattern fits it. Errors have no name.
std::optional<std::string> name_by(const message_pattern& pattern, std::string_view line) {
    const std::string_view before = pattern.before, behind = pattern.behind;
    std::size_t from = 0;
    if (!before.empty()) {
        from = line.find(before);
        if (from == line.npos) return std::nullopt;
        from += before.size();
    }
    const std::size_t to = behind.empty() ? line.npos : line.find(behind, from);
    if (!behind.empty() && to == line.npos) return std::nullopt;
    if (pattern.kind == message_kind::error) return std::string();
    if (behind.empty()) return word_from(line, from);
    if (before.empty()) return word_until(line, to);
    return std::string(line.substr(from, to - from));
}

/// "file.cpp:12:3: ..." and "file.cpp:12: ...", but not "In file included from file.cpp:12:".
void read_place(compiler_message& message) {
    const std::string& line = message.text;
    if (line.rfind("In file included from ", 0) == 0) return;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || colon == 0) return;
    char* end = nullptr;
    const unsigned long number = std::strtoul(line.c_str() + colon + 1, &end, 10);
    if (end == line.c_str() + colon + 1 || *end != ':' || number == 0) return;
    message.file = line.substr(0, colon);
    message.line = static_cast<unsigned>(number);
}

compiler_message message_of(std::string line) {
    compiler_message message;
    message.text = std::move(line);
    message.is_error = message.text.find(error_mark) != std::string::npos;
    read_place(message);
    for (const message_pattern& pattern : message_patterns()) {
        if (pattern.kind == message_kind::undeclared_name && !message.is_error) continue;
        const auto name = name_by(pattern, message.text);
        if (!name || (name->empty() && pattern.kind != message_kind::error)) continue;
        message.kind = pattern.kind;
        message.name = *name;
        break;
    }
    return message;
}

} // namespace

const std::vector<message_pattern>& message_patterns() {
    using kind = message_kind;
    static const std::vector<message_pattern> patterns{
        {"GCC", kind::undeclared_name, "", " was not declared in this scope"},
        {"GCC", kind::undeclared_name, "there are no arguments to ", ""},
        {"Clang", kind::undeclared_name, "use of undeclared identifier ", ""},
        {"ld", kind::undefined_symbol, "undefined reference to `", "'"},
        {"gold", kind::undefined_symbol, "undefined reference to '", "'"},
        {"lld, mold", kind::undefined_symbol, "undefined symbol: ", ""},
        {"GCC, Clang, linkers", kind::error, error_mark.data(), ""},
    };
    return patterns;
}

std::vector<compiler_message> read_messages(const std::string& output) {
    std::vector<compiler_message> messages;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) messages.push_back(message_of(std::move(line)));
    return messages;
}

std::vector<std::string> names_in(const std::vector<compiler_message>& messages, message_kind kind) {
    std::vector<std::string> names;
    for (const compiler_message& each : messages)
        if (each.kind == kind && std::find(names.begin(), names.end(), each.name) == names.end())
            names.push_back(each.name);
    return names;
}

std::string first_error(const std::string& output) {
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t found = line.find(error_mark);
        if (found == std::string::npos) continue;
        const std::string place = line.substr(0, found);
        const std::size_t slash = place.rfind('/'), message = found + error_mark.size() + 1;
        return (slash == std::string::npos ? place : place.substr(slash + 1)) +
               (message < line.size() ? line.substr(message) : std::string());
    }
    std::string start = output.substr(0, 200);
    std::replace(start.begin(), start.end(), '\n', ' ');
    return start;
}

} // namespace sfpu::analysis
