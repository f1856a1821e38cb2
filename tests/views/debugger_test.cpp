#include <sfpu/views/debugger.h>

#include <gtest/gtest.h>

#include <numeric>

namespace sfpu::views {
namespace {

using namespace analysis::debug;

value_answer lanes_0_to(unsigned end, const char* typed, std::optional<isa::data_type> type) {
    value_answer value;
    value.typed = typed;
    value.cycle = 7;
    value.what.name = "L3";
    value.what.end_lane = end;
    value.what.type = type;
    value.bits.resize(end);
    std::iota(value.bits.begin(), value.bits.end(), 0u);
    return value;
}

TEST(debugger_text, eight_lanes_stand_in_a_line_of_one_width) {
    EXPECT_EQ(to_text(lanes_0_to(9, "L3[0:9] as i32", isa::data_type::i32)),
              "L3 (i32), at the end of cycle 7\n"
              "  lane  0:  0  1  2  3  4  5  6  7\n"
              "  lane  8:  8\n");
    EXPECT_EQ(to_text(lanes_0_to(1, "L3[0]", std::nullopt)),
              "L3, at the end of cycle 7\n  lane  0:  00000000\n");
}

TEST(debugger_text, a_held_position_is_a_sentence_and_no_cycle) {
    move_answer move;
    move.last = 17;
    move.how = move_answer::ending::is_last;
    EXPECT_EQ(to_text(move), "cycle 17 is the last one\n");
    move.how = move_answer::ending::not_found;
    move.sought = "row 3";
    move.from = 5;
    EXPECT_EQ(to_text(move), "row 3: not found from cycle 5 to 17\n");
}

TEST(debugger_text, a_move_shows_its_cycle_and_what_changed) {
    move_answer move;
    move.place = cycle_answer{};
    move.place->cycle = 4;
    move.place->row = 0;
    move.changed.push_back(lanes_0_to(2, "L3[0:2]", std::nullopt));
    EXPECT_EQ(to_text(move),
              "cycle 4, row 0\n  nothing happens\nchanged: L3[0:2]\n  lane  0:  00000000  00000001\n");
}

TEST(debugger_text, every_command_is_in_the_table_of_help) {
    for (const command_form& form : stepper::forms())
        EXPECT_NE(debugger_help().find(std::string("  ") + form.name + " "), std::string::npos) << form.name;
}

} // namespace
} // namespace sfpu::views
