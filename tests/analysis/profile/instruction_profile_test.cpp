#include <sfpu/analysis/instruction_profile.h>

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/kernel_data.h>
#include <sfpu/analysis/row_profile.h>
#include <sfpu/platform/core_runner.h>
#include <sfpu/views/instruction_profile.h>

#include "tree_path.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace sfpu::analysis::instruction_profiles {
namespace {

kernel_run run_of(const std::string& text, const machine_choice& machine = {}) {
    return kernel_run(assemble_kernel(text, "k.s", machine), machine, std::nullopt);
}
instruction_profile profile_of_text(const std::string& text, const machine_choice& machine = {}) {
    platform::core_runner runner;
    return instruction_profile_of(runner, run_of(text, machine));
}
/// What a loop of 32 rows is made of. Its loads and stores stay where they are.
std::string looped(const std::string& arch, const std::string& body) {
    return ".arch " + arch + "\n.rows 32\n.loop\n" + body;
}
const std::string load = "sfpload L0, FP32, ADDR_MOD_3, 0\n", nop = "sfpnop\n";
std::string mad(const std::string& from, const std::string& to) {
    return "sfpmad " + from + ", " + from + ", L9, " + to + ", 0\n";
}
std::string stored(const std::string& from, unsigned address) {
    return "sfpstore " + from + ", FP32, ADDR_MOD_3, " + std::to_string(address) + "\n";
}

std::vector<std::optional<std::int64_t>> slacks(const instruction_profile& profile) {
    std::vector<std::optional<std::int64_t>> all;
    for (const word_facts& each : profile.words) all.push_back(each.slack);
    return all;
}
std::vector<std::uint64_t> waits(const instruction_profile& profile) {
    std::vector<std::uint64_t> all;
    for (const word_facts& each : profile.words) all.push_back(each.all_waited());
    return all;
}
using slack_list = std::vector<std::optional<std::int64_t>>;
using wait_list = std::vector<std::uint64_t>;

TEST(instruction_profile, of_a_chain_of_two_mads_only_the_store_can_come_later) {
    // Blackhole holds a word behind a MAD whose result it reads: cycles 0, 1, 3, 5 of 6. The MAD of the next
    // row writes L2 in cycle 9, seen from 11 on: the store may read it up to 10. One row later is 6.
    const instruction_profile bh =
        profile_of_text(looped("bh", load + mad("L0", "L1") + mad("L1", "L2") + stored("L2", 64)));
    EXPECT_EQ(bh.cycles_per_row, 6);
    EXPECT_EQ(slacks(bh), (slack_list{0, 0, 0, 5}));
    EXPECT_EQ(waits(bh), (wait_list{0, 0, 32, 32}));
    EXPECT_DOUBLE_EQ(*bh.words[1].issue_share, 1.0 / 6);
    EXPECT_DOUBLE_EQ(*bh.words[2].issue_share, 2.0 / 6);
    EXPECT_DOUBLE_EQ(*bh.words[2].unit_share, 1.0 / 6);
    EXPECT_FALSE(bh.binds.resource_binds || bh.binds.recurrence_binds);
    // Wormhole does not hold it, and the kernel has to wait by itself.
    const instruction_profile wh = profile_of_text(
        looped("wh", load + mad("L0", "L1") + nop + mad("L1", "L2") + nop + stored("L2", 64)));
    EXPECT_EQ(wh.cycles_per_row, 6);
    EXPECT_EQ(slacks(wh), (slack_list{0, 0, {}, 0, {}, 5}));
    EXPECT_EQ(waits(wh), (wait_list{0, 0, 0, 0, 0, 0}));
    EXPECT_TRUE(wh.binds.resource_binds);
    EXPECT_DOUBLE_EQ(*wh.words[2].issue_share, 1.0 / 6);
    EXPECT_DOUBLE_EQ(*wh.words[2].unit_share, 0);
}

TEST(instruction_profile, of_two_independent_mads_the_one_that_is_stored_later_has_slack) {
    // Cycles 0 to 5. L1 is seen from 3 on and stored in 5; L2 from 4 on and stored in 4. The next row writes
    // L0 in 6 (seen from 7), L1 in 7 (9), L2 in 8 (10).
    for (const std::string arch : {"bh", "wh"}) {
        const instruction_profile found = profile_of_text(looped(
            arch, load + mad("L0", "L1") + mad("L0", "L2") + nop + stored("L2", 64) + stored("L1", 128)));
        EXPECT_EQ(found.cycles_per_row, 6) << arch;
        EXPECT_EQ(slacks(found), (slack_list{0, 2, 0, {}, 5, 3})) << arch;
        EXPECT_EQ(waits(found), (wait_list{0, 0, 0, 0, 0, 0})) << arch;
        EXPECT_EQ(found.words[1].latency, 2u);
        EXPECT_EQ(found.words[3].latency, std::nullopt);
    }
}

TEST(instruction_profile, where_stores_bind_only_they_are_on_the_busiest_resource) {
    // Two words a cycle: four words need two cycles, three stores three.
    for (const std::string arch : {"bh", "wh"}) {
        machine_choice wide;
        wide.settings = {"sfpu.issue_width=2"};
        const instruction_profile found =
            profile_of_text(looped(arch, "sfploadi L0, FLOATB, 0x3f80\n" + stored("L1", 64) +
                                             stored("L2", 128) + stored("L3", 192)),
                            wide);
        EXPECT_EQ(found.cycles_per_row, 3) << arch;
        ASSERT_EQ(found.binds.busiest, std::vector{isa::sub_unit::store}) << arch;
        EXPECT_TRUE(found.binds.resource_binds);
        EXPECT_FALSE(found.words[0].on_busiest);
        double all = 0;
        for (const unsigned word : {1u, 2u, 3u}) {
            EXPECT_TRUE(found.words[word].on_busiest);
            EXPECT_DOUBLE_EQ(*found.words[word].unit_share, 1.0 / 3);
            all += *found.words[word].issue_share;
        }
        EXPECT_NEAR(all + *found.words[0].issue_share, 4.0 / 6, 1e-9); // of six slots two are empty
    }
}

TEST(instruction_profile, a_sum_over_rows_is_on_the_recurrence_and_what_feeds_it_is_not) {
    // L5 needs two cycles from row to row.
    const instruction_profile found = profile_of_text(looped("bh", load + "sfpmad L0, L10, L5, L5, 0\n") +
                                                      ".tail\n" + nop + stored("L5", 64));
    EXPECT_EQ(found.cycles_per_row, 2);
    EXPECT_TRUE(found.binds.recurrence_binds);
    EXPECT_EQ(found.binds.recurrence_cycles_per_row, 2);
    EXPECT_FALSE(found.words[0].on_recurrence);
    EXPECT_TRUE(found.words[1].on_recurrence);
    EXPECT_EQ(found.words[1].slack, 0);
    EXPECT_EQ(found.words[3].slack, std::nullopt) << "the tail is in no steady state";
}

/// Published: two cycles a row, one on each of its two words (kernels/mul_uint16.s).
std::string pipeline(unsigned mad_delay, unsigned store_delay) {
    return ".rows 32\n.init\nsetc16 34, 2\nsetc16 35, 0\n.template 0, sfpmul24 L0, _, L9, _, 0\n"
           ".macro 0, mad=(template=0, delay=" +
           std::to_string(mad_delay) + ", vb, l16), store=(delay=" + std::to_string(store_delay) +
           ", l16)\n.misc load_mode=(0, 1), count_instructions=(simple, mad)\nsfpnop\n.loop\n"
           "sfpload L0, UINT16, ADDR_MOD_7, 0x40\nsfploadmacro 0, L1, UINT16, ADDR_MOD_6, 0\n"
           ".tail\nsfpnop\nsfpnop\nsfpnop\n";
}

TEST(instruction_profile, of_a_macro_each_scheduled_instruction_has_slack_of_its_own) {
    // Cycle 0 loads L0, 1 launches; 2 multiplies, while L0 is loaded again; L16 is seen from 4 on, stored in
    // 4 and written again from 6 on.
    const instruction_profile found = profile_of_text(pipeline(0, 2));
    EXPECT_EQ(found.cycles_per_row, 2);
    const word_facts &first = *(found.words.end() - 5), &macro = *(found.words.end() - 4);
    ASSERT_EQ(macro.made.size(), 2u);
    EXPECT_EQ(first.slack, 1) << "the multiplication reads L0 in cycle 2";
    EXPECT_EQ(macro.slack, 0) << "with it the multiplication would read the next L0";
    EXPECT_EQ(macro.made[0].unit, isa::sub_unit::mad);
    EXPECT_EQ(macro.made[0].slack, 0);
    EXPECT_EQ(macro.made[1].unit, isa::sub_unit::store);
    EXPECT_EQ(macro.made[1].slack, 1);
    EXPECT_EQ(macro.made[1].executed, 32u);
    EXPECT_DOUBLE_EQ(*macro.made[1].unit_share, 0.5);
}

TEST(instruction_profile, a_load_comes_before_the_store_that_overwrites_its_cells) {
    // Cycle 0 loads what 3 overwrites, 5 stores it; the next row loads in 6 what 3 stored.
    const std::string body = "sfpload L0, FP32, ADDR_MOD_3, 64\n" + nop + nop + stored("L1", 64) + nop;
    for (const std::string arch : {"bh", "wh"})
        EXPECT_EQ(slacks(profile_of_text(looped(arch, body + stored("L0", 128)))),
                  (slack_list{3, {}, {}, 2, {}, 1}))
            << arch;
}

struct outcome {
    double cycles_per_row = 0;
    platform::dst_image dst{};
};
outcome outcome_of(const std::string& text) {
    kernel_run run = run_of(text);
    fill_with_random_data(run, 7);
    platform::core_runner runner;
    run.request().hazards = hazard_policy::off;
    const platform::run_result result = runner.run(run.request());
    return {run.cycles_per_row(result), runner.dst()};
}

TEST(instruction_profile, a_delay_within_the_slack_changes_nothing_and_one_beyond_it_does) {
    const outcome as_published = outcome_of(pipeline(0, 2));
    const outcome late_store = outcome_of(pipeline(0, 3)), later_store = outcome_of(pipeline(0, 4)),
                  late_product = outcome_of(pipeline(1, 3));
    EXPECT_EQ(late_store.cycles_per_row, as_published.cycles_per_row);
    EXPECT_EQ(late_store.dst, as_published.dst);
    EXPECT_NE(later_store.dst, as_published.dst);
    EXPECT_NE(late_product.dst, as_published.dst);
}

TEST(instruction_profile, a_macro_takes_what_it_schedules_with_it) {
    // Three words a row. The product, made in cycle 2, is stored in 4, as early as can be: by itself it has
    // no slack. One cycle later with the launch it still reads L0 before the load of cycle 3 is seen.
    const std::string launch = "sfploadmacro 0, L1, UINT16, ADDR_MOD_6, 0\n";
    std::string early = pipeline(0, 2), late = early;
    early.insert(early.find(launch) + launch.size(), nop);
    late.insert(late.find(launch), nop);
    const instruction_profile found = profile_of_text(early);
    const word_facts& macro = *(found.words.end() - 5);
    ASSERT_EQ(macro.made.size(), 2u);
    EXPECT_EQ(macro.slack, 1);
    EXPECT_EQ(macro.made[0].slack, 0);
    EXPECT_EQ(outcome_of(late).dst, outcome_of(early).dst);
    EXPECT_EQ(outcome_of(late).cycles_per_row, 3);
}

/// A loop of plain words with much room between them, the same for each seed.
std::vector<std::string> roomy_words(unsigned seed) {
    std::minstd_rand random(seed + 1);
    const auto one_of = [&](unsigned count) { return static_cast<unsigned>(random() >> 8) % count; };
    const auto lreg = [&] { return "L" + std::to_string(one_of(4)); };
    std::vector<std::string> words;
    while (words.size() < 18) {
        switch (one_of(7)) {
        case 0:
            words.push_back("sfpload " + lreg() + ", INT32, ADDR_MOD_3, " + std::to_string(64 * one_of(3)) +
                            "\n");
            break;
        case 1:
            words.push_back("sfpstore " + lreg() + ", INT32, ADDR_MOD_" + (one_of(4) ? "3" : "1") + ", " +
                            std::to_string(64 * one_of(3)) + "\n");
            break;
        case 2:
            words.push_back("sfpiadd " + std::to_string(one_of(9)) + ", " + lreg() + ", " + lreg() + ", 5\n");
            break;
        case 3:
            words.push_back("sfpmad " + lreg() + ", " + lreg() + ", " + lreg() + ", " + lreg() + ", 0\n");
            break;
        case 4: words.push_back("sfpsetcc 0, " + lreg() + ", L0, 0\n"); break;
        case 5: words.push_back("sfpencc 3, 0, 0, 10\n"); break;
        case 6: words.push_back("sfpswap 0, " + lreg() + ", " + lreg() + ", 1\n"); break;
        }
        for (unsigned n = one_of(4); n != 0; --n) words.push_back(nop);
    }
    words.push_back(stored("L0", 0x100));
    return words;
}
std::string text_of(const std::string& arch, const std::vector<std::string>& words) {
    std::string text = ".arch " + arch + "\n.rows 16\n.init\n" +
                       (arch == "bh" ? "setc16 24, 2\n" : "setc16 24, 2\n") + ".loop\n";
    for (const std::string& word : words) text += word;
    return text + ".tail\nsfpstore L0, INT32, ADDR_MOD_3, 0x180\nsfpstore L1, INT32, ADDR_MOD_3, 0x1c0\n";
}

TEST(instruction_profile, a_word_moved_into_the_room_behind_it_lengthens_no_row_within_its_slack) {
    unsigned tried = 0, beyond = 0, beyond_shows = 0;
    for (const std::string arch : {"bh", "wh"})
        for (unsigned seed = 0; seed < 40; ++seed) {
            const std::vector<std::string> words = roomy_words(seed);
            const std::string text = text_of(arch, words);
            const instruction_profile profile = profile_of_text(text);
            ASSERT_EQ(profile.unknown, "") << text;
            const outcome before = outcome_of(text);
            for (std::size_t at = 0; at + 1 < words.size(); ++at) {
                const auto slack = profile.words[at + 1].slack; // behind setc16
                if (!slack) continue;
                std::vector<std::string> moved = words;
                for (std::size_t n = 1; at + n < words.size() && words[at + n] == nop; ++n) {
                    std::swap(moved[at + n - 1], moved[at + n]);
                    const outcome after = outcome_of(text_of(arch, moved));
                    const bool same = after.dst == before.dst;
                    if (static_cast<std::int64_t>(n) > *slack) {
                        ++beyond;
                        beyond_shows += !same || after.cycles_per_row > before.cycles_per_row;
                        break;
                    }
                    ++tried;
                    EXPECT_LE(after.cycles_per_row, before.cycles_per_row) << words[at] << text;
                    EXPECT_TRUE(same) << words[at] << " by " << n << " in\n" << text;
                }
            }
        }
    EXPECT_GT(tried, 200u);
    EXPECT_GT(beyond_shows, beyond / 8) << "of " << beyond;
}

/// What is counted by instruction is what the run counts; what a row takes is what the row's profile says.
void expect_sums(const std::string& file, const machine_choice& machine) {
    SCOPED_TRACE(file + " " + machine.arch);
    const kernel_run run(load_kernel(file, machine), machine, std::nullopt);
    platform::core_runner runner;
    const instruction_profile profile = instruction_profile_of(runner, run);
    const platform::run_result result = runner.run(run.request());
    for (unsigned cause = 0; cause < probe::stall_cause_count; ++cause)
        EXPECT_EQ(profile.waited[cause], result.counters.stalls[cause]);
    std::uint64_t executed = 0;
    double issue = 0;
    std::map<isa::sub_unit, double> busy;
    const auto add = [&](const instruction_facts& facts) {
        if (facts.unit != isa::sub_unit::front_end) executed += facts.executed + facts.discarded;
        busy[facts.unit] += facts.unit_share.value_or(0);
    };
    for (const word_facts& word : profile.words) {
        add(word);
        for (const instruction_facts& each : word.made) add(each);
        EXPECT_EQ(word.executed + word.discarded, word.part == kernel_part::loop ? run.iterations() : 1u);
        issue += word.issue_share.value_or(0);
    }
    EXPECT_EQ(executed, result.counters.executed());
    ASSERT_EQ(profile.unknown, "");
    const row_profile row = profile_of(runner, run.request(), profile.rows_per_iteration, true);
    EXPECT_NEAR(profile.cycles_per_row, row.cycles, 1e-9);
    EXPECT_NEAR(issue, (row.words + row.all_held()) / row.cycles, 1e-9);
    for (const isa::sub_unit unit : reported_units)
        EXPECT_NEAR(busy[unit], row.units[static_cast<unsigned>(unit)].busy / row.cycles, 1e-9)
            << isa::to_string(unit);
}

TEST(instruction_profile, sums_are_those_of_the_run_and_of_its_row) {
    for (const auto& entry : std::filesystem::directory_iterator(tree_path("kernels"))) {
        if (entry.path().extension() != ".s") continue;
        for (const std::string arch : {"bh", "wh"}) {
            machine_choice machine;
            machine.arch = arch;
            try {
                load_kernel(entry.path().string(), machine);
            } catch (const user_error&) {
                continue; // for the other chip only
            }
            expect_sums(entry.path().string(), machine);
        }
    }
}

TEST(instruction_profile, lines_are_in_the_order_of_their_file) {
    const instruction_profile found =
        profile_of_text(".rows 32\n.loop\n.origin \"k.elf\", 0, 0x100, \"exp.h\", 32\n" + load +
                        ".origin \"k.elf\", 0, 0x104, \"exp.h\", 31\n" + stored("L0", 64));
    ASSERT_EQ(found.lines.size(), 2u);
    EXPECT_EQ(found.lines[0].line, 31u);
    EXPECT_EQ(found.lines[1].line, 32u);
}

TEST(instruction_profile, words_of_one_cpp_line_are_summed_and_a_line_of_the_file_stands_for_those_without) {
    const instruction_profile found = profile_of_text(
        ".rows 32\n.loop\n.origin \"k.elf\", 0, 0x100, \"exp.h\", 31\n" + load + mad("L0", "L1") +
        ".origin \"k.elf\", 0, 0x108, \"exp.h\", 32\n" + mad("L1", "L2") +
        ".origin \"k.elf\", 0, 0x110, \"exp.h\", 31\n" + stored("L2", 64) + ".origin \"k.txt\", 9\n" + nop);
    ASSERT_EQ(found.lines.size(), 3u);
    EXPECT_EQ(found.lines[0].file, "exp.h");
    EXPECT_EQ(found.lines[0].line, 31u);
    EXPECT_TRUE(found.lines[0].is_cpp);
    EXPECT_EQ(found.lines[0].words, (std::vector<std::size_t>{0, 1, 3}));
    EXPECT_EQ(found.lines[0].executed, 96u);
    EXPECT_EQ(found.lines[0].waited[0], 32u); // the store behind the MAD
    EXPECT_NEAR(*found.lines[0].issue_share, 4.0 / 7, 1e-9);
    EXPECT_EQ(found.lines[0].slack, 0);
    EXPECT_EQ(found.lines[1].waited[0], 32u);
    EXPECT_EQ(found.lines[2].file, "k.txt");
    EXPECT_FALSE(found.lines[2].is_cpp);
    EXPECT_EQ(found.words[0].origin.address, 0x100u);
}

TEST(instruction_profile, what_is_not_repeated_has_counts_and_nothing_of_steady_state) {
    const instruction_profile found = profile_of_text(".init\n" + load + stored("L0", 64));
    EXPECT_EQ(found.unknown, "nothing is repeated");
    EXPECT_EQ(found.words[0].executed, 1u);
    EXPECT_EQ(found.words[0].slack, std::nullopt);
    EXPECT_EQ(found.words[0].issue_share, std::nullopt);
    EXPECT_NE(views::to_text(found, 0).find("no steady state: nothing is repeated"), std::string::npos);
    EXPECT_NE(views::to_json(found).find("\"cycles_per_iteration\": null"), std::string::npos);
}

TEST(instruction_profile, words_that_replay_expands_are_listed_below_it) {
    const instruction_profile found = profile_of_text(".rows 32\n.loop\nreplay 0, 2, 1, 1\n" + load +
                                                      stored("L0", 64) + "replay 0, 2, 0, 0\n");
    EXPECT_EQ(found.words[3].executed, 0u);
    ASSERT_EQ(found.words[3].made.size(), 2u);
    EXPECT_FALSE(found.words[3].is_scheduled[0]);
    EXPECT_EQ(found.words[3].made[0].executed, 32u);
    EXPECT_EQ(found.words[1].executed, 32u);
}

TEST(instruction_profile, a_table_is_no_wider_than_asked_for) {
    machine_choice machine;
    const kernel_run run(load_kernel(tree_path("kernels/mul32_macro.s"), machine), machine, std::nullopt);
    platform::core_runner runner;
    const instruction_profile profile = instruction_profile_of(runner, run);
    for (const unsigned columns : {80u, 100u, 140u}) {
        std::istringstream lines(views::to_text(profile, columns));
        for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), columns) << line;
    }
}

TEST(steady_state, begins_where_macros_of_earlier_rows_have_filled_the_pipeline) {
    // Words 0 and 1 of a row are its cycles; the store of a row is four cycles behind its first word.
    const kernel_run run = run_of(pipeline(0, 2));
    platform::core_runner runner;
    const steady_state found = steady_state_of(runner, run);
    ASSERT_TRUE(found.exists());
    EXPECT_EQ(found.first, 2);
    EXPECT_EQ(found.period, 1u);
    EXPECT_EQ(found.cycles, 2);
    EXPECT_TRUE(found.reached_in(4));
    EXPECT_FALSE(found.reached_in(3)) << "nothing is behind it";
}

TEST(steady_state, of_an_odd_number_of_words_in_two_slots_has_two_iterations) {
    machine_choice wide;
    wide.settings = {"sfpu.issue_width=2"};
    const kernel_run run = run_of(
        looped("bh", "sfploadi L0, FLOATB, 1\nsfpiadd 1, L2, L3, 5\nsfpmad L4, L4, L4, L5, 0\n"), wide);
    platform::core_runner runner;
    const steady_state found = steady_state_of(runner, run);
    ASSERT_TRUE(found.exists());
    EXPECT_EQ(found.period, 2u);
    EXPECT_EQ(found.cycles, 3);
}

TEST(steady_state, of_a_loop_that_is_too_long_is_unknown) {
    std::string body;
    for (std::size_t i = 0; i <= most_profiled_words; ++i) body += nop;
    platform::core_runner runner;
    const steady_state found = steady_state_of(runner, run_of(looped("bh", body)));
    EXPECT_FALSE(found.exists());
    EXPECT_NE(found.unknown.find("4097 words"), std::string::npos) << found.unknown;
}

} // namespace
} // namespace sfpu::analysis::instruction_profiles
