// Where in the source the words of a diagnostic stand.
#pragma once

#include <sfpu/common/report.h>

#include <cstdint>
#include <functional>
#include <string>

namespace sfpu::analysis {

/// The source line of an issued word, 0 if it has none.
using line_of_word = std::function<unsigned(std::int64_t word)>;

/// The word that a diagnostic is about: its own, or the first one that its message names ("word 12"); -1 if
/// none.
std::int64_t word_of(const diagnostic& what);

/// The message with "line 7" where models say "word 12", for they count words and know no lines.
std::string with_lines(const std::string& message, const line_of_word& line_of);

/// What stands for "word 12": "line 7", "0x5f08"; the mention stays if it is empty.
using text_of_word = std::function<std::string(std::int64_t word)>;
std::string with_places(const std::string& message, const text_of_word& text_of);

} // namespace sfpu::analysis
