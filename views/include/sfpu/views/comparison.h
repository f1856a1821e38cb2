// What differs between two runs, as people read it and as programs do.
#pragma once

#include <sfpu/analysis/statistics_comparison.h>

#include <string>

namespace sfpu::views {

/// A table of the differences, and the causes behind it.
std::string to_text(const analysis::statistics_comparison& answer);
/// A JSON document, with its newline; docs/command-line.md describes it.
std::string to_json(const analysis::statistics_comparison& answer);

} // namespace sfpu::views
