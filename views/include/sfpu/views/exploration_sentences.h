// What an exploration shows, in sentences: each says what is proved, or how far it is.
#pragma once

#include <sfpu/analysis/exploration_findings.h>

#include <string>
#include <vector>

namespace sfpu::views {

/// The answer in short, a sentence or two an entry: which machine is fastest and at which cost, what binds,
/// which parameters make a difference, what is wrong, how many schedules are proved.
std::vector<std::string> short_answers_of(const analysis::exploration_answer& answer,
                                          const analysis::exploration_findings& findings);

/// What a sentence of point_result::binds names: "issue", "MAD and load"; "nothing alone" where no resource
/// of a tile binds. Empty for an empty one.
std::string binder_of(const std::string& binds);

/// What a curve over one parameter does with the others: "sfpu.issue_width = 1, as on the baseline's
/// machine". Empty if there are no others.
std::string held_text(const analysis::parameter_response& response);

/// "8.00"; "7.00 to 8.00" where the best schedule is not known; "at most 8.00" where nothing is known below.
std::string range_text(const analysis::known_range& cycles, bool per_row);

} // namespace sfpu::views
