// Lines of standard input, however long they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <streambuf>
#include <string>

namespace sfpu::cli {

enum class line_end : std::uint8_t {
    found,
    too_long,  ///< more than `longest`
    no_memory, ///< more than there is memory for
    nothing    ///< the input is at its end
};

/// The next line without its end. One that is not kept is read to its end, and `line` means nothing then; one
/// that has no end within 256 MiB more is a user_error, which begins with `command`.
line_end read_line(std::streambuf& from, std::string& line, std::size_t longest, const char* command);

/// Throws user_error if there is no standard input: a directory, or a closed one, would count as one without
/// lines. `expected`: what the command takes.
void check_standard_input(const char* command, const char* expected);

} // namespace sfpu::cli
