// The files of sc_main/schedule_page, which CMake puts into the program.
#pragma once

namespace sfpu::cli::schedule_page_parts {

extern const char* const html;   ///< the page up to its data, with {{title}} and {{style}} where these belong
extern const char* const style;  ///< CSS
extern const char* const script; ///< JavaScript

} // namespace sfpu::cli::schedule_page_parts
