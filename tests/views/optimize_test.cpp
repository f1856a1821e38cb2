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

TEST(optimize_view, what_is_open_is_not_proved) {
    optimize_answer answer = shortened_kernel();
    EXPECT_TRUE(says(answer, "not proved       the search ended early"));
    answer.open = {1.5, 2};
    EXPECT_TRUE(says(answer, "not proved       undecided: 1.5, 2"));
    answer.proved = true;
    EXPECT_TRUE(says(answer, "proved           no shorter one exists within these limits"));
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
