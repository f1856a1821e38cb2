// The table of schedules in figures.
#include <sfpu/analysis/library_check.h>
#include <sfpu/views/library_check.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace sfpu::analysis {
namespace {

library_row row_with(const library_schedule& schedule, architecture arch = architecture::blackhole) {
    library_row row;
    row.header = "blackhole/sfpu/ckernel_sfpu_x.h";
    row.function = "x<true, 8>(0)";
    row.arch = arch;
    row.compiles = row.records = true;
    row.schedule = schedule;
    return row;
}

library_schedule found(double plain, double ours, unsigned words, unsigned macros) {
    library_schedule of;
    of.status = "open";
    of.plain = plain;
    of.ours = ours;
    of.bound = 1;
    of.words = words;
    of.macros = macros;
    return of;
}

library_schedule failed(const std::string& reason) {
    library_schedule of;
    of.status = "failed";
    of.reason = reason;
    return of;
}

TEST(library_schedules, are_counted_by_chip_and_by_what_became_of_them) {
    library_schedule slower = found(6, 4, 6, 2);
    slower.macro = 3;
    library_schedule unchanged = found(20, 20, 20, 0);
    unchanged.ours.reset();
    unchanged.status = "plain";
    const std::vector<library_row> rows{row_with(found(8, 2, 120, 1)),
                                        row_with(slower),
                                        row_with(unchanged),
                                        row_with(found(121, 60.5, 121, 0)),
                                        row_with(failed("a.s:3: sfpconfig 0, L12, 0: no")),
                                        row_with(failed("b.s:4: sfpconfig 0, L11, 0: no")),
                                        row_with(failed("c.s: another")),
                                        library_row{}};
    const std::vector<schedule_summary> summary = summary_of_schedules(rows);
    ASSERT_EQ(summary.size(), 1u);
    EXPECT_EQ(summary[0].calls, 7u);
    EXPECT_EQ(summary[0].shorter, 3u);
    EXPECT_EQ(summary[0].failed, 3u);
    EXPECT_NEAR(summary[0].geometric_mean, std::pow(4 * 1.5 * 1 * 2, 0.25), 1e-12);
    EXPECT_EQ(summary[0].long_rows, 2u) << "of 20 and of 120 words";
    EXPECT_EQ(summary[0].long_with_macros, 1u);
    EXPECT_EQ(summary[0].with_library_macros, 1u);
    EXPECT_EQ(summary[0].slower_than_library, 1u);
    const std::vector<std::pair<std::string, std::size_t>> reasons{{"no", 2}, {"another", 1}};
    EXPECT_EQ(summary[0].reasons, reasons);
}

TEST(library_schedules, of_each_chip_are_a_summary_of_their_own) {
    const auto summary = summary_of_schedules(
        {row_with(found(2, 1, 2, 1)), row_with(found(3, 1, 2, 1), architecture::wormhole)});
    ASSERT_EQ(summary.size(), 2u);
    EXPECT_NE(summary[0].arch, summary[1].arch);
}

TEST(library_schedules, come_back_from_json_as_they_were) {
    library_schedule one = found(6, 4, 6, 2);
    one.macro = 3;
    one.seconds = 1.5;
    one.files = {"a.s", "a.h"};
    const auto back =
        views::library_rows_of(views::to_json({row_with(one), row_with(failed("x")), library_row{}}));
    ASSERT_TRUE(back);
    ASSERT_EQ(back->size(), 3u);
    EXPECT_FALSE((*back)[2].schedule);
    EXPECT_EQ((*back)[1].schedule->reason, "x");
    const library_schedule& same = *(*back)[0].schedule;
    EXPECT_EQ(same.status, "open");
    EXPECT_EQ(same.plain, one.plain);
    EXPECT_EQ(same.macro, one.macro);
    EXPECT_EQ(same.ours, one.ours);
    EXPECT_EQ(same.bound, one.bound);
    EXPECT_EQ(same.words, 6u);
    EXPECT_EQ(same.macros, 2u);
    EXPECT_EQ(same.seconds, 1.5);
    EXPECT_EQ(same.files, one.files);
}

TEST(library_schedules, are_a_line_each_of_a_table_with_as_many_columns_as_its_head) {
    library_answer answer;
    answer.rows = {row_with(found(6, 4, 6, 2)), row_with(failed("a \"b\"")), library_row{}};
    const std::string table = views::schedules_csv(answer);
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 3) << table;
    EXPECT_EQ(table.substr(0, table.find('\n')),
              "arch,header,function,words,plain,macro,ours,bound,status,macros,seconds,reason,files");
    EXPECT_NE(table.find("\nbh,\"blackhole/sfpu/ckernel_sfpu_x.h\",\"x<true, 8>(0)\",6,6,,4,1,open,2,0.00,"),
              std::string::npos)
        << table;
    EXPECT_NE(table.find("\"a \"\"b\"\"\""), std::string::npos) << table;
}

} // namespace
} // namespace sfpu::analysis
