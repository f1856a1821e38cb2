// The results of a sweep as pictures for documents: SVG files, drawn by gnuplot.
#pragma once

#include "report_page.h"
#include "sweep.h"

#include <string>
#include <vector>

namespace sfpu::cli {

/// A plot as gnuplot commands that draw on whatever output is set.
struct plot {
    std::string name; ///< of the file, without ".svg": letters, digits and "-_."
    std::string commands;
};

/// `response-PARAMETER` for each parameter with more than one value, `heat-KERNEL` of the first two of them, `pareto` of cost and
/// cycles a row, `sensitivity`. Only points with right results count, except for crosses in responses. Made of its arguments
/// alone.
std::vector<plot> plots_of(const sweep& of, const std::vector<reported_row>& rows);

/// Draws plots into a folder, which it makes, and removes plots of earlier sweeps from it. Returns what is wrong if
/// gnuplot is missing or fails; then nothing is changed. Throws user_error if a file cannot be written.
std::string draw_plots(const std::vector<plot>& plots, const std::string& folder);

} // namespace sfpu::cli
