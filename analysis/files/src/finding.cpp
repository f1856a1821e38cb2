#include <sfpu/analysis/finding.h>

#include <sfpu/common/shown_name.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace sfpu::analysis {
namespace {

constexpr std::string_view blank_characters = " \t\r\v\f";

bool is_of_a_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' ||
           (static_cast<unsigned char>(c) & 0x80);
}

std::string_view line_of(std::string_view text, unsigned line) {
    if (line == 0) return {};
    for (; line > 1; --line) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    std::string_view found = text.substr(0, text.find('\n'));
    if (!found.empty() && found.back() == '\r') found.remove_suffix(1);
    return found;
}

/// As assembly has them.
std::string_view without_remark(std::string_view line) {
    return line.substr(0, std::min({line.find_first_of(";#"), line.find("//"), line.size()}));
}

/// Words with one blank between them: an editor that indents a line changes nothing.
std::string words_of(std::string_view line) {
    std::string words;
    for (const char c : without_remark(line)) {
        const bool blank = blank_characters.find(c) != std::string_view::npos;
        if (!blank) words += c;
        else if (!words.empty() && words.back() != ' ') words += ' ';
    }
    while (!words.empty() && words.back() == ' ') words.pop_back();
    return words;
}

/// FNV-1a, 64 bits.
std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return hash;
}

} // namespace

source_place place_of_line(const std::string& file, std::string_view text, unsigned line) {
    source_place place{file, line, 0, 0, std::string(line_of(text, line)), {}, {}, 0};
    const std::string_view code = without_remark(place.source);
    const std::size_t begin = code.find_first_not_of(blank_characters);
    if (begin == std::string_view::npos) return place;
    place.column = static_cast<unsigned>(begin) + 1;
    place.end = static_cast<unsigned>(code.find_last_not_of(blank_characters)) + 2;
    return place;
}

source_place place_of_word(const std::string& file, std::string_view text, unsigned line, unsigned column) {
    source_place place{file, line, column, column + 1, std::string(line_of(text, line)), {}, {}, 0};
    for (std::size_t at = column;
         column != 0 && at <= place.source.size() && is_of_a_word(place.source[at - 1]); ++at)
        place.end = static_cast<unsigned>(at) + 1;
    return place;
}

std::string heading_of(const source_place& where) {
    std::string text = shown_name(where.file);
    if (where.line != 0) text += fmt::format(":{}", where.line);
    else if (where.address) text += fmt::format(":0x{:x}", *where.address);
    if (where.line != 0 && where.column != 0) text += fmt::format(":{}", where.column);
    if (where.cpp_line != 0) text += fmt::format(" ({}:{})", shown_name(where.cpp_file), where.cpp_line);
    return text;
}

std::string heading_of(const finding& what) {
    return fmt::format("{}: {}: {}", heading_of(what.where), to_string(what.level), what.message);
}

std::vector<std::string> fingerprints(const std::vector<finding>& findings) {
    std::map<std::uint64_t, unsigned> so_far;
    std::vector<std::string> result;
    for (const finding& each : findings) {
        const std::uint64_t hash = hash_of(each.id + '\n' + words_of(each.where.source));
        result.push_back(fmt::format("{:016x}:{}", hash, ++so_far[hash]));
    }
    return result;
}

std::string base_name_of(const std::string& file) { return file.substr(file.find_last_of('/') + 1); }

std::vector<bool> new_ones(const std::vector<finding>& findings, const known_findings& known) {
    std::vector<bool> result;
    const std::vector<std::string> marks = fingerprints(findings);
    for (std::size_t i = 0; i < findings.size(); ++i)
        result.push_back(known.count({base_name_of(findings[i].where.file), marks[i]}) == 0);
    return result;
}

bool any_fails(const std::vector<finding>& findings, const known_findings* known) {
    const std::vector<bool> fresh = new_ones(findings, known ? *known : known_findings());
    for (std::size_t i = 0; i < findings.size(); ++i)
        if (fresh[i] && findings[i].fails) return true;
    return false;
}

} // namespace sfpu::analysis
