#include <sfpu/analysis/word_places.h>

#include <cctype>
#include <charconv>
#include <string_view>

namespace sfpu::analysis {
namespace {

constexpr std::string_view mark = "word ";

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

struct mention {
    std::size_t begin, end; ///< of "word 12"; begin is npos if there is none
    std::int64_t word = -1;
};

mention next_mention(const std::string& text, std::size_t from) {
    for (std::size_t at = text.find(mark, from); at != std::string::npos; at = text.find(mark, at + 1)) {
        if (at != 0 && is_letter(text[at - 1])) continue;
        mention found{at, at, -1};
        const char* const first = text.data() + at + mark.size();
        const auto [end, error] = std::from_chars(first, text.data() + text.size(), found.word);
        if (error != std::errc{} || found.word < 0) continue;
        found.end = static_cast<std::size_t>(end - text.data());
        return found;
    }
    return {std::string::npos, std::string::npos, -1};
}

} // namespace

std::int64_t word_of(const diagnostic& what) {
    return what.word >= 0 ? what.word : next_mention(what.message, 0).word;
}

std::string with_lines(const std::string& message, const line_of_word& line_of) {
    return with_places(message, [&](std::int64_t word) {
        const unsigned line = line_of(word);
        return line ? "line " + std::to_string(line) : std::string();
    });
}

std::string with_places(const std::string& message, const text_of_word& text_of) {
    std::string text;
    std::size_t done = 0;
    for (mention at = next_mention(message, 0); at.begin != std::string::npos;
         at = next_mention(message, at.end)) {
        const std::string place = text_of(at.word);
        text.append(message, done, (place.empty() ? at.end : at.begin) - done);
        text += place;
        done = at.end;
    }
    return text.append(message, done, std::string::npos);
}

} // namespace sfpu::analysis
