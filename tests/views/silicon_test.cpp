#include <sfpu/views/silicon.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sfpu::views {
namespace {

analysis::scoreboard board() {
    analysis::scoreboard result;
    analysis::scored_row judged;
    judged.row.kernel = "one | other";
    judged.row.arch = "bh";
    judged.row.measured = 100;
    judged.row.unit = "cycles/tile";
    judged.model = 95;
    judged.pushed = 95;
    judged.constant = 4;
    judged.judged = true;
    judged.left_out = -0.02;
    judged.source = analysis::word_source::recorded;
    judged.harness = "loop";
    analysis::scored_row unknown;
    unknown.row.kernel = "unknown";
    unknown.row.arch = "wh";
    unknown.row.measured = 7;
    unknown.why_not = "unknown kernel";
    result.rows = {judged, unknown};
    result.constants = {{"bh", "call", "what is missing", 4, 1}};
    return result;
}

TEST(silicon_view, json_has_a_row_for_each_measurement_and_null_for_what_is_not_known) {
    const auto form = to_json(board());
    ASSERT_EQ(form["rows"].size(), 2u);
    EXPECT_EQ(form["rows"][0]["error"], -0.01);
    EXPECT_TRUE(form["rows"][1]["model"].is_null());
    EXPECT_EQ(form["rows"][1]["why_not"], "unknown kernel");
    EXPECT_EQ(form["constants"][0]["fitted_to"], 1);
    EXPECT_EQ(form["judged"], 1);
    EXPECT_EQ(form["worst_error"], 0.01);
    EXPECT_EQ(form["rows"][0]["words"], "recorded");
    EXPECT_EQ(form["rows"][1]["words"], "unknown");
    EXPECT_EQ(form["left_out"]["median"], 0.02);
    EXPECT_EQ(form["left_out"]["within_1"], 0);
    ASSERT_EQ(form["groups"].size(), 3u);
    EXPECT_EQ(form["groups"][1]["name"], "loop");
    EXPECT_EQ(form["groups"][1]["fitted"]["within_1"], 1);
}

TEST(silicon_view, the_text_says_how_far_off_and_why_something_is_not_judged) {
    const std::string text = to_text(board());
    EXPECT_NE(text.find("-1.00 %"), std::string::npos) << text;
    EXPECT_NE(text.find("not judged: unknown kernel"), std::string::npos);
    EXPECT_NE(text.find("1 of 2 measurements are judged: median error 1.00 %, worst 1.00 %"),
              std::string::npos);
    EXPECT_NE(text.find("-2.00 %  recorded"), std::string::npos)
        << "its constant left out, and whence its words are";
    EXPECT_NE(text.find("harness loop bh"), std::string::npos);
    EXPECT_NE(to_text(analysis::scoreboard{}).find("none of 0 measurements is judged"), std::string::npos);
}

TEST(silicon_view, the_page_keeps_a_bar_in_a_name_out_of_its_tables) {
    const std::string page = to_markdown(board());
    EXPECT_NE(page.find("| one \\| other | bh |"), std::string::npos) << page;
    EXPECT_EQ(page.compare(0, 27, "# The model against silicon"), 0);
}

TEST(silicon_view, what_is_not_within_five_percent_of_the_math_thread_alone_is_listed_with_what_is_known) {
    analysis::scoreboard both = board();
    both.rows[0].row.configuration = "MATH_ISOLATE; bf16";
    analysis::scored_row far = both.rows[0];
    far.row.kernel = "far";
    far.row.note = "order assumed";
    far.left_out = 0.25;
    both.rows.push_back(far);
    const std::string line =
        "1 of 2 kernels of which the math thread alone was measured (MATH_ISOLATE) agree within 5 %";
    EXPECT_NE(to_text(both).find(line), std::string::npos) << to_text(both);
    const std::string page = to_markdown(both);
    EXPECT_NE(page.find(line + ": 1 of 2 rows"), std::string::npos) << page;
    EXPECT_NE(page.find("| far | bh | 100.00 | 99.00 | +25.00 % | order assumed |"), std::string::npos)
        << page;
    EXPECT_EQ(to_markdown(board()).find("MATH_ISOLATE"), std::string::npos)
        << "nothing of what there is none";
    const auto form = to_json(both)["math_isolated"];
    EXPECT_EQ(form["kernels_within"], 1);
    EXPECT_EQ(form["beyond"][0]["row"], 2);
    EXPECT_EQ(form["beyond"][0]["kernel"], "far");
}

} // namespace
} // namespace sfpu::views
