#include <sfpu/views/exploration_plots.h>

#include "exploration_rows.h"

#include <sfpu/analysis/escapes.h>
#include <sfpu/analysis/exploration_findings.h>
#include <sfpu/views/exploration_sentences.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace sfpu::views {
namespace {

using json = nlohmann::ordered_json;
using analysis::plot;
using analysis::sweep;

// Curves are told apart by colour and mark together, so that they are without colours, too: the first eight
// differ in both, and no two of the first fifty-six are equal.
constexpr const char* colours[] = {"#1f5fa8", "#b3480a", "#1f7a3d", "#7a3fb0",
                                   "#0b8f9c", "#d6337c", "#8a6d00", "#4a4f57"};
constexpr auto wrong_colour = "#b3261e";
/// gnuplot's numbers of filled circle, square, triangle, diamond, triangle upside down, pentagon; of a star.
constexpr int marks[] = {7, 5, 9, 13, 11, 15, 3};

/// What plots need to know of a row.
struct plotted_point {
    std::size_t series = 0;
    json seed;
    std::vector<json> values; ///< of the sweep's parameters
    bool right = false;
    double cycles = 0, cost = 0;
    double least = 0; ///< no schedule takes fewer cycles; `cycles` if that is all that is known
};

/// The points that have a number of cycles, and what tells them apart.
struct plotted_sweep {
    std::vector<std::string> series; ///< kernels with their schedules
    std::vector<std::size_t> varied; ///< parameters with more than one value
    std::vector<std::vector<json>> values_of;
    std::vector<plotted_point> points;
    std::string measure = "cycles a row"; ///< what their cycles are; those of whole runs if only firmware ran

    bool any_doubt() const {
        return std::any_of(points.begin(), points.end(),
                           [](const plotted_point& each) { return each.least < each.cycles; });
    }
};

bool all_numbers(const std::vector<json>& values) {
    return std::all_of(values.begin(), values.end(), [](const json& each) { return each.is_number(); });
}

std::string text_of(const json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

plotted_sweep plotted(const analysis::exploration_answer& answer) {
    const sweep& of = answer.what;
    plotted_sweep result;
    result.values_of.resize(of.varied.size());
    bool per_row = false; // whole runs otherwise
    for (const analysis::explored_point& each : answer.points)
        per_row |= each.result.cycles_per_row.has_value();
    if (!per_row) result.measure = "cycles";
    const std::size_t folder = shared_folder(answer).size();
    for (const analysis::explored_point& each : answer.points) {
        const analysis::point_result& found_there = each.result;
        const std::vector<json> values = values_of(of, each.id.point);
        for (std::size_t p = 0; p < of.varied.size(); ++p) {
            std::vector<json>& known = result.values_of[p];
            const json& value = values[p];
            if (std::find(known.begin(), known.end(), value) == known.end()) known.push_back(value);
        }
        const std::string schedule = to_string(found_there.schedule);
        const std::string name = of.kernels[each.id.kernel].name.substr(folder) +
                                 (schedule == "keep" ? "" : " (" + schedule + ")");
        auto found = std::find(result.series.begin(), result.series.end(), name);
        if (found == result.series.end()) found = result.series.insert(found, name);
        const std::optional<analysis::known_range> known = analysis::cycles_of(found_there, per_row);
        if (!known) continue;
        plotted_point point;
        point.series = static_cast<std::size_t>(found - result.series.begin());
        point.seed = or_null(seed_of(of, each.id));
        point.values = values;
        point.right = analysis::counts(found_there);
        point.cycles = known->most;
        point.least = known->least > 0 ? known->least : known->most;
        point.cost = cost_of(of, each.id.point);
        result.points.push_back(std::move(point));
    }
    for (std::size_t p = 0; p < of.varied.size(); ++p) {
        if (all_numbers(result.values_of[p]))
            std::sort(result.values_of[p].begin(), result.values_of[p].end(),
                      [](const json& a, const json& b) { return a.get<double>() < b.get<double>(); });
        if (result.values_of[p].size() > 1) result.varied.push_back(p);
    }
    return result;
}

/// The fewest cycles of the points that `belongs` to, with right results if there are any; nothing if there
/// is no point.
template <typename Belongs>
const plotted_point* best_of(const plotted_sweep& all, Belongs&& belongs) {
    const plotted_point* best = nullptr;
    for (const plotted_point& each : all.points) {
        if (!belongs(each)) continue;
        const auto rank = [](const plotted_point& p) { return std::tuple(!p.right, p.cycles, p.cost); };
        if (!best || rank(each) < rank(*best)) best = &each;
    }
    return best;
}

std::string quoted(const std::string& text) { return analysis::gnuplot_text(text); }

/// The same with lines: only texts of this program, and parameters' paths and values, which are words.
std::string double_quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '\n') result += "\\n";
        else if (c == '"' || c == '\\') result += std::string("\\") + c;
        else result += c;
    }
    return result + '"';
}

std::string block(const std::string& name, const std::string& lines) {
    return "$" + name + " << END_OF_DATA\n" + lines + "END_OF_DATA\n";
}

/// Where a value stands on an axis, and the axis' marks.
std::string position(const std::vector<json>& values, std::size_t i) {
    return all_numbers(values) ? values[i].dump() : std::to_string(i);
}
std::string axis_marks(const char* axis, const std::vector<json>& values, bool by_index) {
    std::string marks_text;
    for (std::size_t i = 0; i < values.size(); ++i)
        marks_text += (i ? ", " : "") + quoted(text_of(values[i])) + " " +
                      (by_index ? std::to_string(i) : position(values, i));
    return fmt::format("set {}tics ({})\n", axis, marks_text);
}

std::string joined(const std::vector<std::string>& parts) {
    return fmt::format("plot {}\n", fmt::join(parts, ", \\\n     "));
}

std::string line_style(std::size_t series) {
    return fmt::format("lc rgb '{}' pt {} dt {}", colours[series % std::size(colours)],
                       marks[series % std::size(marks)], 1 + series / std::size(colours) % 4);
}

/// From what is proved impossible to the best that was found, as vertical bars.
std::string doubt_bars(const std::string& name, std::size_t series) {
    return fmt::format(
        "${} using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 lw 1.5 lc rgb '{}' notitle", name,
        colours[series % std::size(colours)]);
}
constexpr auto doubt_title = "bars: from what no schedule goes below to the best that was found";

/// What a later curve must not hide where it has the same values: by how many steps each curve is broader
/// than the last one.
std::vector<std::size_t> widenings(const std::vector<std::set<std::string>>& lines_of) {
    constexpr std::size_t most = 4;
    std::vector<std::size_t> result(lines_of.size());
    for (std::size_t i = 0; i < lines_of.size(); ++i)
        for (std::size_t j = i + 1; j < lines_of.size() && result[i] < most; ++j)
            result[i] += std::any_of(lines_of[i].begin(), lines_of[i].end(),
                                     [&](const std::string& line) { return lines_of[j].count(line) != 0; });
    return result;
}

/// The points of a response as lines for gnuplot, by series.
struct response_lines {
    std::vector<std::string> right, wrong, doubt;
    std::vector<std::set<std::string>> of_right;
    bool any_doubt = false;
};

response_lines lines_of(const plotted_sweep& all, const analysis::exploration_answer& answer,
                        const analysis::parameter_response& found, std::size_t parameter) {
    const std::size_t count = all.series.size();
    response_lines lines{std::vector<std::string>(count), std::vector<std::string>(count),
                         std::vector<std::string>(count), std::vector<std::set<std::string>>(count), false};
    const std::vector<json>& values = all.values_of[parameter];
    for (std::size_t s = 0; s < found.curves.size(); ++s)
        for (std::size_t i = 0; i < values.size(); ++i)
            for (const analysis::response_point& each : found.curves[s].points) {
                if (values_of(answer.what, answer.points[each.run].id.point)[parameter] != values[i])
                    continue;
                const double cycles = each.cycles.most;
                const std::string line = fmt::format("{} {:g}\n", position(values, i), cycles);
                (each.counts ? lines.right : lines.wrong)[s] += line;
                if (!each.counts) continue;
                lines.of_right[s].insert(line);
                if (each.cycles.is_exact() || each.cycles.least <= 0) continue;
                lines.doubt[s] += fmt::format("{} {:g} {:g} {:g}\n", position(values, i), cycles,
                                              each.cycles.least, cycles);
                lines.any_doubt = true;
            }
    return lines;
}

plot response(const plotted_sweep& all, const analysis::exploration_answer& answer, std::size_t parameter) {
    const analysis::parameter_response found = analysis::response_to(answer, parameter);
    const std::string path = found.parameter->path;
    std::string data;
    std::vector<std::string> curves;
    const response_lines lines = lines_of(all, answer, found, parameter);
    bool wrong = false;
    const std::vector<std::size_t> broader = widenings(lines.of_right);
    for (std::size_t s = 0; s < all.series.size(); ++s) {
        if (!lines.right[s].empty()) {
            data += block(fmt::format("right{}", s), lines.right[s]);
            curves.push_back(fmt::format("$right{} using 1:2 with linespoints lw {} ps {:g} {} title {}", s,
                                         2 + 4 * broader[s], 0.9 + 0.5 * static_cast<double>(broader[s]),
                                         line_style(s), quoted(all.series[s])));
        }
        if (!lines.doubt[s].empty()) {
            data += block(fmt::format("doubt{}", s), lines.doubt[s]);
            curves.push_back(doubt_bars(fmt::format("doubt{}", s), s));
        }
        if (!lines.wrong[s].empty()) {
            data += block(fmt::format("wrong{}", s), lines.wrong[s]);
            curves.push_back(fmt::format("$wrong{} using 1:2 with points pt 2 ps 1.1 lw 2 lc rgb '{}' {}", s,
                                         wrong_colour, wrong ? "notitle" : "title 'wrong results'"));
            wrong = true;
        }
    }
    if (curves.empty()) return {};
    std::string label = path;
    if (const std::string held = held_text(found); !held.empty()) label += "\n" + held;
    if (lines.any_doubt) label += std::string("\n") + doubt_title;
    return {"response-" + path, data + axis_marks("x", all.values_of[parameter], false) +
                                    "set offsets graph 0.05, 0.05, graph 0.1, 0\nset yrange [0:*]\n" +
                                    "set xlabel " + double_quoted(label) + "\nset ylabel " +
                                    quoted(all.measure) + "\nset key outside top center horizontal\n" +
                                    joined(curves)};
}

/// Without blanks, which end a field.
std::string heat_text(const plotted_point& point, bool whole) {
    const int digits = whole ? 0 : 2;
    const std::string found = fmt::format("{:.{}f}", point.cycles, digits);
    return point.least < point.cycles ? fmt::format("{:.{}f}..{}", point.least, digits, found) : found;
}

plot heat_map(const plotted_sweep& all, const sweep& of, std::size_t series, const std::string& name) {
    const std::size_t x = all.varied[0], y = all.varied[1];
    std::string cells;
    std::optional<double> least, most;
    for (std::size_t j = 0; j < all.values_of[y].size(); ++j)
        for (std::size_t i = 0; i < all.values_of[x].size(); ++i) {
            const plotted_point* best = best_of(all, [&](const plotted_point& each) {
                return each.series == series && each.values[x] == all.values_of[x][i] &&
                       each.values[y] == all.values_of[y][j];
            });
            if (!best) continue;
            cells +=
                fmt::format("{} {} {} {}\n", i, j, best->right ? fmt::format("{:g}", best->cycles) : "NaN",
                            best->right ? heat_text(*best, all.measure == "cycles") : "wrong");
            if (!best->right) continue;
            least = std::min(least.value_or(best->cycles), best->cycles);
            most = std::max(most.value_or(best->cycles), best->cycles);
        }
    if (!least) return {};
    const bool one_colour = *most <= *least;
    if (one_colour) *most = *least + 1; // gnuplot takes no empty range
    const auto edges = [](std::size_t count) { return fmt::format("[-0.5:{}.5]", count - 1); };
    return {
        "heat-" + name,
        block("cells", cells) + axis_marks("x", all.values_of[x], true) +
            axis_marks("y", all.values_of[y], true) +
            fmt::format("set xrange {}\nset yrange {}\nset cbrange [{:g}:{:g}]\n",
                        edges(all.values_of[x].size()), edges(all.values_of[y].size()), *least, *most) +
            "set palette defined (0 '#5f93cf', 1 '#f2f6fb')\nset cblabel " + quoted(all.measure) +
            "\nset tics scale 0\n" + "set title " +
            quoted(all.series[series] +
                   (all.varied.size() > 2 ? ", the best over the other parameters" : "")) +
            "\nset xlabel " + quoted(of.varied[x]->path) + "\nset ylabel " + quoted(of.varied[y]->path) +
            (one_colour ? "\nunset colorbox" : "") +
            "\nunset key\nplot $cells using 1:2:(0.5):(0.5):3 with boxxyerror fs solid border lc '#ffffff' "
            "fc palette, \\\n"
            "     $cells using 1:2:4 with labels\n"};
}

plot pareto(const plotted_sweep& all) {
    std::string data;
    bool any_doubt = false;
    std::vector<std::string> curves;
    for (std::size_t s = 0; s < all.series.size(); ++s) {
        std::vector<std::pair<double, double>> own;
        std::string doubt;
        for (const plotted_point& each : all.points) {
            if (each.series != s || !each.right) continue;
            own.emplace_back(each.cost, each.cycles);
            if (each.least < each.cycles)
                doubt +=
                    fmt::format("{:g} {:g} {:g} {:g}\n", each.cost, each.cycles, each.least, each.cycles);
        }
        std::sort(own.begin(), own.end());
        own.erase(std::unique(own.begin(), own.end()), own.end());
        std::string front, rest;
        std::optional<double> least;
        for (const auto& [cost, cycles] : own) {
            const bool first = !least || cycles < *least;
            (first ? front : rest) += fmt::format("{:g} {:g}\n", cost, cycles);
            if (first) least = cycles;
        }
        if (front.empty()) continue;
        data += block(fmt::format("front{}", s), front) +
                block(fmt::format("rest{}", s), rest.empty() ? "NaN NaN\n" : rest);
        curves.push_back(fmt::format("$front{} using 1:2 with steps lw 2 lc rgb '{}' notitle", s,
                                     colours[s % std::size(colours)]));
        curves.push_back(fmt::format("$front{} using 1:2 with points ps 1 {} title {}", s, line_style(s),
                                     quoted(all.series[s])));
        if (!doubt.empty()) {
            data += block(fmt::format("doubt{}", s), doubt);
            curves.push_back(doubt_bars(fmt::format("doubt{}", s), s));
            any_doubt = true;
        }
        if (!rest.empty())
            curves.push_back(fmt::format("$rest{} using 1:2 with points ps 0.6 pt 6 lc rgb '{}' notitle", s,
                                         colours[s % std::size(colours)]));
    }
    if (curves.empty()) return {};
    return {"pareto",
            data + "set offsets graph 0.05, graph 0.05, graph 0.1, 0\nset yrange [0:*]\nset xlabel " +
                double_quoted(std::string("cost") + (any_doubt ? std::string("\n") + doubt_title : "")) +
                "\nset ylabel " + quoted(all.measure) + "\n" + "set key outside top center horizontal\n" +
                joined(curves)};
}

/// The mean, over all groups of points that differ in this parameter only, of how far their cycles spread.
std::optional<double> mean_spread(const plotted_sweep& all, std::size_t series, std::size_t parameter) {
    std::map<std::string, std::vector<double>> groups;
    for (const plotted_point& each : all.points) {
        if (each.series != series || !each.right) continue;
        json key = {each.seed, each.values};
        key[1].erase(parameter);
        groups[key.dump()].push_back(each.cycles);
    }
    double sum = 0;
    std::size_t count = 0;
    for (const auto& [key, cycles] : groups) {
        if (cycles.size() < 2) continue;
        const auto [low, high] = std::minmax_element(cycles.begin(), cycles.end());
        sum += *high - *low;
        ++count;
    }
    if (count == 0) return std::nullopt;
    return sum / static_cast<double>(count);
}

plot sensitivity(const plotted_sweep& all, const sweep& of) {
    std::vector<std::string> lines;
    for (const std::size_t parameter : all.varied)
        lines.push_back('"' + std::string(of.varied[parameter]->path) + '"');
    std::vector<std::string> bars;
    for (std::size_t s = 0; s < all.series.size(); ++s) {
        bool any = false;
        std::vector<std::string> longer = lines;
        for (std::size_t i = 0; i < all.varied.size(); ++i) {
            const auto spread = mean_spread(all, s, all.varied[i]);
            longer[i] += spread ? fmt::format(" {:g}", *spread) : " NaN";
            any |= spread.has_value();
        }
        if (!any) continue; // gnuplot takes no column without a number
        lines = std::move(longer);
        bars.push_back(fmt::format("$spreads using {}:xtic(1) lc rgb '{}' fs pattern {} title {}",
                                   bars.size() + 2, colours[s % std::size(colours)],
                                   3 - s / std::size(colours) % 3, quoted(all.series[s])));
    }
    if (bars.empty()) return {};
    return {"sensitivity",
            block("spreads", fmt::format("{}\n", fmt::join(lines, "\n"))) +
                "set style data histograms\nset style fill solid border lc '#ffffff'\nset boxwidth 0.9\n"
                "set yrange [0:*]\nset xtics rotate by -20\nset ylabel " +
                quoted("mean spread, " + all.measure + (all.any_doubt() ? ", by what was found" : "")) +
                "\n"
                "set key outside top center horizontal\n" +
                joined(bars)};
}

/// The base name of a kernel with its schedule, as a part of a file's name, once.
std::string file_part(const std::string& series, std::vector<std::string>& used) {
    std::string name;
    for (const char c : series.substr(series.find_last_of('/') + 1)) {
        const bool plain = std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.';
        if (plain) name += c;
        else if (!name.empty() && name.back() != '-') name += '-';
    }
    while (!name.empty() && name.back() == '-') name.pop_back();
    const std::string base = name;
    for (unsigned i = 2; std::find(used.begin(), used.end(), name) != used.end(); ++i)
        name = fmt::format("{}-{}", base, i);
    used.push_back(name);
    return name;
}

} // namespace

std::vector<plot> plots_of(const analysis::exploration_answer& answer) {
    const sweep& of = answer.what;
    const plotted_sweep all = plotted(answer);
    std::vector<plot> plots;
    const auto add = [&](plot&& each) {
        if (!each.name.empty()) plots.push_back(std::move(each));
    };
    for (const std::size_t parameter : all.varied) add(response(all, answer, parameter));
    std::vector<std::string> used;
    if (all.varied.size() > 1)
        for (std::size_t s = 0; s < all.series.size(); ++s)
            add(heat_map(all, of, s, file_part(all.series[s], used)));
    add(pareto(all));
    add(sensitivity(all, of));
    return plots;
}

} // namespace sfpu::views
