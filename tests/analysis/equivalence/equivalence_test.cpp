// The comparison of two kernels: what it finds, what it tries, and what its options let pass.
#include "kernel_runner.h"

#include <sfpu/analysis/equivalence.h>
#include <sfpu/isa/machine.h>
#include <sfpu/platform/kernel_segments.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>

namespace sfpu::test {
namespace {

using analysis::compare_kernels;
using analysis::equivalence_options;
using analysis::equivalence_report;

/// A Blackhole kernel of 32 rows. ADDR_MOD_6 steps to the next row, ADDR_MOD_7 stays.
struct side {
    isa::kernel kernel;
    platform::run_request request;

    explicit side(const std::string& row, const std::string& init = "", const std::string& head = "") {
        const std::string text =
            fmt::format(".arch bh\n.rows 32\n.equ x, 0\n.equ y, 0x40\n.equ out, 0x80\n{}\n.init\n"
                        "setc16 34, 2\nsetc16 35, 0\n{}\n.loop\n{}\n",
                        head, init, row);
        isa::assembly assembled = isa::assemble(text, "test", isa::make_machine({}).encoding());
        if (!assembled.ok()) throw std::runtime_error(assembled.errors.front().to_string() + "\n" + text);
        kernel = std::move(assembled.program);
        request.state.reset(request.config.sfpu_lreg12_default);
        request.thread.reset(kernel.arch);
        request.segments = platform::segments_of(kernel, 32);
    }
    operator analysis::equivalence_side() const { return {&kernel, &request, 32}; }
};

equivalence_report compared(const side& a, const side& b, const equivalence_options& options = {}) {
    return compare_kernels(shared_bench(), a, b, options);
}

const char* const copy_row = "sfpload L0, UINT16, ADDR_MOD_7, x\nsfpstore L0, UINT16, ADDR_MOD_6, out";

TEST(equivalence, other_instructions_for_the_same_are_equal) {
    const side shift(
        "sfpload L0, INT32, ADDR_MOD_7, x\nsfpshft 1, L0, L0, 1\nsfpstore L0, INT32, ADDR_MOD_6, x"),
        sum("sfpload L3, INT32, ADDR_MOD_7, x\nsfpmov 0, L3, L2, 0\nsfpiadd 0, L3, L2, 4\n"
            "sfpstore L2, INT32, ADDR_MOD_6, x");
    const equivalence_report report = compared(shift, sum);
    EXPECT_TRUE(report.equal);
    EXPECT_EQ(report.not_comparable, "");
    EXPECT_EQ(report.inputs_tried, report.runs * 32 * 32);
    EXPECT_GT(report.runs, 16u);
    EXPECT_FALSE(report.exhaustive);
}

TEST(equivalence, the_first_difference_has_its_place_and_its_inputs) {
    const char* const head = ".input left, x, i32\n.input right, y, i32\n.output sum, out, i32";
    const std::string loads = "sfpload L0, INT32, ADDR_MOD_7, x\nsfpload L1, INT32, ADDR_MOD_7, y\n",
                      store = "\nsfpstore L1, INT32, ADDR_MOD_6, out";
    const side sum(loads + "sfpiadd 0, L0, L1, 4" + store, "", head),
        difference(loads + "sfpiadd 0, L0, L1, 6" + store, "", head);
    const equivalence_report report = compared(sum, difference);
    ASSERT_FALSE(report.equal);
    ASSERT_TRUE(report.first_difference.has_value());
    const analysis::output_difference& found = *report.first_difference;
    EXPECT_EQ(found.output, "sum");
    ASSERT_EQ(found.inputs.size(), 2u);
    EXPECT_EQ(found.inputs[0].first, "left");
    EXPECT_EQ(found.inputs[1].first, "right");
    const std::uint32_t left = found.inputs[0].second.cell, right = found.inputs[1].second.cell;
    EXPECT_EQ(found.a.cell, left + right);
    EXPECT_EQ(found.b.cell, left - right);
    EXPECT_FALSE(found.with_bubbles);
}

/// One value of 65,536 is treated otherwise.
const char* const all_but_one =
    "sfpload L0, UINT16, ADDR_MOD_7, x\nsfpiadd -1213, L0, L1, 5\nsfpsetcc 0, L1, L0, 6\n"
    "sfploadi L0, USHORT, 7\nsfpencc 0, L0, L0, 0\nsfpstore L0, UINT16, ADDR_MOD_6, out";
const char* const flags_on = "sfpencc 3, L0, L0, 10";

TEST(equivalence, only_trying_every_value_finds_the_one_that_matters) {
    const side copy(copy_row, flags_on), other(all_but_one, flags_on);
    equivalence_options few;
    few.seeds = 1;
    few.prove = false;
    EXPECT_TRUE(compared(copy, other, few).equal) << "else this test proves nothing";
    for (bool equivalence_options::*how :
         {&equivalence_options::exhaustive, &equivalence_options::exhaustive_if_narrow}) {
        equivalence_options every = few;
        every.*how = true;
        const equivalence_report report = compared(copy, other, every);
        ASSERT_FALSE(report.equal);
        EXPECT_EQ(report.first_difference->a.cell, 1213u);
        EXPECT_EQ(report.first_difference->b.cell, 7u);
        const equivalence_report same = compared(copy, copy, every);
        EXPECT_TRUE(same.equal && same.exhaustive);
        EXPECT_GE(same.runs, 65536u / (32 * 32));
    }
}

TEST(equivalence, a_value_that_stands_in_a_kernel_is_tried_without_being_asked_for) {
    const equivalence_report report = compared(side(copy_row, flags_on), side(all_but_one, flags_on));
    ASSERT_FALSE(report.equal);
    EXPECT_EQ(report.first_difference->a.cell, 1213u);
}

TEST(equivalence, a_value_of_one_lane_only_counts) {
    const std::string load = "sfpload L0, INT32, ADDR_MOD_7, x\n",
                      store = "sfpstore L0, INT32, ADDR_MOD_6, out",
                      init = "sfpencc 3, 0, 0, 10\nsfploadi L3, LOWER, 0xbeef\nsfploadi L3, UPPER, 0x4bad\n"
                             "sfploadi L4, USHORT, 10";
    // L1 is 0 in lane 5 where x is 0x4badbeef.
    const side one_lane(load +
                            "sfpmov 0, L15, L1, 0\nsfpxor 0, L4, L1, 0\nsfpmov 0, L0, L2, 0\n"
                            "sfpxor 0, L3, L2, 0\nsfpor 0, L2, L1, 0\nsfpsetcc 0, L1, L0, 6\n"
                            "sfploadi L0, USHORT, 7\nsfpencc 0, 0, 0, 0\n" +
                            store,
                        init);
    const equivalence_report report = compared(side(load + store, init), one_lane);
    EXPECT_FALSE(report.equal && report.verdict == analysis::equivalence_verdict::proved)
        << "inputs seldom find it; no proof may pass over it";
    EXPECT_EQ(compared(one_lane, one_lane).verdict, analysis::equivalence_verdict::proved);
}

TEST(equivalence, two_narrow_inputs_are_not_tried_together) {
    const char* const head = ".input left, x, u16\n.input right, y, u16\n.output sum, out, u16";
    const std::string loads = "sfpload L0, UINT16, ADDR_MOD_7, x\nsfpload L1, UINT16, ADDR_MOD_7, y\n",
                      store = "sfpstore L1, UINT16, ADDR_MOD_6, out";
    const side sum(loads + "sfpiadd 0, L0, L1, 4\n" + store, "", head);
    equivalence_options every;
    every.prove = false;
    every.exhaustive = true;
    const equivalence_report report = compared(sum, sum, every);
    EXPECT_TRUE(report.equal && report.each_value);
    EXPECT_FALSE(report.exhaustive) << "there are 2^32 pairs";
    EXPECT_EQ(report.verdict, analysis::equivalence_verdict::tested);
    EXPECT_EQ(compared(sum, sum).verdict, analysis::equivalence_verdict::proved);
}

TEST(equivalence, with_two_wide_operands_not_every_value_can_be_tried) {
    const side sum("sfpload L0, INT32, ADDR_MOD_7, x\nsfpload L1, INT32, ADDR_MOD_7, y\n"
                   "sfpiadd 0, L0, L1, 4\nsfpstore L1, INT32, ADDR_MOD_6, out");
    equivalence_options every;
    every.exhaustive = true;
    EXPECT_NE(compared(sum, sum, every).not_comparable, "");
    equivalence_options if_narrow;
    if_narrow.exhaustive_if_narrow = true;
    const equivalence_report report = compared(sum, sum, if_narrow);
    EXPECT_EQ(report.not_comparable, "");
    EXPECT_TRUE(report.equal);
    EXPECT_FALSE(report.exhaustive);
}

TEST(equivalence, every_value_of_one_wide_operand_is_tried_from_zero_on) {
    const side copy("sfpload L0, INT32, ADDR_MOD_7, x\nsfpstore L0, INT32, ADDR_MOD_6, out", flags_on),
        other("sfpload L0, INT32, ADDR_MOD_7, x\nsfpiadd -2000, L0, L1, 5\nsfpiadd -2000, L1, L1, 5\n"
              "sfpsetcc 0, L1, L0, 6\nsfploadi L0, USHORT, 7\nsfpencc 3, L0, L0, 10\n"
              "sfpstore L0, INT32, ADDR_MOD_6, out",
              flags_on);
    equivalence_options every;
    every.exhaustive = true;
    every.prove = false;
    const equivalence_report report = compared(copy, other, every);
    ASSERT_FALSE(report.equal);
    EXPECT_EQ(report.first_difference->a.cell, 4000u);
    every.interrupted = [asked = std::make_shared<std::atomic<unsigned>>(0)] { return ++*asked > 40; };
    const equivalence_report broken_off = compared(copy, copy, every);
    EXPECT_TRUE(broken_off.interrupted);
    EXPECT_FALSE(broken_off.exhaustive);
}

/// The macro's store comes three cycles behind its load: in time for a result of the next word, not of a
/// later one.
const char* const macro_setup =
    "sfploadi L0, LOWER, 0\nsfploadi L0, UPPER, 0x1300\nsfpconfig 0, SEQUENCE0, 0\n"
    "sfpconfig 0x004, MISC, 1\nsfpnop\nsfpnop";
const char* const macro_row = "sfploadmacro 0, L0, INT32, ADDR_MOD_6, x\nsfpabs 0, L0, L0, 0\nsfpnop\nsfpnop";

TEST(equivalence, bubbles_show_what_depends_on_their_absence) {
    const side plain(
        "sfpload L0, INT32, ADDR_MOD_7, x\nsfpabs 0, L0, L0, 0\nsfpstore L0, INT32, ADDR_MOD_6, x"),
        macro(macro_row, macro_setup);
    EXPECT_TRUE(compared(plain, macro).equal);
    equivalence_options with_bubbles;
    with_bubbles.bubble_schedules = 2;
    const equivalence_report report = compared(plain, macro, with_bubbles);
    ASSERT_FALSE(report.equal);
    EXPECT_TRUE(report.first_difference->with_bubbles);
    // Only the second kernel runs with bubbles, and bubbles alone make no difference.
    EXPECT_TRUE(compared(macro, plain, with_bubbles).equal);
    with_bubbles.bubble_rate = 0;
    EXPECT_TRUE(compared(plain, macro, with_bubbles).equal);
}

TEST(equivalence, zeros_and_nans_are_as_different_as_the_options_say) {
    const auto constant = [](const char* upper) {
        return side(
            fmt::format("sfpload L0, FP32, ADDR_MOD_7, x\nsfploadi L0, LOWER, 0\nsfploadi L0, UPPER, {}\n"
                        "sfpstore L0, FP32, ADDR_MOD_6, out",
                        upper));
    };
    const side zero = constant("0"), negative_zero = constant("0x8000"), nan = constant("0x7fc0"),
               other_nan = constant("0xffc1");
    equivalence_options zeros, nans;
    zeros.ignore_signed_zero = nans.nan_equal = true;
    EXPECT_FALSE(compared(zero, negative_zero).equal);
    EXPECT_FALSE(compared(zero, negative_zero, nans).equal);
    EXPECT_TRUE(compared(zero, negative_zero, zeros).equal);
    EXPECT_FALSE(compared(nan, other_nan).equal);
    EXPECT_FALSE(compared(nan, other_nan, zeros).equal);
    EXPECT_TRUE(compared(nan, other_nan, nans).equal);
}

TEST(equivalence, other_cells_count_unless_outputs_are_declared) {
    const std::string scratch = "sfpload L0, UINT16, ADDR_MOD_7, x\nsfpstore L0, UINT16, ADDR_MOD_7, y\n"
                                "sfpstore L0, UINT16, ADDR_MOD_6, out";
    EXPECT_FALSE(compared(side(copy_row), side(scratch)).equal);
    const char* const head = ".input x_in, x, u16\n.output result, out, u16";
    EXPECT_TRUE(compared(side(copy_row, "", head), side(scratch, "", head)).equal);
}

} // namespace
} // namespace sfpu::test
