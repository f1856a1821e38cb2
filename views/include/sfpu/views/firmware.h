// A run of firmware on a tile, as people read it.
#pragma once

#include <sfpu/analysis/firmware_run.h>

#include <string>
#include <vector>

namespace sfpu::views {

/// How it ended, where the time went, what was reported. `written` are the files that were written, with what
/// they are.
std::string to_text(const analysis::firmware_answer& answer, const std::vector<std::string>& written);

/// The same as one line of JSON (docs/tile.md).
std::string to_json(const analysis::firmware_answer& answer);

/// Why a run is no success, a line each: how it ended, and the first error of each kind.
std::vector<std::string> failure_lines(const analysis::firmware_answer& answer);

} // namespace sfpu::views
