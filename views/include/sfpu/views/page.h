// A topic of the program in the forms in which it can be shown.
#pragma once

#include <string>

namespace sfpu::views {

struct page {
    std::string json; ///< a document with its newline
    std::string text; ///< lines for people
};

} // namespace sfpu::views
