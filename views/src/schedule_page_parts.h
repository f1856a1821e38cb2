// The files of views/pages/schedule, which CMake puts into the library.
#pragma once

namespace sfpu::views::schedule_page_parts {

extern const char* const html;   ///< the page up to its data, with {{title}} and {{style}} where these belong
extern const char* const style;  ///< CSS
extern const char* const script; ///< JavaScript

} // namespace sfpu::views::schedule_page_parts
