// What depends on the timing in a kernel, as people read it and as programs do.
#pragma once

#include <sfpu/analysis/kernel_lint.h>

#include <string>

namespace sfpu::views {

/// The report, in lines.
std::string to_text(const analysis::lint_answer& answer);
/// A JSON document, with its newline; docs/command-line.md describes it.
std::string to_json(const analysis::lint_answer& answer);
/// What was changed in `file`, and the verdict of the result, which stands in `output`.
std::string to_text(const analysis::fixed_kernel& fixed, const std::string& file, const std::string& output);

} // namespace sfpu::views
