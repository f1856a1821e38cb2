// The waveform, fed with events made by hand and read back as the format's description says.
#include <sfpu/traces/vcd_writer.h>

#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/table.h>
#include <sfpu/probe/early_results.h>
#include <sfpu/probe/observer.h>

#include "probe_events.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace sfpu;

constexpr auto bh = architecture::blackhole;

// Words and their assembly.
constexpr std::uint32_t mad_to_l2 = 0x84019a20;  // sfpmad L1, L9, L10, L2, 0
constexpr std::uint32_t mad_to_l3 = 0x84019a30;  // sfpmad L1, L9, L10, L3, 0
constexpr std::uint32_t load_l1 = 0x7014e040;    // sfpload L1, INT32, ADDR_MOD_7, 64
constexpr std::uint32_t macro_0 = 0x9304e040;    // sfploadmacro 0, L0, INT32, ADDR_MOD_7, 64
constexpr std::uint32_t store_l1 = 0x7214e080;   // sfpstore L1, INT32, ADDR_MOD_7, 128
constexpr std::uint32_t template_0 = 0x72c4e080; // the same with VD = 12: a template write
constexpr std::uint32_t nop = 0x8f000000;        // sfpnop
constexpr std::uint32_t swap_l1_l2 = 0x92000120; // sfpswap 0, L1, L2, 0
constexpr std::uint32_t shift_l4 = 0x7a000241;   // sfpshft 0, L2, L4, 1
constexpr std::uint32_t set_config = 0xb2010005; // setc16 1, 5

/// An event in the sub-unit that the word names. `latency` is in cycles.
probe::execution_event event(std::int64_t begin, std::uint32_t word, int latency = 1,
                             std::int64_t index = 0) {
    return test::issued(begin, index, word, latency);
}

/// The same, placed by a macro and with the VD that the macro gave it.
probe::execution_event scheduled(std::int64_t begin, std::uint32_t word, std::uint8_t vd, int latency = 1,
                                 std::int64_t index = 0) {
    return test::scheduled(begin, index, word, vd, latency);
}

using test::discarded;

/// Values by time, read as the format's description says; a malformed file throws.
class vcd_reader {
public:
    explicit vcd_reader(const std::string& text) : in_(text) {
        std::string token;
        while (in_ >> token) {
            if (token[0] == '$') command(token);
            else if (token[0] == '#') advance(token);
            else change(token);
        }
        require(declared_, "no $enddefinitions");
    }

    /// The value in force at `time`; "" before the first dump.
    std::string at(const std::string& name, std::int64_t time) const {
        const auto& changes = history_.at(identifiers_.at(name));
        std::string value;
        for (const auto& [when, what] : changes)
            if (when <= time) value = what;
        return value;
    }
    std::size_t changes(const std::string& name) const { return history_.at(identifiers_.at(name)).size(); }
    const std::map<std::string, std::string>& signals() const { return identifiers_; }
    std::string timescale() const { return timescale_; }
    std::int64_t first_time() const { return times_.front(); }
    std::int64_t last_time() const { return times_.back(); }

private:
    static void require(bool condition, const std::string& message) {
        if (!condition) throw std::runtime_error(message);
    }
    std::vector<std::string> up_to_end() {
        std::vector<std::string> words;
        std::string token;
        while (in_ >> token && token != "$end") words.push_back(token);
        require(token == "$end", "missing $end");
        return words;
    }
    void command(const std::string& keyword) {
        if (keyword == "$dumpvars" || keyword == "$end") return;
        const std::vector<std::string> words = up_to_end();
        if (keyword == "$timescale") timescale_ = words.at(0) + words.at(1);
        else if (keyword == "$scope") scope_.push_back(words.at(1));
        else if (keyword == "$upscope") scope_.pop_back();
        else if (keyword == "$enddefinitions") declared_ = true;
        else if (keyword == "$var") declare(words);
        else require(keyword == "$version" || keyword == "$comment", "unknown " + keyword);
    }
    void declare(const std::vector<std::string>& words) {
        require(!declared_, "late $var");
        std::string name;
        for (const std::string& part : scope_) name += part + '.';
        require(identifiers_.emplace(name + words.at(3), words.at(2)).second, "name declared twice");
        require(widths_.emplace(words.at(2), std::stoul(words.at(1))).second, "identifier declared twice");
        types_[words.at(2)] = words.at(0);
        history_[words.at(2)];
    }
    void advance(const std::string& token) {
        const std::int64_t time = std::stoll(token.substr(1));
        require(times_.empty() || times_.back() < time, "time does not advance");
        times_.push_back(time);
    }
    void change(const std::string& token) {
        require(declared_ && !times_.empty(), "a change before the first time");
        const bool is_vector = token[0] == 'b' || token[0] == 's';
        std::string value = is_vector ? token.substr(1) : token.substr(0, 1), id = token.substr(1);
        if (is_vector) require(static_cast<bool>(in_ >> id), "a value without identifier");
        require(widths_.count(id) == 1, "unknown identifier " + id);
        require((types_[id] == "string") == (token[0] == 's'), "value of another type");
        require(types_[id] == "string" || value.size() <= widths_[id], "value too wide");
        if (types_[id] != "string" && value != "z") value = std::to_string(std::stoull(value, nullptr, 2));
        history_[id].emplace_back(times_.back(), value);
    }

    std::istringstream in_;
    bool declared_ = false;
    std::string timescale_;
    std::vector<std::string> scope_;
    std::map<std::string, std::string> identifiers_; // by full name
    std::map<std::string, std::size_t> widths_;      // by identifier, as the rest
    std::map<std::string, std::string> types_;
    std::map<std::string, std::vector<std::pair<std::int64_t, std::string>>> history_;
    std::vector<std::int64_t> times_;
};

constexpr std::int64_t period = 1000; // of the file: a round number, whatever the clock

/// A waveform that is written event by event and then read back.
struct waveform {
    std::ostringstream out;
    traces::vcd_writer writer;

    explicit waveform(const probe::trace_options& options = {}, const std::vector<unsigned>& lanes = {})
        : writer(out, options, lanes) {}
    vcd_reader finish(std::int64_t last) {
        writer.finish(cycles{last});
        return vcd_reader(out.str());
    }
};

/// The values of one signal in cycles 0 to `last`.
std::vector<std::string> by_cycle(const vcd_reader& vcd, const std::string& name, std::int64_t last) {
    std::vector<std::string> values;
    for (std::int64_t cycle = 0; cycle <= last; ++cycle)
        values.push_back(vcd.at("sfpu." + name, cycle * period));
    return values;
}

using values = std::vector<std::string>;

/// The text of an instruction in a waveform: no blanks.
std::string vcd_text(const isa::instruction& insn) {
    std::string text = isa::text(insn, bh);
    for (std::size_t at; (at = text.find(", ")) != std::string::npos;) text.erase(at + 1, 1);
    std::replace(text.begin(), text.end(), ' ', '_');
    return text;
}

TEST(vcd_writer, gives_every_signal_a_value_at_the_first_time) {
    waveform wave;
    const vcd_reader vcd = wave.finish(2);
    EXPECT_EQ(vcd.timescale(), "1ps");
    EXPECT_EQ(vcd.first_time(), 0);
    for (const auto& [name, id] : vcd.signals())
        if (name != "sfpu.hazards.hazard") { // an event has no value
            EXPECT_NE(vcd.at(name, 0), "") << name;
        }
}

TEST(vcd_writer, ends_one_cycle_after_the_last) {
    waveform wave;
    wave.writer.executed(event(0, load_l1));
    EXPECT_EQ(wave.finish(9).last_time(), 10 * period);
}

TEST(vcd_writer, shows_a_mad_for_two_cycles) {
    waveform wave;
    const auto mad = event(1, mad_to_l2, 2);
    wave.writer.executed(mad);
    const vcd_reader vcd = wave.finish(4);
    EXPECT_EQ(by_cycle(vcd, "mad.busy", 4), (values{"0", "1", "1", "0", "0"}));
    EXPECT_EQ(by_cycle(vcd, "mad.vd", 4), (values{"z", "2", "2", "z", "z"}));
    EXPECT_EQ(by_cycle(vcd, "mad.text", 3), (values{"-", vcd_text(mad.insn), vcd_text(mad.insn), "-"}));
}

TEST(vcd_writer, shows_the_newest_of_overlapping_mads_and_stays_busy) {
    waveform wave;
    wave.writer.executed(event(0, mad_to_l2, 2));
    wave.writer.executed(event(1, mad_to_l3, 2));
    const vcd_reader vcd = wave.finish(4);
    EXPECT_EQ(by_cycle(vcd, "mad.vd", 4), (values{"2", "3", "3", "z", "z"}));
    EXPECT_EQ(by_cycle(vcd, "mad.busy", 4), (values{"1", "1", "1", "0", "0"}));
    EXPECT_EQ(vcd.changes("sfpu.mad.busy"), 2u);
}

TEST(vcd_writer, shows_sfpnop_without_calling_the_unit_busy) {
    waveform wave;
    wave.writer.executed(event(0, nop));
    const vcd_reader vcd = wave.finish(1);
    EXPECT_EQ(by_cycle(vcd, "load.text", 1), (values{"sfpnop", "-"}));
    EXPECT_EQ(by_cycle(vcd, "load.busy", 1), (values{"0", "0"}));
}

TEST(vcd_writer, tells_scheduled_instructions_from_issued_ones_and_shows_l16) {
    waveform wave;
    wave.writer.executed(event(0, shift_l4));
    wave.writer.executed(scheduled(1, shift_l4, 16));
    const vcd_reader vcd = wave.finish(2);
    EXPECT_EQ(by_cycle(vcd, "simple.origin", 2), (values{"0", "1", "z"}));
    EXPECT_EQ(by_cycle(vcd, "simple.vd", 2), (values{"4", "16", "z"}));
}

TEST(vcd_writer, gives_one_word_scheduled_on_two_registers_two_texts) {
    waveform wave;
    const auto first = scheduled(0, shift_l4, 3), second = scheduled(1, shift_l4, 5);
    wave.writer.executed(first);
    wave.writer.executed(second);
    const vcd_reader vcd = wave.finish(1);
    ASSERT_NE(vcd_text(first.insn), vcd_text(second.insn));
    EXPECT_EQ(by_cycle(vcd, "simple.text", 1), (values{vcd_text(first.insn), vcd_text(second.insn)}));
}

TEST(vcd_writer, marks_a_discarded_instruction_for_one_cycle_and_shows_the_winner) {
    waveform wave;
    wave.writer.executed(scheduled(1, shift_l4, 5));
    wave.writer.executed(discarded(event(1, swap_l1_l2, 2, 7)));
    const vcd_reader vcd = wave.finish(3);
    EXPECT_EQ(by_cycle(vcd, "simple.discarded", 3), (values{"0", "1", "0", "0"}));
    EXPECT_EQ(by_cycle(vcd, "simple.vd", 3), (values{"z", "5", "z", "z"}));
    EXPECT_EQ(by_cycle(vcd, "simple.busy", 3), (values{"0", "1", "0", "0"}));
    EXPECT_EQ(by_cycle(vcd, "issue.word", 3), (values{"z", "7", "z", "z"}));
}

TEST(vcd_writer, shows_issued_front_end_words_in_the_issue_group_only) {
    waveform wave;
    const auto config = event(0, set_config, 1, 3);
    wave.writer.executed(config);
    const vcd_reader vcd = wave.finish(1);
    EXPECT_EQ(by_cycle(vcd, "issue.text", 1), (values{vcd_text(config.insn), "-"}));
    EXPECT_EQ(by_cycle(vcd, "load.text", 1), (values{"-", "-"}));
}

TEST(vcd_writer, names_the_cause_of_a_stall_in_its_cycle) {
    waveform wave;
    wave.writer.executed(event(0, mad_to_l2, 2, 0));
    wave.writer.stalled({cycles{1}, probe::stall_cause::mad_dependence, 1});
    wave.writer.executed(event(2, shift_l4, 1, 1));
    const vcd_reader vcd = wave.finish(3);
    EXPECT_EQ(by_cycle(vcd, "issue.stalled", 3), (values{"0", "1", "0", "0"}));
    EXPECT_EQ(by_cycle(vcd, "issue.stall_cause", 3), (values{"-", "mad-dependence", "-", "-"}));
    EXPECT_EQ(by_cycle(vcd, "issue.word", 3), (values{"0", "1", "1", "z"}));
}

TEST(vcd_writer, shows_the_state_that_a_cycle_leaves_in_the_next_one) {
    waveform wave;
    wave.writer.counters_changed({cycles{1}, 2, 0, 5});
    wave.writer.slots_changed({cycles{1}, {0x05, 0, 0, 0x80}});
    wave.writer.slots_changed({cycles{2}, {0, 0, 0, 0x40}});
    const vcd_reader vcd = wave.finish(4);
    EXPECT_EQ(by_cycle(vcd, "counters.dst", 4), (values{"z", "z", "2", "2", "2"}));
    EXPECT_EQ(by_cycle(vcd, "counters.sp", 2), (values{"z", "z", "5"}));
    EXPECT_EQ(by_cycle(vcd, "macro.simple", 4), (values{"0", "0", "5", "0", "0"}));
    EXPECT_EQ(by_cycle(vcd, "macro.store", 4), (values{"0", "0", "128", "64", "64"}));
    EXPECT_EQ(by_cycle(vcd, "macro.outstanding", 4), (values{"0", "0", "3", "1", "1"}));
}

TEST(vcd_writer, shows_the_address_on_each_dst_port_while_it_is_used) {
    waveform wave;
    auto macro = event(0, macro_0);
    macro.dst_address = 66;
    auto store = event(1, store_l1);
    store.dst_address = 130;
    wave.writer.executed(macro);
    wave.writer.executed(store);
    const vcd_reader vcd = wave.finish(2);
    EXPECT_EQ(by_cycle(vcd, "dst.load_address", 2), (values{"66", "z", "z"}));
    EXPECT_EQ(by_cycle(vcd, "dst.load_active", 2), (values{"1", "0", "0"}));
    EXPECT_EQ(by_cycle(vcd, "dst.store_address", 2), (values{"z", "130", "z"}));
    EXPECT_EQ(by_cycle(vcd, "dst.store_active", 2), (values{"0", "1", "0"}));
}

TEST(vcd_writer, does_not_take_a_template_write_for_a_store) {
    waveform wave;
    wave.writer.executed(event(0, template_0));
    EXPECT_EQ(by_cycle(wave.finish(0), "dst.store_active", 0), values{"0"});
}

TEST(vcd_writer, shows_the_kernel_row_of_a_scheduled_instruction_from_its_macro) {
    probe::trace_options options;
    options.row_of_word = [](std::int64_t word) { return word < 10 ? -1 : (word - 10) / 2; };
    waveform wave(options);
    wave.writer.executed(event(0, load_l1, 1, 4));
    wave.writer.executed(event(1, macro_0, 1, 12));
    wave.writer.executed(event(2, load_l1, 1, 15));
    wave.writer.executed(scheduled(2, shift_l4, 0, 1, 12));
    const vcd_reader vcd = wave.finish(3);
    EXPECT_EQ(by_cycle(vcd, "load.row", 3), (values{"z", "1", "2", "z"}));
    EXPECT_EQ(by_cycle(vcd, "simple.row", 3), (values{"z", "z", "1", "z"}));
    EXPECT_EQ(by_cycle(vcd, "counters.row", 3), (values{"z", "1", "2", "2"}));
}

TEST(vcd_writer, numbers_every_cycle) {
    waveform wave;
    wave.writer.executed(event(3, load_l1));
    EXPECT_EQ(by_cycle(wave.finish(4), "counters.cycle", 4), (values{"0", "1", "2", "3", "4"}));
}

TEST(vcd_writer, starts_a_window_with_what_earlier_cycles_left) {
    probe::trace_options options;
    options.from = cycles{100};
    options.to = cycles{102};
    waveform wave(options);
    wave.writer.counters_changed({cycles{7}, 42, 0, 0});
    wave.writer.executed(event(99, mad_to_l2, 2));
    wave.writer.executed(event(99, load_l1));
    wave.writer.executed(event(102, shift_l4));
    wave.writer.executed(event(103, load_l1));
    const vcd_reader vcd = wave.finish(200);
    EXPECT_EQ(vcd.first_time(), 100 * period);
    EXPECT_EQ(vcd.last_time(), 103 * period);
    EXPECT_EQ(vcd.at("sfpu.mad.busy", 100 * period), "1");
    EXPECT_EQ(vcd.at("sfpu.mad.busy", 101 * period), "0");
    EXPECT_EQ(vcd.at("sfpu.load.busy", 100 * period), "0");
    EXPECT_EQ(vcd.at("sfpu.simple.busy", 102 * period), "1");
    EXPECT_EQ(vcd.at("sfpu.counters.dst", 100 * period), "42");
    EXPECT_EQ(vcd.changes("sfpu.load.busy"), 1u);
}

TEST(vcd_writer, writes_a_readable_file_when_the_window_is_empty) {
    probe::trace_options options;
    options.from = cycles{50};
    waveform wave(options);
    wave.writer.executed(event(3, load_l1));
    EXPECT_EQ(wave.finish(4).changes("sfpu.load.busy"), 0u);
}

TEST(vcd_writer, ignores_what_comes_after_finish) {
    std::ostringstream out;
    traces::vcd_writer writer(out, {});
    writer.finish(cycles{3});
    const std::string text = out.str();
    writer.executed(event(5, load_l1));
    writer.finish(cycles{9});
    EXPECT_EQ(out.str(), text);
}

TEST(vcd_writer, shows_registers_as_instructions_of_a_cycle_read_them) {
    waveform wave({}, {0, 5});
    isa::vector_state state;
    probe::early_results early;
    const auto begin = [&](std::int64_t at) {
        early.reach(cycles{at});
        wave.writer.cycle_begins({cycles{at}, &state, &early});
    };
    state.lreg[2].v[0] = 1;
    state.lreg[2].v[5] = 2;
    begin(0);
    begin(1);
    early.overwrites(2, state.lreg[2], cycles{3}); // in cycle 1, due at the end of cycle 2
    state.lreg[2].v[0] = 7;
    state.lreg[2].v[5] = 8;
    begin(2);
    early.overwrites(2, state.lreg[2], cycles{4}); // in cycle 2, due at the end of cycle 3
    state.lreg[2].v[0] = 70;
    state.lreg[1].v[5] = 9; // by an instruction of cycle 2 that takes one cycle
    state.flags = 0x80000001;
    begin(3);
    begin(6); // nothing but the second result came in between
    const vcd_reader vcd = wave.finish(6);
    EXPECT_EQ(by_cycle(vcd, "lane0.L2", 5), (values{"1", "1", "1", "7", "70", "70"}));
    EXPECT_EQ(by_cycle(vcd, "lane5.L2", 5), (values{"2", "2", "2", "8", "8", "8"}));
    EXPECT_EQ(by_cycle(vcd, "lane5.L1", 4), (values{"0", "0", "0", "9", "9"}));
    EXPECT_EQ(by_cycle(vcd, "lanes.flags", 3), (values{"0", "0", "0", "2147483649"}));
}

TEST(vcd_writer, shows_what_a_lane_reads_and_writes_of_dst_while_it_does) {
    waveform wave({}, {3});
    isa::vector_state state;
    lanes cells{};
    cells.v[3] = 0x1234;
    probe::execution_event load = event(1, load_l1), store = event(2, store_l1);
    load.cells = store.cells = &cells;
    load.lanes = all_lanes;
    store.lanes = all_lanes & ~8u; // not this one
    wave.writer.cycle_begins({cycles{0}, &state});
    wave.writer.executed(load);
    wave.writer.executed(store);
    const vcd_reader vcd = wave.finish(3);
    EXPECT_EQ(by_cycle(vcd, "lane3.load_data", 3), (values{"z", "4660", "z", "z"}));
    EXPECT_EQ(by_cycle(vcd, "lane3.store_data", 3), (values{"z", "z", "z", "z"}));
}

TEST(vcd_writer, has_a_clock_that_rises_with_each_cycle_and_an_event_for_each_diagnostic) {
    waveform wave;
    diagnostic hazard;
    hazard.at = cycles{1};
    hazard.id = report_id::hazard_write_collision;
    wave.writer.executed(event(0, load_l1));
    wave.writer.diagnosed(hazard);
    const vcd_reader vcd = wave.finish(2);
    for (std::int64_t cycle = 0; cycle <= 2; ++cycle) {
        EXPECT_EQ(vcd.at("clock.clock", cycle * period), "1");
        EXPECT_EQ(vcd.at("clock.clock", cycle * period + period / 2), "0");
    }
    EXPECT_EQ(vcd.changes("sfpu.hazards.hazard"), 1u);
    EXPECT_EQ(vcd.at("sfpu.hazards.hazard", period), "1");
    EXPECT_EQ(by_cycle(vcd, "hazards.id", 2), (values{"-", "/sfpu/hazard/write-collision", "-"}));
}

} // namespace
