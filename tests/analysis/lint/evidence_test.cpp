// What is decided about the hardware is no open question; what is open is tried; what was not tried is not
// said.
#include <sfpu/analysis/kernel_lint.h>

#include <sfpu/platform/core_runner.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace sfpu::analysis {
namespace {

lint_report lint_of(const std::string& source, unsigned schedules = 20) {
    platform::core_runner runner;
    lint_request request;
    request.how.schedules = schedules;
    return lint_kernel(runner, source, "k.s", {}, request, {}).report;
}

lint_question question(const lint_report& report, const std::string& parameter) {
    for (const lint_question& each : report.open_questions)
        if (each.parameter == parameter) return each;
    throw std::runtime_error("no question about " + parameter);
}

const lint_hazard* find_hazard(const lint_report& report, report_id id) {
    for (const lint_hazard& each : report.hazards)
        if (each.what.id == id) return &each;
    return nullptr;
}

// --- a load against the second cycle of SFPSWAP (T2a, T8) --------------------------------------------------

/// The columns' maxima, as the vendor's reduction has them: what macro 1 swaps is loaded again in the second
/// cycle of its SFPSWAP. Nothing writes Misc, as there.
std::string reduction(const std::string& last) {
    return R"(.arch bh
.rows 8
.init
    setc16      35, 0
    .template   0, sfpswap 0, L4, _, VEC_MIN_MAX
    .template   1, sfpswap 0, L5, _, VEC_MIN_MAX
    .macro      0, simple=(template=0, vb)
    .macro      1, simple=(template=1, vb)
    sfpnop
    sfpnop
    sfpload     L4, FP32, ADDR_MOD_7, 0
    sfpload     L5, FP32, ADDR_MOD_7, 2
    sfpload     L6, FP32, ADDR_MOD_7, 16
    sfpload     L7, FP32, ADDR_MOD_7, 18
.loop
    incrwc      0, 4, 0, 0
    sfploadmacro 1, L1, FP32, ADDR_MOD_7, 2
    sfpload     L0, FP32, ADDR_MOD_7, 16
    sfpload     L1, FP32, ADDR_MOD_7, 18
    sfpswap     0, L7, L1, VEC_MIN_MAX
    sfpnop
    sfpswap     0, L6, L0, VEC_MIN_MAX
    sfpnop
    sfploadmacro 0, L0, FP32, ADDR_MOD_7, 0
.tail
    sfpnop
    sfpnop
)" + last + R"(    sfpstore    L4, FP32, ADDR_MOD_7, 0x100
    sfpstore    L5, FP32, ADDR_MOD_7, 0x102
    sfpstore    L6, FP32, ADDR_MOD_7, 0x110
    sfpstore    L7, FP32, ADDR_MOD_7, 0x112
)";
}

TEST(decided_order, does_not_break_the_reduction_that_ships) {
    const lint_report report = lint_of(reduction(""));
    EXPECT_EQ(report.verdict, lint_verdict::robust);
    const lint_hazard* told = find_hazard(report, report_id::hazard_write_collision);
    ASSERT_NE(told, nullptr); // it is still said
    EXPECT_FALSE(told->breaks);
    EXPECT_EQ(told->depends_on, "");
    EXPECT_FALSE(question(report, "sfpu.write_order").depends);
    EXPECT_EQ(question(report, "sfpu.write_order").values.size(), 2u);
    const lint_hazard* misc = find_hazard(report, report_id::macro_stale_configuration);
    ASSERT_NE(misc, nullptr);
    EXPECT_FALSE(misc->breaks); // delays of 0, no store: whatever Misc holds
}

TEST(decided_order, is_about_no_other_pair) {
    // A product and a load of one register end in one cycle.
    const std::string product = "    sfpmad L4, L5, L9, L5, 0\n    sfpload L5, FP32, ADDR_MOD_7, 0\n";
    const lint_report report = lint_of(reduction(product));
    EXPECT_EQ(report.verdict, lint_verdict::broken);
    EXPECT_TRUE(question(report, "sfpu.write_order").without_bubbles);
    bool breaks = false;
    for (const lint_hazard& each : report.hazards)
        if (each.what.id == report_id::hazard_write_collision && each.breaks) breaks = true;
    EXPECT_TRUE(breaks);
}

TEST(decided_order, a_collision_with_a_shuffle_is_none_of_them) {
    const lint_report report = lint_of(".arch wh\n.rows 1\n.loop\n    sfpload L0, FP32, ADDR_MOD_3, 0\n"
                                       "    sfpshft2 0, L0, L1, 3\n    sfpload L1, FP32, ADDR_MOD_3, 2\n"
                                       "    sfpnop\n    sfpstore L1, FP32, ADDR_MOD_3, 8\n");
    const lint_hazard* collision = find_hazard(report, report_id::hazard_write_collision);
    ASSERT_NE(collision, nullptr);
    EXPECT_TRUE(collision->breaks);
    EXPECT_EQ(collision->depends_on, "sfpu.write_order");
}

TEST(misc_that_was_not_written, breaks_a_kernel_that_depends_on_it) {
    std::string delayed = reduction("");
    delayed.replace(delayed.find("(template=1, vb)"), 16, "(template=1, delay=1, vb)");
    const lint_report report = lint_of(delayed, 4);
    const auto breaks =
        std::count_if(report.hazards.begin(), report.hazards.end(), [](const lint_hazard& each) {
            return each.what.id == report_id::macro_stale_configuration && each.breaks;
        });
    EXPECT_EQ(breaks, 1);
}

// --- macro.freeze_scope ------------------------------------------------------------------------------------

/// The program of the timing contract that tells the two answers apart: a Store that counts cycles waits
/// beside a Simple that counts instructions.
std::string telling(const char* kinds) {
    return std::string(R"(.arch bh
.rows 1
.init
    setc16      35, 0
    .template   0, sfpabs 0, L3, _, 0
    .macro      0, simple=(template=0, delay=6, l16), store=(delay=2)
    .misc       load_mode=0, count_instructions=)") +
           kinds + R"(
    sfpnop
    sfpnop
.loop
    sfploadmacro 0, L0, FP32, ADDR_MOD_7, 0
    .gap
    sfploadi    L0, USHORT, 7
.tail
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
)";
}

TEST(freeze_scope, is_a_question_that_a_store_beside_an_entry_of_the_other_kind_depends_on) {
    const lint_question asked = question(lint_of(telling("simple")), "macro.freeze_scope");
    EXPECT_TRUE(asked.depends);
    EXPECT_FALSE(asked.without_bubbles);
    EXPECT_EQ(asked.values, std::vector<std::string>{"own_unit"});
}

TEST(freeze_scope, does_not_matter_where_all_delays_are_of_one_kind) {
    EXPECT_FALSE(question(lint_of(telling("(simple, store)")), "macro.freeze_scope").depends);
}

// --- interrupted -------------------------------------------------------------------------------------------

lint_report interrupted_after(std::uint64_t runs) {
    platform::core_runner runner;
    lint_request request;
    request.how.schedules = 50;
    session caller;
    std::uint64_t done = 0;
    caller.advanced = [&](std::uint64_t count, std::uint64_t) { done = count; };
    caller.interrupted = [&] { return done >= runs; };
    return lint_kernel(runner, reduction(""), "k.s", {}, request, caller).report;
}

TEST(interrupted_lint, says_what_it_tried_and_what_it_meant_to_try) {
    const lint_report whole = lint_of(reduction(""), 50);
    EXPECT_EQ(whole.positions, whole.planned_positions);
    EXPECT_EQ(whole.random_schedules, 50u);
    EXPECT_EQ(whole.planned_schedules, 50u);
    EXPECT_EQ(whole.data_sets, whole.planned_data_sets);
    for (const lint_question& each : whole.open_questions) EXPECT_TRUE(each.complete) << each.parameter;

    const lint_report early = interrupted_after(2);
    EXPECT_TRUE(early.interrupted);
    EXPECT_EQ(early.data_sets, 2u);
    EXPECT_EQ(early.positions, 0u);
    EXPECT_EQ(early.planned_positions, whole.positions);
    EXPECT_EQ(early.random_schedules, 0u); // nobody tried them

    // Eight runs come before the single bubbles, of which a place takes 32.
    const lint_report middle = interrupted_after(8 + 3 * 32 + 5);
    EXPECT_EQ(middle.data_sets, 4u);
    EXPECT_EQ(middle.positions, 3u);
    EXPECT_TRUE(middle.open_questions.empty());

    const lint_report late = interrupted_after(8 + whole.positions * 32 + 50 + 7);
    EXPECT_EQ(late.random_schedules, 50u);
    ASSERT_EQ(late.open_questions.size(), 1u);
    EXPECT_FALSE(late.open_questions[0].complete);
}

} // namespace
} // namespace sfpu::analysis
