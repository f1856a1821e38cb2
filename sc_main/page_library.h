// The plotting library that pages take along, as the system has it.
#pragma once

#include <string>

namespace sfpu::cli {

/// The text of the plotting library, or why there is none.
struct page_library {
    std::string text, problem;
};
/// Chart.js as the package libjs-chart.js installs it: javascript/chart.js/chart.min.js in one of the folders
/// of XDG_DATA_DIRS.
page_library find_page_library();

} // namespace sfpu::cli
