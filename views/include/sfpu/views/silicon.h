// The model against silicon, for people and programs.
#pragma once

#include <sfpu/analysis/silicon.h>

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace sfpu::views {

nlohmann::ordered_json to_json(const analysis::scoreboard& board);
/// A table with a line for each measurement, and what was fitted.
std::string to_text(const analysis::scoreboard& board);
/// docs/silicon.md
std::string to_markdown(const analysis::scoreboard& board);

} // namespace sfpu::views
