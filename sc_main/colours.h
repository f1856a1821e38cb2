// Whether what is printed has colours.
#pragma once

#include <sfpu/views/findings.h>

#include <CLI/CLI.hpp>

namespace sfpu::cli {

/// --color, for every command.
void add_colour_option(CLI::App& app);

/// Of what goes to STDOUT_FILENO or STDERR_FILENO: as --color says; else on a terminal that has them, unless
/// the environment has a NO_COLOR that is not empty (no-color.org).
views::colouring colours_of(int descriptor);

} // namespace sfpu::cli
