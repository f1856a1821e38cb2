// Errors that are the user's to repair, and what their messages are made of.
#pragma once

#include <sfpu/analysis/finding.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sfpu::analysis {

/// The message names what was found and what was expected.
class user_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Faults in an input file. The message begins with the file's position, as editors understand it.
class input_error : public user_error {
public:
    using user_error::user_error;
    /// The message has the first 20, a line each: those behind are often of the first ones' making.
    explicit input_error(std::vector<finding> faults);

    /// Empty if only the message is known.
    const std::vector<finding>& findings() const { return findings_; }

private:
    std::vector<finding> findings_;
};
constexpr std::size_t most_shown_faults = 20;

/// "; the nearest is 'rows'", or `otherwise` if no candidate is near.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates,
                       std::string_view otherwise = "");

/// Line and column, both from 1, of an offset in a text.
struct text_position {
    std::size_t line = 1, column = 1;
};
text_position position_of(std::string_view text, std::size_t offset);

/// "file:12:3"
std::string to_string(const std::string& file, text_position where);

/// A message of which nobody has to read too much: long lines are cut, with the number of characters left
/// out.
std::string shortened(std::string_view message);

} // namespace sfpu::analysis
