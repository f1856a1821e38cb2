// The schedule as a table, fed with events made by hand.
#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/table.h>
#include <sfpu/probe/observer.h>
#include <sfpu/probe/schedule_table.h>

#include "probe_events.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace sfpu;

constexpr auto bh = architecture::blackhole;

// Words and their assembly.
constexpr std::uint32_t mad_to_l2 = 0x84019a20;  // sfpmad L1, L9, L10, L2, 0
constexpr std::uint32_t load_l1 = 0x7014e040;    // sfpload L1, INT32, ADDR_MOD_7, 64
constexpr std::uint32_t macro_0 = 0x9304e040;    // sfploadmacro 0, L0, INT32, ADDR_MOD_7, 64
constexpr std::uint32_t store_l1 = 0x7214e080;   // sfpstore L1, INT32, ADDR_MOD_7, 128
constexpr std::uint32_t nop = 0x8f000000;        // sfpnop
constexpr std::uint32_t swap_l1_l2 = 0x92000120; // sfpswap 0, L1, L2, 0
constexpr std::uint32_t shift_l4 = 0x7a000241;   // sfpshft 0, L2, L4, 1
constexpr std::uint32_t shuffle_l3 = 0x94000134; // sfpshft2 0, L1, L3, 4
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

std::vector<std::string> lines_of(probe::schedule_table& table) {
    std::stringstream text;
    table.print(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
}

/// The cells of a line: separated by two or more blanks.
std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells;
    for (std::size_t at = line.find_first_not_of(' '); at != std::string::npos;) {
        const std::size_t end = line.find("  ", at);
        cells.push_back(line.substr(at, end == std::string::npos ? end : end - at));
        at = end == std::string::npos ? end : line.find_first_not_of(' ', end);
    }
    return cells;
}

using values = std::vector<std::string>;

std::string text_of(std::uint32_t word) { return isa::text(isa::decode(word, bh), bh); }

TEST(schedule_table, has_one_line_a_cycle_with_the_columns_of_kernel_comments) {
    probe::schedule_table table{{}};
    table.executed(event(4, load_l1));
    table.executed(event(6, store_l1));
    const auto lines = lines_of(table);
    ASSERT_EQ(lines.size(), 5u); // header, cycles 4 to 6, legend
    EXPECT_EQ(cells_of(lines[0]), (values{"cycle", "Load", "Simple", "MAD", "Round", "Store"}));
    EXPECT_EQ(cells_of(lines[1]), (values{"4", text_of(load_l1), ".", ".", ".", "."}));
    EXPECT_EQ(cells_of(lines[2]), (values{"5", ".", ".", ".", ".", "."}));
    EXPECT_EQ(cells_of(lines[3]), (values{"6", ".", ".", ".", ".", text_of(store_l1)}));
}

TEST(schedule_table, starts_every_column_at_the_same_place_in_all_lines) {
    probe::schedule_table table{{}};
    table.executed(event(9, load_l1));
    table.executed(event(9, store_l1));
    table.executed(event(10, mad_to_l2, 2));
    table.executed(event(10, store_l1));
    const auto lines = lines_of(table);
    const std::size_t store = lines[0].find("Store");
    EXPECT_EQ(lines[1].find("sfpstore"), store);
    EXPECT_EQ(lines[2].find("sfpstore"), store);
    EXPECT_EQ(lines[2].find("sfpmad"), lines[0].find("MAD"));
}

TEST(schedule_table, keeps_to_a_hundred_columns_if_asked_to) {
    probe::trace_options options;
    options.row_of_word = [](std::int64_t) { return 7; };
    probe::table_style style;
    style.columns = 100;
    probe::schedule_table table(options, style);
    table.executed(event(0, macro_0));
    table.executed(scheduled(0, mad_to_l2, 16, 2));
    table.executed(event(1, store_l1));
    table.stalled({cycles{1}, probe::stall_cause::mad_dependence, 3});
    std::ostringstream text;
    table.print(text);
    std::istringstream lines(text.str());
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
    EXPECT_NE(text.str().find("macro0 L0 @40[7]"), std::string::npos) << text.str();
    EXPECT_NE(text.str().find("store L1 @80[7]"), std::string::npos) << text.str();
    EXPECT_NE(text.str().find("! (stall: mad-dependence)"), std::string::npos) << text.str();
    EXPECT_EQ(text.str().find('\x1b'), std::string::npos) << "no colours unless asked for";
}

TEST(schedule_table, hands_long_runs_on_in_pieces_that_join_without_a_seam) {
    std::ostringstream pieces, whole;
    probe::table_style style;
    style.out = &pieces;
    probe::schedule_table table({}, style), other{{}};
    for (std::int64_t cycle = 0; cycle < 30000; ++cycle)
        for (probe::schedule_table* each : {&table, &other})
            each->executed(event(cycle, cycle % 3 ? load_l1 : shift_l4));
    EXPECT_GT(pieces.str().size(), 100000u) << "before the end";
    table.print(pieces);
    other.print(whole);
    EXPECT_EQ(pieces.str().size() > whole.str().size() * 9 / 10, true); // numbers of cycles grow wider later
    std::istringstream in(pieces.str());
    std::string line;
    std::getline(in, line);
    for (std::int64_t cycle = 0; cycle < 30000; ++cycle) {
        std::getline(in, line);
        ASSERT_EQ(std::stoll(line), cycle) << line;
    }
}

TEST(schedule_table, marks_scheduled_instructions_and_kernel_rows) {
    probe::trace_options options;
    options.row_of_word = [](std::int64_t word) { return word - 1; };
    probe::schedule_table table(options);
    table.executed(event(0, nop, 1, 0));
    table.executed(event(1, macro_0, 1, 3));
    const auto shift = scheduled(2, shift_l4, 0, 1, 3);
    table.executed(shift);
    const auto lines = lines_of(table);
    EXPECT_EQ(cells_of(lines[1])[1], "sfpnop");
    EXPECT_EQ(cells_of(lines[2])[1], text_of(macro_0) + "[2]");
    EXPECT_EQ(cells_of(lines[3])[2], "*" + isa::text(shift.insn, bh) + "[2]");
}

TEST(schedule_table, shows_the_second_cycle_of_swaps_and_shuffles_but_not_of_mads) {
    probe::schedule_table table{{}};
    table.executed(event(0, swap_l1_l2, 2));
    table.executed(event(2, shuffle_l3, 2));
    table.executed(event(4, mad_to_l2, 2));
    table.executed(event(5, nop));
    const auto lines = lines_of(table);
    EXPECT_EQ(cells_of(lines[2]), (values{"1", ".", "|", ".", ".", "."}));
    EXPECT_EQ(cells_of(lines[4]), (values{"3", ".", ".", ".", "|", "."}));
    EXPECT_EQ(cells_of(lines[6]), (values{"5", "sfpnop", ".", ".", ".", "."}));
}

TEST(schedule_table, shows_a_discarded_instruction_beside_the_one_that_won) {
    probe::schedule_table table{{}};
    const auto winner = scheduled(0, shift_l4, 5);
    table.executed(winner);
    table.executed(discarded(event(0, swap_l1_l2, 2)));
    const auto lines = lines_of(table);
    ASSERT_EQ(lines.size(), 3u); // a discarded swap holds nothing
    EXPECT_EQ(cells_of(lines[1])[2], "*" + isa::text(winner.insn, bh) + " ~" + text_of(swap_l1_l2) + "~");
}

TEST(schedule_table, explains_stalls_front_end_words_forgotten_entries_and_diagnostics) {
    probe::schedule_table table{{}};
    table.executed(event(0, set_config));
    table.stalled({cycles{1}, probe::stall_cause::swap, 1});
    table.forgotten({cycles{2}, isa::sub_unit::mad, isa::decode(mad_to_l2, bh), 1});
    table.diagnosed({cycles{2}, 1, report_id::macro_forgotten, severity::warning, "text"});
    const auto lines = lines_of(table);
    EXPECT_EQ(cells_of(lines[0]).back(), "Notes");
    EXPECT_EQ(cells_of(lines[1]).back(), "issue: " + text_of(set_config));
    EXPECT_EQ(cells_of(lines[2]).back(), "(stall: swap)");
    EXPECT_EQ(cells_of(lines[3]).back(),
              "forgotten: mad " + text_of(mad_to_l2) + ", warning: /sfpu/macro/forgotten");
}

TEST(schedule_table, prints_only_the_cycles_of_its_window) {
    probe::trace_options options;
    options.from = cycles{1};
    options.to = cycles{2};
    probe::schedule_table table(options);
    for (std::int64_t cycle = 0; cycle < 5; ++cycle) table.executed(event(cycle, load_l1));
    const auto lines = lines_of(table);
    ASSERT_EQ(lines.size(), 4u);
    EXPECT_EQ(cells_of(lines[1])[0], "1");
    EXPECT_EQ(cells_of(lines[2])[0], "2");
}

TEST(schedule_table, prints_header_and_legend_when_nothing_happened) {
    probe::schedule_table empty{{}};
    EXPECT_EQ(lines_of(empty).size(), 2u);
}

} // namespace
