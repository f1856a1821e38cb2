#include <sfpu/analysis/user_places.h>

#include <sfpu/common/shown_name.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace sfpu::analysis {
namespace {

/// "line 12", "lines 31, 32" in a sentence.
struct line_mention {
    std::size_t begin = std::string::npos, end = std::string::npos;
    std::vector<unsigned> lines;
};

line_mention next_line_mention(const std::string& text, std::size_t from) {
    constexpr std::string_view word = "line";
    for (std::size_t at = text.find(word, from); at != std::string::npos; at = text.find(word, at + 1)) {
        if (at != 0 && (std::isalnum(static_cast<unsigned char>(text[at - 1])) || text[at - 1] == '_'))
            continue;
        line_mention found{at, at, {}};
        std::size_t next = at + word.size();
        if (next < text.size() && text[next] == 's') ++next;
        for (std::string_view before = " "; text.compare(next, before.size(), before) == 0; before = ", ") {
            unsigned line = 0;
            const char* const first = text.data() + next + before.size();
            const auto [end, error] = std::from_chars(first, text.data() + text.size(), line);
            if (error != std::errc{}) break;
            found.lines.push_back(line);
            found.end = next = static_cast<std::size_t>(end - text.data());
        }
        if (!found.lines.empty()) return found;
    }
    return {};
}

std::string_view without_blanks(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
    return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

} // namespace

std::string mention_text(const isa::word_origin& place) {
    std::string text = place.line      ? "line " + std::to_string(place.line)
                       : place.address ? fmt::format("0x{:x}", *place.address)
                                       : "";
    if (place.cpp_line) {
        const std::string cpp = fmt::format("{}:{}", shown_name(place.cpp_file), place.cpp_line);
        text = text.empty() ? cpp : text + " (" + cpp + ")";
    }
    return text;
}

std::string location_text(const isa::word_origin& place) {
    std::string text = shown_name(place.file);
    if (place.line) text += ":" + std::to_string(place.line);
    else if (place.address) text += fmt::format(":0x{:x}", *place.address);
    if (place.cpp_line) text += fmt::format(" ({}:{})", shown_name(place.cpp_file), place.cpp_line);
    return text;
}

user_places::user_places(const isa::kernel& kernel) : file_(kernel.file) {
    for (const auto* section : {&kernel.init, &kernel.loop, &kernel.tail})
        for (const isa::source_word& each : *section)
            if (each.origin) origins_.emplace(each.line, kernel.origins[each.origin - 1]);
}

isa::word_origin user_places::of(unsigned line) const {
    if (const auto found = origins_.find(line); found != origins_.end()) return found->second;
    isa::word_origin here;
    here.file = file_;
    here.line = origins_.empty() ? line : 0; // the user knows no line of a translated text
    return here;
}

source_place user_places::place_of(unsigned line, std::string_view text, const given_source& given) const {
    if (origins_.empty()) return place_of_line(file_, text, line);
    const isa::word_origin origin = of(line);
    source_place place;
    if (origin.line && origin.file == given.file) place = place_of_line(origin.file, given.text, origin.line);
    place.file = origin.file;
    place.line = origin.line;
    if (!origin.line) place.source = without_blanks(place_of_line(file_, text, line).source);
    place.address = origin.address;
    place.cpp_file = origin.cpp_file;
    place.cpp_line = origin.cpp_line;
    return place;
}

std::string user_places::told(const std::string& sentence) const {
    if (origins_.empty()) return sentence;
    std::string text;
    std::size_t done = 0;
    for (line_mention at = next_line_mention(sentence, 0); at.begin != std::string::npos;
         at = next_line_mention(sentence, at.end)) {
        text.append(sentence, done, at.begin - done);
        for (std::size_t i = 0; i < at.lines.size(); ++i) {
            auto word = origins_.lower_bound(at.lines[i]); // a directive is about the word behind it
            if (word == origins_.end()) --word;
            text += (i ? ", " : "") + mention_text(word->second);
        }
        done = at.end;
    }
    return text.append(sentence, done, std::string::npos);
}

} // namespace sfpu::analysis
