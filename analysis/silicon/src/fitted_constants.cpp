#include "fitted_constants.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

namespace sfpu::analysis {
namespace {

using row_list = std::vector<scored_row*>;

/// Of rows in which a program of the core decides, whatever their harness.
constexpr auto constant_of_programs = "core";

/// What rows of one kind of harness lack: beside the words that the unit executes, and beside those that the
/// core pushes.
struct limits {
    double unit = 0;
    std::optional<double> core;
    std::size_t unit_rows = 0, core_rows = 0; ///< that they were fitted to

    bool core_decides(const scored_row& row) const { return core && *row.pushed + *core > *row.model + unit; }
    double cycles(const scored_row& row) const {
        return core_decides(row) ? *row.pushed + *core : *row.model + unit;
    }
    double error(const scored_row& row) const { return (cycles(row) - row.row.measured) / row.row.measured; }
};

/// Which rows the core decides, none says: those in which it is the least ahead of the unit, as many as give
/// the least errors and are then decided by it.
limits fitted_limits(row_list rows, bool with_core) {
    std::stable_sort(rows.begin(), rows.end(), [](const scored_row* a, const scored_row* b) {
        return *a->model - *a->pushed < *b->model - *b->pushed;
    });
    limits best;
    double least = 0;
    for (std::size_t by_core = 0; by_core < (with_core ? rows.size() : 1); ++by_core) {
        std::vector<double> unit, core;
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (i < by_core) core.push_back(rows[i]->row.measured - *rows[i]->pushed);
            else unit.push_back(rows[i]->row.measured - *rows[i]->model);
        limits some{median_of(unit), std::nullopt, unit.size(), core.size()};
        if (by_core > 0) some.core = median_of(core);
        double sum = 0;
        for (const scored_row* row : rows) sum += std::abs(some.error(*row));
        const bool as_split =
            std::all_of(rows.begin(), rows.end(), [&, at = std::size_t{0}](const scored_row* row) mutable {
                return some.core_decides(*row) == (at++ < by_core);
            });
        if (by_core > 0 && (!as_split || sum >= least - 1e-9)) continue;
        least = sum;
        best = some;
    }
    return best;
}

/// One kernel that was measured twice.
bool same_kernel(const scored_row& a, const scored_row& b) {
    return !a.call.empty() && a.call == b.call && *a.model == *b.model && *a.pushed == *b.pushed;
}

/// Two measurements of which one says what the other does.
bool equal_evidence(const scored_row& a, const scored_row& b) {
    return same_kernel(a, b) ||
           (a.row.measured == b.row.measured && *a.model == *b.model && *a.pushed == *b.pushed);
}

/// Of the measurements of each kernel the middle one, so that one that was measured often counts once.
row_list one_of_each_kernel(row_list rows) {
    std::stable_sort(rows.begin(), rows.end(), [](const scored_row* a, const scored_row* b) {
        return a->row.measured < b->row.measured;
    });
    row_list all;
    while (!rows.empty()) {
        const scored_row& first = *rows.front();
        const auto others = std::stable_partition(rows.begin(), rows.end(), [&](const scored_row* each) {
            return each == &first || same_kernel(*each, first);
        });
        all.push_back(rows[static_cast<std::size_t>(others - rows.begin() - 1) / 2]);
        rows.erase(rows.begin(), others);
    }
    return all;
}

} // namespace

void fit_constants(scoreboard& board, const measured_kernels& kernels) {
    using place = std::pair<std::string, std::string>; // chip and constant
    std::map<place, std::string> core_constants;
    std::map<place, row_list> all;
    for (scored_row& each : board.rows) {
        const harness* around = kernels.harness_of(each.row);
        if (!around || !each.model) continue;
        if (around->constant.empty()) { // nothing is fitted
            if (each.judged) each.with_one = each.left_out = each.error();
            continue;
        }
        const place at(around->arch, each.core_bound ? constant_of_programs : around->constant);
        all[at].push_back(&each);
        if (!each.core_bound && !around->core_constant.empty()) core_constants[at] = around->core_constant;
    }
    for (const auto& [at, rows] : all) {
        row_list judged;
        std::copy_if(rows.begin(), rows.end(), std::back_inserter(judged),
                     [](const scored_row* r) { return r->judged; });
        if (judged.empty()) continue;
        const auto core = core_constants.find(at);
        const bool with_core = core != core_constants.end();
        const row_list kernels_once = one_of_each_kernel(judged);
        const limits fitted = fitted_limits(kernels_once, with_core),
                     one = fitted_limits(kernels_once, false);
        board.constants.push_back(
            {at.first, at.second, kernels.meaning(at.second), fitted.unit, fitted.unit_rows});
        if (fitted.core)
            board.constants.push_back(
                {at.first, core->second, kernels.meaning(core->second), *fitted.core, fitted.core_rows});
        for (scored_row* row : rows) {
            row->constant = fitted.cycles(*row) - *row->model;
            row->core_bound = row->core_bound || fitted.core_decides(*row);
            if (!row->judged) continue;
            row->with_one = one.error(*row);
            row_list others;
            std::copy_if(judged.begin(), judged.end(), std::back_inserter(others),
                         [&](const scored_row* other) { return !equal_evidence(*other, *row); });
            if (!others.empty())
                row->left_out = fitted_limits(one_of_each_kernel(others), with_core).error(*row);
        }
        for (scored_row* row : judged) {
            if ((fitted.core_decides(*row) ? fitted.core_rows : fitted.unit_rows) > 1) continue;
            row->judged = false;
            row->why_not = "the constant is fitted to it alone";
        }
    }
}

} // namespace sfpu::analysis
