// A point's result as the cache holds it.
#pragma once

#include <sfpu/analysis/point.h>

#include <nlohmann/json.hpp>

#include <optional>

namespace sfpu::analysis {

nlohmann::ordered_json json_of(const point_result& result);
/// Nothing if it is no result.
std::optional<point_result> point_of(const nlohmann::ordered_json& entry);

} // namespace sfpu::analysis
