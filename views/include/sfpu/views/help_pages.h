// What the command line says of itself in other forms than --help: a manual page, completion for shells.
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
        std::vector<std::string> values; ///< what it can be, if that is known; one that ends in "=" goes on
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

/// Scripts for bash and zsh that complete commands, options, values that are known, and files.
std::string bash_completion(const program_help& of);
std::string zsh_completion(const program_help& of);

} // namespace sfpu::views
