// The results of an exploration as plots for documents.
#pragma once

#include <sfpu/analysis/exploration.h>
#include <sfpu/analysis/plot_files.h>

#include <vector>

namespace sfpu::views {

/// `response-PARAMETER` for each parameter with more than one value, `heat-KERNEL` of the first two of them,
/// `pareto` of cost and cycles a row, `sensitivity`. Only points with right results count, except for crosses
/// in responses.
std::vector<analysis::plot> plots_of(const analysis::exploration_answer& answer);

} // namespace sfpu::views
