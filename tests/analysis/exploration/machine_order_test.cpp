// Machines that contain each other, and what a sweep makes of that.
#include <sfpu/analysis/machine_order.h>

#include "sweep_files.h"

#include <sfpu/analysis/exploration.h>
#include <sfpu/analysis/schedule_point.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace sfpu::analysis {
namespace {

using settings_list = std::vector<std::pair<std::string, std::string>>;

parameters machine_with(const settings_list& settings) {
    parameters config;
    config.arch = architecture::blackhole;
    for (const auto& [path, value] : settings) EXPECT_FALSE(set_parameter(config, path, value));
    return config;
}

TEST(machine_order, more_of_an_amount_contains_less_and_not_the_other_way_round) {
    for (const char* path : {"macro.count", "macro.templates", "sfpu.issue_width", "sfpu.mad_units",
                             "dst.load_ports", "dst.store_ports"}) {
        const parameters one = machine_with({{path, "1"}}), two = machine_with({{path, "2"}});
        EXPECT_TRUE(contains(two, one)) << path;
        EXPECT_FALSE(contains(one, two)) << path;
        EXPECT_TRUE(contains(one, one)) << path;
    }
    EXPECT_TRUE(contains(machine_with({{"sfpu.write_port_rule", "false"}}), machine_with({})));
    EXPECT_FALSE(contains(machine_with({}), machine_with({{"sfpu.write_port_rule", "false"}})));
}

// A result that comes earlier takes the place of what is still read; more of one thing is no more if there is
// less of another.
TEST(machine_order, what_is_not_sure_is_not_contained) {
    const parameters chip = machine_with({}), quick = machine_with({{"sfpu.latency.mad", "1"}});
    EXPECT_FALSE(contains(quick, chip));
    EXPECT_FALSE(contains(chip, quick));
    const parameters mixed = machine_with({{"macro.templates", "6"}, {"macro.slots", "4"}});
    EXPECT_FALSE(contains(mixed, chip));
    EXPECT_FALSE(contains(chip, mixed));
    parameters wormhole;
    wormhole.arch = architecture::wormhole;
    EXPECT_FALSE(contains(chip, wormhole));
}

// A search that has no luck on the larger machine, and finds what it is told.
TEST(machine_order, a_larger_machine_begins_with_what_a_smaller_one_has) {
    const auto waiting = [](unsigned nops) {
        std::string text = ".rows 16\n.init\nsetc16 24, 2\n.loop\nsfpload L0, INT32, ADDR_MOD_3, 0\n";
        for (unsigned i = 0; i < nops; ++i) text += "sfpnop\n";
        return text + "sfpstore L0, INT32, ADDR_MOD_1, 64\n";
    };
    const sweep_folder folder;
    folder.write("p.s", waiting(4));
    exploration_request request;
    request.what = folder.read(
        R"({"kernels": [{"plain": "p.s"}], "arch": "wh", "parameters": {"macro.templates": [4, 5]}})");
    request.tools.write_schedule = [&](const schedule_order& order, const session&) {
        const bool large = order.machine.values.back().number == 5;
        written_schedule written{!order.known.empty() ? order.known : waiting(large ? 3 : 1)};
        written.least_cycles_per_row = large ? 2.5 : 1;
        return written;
    };
    const exploration_answer answer = explore(request);
    EXPECT_EQ(answer.points.at(0).result.cycles_per_row, 3);
    EXPECT_EQ(answer.points.at(1).result.cycles_per_row, 3) << "5 without what 4 templates have";
    EXPECT_EQ(answer.points.at(0).result.least_cycles_per_row, 2.5) << "what holds on the larger machine";
}

unsigned pairs() {
#ifdef SFPU_INSTRUMENTED
    return 2;
#else
    return std::getenv("SFPU_NIGHTLY") ? 300 : 6;
#endif
}

// The search has a budget that is used up now on one machine, now on the other.
TEST(machine_order, no_larger_machine_is_reported_as_worse) {
    std::mt19937 numbers(5);
    const char* const rows[] = {
        "sfpload L0, FP32, ADDR_MOD_7, 0\nsfpmad L0, L0, L10, L1, 0\nsfpnop\nsfpmad L0, L1, L10, L1, "
        "0\nsfpnop\n"
        "sfpmad L0, L1, L10, L1, 0\nsfpnop\nsfpstore L1, FP32, ADDR_MOD_6, 0\n",
        "sfpload L0, INT32, ADDR_MOD_7, 0\nsfpload L1, INT32, ADDR_MOD_7, 64\nsfpshft -3, L0, L2, 5\n"
        "sfpxor 0, L1, L2, 0\nsfpnot 0, L2, L2, 0\nsfpstore L2, INT32, ADDR_MOD_6, 0\n"};
    for (unsigned pair = 0; pair < pairs(); ++pair) {
        const sweep_folder folder;
        folder.write("p.s", std::string(".arch bh\n.rows 32\n.init\nsetc16 34, 2\nsetc16 35, 0\n.loop\n") +
                                rows[numbers() % std::size(rows)]);
        std::string parameters_text;
        const char* const amounts[][2] = {{"macro.templates", "6"},
                                          {"macro.count", "5"},
                                          {"sfpu.mad_units", "2"},
                                          {"sfpu.issue_width", "2"},
                                          {"dst.load_ports", "2"}};
        const std::size_t first = numbers() % 5, second = (first + 1 + numbers() % 4) % 5;
        for (const std::size_t each : {first, second}) {
            const unsigned most = static_cast<unsigned>(std::atoi(amounts[each][1]));
            const unsigned low = most > 2 ? 2 + numbers() % (most - 2) : 1;
            parameters_text += (parameters_text.empty() ? "\"" : ", \"") + std::string(amounts[each][0]) +
                               "\": [" + std::to_string(low) + ", " + amounts[each][1] + "]";
        }
        exploration_request request;
        request.what = folder.read("{\"kernels\": [{\"plain\": \"p.s\"}], \"arch\": \"bh\", \"budget\": " +
                                   std::to_string(20 + numbers() % 2000) + ", \"parameters\": {" +
                                   parameters_text + "}}");
        request.jobs = 1;
        request.tools.write_schedule = schedule_for_point;
        const exploration_answer answer = explore(request);
        for (const explored_point& large : answer.points)
            for (const explored_point& small : answer.points) {
                if (!contains(request.what.configuration(large.id.point),
                              request.what.configuration(small.id.point)))
                    continue;
                ASSERT_EQ(large.result.status, point_status::ok) << large.result.error;
                EXPECT_LE(large.result.cycles_per_row, small.result.cycles_per_row)
                    << request.what.text << ": points " << large.id.point << " and " << small.id.point;
                EXPECT_LE(large.result.least_cycles_per_row.value_or(0),
                          small.result.least_cycles_per_row.value_or(0))
                    << "a bound of the larger machine holds on the smaller one";
            }
    }
}

} // namespace
} // namespace sfpu::analysis
