#include <sfpu/analysis/exploration_findings.h>

#include "made_exploration.h"
#include "sweep_files.h"

#include <sfpu/analysis/errors.h>

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace sfpu::analysis {
namespace {

constexpr auto mad = "sfpu.latency.mad", ports = "dst.load_ports", width = "sfpu.issue_width";

/// By value of the parameter, the cycles that the first curve has there.
std::map<std::uint64_t, double> curve_of(const exploration_answer& answer, std::size_t parameter) {
    std::map<std::uint64_t, double> curve;
    const parameter_response response = response_to(answer, parameter);
    for (const response_point& each : response.curves.at(0).points) curve[each.value] = each.cycles.most;
    return curve;
}

TEST(exploration_findings, a_response_holds_the_others_at_the_baseline) {
    // A list of points: the second load port stands beside a second issue slot, which is what helps.
    made_exploration made({mad, ports, width});
    made.add({2, 1, 1}, 8, 8);
    made.add({2, 2, 1}, 8, 8);
    made.add({2, 2, 2}, 4, 4);
    made.add({1, 1, 1}, 8, 8);
    made.add({3, 2, 2}, 5, 5); // slower than others, but on another machine
    EXPECT_EQ(curve_of(made.answer, 1), (std::map<std::uint64_t, double>{{1, 8}, {2, 8}}));
    EXPECT_EQ(curve_of(made.answer, 0), (std::map<std::uint64_t, double>{{1, 8}, {2, 8}}));
    const parameter_response response = response_to(made.answer, 0);
    EXPECT_TRUE(response.held_at_baseline);
    ASSERT_EQ(response.held.size(), 2u);
    EXPECT_EQ(response.held[0].row->path, std::string(ports));
    EXPECT_EQ(response.held[0].number, 1u);
    EXPECT_TRUE(response.best_over.empty());
}

TEST(exploration_findings, where_the_baseline_has_no_second_value_another_machine_is_held) {
    made_exploration made({mad, ports});
    made.add({2, 1}, 8, 8);
    made.add({3, 2}, 5, 5);
    made.add({4, 2}, 6, 6);
    const parameter_response response = response_to(made.answer, 0);
    EXPECT_FALSE(response.held_at_baseline);
    ASSERT_EQ(response.held.size(), 1u);
    EXPECT_EQ(response.held[0].number, 2u);
    EXPECT_EQ(curve_of(made.answer, 0), (std::map<std::uint64_t, double>{{3, 5}, {4, 6}}));
}

TEST(exploration_findings, a_curve_that_can_hold_nothing_says_what_it_is_the_best_over) {
    made_exploration made({mad, ports});
    made.add({2, 1}, 8, 8);
    made.add({3, 2}, 5, 5);
    const parameter_response response = response_to(made.answer, 0);
    ASSERT_EQ(response.best_over.size(), 1u);
    EXPECT_EQ(response.best_over[0]->path, std::string(ports));
    EXPECT_EQ(curve_of(made.answer, 0), (std::map<std::uint64_t, double>{{2, 8}, {3, 5}}));
}

TEST(exploration_findings, of_one_value_a_right_result_counts_before_a_faster_wrong_one) {
    made_exploration made({mad});
    made.answer.what.seeds = {1, 2};
    made.add({2}, 8, 8);
    point_result& wrong = made.add_run(0, 4, 4);
    made.answer.points.back().id.seed = 1;
    wrong.valid = false;
    EXPECT_EQ(curve_of(made.answer, 0), (std::map<std::uint64_t, double>{{2, 8}}));
}

TEST(exploration_findings, only_an_open_search_makes_an_interval) {
    made_exploration made({mad});
    const point_result open = made.add({2}, 7, 8), closed = made.add({3}, 8, 8);
    EXPECT_EQ(cycles_of(open, true)->least, 7);
    EXPECT_EQ(cycles_of(open, true)->most, 8);
    EXPECT_TRUE(cycles_of(closed, true)->is_exact());
    point_result kept = open;
    kept.schedule = schedule_choice::keep; // words are what they are
    EXPECT_TRUE(cycles_of(kept, true)->is_exact());
    point_result unknown = open;
    unknown.least_cycles_per_row.reset();
    EXPECT_EQ(cycles_of(unknown, true)->least, 0);
}

TEST(exploration_findings, a_speed_is_known_between_what_both_searches_leave_open) {
    made_exploration made({mad});
    made.add({2}, 6, 8); // the baseline's machine
    made.add({1}, 4, 5);
    const exploration_findings found = findings_of(made.answer);
    ASSERT_EQ(found.baseline, 0u);
    const auto speed = found.machines[1].speeds[0].value();
    EXPECT_DOUBLE_EQ(speed.found, 8.0 / 5);
    EXPECT_DOUBLE_EQ(speed.known.least, 6.0 / 5); // the baseline as good, this one as bad as may be
    EXPECT_DOUBLE_EQ(speed.known.most, 8.0 / 4);
    EXPECT_TRUE(found.machines[0].speeds[0]->known.is_exact());
    EXPECT_EQ(found.ranked, (std::vector<std::size_t>{1, 0}));
    EXPECT_EQ(found.machines[1].faster(), 1u);
}

TEST(exploration_findings, a_difference_is_proved_where_no_better_schedule_takes_it_away) {
    const auto difference = [](double least_a, double most_a, double least_b, double most_b) {
        made_exploration made({mad});
        made.add({2}, least_a, most_a);
        made.add({3}, least_b, most_b);
        return findings_of(made.answer).parameters.at(0);
    };
    EXPECT_EQ(difference(4, 4, 5, 5).proved, 1);
    EXPECT_EQ(difference(4, 4, 4, 5).found, 1);
    EXPECT_EQ(difference(4, 4, 4, 5).proved, 0);
    EXPECT_EQ(difference(4, 4, 4, 5).closed, 1u);
    EXPECT_EQ(difference(3, 4, 5, 6).proved, 1); // 5 against 4
    EXPECT_EQ(difference(3, 4, 5, 6).found, 2);
    EXPECT_EQ(difference(3, 5, 5, 6).proved, 0);
    EXPECT_TRUE(difference(3, 4, 4, 4).is_flat());
    EXPECT_EQ(difference(3, 4, 4, 4).closed, 1u);
}

/// A plain kernel of six cycles and one with the same results of four.
constexpr auto six =
    ".rows 16\n.init\nsetc16 24, 2\n.loop\nsfpload L0, INT32, ADDR_MOD_3, 0\nsfpnop\nsfpnop\nsfpnop\n"
    "sfpnop\nsfpstore L0, INT32, ADDR_MOD_1, 64\n";
std::string shorter(unsigned nops, unsigned source = 0) {
    std::string text = ".rows 16\n.init\nsetc16 24, 2\n.loop\nsfpload L0, INT32, ADDR_MOD_3, " +
                       std::to_string(source) + "\n";
    for (unsigned i = 0; i < nops; ++i) text += "sfpnop\n";
    return text + "sfpstore L0, INT32, ADDR_MOD_1, 64\n";
}

class given_macro : public ::testing::Test {
protected:
    /// What becomes of a point whose search finds `found` and whose sweep gives `given`.
    point_result result_of(const std::string& given, const std::string& found, double least) {
        folder_.write("plain.s", six);
        folder_.write("macro.s", given);
        exploration_request request;
        request.what = folder_.read(
            R"({"kernels": [{"plain": "plain.s", "macro": "macro.s"}], "arch": "wh", "parameters": {"macro.slots": [8]}})");
        request.tools.write_schedule = [&](const schedule_order&, const session&) {
            if (found.empty()) throw user_error("found none");
            return written_schedule{found, false, least, "proved"};
        };
        return explore(request).points.at(0).result;
    }
    sweep_folder folder_;
};

TEST_F(given_macro, a_faster_file_is_the_schedule_of_the_point) {
    const point_result result = result_of(shorter(1), shorter(2), 2);
    EXPECT_EQ(result.cycles_per_row, 3);
    EXPECT_EQ(result.written, "");
    EXPECT_EQ(result.least_cycles_per_row, 2);
    EXPECT_FALSE(result.proved);
    EXPECT_EQ(result.valid, true);
    EXPECT_EQ(result.equality, "tested"); // not what the search says of its own schedule
    EXPECT_EQ(result.schedule, schedule_choice::optimize);
    EXPECT_EQ(result.resources.size(), 6u);
}
TEST_F(given_macro, one_that_takes_what_nothing_goes_below_is_proved) {
    EXPECT_EQ(result_of(shorter(1), shorter(2), 3).least_cycles_per_row, 3);
    // Shorter than that: the search left out what the file has, and its proof says nothing here.
    const point_result result = result_of(shorter(0), shorter(2), 3);
    EXPECT_EQ(result.cycles_per_row, 2);
    EXPECT_FALSE(result.proved);
    EXPECT_EQ(result.least_cycles_per_row, std::nullopt);
}
TEST_F(given_macro, one_that_is_no_faster_or_wrong_is_not_taken) {
    EXPECT_EQ(result_of(shorter(2), shorter(2), 2).written, shorter(2));
    EXPECT_EQ(result_of(shorter(2), shorter(2), 2).equality, "proved");
    EXPECT_EQ(result_of(shorter(2), shorter(2, 2), 2).equality, "tested"); // wrong: the file serves
    EXPECT_EQ(result_of(shorter(3), shorter(2), 2).cycles_per_row, 4);
    EXPECT_EQ(result_of(shorter(0, 2), shorter(2), 2).cycles_per_row, 4); // it stores another row
    EXPECT_EQ(result_of("sfpfoo\n", shorter(2), 2).cycles_per_row, 4);
}
TEST_F(given_macro, it_serves_where_no_schedule_is_found) {
    const point_result result = result_of(shorter(1), "", 0);
    EXPECT_EQ(result.status, point_status::ok) << result.error;
    EXPECT_EQ(result.cycles_per_row, 3);
    EXPECT_FALSE(result.proved);
    const point_result wrong = result_of(shorter(1, 2), "", 0);
    EXPECT_EQ(wrong.status, point_status::failed);
    EXPECT_EQ(wrong.error, "found none");
}

} // namespace
} // namespace sfpu::analysis
