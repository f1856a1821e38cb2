// What is wrong in a kernel file is told with its place.
#include "assembler_rig.h"
#include "chips.h"

#include <sfpu/isa/assembler.h>

#include <gtest/gtest.h>

#include <ostream>
#include <random>
#include <string>

namespace sfpu::isa {
namespace {

using test::bh, test::wh;

struct mistake {
    architecture arch;
    const char* source;
    unsigned line, column;
    const char* message;
};

void PrintTo(const mistake& what, std::ostream* out) { *out << what.source; }

class assembler_mistake : public testing::TestWithParam<mistake> {};

TEST_P(assembler_mistake, is_reported_with_its_place) {
    const assembly result = assemble(GetParam().source, "k.s", GetParam().arch);
    ASSERT_EQ(result.errors.size(), 1u) << all_errors(result);
    const source_error& error = result.errors[0];
    EXPECT_EQ(error.message, GetParam().message);
    EXPECT_EQ(error.line, GetParam().line);
    EXPECT_EQ(error.column, GetParam().column);
}

const mistake mistakes[] = {
    // instructions
    {bh, "nop\n  sfpshift 1, L0, L0, 1\n", 2, 3, "unknown instruction 'sfpshift'; did you mean 'sfpshft'?"},
    {bh, "quite_something_else", 1, 1, "unknown instruction 'quite_something_else'"},
    {wh, "sfple 0, L0, L1, 1", 1, 1, "sfple does not exist on Wormhole, only on Blackhole"},
    {wh, "sfpgt 0, L0, L1, 1", 1, 1, "sfpgt does not exist on Wormhole, only on Blackhole"},
    {wh, "sfpmul24 L0, L0, L9, L0, 0", 1, 1, "sfpmul24 does not exist on Wormhole, only on Blackhole"},
    {wh, " sfparecip 0, L0, L1, 0", 1, 2, "sfparecip does not exist on Wormhole, only on Blackhole"},
    {bh, "sfpload L0, INT32, ADDR_MOD_7", 1, 1,
     "sfpload takes 4 operands (lreg, mode, addr_mod, dst_addr), found 3"},
    {bh, "sfpcast L0, L1, 0, 7", 1, 20, "sfpcast takes 3 operands (c, dest, mod), found 4"},
    {bh, "nop 1", 1, 5, "nop takes no operands, found 1"},
    {bh, "mop_cfg", 1, 1, "mop_cfg takes 1 operand (mask_hi), found 0"},
    {bh, "sfploadmacro 0, L0, 0", 1, 1,
     "sfploadmacro takes 5 operands (macro, lreg, mode, addr_mod, dst_addr) or 4 operands (lreg_ind, mode, "
     "addr_mod, "
     "dst_addr), found 3"},
    {bh, "sfpnop 0, 1, 0", 1, 11, "operand zero of sfpnop is 1, expected 0"},
    // operands
    {bh, "sfpload L0, INT32, ADDR_MOD_7, 1024", 1, 32,
     "operand dst_addr of sfpload is 1024, expected 0 to 1023"},
    {bh, "sfpload 16, INT32, ADDR_MOD_7, 0", 1, 9, "operand lreg of sfpload is 16, expected L0 to L15"},
    {bh, "sfpload L0, 16, ADDR_MOD_7, 0", 1, 13, "operand mode of sfpload is 16, expected 0 to 15"},
    {bh, "sfpload L0, L3, ADDR_MOD_7, 0", 1, 13, "operand mode of sfpload is a register, expected 0 to 15"},
    {wh, "sfpload L0, INT32, ADDR_MOD_7, 0", 1, 20,
     "operand addr_mod of sfpload is 7, expected ADDR_MOD_0 to ADDR_MOD_3 on wh"},
    {bh, "sfploadmacro 4, L0, INT32, ADDR_MOD_7, 0", 1, 14,
     "macro 4 needs a machine with '.config macro.count, 5'"},
    {bh, "sfploadmacro 8, L0, INT32, ADDR_MOD_7, 0", 1, 14,
     "operand macro of sfploadmacro is 8, expected 0 to 3"},
    {bh, "sfploadmacro 0, L8, INT32, ADDR_MOD_7, 0", 1, 17,
     "operand lreg of sfploadmacro is 8, expected L0 to L7"},
    {bh, "sfpiadd -2049, L0, L0, 1", 1, 9, "operand imm12 of sfpiadd is -2049, expected -2048 to 4095"},
    {bh, "sfpiadd 4096, L0, L0, 1", 1, 9, "operand imm12 of sfpiadd is 4096, expected -2048 to 4095"},
    {bh, "sfpiadd L3, L0, L0, 1", 1, 9, "operand imm12 of sfpiadd is a register, expected -2048 to 4095"},
    {bh, "sfploadi L0, LOWER, 65536", 1, 21, "operand imm16 of sfploadi is 65536, expected -32768 to 65535"},
    {bh, "sfpload L0, INT23, ADDR_MOD_7, 0", 1, 13,
     "unknown name 'INT23' in operand mode of sfpload; did you mean 'INT32'?"},
    // tt-metal 56208: 0 is FLOATB for SFPLOADI, and for SFPLOAD what SRCB says
    {bh, "sfpload L0, SFPLOADI_MOD0_FLOATB, ADDR_MOD_7, 0", 1, 13,
     "'SFPLOADI_MOD0_FLOATB' is a mode of sfploadi and none of sfpload; did you mean 'SRCB' or 'BF16'?"},
    {wh, "sfpstore L0, FLOATB, 3, 0", 1, 14,
     "'FLOATB' is a mode of sfploadi and none of sfpstore; did you mean 'SRCB' or 'BF16'?"},
    {bh, ".equ mode, SFPLOADI_MOD0_FLOATB\nsfpload L0, mode, 7, 0", 2, 13,
     "'mode' is a mode of sfploadi and none of sfpload; did you mean 'SRCB' or 'BF16'?"},
    {bh, "sfploadi L0, MOD0_FMT_FP16, 0", 1, 14,
     "'MOD0_FMT_FP16' is a mode of sfpload and none of sfploadi; did you mean 'FLOATA'?"},
    {bh, "sfpgt 0, L0, L1, SFPLE_MOD1_SET_CC", 1, 18,
     "'SFPLE_MOD1_SET_CC' is a mode of sfple and none of sfpgt; did you mean 'SET_CC'?"},
    {bh, "sfpswap 0, L0, L1, SFPIADD_MOD1_CC_NONE", 1, 20,
     "'SFPIADD_MOD1_CC_NONE' is a mode of sfpiadd and none of sfpswap"},
    {bh, ".misc store_mode=(SFPLOADI_MOD0_FLOATB)", 1, 19,
     "'SFPLOADI_MOD0_FLOATB' is a mode of sfploadi and none of sfpstore; did you mean 'SRCB' or 'BF16'?"},
    {bh, ".equ offset0, 0\nsfpload L0, INT32, ADDR_MOD_7, 2 + ofset0\n", 2, 36,
     "unknown name 'ofset0' in operand dst_addr of sfpload; did you mean 'offset0'?"},
    {bh, "sfpconfig 0, SEQUENCE4, 0", 1, 14, "SEQUENCE4 needs a machine with '.config macro.count, 5'"},
    {bh, "sfpconfig 0, TEMPLATE5, 0", 1, 14, "TEMPLATE5 needs a machine with '.config macro.templates, 6'"},
    {bh, "sfpconfig 0, SEQUENCE1_UPPER, 0", 1, 14,
     "SEQUENCE1_UPPER needs a machine with '.config macro.templates, 5' or 'macro.delay_bits, 4': only then "
     "sequences have halves"},
    {bh, ".config macro.templates, 8\nsfpconfig 0, TEMPLATE5, 1", 2, 14,
     "TEMPLATE5 takes its value from L0: IMM16_IS_VALUE and IMM16_IS_LANE_MASK cannot go with it"},
    {bh, ".config macro.count, 2\nsfploadmacro 3, L0, INT32, ADDR_MOD_7, 0", 2, 14,
     "macro 3 needs a machine with '.config macro.count, 4'"},
    {bh, "sfpload L0, FP32, ADDR_MOD_9, 0", 1, 19,
     "unknown name 'ADDR_MOD_9' in operand addr_mod of sfpload; expected ADDR_MOD_0 to ADDR_MOD_7"},
    {bh, "sfpconfig 0, SEQUENCE8, 0", 1, 14,
     "unknown name 'SEQUENCE8' in operand config_dest of sfpconfig; expected SEQUENCE0 to SEQUENCE7"},
    // expressions
    {bh, ".word 1 / 0", 1, 9, "division by zero"},
    {bh, ".word 1 << 64", 1, 9, "expected a shift by 0 to 63, found 64"},
    {bh, ".word 0x7fffffffffffffff * 2", 1, 26, "the result does not fit into 64 bits"},
    {bh, ".word 0x1g", 1, 7,
     "expected a number of at most 63 bits (decimal without leading zeros, 0x or 0b), found '0x1g'"},
    {bh, ".word 010", 1, 7,
     "expected a number of at most 63 bits (decimal without leading zeros, 0x or 0b), found '010'"},
    {bh, ".word (1 + 2", 1, 13, "expected an operator or ')', found the end of the line"},
    {bh, ".word 1 +", 1, 10, "expected a name, a number or '(', found the end of the line"},
    {bh, ".expect cycles_per_row 0.0001", 1, 24, "expected 0.001 to 1000000000 cycles a row, found '0.0001'"},
    {bh, ".expect cycles_per_row 1e5", 1, 24, "expected a decimal number, found '1e5'"},
    {bh, ".expect cycles_per_row 18446744073709551616", 1, 24,
     "expected 0.001 to 1000000000 cycles a row, found '18446744073709551616'"},
    {bh, ".word 1 2", 1, 9, "expected an operator, ',' or the end of the line, found '2'"},
    {bh, "sfpcast L0,, 0", 1, 12, "expected a name, a number or '(', found ','"},
    {bh, "sfpcast L0 L1, 0", 1, 12, "expected an operator, ',' or the end of the line, found 'L1'"},
    {bh, "sfpcast @, 0", 1, 9, "expected a name, a number or '(', found '@'"},
    // lines and directives
    {bh, "5 nop", 1, 1, "expected an instruction or a directive, found '5'"},
    {bh, "nop\n\xc3\xa4", 2, 1, "expected an instruction or a directive, found character 0xc3"},
    {bh, ".world 1", 1, 1, "unknown directive '.world'; did you mean '.word'?"},
    {bh, ".word 0x100000000", 1, 7, "expected a number from 0 to 4294967295, found 4294967296"},
    {bh, ".word", 1, 1, ".word takes one number, found 0"},
    {bh, ".word 1, 2", 1, 10, ".word takes one number, found 2"},
    {bh, ".equ 5, 5", 1, 6, "expected a name, found '5'"},
    {bh, ".equ five 5", 1, 11, "expected ',', found '5'"},
    {bh, ".equ L5, 5", 1, 6, "'L5' has a meaning already; choose another name"},
    {bh, ".equ x, y", 1, 9, "unknown name 'y'"},
    {bh, ".arch gs", 1, 7, "expected 'bh' or 'wh', found 'gs'"},
    {bh, "nop\n.arch wh\n", 2, 1, ".arch must come before the first instruction"},
    {bh, ".ifarch wh\nnop\n", 1, 1, ".ifarch without .endif"},
    {bh, ".ifarch xh\n.endif\n", 1, 9, "expected 'bh' or 'wh', found 'xh'"},
    {bh, ".ifarch wh\n.else\n.endif\n", 2, 1,
     "unknown directive '.else'; expected one of .arch, .ifarch, .endif, .config, .rows, .peeled, .expect, "
     ".allow, .input, .output, .equ, .init, .loop, .tail, .template, .macro, .misc, .constant, .word, .gap, "
     ".origin"},
    {bh, "nop\n.endif\n", 2, 1, ".endif without .ifarch"},
    {bh, ".config dst_rwc 4", 1, 17, "expected ',', found '4'"},
    {bh, ".config dst_rwc,", 1, 17, "expected a value, found the end of the line"},
    {bh, ".rows 0", 1, 7, "expected a number from 1 to 100000000, found 0"},
    {bh, ".rows L4", 1, 7, "expected a number from 1 to 100000000, found a register"},
    {bh, ".expect cycles 4", 1, 9, "expected 'cycles_per_row', found 'cycles'"},
    {bh, ".allow /sfpu/macro/forgoten, \"x\"", 1, 8,
     "expected the id of a diagnostic ('sfpusim info --report-ids' lists them), found "
     "'/sfpu/macro/forgoten'; did you mean '/sfpu/macro/forgotten'?"},
    {bh, ".allow forgotten", 1, 17,
     "expected a comma and a reason in quotes behind forgotten, found nothing"},
    {bh, ".allow forgotten, meant", 1, 19,
     "expected a comma and a reason in quotes behind forgotten, found 'meant'"},
    {bh, ".allow forgotten, \"\"", 1, 19,
     "expected a comma and a reason in quotes behind forgotten, found '\"\"'"},
    {bh, ".allow forgotten, \"a\"\n.allow /sfpu/macro/forgotten, \"b\"", 2, 8,
     "/sfpu/macro/forgotten is allowed on line 1 already"},
    {bh, ".expect cycles_per_row -4", 1, 24, "expected a decimal number, found '-'"},
    {bh, ".expect cycles_per_row 4x", 1, 24, "expected a decimal number, found '4x'"},
    {bh, ".loop 0\nnop\n", 1, 7, "expected a number from 1 to 100000000, found 0"},
    {bh, ".loop\nnop\n.loop\nnop\n", 3, 1, "a kernel has one .loop; the first is on line 1"},
    {bh, "sfploadi L0, USHORT, fp32(L3)", 1, 22, "fp32 takes a number, found a register"},
    {bh, "sfploadi L0, USHORT, L3 + 1.5", 1, 25, "a register and a real number do not go together"},
    {bh, "sfploadi L0, FLOATB, 1.0e400", 1, 22, "expected a number that a double holds, found '1.0e400'"},
    {bh, ".macro 0, simple=(template=0, template=1)", 1, 31, "'template' stands here twice"},
    {bh, ".misc load_mode=(0, 1, 2, 3), load_mode=(0)", 1, 31, "'load_mode' stands here twice"},
    {bh, ".macro 0, simple=(template=6)", 1, 28,
     "template 6 needs a machine with '.config macro.templates, 7'"},
    {bh, ".tail 3", 1, 7, "expected the end of the line, found '3'"},
    {bh, ".gap 3\nnop", 1, 6, "expected the end of the line, found '3'"},
    {bh, ".origin k.dis, 3\nnop", 1, 9, "expected the name of a file in quotes, found 'k.dis'"},
    {bh, ".origin \"k.dis\"\nnop", 1, 1,
     ".origin takes \"FILE\", LINE[, ADDRESS][, \"C++ FILE\", LINE], found one value"},
    {bh, ".origin \"k.dis\", -1\nnop", 1, 18, "expected a line from 0 to 4294967295, found -1"},
    {bh, "nop\n  .gap\n", 2, 3, "no instruction follows .gap in its section"},
    {bh, ".loop\nnop\n.gap\n.tail\nnop\n", 3, 1, "no instruction follows .gap in its section"},
};

INSTANTIATE_TEST_SUITE_P(every, assembler_mistake, testing::ValuesIn(mistakes));

TEST(assembler, reports_all_mistakes_in_the_order_of_lines) {
    const assembly result =
        assemble(".ifarch bh\nsfpload L0, INT23, ADDR_MOD_7, 9999\nnope\n", "dir/k.s", bh);
    ASSERT_EQ(result.errors.size(), 4u) << all_errors(result);
    EXPECT_EQ(result.errors[0].to_string(), "dir/k.s:1:1: error: .ifarch without .endif");
    EXPECT_EQ(result.errors[1].column, 13u);
    EXPECT_EQ(result.errors[2].column, 32u);
    EXPECT_EQ(result.errors[3].line, 3u);
    EXPECT_FALSE(result.ok());
}

TEST(assembler, refuses_endless_parentheses_and_survives_endless_signs) {
    const assembly nested = assemble(".word " + std::string(100000, '('), "k.s", bh);
    ASSERT_EQ(nested.errors.size(), 1u);
    EXPECT_EQ(nested.errors[0].column, 71u);
    EXPECT_EQ(assembled(".word " + std::string(100000, '-') + "1"), words{1});
}

TEST(assembler, never_crashes_on_damaged_text) {
    const std::string good =
        ".equ a, 0x40\n.ifarch bh\nsfpload L0, INT32, ADDR_MOD_7, a|(1<<2)\n.endif\n.loop 2\n"
        "sfploadmacro 1, L2, INT32, ADDR_MOD_6, -a+0x80 ; note\n.expect cycles_per_row 1.5\n"
        ".config dst_rwc, 4\n.rows 32\n.tail\nsfpnop\n";
    std::mt19937 random(7);
    for (unsigned round = 0; round < 3000; ++round) {
        std::string damaged = good;
        for (unsigned i = 0; i < 3; ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
        for (const source_error& error : assemble(damaged, "k.s", bh).errors) {
            EXPECT_GE(error.line, 1u);
            EXPECT_GE(error.column, 1u);
        }
        read_hex(damaged, "k.hex", bh);
    }
}

TEST(hex_file, mistakes_have_their_place) {
    const assembly read = read_hex("7004e04\n 7004e0400\n0x7004e040 1\nxyz\n", "k.hex", bh);
    ASSERT_EQ(read.errors.size(), 4u) << all_errors(read);
    EXPECT_EQ(read.errors[0].to_string(),
              "k.hex:1:1: error: expected eight hexadecimal digits, found '7004e04'");
    EXPECT_EQ(read.errors[1].to_string(),
              "k.hex:2:2: error: expected eight hexadecimal digits, found '7004e0400'");
    EXPECT_EQ(read.errors[2].to_string(), "k.hex:3:12: error: expected the end of the line, found '1'");
    EXPECT_EQ(read.errors[3].to_string(), "k.hex:4:1: error: expected eight hexadecimal digits, found 'xyz'");
}

} // namespace
} // namespace sfpu::isa
