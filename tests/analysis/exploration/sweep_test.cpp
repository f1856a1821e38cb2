#include <sfpu/analysis/sweep.h>

#include "sweep_files.h"

#include <sfpu/analysis/errors.h>

#include <gtest/gtest.h>

namespace sfpu::analysis {
namespace {

using points = std::vector<std::vector<std::uint64_t>>;

TEST(sweep, of_a_product_the_last_parameter_changes_first) {
    const sweep found = sweep_folder().read(
        R"({"kernels": ["k.s"], "parameters": {"sfpu.latency.mad": {"from": 1, "to": 3}, "macro.slots": [8, 4]}})");
    EXPECT_EQ(found.points, (points{{1, 8}, {1, 4}, {2, 8}, {2, 4}, {3, 8}, {3, 4}}));
    ASSERT_EQ(found.varied.size(), 2u);
    EXPECT_STREQ(found.varied[1]->path, "macro.slots");
}

TEST(sweep, zip_takes_the_values_side_by_side) {
    const sweep found = sweep_folder().read(
        R"({"kernels": ["k.s"], "mode": "zip", "parameters": {"sfpu.latency.mad": [1, 2], "macro.slots": [8, 4]}})");
    EXPECT_EQ(found.points, (points{{1, 8}, {2, 4}}));
}

TEST(sweep, a_range_may_run_down_and_ends_at_or_before_its_end) {
    const sweep found = sweep_folder().read(
        R"({"kernels": ["k.s"], "parameters": {"macro.slots": {"from": 8, "to": 3, "step": -2}}})");
    EXPECT_EQ(found.points, (points{{8}, {6}, {4}}));
}

TEST(sweep, what_a_point_leaves_out_has_the_value_of_the_baseline) {
    const sweep found = sweep_folder().read(
        R"({"kernels": ["k.s"], "baseline": {"macro.slots": 5}, "points": [{"macro.slots": 4}, {"sfpu.latency.mad": 3}, {}]})");
    EXPECT_EQ(found.points, (points{{4, 2}, {5, 3}, {5, 2}}));
    EXPECT_EQ(found.configuration(1).macro_slots, 5u);
    EXPECT_EQ(found.configuration(1).latency_mad, 3u);
    EXPECT_EQ(found.baseline_configuration().macro_slots, 5u);
}

TEST(sweep, all_conditions_decide_which_points_stay) {
    const sweep found = sweep_folder().read(
        R"({"kernels": ["k.s"], "parameters": {"sfpu.latency.mad": [1, 2, 3], "macro.slots": [8, 4]},)"
        R"( "where": ["macro.slots - sfpu.latency.mad - 1 > 2", "sfpu.latency.mad != 2"]})");
    EXPECT_EQ(found.points, (points{{1, 8}, {3, 8}}));
}

TEST(sweep, values_of_every_type_are_resolved_once) {
    const sweep found = sweep_folder().read(
        R"({"kernels": ["k.s"], "arch": "wh", "parameters": {"sfpu.write_port_rule": ["off", true], "issue.thread_order": "fixed"}})");
    EXPECT_EQ(found.points, (points{{0, 1}, {1, 1}}));
    EXPECT_EQ(found.settings(0)[0].text(), "false");
    EXPECT_EQ(found.settings(0)[1].text(), "fixed");
    EXPECT_EQ(found.machine(0).arch, "wh");
    EXPECT_EQ(found.configuration(0).arch, architecture::wormhole);
    EXPECT_FALSE(resolved_configuration(found.machine(0)).sfpu_write_port_rule);
}

TEST(sweep, a_kernel_runs_with_each_seed_and_firmware_once) {
    const sweep found = sweep_folder().read(
        R"({"kernels": ["k.s"], "firmwares": ["f.elf"], "seeds": [7, 8], "parameters": {"macro.slots": [4, 5]}})");
    std::string order;
    for (const point_id& id : all_runs(found)) {
        const sweep_kernel& kernel = found.kernels[id.kernel];
        const auto seed = found.seeds_of(kernel)[id.seed];
        order += std::to_string(id.point) + kernel.name + (seed ? std::to_string(*seed) : "") + " ";
    }
    EXPECT_EQ(order, "0k.s7 0k.s8 0f.elf 1k.s7 1k.s8 1f.elf ");
}

TEST(sweep, what_a_machine_has_more_than_its_chip_costs_its_weight) {
    const sweep found = sweep_folder().read(
        R"({"kernels": ["k.s"], "cost": {"macro.slots": 2.5}, "parameters": {"macro.slots": [8, 6, 9]}})");
    EXPECT_EQ(found.cost_of(found.configuration(0)), 0);
    EXPECT_EQ(found.cost_of(found.configuration(1)), -5);
    EXPECT_EQ(found.cost_of(found.configuration(2)), 2.5);
}

TEST(sweep, everything_that_is_wrong_is_told_at_once_with_its_place) {
    const sweep_folder folder;
    try {
        folder.read(
            R"({"kernels": [7], "budget": 0, "where": ["macro.slots - - > 3"], "parameters": {"macro.slots": [99]}})");
        FAIL() << "it is accepted";
    } catch (const input_error& error) {
        const std::string said = error.what();
        for (const char* part :
             {"sweep.json:1:14: error: kernels[0]: found 7", "error: budget: found 0",
              "error: where[0]: found '> 3', expected a number, a parameter or '(', at character 17",
              "error: parameters.macro.slots: "})
            EXPECT_NE(said.find(part), std::string::npos) << said;
    }
}

} // namespace
} // namespace sfpu::analysis
