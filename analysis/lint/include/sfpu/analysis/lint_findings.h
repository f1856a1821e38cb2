// What `lint` says of a kernel as findings, one for each hazard, place, open question and remark.
#pragma once

#include <sfpu/analysis/finding.h>
#include <sfpu/analysis/kernel_lint.h>

#include <string>
#include <vector>

namespace sfpu::analysis {

constexpr auto open_question_id = "/sfpu/lint/open-question";

/// "y row 0 lane 2 (Dst row 16 column 4): 2dda instead of 69df"; without the value if no output has it.
std::string to_text(const dst_difference& difference);

finding finding_of(const lint_hazard& hazard, const lint_answer& answer);
finding finding_of(const lint_boundary& boundary, const lint_answer& answer);

/// Hazards, places where a bubble matters, open questions that matter, remarks. If the verdict is
/// not robust, at least one of them fails.
std::vector<finding> findings_of(const lint_answer& answer);

} // namespace sfpu::analysis
