// Which reasons are found for a difference of two paths. The kernels are this test's own.
#include <sfpu/analysis/path_difference.h>

#include <sfpu/platform/core_runner.h>

#include <gtest/gtest.h>

#include <stdexcept>

namespace sfpu::analysis {
namespace {

isa::kernel assembled(const std::string& text) {
    isa::assembly result = isa::assemble(text, "kernel.s", architecture::blackhole);
    if (!result.ok()) throw std::runtime_error(result.errors.front().to_string());
    return std::move(result.program);
}

/// ADDR_MOD_6 steps a row further, ADDR_MOD_7 stays.
const std::string steps = "    setc16 34, 2\n    setc16 35, 0\n";

/// A row of a kernel that loads L0, inverts it and stores it behind the given words, so that every cell that
/// is stored changes.
isa::kernel row_kernel(const std::string& words, const std::string& init = steps) {
    return assembled(".arch bh\n.rows 32\n.init\n" + init +
                     ".loop\n    sfpload L0, LO16, ADDR_MOD_7, 0\n    sfpnot 0, L0, L0, 0\n" + words +
                     "    sfpstore L0, LO16, ADDR_MOD_6, 0\n");
}

path_difference difference(const isa::kernel& macro, const isa::kernel& plain) {
    platform::core_runner runner;
    return difference_of_paths(runner, macro, plain);
}

// --- constants that nobody sets ----------------------------------------------------------------------------

TEST(unset_constants, a_constant_that_is_read_and_not_configured_is_unset) {
    EXPECT_EQ(unset_constants(row_kernel("    sfpand 0, L13, L0, 0\n")), isa::only(13));
    EXPECT_EQ(unset_constants(row_kernel("    sfpand 0, L12, L0, 0\n    sfpand 0, L14, L0, 0\n")),
              isa::only(12) | isa::only(14));
}

TEST(unset_constants, l11_holds_minus_one_from_the_start_and_counts_as_set) {
    EXPECT_EQ(unset_constants(row_kernel("    sfpmul L0, L11, L9, L0, 0\n    sfpnop\n")), 0u);
    EXPECT_EQ(unset_constants(row_kernel("    sfpand 0, L11, L0, 0\n    sfpand 0, L12, L0, 0\n")),
              isa::only(12));
}

TEST(unset_constants, what_sfpconfig_writes_is_set) {
    EXPECT_EQ(unset_constants(row_kernel("    sfpand 0, L13, L0, 0\n", steps + "    .constant L13, 5\n")),
              0u);
}

TEST(unset_constants, a_template_does_not_read_the_register_that_names_it) {
    EXPECT_EQ(unset_constants(row_kernel("", steps + "    .template 1, sfpiadd 0, L2, _, 4\n")), 0u);
}

TEST(unset_constants, constants_of_the_chip_and_general_registers_are_nobodys_concern) {
    EXPECT_EQ(
        unset_constants(row_kernel("    sfpmul L0, L10, L9, L0, 0\n    sfpnop\n    sfpand 0, L7, L0, 0\n")),
        0u);
}

// --- reasons -----------------------------------------------------------------------------------------------

TEST(path_difference, a_constant_that_only_the_macro_path_leaves_unset_is_the_reason) {
    const path_difference found =
        difference(row_kernel("    sfpand 0, L13, L0, 0\n"), row_kernel("    sfpnop\n"));
    EXPECT_EQ(found.unset_constants, isa::only(13));
    ASSERT_FALSE(found.sentences().empty());
    EXPECT_NE(found.sentences().front().find("reads L13, which nothing sets"), std::string::npos);
    for (const std::string& each : found.sentences())
        EXPECT_EQ(each.find("They calculate"), std::string::npos) << each;
}

TEST(path_difference, a_constant_that_both_leave_unset_is_none) {
    const isa::kernel reads = row_kernel("    sfpand 0, L13, L0, 0\n");
    EXPECT_EQ(difference(reads, reads).unset_constants, 0u);
}

TEST(path_difference, l11_is_no_reason) {
    const path_difference found =
        difference(row_kernel("    sfpand 0, L11, L0, 0\n"), row_kernel("    sfpnop\n"));
    EXPECT_EQ(found.unset_constants, 0u);
    EXPECT_EQ(found.sentences(),
              std::vector<std::string>{"They calculate in different ways: only the macro path uses sfpand."});
}

TEST(path_difference, cells_that_one_path_alone_writes_are_counted) {
    // One path stores each of 32 rows of 32 lanes at another address, too.
    const isa::kernel once = row_kernel("    sfpnop\n");
    const isa::kernel more = row_kernel("    sfpnop\n    sfpstore L0, LO16, ADDR_MOD_7, 512\n");
    const path_difference found = difference(more, once);
    EXPECT_GE(found.cells_of_macro, 32u * 32u);
    EXPECT_EQ(found.cells_of_plain, 0u);
    EXPECT_EQ(difference(once, more).cells_of_plain, found.cells_of_macro);
    EXPECT_NE(found.sentences().at(0).find(" are written by the macro path only, 0 by the plain path only"),
              std::string::npos);
}

// SFPSWAP with modifier 10 does what today's silicon does: a report of severity::info.
const std::string swap = "    sfpswap 0, L1, L2, 10\n    sfpnop\n";

TEST(path_difference, a_harmless_note_is_no_reason_and_does_not_hide_the_true_one) {
    ASSERT_EQ(describe(report_id::isa_non_contractual).level, severity::info);
    const path_difference found = difference(row_kernel(swap + "    sfpsetsgn 0, L0, L0, 1\n"),
                                             row_kernel(swap + "    sfpabs 0, L0, L0, 1\n"));
    EXPECT_TRUE(found.hazards.empty());
    EXPECT_EQ(found.sentences(),
              std::vector<std::string>{
                  "They calculate in different ways: only the macro path uses sfpsetsgn, only the "
                  "plain path uses sfpabs."});
}

TEST(path_difference, a_warning_that_breaks_nothing_is_told_beside_the_other_way_to_calculate) {
    // Without the steps each row loads what the one before has just stored.
    const path_difference found = difference(row_kernel("    sfpsetsgn 0, L0, L0, 1\n", "    sfpnop\n"),
                                             row_kernel("    sfpabs 0, L0, L0, 1\n", "    sfpnop\n"));
    ASSERT_EQ(found.hazards.size(), 2u);
    EXPECT_EQ(found.hazards[0].id, report_id::dst_store_load_distance);
    EXPECT_TRUE(found.hazards[0].in_macro);
    EXPECT_FALSE(found.hazards[1].in_macro);
    EXPECT_FALSE(found.hazards[0].breaks);
    ASSERT_EQ(found.sentences().size(), 3u);
    EXPECT_NE(found.sentences()[2].find("They calculate in different ways"), std::string::npos);
}

TEST(path_difference, a_hazard_of_the_plain_path_is_named_as_its_own_and_is_reason_enough) {
    // SFPCONFIG of the lane configuration changes what the next word means.
    const path_difference found = difference(
        row_kernel("    sfpnop\n"), row_kernel("    sfpconfig 2, LANECONFIG, 1\n    sfpcast L0, L12, 0\n"));
    ASSERT_FALSE(found.hazards.empty());
    EXPECT_EQ(found.hazards[0].id, report_id::hazard_laneconfig_neighbour);
    EXPECT_FALSE(found.hazards[0].in_macro);
    EXPECT_TRUE(found.hazards[0].breaks);
    EXPECT_NE(found.hazards[0].line, 0u);
    EXPECT_NE(found.sentences().front().find(" of the plain path: "), std::string::npos);
    for (const std::string& each : found.sentences())
        EXPECT_EQ(each.find("They calculate"), std::string::npos) << each;
}

TEST(path_difference, an_interruption_leaves_what_words_alone_show) {
    platform::core_runner runner;
    const path_difference found = difference_of_paths(runner, row_kernel("    sfpand 0, L13, L0, 0\n"),
                                                      row_kernel("    sfpnop\n"), [] { return true; });
    EXPECT_EQ(found.unset_constants, isa::only(13));
}

} // namespace
} // namespace sfpu::analysis
