// Configuration files: the parameter table as JSON.
#pragma once

#include <sfpu/common/parameters.h>

#include <string>

namespace sfpu::analysis {

/// Applies a file of nested objects or dotted paths ({"sfpu":{"latency":{"mad":3}}} or
/// {"sfpu.latency.mad":3}) to `config`. Throws user_error with file, line and column for the first fault.
void apply_config_file(const std::string& file, parameters& config);

} // namespace sfpu::analysis
