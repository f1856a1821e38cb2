#include <sfpu/views/silicon.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace sfpu::views {
namespace {

using analysis::error_summary;
using analysis::fitted_constant;
using analysis::isolated_score;
using analysis::score_group;
using analysis::scoreboard;
using analysis::scored_row;
using json = nlohmann::ordered_json;

constexpr const char* introduction =
    "# The model against silicon\n\n"
    "`sfpusim silicon --llk DIR --markdown` wrote this page, with copies of public repositories: `--llk` "
    "once for each.\n"
    "Measured figures are published ones; each row of [silicon.csv](../data/silicon.csv) names its source. "
    "The model runs the\n"
    "words of kernel and harness in steady state, one tile after the other; of a body whose zone does not "
    "wait for the vector unit,\n"
    "a tile runs the core's pushes. What the model does not have are constants of harnesses, fitted: the "
    "median of what is missing\n"
    "on the rows that are judged. A harness has one, or two where the core's pushes can take longer than the "
    "vector unit: then the\n"
    "longer of both counts (\"c\" where it is the core), and the fit finds which rows that is. A constant "
    "that is fitted to a row makes\n"
    "its error smaller than the model deserves. So the errors to believe are those with constants that are "
    "fitted without the row and\n"
    "its equals (\"left out\"); a row that has no others is not judged.\n\n"
    "Words are `published` (they stand in the table of kernels as their source has them), `derived` (their "
    "source counts them, or\n"
    "gives their kinds), `recorded` of a checkout, or of a `candidate`: nobody has checked that those are "
    "the measured ones. Candidates\n"
    "are shown and not judged, as are words that a compiler chooses. Words that a core computes at run time "
    "are `compiled`: stock GCC\n"
    "for RISC-V makes a program of the kernel's function and of the harness's loop, which runs on a core of "
    "the tile; the vendor's\n"
    "compiler may need other instructions. Where that program takes longer than the vector unit, the "
    "constant is \"core\". Misses come\n"
    "first.\n\n"
    "The raw loops on Wormhole have two cycles a row in which the core runs its loop (`core_cycles`): known "
    "to whoever wrote the table\n"
    "of kernels, not fitted. Rows of equal words and equal figures, as floor and ceil there, say the same "
    "thing, so their error of 0\n"
    "says nothing.\n\n";

json number(const std::optional<double>& value) { return value ? json(*value) : json(); }

double percent(std::size_t part, std::size_t whole) {
    return whole ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::string one_line(const char* what, const std::vector<double>& errors) {
    if (errors.empty()) return "";
    const error_summary all = analysis::summary_of(errors);
    return fmt::format(
        "{}: {} rows, median error {:.2f} %, worst {:.2f} %; within 1 %: {:.0f} % of them, 4 %: {:.0f} %, "
        "10 %: {:.0f} %\n",
        what, all.rows, 100 * all.median, 100 * all.worst, percent(all.within[0], all.rows),
        percent(all.within[1], all.rows), percent(all.within[2], all.rows));
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

std::string isolated_line(const isolated_score& score) {
    if (!score.rows) return "";
    return fmt::format(
        "{} of {} kernels of which the math thread alone was measured (MATH_ISOLATE) agree within "
        "{:.0f} %: {} of {} rows, each by constants that are fitted without it and its equals\n",
        score.kernels_within, score.kernels, 100 * isolated_score::bound, score.rows_within, score.rows);
}

/// "harness KERNEL zone, bh".
std::string name_of(const score_group& group) {
    std::string name = group.kind;
    for (const std::string& part : {group.name, group.arch})
        if (!part.empty()) name += " " + part;
    return name;
}

json to_json(const error_summary& all) {
    return {{"rows", all.rows},          {"median", all.median},      {"worst", all.worst},
            {"within_1", all.within[0]}, {"within_4", all.within[1]}, {"within_10", all.within[2]}};
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

namespace {

json to_json(const scoreboard& board, const isolated_score& score) {
    json beyond = json::array();
    for (const std::size_t i : score.beyond)
        beyond.push_back(
            {{"row", i}, {"kernel", board.rows[i].row.kernel}, {"arch", board.rows[i].row.arch}});
    return {{"bound", isolated_score::bound},         {"rows", score.rows},
            {"rows_within", score.rows_within},       {"kernels", score.kernels},
            {"kernels_within", score.kernels_within}, {"beyond", std::move(beyond)}};
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
                        {"why_not", each.why_not},
                        {"harness", each.harness},
                        {"words", to_string(each.source)},
                        {"checked", each.checked},
                        {"checkout", each.checkout}});
    json constants = json::array();
    for (const fitted_constant& each : board.constants)
        constants.push_back({{"arch", each.arch},
                             {"constant", each.name},
                             {"meaning", each.meaning},
                             {"cycles", each.cycles},
                             {"fitted_to", each.rows}});
    json groups = json::array();
    for (const score_group& each : board.groups())
        groups.push_back({{"kind", each.kind},
                          {"name", each.name},
                          {"arch", each.arch},
                          {"judged", each.judged},
                          {"left_out", to_json(each.left_out)},
                          {"fitted", to_json(each.fitted)}});
    return {{"rows", std::move(rows)},
            {"constants", std::move(constants)},
            {"judged", board.judged()},
            {"median_error", board.median_error()},
            {"worst_error", board.worst_error()},
            {"left_out", to_json(analysis::summary_of(board.errors(&scored_row::left_out)))},
            {"groups", std::move(groups)},
            {"math_isolated", to_json(board, board.math_isolated())}};
}

std::string to_text(const scoreboard& board) {
    std::string out = fmt::format("{:<34} {:4} {:>9} {:>9} {:>9} {:>8} {:>8}  {}\n", "kernel", "chip",
                                  "measured", "model", "constant", "error", "left out", "words");
    const auto cell = [](const std::optional<double>& value) {
        return value ? fmt::format("{:.2f}", *value) : std::string("-");
    };
    const auto share = [](const std::optional<double>& value) {
        return value ? fmt::format("{:+.2f} %", 100 * *value) : std::string("-");
    };
    for (const scored_row& each : board.rows)
        out += fmt::format("{:<34.34} {:4} {:>9.2f} {:>9} {:>9} {:>8} {:>8}  {}\n", each.row.kernel,
                           each.row.arch, each.row.measured, cell(each.model), cell(each.constant),
                           share(each.error()), share(each.left_out),
                           each.judged ? to_string(each.source) : "not judged: " + each.why_not);
    out += "\nfitted, cycles of the row's unit:\n";
    for (const fitted_constant& each : board.constants)
        out += fmt::format("  {} {}: {:.2f}, the median of {} measurements\n", each.arch, each.name,
                           each.cycles, each.rows);
    const std::vector<score_group> groups = board.groups();
    if (!groups.empty())
        out += fmt::format("\n{:<46} {:>6} {:>9} {:>8} {:>8} {:>8} {:>8}\n",
                           "with its constants left out in turn", "judged", "median", "worst", "in 1 %",
                           "in 4 %", "in 10 %");
    for (const score_group& each : groups)
        out += fmt::format("{:<46} {:>6} {:>7.2f} % {:>6.2f} % {:>8} {:>8} {:>8}\n", name_of(each),
                           each.judged, 100 * each.left_out.median, 100 * each.left_out.worst,
                           each.left_out.within[0], each.left_out.within[1], each.left_out.within[2]);
    return out + "\n" + summary(board) + isolated_line(board.math_isolated());
}

namespace {

std::string group_table(const scoreboard& board) {
    std::string out =
        "\n## By chip, harness and source of the words\n\nErrors with constants left out in turn.\n\n"
        "| rows of | judged | median | worst | within 1 % | within 4 % | within 10 % |\n"
        "|---|---|---|---|---|---|---|\n";
    for (const score_group& each : board.groups())
        out += fmt::format("| {} | {} | {:.2f} % | {:.2f} % | {} | {} | {} |\n", table_cell(name_of(each)),
                           each.judged, 100 * each.left_out.median, 100 * each.left_out.worst,
                           each.left_out.within[0], each.left_out.within[1], each.left_out.within[2]);
    return out;
}

std::string isolated_table(const scoreboard& board) {
    const isolated_score score = board.math_isolated();
    if (!score.rows) return "";
    std::string out = "\n## The math thread alone\n\n" + isolated_line(score);
    if (score.beyond.empty()) return out;
    out += "\n| not within | chip | measured | with constant | left out | what is known |\n"
           "|---|---|---|---|---|---|\n";
    for (const std::size_t i : score.beyond) {
        const scored_row& each = board.rows[i];
        out += fmt::format("| {} | {} | {:.2f} | {:.2f} | {:+.2f} % | {} |\n", table_cell(each.row.kernel),
                           each.row.arch, each.row.measured, *each.model + each.constant.value_or(0),
                           100 * *each.left_out,
                           table_cell(each.row.note.empty() ? "not explained" : each.row.note));
    }
    return out;
}

std::string judged_table(const scoreboard& board) {
    std::string out = "\n## Judged\n\n| kernel | chip | configuration | measured | model | with constant | "
                      "error | left out | words |\n"
                      "|---|---|---|---|---|---|---|---|---|\n";
    for (const scored_row& each : board.rows)
        if (each.judged)
            out += fmt::format("| {} | {} | {} | {:.2f} | {:.2f} | {:.2f}{} | {:+.2f} % | {} | {} |\n",
                               table_cell(each.row.kernel), each.row.arch, table_cell(each.row.configuration),
                               each.row.measured, *each.model, *each.model + each.constant.value_or(0),
                               each.core_bound ? " c" : "", 100 * *each.error(),
                               each.left_out ? fmt::format("{:+.2f} %", 100 * *each.left_out) : "-",
                               to_string(each.source));
    return out;
}

} // namespace

std::string to_markdown(const scoreboard& board) {
    std::string out = std::string(introduction) + list_of_lines(summary(board)) +
                      "\n## Fitted constants\n\n| chip | constant | cycles | fitted to | "
                      "what it stands for |\n"
                      "|---|---|---|---|---|\n";
    for (const fitted_constant& each : board.constants)
        out += fmt::format("| {} | {} | {:.2f} | {} rows | {} |\n", each.arch, each.name, each.cycles,
                           each.rows, table_cell(each.meaning));
    if (board.judged() > 0) out += group_table(board) + isolated_table(board);
    out += judged_table(board) +
           "\n## Shown, not judged\n\n| kernel | chip | measured | model | why |\n|---|---|---|---|---|\n";
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
