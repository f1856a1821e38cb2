// Pictures for documents: SVG files, drawn by gnuplot.
#pragma once

#include <sfpu/analysis/session.h>

#include <string>
#include <vector>

namespace sfpu::analysis {

/// A plot as gnuplot commands that draw on whatever output is set.
struct plot {
    std::string name; ///< of the file, without ".svg": letters, digits and "-_."
    std::string commands;
};

/// Draws plots into a folder, which it makes, and removes plots of earlier sweeps from it. Returns what is
/// wrong if gnuplot is missing or fails, or if it was interrupted; then nothing is changed. Throws user_error
/// if a file cannot be written.
std::string draw_plots(const std::vector<plot>& plots, const std::string& folder, const session& at = {});

} // namespace sfpu::analysis
