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

TEST(lint_view, changes_of_a_fixed_kernel_stand_before_its_verdict) {
    analysis::fixed_kernel fixed;
    fixed.applied = {"one SFPNOP before line 3"};
    EXPECT_EQ(to_text(fixed, "x.s", "y.s"),
              "x.s: one SFPNOP before line 3\ny.s: robust: the result never changed\n");
}

} // namespace
} // namespace sfpu::views
