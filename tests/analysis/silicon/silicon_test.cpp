// The comparison with silicon as a function. Cycles are derived by hand: a word a cycle, and what the harness
// has in front and behind.
#include <sfpu/analysis/kernel_search.h>
#include <sfpu/analysis/silicon.h>

#include <sfpu/analysis/errors.h>

#include <gtest/gtest.h>

#include <array>
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
                kernel_line("swaps", swap_word + "," + swap_word) +
                R"(, {"kernel": "checked", "arch": "bh", "checked": "a page gives its word", "assembly": [)" +
                word + "]}]}"));
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

TEST_F(silicon_table, a_harness_without_a_constant_fits_nothing_so_one_row_is_judged) {
    silicon_request request;
    request.measurements = {measured("three", three + 7)};
    const std::string text =
        R"({"harnesses": [{"name": "bare", "arch": "bh", "configuration": "X", "constant": "",
        "begin": ["setc16 1, 0"], "end": ["setrwc 0, 0, 0, 0, 0, 4"]}], "kernels": [{"kernel": "three", "arch": "bh",
        "assembly": ["sfpabs 0, L0, L1, 0", "sfpabs 0, L0, L1, 0", "sfpabs 0, L0, L1, 0"]}]})";
    request.kernels = measured_kernels(file("bare.json", text));
    const auto board = compare_with_silicon(request);
    ASSERT_TRUE(board);
    EXPECT_EQ(board->judged(), 1u);
    EXPECT_TRUE(board->constants.empty());
    EXPECT_DOUBLE_EQ(*board->rows[0].left_out, -7 / (three + 7));
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
    request.checkouts = {folder_.string()};
    request.tools.compiler = "sleep";
    session of;
    of.interrupted = [] { return true; };
    EXPECT_FALSE(compare_with_silicon(request, of));
    request.tools.compiler = "no-such-compiler";
    EXPECT_THROW(compare_with_silicon(request), user_error);
    request.checkouts = {"/no/such/folder"};
    EXPECT_THROW(compare_with_silicon(request), user_error);
}

TEST_F(silicon_table, the_published_tables_are_part_of_the_library) {
    const std::vector<measurement> rows = read_measurements("");
    const measured_kernels described("");
    EXPECT_EQ(rows.size(), 301u);
    for (const harness& each : described.harnesses()) EXPECT_NE(each.evidence, "") << each.name;
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

TEST_F(silicon_table, each_row_is_summed_up_with_constants_that_were_fitted_to_the_others) {
    // Missing are 5, 9 and 4: without one of them the constant is 6.5, 4.5 and 7.
    const scoreboard board =
        compared({measured("three", three + 5), measured("five", five + 9), measured("three", three + 4)});
    const std::vector<score_group> groups = board.groups();
    ASSERT_EQ(groups.size(), 3u);
    EXPECT_EQ(groups[0].kind + " " + groups[0].arch, "chip bh");
    EXPECT_EQ(groups[1].kind + " " + groups[1].name, "harness plain");
    EXPECT_EQ(groups[2].kind + " " + groups[2].name, "words published");
    for (const score_group& each : groups) {
        EXPECT_EQ(each.judged, 3u);
        EXPECT_DOUBLE_EQ(each.left_out.median, 4.5 / (five + 9));
        EXPECT_DOUBLE_EQ(each.left_out.worst, 3 / (three + 4));
        EXPECT_EQ(each.left_out.within, (std::array<std::size_t, 3>{0, 3, 3}));
        EXPECT_DOUBLE_EQ(each.fitted.median, 1 / (three + 4)) << "a fit flatters";
        EXPECT_EQ(each.fitted.within, (std::array<std::size_t, 3>{2, 3, 3}));
    }
}

TEST(silicon_errors, kernels_of_the_math_thread_alone_agree_where_all_of_their_rows_do) {
    scoreboard board;
    const auto add = [&board](const char* kernel, const char* arch, const char* zone,
                              std::optional<double> left_out, bool judged = true) {
        scored_row row;
        row.row.kernel = kernel;
        row.row.arch = arch;
        row.row.configuration = zone;
        row.judged = judged;
        row.left_out = left_out;
        board.rows.push_back(row);
    };
    const char* alone = "p100a; MATH_ISOLATE; iterations 8";
    add("both", "bh", alone, -0.05); // as far off as may be
    add("both", "bh", alone, 0.051); // row 1
    add("both", "wh", alone, 0.01);  // another chip's is another kernel
    add("good", "bh", alone, 0.05);
    add("zone", "bh", "KERNEL", 0.5);
    add("words not known", "bh", alone, 0.5, false);
    add("nothing to fit to", "bh", alone, std::nullopt);
    add("bad", "wh", alone, -0.2); // row 7
    const isolated_score score = board.math_isolated();
    EXPECT_EQ(score.rows, 5u);
    EXPECT_EQ(score.rows_within, 3u);
    EXPECT_EQ(score.kernels, 4u);
    EXPECT_EQ(score.kernels_within, 2u);
    EXPECT_EQ(score.beyond, (std::vector<std::size_t>{1, 7}));
}

TEST_F(silicon_table, words_that_were_checked_are_judged_unless_the_table_says_no) {
    const scoreboard board =
        compared({measured("checked", 34), measured("checked", 35, "derived (by hand)"),
                  measured("checked", 36, "candidate (hand-written)"), measured("checked", 37, "no"),
                  measured("three", three, "candidate (hand-written)")});
    std::vector<std::string> sources;
    for (const scored_row& each : board.rows)
        sources.push_back(std::string(each.judged ? "+" : "-") + to_string(each.source));
    EXPECT_EQ(sources,
              (std::vector<std::string>{"+derived", "+derived", "+derived", "-candidate", "-candidate"}));
    EXPECT_EQ(board.rows[0].checked, "a page gives its word");
}

TEST_F(silicon_table, cycles_a_row_are_those_of_a_tile_by_its_rows) {
    measurement of_a_row = measured("three", 3);
    of_a_row.unit = "cycles/row";
    const scoreboard board = compared({of_a_row});
    EXPECT_DOUBLE_EQ(*board.rows[0].model, three / 32);
    EXPECT_DOUBLE_EQ(*board.rows[0].pushed, three / 32);
}

TEST_F(silicon_table, a_body_takes_what_its_pushes_take_on_somebodys_tile) {
    file("made.objdump", "00000100 <f>:\n     100:\t00000013          \tnop\n"
                         "     104:\t1234567d          \tword\n     108:\t00008067          \tret\n");
    const auto table = [&](const std::string& to) {
        return measured_kernels(file(
            "bodies.json",
            R"({"harnesses": [{"name": "zone", "arch": "bh", "configuration": "X", "constant": "zone", "timed": "pushes"}],
                "kernels": [{"kernel": "body", "arch": "bh", "disassembly": {"file": "made.objdump", "from": "100", "to": ")" +
                to + R"("}}]})"));
    };
    silicon_request request;
    request.kernels = table("108");
    request.checkouts = {folder_.string()};
    request.measurements = {measured("body", 30), measured("body", 31), measured("body", 31)};
    request.measurements[0].unit = request.measurements[1].unit = "cycles/body";
    request.measurements[2].unit = "cycles/row";
    std::vector<std::uint32_t> code;
    request.pushing_time = [&](const std::vector<std::uint32_t>& setup,
                               const std::vector<std::uint32_t>& body, architecture) {
        EXPECT_TRUE(setup.empty());
        code = body;
        return 20.0;
    };
    const auto board = compare_with_silicon(request);
    ASSERT_TRUE(board);
    EXPECT_EQ(code, (std::vector<std::uint32_t>{0x13, 0x1234567d})) << "what stands before the last address";
    EXPECT_EQ(board->judged(), 2u);
    EXPECT_EQ(board->constants.at(0).cycles, 10.5);
    EXPECT_DOUBLE_EQ(*board->rows[0].left_out, 1 / 30.0) << "by the constant of the other, 11";
    EXPECT_EQ(board->rows[0].checkout, folder_.string());
    EXPECT_EQ(board->rows[2].why_not, "not cycles a tile");
    request.kernels = table("110");
    EXPECT_THROW(compare_with_silicon(request), input_error) << "nothing stands at 10c";
    EXPECT_THROW(table("100"), input_error);
    EXPECT_THROW(table("10z"), input_error);
    request.kernels = table("108");
    request.pushing_time = nullptr;
    EXPECT_EQ(compare_with_silicon(request)->judged(), 0u);
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

TEST(silicon_errors, a_summary_counts_what_lies_within_one_and_four_and_ten_percent) {
    const error_summary all = summary_of({0.2, 0.01, 0.005, 0.03});
    EXPECT_EQ(all.rows, 4u);
    EXPECT_DOUBLE_EQ(all.median, 0.02);
    EXPECT_EQ(all.worst, 0.2);
    EXPECT_EQ(all.within, (std::array<std::size_t, 3>{2, 3, 3}));
}

TEST(silicon_errors, the_median_of_an_even_number_lies_between) {
    EXPECT_EQ(median_of({}), 0);
    EXPECT_EQ(median_of({3, 1, 2}), 2);
    EXPECT_EQ(median_of({4, 1, 2, 3}), 2.5);
}

} // namespace
} // namespace sfpu::analysis
