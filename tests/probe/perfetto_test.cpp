// The trace for Perfetto, read back and checked against the format: fields that each packet needs, slices of
// a thread that do not overlap, arrows that begin and end inside slices.
#include <sfpu/probe/perfetto_writer.h>

#include "perfetto_trace.h"
#include "probe_events.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace sfpu;
using namespace sfpu::test;
using nlohmann::json;

class perfetto : public ::testing::Test {
protected:
    perfetto_trace read() {
        writer_.finish();
        return perfetto_trace(out_.str());
    }

    probe::trace_options options_;
    std::ostringstream out_;
    probe::perfetto_writer writer_{out_, options_};
};

using arrows = std::vector<std::pair<std::string, std::string>>;

/// Cycle, counter and value.
using counts_of_cycles = std::vector<std::tuple<std::int64_t, std::string, double>>;
counts_of_cycles counts(const perfetto_trace& trace) {
    counts_of_cycles found;
    for (const perfetto_trace::count& each : trace.counts()) {
        EXPECT_EQ(each.at % period_ps, 0);
        found.emplace_back(each.at / period_ps, each.counter, each.value);
    }
    return found;
}

TEST_F(perfetto, there_is_a_thread_for_issue_and_for_each_sub_unit) {
    EXPECT_EQ(read().thread_names(),
              (std::set<std::string>{"Issue", "Hazards", "Load", "Simple", "MAD", "Round", "Store"}));
}

TEST_F(perfetto, an_instruction_is_a_slice_in_its_sub_unit_for_its_latency) {
    writer_.executed(issued(10, 4, mad_l1_to_l2, 2));
    const perfetto_trace trace = read();
    const perfetto_trace::slice& mad = trace.find("MAD", "sfpmad");
    EXPECT_EQ(mad.begin, 10 * period_ps);
    EXPECT_EQ(mad.end, 12 * period_ps);
    EXPECT_EQ(mad.category, "issued");
    EXPECT_EQ(mad.args, json::parse(R"({"cycle": 10, "word": 4, "origin": "issued",
                                           "text": "sfpmad L1, L9, L10, L2, 0"})"));
    EXPECT_EQ(trace.find("Issue", "sfpmad").end, 11 * period_ps);
}

TEST_F(perfetto, instructions_that_overlap_go_to_different_threads_of_their_sub_unit) {
    writer_.executed(issued(0, 0, mad_l1_to_l2, 2));
    writer_.executed(issued(1, 1, mad_l1_to_l3, 2));
    writer_.executed(issued(2, 2, mad_l1_to_l2, 2));
    const perfetto_trace trace = read();
    EXPECT_EQ(trace.slices("MAD", "sfpmad").size(), 2u);
    EXPECT_EQ(trace.slices("MAD (2)", "sfpmad").size(), 1u);
}

TEST_F(perfetto, arrows_lead_from_writers_to_readers_and_from_macros_to_what_they_schedule) {
    writer_.executed(issued(0, 0, macro_0_l1));
    writer_.executed(scheduled(1, 0, mad_l1_to_l2, 16, 2));
    writer_.executed(scheduled(3, 0, store_l1, 16));
    const perfetto_trace trace = read();
    const std::string macro = "sfploadmacro 0, L1, INT32, ADDR_MOD_7, 0", mad = "sfpmad L1, L9, L10, L16, 0",
                      store = "sfpstore L16, INT32";
    EXPECT_EQ(trace.joined("macro"), (arrows{{macro, mad}, {macro, store}}));
    EXPECT_EQ(trace.joined("data"), (arrows{{macro, mad}, {mad, store}}));
    EXPECT_EQ(trace.find("Store", "sfpstore").args.at("origin"), "macro");
    EXPECT_EQ(trace.find("Store", "sfpstore").category, "scheduled");
}

TEST_F(perfetto, an_instruction_has_the_bits_that_its_lane_got) {
    lanes result, cells;
    result.v[0] = 0x3f800000;
    cells.v[0] = 0x3f80;
    probe::execution_event event = issued(0, 0, load_l1);
    event.result = &result;
    event.cells = &cells;
    event.lanes = 1;
    writer_.executed(event);
    event = issued(1, 1, abs_l2_to_l4);
    event.result = &result;
    event.lanes = ~lane_mask{1};
    writer_.executed(event);
    const perfetto_trace trace = read();
    const json& args = trace.find("Load", "sfpload").args;
    EXPECT_EQ(args.at("result"), "0x3f800000");
    EXPECT_EQ(args.at("cell"), "0x00003f80");
    EXPECT_FALSE(trace.find("Issue", "sfpload").args.contains("result")) << "they are those of the sub-unit";
    EXPECT_FALSE(trace.find("Simple", "sfpabs").args.contains("result")) << "lane 0 was not enabled";
    EXPECT_EQ(trace.labels().count("values of lane 0"), 1u);
}

TEST(perfetto_lane, values_are_those_of_the_lane_that_was_asked_for) {
    lanes result;
    result.v[0] = 1;
    result.v[31] = 0xfffffffe;
    probe::execution_event event = issued(0, 0, load_l1);
    event.result = &result;
    event.lanes = all_lanes;
    std::ostringstream out;
    probe::perfetto_writer writer(out, {}, 31);
    writer.executed(event);
    writer.finish();
    EXPECT_EQ(perfetto_trace(out.str()).find("Load", "sfpload").args.at("result"), "0xfffffffe");
}

TEST_F(perfetto, stalls_and_discards_show) {
    stall(writer_, 1, 1);
    writer_.executed(scheduled(2, 0, abs_l2_to_l4, 1));
    writer_.executed(discarded(issued(2, 1, abs_l2_to_l4)));
    const perfetto_trace trace = read();
    EXPECT_EQ(trace.find("Issue", "stall: mad-dependence").begin, period_ps);
    EXPECT_EQ(trace.find("Simple (2)", "sfpabs").category, "discarded");
}

TEST_F(perfetto, counters_hold_from_the_cycle_after_the_change) {
    writer_.executed(issued(0, 0, load_l1));
    writer_.slots_changed({cycles{0}, {0x05, 0x01, 0, 0}});
    writer_.counters_changed({cycles{0}, 6, 4, 1});
    writer_.counters_changed({cycles{1}, 6, 4, 1});
    const auto found = counts(read());
    const counts_of_cycles expected{{1, "outstanding simple", 2},
                                    {1, "outstanding mad", 1},
                                    {1, "outstanding round", 0},
                                    {1, "outstanding store", 0},
                                    {1, "rwc dst", 6},
                                    {1, "rwc dst_cr", 4},
                                    {1, "rwc sp", 1},
                                    {0, "ipc of 16 cycles", 1 / 16.}};
    EXPECT_EQ(found, expected) << "what did not change is not written";
}

TEST_F(perfetto, instructions_per_cycle_are_those_of_sixteen_cycles) {
    for (std::int64_t cycle = 14; cycle < 18; ++cycle) writer_.executed(issued(cycle, cycle, load_l1));
    writer_.executed(issued(18, 18, abs_l2_to_l4));
    EXPECT_EQ(counts(read()),
              (counts_of_cycles{{0, "ipc of 16 cycles", 0.125}, {16, "ipc of 16 cycles", 0.1875}}));
}

TEST_F(perfetto, a_diagnostic_is_an_instant_whose_message_may_hold_any_character) {
    writer_.diagnosed({cycles{2}, 1, report_id::hazard_write_collision, severity::warning, "a \"b\"\\\n\tc"});
    const perfetto_trace trace = read();
    ASSERT_EQ(trace.instants().size(), 1u);
    EXPECT_EQ(trace.instants()[0].name, "/sfpu/hazard/write-collision");
    EXPECT_EQ(trace.instants()[0].args.at("message"), "a \"b\"\\\n\tc");
}

TEST(perfetto_window, shows_its_cycles_only_and_the_counters_as_they_were) {
    probe::trace_options options;
    options.from = cycles{5};
    options.to = cycles{6};
    options.row_of_word = [](std::int64_t word) { return word; };
    std::ostringstream out;
    probe::perfetto_writer writer(out, options);
    writer.counters_changed({cycles{1}, 2, 0, 0});
    writer.counters_changed({cycles{2}, 4, 0, 0});
    writer.executed(issued(4, 0, load_l1));
    writer.executed(issued(5, 1, mad_l1_to_l2, 2));
    writer.executed(issued(7, 2, abs_l2_to_l4));
    writer.counters_changed({cycles{7}, 6, 0, 0});
    writer.finish();
    const perfetto_trace trace(out.str());
    EXPECT_EQ(trace.slices().size(), 2u) << "the MAD, in issue and in its sub-unit";
    EXPECT_EQ(trace.find("MAD", "sfpmad").args.at("row"), 1);
    EXPECT_TRUE(trace.arrows().empty()) << "the load stands before the window";
    const counts_of_cycles expected{
        {5, "rwc dst", 4}, {5, "rwc dst_cr", 0}, {5, "rwc sp", 0}, {5, "ipc of 16 cycles", 1 / 16.}};
    EXPECT_EQ(counts(trace), expected);
}

} // namespace
