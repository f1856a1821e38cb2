#include <sfpu/views/exploration.h>
#include <sfpu/views/exploration_page.h>
#include <sfpu/views/exploration_plots.h>

#include <gtest/gtest.h>

namespace sfpu::views {
namespace {

/// A kernel on machines of two latencies: one is right, the other wrong.
analysis::exploration_answer two_points() {
    analysis::exploration_answer answer;
    answer.what.name = "s.json";
    answer.what.kernels.resize(1);
    answer.what.kernels[0].name = answer.what.kernels[0].macro = "some/where/k,1.s";
    answer.what.varied = {find_parameter("sfpu.latency.mad")};
    answer.what.points = {{2}, {3}};
    answer.what.seeds = {std::nullopt};
    answer.kernel_texts = {".loop\n"};
    for (std::size_t point = 0; point < 2; ++point) {
        analysis::explored_point each{{point, 0, 0}, {}};
        each.result.cycles_per_row = 4;
        each.result.valid = point == 0;
        answer.points.push_back(each);
    }
    return answer;
}

std::string line_of(const std::string& text, std::size_t number) {
    std::size_t begin = 0;
    for (; number > 0; --number) begin = text.find("\r\n", begin) + 2;
    return text.substr(begin, text.find("\r\n", begin) - begin);
}

TEST(exploration_views, a_table_has_a_line_of_names_and_one_for_each_point) {
    const std::string table = to_csv(two_points());
    EXPECT_EQ(line_of(table, 0).rfind(
                  "point,kernel,seed,sfpu.latency.mad,schedule,status,error,cycles_per_row,", 0),
              0u);
    EXPECT_EQ(line_of(table, 1).rfind("0,\"some/where/k,1.s\",,2,keep,ok,,4.0,,", 0), 0u) << table;
    EXPECT_NE(line_of(table, 1).find(",true,"), std::string::npos);
    EXPECT_NE(line_of(table, 2).find(",false,"), std::string::npos);
    EXPECT_EQ(line_of(table, 3), "");
}

TEST(exploration_views, what_nobody_knows_is_unknown_in_tables_and_null_in_json) {
    analysis::exploration_answer answer = two_points();
    answer.points[0].result.valid.reset();
    answer.points[0].result.cycles_per_row.reset();
    EXPECT_NE(line_of(to_csv(answer), 1).find(",unknown,"), std::string::npos);
    EXPECT_NE(to_json_lines(answer).find("\"cycles_per_row\":null"), std::string::npos);
}

TEST(exploration_views, the_text_counts_right_wrong_and_failed_points) {
    analysis::exploration_answer answer = two_points();
    EXPECT_EQ(
        to_text(answer, "out")
            .rfind("2 points: 1 valid or unknown, 1 with other results than the baseline, 0 failed\n", 0),
        0u);
    EXPECT_TRUE(complaints_of(answer).empty());
    answer.points[0].result =
        analysis::lost_point(analysis::schedule_choice::keep, analysis::point_status::failed, "no");
    answer.points[1].result.reference_differs = true;
    const std::vector<std::string> complaints = complaints_of(answer);
    ASSERT_EQ(complaints.size(), 2u);
    EXPECT_EQ(complaints[0], "point 0, some/where/k,1.s: failed: no");
    EXPECT_EQ(complaints[1].rfind("some/where/k,1.s: computes something else on the baseline's machine", 0),
              0u);
}

TEST(exploration_views, a_wrong_point_is_a_cross_in_the_response_and_counts_nowhere_else) {
    const std::vector<analysis::plot> plots = plots_of(two_points());
    ASSERT_EQ(plots.size(), 2u); // a spread needs two right points
    EXPECT_EQ(plots[0].name, "response-sfpu.latency.mad");
    EXPECT_NE(plots[0].commands.find("$right0 << END_OF_DATA\n2 4\nEND_OF_DATA"), std::string::npos)
        << plots[0].commands;
    EXPECT_NE(plots[0].commands.find("$wrong0 << END_OF_DATA\n3 4\nEND_OF_DATA"), std::string::npos);
    EXPECT_EQ(plots[1].name, "pareto");
}

TEST(exploration_views, texts_of_kernels_cannot_end_the_script_of_the_page) {
    analysis::exploration_answer answer = two_points();
    answer.kernel_texts = {"; </script><script>alert(1)</script>\n"};
    answer.points[0].result.picture = {"<svg></svg>", 64, 10, 21};
    const std::string page = to_page(answer, {"0.1.0", "", "there is none"});
    EXPECT_EQ(page.find("<script>alert"), std::string::npos);
    EXPECT_NE(page.find("sfpusim schedule some/where/k,1.s --rows 64 --from-cycle 10 --to-cycle 21"),
              std::string::npos);
    EXPECT_NE(page.find("there is none"), std::string::npos);
}

} // namespace
} // namespace sfpu::views
