// The text of a schedule: directives, the source's names and lines, the table; and random numbers in their
// order.
#include <sfpu/analysis/kernel_comparison.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/optimize.h>
#include <sfpu/platform/core_runner.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace sfpu::test {
namespace {

using analysis::optimize_answer;

struct written {
    std::string source;
    optimize_answer answer;
    const std::string& text() const { return answer.schedule; }
    bool says(const std::string& what) const { return text().find(what) != std::string::npos; }
    std::vector<std::string> lines() const {
        std::vector<std::string> found;
        std::istringstream stream(text());
        for (std::string line; std::getline(stream, line);) found.push_back(line);
        return found;
    }
};

written optimized(const std::string& definitions, const std::string& init, const std::string& row,
                  const std::string& loop = ".loop") {
    written of;
    of.source = ".arch bh\n.rows 32\n" + definitions + ".init\n" + init + loop + "\n" + row;
    analysis::optimize_request request;
    request.name = "folder/row.s";
    request.text = of.source;
    request.conflicts = 20'000;
    of.answer = analysis::optimize(request);
    return of;
}

const char* const step_modes = "    setc16 34, 2 ; a step\n    setc16 35, 0\n";

isa::kernel words_of(const std::string& text) { return analysis::assemble_kernel(text, "text.s", {}); }

analysis::equivalence_report compared(const written& of) {
    const isa::kernel given = words_of(of.source), found = words_of(of.text());
    platform::core_runner runner;
    analysis::equivalence_options how;
    how.prove = true;
    return analysis::compare(runner, given, found, {}, std::nullopt, how);
}

TEST(written_form, sets_up_macros_by_directives_and_constants_by_their_bits) {
    const written one = optimized("", step_modes,
                                  "sfpload L0, FP32, ADDR_MOD_7, 0\nsfploadi L1, FLOATB, 2.5\n"
                                  "sfpmad L0, L1, L10, L2, NEGATE_VA\nsfpstore L2, FP32, ADDR_MOD_6, 0\n");
    ASSERT_TRUE(one.answer.best);
    for (const char* each : {".template ", ".macro ", ".misc ", ".constant "})
        EXPECT_TRUE(one.says(each)) << each << one.text();
    EXPECT_FALSE(one.says("sfpconfig")) << one.text();
    EXPECT_FALSE(one.says("sfploadi")) << one.text();
    EXPECT_TRUE(compared(one).equal);
}

// On a machine whose loads are slow SFPNOPs stand between the words of a set-up, and a directive has no room
// for them.
TEST(written_form, keeps_words_where_they_have_to_wait_for_each_other) {
    analysis::optimize_request request;
    request.name = "row.s";
    request.text = std::string(".arch bh\n.rows 32\n.init\n") + step_modes +
                   ".loop\nsfpload L0, FP32, ADDR_MOD_7, 0\nsfpmul L0, L0, L9, L0, 0\nsfpnop\n"
                   "sfpstore L0, FP32, ADDR_MOD_6, 0\n";
    request.conflicts = 20'000;
    request.machine.settings = {"sfpu.latency.load=3"};
    const optimize_answer answer = analysis::optimize(request);
    ASSERT_TRUE(answer.best);
    EXPECT_NE(answer.schedule.find("sfpconfig"), std::string::npos) << answer.schedule;
    EXPECT_EQ(answer.schedule.find(".macro "), std::string::npos) << answer.schedule;
}

TEST(written_form, keeps_names_lines_and_remarks_of_the_source) {
    const written one = optimized(".equ x, 0x40\n.equ stay, ADDR_MOD_7\n.equ slope, L12\n",
                                  std::string(step_modes) + "    .constant slope, 0.3   ; of the line\n",
                                  "sfpload L0, FP32, stay, x + 4\nsfpmul L0, slope, L9, L0, 0\nsfpnop\n"
                                  "sfpadd L10, L0, slope, L0, 0\nsfpnop\nsfpstore L0, FP32, ADDR_MOD_6, x\n");
    ASSERT_TRUE(one.answer.best);
    EXPECT_TRUE(std::regex_search(one.text(), std::regex("setc16 +34, 2 +; a step\n"))) << one.text();
    EXPECT_TRUE(std::regex_search(one.text(), std::regex(R"(\.constant +slope, 0\.3 +; of the line\n)")))
        << one.text();
    EXPECT_TRUE(std::regex_search(one.text(), std::regex("sfploadmacro .*, FP32, stay, x\n"))) << one.text();
    EXPECT_TRUE(std::regex_search(one.text(), std::regex(R"(\.template .*sfp[a-z]+ .*\bslope\b)")))
        << one.text();
    EXPECT_TRUE(compared(one).equal);
}

// All definitions stand at the head, so that a line with a name that gets another value further down would
// say something else there.
TEST(written_form, says_the_same_words_where_a_name_has_two_values) {
    const written one =
        optimized(".equ step, 2\n", "    setc16 34, step\n    setc16 35, 0\n    .equ step, 8\n",
                  "sfpload L0, FP32, ADDR_MOD_7, 0\nsfpabs 0, L0, L0, 1\n"
                  "sfpstore L0, FP32, ADDR_MOD_6, 0\n");
    ASSERT_TRUE(one.answer.best);
    const isa::kernel given = words_of(one.source), found = words_of(one.text());
    for (const isa::source_word& word : given.init)
        EXPECT_TRUE(std::any_of(found.init.begin(), found.init.end(), [&](const auto& other) {
            return other.word == word.word;
        })) << one.text();
    EXPECT_TRUE(compared(one).equal);
}

TEST(written_form, has_a_table_of_signs_modifiers_and_conditions) {
    const written one =
        optimized("", std::string(step_modes) + "    sfpencc 3, 0, 0, 10\n",
                  "sfpload L0, FP32, ADDR_MOD_7, 0\nsfpsetcc 0, L0, 0, LREG_LT0\n"
                  "sfpmad L0, L0, L10, L0, NEGATE_VA | NEGATE_VC\nsfpnop\nsfpencc 0, 0, 0, 0\n"
                  "sfpdivp2 3, L0, L0, ADD\nsfpstore L0, FP32, ADDR_MOD_6, 0\n");
    ASSERT_TRUE(one.answer.best);
    const std::string row = R"(\n;  +\d+ .*)";
    for (const char* each : {R"(setcc\.LREG_LT0\(L[\d/L]+\))", R"(= mad\(-L[\d/L]+, L[\d/L]+, -L10\) \?)",
                             R"(divp2\.ADD\(L[\d/L]+, 3\))"})
        EXPECT_TRUE(std::regex_search(one.text(), std::regex(row + each))) << each << one.text();
    EXPECT_FALSE(std::regex_search(one.text(), std::regex(row + R"(divp2.*\?)"))) << one.text();
}

TEST(written_form, counts_rows_of_the_loop_in_its_table) {
    const std::string row = "sfpload L0, FP32, ADDR_MOD_7, 0\nsfpmul L0, L0, L9, L0, 0\nsfpnop\n"
                            "sfpstore L0, FP32, ADDR_MOD_6, 0\n";
    const written one = optimized("", step_modes, row), two = optimized("", step_modes, row + row, ".loop 2");
    ASSERT_TRUE(one.answer.best && two.answer.best);
    for (const written* each : {&one, &two}) // equal rows are rolled up
        EXPECT_TRUE(each->says("; One row; the next begins 1 cycle later.")) << each->text();
}

TEST(written_form, has_no_blank_rows_no_macro_that_does_nothing_and_no_value_that_nobody_reads) {
    const written swaps =
        optimized("", step_modes,
                  "sfpload L0, FP32, ADDR_MOD_7, 0\nsfpmov 0, L11, L1, 0\nsfpswap 0, L0, L1, 1\n"
                  "sfpnop\nsfpmov 0, L10, L2, 0\nsfpswap 0, L2, L1, 1\nsfpnop\n"
                  "sfpstore L1, FP32, ADDR_MOD_6, 0\n");
    const written product = optimized(
        "", step_modes,
        "sfpload L0, INT32, ADDR_MOD_7, 0\nsfpload L1, INT32, ADDR_MOD_7, 64\nsfpshft2 -23, L0, L2, 6\n"
        "sfpshft2 -23, L1, L3, 6\nsfpmul24 L0, L1, L9, L4, 1\nsfpmul24 L0, L3, L9, L5, 0\nsfpnop\n"
        "sfpiadd 0, L4, L5, 4\nsfpstore L5, INT32, ADDR_MOD_6, 128\n");
    for (const written* each : {&swaps, &product}) {
        ASSERT_TRUE(each->answer.best);
        std::set<std::string> defined, used;
        for (const std::string& line : each->lines()) {
            EXPECT_FALSE(std::regex_match(line, std::regex(R"(;  *\d+[ |]*)"))) << each->text();
            std::smatch found;
            if (std::regex_search(line, found, std::regex(R"(\.macro +(\d+), \w+=)")))
                defined.insert(found[1]);
            if (std::regex_search(line, found, std::regex(R"(^ +sfploadmacro (\d+),)")))
                used.insert(found[1]);
        }
        EXPECT_EQ(defined, used) << each->text();
        EXPECT_EQ(used.size(), each->answer.best->macros) << each->text();
        EXPECT_TRUE(compared(*each).equal);
    }
}

// Rounding by random numbers, and random numbers themselves: two in each row, so that any other order gives
// other results.
const char* const random_row = "sfpload L0, FP32, ADDR_MOD_7, 0\nsfpload L1, FP32, ADDR_MOD_7, 64\n"
                               "sfpstochrnd 1, 0, L0, L0, L0, FP32_TO_FP16B\n"
                               "sfpstochrnd 1, 0, L1, L1, L1, FP32_TO_FP16B\n"
                               "sfpmov 0, L9, L2, FROM_SPECIAL\nsfpstore L0, FP32, ADDR_MOD_7, 0\n"
                               "sfpstore L2, INT32, ADDR_MOD_7, 128\nsfpstore L1, FP32, ADDR_MOD_6, 64\n";

TEST(random_numbers, are_scheduled_in_the_order_of_the_rows) {
    const written one = optimized("", step_modes, random_row);
    ASSERT_TRUE(one.answer.best);
    EXPECT_LT(one.answer.best->cycles_per_row, one.answer.plain_cycles_per_row);
    EXPECT_TRUE(one.says("sfploadmacro")) << one.text();
    const analysis::equivalence_report report = compared(one);
    EXPECT_TRUE(report.equal) << analysis::equivalence_text("row", "schedule", report);
    EXPECT_EQ(report.verdict, analysis::equivalence_verdict::proved);
}

TEST(random_numbers, in_another_order_are_not_equal) {
    std::string other = random_row;
    const std::string first = "sfpstochrnd 1, 0, L0, L0, L0, FP32_TO_FP16B\n",
                      second = "sfpstochrnd 1, 0, L1, L1, L1, FP32_TO_FP16B\n";
    other.replace(other.find(first), first.size() + second.size(), second + first);
    const std::string head = std::string(".arch bh\n.rows 32\n.init\n") + step_modes + ".loop\n";
    platform::core_runner runner;
    const isa::kernel a = words_of(head + random_row), b = words_of(head + other);
    EXPECT_FALSE(analysis::compare(runner, a, b, {}, std::nullopt, {}).equal);
}

// Nobody reads the second result, but it takes a step between two that are read.
TEST(random_numbers, are_stepped_by_what_nobody_reads) {
    const written one =
        optimized("", step_modes,
                  "sfpload L0, FP32, ADDR_MOD_7, 0\nsfpstochrnd 1, 0, L0, L0, L0, FP32_TO_FP16B\n"
                  "sfpstochrnd 0, 0, L0, L0, L3, FP32_TO_FP16B\n"
                  "sfpstore L0, FP32, ADDR_MOD_6, 0\n");
    ASSERT_TRUE(one.answer.best);
    EXPECT_EQ(one.answer.best->cycles_per_row, 2) << "Round has two instructions a row" << one.text();
    EXPECT_EQ(compared(one).verdict, analysis::equivalence_verdict::proved);
}

} // namespace
} // namespace sfpu::test
