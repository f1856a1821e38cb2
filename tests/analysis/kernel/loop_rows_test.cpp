#include <sfpu/analysis/kernel_file.h>

#include <sfpu/platform/core_runner.h>
#include <sfpu/probe/schedule_table.h>

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace sfpu::analysis {
namespace {

kernel_run run_of(const std::string& loop, unsigned rows = 2) {
    const std::string text =
        ".rows 8\n.init\nsfpnop\n.loop " + std::to_string(rows) + "\n" + loop + ".tail\nsfpnop\n";
    return kernel_run(assemble_kernel(text, "k.s", {}), {}, std::nullopt);
}
/// Rows of the words of the first two iterations.
std::vector<std::int64_t> rows_of(const kernel_run& run, std::int64_t words) {
    std::vector<std::int64_t> rows;
    for (std::int64_t word = 1; word <= 2 * words; ++word) rows.push_back(run.row_of_word(word));
    return rows;
}
std::string copy(unsigned from, unsigned to, unsigned lreg, const char* move = "ADDR_MOD_3") {
    const std::string reg = "L" + std::to_string(lreg);
    return "sfpload " + reg + ", INT32, ADDR_MOD_3, " + std::to_string(from) + "\nsfpstore " + reg +
           ", INT32, " + move + ", " + std::to_string(to) + "\n";
}

TEST(loop_rows, words_of_rows_behind_one_another_have_the_row_of_their_part) {
    const kernel_run run = run_of(copy(0, 64, 0) + copy(2, 66, 1)); // another register, the next row
    EXPECT_EQ(run.rows_together(), 1u);
    EXPECT_EQ(rows_of(run, 4), (std::vector<std::int64_t>{0, 0, 1, 1, 2, 2, 3, 3}));
    EXPECT_EQ(run.row_of_word(0), -1); // set-up
    EXPECT_EQ(run.row_of_word(1 + 4 * 4), -1);
}

TEST(loop_rows, where_the_address_moves_by_itself_parts_may_have_the_same) {
    const kernel_run run = run_of(copy(0, 64, 0, "ADDR_MOD_1") + copy(0, 64, 0, "ADDR_MOD_1"));
    EXPECT_EQ(rows_of(run, 4), (std::vector<std::int64_t>{0, 0, 1, 1, 2, 2, 3, 3}));
    EXPECT_EQ(run_of(copy(0, 64, 0, "ADDR_MOD_1") + copy(0, 64, 0, "ADDR_MOD_2")).rows_together(), 2u);
}

TEST(loop_rows, a_third_part_is_two_rows_further) {
    EXPECT_EQ(run_of(copy(0, 64, 0) + copy(2, 66, 0) + copy(4, 68, 0) + copy(6, 70, 0), 4).rows_together(),
              1u);
    EXPECT_EQ(run_of(copy(0, 64, 0) + copy(2, 66, 0) + copy(4, 68, 0) + copy(4, 68, 0), 4).rows_together(),
              4u);
}

TEST(loop_rows, of_rows_that_are_mixed_nobody_tells_which_a_word_works_on) {
    // Loads of x for both rows, then of y: the halves have the same instructions, 32 rows apart.
    const std::string mixed = "sfpload L0, INT32, ADDR_MOD_3, 0\nsfpload L1, INT32, ADDR_MOD_3, 2\n"
                              "sfpload L2, INT32, ADDR_MOD_3, 64\nsfpload L3, INT32, ADDR_MOD_3, 66\n";
    const kernel_run run = run_of(mixed);
    EXPECT_EQ(run.rows_together(), 2u);
    EXPECT_EQ(rows_of(run, 4), (std::vector<std::int64_t>{0, 0, 0, 0, 2, 2, 2, 2}));
    EXPECT_EQ(run_of(copy(0, 64, 0) + "sfpnop\n").rows_together(), 2u); // no halves
}

TEST(loop_rows, a_table_names_all_rows_that_a_word_may_belong_to) {
    const auto table_of = [](kernel_run run) {
        probe::trace_options options;
        options.row_of_word = [&run](std::int64_t word) { return run.row_of_word(word); };
        options.rows_together = run.rows_together();
        probe::schedule_table table(options);
        run.request().observer = &table;
        platform::core_runner runner;
        runner.run(run.request());
        std::ostringstream out;
        table.print(out);
        return out.str();
    };
    EXPECT_NE(table_of(run_of(copy(0, 64, 0) + copy(2, 66, 1))).find("sfpstore L1, INT32, ADDR_MOD_3, 66[3]"),
              std::string::npos);
    EXPECT_NE(
        table_of(run_of(copy(0, 64, 0) + copy(4, 66, 1))).find("sfpstore L1, INT32, ADDR_MOD_3, 66[2-3]"),
        std::string::npos);
}

} // namespace
} // namespace sfpu::analysis
