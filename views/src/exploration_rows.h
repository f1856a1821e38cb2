// What tables, pages and plots of an exploration share.
#pragma once

#include <sfpu/analysis/exploration.h>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::views {

template <class T>
nlohmann::ordered_json or_null(const std::optional<T>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

/// A row of the results: what was asked for and what came of it. The same columns in all rows.
nlohmann::ordered_json row_of(const analysis::sweep& of, const analysis::explored_point& point);

/// What a point gives the parameters that the sweep varies, each with its JSON type.
std::vector<nlohmann::ordered_json> values_of(const analysis::sweep& of, std::size_t point);
std::optional<std::uint64_t> seed_of(const analysis::sweep& of, const analysis::point_id& id);
/// Of the machine, as it is written.
double cost_of(const analysis::sweep& of, std::size_t point);

/// The folder that the names of all kernels begin with, "some/where/"; empty if there is none. Pages and
/// plots leave it out.
std::string shared_folder(const analysis::exploration_answer& answer);

} // namespace sfpu::views
