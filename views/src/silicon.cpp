#include <sfpu/views/silicon.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace sfpu::views {
namespace {

using analysis::fitted_constant;
using analysis::scoreboard;
using analysis::scored_row;
using json = nlohmann::ordered_json;

constexpr const char* introduction =
    "# The model against silicon\n\n"
    "`sfpusim silicon --llk DIR --markdown` wrote this page, with a copy of the public "
    "kernel library in DIR.\n"
    "Rows that were measured for a pull request have kernels that only a checkout of it has, as those "
    "called fast\n"
    "(`git fetch origin pull/57292/head`); in another copy they are unknown, and stand below with that "
    "reason.\n"
    "Measured figures are published ones; each row of [silicon.csv](../data/silicon.csv) "
    "names its source. The model runs the\n"
    "words of kernel and harness in steady state, one tile after the other. What the model "
    "does not have are constants of\n"
    "harnesses, fitted: the median of what is missing on the rows that are judged. A harness has "
    "one, or two where the core's pushes\n"
    "can take longer than the vector unit: then the longer of both counts (\"c\" where it is the core), "
    "and the fit finds which rows that is.\n"
    "Judged are rows that the table calls comparable and whose words do "
    "not depend on a compiler. The raw loops on Wormhole have\n"
    "two cycles a row in which the core runs its loop (`core_cycles`): known to whoever wrote the table "
    "of "
    "kernels, not fitted. Rows of\n"
    "equal words and equal figures, as floor and ceil there, say the same thing, so their error of 0 "
    "says "
    "nothing. Misses come first.\n\n";

json number(const std::optional<double>& value) { return value ? json(*value) : json(); }

std::string one_line(const char* what, const std::vector<double>& errors) {
    if (errors.empty()) return "";
    return fmt::format("{}: {} rows, median error {:.2f} %, worst {:.2f} %\n", what, errors.size(),
                       100 * analysis::median_of(errors),
                       100 * *std::max_element(errors.begin(), errors.end()));
}

std::string summary(const scoreboard& board) {
    if (board.judged() == 0) return fmt::format("none of {} measurements is judged\n", board.rows.size());
    return fmt::format("{} of {} measurements are judged: median error {:.2f} %, worst {:.2f} %\n",
                       board.judged(), board.rows.size(), 100 * board.median_error(),
                       100 * board.worst_error()) +
           one_line("each row by constants that are fitted without it and its equals",
                    board.errors(&scored_row::left_out)) +
           one_line("one constant for each kind of harness", board.errors(&scored_row::with_one));
}

std::string list_of_lines(const std::string& text) {
    std::string list = "- ";
    for (std::size_t i = 0; i < text.size(); ++i) {
        list += text[i];
        if (text[i] == '\n' && i + 1 < text.size()) list += "- ";
    }
    return list;
}

std::string table_cell(std::string text) {
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
        text.replace(at, 1, "\\|");
    return text;
}

} // namespace

json to_json(const scoreboard& board) {
    json rows = json::array();
    for (const scored_row& each : board.rows)
        rows.push_back({{"kernel", each.row.kernel},
                        {"arch", each.row.arch},
                        {"configuration", each.row.configuration},
                        {"cycles", each.row.measured},
                        {"unit", each.row.unit},
                        {"source", each.row.source},
                        {"comparable", each.row.comparable},
                        {"note", each.row.note},
                        {"call", each.call},
                        {"model", number(each.model)},
                        {"pushed", number(each.pushed)},
                        {"constant", number(each.constant)},
                        {"core_bound", each.core_bound},
                        {"error", number(each.error())},
                        {"error_left_out", number(each.left_out)},
                        {"error_with_one", number(each.with_one)},
                        {"judged", each.judged},
                        {"why_not", each.why_not}});
    json constants = json::array();
    for (const fitted_constant& each : board.constants)
        constants.push_back({{"arch", each.arch},
                             {"constant", each.name},
                             {"meaning", each.meaning},
                             {"cycles", each.cycles},
                             {"fitted_to", each.rows}});
    return {{"rows", std::move(rows)},
            {"constants", std::move(constants)},
            {"judged", board.judged()},
            {"median_error", board.median_error()},
            {"worst_error", board.worst_error()}};
}

std::string to_text(const scoreboard& board) {
    std::string out = fmt::format("{:<34} {:4} {:>9} {:>9} {:>9} {:>8}  {}\n", "kernel", "chip", "measured",
                                  "model", "constant", "error", "");
    const auto cell = [](const std::optional<double>& value) {
        return value ? fmt::format("{:.2f}", *value) : std::string("-");
    };
    for (const scored_row& each : board.rows) {
        const auto error = each.error();
        out += fmt::format("{:<34.34} {:4} {:>9.2f} {:>9} {:>9} {:>8}  {}\n", each.row.kernel, each.row.arch,
                           each.row.measured, cell(each.model), cell(each.constant),
                           error ? fmt::format("{:+.2f} %", 100 * *error) : "-",
                           each.judged ? "" : "not judged: " + each.why_not);
    }
    out += "\nfitted, cycles a tile:\n";
    for (const fitted_constant& each : board.constants)
        out += fmt::format("  {} {}: {:.2f}, the median of {} measurements\n", each.arch, each.name,
                           each.cycles, each.rows);
    return out + "\n" + summary(board);
}

std::string to_markdown(const scoreboard& board) {
    std::string out = std::string(introduction) + list_of_lines(summary(board)) +
                      "\n## Fitted constants\n\n| chip | constant | cycles a tile | fitted to | "
                      "what it stands for |\n"
                      "|---|---|---|---|---|\n";
    for (const fitted_constant& each : board.constants)
        out += fmt::format("| {} | {} | {:.2f} | {} rows | {} |\n", each.arch, each.name, each.cycles,
                           each.rows, table_cell(each.meaning));
    out += "\n## Judged\n\n| kernel | chip | configuration | measured | model | with constant | error |\n"
           "|---|---|---|---|---|---|---|\n";
    for (const scored_row& each : board.rows)
        if (each.judged)
            out += fmt::format("| {} | {} | {} | {:.2f} | {:.2f} | {:.2f}{} | {:+.2f} % |\n",
                               table_cell(each.row.kernel), each.row.arch, table_cell(each.row.configuration),
                               each.row.measured, *each.model, *each.model + each.constant.value_or(0),
                               each.core_bound ? " c" : "", 100 * *each.error());
    out += "\n## Shown, not judged\n\n| kernel | chip | measured | model | why |\n|---|---|---|---|---|\n";
    for (const scored_row& each : board.rows)
        if (!each.judged)
            out +=
                fmt::format("| {} | {} | {:.2f} {} | {} | {} |\n", table_cell(each.row.kernel), each.row.arch,
                            each.row.measured, table_cell(each.row.unit),
                            each.model ? fmt::format("{:.2f}", *each.model + each.constant.value_or(0)) : "",
                            table_cell(each.why_not));
    return out;
}

} // namespace sfpu::views
