// What delays of pushes change, for the views of firmware.
#pragma once

#include <sfpu/analysis/jitter.h>

#include <string>

namespace sfpu::views {

std::string jitter_lines(const analysis::jitter_answer& answer);
std::string jitter_json(const analysis::jitter_answer& answer);
/// What changed of that which decides: "Dst, L1".
std::string changed_parts(const analysis::jitter_answer& answer);

} // namespace sfpu::views
