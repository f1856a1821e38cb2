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

std::string report_page(const json& rows, const json& summary) {
    std::string page =
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Kernel library</title>\n"
        "<style>body{font-family:sans-serif;margin:2em}table{border-collapse:collapse}"
        "td,th{border-bottom:1px solid #ccc;padding:.2em .6em;text-align:left;vertical-align:top}"
        "th{position:sticky;top:0;background:#fff}td.n{text-align:right}tr.r0,tr.r1{background:#fdd}"
        "tr.r2{background:#ffd}tr.r3{background:#fec}pre{background:#f4f4f4;padding:.6em}</style></head>\n"
        "<body><h1>Kernel library</h1>\n<pre>" +
        escaped(summary_text(summary)) +
        "</pre>\n<table><thead><tr><th>chip</th><th>header</th><th>call</th><th>compiles</th>"
        "<th>records</th><th>direct = recorded</th><th>macro = plain</th><th>verdict</th>"
        "<th>cycles a row</th><th>published</th><th>reason</th><th>note</th></tr></thead><tbody>\n";
    for (int wanted = 0; wanted <= 4; ++wanted)
        for (const json& row : rows) {
            if (rank(row) != wanted) continue;
            page += fmt::format("<tr class=\"r{}\">", wanted);
            for (const char* column : {"arch", "header", "function", "compiles", "records",
                                       "direct_equals_recorded", "macro_equals_plain", "verdict"})
                page += "<td>" + cell(row[column]) + "</td>";
            page += "<td class=\"n\">" + cell(row["cycles_per_row"]) + "</td><td class=\"n\">" +
                    cell(row["published"]) + "</td><td>" + cell(row["reason"]) + "</td><td>" +
                    cell(row["note"]) + "</td></tr>\n";
        }
    return page + "</tbody></table></body></html>\n";
}

} // namespace sfpu::cli::llk
