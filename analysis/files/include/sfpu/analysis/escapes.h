// Names within the languages of other programs, one function a language.
#pragma once

#include <string>
#include <string_view>

namespace sfpu::analysis {

/// A text of gnuplot in its quotes, in one line: gnuplot ends a text at a line end, and runs what follows.
/// Characters that a terminal would act upon are shown as shown_name() shows them.
std::string gnuplot_text(std::string_view text);
/// The name of a file for gnuplot, byte by byte.
std::string gnuplot_file(std::string_view path);

/// One word of a POSIX shell, in quotes, whatever it contains.
std::string shell_word(std::string_view text);
/// The same without quotes where none are needed, for commands that people read.
std::string readable_shell_word(const std::string& text);

} // namespace sfpu::analysis
