#include "line_input.h"

#include "program.h"

#include <fmt/format.h>

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>

namespace sfpu::cli {
namespace {

constexpr std::size_t longest_skipped_line = std::size_t{256} << 20;

} // namespace

line_end read_line(std::streambuf& from, std::string& line, std::size_t longest, const char* command) {
    using traits = std::char_traits<char>;
    line.clear();
    bool any = false;
    line_end found = line_end::found;
    std::size_t skipped = 0;
    for (;;) {
        const traits::int_type next = from.sbumpc();
        if (traits::eq_int_type(next, traits::eof())) return any ? found : line_end::nothing;
        any = true;
        const char character = traits::to_char_type(next);
        if (character == '\n') return found;
        if (found == line_end::found && line.size() == longest) found = line_end::too_long;
        if (found == line_end::found) {
            try {
                line += character;
            } catch (const std::bad_alloc&) {
                found = line_end::no_memory;
                line = std::string(); // somebody has to say so
            }
        } else if (++skipped == longest_skipped_line) {
            throw user_error(std::string(command) + ": found a line without an end on standard input");
        }
    }
}

void check_standard_input(const char* command, const char* expected) {
    char none = 0;
    if (read(STDIN_FILENO, &none, 0) != 0)
        throw user_error(fmt::format("{}: standard input cannot be read: {}; expected {}", command,
                                     std::strerror(errno), expected));
}

} // namespace sfpu::cli
