// The parameter table as JSON.
#pragma once

#include <sfpu/common/parameters.h>

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace sfpu::views {

/// All parameters as nested JSON objects that apply_config_file reads back.
std::string config_text(const parameters& config);

/// One parameter's value with its JSON type.
nlohmann::ordered_json value_json(const parameter_row& row, const parameters& config);

} // namespace sfpu::views
