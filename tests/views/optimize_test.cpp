// What `optimize` shows of answers that are made here by hand.
#include <sfpu/views/optimize.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace sfpu::test {
namespace {

using analysis::optimize_answer;
using nlohmann::json;

/// A loop of two rows that takes 7 cycles, for one of 5.
optimize_answer shortened_kernel() {
    optimize_answer answer;
    answer.kernel = "k.s";
    answer.arch = architecture::wormhole;
    answer.rows_per_iteration = 2;
    answer.plain_cycles_per_row = 3.5;
    answer.plain_verdict.name = "robust";
    answer.plain_serves = true;
    answer.best.emplace();
    answer.best->cycles_per_row = 2.5;
    answer.best->rows_per_iteration = 4;
    answer.best->verdict.name = "robust";
    answer.best->cells = 1234;
    answer.bound_cycles_per_row = 2;
    answer.bound_reason = "issue slots";
    analysis::refuted_interval no;
    no.cycles_per_row = 2;
    no.rotating_rows = 3;
    no.rows_per_iteration = 6;
    no.because = {"registers", "templates"};
    no.relaxations_tried = true;
    answer.refuted = {no};
    return answer;
}

bool says(const optimize_answer& answer, const std::string& line) {
    return views::to_text(answer).find(line + "\n") != std::string::npos;
}

TEST(optimize_view, figures_are_cycles_of_a_row) {
    const optimize_answer answer = shortened_kernel();
    EXPECT_TRUE(says(answer, "plain            3.5 cycles a row"));
    EXPECT_TRUE(says(answer, "bound            2 (issue slots)"));
    const json document = json::parse(views::to_json(answer));
    EXPECT_EQ(document["plain"]["cycles_per_row"], 3.5);
    EXPECT_EQ(document["best"]["cycles_per_row"], 2.5);
    EXPECT_EQ(document["arch"], "wh");
    EXPECT_EQ(document["checked"]["cells"], 1234);
    EXPECT_EQ(document["refuted"][0]["rows_per_iteration"], 6) << "3 iterations of 2 rows";
}

TEST(optimize_view, what_one_form_refutes_and_another_has_is_said_to_be_found) {
    optimize_answer answer = shortened_kernel();
    EXPECT_EQ(views::to_text(answer).find("found with other rows"), std::string::npos) << "2 is not found";
    answer.best->cycles_per_row = 2;
    EXPECT_NE(views::to_text(answer).find("s; found with other rows\n"), std::string::npos);
}

TEST(optimize_view, rules_are_shown_with_what_each_bought) {
    optimize_answer answer = shortened_kernel();
    EXPECT_EQ(json::parse(views::to_json(answer))["rewritten_row"], nullptr);
    answer.rewrites = {{"outermost-push", "nothing", 2, 8, 5.5, "no-nan"}};
    EXPECT_TRUE(says(answer, "rewritten        outermost-push, 2 times: bound 8 to 5.5; assumed: no-nan"));
    EXPECT_TRUE(says(answer, "rewritten row    proved equal to the given one"));
    const json document = json::parse(views::to_json(answer));
    EXPECT_EQ(document["rewrites"][0]["rule"], "outermost-push");
    EXPECT_EQ(document["rewrites"][0]["bound_after"], 5.5);
    EXPECT_EQ(document["rewrites"][0]["assumed"], "no-nan");
    EXPECT_EQ(document["rewritten_row"], "proved");
}

TEST(optimize_view, what_is_open_is_not_proved) {
    optimize_answer answer = shortened_kernel();
    EXPECT_TRUE(says(answer, "not proved       the search ended early"));
    answer.proof.undecided = {{12, 13}, {15, 15}};
    answer.proof.refuted_up_to = 9;
    EXPECT_TRUE(says(answer, "not proved       undecided 12 to 13, 15, refuted up to 9"));
    const json proof = json::parse(views::to_json(answer))["proof"];
    EXPECT_EQ(proof["status"], "open");
    EXPECT_EQ(proof["refuted_up_to"], 9);
    EXPECT_EQ(proof["undecided"], json::parse("[[12, 13], [15, 15]]"));
}

TEST(optimize_view, only_an_optimum_has_no_shorter_one) {
    const std::string claim = "no shorter one exists";
    optimize_answer answer = shortened_kernel();
    for (const auto status : {analysis::proof_status::open, analysis::proof_status::optimal_in_form,
                              analysis::proof_status::bound}) {
        answer.proof.status = status;
        answer.proof.left_out = {"rows that differ"};
        EXPECT_EQ(views::to_text(answer).find(claim), std::string::npos) << to_string(status);
        EXPECT_EQ(json::parse(views::to_json(answer))["proof"]["status"], to_string(status));
    }
    answer.proof.status = analysis::proof_status::optimal_in_form;
    EXPECT_TRUE(says(answer, "in this form     none is shorter. Left out: rows that differ"));
    answer.proof.status = analysis::proof_status::optimal;
    EXPECT_TRUE(says(answer, "proved           " + claim + " within these limits"));
}

TEST(optimize_view, reasons_name_instructions) {
    optimize_answer answer = shortened_kernel();
    answer.why_was_asked = true;
    answer.refuted[0].instructions = {{}, {"9: sfpabs 0, L0, L0, 1"}};
    EXPECT_TRUE(says(answer, "    templates    9: sfpabs 0, L0, L0, 1"));
    EXPECT_EQ(json::parse(views::to_json(answer))["refuted"][0]["instructions"]["templates"][0],
              "9: sfpabs 0, L0, L0, 1");
    answer.not_met = "the bound is 2: issue slots";
    EXPECT_TRUE(says(answer, "not met          the bound is 2: issue slots"));
}

TEST(optimize_view, a_schedule_that_was_given_is_not_called_found) {
    optimize_answer answer = shortened_kernel();
    answer.best_was_given = "theirs.s";
    EXPECT_NE(views::to_text(answer).find("nothing shorter than theirs.s: 2.5 cycles a row"),
              std::string::npos);
    EXPECT_EQ(json::parse(views::to_json(answer))["best_was_given"], "theirs.s");
}

TEST(optimize_view, changes_of_the_machine_are_shown_if_they_were_asked_for) {
    optimize_answer answer = shortened_kernel();
    EXPECT_TRUE(says(answer, "  because of     registers, templates"));
    EXPECT_TRUE(says(answer, "  possible with  none of the single changes that were tried"));
    EXPECT_FALSE(json::parse(views::to_json(answer))["refuted"][0].contains("relaxations"));
    answer.why_was_asked = true;
    answer.refuted[0].relaxations = {{"macro.templates", "5", 2}};
    EXPECT_TRUE(says(answer, "  possible with  macro.templates = 5"));
    EXPECT_EQ(json::parse(views::to_json(answer))["refuted"][0]["relaxations"][0]["value"], "5");
}

TEST(optimize_view, without_a_schedule_there_is_none_in_the_document) {
    optimize_answer answer = shortened_kernel();
    answer.best.reset();
    EXPECT_TRUE(says(answer, "found            nothing shorter"));
    answer.plain_serves = false;
    EXPECT_TRUE(says(answer, "found            no schedule for this machine"));
    const json document = json::parse(views::to_json(answer));
    EXPECT_TRUE(document["best"].is_null());
    EXPECT_EQ(document["checked"]["equal"], false);
    EXPECT_FALSE(document.contains("structure"));
}

TEST(optimize_view, a_retimed_kernel_says_what_became_of_its_structure) {
    optimize_answer answer = shortened_kernel();
    answer.retimed = true;
    answer.structure = analysis::retimed_structure::changed;
    EXPECT_TRUE(says(answer, "on its machine   3.5 cycles a row"));
    EXPECT_TRUE(says(answer, "structure        new"));
    EXPECT_EQ(json::parse(views::to_json(answer))["structure"], "new");
}

} // namespace
} // namespace sfpu::test
