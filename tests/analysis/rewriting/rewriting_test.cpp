// A row as a graph, and rules on it: where each applies, and where its condition keeps it from applying.
// What a rule makes of a row is proved equal to it.
#include <sfpu/analysis/kernel_comparison.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/rewriting.h>
#include <sfpu/analysis/smt_solver.h>
#include <sfpu/platform/core_runner.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace sfpu::test {
namespace {

using namespace analysis;

struct short_kernel {
    std::string body;
    std::string init = "sfpencc 3, 0, 0, 10"; ///< flags in use, all set
    bool wormhole{false};
    std::string tail{};

    std::string text() const {
        const char* const modes = wormhole ? ".equ step, ADDR_MOD_2\n.equ stay, ADDR_MOD_3\n"
                                             "setc16 2, 1\nsetc16 29, 2\nsetc16 30, 0\n"
                                           : ".equ step, ADDR_MOD_6\n.equ stay, ADDR_MOD_7\n"
                                             "setc16 34, 2\nsetc16 35, 0\n";
        return std::string(".arch ") + (wormhole ? "wh" : "bh") + "\n.rows 2\n.init\n" + modes + init +
               "\n.loop\n" + body + "\n.tail\n" + tail + "\n";
    }
};

/// A kernel, its row, and what rules make of it.
class rewriting_lab {
public:
    explicit rewriting_lab(const short_kernel& of, const rewriting::assumptions& assumed = {})
        : text_(of.text()),
          run_(assemble_kernel(text_, "given", choice(of.wormhole)), choice(of.wormhole), {}),
          choice_(choice(of.wormhole)),
          row_(rewriting::row::read(run_.kernel(), run_.kernel().words, run_.request().thread, true, assumed,
                                    &why)) {}

    std::string why;
    const std::optional<rewriting::row>& row() const { return row_; }

    /// Rows that one rule makes, all of them proved equal.
    std::vector<rewriting::row> by(const std::string& name) {
        std::vector<rewriting::row> made = made_by(name);
        for (const rewriting::row& each : made)
            EXPECT_EQ(verdict_of(each), equivalence_verdict::proved) << name << "\n" << text_;
        return made;
    }
    std::vector<rewriting::row> made_by(const std::string& name) {
        std::vector<rewriting::row> made;
        if (!row_) {
            ADD_FAILURE() << why;
            return made;
        }
        const auto& all = rewriting::rules();
        const auto rule = std::find_if(all.begin(), all.end(),
                                       [&](const rewriting::rule& each) { return name == each.name; });
        if (rule == all.end()) {
            ADD_FAILURE() << "no rule " << name;
            return made;
        }
        for (rewriting::site& each : rule->apply(*row_)) made.push_back(std::move(each.changed));
        return made;
    }
    /// Whether there are registers for its values.
    bool can_be_written(const rewriting::row& changed) const { return changed.text(text_).has_value(); }
    /// How the row as written again compares with what it was read from.
    equivalence_verdict verdict_of(const rewriting::row& changed) {
        const std::optional<std::string> text = changed.text(text_);
        if (!text) return equivalence_verdict::different;
        smt_solver solver;
        equivalence_options options;
        options.seeds = 1;
        options.solver = &solver;
        const equivalence_report report = compare(
            runner_, run_.kernel(), assemble_kernel(*text, "rewritten", choice_), choice_, {}, options);
        return report.equal ? report.verdict : equivalence_verdict::different;
    }

private:
    static machine_choice choice(bool wormhole) {
        machine_choice made;
        made.arch = wormhole ? "wh" : "bh";
        return made;
    }

    std::string text_;
    kernel_run run_;
    machine_choice choice_;
    std::optional<rewriting::row> row_;
    platform::core_runner runner_;
};

/// How often a rule applies; -1 where the row is none.
int sites(const short_kernel& of, const char* rule) {
    return static_cast<int>(rewriting_lab(of).by(rule).size());
}

const std::string load = "sfpload L0, INT32, stay, 0\n", store = "\nsfpstore L0, INT32, step, 0",
                  push = "sfppushc 0, 0, 0, 0\n", pop = "\nsfppopc 0, 0, 0, 0",
                  negative = "sfpsetcc 0, L0, L0, 0\n", all_on = "\nsfpencc 3, 0, 0, 10",
                  flags_unused = "sfpencc 2, 0, 0, 10";

TEST(rewriting, a_row_that_is_written_again_computes_the_same) {
    for (const bool wormhole : {false, true})
        for (const char* const body :
             {"sfpload L0, FP32, stay, 0\nsfpmov 0, L0, L1, 0\nsfpiadd 1, L1, L0, 5\nsfpadd L10, L0, L1, L0, "
              "0\n"
              "sfpnop\nsfpstore L0, FP32, step, 0",
              "sfpload L3, FP32, stay, 0\nsfppushc 0, 0, 0, 0\nsfpsetcc 0, L3, L0, 0\nsfploadi L3, LOWER, 7\n"
              "sfppopc 0, 0, 0, 0\nsfpstore L3, FP32, step, 0\nsfpstore L3, INT32, step, 64",
              "sfpload L2, INT32, stay, 0\nsfpiadd 0, L2, L6, 4\nsfpstore L6, INT32, step, 0"}) {
            rewriting_lab lab({body, "sfpencc 3, 0, 0, 10\nsfploadi L6, USHORT, 0", wormhole, {}});
            ASSERT_TRUE(lab.row()) << lab.why;
            EXPECT_EQ(lab.verdict_of(*lab.row()), equivalence_verdict::proved) << body;
        }
}

TEST(rewriting, a_row_that_is_not_understood_says_which_word) {
    rewriting_lab lab({"sfpload L0, FP32, stay, 0\nsfpmad L0, L10, L9, L1, INDIRECT_VA\nsfpnop" + store});
    EXPECT_FALSE(lab.row());
    EXPECT_NE(lab.why.find("L7"), std::string::npos) << lab.why;
}

TEST(rewriting, the_outermost_push_goes_only_where_all_flags_are_set_and_in_use) {
    const std::string body = load + push + negative + "sfploadi L0, USHORT, 1" + pop + store;
    EXPECT_EQ(sites({body}, "outermost-push"), 1);
    EXPECT_EQ(sites({body, flags_unused}, "outermost-push"), 0);
    const std::string nested = load + push + negative + push +
                               "sfpsetcc 0, L0, L0, 6\nsfploadi L0, USHORT, 1" + pop +
                               "\nsfploadi L0, USHORT, 2" + pop + store;
    EXPECT_EQ(sites({nested}, "outermost-push"), 1) << "the inner one stands under flags";
    const std::string replaced =
        load + push + negative + "sfppushc 0, 0, 0, 1\nsfploadi L0, USHORT, 1" + pop + all_on + store;
    EXPECT_EQ(sites({replaced}, "outermost-push"), 0) << "the body changes the top of the stack";
}

TEST(rewriting, flags_go_only_where_every_instruction_acts_on_the_same_lanes) {
    EXPECT_EQ(sites({load + negative + "sfpencc 3, 0, 0, 10" + store}, "needless-flags"), 1);
    EXPECT_EQ(sites({load + negative + "sfploadi L0, USHORT, 1" + all_on + store}, "needless-flags"), 0);
    EXPECT_EQ(sites({load + "sfpiadd 3, L0, L0, 1" + all_on + store}, "needless-code"), 1);
    EXPECT_EQ(
        sites({load + "sfpiadd 3, L0, L0, 1\nsfploadi L0, USHORT, 1" + all_on + store}, "needless-code"), 0);
}

TEST(rewriting, condition_codes_stand_beside_the_result_only_if_flags_are_in_use) {
    const std::string body =
        load + "sfpiadd 3, L0, L1, 5\nsfpsetcc 0, L1, L0, 0\nsfpmov 0, L1, L0, 0" + all_on + store;
    EXPECT_EQ(sites({body}, "code-beside-result"), 1);
    EXPECT_EQ(sites({body, flags_unused}, "code-beside-result"), 0);
    EXPECT_EQ(
        sites({load + "sfpiadd 3, L0, L1, 5\nsfpsetcc 0, L1, L0, 2\nsfpmov 0, L1, L0, 0" + all_on + store},
              "code-beside-result"),
        0)
        << "SFPIADD has no code for \"not zero\"";
    EXPECT_EQ(
        sites({load + "sfplz 0, L0, L1, 0\nsfpsetcc 0, L0, L0, 6\nsfpmov 0, L1, L0, 0" + all_on + store},
              "code-beside-result"),
        1);
    EXPECT_EQ(sites({load +
                     "sfpiadd 3, L0, L1, 5\nsfpmov 0, L1, L2, 0\nsfpsetcc 0, L1, L0, 0\n"
                     "sfpmov 0, L2, L0, 0" +
                     all_on + store},
                    "code-beside-result"),
              0)
        << "its result is read before the flags are set";
}

TEST(rewriting, a_flag_stays_a_flag_if_its_register_holds_one_of_two_constants) {
    const std::string flag = "sfploadi L1, USHORT, 0\n" + negative + "sfploadi L1, USHORT, 1" + all_on,
                      again = "\nsfpsetcc 0, L1, L0, 2\nsfploadi L0, USHORT, 7" + all_on;
    EXPECT_EQ(sites({load + flag + again + store}, "flag-stays-flag"), 1);
    EXPECT_EQ(
        sites({load + "sfpmov 0, L0, L1, 0\n" + negative + "sfploadi L1, USHORT, 1" + all_on + again + store},
              "flag-stays-flag"),
        0)
        << "elsewhere it is not a constant";
    EXPECT_EQ(sites({load + "sfploadi L1, USHORT, 2\n" + negative + "sfploadi L1, USHORT, 1" + all_on +
                     again + store},
                    "flag-stays-flag"),
              0)
        << "both constants are tested alike";
}

TEST(rewriting, temporaries_are_computed_in_all_lanes_unless_others_read_the_lanes_that_are_off) {
    EXPECT_EQ(sites({load + "sfpmov 0, L0, L1, 0\n" + negative + "sfpnot 0, L0, L2, 0\nsfpxor 0, L2, L0, 0" +
                     all_on + store},
                    "all-lanes"),
              1);
    EXPECT_EQ(
        sites({load + "sfploadi L2, USHORT, 3\n" + negative + "sfpnot 0, L0, L2, 0\nsfpxor 0, L2, L0, 0" +
               all_on + "\nsfpstore L2, INT32, stay, 64" + store},
              "all-lanes"),
        0)
        << "what it was before is stored where it is not computed";
    EXPECT_EQ(
        sites({load + negative + "sfplz 0, L0, L2, 2\nsfpxor 0, L2, L0, 0" + all_on + store}, "all-lanes"), 0)
        << "it writes flags";
}

TEST(rewriting, exchanges_go_to_all_lanes_only_if_neither_result_is_read_where_lanes_are_off) {
    const std::string begin = load + "sfpmov 0, L0, L1, 0\nsfploadi L2, USHORT, 3\n" + negative +
                              "sfpswap 0, L1, L2, 1\nsfpnop\nsfpmov 0, L2, L0, 0" + all_on;
    EXPECT_EQ(sites({begin + store}, "all-lanes"), 1);
    EXPECT_EQ(sites({begin + "\nsfpstore L1, INT32, stay, 64" + store}, "all-lanes"), 0);
    EXPECT_EQ(
        sites({load + "sfpmov 0, L0, L1, 0\n" + negative +
               "sfpmov 0, L9, L2, 2\nsfpswap 0, L1, L2, 1\nsfpnop\nsfpmov 0, L2, L0, 0" + all_on + store},
              "all-lanes"),
        1)
        << "an operand that is set in all lanes goes before it";
}

TEST(rewriting, constants_make_room_in_registers_that_nobody_uses) {
    // Six constants and three values at a time, of which the loop as given has two.
    const std::string body =
        load + negative +
        "sfpnot 0, L0, L1, 0\nsfpxor 0, L2, L0, 0\nsfpor 0, L3, L0, 0\nsfpand 0, L4, L0, 0\n"
        "sfpxor 0, L5, L0, 0\nsfpor 0, L6, L0, 0\nsfpand 0, L7, L0, 0\nsfpiadd 0, L1, L0, 4" +
        store + all_on;
    std::string init = "sfpencc 3, 0, 0, 10";
    for (unsigned lreg = 2; lreg < 8; ++lreg)
        init += "\nsfploadi L" + std::to_string(lreg) + ", USHORT, " + std::to_string(100 + lreg * 37);
    EXPECT_EQ(sites({body, init}, "all-lanes"), 1);
    const std::string used = "\n.constant L11, 3\n.constant L12, 5\n.constant L13, 7\n.constant L14, 9";
    const auto has_room = [&](const short_kernel& of) {
        rewriting_lab lab(of);
        const std::vector<rewriting::row> made = lab.made_by("all-lanes");
        return made.size() == 1 && lab.can_be_written(made.front());
    };
    EXPECT_TRUE(has_room({body, init}));
    EXPECT_FALSE(has_room({body, init + used})) << "other constants are there";
    std::string tail;
    for (unsigned lreg = 2; lreg < 8; ++lreg)
        tail += "sfpstore L" + std::to_string(lreg) + ", INT32, stay, 64\n";
    EXPECT_FALSE(has_room({body, init, false, tail})) << "they have to be there behind the loop";
}

TEST(rewriting, the_else_part_is_written_first_unless_it_reads_what_the_other_writes) {
    const std::string begin = load + push + negative;
    EXPECT_EQ(sites({begin + "sfploadi L1, USHORT, 1\nsfpcompc 0, 0, 0, 0\nsfploadi L1, USHORT, 2" + pop +
                     "\nsfpstore L1, INT32, step, 0"},
                    "else-first"),
              1);
    EXPECT_EQ(sites({load + "sfploadi L1, USHORT, 9\n" + push + negative +
                     "sfploadi L1, USHORT, 1\nsfpcompc 0, 0, 0, 0\nsfpnot 0, L1, L1, 0" + pop +
                     "\nsfpstore L1, INT32, step, 0"},
                    "else-first"),
              0);
    EXPECT_EQ(
        sites({begin + "sfploadi L0, USHORT, 1\nsfpsetcc 0, L0, L0, 2\nsfploadi L0, USHORT, 2" + pop + store},
              "else-first"),
        0)
        << "the second is not the rest of the lanes";
}

TEST(rewriting, a_store_is_predicated_only_in_modes_that_store_what_they_load) {
    const auto body = [](const std::string& mode, const std::string& between = {}) {
        return "sfpload L0, " + mode + ", stay, 0\n" + negative + "sfploadi L0, USHORT, 1" + all_on +
               between + "\nsfpstore L0, " + mode + ", step, 0";
    };
    for (const char* const mode : {"INT32", "INT32_SM", "UINT16", "INT16"})
        EXPECT_EQ(sites({body(mode)}, "predicated-store"), 1) << mode;
    for (const char* const mode : {"FP32", "BF16", "FP16", "INT8", "LO16", "HI16"})
        EXPECT_EQ(sites({body(mode)}, "predicated-store"), 0) << mode;
    short_kernel wormhole{body("FP32")};
    wormhole.wormhole = true;
    EXPECT_EQ(sites(wormhole, "predicated-store"), 1);
    EXPECT_EQ(sites({body("INT32", "\nsfpstore L9, INT32, stay, 0")}, "predicated-store"), 0)
        << "another store changes what lanes keep that are off";
}

TEST(rewriting, dead_code_goes_unless_it_steps_the_random_numbers) {
    EXPECT_EQ(sites({load + "sfpnot 0, L0, L1, 0" + store}, "dead-code"), 1);
    EXPECT_EQ(sites({load + "sfpstochrnd 1, 0, L0, L0, L1, 1" + store}, "dead-code"), 0);
    EXPECT_EQ(sites({load + "sfpload L1, INT32, step, 64" + store}, "dead-code"), 0)
        << "it moves the counter";
}

TEST(rewriting, moves_go_unless_the_next_row_changes_their_source) {
    EXPECT_EQ(sites({load + "sfpmov 0, L0, L1, 0\nsfpiadd 1, L1, L0, 5" + store}, "move"), 1);
    const std::string carried =
        "sfpmov 0, L6, L1, 0\n" + load + "sfpiadd 0, L0, L6, 4\nsfpstore L1, INT32, step, 0";
    EXPECT_EQ(sites({carried, "sfpencc 3, 0, 0, 10\nsfploadi L6, USHORT, 0"}, "move"), 0);
}

TEST(rewriting, loads_are_shared_unless_something_is_stored_in_between) {
    const std::string twice = "sfpload L1, INT32, stay, 0\nsfpiadd 0, L1, L0, 4";
    EXPECT_EQ(sites({load + twice + store}, "common-subexpression"), 1);
    EXPECT_EQ(sites({load + "sfpstore L9, INT32, stay, 0\n" + twice + store}, "common-subexpression"), 0);
    EXPECT_EQ(sites({load + "sfpnot 0, L0, L1, 0\n" + negative + "sfpnot 0, L0, L2, 0" + all_on +
                     "\nsfpiadd 0, L1, L0, 4\nsfpxor 0, L2, L0, 0" + store},
                    "common-subexpression"),
              0)
        << "lanes that are off keep what they had";
}

TEST(rewriting, constants_are_read_in_registers_that_hold_them) {
    EXPECT_EQ(sites({load + "sfploadi L1, FLOATB, 0x3f80\nsfpxor 0, L1, L0, 0" + store}, "constant"), 1);
    EXPECT_EQ(sites({load + "sfploadi L1, FLOATB, 0x4000\nsfpxor 0, L1, L0, 0" + store}, "constant"), 0);
    EXPECT_EQ(sites({load + "sfploadi L1, USHORT, 3\nsfpshft 4, L0, L1, 1\nsfpxor 0, L1, L0, 0" + store},
                    "constant"),
              1);
    const std::string some = load + negative + "sfploadi L0, USHORT, 5" + all_on + store;
    EXPECT_EQ(sites({some}, "constant-move"), 1);
    EXPECT_EQ(sites({load + negative + "sfploadi L0, UPPER, 5" + all_on + store}, "constant-move"), 0)
        << "it sets 16 of the 32 bits";
}

TEST(rewriting, a_move_runs_on_another_unit_if_that_keeps_every_bit) {
    const auto moved = [](const std::string& constant) {
        return load + negative + "sfpmov 0, " + constant + ", L0, 0" + all_on + store;
    };
    EXPECT_EQ(sites({moved("L10")}, "constant-on-mad"), 1);
    EXPECT_EQ(sites({moved("L9")}, "constant-on-mad"), 1);
    const std::string subnormal = "sfpencc 3, 0, 0, 10\nsfploadi L0, USHORT, 3\nsfpconfig 0, 11, 0";
    EXPECT_EQ(sites({moved("L11"), subnormal}, "constant-on-mad"), 0) << "a multiply-add makes it zero";
    EXPECT_EQ(sites({moved("L10")}, "move-on-round"), 1);
    EXPECT_EQ(sites({load + "sfpmov 0, L0, L0, 1" + store}, "move-on-round"), 0) << "it changes the sign";
}

/// L0 and L1: numbers of so many bits, as FP32; L7: 2^23.
std::string small_numbers(unsigned bits) {
    std::string text;
    for (const char* const lreg : {"L0", "L1"})
        text += std::string("sfpload ") + lreg + ", UINT16, stay, " + (lreg[1] == '0' ? "0" : "64") +
                "\nsfpshft -" + std::to_string(16 - bits) + ", L9, " + lreg + ", 1\nsfpcast " + lreg + ", " +
                lreg + ", 0\n";
    return text;
}
const std::string holds_two_to_the_23 = "sfpencc 3, 0, 0, 10\nsfploadi L7, FLOATB, 0x4b00";

TEST(rewriting, a_sum_that_is_rounded_to_an_integer_is_a_mantissa_where_it_is_an_integer_below_2_to_the_16) {
    const auto body = [](unsigned bits, const std::string& rounding) {
        return small_numbers(bits) + "sfpmad L0, L1, L9, L2, 0\nsfpnop\nsfpstochrnd " + rounding +
               "\nsfpstore L0, UINT16, step, 0";
    };
    for (const bool wormhole : {false, true}) {
        EXPECT_EQ(
            sites({body(8, "0, 0, L0, L2, L0, 6"), holds_two_to_the_23, wormhole, {}}, "integer-rounding"),
            1);
        EXPECT_EQ(
            sites({body(9, "0, 0, L0, L2, L0, 6"), holds_two_to_the_23, wormhole, {}}, "integer-rounding"), 0)
            << "it saturates";
        EXPECT_EQ(
            sites({body(8, "1, 0, L0, L2, L0, 6"), holds_two_to_the_23, wormhole, {}}, "integer-rounding"), 0)
            << "it takes a random number";
        EXPECT_EQ(
            sites({body(8, "0, 0, L0, L2, L0, 7"), holds_two_to_the_23, wormhole, {}}, "integer-rounding"), 0)
            << "another format";
    }
}

TEST(rewriting, mantissas_are_added_by_the_multiply_add_where_their_sum_has_room) {
    const auto body = [](unsigned bits, const std::string& behind = {}) {
        return small_numbers(bits) +
               "sfpmad L0, L1, L7, L2, 0\nsfpmad L0, L0, L7, L3, 0\nsfpnop\nsfpmad L1, L1, L3, L3, 0\n"
               "sfpnop\nsfpexman 0, L2, L2, 1\nsfpexman 0, L3, L3, 1\nsfpiadd 0, L2, L3, 4\n" +
               behind + "sfpstore L3, UINT16, step, 0";
    };
    for (const bool wormhole : {false, true}) {
        EXPECT_EQ(sites({body(8), holds_two_to_the_23, wormhole, {}}, "mantissa-sum"), 1);
        EXPECT_EQ(sites({body(11), holds_two_to_the_23, wormhole, {}}, "mantissa-sum"), 0)
            << "more than 2^23";
        EXPECT_EQ(
            sites({body(8, "sfpxor 0, L2, L3, 0\n"), holds_two_to_the_23, wormhole, {}}, "mantissa-sum"), 0)
            << "somebody else reads one of them";
    }
}

TEST(rewriting, a_value_waits_where_the_row_stores_if_nobody_else_needs_that_cell) {
    const auto body = [](const std::string& first, const std::string& before_store = {}) {
        return "sfpload L0, FP32, stay, 0\n" + first + "\nsfpmad L0, L1, L10, L2, 0\nsfpnop\n" +
               "sfpmad L2, L2, L1, L0, 0\nsfpnop\n" + before_store + "sfpstore L0, FP32, step, 0";
    };
    const std::string reciprocal = "sfparecip 0, L0, L1, 0", other = "sfpnot 0, L0, L1, 0";
    EXPECT_EQ(sites({body(reciprocal)}, "wait-in-cell"), 1) << "the other reader follows at once";
    EXPECT_EQ(sites({body(other)}, "wait-in-cell"), 1) << "it may be a denormal";
    short_kernel wormhole{body(other)};
    wormhole.wormhole = true;
    EXPECT_EQ(sites(wormhole, "wait-in-cell"), 1);
    EXPECT_EQ(sites({body(reciprocal, "sfpload L3, FP32, stay, 64\nsfpmad L0, L3, L9, L0, 0\nsfpnop\n")},
                    "wait-in-cell"),
              0)
        << "a load behind it may be of the same cell";
    EXPECT_EQ(sites({body(reciprocal, "sfpstore L2, FP32, stay, 64\n")}, "wait-in-cell"), 0);
    EXPECT_EQ(sites({body(reciprocal, "incrwc 0, 2, 0, 0\n")}, "wait-in-cell"), 0);
    EXPECT_EQ(sites({body(reciprocal, "sfpsetcc 0, L2, 0, 0\n") + all_on}, "wait-in-cell"), 0)
        << "some lanes keep what was there";
}

TEST(rewriting, rows_become_longer_only_where_somebody_asks) {
    rewriting_lab lab({"sfpload L0, FP32, stay, 0\nsfpnot 0, L0, L1, 0\nsfpmad L0, L1, L10, L2, 0\nsfpnop\n"
                       "sfpmad L2, L2, L1, L0, 0\nsfpnop\nsfpstore L0, FP32, step, 0"});
    ASSERT_TRUE(lab.row()) << lab.why;
    const auto lengthens = [](const rewriting::rewritten_row& each) {
        return each.applied.back().by->lengthens;
    };
    const std::vector<rewriting::rewritten_row> usual = rewriting::rewritings_of(*lab.row()),
                                                longer = rewriting::lengthened({*lab.row(), {}});
    EXPECT_TRUE(std::none_of(usual.begin(), usual.end(), lengthens));
    ASSERT_EQ(longer.size(), 1u);
    EXPECT_TRUE(lengthens(longer.front()));
    EXPECT_EQ(longer.front().changed.cost(), lab.row()->cost() + 2);
}

TEST(rewriting, all_sites_of_a_long_row_are_taken) {
    std::string body = load;
    constexpr int parts = 16;
    for (int i = 0; i < parts; ++i)
        body +=
            push + negative + "sfpxor 0, L0, L1, 0\nsfpnot 0, L0, L0, 0" + pop + "\nsfpiadd 5, L0, L0, 5\n";
    rewriting_lab lab({body + store});
    ASSERT_TRUE(lab.row()) << lab.why;
    const std::vector<rewriting::rewritten_row> found = rewriting::rewritings_of(*lab.row());
    ASSERT_FALSE(found.empty());
    for (const rewriting::step& each : found.front().changed.steps)
        EXPECT_FALSE(each.is(isa::opcode::sfppushc))
            << "there are more subsets of sites than rows are looked at";
}

TEST(rewriting, rows_that_were_made_before_somebody_stops_it_are_all) {
    rewriting_lab lab({load + push + negative + "sfpxor 0, L0, L1, 0\nsfpnot 0, L0, L0, 0" + pop + store});
    ASSERT_TRUE(lab.row()) << lab.why;
    unsigned asked = 0, most = 0;
    rewriting::rewriting_limits limits;
    limits.stopped = [&] { return asked++ >= most; };
    EXPECT_TRUE(rewriting::rewritings_of(*lab.row(), limits).empty());
    EXPECT_EQ(asked, 1u) << "no row is made after that";
    most = 12;
    asked = 0;
    const std::vector<rewriting::rewritten_row> some = rewriting::rewritings_of(*lab.row(), limits),
                                                all = rewriting::rewritings_of(*lab.row());
    EXPECT_EQ(asked, most + 1);
    EXPECT_FALSE(some.empty());
    EXPECT_LT(some.size(), all.size());
    for (rewriting::rewritten_row each : some)
        EXPECT_TRUE(each.changed.refresh()) << "a row that is there may be looked at";
}

TEST(rewriting, several_rules_leave_a_comparison_and_a_store_of_a_clamp_to_zero) {
    rewriting_lab lab({load + push + negative + "sfploadi L0, USHORT, 0" + pop + store});
    ASSERT_TRUE(lab.row());
    const std::vector<rewriting::rewritten_row> found = rewriting::rewritings_of(*lab.row());
    ASSERT_FALSE(found.empty());
    EXPECT_LE(found.front().changed.cost(), 4u);
    EXPECT_EQ(lab.verdict_of(found.front().changed), equivalence_verdict::proved);
}

} // namespace
} // namespace sfpu::test
