// How fast the simulator is, as people read it and as programs do.
#pragma once

#include <sfpu/analysis/bench.h>

#include <string>

namespace sfpu::views {

std::string to_text(const analysis::bench_answer& answer);
/// A JSON object in a line.
std::string to_json(const analysis::bench_answer& answer);

} // namespace sfpu::views
