#include <sfpu/views/findings.h>

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/escapes.h>
#include <sfpu/analysis/json_nesting.h>
#include <sfpu/common/shown_name.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sfpu::views {
namespace {

using analysis::finding;
using nlohmann::json;

constexpr auto lines = "\n  sfpmad L0, L1 ; a remark\nsfpnop\n  sfpmad  L0, L1\n";

finding found_in(unsigned line, const char* id = "/sfpu/x/y", const char* text = lines) {
    finding found;
    found.id = id;
    found.level = severity::warning;
    found.message = "it is doubtful";
    found.where = analysis::place_of_line("k.s", text, line);
    return found;
}

TEST(findings, a_caret_stands_below_the_statement_and_not_its_remark) {
    EXPECT_EQ(finding_text(found_in(2), colouring::off), "k.s:2:3: warning: it is doubtful [/sfpu/x/y]\n"
                                                         "    2 |   sfpmad L0, L1 ; a remark\n"
                                                         "      |   ^~~~~~~~~~~~~\n");
}

TEST(findings, of_a_file_as_a_whole_have_no_line) {
    EXPECT_EQ(finding_text(found_in(0), colouring::off), "k.s: warning: it is doubtful [/sfpu/x/y]\n");
    EXPECT_EQ(finding_text(found_in(99), colouring::off), "k.s:99: warning: it is doubtful [/sfpu/x/y]\n");
}

TEST(findings, show_control_characters_and_paint_only_when_asked) {
    finding odd = found_in(1, "/sfpu/x/y", "a\x1b[31m\n");
    odd.where.file = "k\x1b.s";
    const std::string text = finding_text(odd, colouring::off);
    EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
    EXPECT_NE(text.find("k\\x1b.s:1:1:"), std::string::npos) << text;
    EXPECT_NE(finding_text(odd, colouring::on).find("\x1b[1;35mwarning:\x1b[0m"), std::string::npos);
}

TEST(findings, fingerprints_know_no_line_numbers_and_no_blanks) {
    const auto before = analysis::fingerprints({found_in(2), found_in(4)});
    const auto after = analysis::fingerprints({found_in(3, "/sfpu/x/y", "\n\nsfpmad L0, L1\n")});
    EXPECT_EQ(before[0], after[0]);
    EXPECT_NE(before[0], before[1]) << "the second of two that are alike is another one";
    EXPECT_NE(before[0], analysis::fingerprints({found_in(2, "/sfpu/x/z")})[0]);
    EXPECT_NE(before[0], analysis::fingerprints({found_in(3)})[0]);
}

TEST(findings, what_sarif_says_is_a_baseline) {
    std::vector<finding> findings{found_in(2), found_in(3), found_in(4)};
    findings[1].fails = true;
    const analysis::known_findings known =
        read_baseline("b", to_sarif({findings[0], findings[2]}, {"sfpusim lint", "1", true, std::nullopt}));
    EXPECT_EQ(new_ones(findings, known), (std::vector<bool>{false, true, false}));
    EXPECT_TRUE(any_fails(findings, &known));
    findings[1].fails = false;
    EXPECT_FALSE(any_fails(findings, &known));
    for (finding& each : findings) each.where.file = "folder/k.s";
    EXPECT_FALSE(new_ones(findings, known)[0]) << "a kernel may be named from elsewhere";
    for (finding& each : findings) each.where.file = "other.s";
    EXPECT_TRUE(new_ones(findings, known)[0]) << "findings of another kernel are its own";
}

TEST(findings, sarif_counts_columns_in_characters_and_names_files_by_uri) {
    finding odd = found_in(1, "/sfpu/x/y", "\xc3\xa4 b\n");
    odd.where = analysis::place_of_word("a b:%.s", "\xc3\xa4 b\n", 1, 4);
    const json result = json::parse(to_sarif({odd}, {"t", "1", true, std::nullopt}))["runs"][0]["results"][0];
    const json& place = result["locations"][0]["physicalLocation"];
    EXPECT_EQ(place["artifactLocation"]["uri"], "a%20b%3A%25.s");
    EXPECT_EQ(place["region"]["startColumn"], 3);
    EXPECT_EQ(place["region"]["endColumn"], 4);
}

TEST(findings, other_tools_logs_are_no_baseline) {
    EXPECT_THROW(read_baseline("b", to_sarif({found_in(2)}, {"other", "1", true, std::nullopt})),
                 analysis::input_error);
    EXPECT_THROW(read_baseline("b", "[]"), analysis::input_error);
    EXPECT_NO_THROW(
        read_baseline("b", R"({"runs":[{"tool":{"driver":{"name":"sfpusim lint"}},"results":[7,{}]}]})"));
}

TEST(findings, errors_of_inputs_have_a_message_of_at_most_twenty) {
    const analysis::input_error error(std::vector<finding>(22, found_in(2)));
    const std::string message = error.what();
    EXPECT_EQ(message.rfind("k.s:2:3: warning: it is doubtful\n", 0), 0u) << message;
    EXPECT_EQ(message.substr(message.rfind('\n')), "\nk.s: 2 more errors");
    EXPECT_EQ(error.findings().size(), 22u);
}

TEST(json_places, are_those_of_keys_and_elements) {
    const std::string text = R"({"a": [{"b.c": 1, "b": {"x": "}\""}}, {"plain": 2}], "where": ["1", "2"]})";
    const auto at = [&](const char* path) { return text.substr(analysis::offset_in_json(text, path), 7); };
    EXPECT_EQ(at("a[1].plain"), "\"plain\"");
    EXPECT_EQ(at("a[0].b.c"), "\"b.c\": ");
    EXPECT_EQ(at("where[1]"), "\"2\"]}");
    EXPECT_EQ(at("nowhere"), text.substr(0, 7));
    EXPECT_EQ(at("a[7].plain"), "\"a\": [{");
    for (std::size_t length = 0; length <= text.size(); ++length) // of damaged texts only that it ends
        EXPECT_LE(analysis::offset_in_json(std::string_view(text).substr(0, length), "a[1].plain"), length);
}

TEST(names, are_shown_in_one_line_without_control_characters) {
    EXPECT_EQ(shown_name("a b\xc3\xa4'\"$`.s"), "a b\xc3\xa4'\"$`.s");
    EXPECT_EQ(shown_name("a\n\t\r\x1b\x7f\\"), "a\\n\\t\\r\\x1b\\x7f\\\\");
    EXPECT_EQ(shown_name("\xff\xc0\xaf\xed\xa0\x80\xc2\x9b\xe2\x80\xae"),
              "\\xff\\xc0\\xaf\\xed\\xa0\\x80\\xc2\\x9b\\xe2\\x80\\xae");
    EXPECT_EQ(shown_text("a\n\tb\\\x1b"), "a\n\tb\\\\x1b");
}

TEST(names, run_in_no_other_program) {
    EXPECT_EQ(analysis::gnuplot_text("it's"), "'it''s'");
    EXPECT_EQ(analysis::gnuplot_text("a\nsystem(\"x\")"), "'a\\nsystem(\"x\")'");
    EXPECT_EQ(analysis::gnuplot_text("a]]>"), "'a]]\\x3e'")
        << "no text of XML has ]]>, and gnuplot leaves it as it is";
    EXPECT_EQ(analysis::gnuplot_file("a`\n\".s"), "\"a\\140\\012\\042.s\"");
    EXPECT_EQ(analysis::shell_word("it's $(x)"), "'it'\\''s $(x)'");
    EXPECT_EQ(analysis::readable_shell_word("a/b-1.s"), "a/b-1.s");
    EXPECT_EQ(analysis::readable_shell_word("$(x)"), "'$(x)'");
}

} // namespace
} // namespace sfpu::views
