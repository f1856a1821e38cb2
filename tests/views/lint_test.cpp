#include <sfpu/views/lint.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sfpu::views {
namespace {

using analysis::cure;

/// One hazard in line 3.
analysis::lint_answer one_hazard() {
    analysis::lint_answer answer;
    answer.file = "x.s";
    answer.report.verdict = analysis::lint_verdict::broken;
    analysis::lint_hazard hazard;
    hazard.what.id = report_id::hazard_unprotected_read;
    hazard.what.message = "L1 is read too soon";
    hazard.line = 3;
    hazard.breaks = true;
    answer.report.hazards.push_back(hazard);
    return answer;
}

TEST(lint_view, a_fix_it_stands_below_its_hazard) {
    analysis::lint_answer answer = one_hazard();
    answer.hazard_fix_its.push_back(cure{"one SFPNOP before line 3", "", false, false});
    EXPECT_NE(to_text(answer).find("x.s:3: warning: L1 is read too soon [/sfpu/hazard/unprotected-read]\n"
                                   "    cure     one SFPNOP before line 3\n"),
              std::string::npos)
        << to_text(answer);
    EXPECT_EQ(nlohmann::json::parse(to_json(answer))["hazards"][0]["cure"], "one SFPNOP before line 3");
}

TEST(lint_view, nobody_looked_is_not_none_found) {
    analysis::lint_answer answer = one_hazard();
    EXPECT_EQ(to_text(answer).find("    cure "), std::string::npos);
    answer.hazard_fix_its.push_back(std::nullopt);
    EXPECT_NE(to_text(answer).find("    cure     none found among small changes"), std::string::npos);
    EXPECT_TRUE(nlohmann::json::parse(to_json(answer))["hazards"][0]["cure"].is_null());
}

TEST(lint_view, missing_fix_its_make_the_document_interrupted) {
    analysis::lint_answer answer = one_hazard();
    EXPECT_FALSE(nlohmann::json::parse(to_json(answer))["interrupted"]);
    answer.fix_its_missing = true;
    EXPECT_TRUE(nlohmann::json::parse(to_json(answer))["interrupted"]);
}

/// A place where a bubble matters, in a kernel with two gaps.
analysis::lint_answer broken_by_a_gap() {
    analysis::lint_answer answer;
    answer.file = "x.s";
    answer.report.verdict = analysis::lint_verdict::broken;
    answer.report.gaps = 2;
    analysis::lint_boundary place;
    place.line = 9;
    place.text = "sfpnop";
    answer.report.boundaries.push_back(place);
    return answer;
}

TEST(lint_view, a_kernel_that_a_gap_breaks_is_said_to_have_no_hazard_without) {
    const std::string text = to_text(broken_by_a_gap());
    EXPECT_EQ(text.find("x.s: broken: a bubble matters where .gap says that one can be\n"), 0u) << text;
    EXPECT_NE(text.find("Not safe as it is pushed"), std::string::npos) << text;
    EXPECT_EQ(nlohmann::json::parse(to_json(broken_by_a_gap()))["gaps"], 2);
    EXPECT_NE(to_text(one_hazard()).find("there are hazards even without bubbles"), std::string::npos);
}

TEST(lint_view, what_an_interrupted_check_tried_is_said_and_nothing_is_called_safe) {
    analysis::lint_answer answer;
    answer.file = "x.s";
    analysis::lint_report& report = answer.report;
    report.interrupted = true;
    report.data_sets = report.planned_data_sets = 4;
    report.positions = 3;
    report.planned_positions = 20;
    report.planned_schedules = 200;
    const std::string text = to_text(answer);
    EXPECT_EQ(text.find("x.s: robust: nothing changed the result up to the interruption\n"), 0u) << text;
    EXPECT_NE(text.find("tried 4 of 4 data sets without bubbles, 3 of 20 places with single bubbles, "
                        "0 of 200 random schedules, 0 open questions; the rest is unknown"),
              std::string::npos)
        << text;
    EXPECT_EQ(text.find("Safe"), std::string::npos) << text;
    const nlohmann::json document = nlohmann::json::parse(to_json(answer));
    EXPECT_EQ(document["single_bubbles"], 3);
    EXPECT_EQ(document["planned"]["single_bubbles"], 20);
    report.interrupted = false;
    EXPECT_EQ(to_text(answer).find("the rest is unknown"), std::string::npos);
}

TEST(lint_view, changes_of_a_fixed_kernel_stand_before_its_verdict) {
    analysis::fixed_kernel fixed;
    fixed.applied = {"one SFPNOP before line 3"};
    EXPECT_EQ(to_text(fixed, "x.s", "y.s"),
              "x.s: one SFPNOP before line 3\ny.s: robust: the result never changed\n");
}

} // namespace
} // namespace sfpu::views
