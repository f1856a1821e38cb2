// Whether two kernels compute the same, as people read it and as programs do.
#pragma once

#include <sfpu/analysis/kernel_comparison.h>

#include <string>

namespace sfpu::views {

/// A line if they are equal, and for each output that neither stores; else the first difference.
std::string to_text(const analysis::equivalence_answer& answer);
/// A JSON document, with its newline; docs/command-line.md describes it.
std::string to_json(const analysis::equivalence_answer& answer);

} // namespace sfpu::views
