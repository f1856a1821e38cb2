// The results of a sweep as one HTML file that needs nothing else.
#pragma once

#include "point.h"
#include "sweep.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace sfpu::cli {

/// A row of the results with the drawn schedule of its kernel.
struct reported_row {
    nlohmann::ordered_json columns; ///< as row_of() gives them, the same names in all rows
    std::string picture;            ///< SVG, empty if there is none
    std::string command;            ///< that draws it
    std::string text;               ///< of the kernel that ran, empty for firmware
    std::string text_name;          ///< what sentences about it call it: its file, or written_kernel
    nlohmann::ordered_json slots;   ///< as result_parts::slots has them; null if there are none
    std::string chip;               ///< that the kernel is for; empty if it could not be read
    bool reference_differs = false; ///< as result_parts::reference
};

reported_row reported_row_of(const sweep& of, const point_id& id, const point_result& result);

/// The folder that the names of all kernels begin with, "some/where/"; empty if there is none. Pages and plots leave it out.
std::string shared_folder(const std::vector<reported_row>& rows);

/// The text of the plotting library, or why there is none.
struct page_library {
    std::string text, problem;
};
/// Chart.js as the package libjs-chart.js installs it: javascript/chart.js/chart.min.js in one of the folders of XDG_DATA_DIRS.
page_library find_page_library();

/// The page. It is made of its arguments alone, so that the same results give the same bytes.
std::string report_page(const sweep& of, const std::vector<reported_row>& rows, const page_library& library);

} // namespace sfpu::cli
