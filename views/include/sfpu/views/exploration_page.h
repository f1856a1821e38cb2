// The results of an exploration as one HTML file that needs nothing else.
#pragma once

#include <sfpu/analysis/exploration.h>

#include <string>

namespace sfpu::views {

/// What stands in the page beside the results.
struct page_facts {
    std::string version; ///< of this software
    std::string library; ///< text of Chart.js 3 or 4, which draws the charts; without it there are none
    std::string library_problem; ///< why there is no library
};

/// The page. It is made of its arguments alone, so that the same results give the same bytes.
std::string to_page(const analysis::exploration_answer& answer, const page_facts& facts);

} // namespace sfpu::views
