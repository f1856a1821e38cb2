#include <sfpu/views/exploration_sentences.h>

#include "made_exploration.h"

#include <sfpu/views/exploration.h>
#include <sfpu/views/exploration_page.h>
#include <sfpu/views/exploration_plots.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace sfpu::views {
namespace {

using analysis::made_exploration;

constexpr auto write_port = "sfpu.write_port_rule", mad = "sfpu.latency.mad", templates = "macro.templates";

std::vector<std::string> said_of(const made_exploration& made) {
    return short_answers_of(made.answer, analysis::findings_of(made.answer));
}
/// The sentence that begins so; empty if there is none.
std::string said(const made_exploration& made, const std::string& start) {
    for (const std::string& each : said_of(made))
        if (each.rfind(start, 0) == 0) return each;
    return "";
}
bool says(const made_exploration& made, const std::string& start) { return !said(made, start).empty(); }

/// The row of the only point.
nlohmann::json row_of(const made_exploration& made) {
    return nlohmann::json::parse(to_json_lines(made.answer));
}

TEST(exploration_rows, a_value_that_is_not_proved_is_given_as_an_interval) {
    made_exploration open({mad});
    open.add({2}, 7, 8).bound_cycles_per_row = 6;
    const nlohmann::json row = row_of(open);
    EXPECT_EQ(row["cycles_per_row_from"], 7);
    EXPECT_EQ(row["cycles_per_row_to"], 8);
    EXPECT_EQ(row["bound_is_met"], false);

    made_exploration proved({mad});
    proved.add({2}, 6, 6).bound_cycles_per_row = 6;
    EXPECT_EQ(row_of(proved)["cycles_per_row_from"], row_of(proved)["cycles_per_row_to"]);
    EXPECT_EQ(row_of(proved)["bound_is_met"], true);

    made_exploration unknown({mad});
    unknown.add({2}, 6, 6).least_cycles_per_row.reset();
    EXPECT_TRUE(row_of(unknown)["cycles_per_row_from"].is_null());
    EXPECT_TRUE(row_of(unknown)["cycles_per_row_to"].is_null());
    EXPECT_TRUE(row_of(unknown)["bound_is_met"].is_null());
}

TEST(exploration_sentences, a_proved_difference_is_said_and_one_that_was_only_found_carries_its_doubt) {
    made_exploration proved({write_port});
    proved.add({1}, 5, 5);
    proved.add({0}, 4, 4);
    EXPECT_EQ(said(proved, "What makes a difference"),
              "What makes a difference: sfpu.write_port_rule (up to 1.00 cycles a row).");

    // The same numbers, but the search for the first did not end.
    made_exploration found({write_port});
    found.add({1}, 4, 5);
    found.add({0}, 4, 4);
    EXPECT_FALSE(says(found, "What makes a difference"));
    EXPECT_EQ(
        said(found, "What may make a difference"),
        "What may make a difference, which is not proved: sfpu.write_port_rule (up to 1.00 cycles a row by "
        "the schedules that were found; 1 of the 2 schedules and runs that tell are proved).");

    made_exploration both({write_port});
    both.add({1}, 5, 7);
    both.add({0}, 4, 4);
    EXPECT_EQ(
        said(both, "What makes a difference"),
        "What makes a difference: sfpu.write_port_rule (1.00 cycles a row at least, 3.00 cycles a row by the "
        "schedules that were found).");
}

TEST(exploration_sentences, no_difference_is_said_only_of_what_is_proved) {
    made_exploration proved({templates});
    proved.add({4}, 5, 5);
    proved.add({5}, 5, 5);
    EXPECT_EQ(said(proved, "What makes none"), "What makes none, to any kernel: macro.templates.");
    made_exploration found({templates});
    found.add({4}, 5, 5);
    found.add({5}, 4, 5);
    EXPECT_EQ(
        said(found, "What makes none"),
        "What makes none by the schedules that were found, which is not proved: macro.templates (1 of the 2 "
        "schedules and runs that tell are proved).");
}

TEST(exploration_sentences, the_fastest_machine_is_named_with_what_is_known_of_its_speed) {
    made_exploration proved({templates});
    proved.add({4}, 5, 5);
    proved.add({5}, 4, 4);
    EXPECT_EQ(said(proved, "The fastest machine"),
              "The fastest machine is point 1 (macro.templates 4 \u2192 5): 1.25 "
              "times as fast as the baseline's, at cost 1.");
    made_exploration found({templates});
    found.add({4}, 4, 5);
    found.add({5}, 3, 4);
    EXPECT_EQ(
        said(found, "The fastest machine"),
        "The fastest machine by the schedules that were found is point 1 (macro.templates 4 \u2192 5): 1.25 "
        "times "
        "as fast as the baseline's, at cost 1. That is not proved: the best schedules make it 1.00 to 1.67 "
        "times as fast.");
}

TEST(exploration_sentences, that_no_machine_is_faster_is_said_with_what_may_be) {
    made_exploration proved({templates});
    proved.add({4}, 5, 5);
    proved.add({5}, 5, 5);
    EXPECT_TRUE(says(proved, "No machine is faster than the baseline's and right."));
    made_exploration found({templates});
    found.add({4}, 5, 5);
    found.add({5}, 4, 5);
    EXPECT_EQ(
        said(found, "No machine"),
        "No machine is faster than the baseline's and right by the schedules that were found. That is not "
        "proved: point 1 (macro.templates 4 \u2192 5) may be up to 1.25 times as fast.");
}

TEST(exploration_sentences, what_a_curve_holds_is_said) {
    made_exploration made({mad, templates});
    made.add({2, 4}, 5, 5);
    made.add({3, 4}, 6, 6);
    EXPECT_EQ(held_text(analysis::response_to(made.answer, 0)), ""); // nothing else changes
    made.add({3, 5}, 5, 5);
    EXPECT_EQ(held_text(analysis::response_to(made.answer, 0)),
              "macro.templates = 4, as on the baseline's machine");
    made_exploration mixed({mad, templates});
    mixed.add({2, 4}, 5, 5);
    mixed.add({3, 5}, 6, 6);
    EXPECT_EQ(held_text(analysis::response_to(mixed.answer, 0)),
              "the best over macro.templates: points differ in more than sfpu.latency.mad");
}

TEST(exploration_sentences, a_range_is_one_number_only_if_it_is_known) {
    EXPECT_EQ(range_text({8, 8}, true), "8.00");
    EXPECT_EQ(range_text({7, 8}, true), "7.00 to 8.00");
    EXPECT_EQ(range_text({0, 8}, true), "at most 8.00");
    EXPECT_EQ(range_text({800, 800}, false), "800");
}

TEST(exploration_sentences, what_works_in_less_than_half_of_the_cycles_is_not_said_to_bind) {
    EXPECT_EQ(binder_of("Issue binds: 8 words a row; relaxing it gives nothing."), "issue");
    EXPECT_EQ(binder_of("MAD and load bind, with 4.00 cycles a row."), "MAD and load");
    EXPECT_EQ(binder_of("The order of the words binds: a row takes 5.00 cycles."), "the order of the words");
    EXPECT_EQ(binder_of("TensorLoad load is busiest: 65536 of 73397 cycles (89.3 %)."), "TensorLoad load");
    EXPECT_EQ(
        binder_of("No resource binds by itself: hart, the busiest, works in 42 of 100 cycles (42.0 %)."),
        "nothing alone");
}

std::string commands_of(const made_exploration& made, const std::string& name) {
    for (const analysis::plot& each : plots_of(made.answer))
        if (each.name == name) return each.commands;
    return "";
}

TEST(exploration_plots, an_open_point_has_a_bar_from_its_bound_to_what_was_found) {
    made_exploration made({templates});
    made.add({4}, 5, 5);
    made.add({5}, 3, 4);
    const std::string response = commands_of(made, "response-macro.templates");
    EXPECT_NE(response.find("$doubt0 << END_OF_DATA\n5 4 3 4\nEND_OF_DATA"), std::string::npos) << response;
    EXPECT_NE(response.find("$doubt0 using 1:3:(0):($4-$3) with vectors heads"), std::string::npos);
    EXPECT_NE(commands_of(made, "pareto").find("$doubt0 << END_OF_DATA\n1 4 3 4\nEND_OF_DATA"),
              std::string::npos);
    made_exploration closed({templates});
    closed.add({4}, 5, 5);
    closed.add({5}, 4, 4);
    EXPECT_EQ(commands_of(closed, "response-macro.templates").find("doubt"), std::string::npos);
}

TEST(exploration_plots, the_axis_of_a_response_says_what_is_held) {
    made_exploration made({mad, templates});
    made.add({2, 4}, 5, 5);
    made.add({3, 4}, 6, 6);
    made.add({3, 5}, 5, 5);
    const std::string response = commands_of(made, "response-sfpu.latency.mad");
    EXPECT_NE(response.find("macro.templates = 4, as on the baseline's machine"), std::string::npos)
        << response;
    EXPECT_NE(response.find("$right0 << END_OF_DATA\n2 5\n3 6\nEND_OF_DATA"), std::string::npos) << response;
}

TEST(exploration_plots, fifty_six_kernels_are_told_apart_by_colour_and_mark) {
    made_exploration made({templates});
    made.add({4}, 5, 5);
    made.add({5}, 5, 5);
    for (std::size_t kernel = 1; kernel < 56; ++kernel) {
        made.add_kernel("k" + std::to_string(kernel) + ".s");
        for (const std::size_t point : {0u, 1u}) made.add_run(point, 5, 5, kernel);
    }
    const std::string response = commands_of(made, "response-macro.templates");
    std::vector<std::string> styles;
    for (std::size_t at = 0; (at = response.find(" lc rgb ", at)) != std::string::npos; ++at)
        styles.push_back(response.substr(at, response.find(" dt ", at) - at));
    ASSERT_EQ(styles.size(), 56u);
    std::sort(styles.begin(), styles.end());
    EXPECT_EQ(std::unique(styles.begin(), styles.end()), styles.end());
}

TEST(exploration_page, sentences_and_held_values_stand_in_its_data) {
    made_exploration made({mad, templates});
    made.add({2, 4}, 4, 5);
    made.add({3, 4}, 6, 6);
    made.add({3, 5}, 5, 5);
    const std::string page = to_page(made.answer, {"0.1.0", "", "there is none"});
    for (const std::string& sentence : said_of(made))
        EXPECT_NE(page.find(sentence), std::string::npos) << sentence;
    EXPECT_NE(
        page.find(
            R"("held":{"sfpu.latency.mad":{"macro.templates":"4"},"macro.templates":{"sfpu.latency.mad":"3"}})"),
        std::string::npos);
}

} // namespace
} // namespace sfpu::views
