#include <sfpu/views/library_check.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sfpu::views {
namespace {

using analysis::library_answer;
using analysis::library_row;

library_row full_row() {
    library_row row;
    row.header = "wormhole/sfpu/a.h";
    row.function = "f<true, 8>()";
    row.arch = architecture::wormhole;
    row.compiles = row.records = true;
    row.direct_equals_recorded = true;
    row.macro_equals_plain = false;
    row.verdict = analysis::lint_verdict::replay_only;
    row.cycles_per_row = 2;
    row.published = 1.5;
    row.explanation = {"Because a < b."};
    row.remarks = {"cycles of a call"};
    return row;
}

TEST(library_check_view, a_row_has_the_promised_fields_in_their_order) {
    const nlohmann::ordered_json row = to_json(std::vector<library_row>{full_row()})[0];
    std::vector<std::string> keys;
    for (const auto& [key, value] : row.items()) keys.push_back(key);
    EXPECT_EQ(keys,
              (std::vector<std::string>{"header", "function", "arch", "compiles", "records", "reason",
                                        "direct_equals_recorded", "macro_equals_plain", "equality", "verdict",
                                        "cycles_per_row", "published", "note", "explanation", "remarks"}));
    EXPECT_EQ(row["arch"], "wh");
    EXPECT_EQ(row["verdict"], "replay-only");
    EXPECT_EQ(row["note"], "cycles of a call; Because a < b.");
}

TEST(library_check_view, what_is_not_known_is_null) {
    const nlohmann::ordered_json row = to_json(std::vector<library_row>(1))[0];
    for (const char* key : {"direct_equals_recorded", "macro_equals_plain", "equality", "verdict",
                            "cycles_per_row", "published"})
        EXPECT_TRUE(row[key].is_null()) << key;
}

TEST(library_check_view, rows_are_read_back_as_they_were_written) {
    const nlohmann::ordered_json written = to_json({full_row(), library_row()});
    const auto read = library_rows_of(nlohmann::ordered_json::parse(written.dump()));
    ASSERT_TRUE(read);
    EXPECT_EQ(to_json(*read), written);
}

TEST(library_check_view, anything_else_is_not_taken_for_rows) {
    for (const char* text : {"null", "{}", "[1]", R"([{"header": "a"}])", R"(["a"])"})
        EXPECT_FALSE(library_rows_of(nlohmann::ordered_json::parse(text))) << text;
}

TEST(library_check_view, the_summary_has_a_line_for_each_chip_that_has_rows) {
    EXPECT_EQ(to_text(library_answer{{full_row()}, false}),
              "wh  1 of 1 headers compile, 1 record; 1 of 1 calls record; recorded words equal direct "
              "execution in 1 of "
              "1; macro equals plain in 0 of 1\n");
    EXPECT_EQ(to_text(library_answer{}), "");
}

TEST(library_check_view, the_page_escapes_what_it_shows_and_puts_differences_first) {
    library_row good = full_row();
    good.macro_equals_plain = true;
    good.verdict = analysis::lint_verdict::robust;
    const std::string page = to_page({{good, full_row()}, false});
    EXPECT_NE(page.find("f&lt;true, 8&gt;()"), std::string::npos);
    EXPECT_NE(page.find("Because a &lt; b."), std::string::npos);
    const std::size_t differs = page.find("<h2>Differs</h2>"),
                      nothing = page.find("<h2>Nothing to remark</h2>");
    ASSERT_NE(differs, std::string::npos);
    ASSERT_NE(nothing, std::string::npos);
    EXPECT_LT(differs, nothing);
    EXPECT_EQ(page.find("<h2>Does not compile</h2>"), std::string::npos);
}

} // namespace
} // namespace sfpu::views
