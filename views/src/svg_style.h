// How the picture of a schedule looks: its style sheet, the colours of kernel rows, and how wide texts are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sfpu::views {

/// Kernel rows take these colours in turn; the one behind them is for words that belong to no row.
constexpr unsigned svg_row_colours = 6, svg_no_row_colour = svg_row_colours;

/// The colour of a kernel row, -1 for none: a number N in the classes of the style sheet. Class sN: solid in
/// colour N, pN: pale with an outline, bN: pale, tN: text, kN: line.
unsigned svg_colour_of(std::int64_t row);

/// The style sheet: light colours, and dark ones for screens that ask for them.
std::string svg_style_sheet();

/// A rough width of text in pixels at a font size, on the safe side.
double svg_width_of(std::string_view text, double size, bool bold = false);

/// The largest font size, of those that boxes use, at which the text fits into the room.
double font_for(std::string_view text, double room, bool bold);

} // namespace sfpu::views
