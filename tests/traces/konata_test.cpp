// The Kanata log, read back by a reader that follows the format's description: header, tab-separated
// commands, and what each command demands of the state before it.
#include <sfpu/traces/konata_writer.h>

#include "probe_events.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace sfpu;
using namespace sfpu::test;

struct stage {
    std::string name;
    std::int64_t lane = 0, begin = 0, end = -1; ///< [begin, end); end -1: open
};
struct instruction {
    std::int64_t simulator_id = 0, thread = 0;
    std::string label, detail;
    std::vector<stage> stages;
    std::vector<std::int64_t> producers;
    std::int64_t retired_at = -1, retire_id = -1;
    bool flushed = false;

    const stage& named(const std::string& name) const {
        for (const stage& s : stages)
            if (s.name == name) return s;
        throw std::runtime_error("no stage " + name);
    }
};

/// Reads a log; a malformed one throws.
class kanata_reader {
public:
    explicit kanata_reader(const std::string& text) {
        require(!text.empty() && text.back() == '\n', "the last line does not end");
        std::istringstream in(text);
        std::string line;
        std::getline(in, line);
        require(line == "Kanata\t0004", "header: " + line);
        std::getline(in, line);
        const auto start = split(line);
        require(start.size() == 2 && start[0] == "C=", "the start cycle does not follow the header");
        cycle_ = first_ = number(start[1]);
        while (std::getline(in, line)) command(split(line));
        for (const auto& [id, insn] : all_) {
            require(insn.retired_at >= 0, "instruction without R");
            require(!insn.stages.empty(), "instruction without stage");
            for (const stage& s : insn.stages)
                require(s.end > s.begin, "stage " + s.name + " is open or empty");
        }
    }

    const std::map<std::int64_t, instruction>& all() const { return all_; }
    const instruction& at(std::int64_t id) const { return all_.at(id); }
    std::int64_t first_cycle() const { return first_; }
    std::int64_t last_cycle() const { return cycle_; }

private:
    static void require(bool condition, const std::string& message) {
        if (!condition) throw std::runtime_error(message);
    }
    static std::vector<std::string> split(const std::string& line) {
        std::vector<std::string> columns(1);
        for (const char c : line) {
            if (c == '\t') columns.emplace_back();
            else columns.back() += c;
        }
        return columns;
    }
    static std::int64_t number(const std::string& text) {
        std::size_t used = 0;
        const std::int64_t value = std::stoll(text, &used);
        require(used == text.size(), "not a number: " + text);
        return value;
    }
    instruction& living(const std::string& id) {
        const auto found = all_.find(number(id));
        require(found != all_.end(), "unknown instruction " + id);
        require(found->second.retired_at < 0, "instruction " + id + " is retired already");
        return found->second;
    }

    void command(const std::vector<std::string>& c) {
        const std::map<std::string, std::size_t> columns = {{"C", 2}, {"I", 4}, {"L", 4}, {"S", 4},
                                                            {"E", 4}, {"R", 4}, {"W", 4}};
        const auto known = columns.find(c[0]);
        require(known != columns.end(), "unknown command " + c[0]);
        require(c.size() == known->second, "wrong number of columns: " + c[0]);
        switch (c[0][0]) {
        case 'C':
            require(number(c[1]) > 0, "time does not advance");
            cycle_ += number(c[1]);
            break;
        case 'I': begin(c); break;
        case 'L':
            require(c[2] == "0" || c[2] == "1", "type of text");
            (c[2] == "0" ? living(c[1]).label : living(c[1]).detail) += c[3];
            break;
        case 'S': living(c[1]).stages.push_back({c[3], number(c[2]), cycle_, -1}); break;
        case 'E': end_stage(living(c[1]), number(c[2]), c[3]); break;
        case 'R': retire(c); break;
        case 'W':
            require(all_.count(number(c[2])) == 1 && c[1] != c[2], "unknown producer");
            require(c[3] == "0", "types other than 0 are reserved");
            living(c[1]).producers.push_back(number(c[2]));
            break;
        }
    }
    void begin(const std::vector<std::string>& c) {
        require(number(c[1]) == static_cast<std::int64_t>(all_.size()), "ids are not sequential");
        instruction& insn = all_[number(c[1])];
        insn.simulator_id = number(c[2]);
        insn.thread = number(c[3]);
    }
    void end_stage(instruction& insn, std::int64_t lane, const std::string& name) {
        const auto is_open = [&](const stage& s) { return s.name == name && s.lane == lane && s.end < 0; };
        const auto found = std::find_if(insn.stages.begin(), insn.stages.end(), is_open);
        require(found != insn.stages.end(), "E without S: " + name);
        found->end = cycle_;
    }
    void retire(const std::vector<std::string>& c) {
        instruction& insn = living(c[1]);
        insn.retired_at = cycle_;
        insn.retire_id = number(c[2]);
        require(c[3] == "0" || c[3] == "1", "type of retirement");
        insn.flushed = c[3] == "1";
        if (insn.flushed) return;
        require(insn.retire_id == retired_++, "retirement ids are not sequential");
    }

    std::int64_t first_ = 0, cycle_ = 0, retired_ = 0;
    std::map<std::int64_t, instruction> all_;
};

class konata : public ::testing::Test {
protected:
    std::string text(std::int64_t last) {
        writer_.finish(cycles{last});
        return out_.str();
    }
    kanata_reader read(std::int64_t last) { return kanata_reader(text(last)); }

    probe::trace_options options_;
    std::ostringstream out_;
    traces::konata_writer writer_{out_, options_};
};

using producers = std::vector<std::int64_t>;

TEST_F(konata, an_instruction_occupies_its_stage_for_its_latency_and_then_retires) {
    writer_.executed(issued(3, 7, mad_l1_to_l2, 2));
    const kanata_reader log = read(9);
    const instruction& mad = log.at(0);
    EXPECT_EQ(mad.simulator_id, 7);
    EXPECT_EQ(mad.label, "sfpmad L1, L9, L10, L2, 0");
    EXPECT_EQ(mad.named("XMa").begin, 3);
    EXPECT_EQ(mad.named("XMa").end, 5);
    EXPECT_EQ(mad.retired_at, 5);
    EXPECT_EQ(log.last_cycle(), 10);
}

// Konata draws arrows between stages with an X in their name only.
TEST_F(konata, every_sub_unit_has_an_execution_stage_of_its_own) {
    writer_.executed(issued(0, 0, load_l1));
    writer_.executed(issued(1, 1, abs_l2_to_l4));
    writer_.executed(issued(2, 2, mad_l1_to_l2, 2));
    writer_.executed(issued(3, 3, 0x8e000120)); // sfpstochrnd
    writer_.executed(issued(4, 4, store_l1));
    const kanata_reader log = read(5);
    std::vector<std::string> names;
    for (const auto& [id, insn] : log.all()) names.push_back(insn.stages.at(0).name);
    EXPECT_EQ(names, (std::vector<std::string>{"XLd", "XSi", "XMa", "XRo", "XSt"}));
}

TEST_F(konata, an_arrow_leads_from_the_last_writer_to_the_reader) {
    writer_.executed(issued(0, 0, load_l1));
    writer_.executed(issued(1, 1, load_l1));
    writer_.executed(issued(2, 2, mad_l1_to_l2, 2));
    writer_.executed(issued(4, 3, abs_l2_to_l4));
    const kanata_reader log = read(5);
    EXPECT_EQ(log.at(2).producers, producers{1});
    EXPECT_EQ(log.at(3).producers, producers{2});
}

// T3: the result of a MAD at t is not visible at t+1.
TEST_F(konata, a_reader_that_comes_too_early_gets_its_arrow_from_the_old_value) {
    writer_.executed(issued(0, 0, 0x7024e040)); // sfpload L2
    writer_.executed(issued(1, 1, mad_l1_to_l2, 2));
    writer_.executed(issued(2, 2, abs_l2_to_l4));
    writer_.executed(issued(3, 3, abs_l2_to_l4));
    const kanata_reader log = read(4);
    EXPECT_EQ(log.at(2).producers, producers{0});
    EXPECT_EQ(log.at(3).producers, producers{1});
}

TEST_F(konata, a_reader_of_a_register_written_in_some_lanes_has_arrows_from_both_writers) {
    probe::execution_event some = issued(1, 1, load_l1), none = issued(2, 2, load_l1);
    some.lanes = 0xffff;
    none.lanes = 0;
    writer_.executed(issued(0, 0, load_l1));
    writer_.executed(some);
    writer_.executed(none);
    writer_.executed(issued(3, 3, mad_l1_to_l2, 2));
    EXPECT_EQ(read(4).at(3).producers, (producers{1, 0}));
}

TEST_F(konata, a_macro_has_arrows_to_what_it_schedules_and_l16_carries_values) {
    writer_.executed(issued(0, 0, macro_0_l1));
    writer_.executed(scheduled(1, 0, abs_l2_to_l4, 16));
    writer_.executed(scheduled(2, 0, store_l1, 16));
    const kanata_reader log = read(3);
    EXPECT_EQ(log.at(1).producers, producers{0});
    EXPECT_EQ(log.at(2).producers, (producers{0, 1}));
    EXPECT_EQ(log.at(0).thread, 0);
    EXPECT_EQ(log.at(1).thread, 1);
    EXPECT_EQ(log.at(1).simulator_id, 0);
}

TEST_F(konata, a_discarded_instruction_is_flushed_and_produces_nothing) {
    writer_.executed(issued(0, 0, load_l1));
    writer_.executed(discarded(issued(1, 1, mad_l1_to_l2)));
    writer_.executed(issued(3, 2, abs_l2_to_l4));
    const kanata_reader log = read(4);
    EXPECT_TRUE(log.at(1).flushed);
    EXPECT_FALSE(log.at(0).flushed);
    EXPECT_TRUE(log.at(2).producers.empty());
}

TEST_F(konata, a_held_word_stands_in_issue_until_it_executes) {
    writer_.executed(issued(0, 0, mad_l1_to_l2, 2));
    stall(writer_, 1, 1);
    writer_.executed(issued(2, 1, abs_l2_to_l4));
    const kanata_reader log = read(3);
    ASSERT_EQ(log.all().size(), 2u);
    EXPECT_EQ(log.at(1).named("Is").begin, 1);
    EXPECT_EQ(log.at(1).named("Is").end, 2);
    EXPECT_EQ(log.at(1).named("stl").lane, 1);
    EXPECT_EQ(log.at(1).named("XSi").begin, 2);
    EXPECT_NE(log.at(1).detail.find("mad-dependence"), std::string::npos);
}

TEST_F(konata, a_scheduled_instruction_in_a_held_cycle_is_not_the_held_word) {
    stall(writer_, 1, 5);
    writer_.executed(scheduled(1, 5, abs_l2_to_l4, 1));
    writer_.executed(issued(2, 5, macro_0_l1));
    const kanata_reader log = read(3);
    EXPECT_EQ(log.at(0).label, "sfploadmacro 0, L1, INT32, ADDR_MOD_7, 0");
    EXPECT_EQ(log.at(1).thread, 1);
}

TEST_F(konata, a_front_end_word_has_an_issue_stage_only) {
    writer_.executed(issued(0, 0, set_config));
    const kanata_reader log = read(0);
    EXPECT_EQ(log.at(0).stages.size(), 1u);
    EXPECT_EQ(log.at(0).stages.at(0).name, "Is");
}

TEST_F(konata, a_log_without_events_is_a_log) { EXPECT_TRUE(read(5).all().empty()); }

TEST(konata_window, shows_its_cycles_only_and_cuts_what_is_in_flight) {
    probe::trace_options options;
    options.from = cycles{1};
    options.to = cycles{2};
    options.row_of_word = [](std::int64_t word) { return word / 2; };
    std::ostringstream out;
    traces::konata_writer writer(out, options);
    writer.executed(issued(0, 0, load_l1));
    writer.executed(issued(1, 1, load_l1));
    writer.executed(issued(2, 2, mad_l1_to_l2, 2));
    writer.executed(issued(3, 3, mad_l1_to_l3, 2));
    writer.finish(cycles{9});
    const kanata_reader log(out.str());
    ASSERT_EQ(log.all().size(), 2u);
    EXPECT_EQ(log.first_cycle(), 1);
    EXPECT_EQ(log.at(1).label, "sfpmad L1, L9, L10, L2, 0 [1]");
    EXPECT_EQ(log.at(1).producers, producers{0});
    EXPECT_EQ(log.at(1).retired_at, 3);
}

TEST(konata_window, a_writer_before_it_hides_no_older_value_and_gets_no_arrow) {
    probe::trace_options options;
    options.from = cycles{2};
    std::ostringstream out;
    traces::konata_writer writer(out, options);
    writer.executed(issued(1, 0, load_l1));
    writer.executed(issued(2, 1, mad_l1_to_l2, 2));
    writer.finish(cycles{4});
    EXPECT_TRUE(kanata_reader(out.str()).at(0).producers.empty());
}

} // namespace
