// What the command line says of itself in other forms than --help: a manual page, completion for bash.
#pragma once

#include <string>
#include <vector>

namespace sfpu::views {

/// A program with commands, as its help describes it.
struct program_help {
    struct option {
        std::string names;                   ///< "--output,-o", or the operand's name
        std::vector<std::string> long_names; ///< without dashes; none for an operand
        std::string type;                    ///< "FILE"; empty if it takes no value
        std::string description;
    };
    struct command {
        std::string name, description;
        std::vector<option> options; ///< operands, too
        std::string footer;          ///< lines
    };
    std::string description, version;
    std::vector<command> commands;
};

/// A manual page (section 1) of the program and all commands, for man.
std::string manual_page(const program_help& of);

/// A script for bash that completes commands, options and files.
std::string bash_completion(const program_help& of);

} // namespace sfpu::views
