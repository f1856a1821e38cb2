// Names of files as people read them: in messages, reports, comments and titles.
#pragma once

#include <string>
#include <string_view>

namespace sfpu {

/// A name in one line that no terminal or assembler takes for anything else: control characters, bytes
/// that are not UTF-8 and characters that turn the direction of a text become \n, \t, \r or \xHH, a backslash
/// becomes two. Data (JSON, CSV) have the name itself.
std::string shown_name(std::string_view name);

/// A text in lines: the same, but line ends, tabs and backslashes stay.
std::string shown_text(std::string_view text);

} // namespace sfpu
