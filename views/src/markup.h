// Texts within pages and pictures.
#pragma once

#include <string>
#include <string_view>

namespace sfpu::views {

/// Text for an element or an attribute of HTML or XML.
std::string markup_text(std::string_view text);

/// A text inside an element <script> must not end it, nor open a comment: `instead_of_less_than` stands where
/// it would, "\\u003c" in JSON.
std::string inside_script(std::string_view text, std::string_view instead_of_less_than);

} // namespace sfpu::views
