#include <sfpu/analysis/condition.h>

#include <gtest/gtest.h>

namespace sfpu::analysis {
namespace {

bool holds(const std::string& text, const parameters& config = {}) { return condition(text).holds(config); }

TEST(condition, operators_of_one_precedence_are_read_from_the_left) {
    EXPECT_TRUE(holds("9 - 3 - 2 == 4"));  // from the right 8
    EXPECT_TRUE(holds("10 - 4 + 3 == 9")); // from the right 3
    EXPECT_TRUE(holds("100 / 10 / 5 == 2"));
    EXPECT_TRUE(holds("17 % 10 % 4 == 3"));
    EXPECT_TRUE(holds("2 * 7 / 4 == 3")); // from the right 2
    EXPECT_TRUE(holds("3 > 2 > 1 == 0")); // (3 > 2) > 1
}

TEST(condition, precedence_is_that_of_c) {
    EXPECT_TRUE(holds("1 + 2 * 3 == 7"));
    EXPECT_TRUE(holds("(1 + 2) * 3 == 9"));
    EXPECT_TRUE(holds("1 + 2 < 2 + 2"));
    EXPECT_TRUE(holds("2 == 2 > 1 == 0")); // 2 == (2 > 1) == 0
    EXPECT_TRUE(holds("true || false && false"));
    EXPECT_FALSE(holds("(true || false) && false"));
    EXPECT_TRUE(holds("1 == 0 || 0 == 0"));
    EXPECT_TRUE(holds("-2 + 3 == 1"));
    EXPECT_TRUE(holds("!0 + 1 == 2"));
    EXPECT_TRUE(holds("!!5 == 1"));
}

TEST(condition, parameters_and_their_choices_have_the_values_of_the_machine) {
    parameters config;
    config.latency_mad = 3;
    config.issue_thread_order = thread_order::fixed;
    EXPECT_TRUE(holds("sfpu.latency.mad == 3 && issue.thread_order == fixed", config));
    EXPECT_FALSE(holds("issue.thread_order != fixed", config));
    EXPECT_FALSE(holds("sfpu.latency.mad == 3"));
}

TEST(condition, a_division_by_zero_makes_the_whole_condition_false_unless_nobody_asks_for_it) {
    EXPECT_FALSE(holds("1 / 0 == 1"));
    EXPECT_FALSE(holds("!(1 % (2 - 2))"));
    EXPECT_TRUE(holds("true || 1 / 0 == 1"));
    EXPECT_FALSE(holds("false && 1 / 0 == 1"));
    EXPECT_TRUE(holds("-7 / 2 == -3")); // towards zero
}

struct wrong_condition {
    const char *text, *says;
    std::size_t offset;
};

TEST(condition, a_mistake_is_told_with_its_place) {
    for (const wrong_condition& each :
         {wrong_condition{"macro.slots <",
                          "found the end of the condition, expected a number, a parameter or '('", 13},
          {"macro.slots < 3 4", "found '4', expected an operator or the end", 16},
          {"(macro.slots", "found the end of the condition, expected ')'", 12},
          {"1 + macro.slot == 2", "unknown parameter 'macro.slot'; the nearest is 'macro.slots'", 4},
          {"macro.slots == 99999999999", "expected a number below 2 to the 32nd", 24}})
        try {
            const condition wrong{each.text};
            ADD_FAILURE() << each.text << " is accepted";
        } catch (const condition_error& error) {
            EXPECT_NE(std::string(error.what()).find(each.says), std::string::npos) << error.what();
            EXPECT_EQ(error.offset(), each.offset) << each.text;
        }
}

} // namespace
} // namespace sfpu::analysis
