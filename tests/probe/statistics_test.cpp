// The statistics file, and the numbers in it.
#include <sfpu/probe/observer.h>
#include <sfpu/probe/statistics.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace {

using namespace sfpu;

probe::statistics_input some_statistics() {
    probe::statistics_input input;
    input.version = "0.1.0";
    input.systemc = "2.3.4";
    input.compiler = "a compiler";
    input.config = R"({ "arch": "bh", "sfpu": { "latency": { "mad": 2 } } })";
    input.rows = 32;
    input.cycles = 200;
    input.cycles_per_row = 6.25;
    probe::unit_counters& counted = input.counters;
    counted.instructions = 70;
    const auto mad = static_cast<unsigned>(isa::sub_unit::mad);
    counted.busy[mad] = 50;
    counted.issued[mad] = 10;
    counted.scheduled[mad] = 30;
    counted.discarded[mad] = 1;
    counted.count_stall(probe::stall_cause::swap, 0, 1);
    counted.count_stall(probe::stall_cause::swap, 2, 2);
    input.hazards[static_cast<unsigned>(report_id::dst_store_load_distance)] = 4;
    counted.dst_reads = 32;
    counted.dst_writes = 31;
    counted.macros_launched = 96;
    counted.macros_forgotten = 1;
    counted.macro_max_outstanding = 7;
    return input;
}

TEST(statistics, hold_every_promised_field) {
    const auto file = nlohmann::json::parse(probe::statistics_json(some_statistics()));
    EXPECT_EQ(file["meta"]["version"], "0.1.0");
    EXPECT_EQ(file["meta"]["systemc"], "2.3.4");
    EXPECT_EQ(file["meta"]["compiler"], "a compiler");
    EXPECT_EQ(file["meta"]["arch"], "bh");
    EXPECT_EQ(file["meta"]["config"]["sfpu"]["latency"]["mad"], 2);
    EXPECT_EQ(file["throughput"], nlohmann::json::parse(R"({"rows": 32, "cycles": 200, "cycles_per_row": 6.25,
                                                            "instructions": 100, "ipc": 0.5})"));
    EXPECT_EQ(file["units"].size(), 5u);
    EXPECT_EQ(file["units"]["mad"], nlohmann::json::parse(R"({"busy": 50, "utilisation": 0.25, "issued": 10,
                                                              "scheduled": 30, "discarded": 1})"));
    EXPECT_EQ(file["stalls"], nlohmann::json::parse(R"({"swap": 3})"));
    EXPECT_EQ(file["stalls_by_thread"], nlohmann::json::parse(R"([{"swap": 1}, {}, {"swap": 2}])"));
    EXPECT_EQ(file["hazards"], nlohmann::json::parse(R"({"/sfpu/dst/store-load-distance": 4})"));
    EXPECT_EQ(file["dst"], nlohmann::json::parse(R"({"reads": 32, "writes": 31})"));
    EXPECT_EQ(file["macro"],
              nlohmann::json::parse(R"({"launched": 96, "forgotten": 1, "max_outstanding": 7})"));
}

TEST(statistics, of_an_empty_run_have_null_cycles_per_row_and_no_division_by_zero) {
    const auto file = nlohmann::json::parse(probe::statistics_json({}));
    EXPECT_TRUE(file["throughput"]["cycles_per_row"].is_null());
    EXPECT_EQ(file["throughput"]["ipc"], 0.0);
    EXPECT_TRUE(file["stalls"].is_object());
    EXPECT_TRUE(file["hazards"].is_object());
}

TEST(statistics, have_a_configuration_hash_that_does_not_depend_on_blanks) {
    auto input = some_statistics();
    const auto spaced = nlohmann::json::parse(probe::statistics_json(input));
    input.config = R"({"arch":"bh","sfpu":{"latency":{"mad":2}}})";
    const auto dense = nlohmann::json::parse(probe::statistics_json(input));
    EXPECT_EQ(spaced["meta"]["config_hash"], dense["meta"]["config_hash"]);
    EXPECT_EQ(dense["meta"]["config_hash"], probe::fnv1a_64_hex(input.config));
    input.config = R"({"arch":"bh","sfpu":{"latency":{"mad":3}}})";
    EXPECT_NE(nlohmann::json::parse(probe::statistics_json(input))["meta"]["config_hash"],
              dense["meta"]["config_hash"]);
}

TEST(statistics, refuse_a_configuration_that_is_not_json) {
    auto input = some_statistics();
    input.config = "{";
    EXPECT_THROW(probe::statistics_json(input), std::invalid_argument);
}

// Published test vectors of FNV-1a (draft-eastlake-fnv).
TEST(statistics, hash_with_fnv_1a) {
    EXPECT_EQ(probe::fnv1a_64_hex(""), "cbf29ce484222325");
    EXPECT_EQ(probe::fnv1a_64_hex("a"), "af63dc4c8601ec8c");
    EXPECT_EQ(probe::fnv1a_64_hex("foobar"), "85944171f73967e8");
}

TEST(statistics_tile, counters_of_a_tile_become_objects_of_objects) {
    probe::statistics_input input;
    EXPECT_FALSE(nlohmann::json::parse(probe::statistics_json(input)).contains("tile"));
    input.tile = {{"hart", {{"instructions", 7}}, {{"stalls", {{"fifo-full", 3}}, {}}}}};
    const nlohmann::json file = nlohmann::json::parse(probe::statistics_json(input));
    EXPECT_EQ(file["tile"],
              (nlohmann::json{{"hart", {{"instructions", 7}, {"stalls", {{"fifo-full", 3}}}}}}));
}

std::vector<std::uint64_t> slots_of(std::uint64_t words, std::uint64_t held_cycles, std::uint64_t cycles,
                                    unsigned issue_width) {
    probe::unit_counters counters;
    counters.words = words;
    for (std::uint64_t i = 0; i < held_cycles; ++i) counters.count_stall(probe::stall_cause::swap, 0, 1);
    const probe::issue_slots slots = probe::issue_slots_of(counters, cycles, issue_width);
    return {slots.slots, slots.issued, slots.held, slots.idle};
}

using slot_counts = std::vector<std::uint64_t>; // slots, issued, held, idle

TEST(issue_slots, are_issued_held_or_idle_and_a_held_cycle_holds_all_that_it_has) {
    EXPECT_EQ(slots_of(6, 3, 10, 1), (slot_counts{10, 6, 3, 1}));
    EXPECT_EQ(slots_of(6, 3, 10, 2), (slot_counts{20, 6, 6, 8}));
}

// The run ends with its last effect, and words may follow: they were not issued in one of its cycles.
TEST(issue_slots, are_never_fewer_than_what_was_issued_in_them) {
    EXPECT_EQ(slots_of(50, 0, 10, 1), (slot_counts{10, 10, 0, 0}));
    EXPECT_EQ(slots_of(50, 5, 10, 2), (slot_counts{20, 20, 0, 0}));
    EXPECT_EQ(slots_of(1, 1, 0, 1), (slot_counts{0, 0, 0, 0}));
}

TEST(issue_slots, are_held_only_as_far_as_nothing_was_issued_in_them) {
    EXPECT_EQ(slots_of(4, 20, 10, 1), (slot_counts{10, 4, 6, 0}));
    EXPECT_EQ(slots_of(5, 9, 10, 2), (slot_counts{20, 5, 15, 0}));
}

TEST(statistics, say_of_more_words_than_slots_that_every_slot_issued_one) {
    probe::statistics_input input;
    input.cycles = 10;
    input.counters.words = 50;
    EXPECT_EQ(nlohmann::json::parse(probe::statistics_json(input))["issue"],
              nlohmann::json::parse(R"({"slots": 10, "issued": 10, "held": 0, "idle": 0})"));
}

TEST(stall_causes, have_the_names_that_files_use) {
    EXPECT_STREQ(probe::to_string(probe::stall_cause::mad_dependence), "mad-dependence");
    EXPECT_STREQ(probe::to_string(probe::stall_cause::swap), "swap");
    EXPECT_STREQ(probe::to_string(probe::stall_cause::shuffle), "shuffle");
    EXPECT_STREQ(probe::to_string(probe::stall_cause::thread_slot), "thread-slot");
}

} // namespace
