// The files of sc_main/explore/page, which CMake puts into the program.
#pragma once

namespace sfpu::cli::page {

extern const char* const html;   ///< with {{style}}, {{data}}, {{library}} and {{script}} where these belong
extern const char* const style;  ///< CSS
extern const char* const script; ///< JavaScript

} // namespace sfpu::cli::page
