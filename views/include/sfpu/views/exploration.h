// The results of an exploration as tables and text.
#pragma once

#include <sfpu/analysis/exploration.h>

#include <string>
#include <vector>

namespace sfpu::views {

/// RFC 4180, with a line of names: a row for each point. Fields without a value are empty.
std::string to_csv(const analysis::exploration_answer& answer);
/// The same as JSON, an object a line; null where there is no value.
std::string to_json_lines(const analysis::exploration_answer& answer);
/// How many points are valid, and which files of `folder` tell more.
std::string to_text(const analysis::exploration_answer& answer, const std::string& folder);
/// The first point that failed, and kernels that the baseline's machine breaks: a line each.
std::vector<std::string> complaints_of(const analysis::exploration_answer& answer);

} // namespace sfpu::views
