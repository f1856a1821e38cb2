// Every remark has a kernel that gets it and one, as much like it as can be, that does not.
#include <sfpu/analysis/kernel_remarks.h>

#include <sfpu/platform/core_runner.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace sfpu::analysis {
namespace {

/// Remarks on a kernel for Blackhole.
kernel_remarks remarks_of(const std::string& text) {
    const machine_choice machine;
    const kernel_run kernel(assemble_kernel(text, "k.s", machine), machine, std::nullopt);
    platform::core_runner runner;
    return remarks_on(runner, kernel);
}

std::vector<isa::source_remark> of_kind(const kernel_remarks& all, report_id id) {
    std::vector<isa::source_remark> found;
    std::copy_if(all.all.begin(), all.all.end(), std::back_inserter(found),
                 [&](const isa::source_remark& each) { return each.id == id; });
    return found;
}

struct remark_case {
    report_id id;
    std::string provoking;
    unsigned line; ///< where the remark is
    std::string silent;
};
void PrintTo(const remark_case& each, std::ostream* out) { *out << describe(each.id).name; }

const std::string step_by_row = "sfpstore L0, BF16, 3, 0\nincrwc 0, 2, 0, 0\n";

std::vector<remark_case> cases() {
    using id = report_id;
    const std::string store_constant = ".loop\nsfpstore L12, BF16, 3, 0\n";
    return {
        {id::kernel_redefined_name, ".equ a, 2\n.equ a, 4\n.loop\nsfpnop\n", 2,
         ".equ a, 2\n.equ a, 2\n.loop\nsfpnop\n"},
        {id::kernel_empty_loop, "sfpnop\n.loop\n", 2, "sfpnop\n.loop\nsfpnop\n"},
        {id::kernel_no_loop, "sfpnop\n", 0, ".loop\nsfpnop\n"},
        {id::kernel_truncated_division, ".loop\nsfploadi L0, FLOATB, 1 / 6\n", 2,
         ".loop\nsfploadi L0, FLOATB, bf16(1.0 / 6)\n"},
        {id::kernel_address_carry, ".config dst_rwc, 1\n.loop\nsfploadmacro 0, L4, INT32, 3, 0\n", 3,
         ".config dst_rwc, 2\n.loop\nsfploadmacro 0, L4, INT32, 3, 0\n"},
        {id::kernel_unused_input, ".input x, 0, bf16\n.rows 1\n.loop\nsfpload L0, BF16, 3, 2\n", 1,
         ".input x, 0, bf16\n.rows 1\n.loop\nsfpload L0, BF16, 3, 0\n"},
        {id::kernel_unstored_output, ".output y, 0, bf16\n.rows 1\n.loop\nsfpstore L0, BF16, 3, 2\n", 1,
         ".output y, 0, bf16\n.rows 1\n.loop\nsfpstore L0, BF16, 3, 0\n"},
        {id::kernel_partial_output, ".output y, 0, bf16\n.rows 2\n.loop\nsfpstore L0, BF16, 3, 0\n", 1,
         ".output y, 0, bf16\n.rows 2\n.loop\n" + step_by_row},
        {id::kernel_overlapping_data, ".input a, 0, bf16\n.input b, 2, bf16\n.rows 2\n.loop\nsfpnop\n", 2,
         ".input a, 0, bf16\n.input b, 4, bf16\n.rows 2\n.loop\nsfpnop\n"},
        {id::kernel_store_to_template, store_constant, 2,
         "sfpconfig 2, LANECONFIG, 1\nsfpnop\n" + store_constant},
        // A template that is executed was meant as one.
        {id::kernel_store_to_template,
         "sfpstore L12, BF16, 3, 0\n.macro 0, store=(nop)\nsfpnop\nsfpnop\n.loop\n"
         "sfploadmacro 0, L0, BF16, 3, 0\nsfpnop\nsfpnop\n",
         1,
         "sfpstore L12, BF16, 3, 0\n.macro 0, store=(template=0)\nsfpnop\nsfpnop\n.loop\n"
         "sfploadmacro 0, L0, BF16, 3, 0\nsfpnop\nsfpnop\n"},
    };
}

class every_remark : public testing::TestWithParam<remark_case> {};

TEST_P(every_remark, is_made_where_its_cause_stands) {
    const std::vector<isa::source_remark> found = of_kind(remarks_of(GetParam().provoking), GetParam().id);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].line, GetParam().line);
}

TEST_P(every_remark, is_not_made_beside_the_boundary) {
    EXPECT_TRUE(of_kind(remarks_of(GetParam().silent), GetParam().id).empty());
}

INSTANTIATE_TEST_SUITE_P(kernel, every_remark, testing::ValuesIn(cases()));

TEST(kernel_remarks, of_every_kind_have_a_kernel_that_gets_them) {
    std::set<report_id> provoked;
    for (const remark_case& each : cases()) provoked.insert(each.id);
    for (unsigned i = 0; i < report_count; ++i) {
        const auto id = static_cast<report_id>(i);
        if (describe(id).kind != report_kind::remark) continue;
        EXPECT_EQ(provoked.count(id), 1u) << describe(id).name;
    }
}

/// Half of three rows are two, and the number says which.
TEST(kernel_remarks, of_an_output_that_is_stored_in_part_count_its_rows) {
    const kernel_remarks found = remarks_of(".output y, 0, i32\n.rows 3\nsfpstore L0, INT32, 3, 0\n.loop\n"
                                            "sfpstore L0, INT32, 3, 2\n");
    ASSERT_EQ(of_kind(found, report_id::kernel_partial_output).size(), 1u);
    EXPECT_EQ(of_kind(found, report_id::kernel_partial_output)[0].message,
              "only 2 of the 3 rows of y are ever stored");
    EXPECT_TRUE(found.unstored.empty());
    EXPECT_FALSE(found.touches_no_output);
}

/// Its row has been read by then. A row behind it would overwrite what is still to be read.
TEST(kernel_remarks, an_output_may_lie_on_its_input_and_not_in_front_of_it) {
    const std::string input = ".input x, 0, bf16\n.rows 2\n";
    const auto overlaps = [&](const std::string& output) {
        return of_kind(remarks_of(input + output + ".loop\nsfpnop\n"), report_id::kernel_overlapping_data);
    };
    EXPECT_TRUE(overlaps(".output y, 0, bf16\n").empty());
    ASSERT_EQ(overlaps(".input z, 0, bf16\n").size(), 1u);
    EXPECT_EQ(overlaps(".output y, 2, bf16\n").size(), 1u);
}

TEST(kernel_remarks, stand_in_the_order_of_lines_with_the_file_as_a_whole_last) {
    const std::string text = ".equ a, 1\n.output y, 0, bf16\n.equ a, 2\nsfpnop\n";
    const kernel_remarks found = remarks_of(text);
    ASSERT_EQ(found.all.size(), 3u);
    EXPECT_EQ(found.all[0].line, 2u);
    EXPECT_EQ(found.all[1].line, 3u);
    EXPECT_EQ(found.all[2].line, 0u);
    EXPECT_EQ(to_text(found, user_places(assemble_kernel(text, "k.s", {})), "  ").substr(0, 12),
              "  k.s:2: y i");
}

} // namespace
} // namespace sfpu::analysis
