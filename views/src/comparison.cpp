#include <sfpu/views/comparison.h>

#include "page_parts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace sfpu::views {

using namespace analysis;

namespace {

using json = nlohmann::ordered_json;

json statistic_json(const statistic& value) {
    return std::visit(
        [](const auto& content) -> json {
            if constexpr (std::is_same_v<std::decay_t<decltype(content)>, std::monostate>) return nullptr;
            else return content;
        },
        value);
}

std::string statistic_text(const json& value) {
    if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
    return value.is_null() ? "-" : value.dump();
}

/// "  +3.0 %", empty where there is no share.
std::string change_text(const json& before, const json& after) {
    if (!before.is_number() || !after.is_number()) return "";
    const double a = before.get<double>(), b = after.get<double>();
    return a == 0 ? "" : fmt::format("  {:+.1f} %", 100 * (b - a) / std::abs(a));
}

} // namespace

std::string to_json(const statistics_comparison& answer) {
    json list = json::array();
    for (const auto& each : answer.differences)
        list.push_back({{"path", each.path}, {"a", statistic_json(each.a)}, {"b", statistic_json(each.b)}});
    const json content = {{"a", answer.a_file},
                          {"b", answer.b_file},
                          {"equal", answer.equal()},
                          {"why", answer.why},
                          {"differences", std::move(list)}};
    return document_text(content);
}

std::string to_text(const statistics_comparison& answer) {
    constexpr std::size_t column = 12; // longer values get lines of their own
    if (answer.equal()) return fmt::format("{} and {} say the same\n", answer.a_file, answer.b_file);
    std::size_t width = 0;
    for (const auto& each : answer.differences) width = std::max(width, each.path.size());
    std::string out = fmt::format("A = {}\nB = {}\n\n", answer.a_file, answer.b_file);
    for (const auto& each : answer.differences) {
        const json a = statistic_json(each.a), b = statistic_json(each.b);
        const std::string in_a = statistic_text(a), in_b = statistic_text(b);
        if (std::max(in_a.size(), in_b.size()) > column)
            out += fmt::format("{}\n    A  {}\n    B  {}\n", each.path, in_a, in_b);
        else
            out += fmt::format("{:<{}}  {:>{}}  {:>{}}{}\n", each.path, width, in_a, column, in_b, column,
                               change_text(a, b));
    }
    if (!answer.why.empty()) out += "\n";
    for (const std::string& sentence : answer.why) out += "- " + sentence + "\n";
    return out;
}

} // namespace sfpu::views
