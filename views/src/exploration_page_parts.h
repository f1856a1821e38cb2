// The files of views/exploration_page, which CMake puts into the library.
#pragma once

namespace sfpu::views::exploration_page {

extern const char* const html;   ///< with {{style}}, {{data}}, {{library}} and {{script}} where these belong
extern const char* const style;  ///< CSS
extern const char* const script; ///< JavaScript

} // namespace sfpu::views::exploration_page
