// The comparison with silicon as a function. Cycles are derived by hand: a word a cycle, and what the harness
// has in front and behind.
#include <sfpu/analysis/kernel_search.h>
#include <sfpu/analysis/silicon.h>

#include <sfpu/analysis/errors.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace sfpu::analysis {
namespace {

namespace fs = std::filesystem;

class silicon_table : public testing::Test {
protected:
    silicon_table() { fs::create_directories(folder_); }
    ~silicon_table() override { fs::remove_all(folder_); }

    std::string file(const char* name, const std::string& text) const {
        const fs::path path = folder_ / name;
        std::ofstream(path) << text;
        return path.string();
    }
    /// Kernels "three" and "five" of so many words a row, "swaps" of two words that take two cycles each, and
    /// a harness of one word in front and one behind.
    measured_kernels kernels(const std::string& more_of_harness = "") const {
        const std::string word = R"("sfpabs 0, L0, L1, 0")", swap_word = R"("sfpswap 0, L0, L1, 1")";
        const auto kernel_line = [](const char* called, const std::string& assembly) {
            return std::string(R"({"kernel": ")") + called + R"(", "arch": "bh", "assembly": [)" + assembly +
                   "]}";
        };
        return measured_kernels(file(
            "kernels.json",
            R"({"constants": {"call": "what is missing"}, "harnesses": [{"name": "plain", "arch": "bh", "configuration": "X",
                "constant": "call", "begin": ["setc16 1, 0"], "end": ["setrwc 0, 0, 0, 0, 0, 4"])" +
                more_of_harness + R"(}], "kernels": [)" +
                kernel_line("three", word + "," + word + "," + word) + "," +
                kernel_line("five", word + "," + word + "," + word + "," + word + "," + word) + "," +
                kernel_line("swaps", swap_word + "," + swap_word) + "]}"));
    }
    static measurement measured(const std::string& kernel, double cycles,
                                const std::string& comparable = "yes") {
        measurement row;
        row.kernel = kernel;
        row.arch = "bh";
        row.configuration = "X; iterations 8";
        row.unit = "cycles/tile";
        row.comparable = comparable;
        row.measured = cycles;
        return row;
    }
    scoreboard compared(const std::vector<measurement>& rows) const {
        silicon_request request;
        request.measurements = rows;
        request.kernels = kernels();
        const auto board = compare_with_silicon(request);
        if (!board) throw std::runtime_error("interrupted by nobody");
        return *board;
    }

    fs::path folder_ =
        fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
};

constexpr double three = 32 * 3 + 2, five = 32 * 5 + 2; ///< cycles a tile

TEST_F(silicon_table, published_words_take_a_cycle_each) {
    const scoreboard board = compared({measured("three", three), measured("five", five)});
    ASSERT_EQ(board.rows.size(), 2u);
    for (const scored_row& each : board.rows) {
        EXPECT_EQ(each.model, each.row.kernel == "three" ? three : five);
        EXPECT_EQ(each.pushed, each.model);
        EXPECT_EQ(each.error(), 0);
        EXPECT_TRUE(each.judged) << each.why_not;
    }
}

TEST_F(silicon_table, the_constant_is_the_median_of_what_is_missing_and_misses_come_first) {
    const scoreboard board =
        compared({measured("three", three + 5), measured("five", five + 9), measured("three", three + 4)});
    ASSERT_EQ(board.constants.size(), 1u);
    EXPECT_EQ(board.constants[0].cycles, 5);
    EXPECT_EQ(board.constants[0].rows, 3u);
    EXPECT_EQ(board.constants[0].meaning, "what is missing");
    EXPECT_EQ(board.judged(), 3u);
    EXPECT_EQ(board.rows[0].row.kernel, "five");
    EXPECT_DOUBLE_EQ(*board.rows[0].error(), -4 / (five + 9));
    EXPECT_DOUBLE_EQ(board.worst_error(), 4 / (five + 9));
    EXPECT_DOUBLE_EQ(board.median_error(), 1 / (three + 4));
    // Without it the constant is the median of 5 and 4.
    EXPECT_DOUBLE_EQ(*board.rows[0].left_out, -4.5 / (five + 9));
}

TEST_F(silicon_table, a_row_to_which_alone_a_constant_is_fitted_is_not_judged) {
    const scoreboard board = compared({measured("three", three + 5)});
    EXPECT_EQ(board.judged(), 0u);
    EXPECT_EQ(board.rows[0].why_not, "the constant is fitted to it alone");
    EXPECT_EQ(board.median_error(), 0);
    EXPECT_EQ(board.worst_error(), 0);
}

TEST_F(silicon_table, what_is_not_judged_says_why_and_counts_for_nothing) {
    measurement other_unit = measured("three", 7), other_harness = measured("three", 7);
    other_unit.unit = "seconds";
    other_harness.configuration = "Y";
    const scoreboard board = compared(
        {measured("three", three), measured("five", five), measured("five", 500, "no"),
         measured("five", 500, "derived (by hand)"), measured("nobody", 7), other_unit, other_harness});
    std::vector<std::string> why;
    for (const scored_row& each : board.rows)
        if (!each.judged) why.push_back(each.why_not);
    EXPECT_EQ(why, (std::vector<std::string>{
                       "not comparable", "words derived (by hand)",
                       "needs a checkout of the kernel library (--llk)", "not cycles a tile",
                       "unknown harness: none is described whose configuration begins like this"}));
    EXPECT_EQ(board.constants.at(0).rows, 2u);
    EXPECT_EQ(board.worst_error(), 0);
}

TEST_F(silicon_table, the_longer_of_core_and_vector_unit_counts) {
    silicon_request request;
    request.kernels = kernels(R"(, "core_constant": "core")");
    // Swaps take two cycles each, so that the unit is 64 cycles behind the core's pushes; the core lacks 20
    // cycles, the unit 3.
    request.measurements = {measured("three", three + 20), measured("five", five + 20),
                            measured("swaps", 100), measured("swaps", 100)};
    const auto first = compare_with_silicon(request);
    ASSERT_TRUE(first);
    double swaps = 0;
    for (const scored_row& each : first->rows)
        if (each.row.kernel == "swaps") swaps = *each.model;
    EXPECT_GE(swaps, 32 * 4);
    request.measurements[2].measured = request.measurements[3].measured = swaps + 3;
    const auto board = compare_with_silicon(request);
    ASSERT_TRUE(board);
    for (const scored_row& each : board->rows) {
        EXPECT_EQ(each.core_bound, each.row.kernel != "swaps") << each.row.kernel;
        EXPECT_DOUBLE_EQ(*each.error(), 0) << each.row.kernel;
    }
    ASSERT_EQ(board->constants.size(), 2u);
    EXPECT_EQ(board->constants[0].cycles, 3);
    EXPECT_EQ(board->constants[1].cycles, 20);
}

TEST_F(silicon_table, an_ended_session_gives_no_answer_where_kernels_are_compiled) {
    fs::create_directories(folder_ / "tt_llk_blackhole" / "sfpu");
    std::ofstream(folder_ / "tt_llk_blackhole" / "sfpu" / "ckernel_sfpu_mine.h")
        << "inline void calculate_mine() {}\n";
    silicon_request request;
    request.measurements = {measured("mine", 7)};
    request.kernels = kernels();
    request.checkout = folder_.string();
    request.tools.compiler = "sleep";
    session of;
    of.interrupted = [] { return true; };
    EXPECT_FALSE(compare_with_silicon(request, of));
    request.tools.compiler = "no-such-compiler";
    EXPECT_THROW(compare_with_silicon(request), user_error);
    request.checkout = "/no/such/folder";
    EXPECT_THROW(compare_with_silicon(request), user_error);
}

TEST_F(silicon_table, the_published_tables_are_part_of_the_library) {
    const std::vector<measurement> rows = read_measurements("");
    const measured_kernels described("");
    EXPECT_GT(rows.size(), 100u);
    unsigned known = 0;
    for (const measurement& each : rows) known += described.kernel_of(each) && described.harness_of(each);
    EXPECT_GT(known, 10u);
}

TEST_F(silicon_table, a_fault_in_a_table_is_named_with_its_place) {
    const auto message = [](const auto& call) -> std::string {
        try {
            call();
        } catch (const input_error& error) {
            return error.what();
        }
        return "nothing is wrong";
    };
    const std::string head = "kernel,arch,configuration,cycles,unit,source,comparable,note\n";
    const auto table = [&](const std::string& text) {
        return message([&] { read_measurements(file("t.csv", text)); });
    };
    EXPECT_NE(table("a,b\n").find("t.csv:1: 2 columns, expected 8"), std::string::npos);
    EXPECT_NE(table(head + "k,gs,X,1,u,s,yes,\n").find("t.csv:2: arch 'gs'"), std::string::npos);
    EXPECT_NE(table(head + "k,bh,X,0,u,s,yes,\n").find("t.csv:2: cycles '0'"), std::string::npos);
    EXPECT_EQ(table(head + "\"a,\"\"b\"\"\",bh,X,1,u,s,yes,\n"), "nothing is wrong");
    EXPECT_NE(message([&] { measured_kernels(file("k.json", "{\n \"kernels\": [}")); }).find("k.json:2:"),
              std::string::npos);
    EXPECT_NE(message([&] {
                  measured_kernels(
                      file("k.json", R"({"kernels": [{"kernel": "x", "assembly": ["y"], "faces": 3}]})"));
              }).find("kernel 'x': faces is 3, expected 1, 2 or 4"),
              std::string::npos);
}

TEST(kernel_search, a_configuration_says_rows_of_a_call_and_calls_of_a_tile) {
    const auto calls = [](const char* text) {
        const measured_calls found = calls_of(text);
        return std::pair(found.rows, found.faces);
    };
    EXPECT_EQ(calls("X; iterations 8 x 4 faces"), std::pair(8u, 4u));
    EXPECT_EQ(calls("X; iterations 32"), std::pair(32u, 1u));
    EXPECT_EQ(calls("bf16; 4 faces"), std::pair(8u, 4u));
    EXPECT_EQ(calls("nothing of it"), std::pair(8u, 4u));
}

TEST(silicon_errors, the_median_of_an_even_number_lies_between) {
    EXPECT_EQ(median_of({}), 0);
    EXPECT_EQ(median_of({3, 1, 2}), 2);
    EXPECT_EQ(median_of({4, 1, 2, 3}), 2.5);
}

} // namespace
} // namespace sfpu::analysis
