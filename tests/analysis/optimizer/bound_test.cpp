// What no schedule goes below, against what schedules there are: by hand, by the solver, and in kernels/.
#include "schedule_lab.h"
#include "tree_path.h"

#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/text_files.h>
#include <sfpu/optimizer/search.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace sfpu::test {
namespace {

using optimizer::bound;
using optimizer::outcome;

/// Of the row as it is and with constants and moves out of it: what is the least of all.
bound bound_of(const std::string& text, const std::string& name) {
    const analysis::kernel_run run(analysis::assemble_kernel(text, name, {}), {}, std::nullopt);
    const isa::machine machine = isa::make_machine(run.request().config);
    std::optional<bound> least;
    for (const bool hoist : {true, false})
        for (const bool drop : {true, false}) {
            optimizer::graph_options how;
            how.hoist_constants = hoist;
            how.drop_moves = drop;
            const bool enabled = run.request().state.use_flags == all_lanes;
            const bound found = optimizer::lower_bound(
                optimizer::build_graph(run.kernel(), machine, run.request().thread, enabled, how), machine);
            if (!least || found.interval < least->interval) least = found;
        }
    return *least;
}
bound bound_of_file(const std::string& name) {
    return bound_of(analysis::read_file(tree_path("kernels/" + name)), name);
}
bound bound_of_row(const std::string& row, const std::string& init = "") {
    return bound_of(".arch bh\n.rows 32\n.init\nsetc16 34, 2\nsetc16 35, 0\n" + init + ".loop\n" + row,
                    "row.s");
}

// Three shifts and three exclusive-ors: six results, of which the stored one may go to L16 beside another.
TEST(bounds, xorshift32_takes_five_cycles_by_the_write_port) {
    const bound found =
        bound_of_row("sfpload L0, INT32, ADDR_MOD_7, 0\nsfpshft 13, L0, L1, 5\nsfpxor 0, L1, L0, 0\n"
                     "sfpshft -17, L0, L1, 5\nsfpxor 0, L1, L0, 0\nsfpshft 5, L0, L1, 5\n"
                     "sfpxor 0, L1, L0, 0\nsfpstore L0, INT32, ADDR_MOD_6, 0\n");
    EXPECT_EQ(found.interval, 5u);
    EXPECT_EQ(found.least, 5) << "a row of several, too";
    EXPECT_EQ(found.reason, "write port: 6 results of Simple and Round, 1 of them beside another one by L16");
}

// x ^ y, then bits of pairs, of fours, of eights, and what is left of 20 bits: 17 results with masks in
// registers.
TEST(bounds, the_hamming_distance_of_20_bits_takes_sixteen_cycles_by_the_write_port) {
    const std::string row = "sfpload L0, INT32, ADDR_MOD_7, 0\nsfpload L1, INT32, ADDR_MOD_7, 64\n"
                            "sfpxor 0, L1, L0, 0\n"                                               // 1
                            "sfpshft -1, L0, L1, 5\nsfpand 0, L12, L1, 0\nsfpand 0, L12, L0, 0\n" // 4
                            "sfpiadd 0, L1, L0, 4\n"                                              // 5
                            "sfpshft -2, L0, L1, 5\nsfpand 0, L13, L1, 0\nsfpand 0, L13, L0, 0\n" // 8
                            "sfpiadd 0, L1, L0, 4\n"                                              // 9
                            "sfpshft -4, L0, L1, 5\nsfpiadd 0, L1, L0, 4\nsfpand 0, L14, L0, 0\n" // 12
                            "sfpshft -8, L0, L1, 5\nsfpshft -16, L0, L2, 5\n"                     // 14
                            "sfpiadd 0, L1, L0, 4\nsfpiadd 0, L2, L0, 4\nsfpand 0, L11, L0, 0\n"  // 17
                            "sfpstore L0, INT32, ADDR_MOD_6, 0\n";
    const bound found = bound_of_row(row);
    EXPECT_EQ(found.interval, 16u);
    EXPECT_EQ(found.reason.rfind("write port: 17 results", 0), 0u) << found.reason;
}

TEST(bounds, the_product_of_32_bits_on_wormhole_takes_27_cycles_by_the_write_port) {
    const bound found = bound_of_file("mul32_wh.s");
    EXPECT_EQ(found.interval, 27u);
    EXPECT_EQ(found.reason.rfind("write port", 0), 0u) << found.reason;
}

// SFPSWAP leaves Simple and Round idle in its second cycle: four results and two of these, less one result
// that is stored from L16.
TEST(bounds, second_cycles_of_exchanges_count) {
    const bound found =
        bound_of_row("sfpload L0, FP32, ADDR_MOD_7, 0\nsfpload L1, FP32, ADDR_MOD_7, 64\n"
                     "sfpswap 0, L0, L1, 1\nsfpnop\nsfpswap 0, L11, L0, 1\nsfpnop\nsfpshft 3, L0, L0, 5\n"
                     "sfpshft -5, L0, L0, 5\nsfpstore L0, FP32, ADDR_MOD_6, 0\n"
                     "sfpstore L1, FP32, ADDR_MOD_7, 64\n");
    EXPECT_EQ(found.interval, 5u);
    EXPECT_EQ(found.reason, "write port: 4 results of Simple and Round, 1 of them beside another one by L16, "
                            "2 second cycles");
}

// A constant in two halves takes one register; one that lanes keep where others are changed stays in its own.
TEST(bounds, constants_of_two_halves_take_one_register_and_those_that_lanes_keep_none) {
    const std::string init = ".constant L11, 3\n.constant L12, 5\n.constant L13, 7\nsfpencc 3, 0, 0, 10\n";
    const auto graph_of = [&](const std::string& row) {
        const analysis::kernel_run run(
            analysis::assemble_kernel(".arch bh\n.rows 32\n.init\nsetc16 34, 2\nsetc16 35, 0\n" + init +
                                          ".loop\nsfpload L0, INT32, ADDR_MOD_7, 0\n" + row +
                                          "sfpstore L1, INT32, ADDR_MOD_6, 0",
                                      "row.s", {}),
            {}, std::nullopt);
        return optimizer::build_graph(run.kernel(), isa::make_machine(run.request().config),
                                      run.request().thread, true);
    };
    const std::string halves = "sfploadi L1, USHORT, 0x1234\nsfploadi L1, UPPER, 0x5678\n";
    const auto whole = graph_of(halves + "sfpxor 0, L0, L1, 0\n").constants;
    ASSERT_EQ(whole.size(), 1u);
    EXPECT_EQ(whole.front().bits, 0x56781234u);
    EXPECT_TRUE(graph_of(halves + "sfpsetcc 0, L0, 0, 0\nsfpmov 0, L0, L1, 0\nsfpencc 0, 0, 0, 0\n")
                    .constants.empty());
}

// Three shifts on two sub-units without the write port's rule: 2 cycles for one row, and 3 for two.
TEST(bounds, what_is_rounded_up_for_a_row_is_less_for_several) {
    const bound found = bound_of(".arch bh\n.config sfpu.write_port_rule, false\n.rows 32\n.init\n"
                                 "setc16 34, 2\nsetc16 35, 0\n.loop\nsfpload L0, INT32, ADDR_MOD_7, 0\n"
                                 "sfpshft 3, L0, L0, 5\nsfpshft 4, L0, L0, 5\nsfpshft 5, L0, L0, 5\n"
                                 "sfpstore L0, INT32, ADDR_MOD_6, 0\n",
                                 "row.s");
    EXPECT_EQ(found.interval, 2u);
    EXPECT_EQ(found.least, 1.5);
}

// Each product waits two cycles for the one before, and none of them leaves the section of the flags.
TEST(bounds, what_stands_between_changes_of_lane_flags_counts) {
    std::string row = "sfpload L0, INT32, ADDR_MOD_7, 0\nsfpload L1, FP32, ADDR_MOD_7, 64\n"
                      "sfpsetcc 0, L0, L0, 0\n";
    for (unsigned i = 0; i < 3; ++i) row += "sfpmul L1, L0, L9, L1, 0\n";
    row += "sfpencc 0, L0, L0, 0\nsfpstore L1, FP32, ADDR_MOD_6, 64\n";
    const bound found = bound_of_row(row, "sfpencc 3, 0, 0, 10\n");
    EXPECT_EQ(found.interval, 6u);
    EXPECT_EQ(found.least, 6) << "sections of several rows do not overlap";
    EXPECT_EQ(found.reason, "lane flags: 2 changes in a row, 6 cycles with what stands between them");
}

// Six products with one word, six sums with six: four templates take the products and three sums. With
// templates that change in the loop four rows would take 27 cycles: 24 loads, and 3 words of sums a template.
TEST(bounds, each_template_holds_one_word) {
    std::string row = "sfpload L0, INT32, ADDR_MOD_7, 0\n";
    for (int i = 1; i <= 6; ++i)
        row += "sfpiadd " + std::to_string(i) + ", L0, L0, 5\nsfpmul24 L0, L0, L9, L0, 0\nsfpnop\n";
    const bound found = bound_of_row(row + "sfpstore L0, INT32, ADDR_MOD_6, 0\n");
    EXPECT_EQ(found.interval, 9u);
    EXPECT_EQ(found.least, 6.75);
    EXPECT_EQ(found.reason,
              "issue slots: 1 load and 12 instructions, of which 4 templates can take 9 of a row");
}

unsigned random_rows() { return std::getenv("SFPU_NIGHTLY") ? 3000 : 60; }

TEST(bounds, no_schedule_of_a_random_row_is_below) {
    const machine_settings machines[] = {{},
                                         {{"sfpu.write_port_rule", "false"}},
                                         {{"sfpu.mad_units", "2"}},
                                         {{"sfpu.issue_width", "2"}},
                                         {{"sfpu.issue_width", "2"}, {"dst.load_ports", "2"}}};
    unsigned refuted = 0, by_write_port = 0;
    for (unsigned seed = 1; seed <= random_rows(); ++seed) {
        std::mt19937 numbers(seed);
        const auto chip = numbers() % 3 ? architecture::blackhole : architecture::wormhole;
        try {
            // Each in a statement of its own: compilers evaluate arguments in different orders.
            const bool flags = numbers() % 4 == 0;
            const unsigned size = 3 + numbers() % 4;
            const std::string text = random_kernel(numbers, chip, size, flags, true);
            const schedule_lab lab(text, machines[numbers() % std::size(machines)]);
            const bound floor = optimizer::lower_bound(lab.graph(), lab.machine());
            by_write_port += floor.reason.rfind("write port", 0) == 0;
            if (floor.interval == 1) continue;
            for (const unsigned rows : {1u, 2u}) {
                optimizer::formula_limits limits;
                limits.interval = floor.interval - 1;
                limits.rows = rows;
                limits.horizon = optimizer::horizon_for(lab.graph(), limits.interval);
                limits.copies = 2;
                optimizer::solver_limits patience;
                patience.conflicts = 20'000;
                const optimizer::formula below(lab.graph(), lab.machine(), limits);
                const outcome answer = optimizer::solve(below.clauses(), {}, patience).result;
                EXPECT_NE(answer, outcome::satisfiable) << floor.reason << "\n" << lab.description();
                refuted += answer == outcome::refuted;
            }
        } catch (const unusable_kernel&) {
        }
    }
    EXPECT_GT(refuted, random_rows() / 2);
    EXPECT_GT(by_write_port, 0u);
}

TEST(bounds, no_schedule_of_the_library_is_below) {
    unsigned compared = 0;
    for (const auto& each : std::filesystem::directory_iterator(tree_path("kernels/optimized"))) {
        std::string name = each.path().filename().string();
        const std::size_t at = name.find("_macro.s");
        if (at == std::string::npos) continue;
        const std::string plain = name.substr(0, at) + ".s";
        const std::string macro = analysis::read_file(each.path().string());
        const std::size_t says = macro.find(".expect cycles_per_row ");
        if (says == std::string::npos || !std::filesystem::exists(each.path().parent_path() / plain))
            continue;
        const double cycles = std::atof(macro.c_str() + says + 23);
        const std::string text = analysis::read_file((each.path().parent_path() / plain).string());
        const isa::kernel kernel = analysis::assemble_kernel(text, plain, {});
        EXPECT_LE(bound_of(text, plain).least / kernel.rows_per_iteration, cycles) << name;
        ++compared;
    }
    EXPECT_GT(compared, 40u);
}

} // namespace
} // namespace sfpu::test
