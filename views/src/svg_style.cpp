#include "svg_style.h"

#include <fmt/format.h>

namespace sfpu::views {
namespace {

constexpr double largest_font = 10.5;

/// The last of `strong` and `pale` is for words that belong to no row.
struct theme_colours {
    const char* strong[svg_row_colours + 1];
    const char* pale[svg_row_colours + 1];
    const char *background, *lane, *grid, *text, *muted, *on_strong, *alarm;
};
constexpr theme_colours light_theme{
    {"#1f5fa8", "#b3480a", "#1f7a3d", "#7a3fb0", "#0b7380", "#ad2a62", "#5b6470"},
    {"#e6f0fb", "#fdeee2", "#e4f4e8", "#f2e9fa", "#e0f3f5", "#fbe7ef", "#eef0f3"},
    "#ffffff",
    "#f6f8fa",
    "#dfe3e8",
    "#1b1f24",
    "#626b75",
    "#ffffff",
    "#c62828"};
constexpr theme_colours dark_theme{
    {"#6cb0f5", "#f0a05a", "#6fcf86", "#c59cf2", "#57c4d2", "#f08ab5", "#9aa4b0"},
    {"#122a44", "#3a2410", "#12301c", "#2b1c40", "#0d2f36", "#3b1628", "#22282f"},
    "#0d1117",
    "#151b23",
    "#2a313a",
    "#e6edf3",
    "#97a1ac",
    "#0d1117",
    "#ff7b72"};

constexpr const char* svg_fixed_style = R"(
text{font-family:system-ui,"Segoe UI","DejaVu Sans",Helvetica,Arial,sans-serif;text-anchor:middle}
.l,.ti,.st{text-anchor:start}
.ti{font-size:15px;font-weight:600}.st{font-size:12px}.ax{font-size:10px}.un{font-size:12px;font-weight:600}
.op{font-weight:700}.sm{font-size:9px}.lg{font-size:11px;text-anchor:start}
.iss{stroke-width:1.3}
.hold{stroke-width:1;stroke-dasharray:1 3}.lat{stroke-width:2.4;stroke-linecap:round;fill:none}
.dis{fill:none;stroke-width:1;stroke-dasharray:3 2}.dt{text-decoration:line-through}
.ar{fill:none;stroke-width:1.2;opacity:.55;pointer-events:none}
.dead{fill:none;stroke-width:1.2;stroke-dasharray:2 2}.hl{stroke-width:2}.gr{stroke-width:1}
)";

/// The rules that a theme sets.
std::string theme_rules(const theme_colours& c) {
    std::string rules = fmt::format(
        ".bg{{fill:{}}}.lane{{fill:{}}}.gr{{stroke:{}}}text{{fill:{}}}.mu{{fill:{}}}.on{{fill:{}}}"
        ".al{{fill:{}}}.dis,.hl{{stroke:{}}}.dt{{fill:{}}}.cap{{stroke:{}}}.ar{{stroke:{}}}.ah{{fill:{}}}\n",
        c.background, c.lane, c.grid, c.text, c.muted, c.on_strong, c.alarm, c.alarm, c.alarm, c.on_strong,
        c.muted, c.muted);
    for (unsigned i = 0; i <= svg_row_colours; ++i)
        rules += fmt::format(".s{0}{{fill:{1}}}.p{0}{{fill:{2};stroke:{1}}}.b{0}{{fill:{2}}}.t{0}{{fill:{1}}}"
                             ".k{0}{{stroke:{1}}}\n",
                             i, c.strong[i], c.pale[i]);
    return rules;
}

/// Width of a character in the widest of the fonts, as a part of the font size.
double relative_width(unsigned char c) {
    constexpr std::string_view narrow = " ijlIftr.,:;|'()[]", broad = "mwMW@";
    if ((c & 0xc0) == 0x80) return 0; // a later byte of a UTF-8 sequence
    if (narrow.find(static_cast<char>(c)) != std::string_view::npos) return 0.37;
    if (broad.find(static_cast<char>(c)) != std::string_view::npos) return 0.95;
    return c >= 'a' && c <= 'z' ? 0.61 : 0.68;
}

} // namespace

unsigned svg_colour_of(std::int64_t row) {
    return row < 0 ? svg_no_row_colour : static_cast<unsigned>(row % svg_row_colours);
}

std::string svg_style_sheet() {
    return svg_fixed_style + theme_rules(light_theme) + "@media screen and (prefers-color-scheme:dark){\n" +
           theme_rules(dark_theme) + "}\n";
}

double svg_width_of(std::string_view text, double size, bool bold) {
    double width = 0;
    for (const char c : text) width += relative_width(static_cast<unsigned char>(c));
    return width * size * (bold ? 1.12 : 1);
}

double font_for(std::string_view text, double room, bool bold) {
    const double at_full_size = svg_width_of(text, largest_font, bold);
    return at_full_size <= room ? largest_font : largest_font * room / at_full_size;
}

} // namespace sfpu::views
