// What all commands of the program share: exit codes, the error that is the user's to repair, files.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sfpu::cli {

/// Exit codes are a promise to scripts.
enum exit_code : int {
    exit_success = 0,
    exit_usage = 1,          ///< wrong usage, unreadable input, bad configuration
    exit_program_failed = 2, ///< the simulated program broke a rule, or an .expect did not match
    exit_internal = 3,
    exit_interrupted = 130, ///< Ctrl-C; what was reached by then is written
};

/// Ends the program with exit_usage. The message names what was found and what was expected.
class user_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A fault in an input file. The message begins with the file's position, as editors understand it.
class input_error : public user_error {
public:
    using user_error::user_error;
};

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

/// A message of which nobody has to read too much: long lines are cut, with the number of characters left out.
std::string shortened(std::string_view message);

/// Whole files. All throw user_error with the system's reason, or if a file is larger than anything that is meant. An input is a file that no output may replace,
/// or standard input if its name is "-"; a file that is written appears whole or not at all (output_file.h).
std::string read_file(const std::string& path);
std::string read_input(const std::string& path, std::size_t largest = std::size_t{256} << 20);
void write_file(const std::string& path, std::string_view content);

/// The user_error for an output file, from errno.
user_error cannot_write(const std::string& path);

/// Where a command writes its result: the file, or standard output if the name is empty or "-".
void write_output(const std::string& path, std::string_view content);
/// Prints a report, unless an output goes to standard output.
void write_report(std::string_view text);

} // namespace sfpu::cli
