// Activity of what surrounds the vector unit, in each format.
#include <sfpu/traces/konata_writer.h>
#include <sfpu/traces/perfetto_writer.h>
#include <sfpu/traces/vcd_writer.h>

#include "perfetto_trace.h"
#include "probe_events.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace sfpu;
using namespace sfpu::test;
using probe::activity_event;
using probe::tile_unit;

activity_event activity(std::int64_t begin, std::int64_t end, tile_unit unit, const char* lane,
                        const char* kind, std::string_view text = {}, std::uint64_t flow = 0) {
    return {cycles{begin}, cycles{end}, unit, 0, lane, kind, text, flow};
}

TEST(perfetto_tile, each_lane_is_a_thread_of_the_process_Tile) {
    std::ostringstream out;
    traces::perfetto_writer writer(out, {});
    writer.acted(activity(4, 9, tile_unit::tensorload, "load", "busy", "tl.load tl1, 0(x5)"));
    writer.acted(activity(0, 0, tile_unit::hart, "stall", "fifo-full"));
    writer.acted(activity(6, 8, tile_unit::tensorload, "load", "busy", "tl.load \"2\""));
    writer.finish();
    const perfetto_trace trace(out.str());
    EXPECT_EQ(trace.processes().at(2), "Tile");
    EXPECT_EQ(trace.slices("tensorload load (2)", "tl.load \"2\"").size(), 1u)
        << "slices of a thread must nest";
    EXPECT_EQ(trace.slices("hart0 stall", "fifo-full").size(), 1u);
    const perfetto_trace::slice& load = trace.find("tensorload load", "tl.load tl1, 0(x5)");
    EXPECT_EQ(load.thread.first, 2u);
    EXPECT_EQ(load.end - load.begin, 6 * period_ps);
}

TEST(perfetto_tile, activities_with_one_flow_number_are_joined_by_arrows_in_turn) {
    std::ostringstream out;
    traces::perfetto_writer writer(out, {});
    writer.acted(activity(1, 1, tile_unit::hart, "retire", "busy", "a", 77));
    writer.acted(activity(3, 5, tile_unit::tensorload, "load", "busy", "b", 77));
    writer.acted(activity(6, 7, tile_unit::tensorload, "store", "busy", "c", 77));
    writer.acted(activity(9, 9, tile_unit::tensorload, "store", "busy", "d", 78));
    writer.finish();
    std::vector<std::pair<std::int64_t, std::int64_t>> drawn;
    const perfetto_trace trace(out.str());
    for (const perfetto_trace::arrow& each : trace.arrows())
        drawn.emplace_back(each.from.at / period_ps, each.to.at / period_ps);
    EXPECT_EQ(drawn, (std::vector<std::pair<std::int64_t, std::int64_t>>{{1, 3}, {5, 6}}));
}

/// Value changes by the path of the signal: (time, value).
std::map<std::string, std::vector<std::pair<std::int64_t, std::string>>> read_vcd(const std::string& text) {
    std::map<std::string, std::string> names;
    std::map<std::string, std::vector<std::pair<std::int64_t, std::string>>> changes;
    std::string path, line;
    std::int64_t now = 0;
    std::istringstream in(text);
    while (std::getline(in, line)) {
        std::istringstream fields(line);
        std::string first;
        fields >> first;
        if (first == "$scope") {
            std::string kind, name;
            fields >> kind >> name;
            path += name + ".";
        } else if (first == "$upscope") {
            path.erase(path.rfind('.', path.size() - 2) + 1);
        } else if (first == "$var") {
            std::string kind, width, id, name;
            fields >> kind >> width >> id >> name;
            if (!names.emplace(id, path + name).second) throw std::runtime_error("identifier twice: " + id);
        } else if (first[0] == '#') {
            now = std::stoll(first.substr(1));
        } else if (first[0] == 's' || first[0] == 'b') {
            std::string id;
            fields >> id;
            changes[names.at(id)].emplace_back(now, first.substr(1));
        } else if (first[0] == '0' || first[0] == '1' || first[0] == 'x') {
            changes[names.at(first.substr(1))].emplace_back(now, first.substr(0, 1));
        }
    }
    return changes;
}

TEST(vcd_tile, a_lane_shows_its_newest_activity_and_whether_it_is_busy) {
    std::ostringstream out;
    probe::trace_options options;
    options.period_ps = 10;
    options.lanes = {{tile_unit::tensorload, 0, "load"}, {tile_unit::hart, 1, "stall"}};
    traces::vcd_writer writer(out, options);
    writer.acted(activity(1, 3, tile_unit::tensorload, "load", "busy", "tl.load tl1, 0(x5)"));
    activity_event held = activity(2, 2, tile_unit::hart, "stall", "fifo-full");
    held.instance = 1;
    writer.acted(held);
    writer.finish(cycles{5});
    const auto changes = read_vcd(out.str());
    using list = std::vector<std::pair<std::int64_t, std::string>>;
    EXPECT_EQ(changes.at("tile.tensorload_load.busy"), (list{{0, "0"}, {1000, "1"}, {4000, "0"}}));
    EXPECT_EQ(changes.at("tile.tensorload_load.text"),
              (list{{0, "-"}, {1000, "tl.load_tl1,0(x5)"}, {4000, "-"}}));
    EXPECT_EQ(changes.at("tile.hart1_stall.text"), (list{{0, "-"}, {2000, "fifo-full"}, {3000, "-"}}));
}

TEST(vcd_tile, seventy_lanes_have_identifiers_of_their_own) {
    std::ostringstream out;
    probe::trace_options options;
    for (unsigned i = 0; i < 70; ++i)
        options.lanes.push_back({tile_unit::hart, static_cast<std::uint8_t>(i), "stall"});
    traces::vcd_writer writer(out, options);
    activity_event last = activity(1, 1, tile_unit::hart, "stall", "fetch");
    last.instance = 69;
    writer.acted(last);
    writer.finish(cycles{2});
    const auto changes = read_vcd(out.str()); // throws if an identifier stands for two signals
    EXPECT_EQ(changes.at("tile.hart69_stall.text").size(), 3u);
    EXPECT_EQ(changes.at("tile.hart68_stall.text").size(), 1u);
}

TEST(konata_tile, instructions_of_a_hart_stand_beside_those_of_the_vector_unit) {
    std::ostringstream out;
    traces::konata_writer writer(out, {});
    writer.acted(activity(0, 1, tile_unit::hart, "retire", "busy", "addi x1, x0, 5"));
    writer.acted(activity(0, 9, tile_unit::tensorload, "load", "busy", "tl.load tl1, 0(x5)"));
    writer.executed(issued(2, 0, nop));
    writer.finish(cycles{4});
    EXPECT_NE(out.str().find("I\t0\t0\t2\nL\t0\t0\taddi x1, x0, 5\nS\t0\t0\tEx\n"), std::string::npos)
        << out.str();
    EXPECT_EQ(out.str().find("tl.load"), std::string::npos);
    EXPECT_NE(out.str().find("R\t0\t0\t0"), std::string::npos);
}

} // namespace
