// What depends on the timing in a kernel, as people read it and as programs do.
#pragma once

#include <sfpu/analysis/kernel_lint.h>
#include <sfpu/views/findings.h>

#include <string>

namespace sfpu::views {

/// The report, in lines; without the findings that are known, if those are given.
std::string to_text(const analysis::lint_answer& answer, const analysis::known_findings* known = nullptr,
                    colouring paint = colouring::off);
/// A JSON document, with its newline; docs/command-line.md describes it.
std::string to_json(const analysis::lint_answer& answer, const analysis::known_findings* known = nullptr);
/// What an answer is that was interrupted.
std::string interruption_line(const analysis::lint_answer& answer);
/// What was changed in `file`, and the verdict of the result, which stands in `output`.
std::string to_text(const analysis::fixed_kernel& fixed, const std::string& file, const std::string& output);

} // namespace sfpu::views
