// Analyses count the lines of a translated text; answers name what the user holds.
#include <sfpu/analysis/kernel_lint.h>
#include <sfpu/analysis/lint_findings.h>
#include <sfpu/platform/core_runner.h>
#include <sfpu/views/findings.h>
#include <sfpu/views/lint.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace sfpu::analysis {
namespace {

/// Line 3 and 7 are of an ELF file, line 5 of a disassembly.
const std::string from_elsewhere = "; made\n"                                      // 1
                                   ".origin \"f.elf\", 0, 0x5f08, \"exp.h\", 31\n" // 2
                                   "    sfploadi L0, FLOATB, 0x3f80\n"             // 3
                                   ".origin \"f.dump\", 12, 0x5f0c\n"              // 4
                                   "    sfpstore L0, FP32, ADDR_MOD_7, 0\n"        // 5
                                   ".origin \"f.elf\", 0, 0x5f10\n"                // 6
                                   "    sfpnop\n";                                 // 7

isa::kernel kernel_of(const std::string& text) { return assemble_kernel(text, "k.s", machine_choice{}); }

TEST(user_places, a_line_of_a_translated_text_is_the_place_that_origin_says) {
    const user_places places(kernel_of(from_elsewhere));
    EXPECT_EQ(location_text(places.of(3)), "f.elf:0x5f08 (exp.h:31)");
    EXPECT_EQ(location_text(places.of(5)), "f.dump:12");
    EXPECT_EQ(location_text(places.of(1)), "k.s") << "the user knows no line of the text";
}

TEST(user_places, a_text_without_origin_keeps_its_lines) {
    const user_places places(kernel_of("sfpnop\nsfpnop\n"));
    EXPECT_TRUE(places.empty());
    EXPECT_EQ(location_text(places.of(2)), "k.s:2");
    EXPECT_EQ(places.told("one SFPNOP before line 2"), "one SFPNOP before line 2");
}

TEST(user_places, sentences_name_addresses_where_there_are_no_lines) {
    const user_places places(kernel_of(from_elsewhere));
    EXPECT_EQ(places.told("one SFPNOP before line 7"), "one SFPNOP before 0x5f10");
    EXPECT_EQ(places.told("in line 5: its line 3"), "in line 12: its 0x5f08 (exp.h:31)");
    EXPECT_EQ(places.told("sequence in lines 3, 5, 7."), "sequence in 0x5f08 (exp.h:31), line 12, 0x5f10.");
    EXPECT_EQ(places.told("before line 6"), "before 0x5f10") << "a directive is about the word behind it";
    EXPECT_EQ(places.told("after line 99"), "after 0x5f10");
    EXPECT_EQ(places.told("underline 3, a line and outline 5"), "underline 3, a line and outline 5");
}

TEST(user_places, a_place_shows_the_line_of_the_users_file_or_the_instruction) {
    const user_places places(kernel_of(from_elsewhere));
    given_source given{
        "f.dump", "", "objdump", {}, "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n  5f0c:\tc0ffee41\tsfpstore\n"};
    const source_place in_dump = places.place_of(5, from_elsewhere, given);
    EXPECT_EQ(in_dump.line, 12u);
    EXPECT_EQ(in_dump.source, "  5f0c:\tc0ffee41\tsfpstore");
    const source_place in_elf = places.place_of(3, from_elsewhere, given);
    EXPECT_EQ(in_elf.line, 0u);
    EXPECT_EQ(in_elf.address, 0x5f08u);
    EXPECT_EQ(in_elf.source, "sfploadi L0, FLOATB, 0x3f80");
    EXPECT_EQ(heading_of(in_elf), "f.elf:0x5f08 (exp.h:31)");
}

TEST(user_places, a_run_says_addresses_where_it_said_lines) {
    const kernel_run run(kernel_of(from_elsewhere), machine_choice{}, std::nullopt);
    diagnostic what;
    what.word = 0;
    what.message = "it reads what word 1 writes, behind word 2";
    EXPECT_NE(run.message(what).find("it reads what line 12 writes, behind 0x5f10"), std::string::npos)
        << run.message(what);
    EXPECT_EQ(run.location(what), "f.elf:0x5f08 (exp.h:31)");
    EXPECT_EQ(run.text_line(2), 7u);
}

/// A store to a register that is read before the multiplication is done, made from an ELF file.
const std::string broken_elsewhere = ".rows 2\n.loop\n"
                                     ".origin \"f.elf\", 0, 0x40, \"m.h\", 7\n"
                                     "sfpload L0, FP32, ADDR_MOD_3, 0\n"
                                     ".origin \"f.elf\", 0, 0x44, \"m.h\", 8\n"
                                     "sfpmad L0, L0, L9, L1, 0\n"
                                     ".origin \"f.elf\", 0, 0x48, \"m.h\", 9\n"
                                     "sfpstore L1, FP32, ADDR_MOD_3, 0\n";

lint_answer linted(const std::string& text) {
    platform::core_runner runner;
    lint_request request;
    request.how.schedules = 2;
    machine_choice machine;
    machine.arch = "wh"; // which has no interlock
    lint_answer answer = lint_kernel(runner, text, "f.elf", machine, request, {});
    answer.given = {"f.elf", "m(int)", "elf", {"2 rows were found"}, ""};
    return answer;
}

TEST(user_places, lint_names_address_and_cpp_in_text_json_and_sarif) {
    const lint_answer answer = linted(broken_elsewhere);
    ASSERT_FALSE(answer.report.hazards.empty());
    const std::vector<finding> findings = findings_of(answer);
    EXPECT_EQ(findings[0].where.file, "f.elf");
    EXPECT_EQ(findings[0].where.address, 0x48u);
    EXPECT_EQ(findings[0].where.cpp_line, 9u);

    const std::string text = views::to_text(answer);
    EXPECT_NE(text.find("f.elf:0x48 (m.h:9): "), std::string::npos) << text;
    EXPECT_EQ(text.find("line 8"), std::string::npos) << "a line of the translated text: " << text;

    const nlohmann::json document = nlohmann::json::parse(views::to_json(answer));
    const nlohmann::json source = {{"file", "f.elf"},
                                   {"function", "m(int)"},
                                   {"form", "elf"},
                                   {"told", nlohmann::json::array({"2 rows were found"})}};
    EXPECT_EQ(document["source"], source);
    const nlohmann::json& hazard = document["hazards"][0];
    EXPECT_TRUE(hazard["line"].is_null());
    EXPECT_EQ(hazard["address"], 0x48);
    const nlohmann::json cpp = {{"file", "m.h"}, {"line", 9}};
    EXPECT_EQ(hazard["cpp"], cpp);

    const nlohmann::json sarif = nlohmann::json::parse(views::to_sarif(findings, {}));
    const nlohmann::json& place = sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    EXPECT_EQ(place["address"]["absoluteAddress"], 0x48);
    EXPECT_EQ(place.count("region"), 0u);
}

TEST(user_places, a_kernel_that_is_its_own_source_has_no_address) {
    std::string own;
    for (std::size_t at = 0; at < broken_elsewhere.size(); at = broken_elsewhere.find('\n', at) + 1) {
        const std::string line = broken_elsewhere.substr(at, broken_elsewhere.find('\n', at) - at);
        own += (line.compare(0, 7, ".origin") == 0 ? "" : line) + "\n";
    }
    const nlohmann::json document = nlohmann::json::parse(views::to_json(linted(own)));
    EXPECT_EQ(document["hazards"][0]["line"], 8);
    EXPECT_EQ(document["hazards"][0].count("address"), 0u);
}

TEST(user_places, a_mistake_in_a_translated_text_says_what_the_line_was_made_from) {
    try {
        kernel_of(".origin \"f.elf\", 0, 0x5f08\nsfpnothing 1\n");
        FAIL() << "it was taken";
    } catch (const input_error& error) {
        EXPECT_NE(std::string(error.what()).find("made from \"f.elf\", 0, 0x5f08"), std::string::npos)
            << error.what();
    }
}

} // namespace
} // namespace sfpu::analysis
