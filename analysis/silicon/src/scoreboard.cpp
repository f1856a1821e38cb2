#include <sfpu/analysis/silicon.h>

#include <algorithm>
#include <cmath>
#include <map>

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
const char* to_string(word_source source) {
    static constexpr const char* names[]{"unknown",  "published", "derived",
                                         "recorded", "candidate", "compiled"};
    return names[static_cast<std::size_t>(source)];
}

error_summary summary_of(const std::vector<double>& errors) {
    error_summary all;
    all.rows = errors.size();
    all.median = median_of(errors);
    for (const double each : errors) {
        all.worst = std::max(all.worst, each);
        for (std::size_t i = 0; i < all.bounds.size(); ++i) all.within[i] += each <= all.bounds[i];
    }
    return all;
}

std::vector<score_group> scoreboard::groups() const {
    struct group_errors {
        std::vector<double> left_out, fitted;
    };
    std::map<std::array<std::string, 3>, group_errors> kinds; // kind, name and chip
    for (const scored_row& each : rows) {
        if (!each.judged) continue;
        for (const std::array<std::string, 3>& kind : {std::array<std::string, 3>{"chip", "", each.row.arch},
                                                       {"harness", each.harness, each.row.arch},
                                                       {"words", to_string(each.source), ""}}) {
            group_errors& errors = kinds[kind];
            errors.fitted.push_back(std::abs(*each.error()));
            if (each.left_out) errors.left_out.push_back(std::abs(*each.left_out));
        }
    }
    std::vector<score_group> all;
    for (const auto& [kind, errors] : kinds)
        all.push_back({kind[0], kind[1], kind[2], errors.fitted.size(), summary_of(errors.left_out),
                       summary_of(errors.fitted)});
    return all;
}

isolated_score scoreboard::math_isolated() const {
    isolated_score score;
    std::map<std::array<std::string, 2>, bool> kernels; // name and chip: all rows within
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const scored_row& each = rows[i];
        if (!each.judged || !each.left_out) continue;
        if (each.row.configuration.find("MATH_ISOLATE") == std::string::npos) continue;
        const bool within = std::abs(*each.left_out) <= isolated_score::bound;
        ++score.rows;
        score.rows_within += within;
        bool& all = kernels.try_emplace({each.row.kernel, each.row.arch}, true).first->second;
        all = all && within;
        if (!within) score.beyond.push_back(i);
    }
    score.kernels = kernels.size();
    for (const auto& [kernel, within] : kernels) score.kernels_within += within;
    return score;
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
