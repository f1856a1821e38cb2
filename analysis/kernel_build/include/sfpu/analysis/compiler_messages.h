// What compilers and linkers say, read by a table: each phrase that we know is one row.
#pragma once

#include <string>
#include <vector>

namespace sfpu::analysis {

enum class message_kind : unsigned char {
    other,            ///< nothing that the table knows
    error,            ///< an error of which the table knows no more
    undeclared_name,  ///< an error: the source uses a name that nothing declares
    undefined_symbol, ///< of a linker: something declared is not defined
};

/// A phrase of a message. The name that it is about stands behind `before`, or in front of `behind`, or, if
/// there are both, between them. A name without an end of its own is a word; quotation marks around it are no
/// part of it.
struct message_pattern {
    const char* program; ///< whose phrase it is: "GCC", "Clang", "ld"
    message_kind kind;
    const char* before;
    const char* behind;
};
/// In the order in which they are tried.
const std::vector<message_pattern>& message_patterns();

/// One line of a compiler's output.
struct compiler_message {
    message_kind kind = message_kind::other;
    bool is_error = false; ///< the compiler calls it one; ld does so only in its last line
    std::string file;      ///< empty if it names none
    unsigned line = 0;     ///< of the file, from 1; 0 if it names none
    std::string name;      ///< of what is not declared or not defined
    std::string text;      ///< the whole line
};

/// All lines, in their order.
std::vector<compiler_message> read_messages(const std::string& output);

/// The names of one kind, in their order, each once.
std::vector<std::string> names_in(const std::vector<compiler_message>& messages, message_kind kind);

/// "header.h:3:12: 'x' was not declared in this scope": the first error, without folders and without the word
/// "error". The first 200 characters on one line if there is none.
std::string first_error(const std::string& output);

} // namespace sfpu::analysis
