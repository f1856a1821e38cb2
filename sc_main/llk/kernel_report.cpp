#include "kernel_report.h"

#include <fmt/format.h>

#include <map>
#include <set>

namespace sfpu::cli::llk {
namespace {

using json = nlohmann::ordered_json;

std::string escaped(const std::string& text) {
    std::string result;
    for (char c : text) {
        if (c == '&') result += "&amp;";
        else if (c == '<') result += "&lt;";
        else if (c == '>') result += "&gt;";
        else if (c == '"') result += "&quot;";
        else result += c;
    }
    return result;
}

std::string cell(const json& value) {
    if (value.is_null()) return "";
    if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
    if (value.is_number_float()) return fmt::format("{:.2f}", value.get<double>());
    return value.is_string() ? escaped(value.get<std::string>()) : escaped(value.dump());
}

/// Rows that want to be looked at come first.
int rank(const json& row) {
    if (!row["compiles"].get<bool>()) return 0;
    if (row["direct_equals_recorded"] == false || row["macro_equals_plain"] == false) return 1;
    if (!row["records"].get<bool>()) return 2;
    if (row["verdict"].is_string() && row["verdict"] != "robust") return 3;
    return 4;
}

} // namespace

json summary_of(const json& rows) {
    json result = json::object();
    for (const char* arch : {"bh", "wh"}) {
        std::set<std::string> headers, compile, record;
        unsigned functions = 0, recorded = 0, direct = 0, direct_equal = 0, compared = 0, equal = 0;
        std::map<std::string, unsigned> verdicts;
        for (const json& row : rows) {
            if (row["arch"] != arch) continue;
            headers.insert(row["header"].get<std::string>());
            if (row["compiles"].get<bool>()) compile.insert(row["header"].get<std::string>());
            if (!row["function"].get_ref<const std::string&>().empty()) ++functions;
            if (!row["records"].get<bool>()) continue;
            record.insert(row["header"].get<std::string>());
            ++recorded;
            if (!row["direct_equals_recorded"].is_null()) {
                ++direct;
                direct_equal += row["direct_equals_recorded"].get<bool>();
            }
            if (!row["macro_equals_plain"].is_null()) {
                ++compared;
                equal += row["macro_equals_plain"].get<bool>();
            }
            if (row["verdict"].is_string()) ++verdicts[row["verdict"].get<std::string>()];
        }
        if (headers.empty()) continue;
        result[arch] = {{"headers", headers.size()},
                        {"headers_that_compile", compile.size()},
                        {"headers_that_record", record.size()},
                        {"functions", functions},
                        {"functions_that_record", recorded},
                        {"direct_compared", direct},
                        {"direct_equal", direct_equal},
                        {"macro_compared", compared},
                        {"macro_equal", equal},
                        {"verdicts", verdicts}};
    }
    return result;
}

std::string summary_text(const json& summary) {
    std::string text;
    for (const auto& [arch, s] : summary.items())
        text += fmt::format(
            "{}  {} of {} headers compile, {} record; {} of {} calls record; recorded words equal direct "
            "execution in {} of {}; macro equals plain in {} of {}\n",
            arch, s["headers_that_compile"].dump(), s["headers"].dump(), s["headers_that_record"].dump(),
            s["functions_that_record"].dump(), s["functions"].dump(), s["direct_equal"].dump(),
            s["direct_compared"].dump(), s["macro_equal"].dump(), s["macro_compared"].dump());
    return text;
}

namespace {

const char* const style =
    "body{font-family:sans-serif;margin:1.5em;color:#222}h2{margin:1.6em 0 .4em}"
    "table{border-collapse:collapse;width:100%}th{position:sticky;top:0;background:#fff;vertical-align:"
    "bottom}"
    "td,th{border-top:1px solid #ccc;padding:.3em .6em;text-align:left;vertical-align:top}"
    "tr.more td{border-top:0;padding-top:0}td.n,th.n{text-align:right;white-space:nowrap}"
    "td.call{font-family:monospace;overflow-wrap:anywhere}small{color:#666;font-family:sans-serif}"
    "ul{margin:.1em 0 .5em;padding-left:1.4em}li{margin:.15em 0}tr.bad td.mark{background:#fbb}"
    "tr.warn td.mark{background:#fe9}";

std::string answer(const json& value) { return value.is_null() ? "&ndash;" : cell(value); }

std::string list_of(const json& row) {
    std::string items;
    if (const std::string& reason = row["reason"].get_ref<const std::string&>(); !reason.empty())
        items += "<li>" + escaped(reason) + "</li>";
    for (const char* key : {"explanation", "remarks"})
        if (row.contains(key))
            for (const json& each : row[key]) items += "<li>" + cell(each) + "</li>";
    return items.empty() ? items : "<ul>" + items + "</ul>";
}

void add_row(std::string& page, const json& row, int rank) {
    const char* const mark = rank <= 1 ? "bad" : rank <= 3 ? "warn" : "good";
    std::string header = row["header"].get<std::string>();
    const std::size_t slash = header.rfind('/');
    const std::string file = slash == std::string::npos ? header : header.substr(slash + 1);
    page += fmt::format("<tr class=\"{}\"><td class=\"mark\">{}</td><td class=\"call\">{}<br><small "
                        "title=\"{}\">{}</small></td>",
                        mark, cell(row["arch"]), cell(row["function"]), escaped(header), escaped(file));
    for (const char* column :
         {"compiles", "records", "direct_equals_recorded", "macro_equals_plain", "verdict"})
        page += "<td>" + answer(row[column]) + "</td>";
    page += "<td class=\"n\">" + cell(row["cycles_per_row"]) + "</td><td class=\"n\">" +
            cell(row["published"]) + "</td></tr>\n";
    if (const std::string list = list_of(row); !list.empty())
        page += fmt::format("<tr class=\"more {}\"><td></td><td colspan=\"8\">{}</td></tr>\n", mark, list);
}

} // namespace

std::string report_page(const json& rows, const json& summary) {
    static const char* const titles[] = {"Does not compile", "Differs", "Does not record",
                                         "Depends on when words come", "Nothing to remark"};
    std::string page =
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Kernel "
        "library</title>\n<style>" +
        std::string(style) +
        "</style></head>\n<body><h1>Kernel library</h1>\n<table><thead><tr><th>chip</th><th "
        "class=\"n\">headers</th><th class=\"n\">compile</th><th class=\"n\">record</th><th "
        "class=\"n\">calls that record</th><th class=\"n\">words equal direct execution</th><th "
        "class=\"n\">macro path equals plain path</th></tr></thead><tbody>\n";
    for (const auto& [arch, s] : summary.items()) {
        const auto of = [&s = s](const char* some, const char* all) {
            return fmt::format("<td class=\"n\">{} of {}</td>", s[some].dump(), s[all].dump());
        };
        page += fmt::format("<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
                            "class=\"n\">{}</td>",
                            arch, s["headers"].dump(), s["headers_that_compile"].dump(),
                            s["headers_that_record"].dump()) +
                of("functions_that_record", "functions") + of("direct_equal", "direct_compared") +
                of("macro_equal", "macro_compared") + "</tr>\n";
    }
    page +=
        "</tbody></table>\n<p>Words are executed on 16-bit and 32-bit Dst, with random and extreme data. A "
        "verdict of <i>robust</i> does not depend on bubbles between words, <i>replay-only</i> does, "
        "<i>broken</i> means hazards without any bubble; <code>sfpusim info --explain ID</code> "
        "explains "
        "each.</p>\n";
    for (int wanted = 0; wanted <= 4; ++wanted) {
        bool any = false;
        for (const json& row : rows) {
            if (rank(row) != wanted) continue;
            if (!any)
                page +=
                    fmt::format("<h2>{}</h2>\n<table><thead><tr><th>chip</th><th>call</th><th>compiles</th>"
                                "<th>records</th><th>words equal direct execution</th><th>macro equals "
                                "plain</th><th>verdict</th><th class=\"n\">cycles a row</th><th "
                                "class=\"n\">published</th></tr></thead><tbody>\n",
                                titles[wanted]);
            any = true;
            add_row(page, row, wanted);
        }
        if (any) page += "</tbody></table>\n";
    }
    return page + "</body></html>\n";
}

} // namespace sfpu::cli::llk
