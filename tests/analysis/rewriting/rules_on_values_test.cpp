// Rules on values: where each applies it is proved, for every input, and where its condition does not hold it
// does not apply.
#include "kernel_file.h"

#include <sfpu/analysis/kernel_comparison.h>
#include <sfpu/analysis/rewriting.h>
#include <sfpu/analysis/smt_solver.h>
#include <sfpu/isa/machine.h>
#include <sfpu/platform/core_runner.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace sfpu::test {
namespace {

using namespace analysis;

/// A row behind "flags in use, all set".
struct rule_case {
    const char* name; ///< of the rule
    architecture arch;
    const char* init;
    const char* body;
};
constexpr architecture bh = architecture::blackhole, wh = architecture::wormhole;

class case_lab {
public:
    explicit case_lab(const rule_case& of) : of_(of), text_(text_of(of)), kernel_(assembled(text_)) {
        isa::thread_state thread;
        thread.reset(of.arch);
        row_ = rewriting::row::read(kernel_, words_, thread, true, {}, &why_);
        if (!row_) ADD_FAILURE() << why_ << "\n" << text_;
    }

    std::vector<rewriting::site> sites() const {
        for (const rewriting::rule& each : rewriting::rules())
            if (std::string(each.name) == of_.name)
                return row_ ? each.apply(*row_) : std::vector<rewriting::site>{};
        ADD_FAILURE() << "no rule " << of_.name;
        return {};
    }
    std::vector<rewriting::rewritten_row> all() const {
        return row_ ? rewriting::rewritings_of(*row_) : std::vector<rewriting::rewritten_row>{};
    }
    std::string text(const rewriting::row& of) const { return of.text(text_).value_or(""); }

    std::string verdict_on(const rewriting::row& of) const {
        const std::string changed = text(of);
        if (changed.empty()) return "no registers";
        platform::core_runner runner;
        smt_solver solver;
        equivalence_options how;
        how.seeds = 1;
        how.solver = &solver;
        how.solver_seconds = 60; // of a busy machine
        const equivalence_report report = compare(runner, kernel_, assembled(changed), {}, 2u, how);
        return to_string(report.verdict) + (report.not_proved.empty() ? "" : ": " + report.not_proved);
    }

private:
    static std::string text_of(const rule_case& of) {
        const bool is_wormhole = of.arch == wh;
        return fmt::format(
            ".arch {}\n.rows 2\n.equ step, {}\n.equ stay, {}\n.init\n{}sfpencc 3, 0, 0, 10\n{}\n"
            ".loop\n{}\n",
            is_wormhole ? "wh" : "bh", is_wormhole ? 2 : 6, is_wormhole ? 3 : 7,
            is_wormhole ? "setc16 2, 1\nsetc16 29, 2\nsetc16 30, 0\n" : "setc16 34, 2\nsetc16 35, 0\n",
            of.init, of.body);
    }
    isa::kernel assembled(const std::string& text) const {
        const isa::assembly made = isa::assemble(text, "test", words_);
        if (!made.ok()) throw std::runtime_error(made.errors.front().to_string() + "\n" + text);
        return made.program;
    }

    rule_case of_;
    isa::word_encoding words_{of_.arch};
    std::string text_, why_;
    isa::kernel kernel_;
    std::optional<rewriting::row> row_;
};

// What rows are made of. x is L0.
#define LOAD "sfpload L0, FP32, stay, 0\n"
#define LOAD_INT "sfpload L0, INT32, stay, 0\n"
#define STORE "sfpstore L0, FP32, step, 0\n"
#define STORE_INT "sfpstore L0, INT32, step, 0\n"
#define END_IF "sfpencc 0, 0, 0, 0\n"
#define LESS_THAN_L12 "sfpmad L0, L10, L13, L1, 0\nsfpnop\nsfpsetcc 0, L1, 0, 0\n" // L13 is -L12
#define AT_LEAST_L12 "sfpmad L0, L10, L13, L1, 0\nsfpnop\nsfpsetcc 0, L1, 0, 4\n"
#define BOUNDS(k) ".constant L12, " k "\n.constant L13, -" k "\n"
#define PAIR LOAD_INT "sfpload L1, INT32, stay, 0x40\n"
#define CLAMP ".constant L12, -1.5\n.constant L13, 1.5\n.constant L14, 2.5\n.constant L11, -2.5\n"
// v_if(x < -1.5) x = k; v_elseif(x >= 2.5) x = l
#define CLAMPED(k, l)                                                                                        \
    "sfpmad L0, L10, L13, L1, 0\nsfpnop\nsfpsetcc 0, L1, 0, 0\nsfpmov 0, " k ", L0, 0\n"                     \
    "sfpcompc 0, 0, 0, 0\nsfpmad L0, L10, L11, L1, 0\nsfpnop\nsfpsetcc 0, L1, 0, 4\n"                        \
    "sfpmov 0, " l ", L0, 0\n" END_IF
#define COUNTS ".constant L1, 2147483648.0\n.constant L0, 0\n"

const rule_case applying[] = {
    // Minima and maxima with zero: whatever x is.
    {"minimum-maximum", bh, "", LOAD "sfpsetcc 0, L0, 0, 0\nsfpmov 0, L9, L0, 0\n" END_IF STORE},
    {"minimum-maximum", wh, "", LOAD "sfpsetcc 0, L0, 0, 0\nsfpmov 0, L9, L0, 0\n" END_IF STORE},
    {"minimum-maximum", bh, "", LOAD "sfpsetcc 0, L0, 0, 4\nsfploadi L0, FLOATB, 0\n" END_IF STORE},
    {"minimum-maximum", bh, "", LOAD "sfpsetcc 0, L0, 0, 0\nsfploadi L0, FLOATB, 0x8000\n" END_IF STORE},
    {"minimum-maximum", bh, "",
     LOAD "sfpsetcc 0, L0, 0, 4\nsfpsetcc 0, L0, 0, 2\nsfpmov 0, L9, L0, 0\n" END_IF STORE},
    // With another constant: Wormhole always, Blackhole without negative NaNs.
    {"minimum-maximum", wh, BOUNDS("1.5"), LOAD LESS_THAN_L12 "sfpmov 0, L12, L0, 0\n" END_IF STORE},
    {"minimum-maximum", wh, BOUNDS("1.5"), LOAD AT_LEAST_L12 "sfpmov 0, L12, L0, 0\n" END_IF STORE},
    {"minimum-maximum", wh, BOUNDS("0x0c800000") ".constant L13, 0x8c800000\n",
     LOAD LESS_THAN_L12 "sfpmov 0, L12, L0, 0\n" END_IF STORE_INT},
    {"minimum-maximum", bh, BOUNDS("1.5"),
     LOAD "sfpmad L0, L0, L9, L0, 0\nsfpnop\n" LESS_THAN_L12 "sfpmov 0, L12, L0, 0\n" END_IF STORE},
    {"minimum-behind-move", bh, BOUNDS("1.5"), LOAD AT_LEAST_L12 "sfpmov 0, L12, L0, 0\n" END_IF STORE},
    // Signs.
    {"sign-by-field", bh, "", LOAD "sfpsetcc 0, L0, 0, 0\nsfpmov 0, L0, L0, 1\n" END_IF STORE},
    {"sign-by-field", wh, "", LOAD "sfpsetcc 0, L0, 0, 4\nsfpmov 0, L0, L0, 1\n" END_IF STORE},
    {"sign-by-field", bh, "", LOAD_INT "sfpsetcc 0, L0, 0, 0\nsfpiadd 0, L9, L0, 6\n" END_IF STORE_INT},
    // The else-part of a clamp: where x became the lower bound it is not above the upper one.
    {"else-if-alone", wh, CLAMP, LOAD CLAMPED("L12", "L14") STORE},
    {"else-if-alone", bh, CLAMP, LOAD CLAMPED("L12", "L14") STORE},
    // One side of an exchange.
    {"exchange-one-way", bh, "",
     PAIR "sfpsetcc 0, L0, 0, 0\nsfpswap 0, L1, L0, 0\nsfpnop\n" END_IF STORE_INT},
    {"exchange-one-way", wh, "",
     PAIR "sfpsetcc 0, L1, 0, 0\nsfpswap 0, L0, L1, 0\nsfpnop\n" END_IF STORE_INT},
    {"exchange-one-way", bh, "", PAIR "sfpswap 0, L0, L1, 0\nsfpnop\n" STORE_INT},
    // Choices between constants.
    {"constant-by-sign", bh, "",
     LOAD "sfploadi L1, FLOATB, 0\nsfpsetcc 0, L0, 0, 0\nsfploadi L1, FLOATB, 0x3f80\n" END_IF
          "sfpstore L1, FP32, step, 0\n"},
    {"constant-by-sign", wh, "",
     LOAD_INT "sfploadi L1, USHORT, 1\nsfpsetcc 0, L0, 0, 0\nsfploadi L1, USHORT, 0\n" END_IF
              "sfpstore L1, INT32, step, 0\n"},
    {"constant-by-sign", bh, "",
     LOAD "sfploadi L1, FLOATB, 0\nsfpsetcc 0, L0, 0, 6\nsfploadi L1, FLOATB, 0x3f80\n" END_IF
          "sfpstore L1, FP32, step, 0\n"},
    {"constant-by-sign", wh, "",
     LOAD "sfploadi L1, FLOATB, 0x4040\nsfpsetcc 0, L0, 0, 0\nsfploadi L1, FLOATB, 0xbf00\n" END_IF
          "sfpstore L1, FP32, step, 0\n"},
    {"constant-by-index", bh, "",
     LOAD "sfploadi L1, FLOATB, 0x7f80\nsfpsetcc 0, L0, 0, 2\nsfploadi L1, FLOATB, 0x8080\n" END_IF
          "sfpstore L1, FP32, step, 0\n"},
    {"constant-by-index", wh, "",
     LOAD "sfploadi L1, FLOATB, 0\nsfpsetcc 0, L0, 0, 4\nsfploadi L1, FLOATB, 0xff80\n" END_IF
          "sfpstore L1, FP32, step, 0\n"},
    {"constant-by-mask", bh, "",
     LOAD "sfploadi L1, FLOATB, 0\nsfpsetcc 0, L0, 0, 4\nsfpsetcc 0, L0, 0, 2\nsfploadi L1, FLOATB, "
          "0x3f80\n" END_IF "sfpstore L1, FP32, step, 0\n"},
    // SFPGT and SFPLE: whatever the numbers are, also of two registers.
    {"minimum-by-order", bh, "", PAIR "sfpgt 0, L1, L0, 1\nsfpmov 0, L1, L0, 0\n" END_IF STORE_INT},
    {"minimum-by-order", bh, "", PAIR "sfpgt 0, L0, L1, 1\nsfpmov 0, L1, L0, 0\n" END_IF STORE_INT},
    {"minimum-by-order", bh, "", PAIR "sfple 0, L1, L0, 1\nsfpmov 0, L1, L0, 0\n" END_IF STORE_INT},
    {"minimum-by-order", bh, "", PAIR "sfple 0, L0, L1, 1\nsfpmov 0, L1, L0, 0\n" END_IF STORE_INT},
    {"minimum-by-order", bh, ".constant L12, 0x7fc12345\n",
     LOAD_INT "sfpgt 0, L12, L0, 1\nsfpmov 0, L12, L0, 0\n" END_IF STORE_INT},
    {"minimum-by-order", bh, "", LOAD_INT "sfpgt 0, L0, L9, 1\nsfploadi L0, USHORT, 0\n" END_IF STORE_INT},
    {"constant-by-order", bh, "",
     PAIR "sfploadi L2, USHORT, 0\nsfpgt 0, L1, L0, 1\nsfploadi L2, FLOATB, 0x7fc0\n" END_IF
          "sfpstore L2, INT32, step, 0\n"},
    {"constant-by-order", bh, "",
     PAIR "sfploadi L2, SHORT, -1\nsfpgt 0, L1, L0, 1\nsfploadi L2, USHORT, 0\n" END_IF
          "sfpstore L2, INT32, step, 0\n"},
    {"constant-by-order", bh, "",
     PAIR "sfploadi L2, USHORT, 0\nsfple 0, L1, L0, 1\nsfploadi L2, USHORT, 1\n" END_IF
          "sfpstore L2, INT32, step, 0\n"},
    // x < 1.5, x >= 1.5 and x > 1.5 of a result of Blackhole's MAD, where something else is chosen.
    {"comparison-by-order", bh, BOUNDS("1.5"),
     LOAD "sfpmad L0, L0, L9, L0, 0\nsfpnop\n" LESS_THAN_L12 "sfpmov 0, L11, L0, 0\n" END_IF STORE_INT},
    {"comparison-by-order", bh, BOUNDS("1.5"),
     LOAD "sfpmad L0, L0, L9, L0, 0\nsfpnop\n" AT_LEAST_L12 "sfpmov 0, L11, L0, 0\n" END_IF STORE_INT},
    {"comparison-by-order", bh, BOUNDS("1.5"),
     LOAD "sfpmad L0, L0, L9, L0, 0\nsfpnop\n" AT_LEAST_L12
          "sfpsetcc 0, L1, 0, 2\nsfpmov 0, L11, L0, 0\n" END_IF STORE_INT},
    // What SRCB stands for has no denormals on Blackhole, nor has FP16.
    {"minimum-behind-move", bh, BOUNDS("1.5"),
     "sfpload L0, SRCB, stay, 0\n" AT_LEAST_L12 "sfpmov 0, L12, L0, 0\n" END_IF
     "sfpstore L0, SRCB, step, 0\n"},
    {"minimum-behind-move", bh, BOUNDS("1.5"),
     LOAD AT_LEAST_L12 "sfpmov 0, L12, L0, 0\n" END_IF "sfpstore L0, FP16, step, 0\n"},
    // Additions by INDIRECT_VA: of a converted magnitude, and of one with the integer's sign.
    {"addition-by-index", bh, ".constant L12, 2147483648.0\n" COUNTS,
     "sfpload L2, INT32, stay, 0\nsfpsetsgn 0, L2, L3, 1\nsfpcast L3, L3, 0\nsfpsetcc 0, L2, 0, 0\n"
     "sfpadd L10, L12, L3, L3, 0\n" END_IF "sfpstore L3, FP32, step, 0\n"},
    {"addition-by-index", wh, ".constant L12, 2147483648.0\n", // the rule sets L0 and L1
     "sfpload L2, INT32, stay, 0\nsfpsetsgn 0, L2, L3, 1\nsfpcast L3, L3, 0\nsfpsetcc 0, L2, 0, 0\n"
     "sfpadd L10, L12, L3, L3, 0\n" END_IF "sfpstore L3, FP32, step, 0\n"},
    {"addition-by-index", wh, ".constant L12, 2147483648.0\n" COUNTS,
     "sfpload L2, INT32, stay, 0\nsfpabs 0, L2, L3, 0\nsfpcast L3, L4, 0\nsfpsetsgn 0, L4, L2, 0\n"
     "sfpsetcc 0, L3, 0, 0\nsfpadd L10, L12, L2, L2, 0\n" END_IF "sfpnop\nsfpstore L2, FP32, step, 0\n"},
    // Formats.
    {"store-format", bh, ".constant L12, 0xffff0000\n",
     LOAD "sfpand 0, L12, L0, 0\nsfpstore L0, BF16, step, 0\n"},
    {"store-format", wh, ".constant L12, 0xffff\n",
     LOAD_INT "sfpand 0, L12, L0, 0\nsfpstore L0, UINT16, step, 0\n"},
    {"store-format", bh, "", LOAD_INT "sfpshft -16, L0, L0, 1\nsfpstore L0, UINT16, step, 0\n"},
    {"load-format", wh, "",
     "sfpload L0, UINT16, stay, 0\nsfpshft 16, L0, L0, 1\nsfpstore L0, INT32, step, 0x40\n"},
    // Multiply-adds.
    {"negation-by-modifier", bh, "", LOAD "sfpmov 0, L0, L1, 1\nsfpmad L1, L0, L10, L0, 0\nsfpnop\n" STORE},
    {"negation-by-modifier", bh, "", LOAD "sfpmov 0, L0, L1, 1\nsfpmad L0, L0, L1, L0, 0\nsfpnop\n" STORE},
    {"negation-by-modifier", wh, BOUNDS("1.5"),
     LOAD "sfpmov 0, L0, L1, 1\nsfpmad L1, L12, L10, L0, 0\nsfpnop\n" STORE},
    {"identity", bh, "",
     LOAD_INT "sfpsetsgn 0, L0, L0, 1\nsfpcast L0, L0, 0\nsfpmad L0, L10, L9, L0, 0\nsfpnop\n" STORE},
    {"power-of-two", wh, ".constant L12, 0x3f800000\n.constant L13, 4.0\n.constant L14, 0xff800000\n",
     LOAD_INT "sfpsetexp 130, L0, L0, 1\nsfpmad L0, L13, L9, L0, 0\nsfpnop\n" STORE},
};

TEST(rules_on_values, each_that_applies_is_proved_for_every_input) {
    for (const rule_case& each : applying) {
        SCOPED_TRACE(std::string(each.name) + "\n" + each.init + each.body);
        const case_lab lab(each);
        const std::vector<rewriting::site> sites = lab.sites();
        EXPECT_FALSE(sites.empty());
        for (const rewriting::site& at : sites)
            EXPECT_EQ(lab.verdict_on(at.changed), "proved") << lab.text(at.changed);
    }
}

const rule_case not_applying[] = {
    // A negative NaN is not less than a constant where numbers are compared by subtraction.
    {"minimum-maximum", bh, BOUNDS("1.5"), LOAD LESS_THAN_L12 "sfpmov 0, L12, L0, 0\n" END_IF STORE},
    {"minimum-maximum", bh, BOUNDS("1.5"), LOAD AT_LEAST_L12 "sfpmov 0, L12, L0, 0\n" END_IF STORE},
    // A lower bound leaves NaNs alone, which a move would change.
    {"minimum-behind-move", bh, BOUNDS("1.5"), LOAD LESS_THAN_L12 "sfpmov 0, L12, L0, 0\n" END_IF STORE},
    // The move would make denormals zero, which this store shows.
    {"minimum-behind-move", bh, BOUNDS("1.5"), LOAD AT_LEAST_L12 "sfpmov 0, L12, L0, 0\n" END_IF STORE_INT},
    // Below 2^-102 the difference vanishes.
    {"minimum-maximum", wh, BOUNDS("0x0c000000") ".constant L13, 0x8c000000\n",
     LOAD LESS_THAN_L12 "sfpmov 0, L12, L0, 0\n" END_IF STORE},
    // It is not the constant that x is compared with.
    {"minimum-maximum", wh, BOUNDS("1.5"), LOAD LESS_THAN_L12 "sfpmov 0, L10, L0, 0\n" END_IF STORE},
    // x > 0 leaves +0, which -0 is less than.
    {"minimum-maximum", bh, "",
     LOAD "sfpsetcc 0, L0, 0, 4\nsfpsetcc 0, L0, 0, 2\nsfploadi L0, FLOATB, 0x8000\n" END_IF STORE},
    // The first part sets x to what the second one tests for.
    {"else-if-alone", wh, CLAMP, LOAD CLAMPED("L14", "L12") STORE},
    // Where x became the lower bound another value is set.
    {"else-if-alone", wh, CLAMP,
     LOAD "sfpload L2, FP32, stay, 0x40\nsfpmad L0, L10, L13, L1, 0\nsfpnop\nsfpsetcc 0, L1, 0, 0\n"
          "sfpmov 0, L12, L0, 0\nsfpcompc 0, 0, 0, 0\nsfpmad L0, L10, L11, L1, 0\nsfpnop\n"
          "sfpsetcc 0, L1, 0, 4\nsfpmov 0, L14, L2, 0\n" END_IF "sfpstore L2, FP32, stay, 0x40\n" STORE},
    // Both sides are read.
    {"exchange-one-way", bh, "",
     PAIR "sfpsetcc 0, L0, 0, 0\nsfpswap 0, L1, L0, 0\nsfpnop\n" END_IF
          "sfpstore L1, INT32, stay, 0x40\n" STORE_INT},
    // It puts the lesser one first.
    {"exchange-one-way", bh, "", PAIR "sfpswap 0, L1, L0, 1\nsfpnop\n" STORE_INT},
    // Another value's sign.
    {"sign-by-field", bh, "",
     LOAD "sfpload L1, FP32, stay, 0x40\nsfpsetcc 0, L1, 0, 0\nsfpmov 0, L0, L0, 1\n" END_IF STORE},
    // No line: 0 times an infinite slope.
    {"constant-by-sign", bh, "",
     LOAD "sfploadi L1, FLOATB, 0\nsfpsetcc 0, L0, 0, 0\nsfploadi L1, FLOATB, 0x7f80\n" END_IF
          "sfpstore L1, FP32, step, 0\n"},
    // -0, a denormal or a NaN is not what 1 x c + 0 makes of it.
    {"constant-by-index", bh, "",
     LOAD "sfploadi L1, FLOATB, 0\nsfpsetcc 0, L0, 0, 0\nsfploadi L1, FLOATB, 0x8000\n" END_IF
          "sfpstore L1, FP32, step, 0\n"},
    {"constant-by-index", wh, "",
     LOAD "sfploadi L1, FLOATB, 0x3f80\nsfpsetcc 0, L0, 0, 0\nsfploadi L1, USHORT, 1\n" END_IF
          "sfpstore L1, FP32, step, 0\n"},
    {"constant-by-index", wh, "",
     LOAD "sfploadi L1, FLOATB, 0x3f80\nsfpsetcc 0, L0, 0, 0\nsfploadi L1, FLOATB, 0x7fc0\n" END_IF
          "sfpstore L1, FP32, step, 0\n"},
    // L1 holds something else that the row reads.
    {"constant-by-index", wh, ".constant L1, 3.0\n",
     LOAD "sfploadi L2, FLOATB, 0\nsfpsetcc 0, L0, 0, 0\nsfploadi L2, FLOATB, 0x3f80\n" END_IF
          "sfpstore L2, FP32, stay, 0x40\nsfpmul L2, L1, L9, L2, 0\nsfpnop\nsfpstore L2, FP32, step, 0\n"},
    {"constant-by-mask", wh, "",
     LOAD "sfploadi L1, FLOATB, 0\nsfpsetcc 0, L0, 0, 4\nsfpsetcc 0, L0, 0, 2\nsfploadi L1, FLOATB, "
          "0x3f80\n" END_IF "sfpstore L1, FP32, step, 0\n"},
    // The third register is neither of those that are compared.
    {"minimum-by-order", bh, "",
     PAIR "sfpload L2, INT32, stay, 0x80\nsfpgt 0, L1, L0, 1\nsfpmov 0, L2, L0, 0\n" END_IF STORE_INT},
    // What is chosen is not changed where the comparison does not hold.
    {"minimum-by-order", bh, "", PAIR "sfpgt 0, L1, L0, 1\nsfpmov 0, L1, L0, 1\n" END_IF STORE_INT},
    {"constant-by-order", bh, "",
     PAIR "sfploadi L2, USHORT, 3\nsfpgt 0, L1, L0, 1\nsfploadi L2, USHORT, 1\n" END_IF
          "sfpstore L2, INT32, step, 0\n"},
    // x may be a negative NaN, which a difference is not; Wormhole has no SFPGT; below 2^-102.
    {"comparison-by-order", bh, BOUNDS("1.5"), LOAD LESS_THAN_L12 "sfpmov 0, L11, L0, 0\n" END_IF STORE_INT},
    {"comparison-by-order", wh, BOUNDS("1.5"),
     LOAD "sfpsetsgn 0, L0, L0, 1\n" LESS_THAN_L12 "sfpmov 0, L11, L0, 0\n" END_IF STORE_INT},
    {"comparison-by-order", bh, BOUNDS("0x0c000000") ".constant L13, 0x8c000000\n",
     LOAD "sfpmad L0, L0, L9, L0, 0\nsfpnop\n" LESS_THAN_L12 "sfpmov 0, L11, L0, 0\n" END_IF STORE_INT},
    // The difference is stored, too.
    {"comparison-by-order", bh, BOUNDS("1.5"),
     LOAD "sfpmad L0, L0, L9, L0, 0\nsfpnop\n" LESS_THAN_L12 "sfpmov 0, L11, L0, 0\n" END_IF
          "sfpstore L1, INT32, stay, 0x40\n" STORE_INT},
    {"minimum-behind-move", wh, BOUNDS("1.5"),
     "sfpload L0, SRCB, stay, 0\n" AT_LEAST_L12 "sfpmov 0, L12, L0, 0\n" END_IF
     "sfpstore L0, SRCB, step, 0\n"},
    // What may be -0, denormal or a NaN does not survive 0 x 1 + y.
    {"addition-by-index", bh, ".constant L12, 2147483648.0\n" COUNTS,
     "sfpload L2, INT32, stay, 0\nsfpsetcc 0, L2, 0, 0\nsfpadd L10, L12, L2, L2, 0\n" END_IF
     "sfpnop\nsfpstore L2, INT32, step, 0\n"},
    {"addition-by-index", bh, ".constant L12, 2147483648.0\n" COUNTS,
     "sfpload L2, INT32, stay, 0\nsfpload L3, INT32, stay, 0x40\nsfpcast L3, L3, 0\nsfpsetcc 0, L2, 0, 0\n"
     "sfpadd L10, L12, L3, L3, 0\n" END_IF "sfpnop\nsfpstore L3, INT32, step, 0\n"},
    // L1 is another constant, which the row reads.
    {"addition-by-index", bh, ".constant L12, 2147483648.0\n.constant L1, 3.0\n",
     "sfpload L2, INT32, stay, 0\nsfpsetsgn 0, L2, L3, 1\nsfpcast L3, L3, 0\nsfpsetcc 0, L2, 0, 0\n"
     "sfpadd L10, L12, L3, L3, 0\n" END_IF
     "sfpnop\nsfpmul L3, L1, L9, L3, 0\nsfpnop\nsfpstore L3, FP32, step, 0\n"},
    // Masks and shifts that are not the store's.
    {"store-format", bh, ".constant L12, 0xffff8000\n",
     LOAD "sfpand 0, L12, L0, 0\nsfpstore L0, BF16, step, 0\n"},
    {"store-format", bh, "", LOAD_INT "sfpshft -15, L0, L0, 1\nsfpstore L0, UINT16, step, 0\n"},
    {"store-format", wh, ".constant L12, 0xffff0000\n", LOAD "sfpand 0, L12, L0, 0\n" STORE},
    {"load-format", bh, "",
     "sfpload L0, UINT16, stay, 0\nsfpmov 0, L0, L1, 0\nsfpshft 16, L0, L0, 1\nsfpstore L0, INT32, step, "
     "0x40\n"
     "sfpstore L1, INT32, stay, 0x40\n"},
    {"negation-by-modifier", wh, "", LOAD "sfpmov 0, L0, L1, 1\nsfpmad L1, L0, L10, L0, 0\nsfpnop\n" STORE},
    // -0, denormals and NaNs are changed by 1 x + 0.
    {"identity", bh, "", LOAD "sfpmad L0, L10, L9, L0, 0\nsfpnop\n" STORE},
    {"identity", wh, "", LOAD_INT "sfpcast L0, L0, 0\nsfpmad L0, L10, L9, L0, 0\nsfpnop\n" STORE},
    // Zeros, infinities, and products that are none.
    {"power-of-two", bh, ".constant L13, 4.0\n", LOAD "sfpmad L0, L13, L9, L0, 0\nsfpnop\n" STORE},
    {"power-of-two", bh, ".constant L13, 4.0\n",
     LOAD_INT "sfpsetexp 253, L0, L0, 1\nsfpmad L0, L13, L9, L0, 0\nsfpnop\n" STORE},
    {"power-of-two", bh, ".constant L13, 3.0\n",
     LOAD_INT "sfpsetexp 130, L0, L0, 1\nsfpmad L0, L13, L9, L0, 0\nsfpnop\n" STORE},
};

TEST(rules_on_values, none_applies_where_its_condition_does_not_hold) {
    for (const rule_case& each : not_applying) {
        SCOPED_TRACE(std::string(each.name) + "\n" + each.init + each.body);
        EXPECT_TRUE(case_lab(each).sites().empty());
    }
}

/// Both bounds: on Blackhole NaNs become the upper one.
TEST(rules_on_values, a_clamp_is_two_exchanges_and_on_blackhole_a_move) {
    for (const architecture arch : {bh, wh}) {
        const rule_case clamp{
            "", arch, ".constant L12, 1.5\n.constant L13, -1.5\n.constant L14, -2.5\n.constant L11, 2.5\n",
            LOAD
            "sfpmad L0, L10, L12, L1, 0\nsfpnop\nsfpsetcc 0, L1, 0, 0\nsfpmov 0, L13, L0, 0\n" END_IF
            "sfpmad L0, L10, L14, L1, 0\nsfpnop\nsfpsetcc 0, L1, 0, 4\nsfpmov 0, L11, L0, 0\n" END_IF STORE};
        const case_lab lab(clamp);
        const std::vector<rewriting::rewritten_row> found = lab.all();
        ASSERT_FALSE(found.empty());
        const rewriting::row& best = found.front().changed;
        EXPECT_EQ(best.cost(), arch == bh ? 5u : 4u) << lab.text(best);
        EXPECT_EQ(lab.verdict_on(best), "proved") << lab.text(best);
    }
}

/// 40 words that are published, for 32 bits in chunks of 11: what is left has no exponents and no lane flags.
TEST(rules_on_values, sums_of_products_on_wormhole_become_integers_by_their_mantissas) {
    const isa::kernel plain = load_kernel("mul32_wh.s", wh);
    const isa::word_encoding words{wh};
    isa::thread_state thread;
    thread.reset(wh);
    std::string why;
    const auto row = rewriting::row::read(plain, words, thread, false, {}, &why);
    ASSERT_TRUE(row) << why;
    bool is_found = false;
    for (const rewriting::rewritten_row& each : rewriting::rewritings_of(*row)) {
        const auto biased = std::count_if(each.applied.begin(), each.applied.end(), [](const auto& by) {
            return std::string(by.by->name) == "integer-sum-bias";
        });
        if (biased == 0 || each.changed.cost() > 27) continue;
        // 2 loads, 24 instructions and a store.
        const auto text = each.changed.text("");
        ASSERT_TRUE(text);
        const isa::assembly made = isa::assemble(*text, "test", words);
        ASSERT_TRUE(made.ok()) << *text;
        platform::core_runner runner;
        equivalence_options how;
        how.seeds = 1;
        const equivalence_report report = compare(runner, plain, made.program, {}, 32u, how);
        EXPECT_EQ(to_string(report.verdict), std::string("proved")) << report.not_proved << *text;
        const std::vector<std::string>& named = report.rests_on.rules;
        EXPECT_NE(std::find(named.begin(), named.end(), "polynomials of bits modulo 2^32"), named.end());
        EXPECT_EQ(std::find(named.begin(), named.end(), "a solver for bits"), named.end());
        is_found = true;
        break;
    }
    EXPECT_TRUE(is_found);
}

#undef LOAD
#undef LOAD_INT
#undef STORE
#undef STORE_INT
#undef END_IF
#undef LESS_THAN_L12
#undef AT_LEAST_L12
#undef BOUNDS
#undef PAIR
#undef CLAMP
#undef CLAMPED
#undef COUNTS

} // namespace
} // namespace sfpu::test
