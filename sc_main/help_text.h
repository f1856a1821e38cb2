// What --help prints: one screen, with examples; all of it behind --all.
#pragma once

#include <CLI/CLI.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace sfpu::cli {

/// Lines of at most `width` characters, broken at blanks, all but the first indented by `indent`. A word
/// that is longer stands on a line of its own.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

/// Columns of the terminal on standard output, from 60 to 120; 80 if there is none.
std::size_t help_width();

/// Everything that a command takes, or with `all` false what is its own, and the names of what many commands
/// take. Lines have at most `width` characters, but for examples.
std::string help_text(const CLI::App& app, bool all, std::size_t width);

} // namespace sfpu::cli
