// The command line's own description of itself, and the examples in it.
#pragma once

#include <sfpu/views/help_pages.h>

#include <CLI/CLI.hpp>

#include <string>

namespace sfpu::cli {

/// Examples that stand at the end of a command's help, one a line; empty if the command has its own.
std::string examples_of(const std::string& command);

/// What a manual page and completion say of the program: commands, and options that are for users.
views::program_help help_of(const CLI::App& app, const std::string& version);

} // namespace sfpu::cli
