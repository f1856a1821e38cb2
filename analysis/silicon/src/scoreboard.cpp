#include <sfpu/analysis/silicon.h>

#include <algorithm>
#include <cmath>

namespace sfpu::analysis {

std::optional<double> scored_row::error() const {
    if (!model) return std::nullopt;
    return (*model + constant.value_or(0) - row.measured) / row.measured;
}

double median_of(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double scoreboard::median_error() const {
    std::vector<double> errors;
    for (const scored_row& each : rows)
        if (each.judged) errors.push_back(std::abs(*each.error()));
    return median_of(std::move(errors));
}
std::vector<double> scoreboard::errors(std::optional<double> scored_row::*kind) const {
    std::vector<double> errors;
    for (const scored_row& each : rows)
        if (each.judged && each.*kind) errors.push_back(std::abs(*(each.*kind)));
    return errors;
}
double scoreboard::worst_error() const {
    double worst = 0;
    for (const scored_row& each : rows)
        if (each.judged) worst = std::max(worst, std::abs(*each.error()));
    return worst;
}
std::size_t scoreboard::judged() const {
    return static_cast<std::size_t>(
        std::count_if(rows.begin(), rows.end(), [](const scored_row& each) { return each.judged; }));
}

} // namespace sfpu::analysis
