#include <sfpu/views/library_check.h>

#include "markup.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace sfpu::views {
namespace {

using analysis::chip_summary;
using analysis::library_answer;
using analysis::library_row;
using analysis::library_schedule;
using analysis::lint_verdict;
using json = nlohmann::ordered_json;

template <class T>
json value_or_null(const std::optional<T>& value) {
    return value ? json(*value) : json();
}

json schedule_json(const library_schedule& of) {
    return {{"status", of.status},
            {"words", of.words},
            {"plain", value_or_null(of.plain)},
            {"macro", value_or_null(of.macro)},
            {"ours", value_or_null(of.ours)},
            {"bound", value_or_null(of.bound)},
            {"macros", of.macros},
            {"seconds", of.seconds},
            {"reason", of.reason},
            {"files", of.files}};
}

json checked_json(const library_row& row) {
    return {{"header", row.header},
            {"function", row.function},
            {"arch", short_name(row.arch)},
            {"compiles", row.compiles},
            {"records", row.records},
            {"reason", row.reason},
            {"direct_equals_recorded", value_or_null(row.direct_equals_recorded)},
            {"macro_equals_plain", value_or_null(row.macro_equals_plain)},
            {"equality", value_or_null(row.equality)},
            {"verdict", row.verdict ? json(to_string(*row.verdict)) : json()},
            {"cycles_per_row", value_or_null(row.cycles_per_row)},
            {"published", value_or_null(row.published)},
            {"note", row.note()},
            {"explanation", row.explanation},
            {"remarks", row.remarks}};
}

json row_json(const library_row& row) {
    json form = checked_json(row);
    if (row.schedule) form["schedule"] = schedule_json(*row.schedule);
    return form;
}

template <class T>
void read_optional(const json& row, const char* key, std::optional<T>& to) {
    if (!row.at(key).is_null()) to = row.at(key).get<T>();
}

library_schedule schedule_of(const json& form) {
    library_schedule of;
    of.status = form.at("status");
    of.words = form.at("words");
    read_optional(form, "plain", of.plain);
    read_optional(form, "macro", of.macro);
    read_optional(form, "ours", of.ours);
    read_optional(form, "bound", of.bound);
    of.macros = form.at("macros");
    of.seconds = form.at("seconds");
    of.reason = form.at("reason");
    of.files = form.at("files").get<std::vector<std::string>>();
    return of;
}

library_row row_of(const json& form) {
    library_row row;
    row.header = form.at("header");
    row.function = form.at("function");
    for (const architecture arch : all_architectures)
        if (form.at("arch") == short_name(arch)) row.arch = arch;
    row.compiles = form.at("compiles");
    row.records = form.at("records");
    row.reason = form.at("reason");
    read_optional(form, "direct_equals_recorded", row.direct_equals_recorded);
    read_optional(form, "macro_equals_plain", row.macro_equals_plain);
    if (form.contains("equality")) read_optional(form, "equality", row.equality); // older rows have none
    for (const lint_verdict each : {lint_verdict::robust, lint_verdict::replay_only, lint_verdict::broken})
        if (form.at("verdict") == to_string(each)) row.verdict = each;
    read_optional(form, "cycles_per_row", row.cycles_per_row);
    read_optional(form, "published", row.published);
    row.explanation = form.at("explanation").get<std::vector<std::string>>();
    row.remarks = form.at("remarks").get<std::vector<std::string>>();
    if (form.contains("schedule")) row.schedule = schedule_of(form.at("schedule"));
    return row;
}

json summary_json(const chip_summary& chip) {
    json verdicts = json::object();
    std::vector<std::pair<std::string, unsigned>> by_name;
    for (const auto& [verdict, count] : chip.verdicts) by_name.emplace_back(to_string(verdict), count);
    std::sort(by_name.begin(), by_name.end());
    for (const auto& [name, count] : by_name) verdicts[name] = count;
    return {{"headers", chip.headers},
            {"headers_that_compile", chip.headers_that_compile},
            {"headers_that_record", chip.headers_that_record},
            {"functions", chip.functions},
            {"functions_that_record", chip.functions_that_record},
            {"direct_compared", chip.direct_compared},
            {"direct_equal", chip.direct_equal},
            {"macro_compared", chip.macro_compared},
            {"macro_equal", chip.macro_equal},
            {"verdicts", std::move(verdicts)}};
}

json schedules_json(const analysis::schedule_summary& chip) {
    json reasons = json::object();
    for (const auto& [reason, count] : chip.reasons) reasons[reason] = count;
    return {{"calls", chip.calls},
            {"shorter", chip.shorter},
            {"failed", chip.failed},
            {"geometric_mean", chip.geometric_mean},
            {"long_rows", chip.long_rows},
            {"long_rows_with_macros", chip.long_with_macros},
            {"with_library_macros", chip.with_library_macros},
            {"slower_than_library", chip.slower_than_library},
            {"reasons", std::move(reasons)}};
}

// --- the page ------------------------------------------------------------------------------------

/// Rows that want to be looked at come first: the headings of the page, in their order.
constexpr const char* headings[] = {"Does not compile", "Differs", "Does not record",
                                    "Depends on when words come", "Nothing to remark"};
std::size_t heading_of(const library_row& row) {
    if (!row.compiles) return 0;
    if (row.differs()) return 1;
    if (!row.records) return 2;
    if (row.verdict && row.verdict != lint_verdict::robust) return 3;
    return 4;
}

const char* const style =
    "body{font-family:sans-serif;margin:1.5em;color:#222}h2{margin:1.6em 0 .4em}"
    "table{border-collapse:collapse;width:100%}th{position:sticky;top:0;background:#fff;vertical-align:"
    "bottom}"
    "td,th{border-top:1px solid #ccc;padding:.3em .6em;text-align:left;vertical-align:top}"
    "tr.more td{border-top:0;padding-top:0}td.n,th.n{text-align:right;white-space:nowrap}"
    "td.call{font-family:monospace;overflow-wrap:anywhere}small{color:#666;font-family:sans-serif}"
    "ul{margin:.1em 0 .5em;padding-left:1.4em}li{margin:.15em 0}tr.bad td.mark{background:#fbb}"
    "tr.warn td.mark{background:#fe9}";

std::string answer_cell(const std::optional<bool>& value) {
    return !value ? "<td>&ndash;</td>" : *value ? "<td>yes</td>" : "<td>no</td>";
}

std::string number_cell(const std::optional<double>& value) {
    return fmt::format("<td class=\"n\">{}</td>", value ? fmt::format("{:.2f}", *value) : "");
}

std::string list_of(const library_row& row) {
    std::string items;
    if (!row.reason.empty()) items += "<li>" + markup_text(row.reason) + "</li>";
    for (const auto* list : {&row.explanation, &row.remarks})
        for (const std::string& each : *list) items += "<li>" + markup_text(each) + "</li>";
    return items.empty() ? items : "<ul>" + items + "</ul>";
}

void add_row(std::string& page, const library_row& row) {
    const std::size_t heading = heading_of(row);
    const char* const mark = heading <= 1 ? "bad" : heading <= 3 ? "warn" : "good";
    page += fmt::format("<tr class=\"{}\"><td class=\"mark\">{}</td><td class=\"call\">{}<br><small "
                        "title=\"{}\">{}</small></td>",
                        mark, short_name(row.arch), markup_text(row.function), markup_text(row.header),
                        markup_text(row.header.substr(row.header.rfind('/') + 1)));
    page += answer_cell(row.compiles) + answer_cell(row.records) + answer_cell(row.direct_equals_recorded) +
            answer_cell(row.macro_equals_plain);
    page += fmt::format("<td>{}</td>", row.verdict ? to_string(*row.verdict) : "&ndash;");
    page += number_cell(row.cycles_per_row) + number_cell(row.published) + "</tr>\n";
    if (const std::string list = list_of(row); !list.empty())
        page += fmt::format("<tr class=\"more {}\"><td></td><td colspan=\"8\">{}</td></tr>\n", mark, list);
}

std::string summary_table(const std::vector<chip_summary>& chips) {
    std::string table =
        "<table><thead><tr><th>chip</th><th "
        "class=\"n\">headers</th><th class=\"n\">compile</th><th class=\"n\">record</th><th "
        "class=\"n\">calls that record</th><th class=\"n\">words equal direct execution</th><th "
        "class=\"n\">macro path equals plain path</th></tr></thead><tbody>\n";
    const auto of = [](unsigned some, unsigned all) {
        return fmt::format("<td class=\"n\">{} of {}</td>", some, all);
    };
    for (const chip_summary& chip : chips)
        table += fmt::format("<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
                             "class=\"n\">{}</td>",
                             short_name(chip.arch), chip.headers, chip.headers_that_compile,
                             chip.headers_that_record) +
                 of(chip.functions_that_record, chip.functions) +
                 of(chip.direct_equal, chip.direct_compared) + of(chip.macro_equal, chip.macro_compared) +
                 "</tr>\n";
    return table + "</tbody></table>\n";
}

/// "13 words  13 plain  8 macro  7 found  bound 6  open  4 macros  12.1 s", or why not.
std::string row_of_schedule(const library_schedule& of) {
    if (of.status == "failed") return fmt::format("{:>3} words  failed: {}", of.words, of.reason);
    const auto figure = [](const char* name, const std::optional<double>& value) {
        return value ? fmt::format("  {} {:g}", name, *value) : std::string();
    };
    return fmt::format("{:>3} words{}{}{}{}  {}  {} macros  {:.1f} s", of.words, figure("plain", of.plain),
                       figure("library", of.macro), figure("found", of.ours), figure("bound", of.bound),
                       of.status, of.macros, of.seconds);
}

} // namespace

json to_json(const std::vector<library_row>& rows) {
    json list = json::array();
    for (const library_row& row : rows) list.push_back(row_json(row));
    return list;
}

json to_json(const library_answer& answer) {
    json summary = json::object();
    for (const chip_summary& chip : summary_of(answer.rows))
        summary[short_name(chip.arch)] = summary_json(chip);
    for (const analysis::schedule_summary& chip : analysis::summary_of_schedules(answer.rows))
        summary[short_name(chip.arch)]["schedules"] = schedules_json(chip);
    return {{"summary", std::move(summary)}, {"rows", to_json(answer.rows)}};
}

std::optional<std::vector<library_row>> library_rows_of(const json& rows) try {
    if (!rows.is_array()) return std::nullopt;
    std::vector<library_row> result;
    for (const json& each : rows) result.push_back(row_of(each));
    return result;
} catch (const json::exception&) {
    return std::nullopt;
}

std::string to_text(const library_answer& answer) {
    std::string text;
    for (const chip_summary& chip : summary_of(answer.rows))
        text += fmt::format(
            "{}  {} of {} headers compile, {} record; {} of {} calls record; recorded words equal direct "
            "execution in {} of {}; macro equals plain in {} of {}\n",
            short_name(chip.arch), chip.headers_that_compile, chip.headers, chip.headers_that_record,
            chip.functions_that_record, chip.functions, chip.direct_equal, chip.direct_compared,
            chip.macro_equal, chip.macro_compared);
    return text;
}

std::string schedules_text(const library_answer& answer) {
    std::string text;
    for (const library_row& row : answer.rows)
        if (row.schedule)
            text += fmt::format("{} {:<60} {}\n", short_name(row.arch), row.function,
                                row_of_schedule(*row.schedule));
    for (const analysis::schedule_summary& chip : analysis::summary_of_schedules(answer.rows)) {
        text += fmt::format(
            "{}  {} calls, {} get shorter, {} fail; plain over found {:.2f} (geometric mean); "
            "of {} rows of 20 to 120 words {} use macros; of {} with macros of the library {} "
            "are slower\n",
            short_name(chip.arch), chip.calls, chip.shorter, chip.failed, chip.geometric_mean, chip.long_rows,
            chip.long_with_macros, chip.with_library_macros, chip.slower_than_library);
        for (const auto& [reason, count] : chip.reasons) text += fmt::format("  {:>4}  {}\n", count, reason);
    }
    return text;
}

std::string schedules_csv(const library_answer& answer) {
    const auto quoted = [](const std::string& text) {
        std::string result = "\"";
        for (const char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
        return result + "\"";
    };
    const auto figure = [](const std::optional<double>& value) {
        return value ? fmt::format("{:g}", *value) : std::string();
    };
    std::string text =
        "arch,header,function,words,plain,macro,ours,bound,status,macros,seconds,reason,files\n";
    for (const library_row& row : answer.rows) {
        if (!row.schedule) continue;
        const library_schedule& of = *row.schedule;
        text +=
            fmt::format("{},{},{},{},{},{},{},{},{},{},{:.2f},{},{}\n", short_name(row.arch),
                        quoted(row.header), quoted(row.function), of.words, figure(of.plain),
                        figure(of.macro), figure(of.ours), figure(of.bound), of.status, of.macros, of.seconds,
                        quoted(of.reason), quoted(fmt::format("{}", fmt::join(of.files, " "))));
    }
    return text;
}

std::string to_page(const library_answer& answer) {
    std::string page =
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Kernel "
        "library</title>\n<style>" +
        std::string(style) + "</style></head>\n<body><h1>Kernel library</h1>\n" +
        summary_table(summary_of(answer.rows)) +
        "<p>Words are executed on 16-bit and 32-bit Dst, with random and extreme data. A "
        "verdict of <i>robust</i> does not depend on bubbles between words, <i>replay-only</i> "
        "does, <i>broken</i> means hazards without any bubble; <code>sfpusim info --explain "
        "ID</code> explains each.</p>\n";
    for (std::size_t heading = 0; heading < std::size(headings); ++heading) {
        std::string rows;
        for (const library_row& row : answer.rows)
            if (heading_of(row) == heading) add_row(rows, row);
        if (!rows.empty())
            page += fmt::format("<h2>{}</h2>\n<table><thead><tr><th>chip</th><th>call</th><th>compiles</th>"
                                "<th>records</th><th>words equal direct execution</th><th>macro equals "
                                "plain</th><th>verdict</th><th class=\"n\">cycles a row</th><th "
                                "class=\"n\">published</th></tr></thead><tbody>\n{}</tbody></table>\n",
                                headings[heading], rows);
    }
    return page + "</body></html>\n";
}

} // namespace sfpu::views
