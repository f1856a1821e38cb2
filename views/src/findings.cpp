#include <sfpu/views/findings.h>

#include <sfpu/analysis/errors.h>
#include <sfpu/common/shown_name.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::views {
namespace {

using analysis::finding;

constexpr unsigned longest_excerpt = 160; ///< characters of a source line

/// ECMA-48: bold, and a colour.
const char* colour_of(severity level) {
    switch (level) {
    case severity::error: return "\x1b[1;31m";
    case severity::warning: return "\x1b[1;35m";
    case severity::info: break;
    }
    return "\x1b[1;36m";
}

std::string painted(const std::string& text, const char* colour, colouring paint) {
    return paint == colouring::on ? colour + text + "\x1b[0m" : text;
}

/// As many blanks as a text is wide, its tabs kept.
std::string blanks_for(std::string_view text) {
    std::string blanks;
    for (const char c : text)
        if (c == '\t') blanks += c;
        else if ((static_cast<unsigned char>(c) & 0xc0) != 0x80)
            blanks += ' '; // continues no character of UTF-8
    return blanks;
}

/// The source line, and below it what is meant.
std::string excerpt(const finding& what, colouring paint) {
    const analysis::source_place& place = what.where;
    if (place.source.empty()) return "";
    if (place.line == 0) // of a file without lines: the instruction
        return place.address ? fmt::format("{:>5x} | {}\n", *place.address, shown_text(place.source)) : "";
    const bool cut = place.source.size() > longest_excerpt;
    const std::string source = cut ? place.source.substr(0, longest_excerpt) + " ..." : place.source;
    std::string text = fmt::format("{:>5} | {}\n", place.line, shown_text(source));
    const std::size_t begin = place.column == 0 ? 0 : place.column - 1;
    if (place.column == 0 || begin > std::min<std::size_t>(source.size(), longest_excerpt)) return text;
    const std::size_t end = std::clamp<std::size_t>(place.end == 0 ? 0 : place.end - 1, begin, source.size());
    const std::size_t width = std::max<std::size_t>(1, blanks_for(source.substr(begin, end - begin)).size());
    return text + "      | " + blanks_for(shown_text(source.substr(0, begin))) +
           painted("^" + std::string(width - 1, '~'), "\x1b[1;32m", paint) + "\n";
}

} // namespace

std::string finding_text(const finding& whole, colouring paint) {
    finding what = whole;
    what.message = analysis::shortened(whole.message);
    const std::string heading = heading_of(what);
    const std::string level = std::string(to_string(what.level)) + ":";
    const std::size_t level_at = heading.size() - what.message.size() - 1 - level.size();
    return shown_text(heading.substr(0, level_at)) + painted(level, colour_of(what.level), paint) + " " +
           shown_text(what.message) + (what.id.empty() ? "" : " [" + what.id + "]") + "\n" +
           excerpt(what, paint);
}

std::string to_text(const std::vector<finding>& findings, std::size_t most, colouring paint) {
    std::string text;
    for (std::size_t i = 0; i < std::min(most, findings.size()); ++i)
        text += finding_text(findings[i], paint);
    if (findings.size() > most)
        text +=
            fmt::format("{}: {} more errors\n", shown_name(findings[0].where.file), findings.size() - most);
    return text;
}

} // namespace sfpu::views
