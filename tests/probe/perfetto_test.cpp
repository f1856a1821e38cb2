// The trace for Perfetto, read back as JSON and checked against the Trace Event Format: keys that each phase
// needs, slices of a thread that nest, flows in pairs that stand inside slices.
#include <sfpu/probe/perfetto_writer.h>

#include "probe_events.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace sfpu;
using namespace sfpu::test;
using nlohmann::json;

/// Reads a trace; one that the format's description forbids throws.
class trace_reader {
public:
    explicit trace_reader(const std::string& text) : document_(json::parse(text)) {
        const std::string unit = document_.value("displayTimeUnit", "ms");
        require(unit == "ms" || unit == "ns", "displayTimeUnit");
        for (const json& event : document_.at("traceEvents")) read(event);
        check_threads();
        check_nesting();
        check_flows();
    }

    /// Complete events whose name and thread's name are these.
    std::vector<json> slices(const std::string& thread, const std::string& name) const {
        std::vector<json> found;
        for (const json& event : slices_)
            if (event["name"] == name && threads_.at(event["tid"]) == thread) found.push_back(event);
        return found;
    }
    const json& slice(const std::string& thread, const std::string& name) const {
        for (const json& event : slices_)
            if (event["name"] == name && threads_.at(event["tid"]) == thread) return event;
        throw std::runtime_error("no slice " + name + " on " + thread);
    }
    /// Pairs of the texts of the slices that arrows of this category join.
    std::vector<std::pair<std::string, std::string>> arrows(const std::string& category) const {
        std::vector<std::pair<std::string, std::string>> found;
        for (const auto& [id, ends] : flows_)
            if (ends.first["cat"] == category)
                found.emplace_back(enclosing(ends.first)["args"]["text"],
                                   enclosing(ends.second)["args"]["text"]);
        return found;
    }
    std::vector<json> of_phase(const std::string& phase) const {
        std::vector<json> found;
        for (const json& event : document_["traceEvents"])
            if (event["ph"] == phase) found.push_back(event);
        return found;
    }
    const json& document() const { return document_; }
    std::set<std::string> thread_names() const {
        std::set<std::string> names;
        for (const auto& [tid, name] : threads_) names.insert(name);
        return names;
    }

private:
    static void require(bool condition, const std::string& message) {
        if (!condition) throw std::runtime_error(message);
    }
    /// Picoseconds of the model, from the file's microseconds.
    static std::int64_t time(const json& event, const char* key) {
        require(event.at(key).is_number() && event[key] >= 0, std::string(key) + " is no time");
        return std::llround(event[key].get<double>() * 1000);
    }
    static std::int64_t begin(const json& event) { return time(event, "ts"); }
    static std::int64_t end(const json& event) { return begin(event) + time(event, "dur"); }

    void read(const json& event) {
        require(event.at("name").is_string() && event.at("pid").is_number_integer(), "name or pid");
        require(event.at("tid").is_number_integer(), "tid");
        const std::string phase = event.at("ph");
        if (phase == "M") {
            metadata(event);
            return;
        }
        begin(event);
        if (phase == "X") {
            require(event.at("cat").is_string() && time(event, "dur") > 0, "a slice needs cat and dur");
            slices_.push_back(event);
        } else if (phase == "s" || phase == "f") {
            require(event.at("id").is_number_integer() && event.at("cat").is_string(),
                    "a flow needs id and cat");
            require(phase == "s" || event.at("bp") == "e", "the end of a flow binds to the slice around it");
            json& place = phase == "s" ? flows_[event["id"]].first : flows_[event["id"]].second;
            require(place.is_null(), "flow id used twice");
            place = event;
        } else if (phase == "C") {
            require(event.at("args").is_object() && !event["args"].empty(), "a counter needs values");
            for (const json& value : event["args"]) require(value.is_number(), "a counter counts");
        } else if (phase == "i") {
            require(event.at("s") == "t" || event["s"] == "p" || event["s"] == "g", "scope of an instant");
        } else {
            require(false, "phase " + phase);
        }
    }
    void metadata(const json& event) {
        const std::string name = event["name"];
        if (name == "thread_name")
            require(threads_.emplace(event["tid"], event.at("args").at("name")).second, "twice");
        else if (name == "thread_sort_index")
            require(event.at("args").at("sort_index").is_number_integer(), "index");
        else require(name == "process_name" && event.at("args").at("name").is_string(), "metadata " + name);
    }
    void check_threads() const {
        for (const json& event : slices_) require(threads_.count(event["tid"]) == 1, "a thread without name");
    }
    void check_nesting() const {
        for (const json& a : slices_)
            for (const json& b : slices_)
                if (&a != &b && a["tid"] == b["tid"])
                    require(end(a) <= begin(b) || end(b) <= begin(a), "slices of a thread overlap");
    }
    const json& enclosing(const json& flow) const {
        for (const json& slice : slices_)
            if (slice["tid"] == flow["tid"] && begin(slice) <= begin(flow) && begin(flow) < end(slice))
                return slice;
        throw std::runtime_error("a flow ends outside of all slices");
    }
    void check_flows() const {
        for (const auto& [id, ends] : flows_) {
            const auto& [from, to] = ends;
            require(!from.is_null() && !to.is_null(), "half a flow");
            require(from["name"] == to["name"] && from["cat"] == to["cat"], "ends of a flow differ");
            require(begin(from) < begin(to), "a flow goes back in time");
            enclosing(from);
            enclosing(to);
        }
    }

    json document_;
    std::vector<json> slices_;
    std::map<std::int64_t, std::string> threads_;
    std::map<std::int64_t, std::pair<json, json>> flows_;
};

class perfetto : public ::testing::Test {
protected:
    trace_reader read() {
        writer_.finish();
        return trace_reader(out_.str());
    }

    probe::trace_options options_;
    std::ostringstream out_;
    probe::perfetto_writer writer_{out_, options_};
};

using arrows = std::vector<std::pair<std::string, std::string>>;

TEST_F(perfetto, there_is_a_thread_for_issue_and_for_each_sub_unit) {
    EXPECT_EQ(read().thread_names(),
              (std::set<std::string>{"Issue", "Hazards", "Load", "Simple", "MAD", "Round", "Store"}));
}

// 741 ps a cycle; a nanosecond of the model is a microsecond of the file.
TEST_F(perfetto, an_instruction_is_a_slice_in_its_sub_unit_for_its_latency) {
    writer_.executed(issued(10, 4, mad_l1_to_l2, 2));
    const trace_reader trace = read();
    const json& mad = trace.slice("MAD", "sfpmad");
    EXPECT_DOUBLE_EQ(mad["ts"].get<double>(), 7.41);
    EXPECT_DOUBLE_EQ(mad["dur"].get<double>(), 1.482);
    EXPECT_EQ(mad["cat"], "issued");
    EXPECT_EQ(mad["args"], json::parse(R"({"cycle": 10, "word": 4, "origin": "issued",
                                           "text": "sfpmad L1, L9, L10, L2, 0"})"));
    EXPECT_DOUBLE_EQ(trace.slice("Issue", "sfpmad")["dur"].get<double>(), 0.741);
}

TEST_F(perfetto, instructions_that_overlap_go_to_different_threads_of_their_sub_unit) {
    writer_.executed(issued(0, 0, mad_l1_to_l2, 2));
    writer_.executed(issued(1, 1, mad_l1_to_l3, 2));
    writer_.executed(issued(2, 2, mad_l1_to_l2, 2));
    const trace_reader trace = read();
    EXPECT_EQ(trace.slices("MAD", "sfpmad").size(), 2u);
    EXPECT_EQ(trace.slices("MAD (2)", "sfpmad").size(), 1u);
}

TEST_F(perfetto, arrows_lead_from_writers_to_readers_and_from_macros_to_what_they_schedule) {
    writer_.executed(issued(0, 0, macro_0_l1));
    writer_.executed(scheduled(1, 0, mad_l1_to_l2, 16, 2));
    writer_.executed(scheduled(3, 0, store_l1, 16));
    const trace_reader trace = read();
    const std::string macro = "sfploadmacro 0, L1, INT32, ADDR_MOD_7, 0", mad = "sfpmad L1, L9, L10, L16, 0",
                      store = "sfpstore L16, INT32";
    EXPECT_EQ(trace.arrows("macro"), (arrows{{macro, mad}, {macro, store}}));
    EXPECT_EQ(trace.arrows("data"), (arrows{{macro, mad}, {mad, store}}));
    EXPECT_EQ(trace.slice("Store", "sfpstore")["args"]["origin"], "macro");
    EXPECT_EQ(trace.slice("Store", "sfpstore")["cat"], "scheduled");
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
    const trace_reader trace = read();
    const json& args = trace.slice("Load", "sfpload")["args"];
    EXPECT_EQ(args["result"], "0x3f800000");
    EXPECT_EQ(args["cell"], "0x00003f80");
    EXPECT_FALSE(trace.slice("Issue", "sfpload")["args"].contains("result"))
        << "they are those of the sub-unit";
    EXPECT_FALSE(trace.slice("Simple", "sfpabs")["args"].contains("result")) << "lane 0 was not enabled";
    EXPECT_EQ(trace.document()["otherData"]["values"], "lane 0");
}

TEST(perfetto_lane, values_are_those_of_the_lane_that_was_asked_for) {
    lanes result;
    result.v[0] = 1;
    result.v[31] = 0xfffffffe;
    probe::execution_event event = issued(0, 0, load_l1);
    event.result = &result;
    event.lanes = all_lanes;
    std::ostringstream out;
    probe::perfetto_writer writer(out, {}, probe::perfetto_format::json, 31);
    writer.executed(event);
    writer.finish();
    EXPECT_EQ(trace_reader(out.str()).slice("Load", "sfpload")["args"]["result"], "0xfffffffe");
}

TEST_F(perfetto, stalls_and_discards_show) {
    stall(writer_, 1, 1);
    writer_.executed(scheduled(2, 0, abs_l2_to_l4, 1));
    writer_.executed(discarded(issued(2, 1, abs_l2_to_l4)));
    const trace_reader trace = read();
    EXPECT_DOUBLE_EQ(trace.slice("Issue", "stall: mad-dependence")["ts"].get<double>(), 0.741);
    EXPECT_EQ(trace.slice("Simple (2)", "sfpabs")["cat"], "discarded");
}

TEST_F(perfetto, counters_hold_from_the_cycle_after_the_change) {
    writer_.executed(issued(0, 0, load_l1));
    writer_.slots_changed({cycles{0}, {0x05, 0x01, 0, 0}});
    writer_.counters_changed({cycles{0}, 6, 4, 1});
    writer_.counters_changed({cycles{1}, 6, 4, 1});
    const std::vector<json> counters = read().of_phase("C");
    ASSERT_EQ(counters.size(), 3u) << "what did not change is not written; the third counts instructions";
    EXPECT_EQ(counters[0]["name"], "outstanding");
    EXPECT_EQ(counters[0]["args"], json::parse(R"({"simple": 2, "mad": 1, "round": 0, "store": 0})"));
    EXPECT_EQ(counters[1]["args"], json::parse(R"({"dst": 6, "dst_cr": 4, "sp": 1})"));
    EXPECT_DOUBLE_EQ(counters[1]["ts"].get<double>(), 0.741);
}

TEST_F(perfetto, instructions_per_cycle_are_those_of_sixteen_cycles) {
    for (std::int64_t cycle = 14; cycle < 18; ++cycle) writer_.executed(issued(cycle, cycle, load_l1));
    writer_.executed(issued(18, 18, abs_l2_to_l4));
    const std::vector<json> counters = read().of_phase("C");
    ASSERT_EQ(counters.size(), 2u);
    EXPECT_EQ(counters[0]["args"], json::parse(R"({"of 16 cycles": 0.125})"));
    EXPECT_EQ(counters[1]["args"], json::parse(R"({"of 16 cycles": 0.1875})"));
    EXPECT_DOUBLE_EQ(counters[1]["ts"].get<double>(), 16 * 0.741);
}

TEST_F(perfetto, a_diagnostic_is_an_instant_whose_message_may_hold_any_character) {
    writer_.diagnosed({cycles{2}, 1, report_id::hazard_write_collision, severity::warning, "a \"b\"\\\n\tc"});
    const std::vector<json> instants = read().of_phase("i");
    ASSERT_EQ(instants.size(), 1u);
    EXPECT_EQ(instants[0]["name"], "/sfpu/hazard/write-collision");
    EXPECT_EQ(instants[0]["args"]["message"], "a \"b\"\\\n\tc");
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
    const trace_reader trace(out.str());
    EXPECT_EQ(trace.of_phase("X").size(), 2u) << "the MAD, in issue and in its sub-unit";
    EXPECT_EQ(trace.slice("MAD", "sfpmad")["args"]["row"], 1);
    EXPECT_TRUE(trace.of_phase("s").empty()) << "the load stands before the window";
    const std::vector<json> counters = trace.of_phase("C");
    ASSERT_EQ(counters.size(), 2u) << "the other one counts instructions";
    EXPECT_EQ(counters[0]["args"]["dst"], 4);
    EXPECT_DOUBLE_EQ(counters[0]["ts"].get<double>(), 5 * 0.741);
}

} // namespace
