#include <sfpu/views/findings.h>

#include "page_parts.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/json_nesting.h>
#include <sfpu/common/shown_name.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace sfpu::views {
namespace {

using analysis::finding;
using analysis::source_place;
using json = nlohmann::ordered_json;

constexpr auto schema_uri =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
constexpr auto fingerprint_name = "sfpusimFinding/v1";
constexpr std::string_view our_tools = "sfpusim"; ///< their names begin so

const char* sarif_level(severity level) {
    switch (level) {
    case severity::error: return "error";
    case severity::warning: return "warning";
    case severity::info: break;
    }
    return "note";
}

/// RFC 3986. Whatever a name contains, it is one relative or absolute reference.
std::string uri_of(const std::string& file) {
    std::string uri = file.rfind('/', 0) == 0 ? "file://" : "";
    for (const char c : file) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80 &&
            (std::isalnum(byte) || std::string_view("-._~/").find(c) != std::string_view::npos))
            uri += c;
        else uri += fmt::format("%{:02X}", byte);
    }
    return uri;
}

std::string file_of_uri(const std::string& uri) {
    std::string file;
    for (std::size_t i = 0; i < uri.size(); ++i) {
        unsigned byte = 0;
        const char* const digits = uri.data() + i + 1;
        if (uri[i] == '%' && i + 2 < uri.size() &&
            std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
            file += static_cast<char>(byte);
            i += 2;
        } else {
            file += uri[i];
        }
    }
    return file;
}

/// A column in bytes as one in characters.
std::size_t column_in_characters(const std::string& source, unsigned column) {
    const std::string_view before = std::string_view(source).substr(0, column - 1);
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
    return column - static_cast<std::size_t>(std::count_if(before.begin(), before.end(), continues));
}

json sarif_location(const source_place& place) {
    json physical = {{"artifactLocation", {{"uri", uri_of(place.file)}}}};
    if (place.line != 0) {
        json& region = physical["region"];
        region["startLine"] = place.line;
        if (place.column != 0) region["startColumn"] = column_in_characters(place.source, place.column);
        if (place.end > place.column && place.column != 0)
            region["endColumn"] = column_in_characters(place.source, place.end);
        if (!place.source.empty()) region["snippet"] = {{"text", place.source}};
    }
    if (place.address) physical["address"] = {{"absoluteAddress", *place.address}};
    return {{"physicalLocation", std::move(physical)}};
}

/// What readers show of a result: they know nothing of cures.
std::string sarif_message(const finding& what) {
    std::string text = what.message;
    if (!what.evidence.empty()) text += "\n" + what.evidence;
    if (!what.cure.empty()) text += "\nCure: " + what.cure;
    return text;
}

json sarif_rule(const finding& what) {
    json rule = {{"id", what.id}, {"defaultConfiguration", {{"level", sarif_level(what.level)}}}};
    if (!what.help.empty()) {
        rule["shortDescription"] = {{"text", what.help.substr(0, what.help.find(". ")) +
                                                 (what.help.find(". ") == std::string::npos ? "" : ".")}};
        rule["help"] = {{"text", what.help}};
    }
    return rule;
}

json sarif_result(const finding& what, std::size_t rule, const std::string& fingerprint) {
    json result = {{"ruleId", what.id},
                   {"ruleIndex", rule},
                   {"level", sarif_level(what.level)},
                   {"message", {{"text", sarif_message(what)}}},
                   {"locations", json::array({sarif_location(what.where)})},
                   {"partialFingerprints", {{fingerprint_name, fingerprint}}}};
    json related = json::array();
    auto others = what.related;
    if (what.where.cpp_line) {
        source_place cpp;
        cpp.file = what.where.cpp_file;
        cpp.line = what.where.cpp_line;
        others.emplace_back(cpp, "the C++ that it was made from");
    }
    for (const auto& [place, text] : others) {
        related.push_back(sarif_location(place));
        related.back()["id"] = related.size();
        related.back()["message"] = {{"text", text}};
    }
    if (!related.empty()) result["relatedLocations"] = std::move(related);
    result["properties"] = {{"fails", what.fails}};
    if (!what.evidence.empty()) result["properties"]["evidence"] = what.evidence;
    if (!what.cure.empty()) result["properties"]["cure"] = what.cure;
    return result;
}

[[noreturn]] void refuse_baseline(const std::string& file, const std::string& found) {
    throw analysis::input_error(shown_name(file) + ": found " + found +
                                ", expected a SARIF file that 'sfpusim lint --sarif' wrote");
}

/// A member of an object; null if there is none.
const json& json_member(const json& of, const char* name) {
    static const json none;
    const auto found = of.is_object() ? of.find(name) : of.end();
    return of.is_object() && found != of.end() ? *found : none;
}

std::string string_in(const json& value) { return value.is_string() ? value.get<std::string>() : ""; }

void add_results(const json& results, analysis::known_findings& known) {
    for (const json& each : results) {
        const std::string fingerprint =
            string_in(json_member(json_member(each, "partialFingerprints"), fingerprint_name));
        const json& places = json_member(each, "locations");
        if (fingerprint.empty() || !places.is_array() || places.empty()) continue;
        const json& artifact = json_member(json_member(places[0], "physicalLocation"), "artifactLocation");
        const std::string file = file_of_uri(string_in(json_member(artifact, "uri")));
        ++known[{analysis::base_name_of(file), fingerprint}];
    }
}

} // namespace

std::string to_sarif(const std::vector<finding>& findings, const sarif_facts& facts) {
    json rules = json::array(), results = json::array();
    std::map<std::string, std::size_t> index_of;
    const std::vector<std::string> marks = analysis::fingerprints(findings);
    const std::vector<bool> fresh =
        facts.baseline ? analysis::new_ones(findings, *facts.baseline) : std::vector<bool>();
    for (std::size_t i = 0; i < findings.size(); ++i) {
        const auto [rule, is_first] = index_of.try_emplace(findings[i].id, rules.size());
        if (is_first) rules.push_back(sarif_rule(findings[i]));
        results.push_back(sarif_result(findings[i], rule->second, marks[i]));
        if (facts.baseline) results.back()["baselineState"] = fresh[i] ? "new" : "unchanged";
    }
    const json driver = {{"name", facts.tool}, {"version", facts.version}, {"rules", std::move(rules)}};
    const json run = {{"tool", {{"driver", driver}}},
                      {"invocations", json::array({{{"executionSuccessful", facts.complete}}})},
                      {"columnKind", "unicodeCodePoints"},
                      {"results", std::move(results)}};
    return document_text({{"$schema", schema_uri}, {"version", "2.1.0"}, {"runs", json::array({run})}});
}

analysis::known_findings read_baseline(const std::string& file, std::string_view text) {
    analysis::check_nesting(file, text);
    analysis::check_keys(file, text);
    const json log = json::parse(text, nullptr, false);
    if (log.is_discarded()) refuse_baseline(file, "no JSON");
    const json& runs = json_member(log, "runs");
    if (!runs.is_array()) refuse_baseline(file, "no 'runs'");
    analysis::known_findings known;
    bool any = false;
    for (const json& run : runs) {
        const std::string tool =
            string_in(json_member(json_member(json_member(run, "tool"), "driver"), "name"));
        if (tool.compare(0, our_tools.size(), our_tools) != 0) continue;
        any = true;
        add_results(json_member(run, "results"), known);
    }
    if (!any) refuse_baseline(file, "no run of it");
    return known;
}

} // namespace sfpu::views
