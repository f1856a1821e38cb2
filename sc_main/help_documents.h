// What the command line says of itself in other forms than --help: a manual page, completion for bash.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace sfpu::cli {

/// Examples that stand at the end of a command's help, one a line; empty if the command has its own.
std::string examples_of(const std::string& command);

/// A manual page (section 1) of the program and all commands, for man.
std::string manual_page(const CLI::App& app, const std::string& version);

/// A script for bash that completes commands, options and files.
std::string bash_completion(const CLI::App& app);

} // namespace sfpu::cli
