// What `optimize` shows of its answer.
#pragma once

#include <sfpu/analysis/optimize.h>

#include <string>

namespace sfpu::views {

/// Some lines for people: cycles a row, what bounds and refutes them, whether it is proved.
std::string to_text(const analysis::optimize_answer& answer);
/// A JSON document, indented.
std::string to_json(const analysis::optimize_answer& answer);

} // namespace sfpu::views
