// Assembler, disassembler and kernel files. Words are cited from the check words of the encodings document
// and from the public listings of 32-bit multiplication, assembled by hand.
#include "assembler_rig.h"
#include "chips.h"

#include <sfpu/isa/assembler.h>
#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/table.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

namespace sfpu::isa {
namespace {

using test::bh, test::wh;

std::string hex(std::uint32_t word) {
    char text[9];
    std::snprintf(text, sizeof text, "%08x", word);
    return text;
}

/// Disassembles all words, assembles the text and compares.
void expect_round_trip(const words& given, const word_encoding& arch) {
    std::string source;
    for (std::uint32_t word : given) source += disassemble(word, arch) + '\n';
    const assembly again = assemble(source, "list.s", arch);
    ASSERT_TRUE(again.ok()) << all_errors(again).substr(0, 2000);
    ASSERT_EQ(again.program.loop.size(), given.size());
    for (std::size_t i = 0; i < given.size(); ++i)
        ASSERT_EQ(again.program.loop[i].word, given[i])
            << hex(given[i]) << ": " << disassemble(given[i], arch);
}

/// Every opcode with assembly text: those with a row, and the words that the expanders consume.
std::vector<std::uint8_t> written_opcodes() {
    std::vector<std::uint8_t> opcodes{opcode::mop, opcode::mop_cfg, opcode::replay};
    for (const row* r : instruction_table()) opcodes.push_back(r->opcode);
    return opcodes;
}

// --- words to text and back --------------------------------------------------------------------------------

TEST(disassembler, text_of_any_word_of_any_opcode_assembles_to_that_word) {
    std::mt19937 random(1);
    for (architecture arch : {bh, wh}) {
        words given;
        for (std::uint32_t code = 0; code < 256; ++code)
            for (unsigned i = 0; i < 20; ++i) given.push_back(code << 24 | (random() & 0xffffffu));
        expect_round_trip(given, arch);
    }
}

TEST(disassembler, text_of_every_modifier_of_every_opcode_assembles_to_the_word) {
    for (architecture arch : {bh, wh}) {
        words given;
        for (const std::uint32_t code : written_opcodes())
            for (std::uint32_t mod = 0; mod < 16; ++mod)
                for (std::uint32_t registers : {0x000u, 0x123u, 0x765u, 0xcdeu, 0xfffu}) {
                    given.push_back(code << 24 | registers << 4 | mod);       // modifier in bits 3:0
                    given.push_back(code << 24 | registers << 4 | mod << 16); // modifier in bits 19:16
                    given.push_back(code << 24 | mod << 16 | registers << 4 | mod);
                }
        expect_round_trip(given, arch);
    }
}

TEST(disassembler, every_bit_of_every_operand_has_instruction_text) {
    for (architecture arch : {bh, wh})
        for (const row* r : instruction_table()) {
            if (arch == wh && !r->on_wormhole) continue;
            words given;
            for (const operand& what : r->operands) {
                if (!what.name || what.kind == operand_kind::addr_mod) continue;
                for (unsigned bit = what.shift; bit < unsigned{what.shift} + what.width; ++bit) {
                    std::uint32_t word = std::uint32_t{r->opcode} << 24 | 1u << bit;
                    if (r->opcode == opcode::sfplutfp32 && bit < 4) word |= 1u << (bit + 16);
                    if (what.kind == operand_kind::split_lreg && bit > 21) continue; // bit 2 stands elsewhere
                    EXPECT_NE(disassemble(word, arch).substr(0, 5), ".word")
                        << r->mnemonic << ' ' << hex(word);
                    given.push_back(word);
                }
            }
            for (unsigned mode = 0; mode < 1u << addr_mod_width(arch); ++mode)
                if (r->operands[2].kind == operand_kind::addr_mod ||
                    r->operands[3].kind == operand_kind::addr_mod)
                    given.push_back(std::uint32_t{r->opcode} << 24 | mode << addr_mod_shift(arch));
            if (!given.empty()) expect_round_trip(given, arch);
        }
}

TEST(disassembler, words_outside_the_instruction_text_become_data) {
    EXPECT_EQ(disassemble(0x00000000, bh), ".word 0x00000000");
    EXPECT_EQ(disassemble(0x70041000, bh), ".word 0x70041000"); // address bits 12:10
    EXPECT_EQ(disassemble(0x8f000001, bh), ".word 0x8f000001"); // SFPNOP with bits
    EXPECT_EQ(disassemble(0x90100000, bh), ".word 0x90100000"); // SFPCAST with Imm12
    EXPECT_EQ(disassemble(0x95000002, bh), ".word 0x95000002"); // SFPLUTFP32 without its second modifier
    EXPECT_EQ(disassemble(0x990000c0, wh), ".word 0x990000c0"); // SFPARECIP is Blackhole's
}

TEST(disassembler, uses_the_documented_names) {
    EXPECT_EQ(disassemble(0x7004e040, bh), "sfpload L0, INT32, ADDR_MOD_7, 64");
    EXPECT_EQ(disassemble(0x7004c000, wh), "sfpload L0, INT32, ADDR_MOD_3, 0");
    EXPECT_EQ(disassemble(0x93c4c081, bh), "sfploadmacro 3, L4, INT32, ADDR_MOD_6, 128");
    EXPECT_EQ(disassemble(0x710a1234, bh), "sfploadi L0, LOWER, 0x1234");
    EXPECT_EQ(disassemble(0x910000f0, bh), "sfpconfig 0x0, LANECONFIG, 0");
    EXPECT_EQ(disassemble(0x910ff081, bh), "sfpconfig 0xff0, MISC, IMM16_IS_VALUE");
    EXPECT_EQ(disassemble(0x94fe90c6, bh), "sfpshft2 -23, L0, L12, SHFT_IMM");
    EXPECT_EQ(disassemble(0x94005055, bh), "sfpshft2 L5, L0, L5, SHFT_LREG");
    EXPECT_EQ(disassemble(0x7a017441, bh), "sfpshft 23, L4, L4, ARG_IMM");
    EXPECT_EQ(disassemble(0x79fff005, bh), "sfpiadd -1, L0, L0, ARG_IMM|CC_NONE");
    EXPECT_EQ(disassemble(0x92000019, bh), "sfpswap 0, L0, L1, 9"); // values of a list do not combine
    EXPECT_EQ(disassemble(0x8f000000, bh), "sfpnop");
    EXPECT_EQ(disassemble(0x02000000, wh), "nop");
}

// --- text to words -----------------------------------------------------------------------------------------

TEST(assembler, check_words_of_the_32_bit_multiply_come_from_its_text) {
    EXPECT_EQ(assembled(R"(
        .equ a, 0
        .equ b, 0x40
        .equ out, 0x80
        sfpshft2 -23, L0, L12, SHFT_IMM
        sfpmul24 L0, L0, LCONST_0, 13, LOWER
        sfpshft 23, L2, L14, ARG_IMM | ARG_IMM_USE_VC
        sfpiadd 0, L4, LTILEID, CC_NONE
        .word 0x00848d00
        sfpload L0, INT32, ADDR_MOD_7, b
        sfploadmacro 0, L1, INT32, ADDR_MOD_7, a
        sfploadmacro 1, L2, INT32, ADDR_MOD_7, b
        sfpload L0, INT32, ADDR_MOD_7, a
        sfploadmacro 2, L3, INT32, ADDR_MOD_7, b
        sfpmul24 L0, L3, L9, L4, UPPER
        sfpiadd 0, L1, L2, 4
        sfploadmacro 3, L4, INT32, ADDR_MOD_6, out
    )"),
              (words{0x94fe90c6, 0x980009d0, 0x7a0172e5, 0x790004f4, 0x00848d00, 0x7004e040, 0x9314e000,
                     0x9364e040, 0x7004e000, 0x93b4e040, 0x98003941, 0x79000124, 0x93c4c081}));
}

TEST(assembler, check_words_of_reciprocal_and_where_come_from_their_text) {
    EXPECT_EQ(
        assembled("sfparecip 0, L0, L12, RECIP\n sfpsetcc 0, L0, L12, LREG_EQ0\n sfpencc 0, L0, L13, 0\n"
                  "sfpencc 3, 0, 0, 10\n"),
        (words{0x990000c0, 0x7b0000c6, 0x8a0000d0, 0x8a00300a}));
}

TEST(assembler, public_blackhole_listing_assembles_as_printed) {
    EXPECT_EQ(assembled(R"(
.equ offset0, 0
.equ offset1, 0x40
.equ offset2, 0x80
sfpload L0, INT32, ADDR_MOD_7, offset0 ; a = load(offset0)
sfpshft -23, L0, L2, 1|4 ; a1 = a >> 23
sfpload L1, INT32, ADDR_MOD_7, offset1 ; b = load(offset1)
sfpshft -23, L1, L3, 1|4 ; b1 = b >> 23
sfpmul24 L1, L2, L9, L2, 0 ; cross0 = mul24_lo(b, a1)
sfpmul24 L0, L3, L9, L3, 0 ; cross1 = mul24_lo(a, b1)
sfpmul24 L0, L1, L9, L4, 1 ; hi = mul24_hi(a, b)
sfpmul24 L0, L1, L9, L0, 0 ; lo = mul24_lo(a, b)
sfpiadd 0, L2, L4, 4 ; hi += cross0
sfpiadd 0, L3, L4, 4 ; hi += cross1
sfpshft 23, L4, L4, 1 ; hi = hi << 23
sfpiadd 0, L4, L0, 4 ; lo += hi
sfpstore L0, INT32, ADDR_MOD_6, offset2 ; store(lo, offset2) with autoincrement
)"),
              (words{0x7004e000, 0x7afe9025, 0x7014e040, 0x7afe9135, 0x98012920, 0x98003930, 0x98001941,
                     0x98001900, 0x79000244, 0x79000344, 0x7a017441, 0x79000404, 0x7204c080}));
}

TEST(assembler, public_wormhole_listing_assembles_as_printed) {
    EXPECT_EQ(assembled(R"(
sfpload L0, INT32, ADDR_MOD_3, 0
sfpshft2 L0, L13, L2, 5 ; a1 = a0 >> 11
sfpand 0, L12, L2, 0 ; a1 &= mask
sfpcast L2, L2, 0 ; a1 = int_to_fp32(a1)
sfpmad L0, L5, L9, L5, 0 ; top = a0*b2
sfpexexp 0, L5, L0, 2|8 ; extract unbiased exponent, disable lanes where Exp<0
sfpexman 0, L5, L5, 0
sfpiadd 22-23, L0, L0, 1|4 ; calculate shift amount (shift right 23, then left 22)
sfpshft2 L5, L0, L5, 5
sfpencc 0, 0, 0, 0 ; re-enable lanes
sfpstore L7, INT32, ADDR_MOD_2, 0x80
)",
                        wh),
              (words{0x7004c000, 0x94000d25, 0x7e000c20, 0x90000220, 0x84005950, 0x7700050a, 0x78000550,
                     0x79fff005, 0x94005055, 0x8a000000, 0x72748080}));
}

TEST(assembler, front_end_words_assemble_as_encoded) {
    EXPECT_EQ(
        assembled("nop\n mop 1, 3, 0x55\n mop_cfg 0xabcd\n replay 16, 8, 1, 1\n setrwc 0, 4, 8, 0, 0, 15\n"
                  "incrwc 0, 2, 0, 0\n stallwait 0x40, 0x80\n setc16 47, 0x8c\n"),
        (words{0x02000000, 0x01830055, 0x0300abcd, 0x04040083, 0x3712000f, 0x38008000, 0xa2200080,
               0xb22f008c}));
}

TEST(assembler, alternative_spellings_give_the_same_word) {
    struct {
        const char *one, *other;
    } const pairs[] = {
        {"sfp_stoch_rnd 0, 0, L0, L1, L2, 1", "sfpstochrnd 0, 0, L0, L1, L2, FP32_TO_FP16B"},
        {"SFPMAD L0, L1, L2, L3, 0", "sfpmad 0, 1, 2, 3, 0"},
        {"sfpnop 0, 0, 0", "sfpnop"},
        {"sfploadmacro (3<<2)|(4&3), INT32, ADDR_MOD_6, 0x80|(4>>2)",
         "sfploadmacro 3, L4, INT32, ADDR_MOD_6, 0x80"},
        {"sfpload LREG5, MOD0_FMT_INT32, 7, 0", "sfpload L5, INT32, ADDR_MOD_7, 0"},
        {"sfpmad LCONST_1, LCONST_neg1, LCONST_0, LCONST_0_8373, 0", "sfpmad L10, L11, L9, L8, 0"},
        {"sfpiadd 0xfff, L0, L1, 5", "sfpiadd -1, L0, L1, SFPIADD_MOD1_ARG_IMM | SFPIADD_MOD1_CC_NONE"},
        {"sfploadi L0, FLOATB, -1", "sfploadi L0, 0, 0xffff"},
        {"sfpand L3, L12, L2, USE_VB", "sfpand 3, L12, L2, 1"},
        {"sfparecip L3, L4, L5, COND_RECIP", "sfparecip 3, L4, L5, 1"},
        {"sfpconfig 0, SEQUENCE2, 0", "sfpconfig 0, 6, 0"},
        {"sfpconfig 0, L13, IMM16_IS_VALUE", "sfpconfig 0, 13, MOD1_IMM16_IS_VALUE"},
        {"sfpload L1, FP32, ADDR_MOD_3, 0b101010", "sfpload L1, 3, 3, 6*7"},
    };
    for (const auto& pair : pairs) {
        const words one = assembled(pair.one), other = assembled(pair.other);
        ASSERT_EQ(one.size(), 1u) << pair.one;
        EXPECT_EQ(hex(one[0]), hex(other[0])) << pair.one;
    }
}

TEST(assembler, sfplutfp32_repeats_its_modifier) {
    EXPECT_EQ(assembled("sfplutfp32 L3, FP16_3ENTRY_TABLE\n"), (words{0x950a003a}));
}

TEST(assembler, expressions_follow_c) {
    struct {
        const char* text;
        unsigned value;
    } const cases[] = {
        {"1 | 2 ^ 7 & 3 << 1 + 1", 1 | (2 ^ (7 & (3 << 2)))},
        {"100 - 10 - 5", 85},
        {"100 / 10 / 5", 2},
        {"7 % 4 * 2", 6},
        {"-(-5)", 5},
        {"~-6", 5},
        {"- - 5", 5},
        {"-7 / 2 + 10", 7},
        {"(1 + 2) * (3 + 4)", 21},
        {"0x10 + 0B11 + 0XA", 29},
        {"1 << 3 >> 1", 4},
        {"-8 >> 1 & 0xf", 12},
    };
    for (const auto& c : cases)
        EXPECT_EQ(assembled(std::string(".word ") + c.text), words{c.value}) << c.text;
}

TEST(assembler, all_three_comment_signs_and_all_line_ends_are_known) {
    EXPECT_EQ(assembled("nop ; one\r\nnop # two\r\n\tnop // three\r\n; four\r\n\r\nnop"),
              words(4, 0x02000000u));
}

// --- kernels -----------------------------------------------------------------------------------------------

TEST(assembler, sections_hold_their_words_with_their_lines) {
    const assembly result = assemble("nop\n.init\nsfpnop\n.loop 2\nnop\nnop\n.tail\nsfpnop\n", "k.s", bh);
    ASSERT_TRUE(result.ok()) << all_errors(result);
    const kernel& program = result.program;
    EXPECT_EQ(plain(program.init), (words{0x02000000, 0x8f000000}));
    EXPECT_EQ(plain(program.loop), (words{0x02000000, 0x02000000}));
    EXPECT_EQ(plain(program.tail), (words{0x8f000000}));
    EXPECT_EQ(program.rows_per_iteration, 2u);
    EXPECT_EQ(program.init[0].line, 1u);
    EXPECT_EQ(program.loop[1].line, 6u);
    EXPECT_EQ(program.tail[0].line, 8u);
}

TEST(assembler, a_plain_list_is_a_loop_of_one_row) {
    const assembly result = assemble("nop\nnop\n", "k.s", bh);
    EXPECT_TRUE(result.program.init.empty());
    EXPECT_EQ(result.program.loop.size(), 2u);
    EXPECT_EQ(result.program.rows_per_iteration, 1u);
}

TEST(assembler, directives_fill_the_kernel) {
    const assembly result = assemble(".config dst_rwc, 4\n"
                                     ".config sfpu.latency.mad, 3 ; slower\n"
                                     ".config addr_mod_dst, [0, 0, 2]\n"
                                     ".rows 2*16\n.expect cycles_per_row 1.25\nnop\n",
                                     "k.s", bh);
    ASSERT_TRUE(result.ok()) << all_errors(result);
    const kernel& program = result.program;
    ASSERT_EQ(program.config.size(), 3u);
    EXPECT_EQ(program.config[0].key, "dst_rwc");
    EXPECT_EQ(program.config[0].value, "4");
    EXPECT_EQ(program.config[1].key, "sfpu.latency.mad");
    EXPECT_EQ(program.config[1].value, "3");
    EXPECT_EQ(program.config[1].line, 2u);
    EXPECT_EQ(program.config[1].column, 9u);
    EXPECT_EQ(program.config[2].value, "[0, 0, 2]");
    EXPECT_EQ(program.rows, 32u);
    EXPECT_EQ(program.expected_cycles_per_row, 1.25);
}

TEST(assembler, allow_names_a_diagnostic_and_says_why) {
    const std::string text =
        ".allow /sfpu/macro/forgotten, \"the first row; of three // rows # two\" ; or so\n"
        "  .ALLOW write-collision ,\" L3 is scratch \"\nnop\n";
    const assembly result = assemble(text, "k.s", bh);
    ASSERT_TRUE(result.ok()) << all_errors(result);
    const std::vector<allowance>& allowed = result.program.allowed;
    ASSERT_EQ(allowed.size(), 2u);
    EXPECT_EQ(allowed[0].id, report_id::macro_forgotten);
    EXPECT_EQ(allowed[0].reason, "the first row; of three // rows # two");
    EXPECT_EQ(allowed[0].line, 1u);
    EXPECT_EQ(allowed[0].column, 8u);
    EXPECT_EQ(allowed[1].id, report_id::hazard_write_collision);
    EXPECT_EQ(allowed[1].reason, "L3 is scratch");
    const assembly again = assemble(listing(result.program), "k.s", bh);
    ASSERT_TRUE(again.ok()) << all_errors(again);
    ASSERT_EQ(again.program.allowed.size(), 2u);
    EXPECT_EQ(again.program.allowed[0].reason, allowed[0].reason);
    EXPECT_EQ(again.program.allowed[1].id, allowed[1].id);
}

TEST(assembler, lines_for_the_other_architecture_are_left_out) {
    const std::string source = ".ifarch bh\nsfpmul24 L0, L0, L9, L0, 0\n.expect cycles_per_row 8\n.endif\n"
                               ".ifarch wh\nsfpcast L0, L0, 0\n.expect cycles_per_row 40\n"
                               ".ifarch bh\nnop\n.endif\n.endif\n";
    const assembly on_bh = assemble(source, "k.s", bh), on_wh = assemble(source, "k.s", wh);
    ASSERT_TRUE(on_bh.ok() && on_wh.ok()) << all_errors(on_bh) << all_errors(on_wh);
    EXPECT_EQ(plain(on_bh.program.loop), words{0x98000900});
    EXPECT_EQ(plain(on_wh.program.loop), words{0x90000000});
    EXPECT_EQ(on_bh.program.expected_cycles_per_row, 8.0);
    EXPECT_EQ(on_wh.program.expected_cycles_per_row, 40.0);
}

TEST(assembler, a_kernel_may_name_its_architecture) {
    const assembly result = assemble(".arch wh\nsfpload L0, INT32, ADDR_MOD_3, 0\n", "k.s", bh);
    ASSERT_TRUE(result.ok()) << all_errors(result);
    EXPECT_EQ(result.program.arch, wh);
    EXPECT_EQ(plain(result.program.loop), words{0x7004c000});
}

/// Instructions that share their modifiers share the names of them.
TEST(assembler, modes_that_an_instruction_has_are_taken_by_either_name) {
    EXPECT_EQ(assembled("sfpload L0, MOD0_FMT_SRCB, 7, 0\nsfploadi L0, SFPLOADI_MOD0_FLOATB, 1.0\n"
                        "sfpadd L10, L0, L1, L2, SFPMAD_MOD1_NEGATE_VC\n.equ mode, MOD0_FMT_SRCB\n"
                        "sfpload L0, mode, 7, 0\n"),
              assembled("sfpload L0, SRCB, 7, 0\nsfploadi L0, FLOATB, 1.0\nsfpadd L10, L0, L1, L2, 2\n"
                        "sfpload L0, 0, 7, 0\n"));
}

TEST(assembler, a_division_that_leaves_a_rest_gets_a_remark_where_it_stands) {
    const assembly sixth = assemble(".loop\nsfploadi L0, FLOATB, 1 / 6\n", "k.s", bh);
    ASSERT_EQ(sixth.program.remarks.size(), 1u);
    const source_remark& remark = sixth.program.remarks[0];
    EXPECT_EQ(remark.id, report_id::kernel_truncated_division);
    EXPECT_EQ(remark.line, 2u);
    EXPECT_EQ(remark.column, 24u);
    EXPECT_EQ(remark.message, "1 / 6 is 0 here, without the rest; 1.0 / 6 is a fraction");
    const char* const exact[] = {"6 / 6", "0 / 6", "-12 / 4", "bf16(1.0 / 6)", "bf16(1 / 6.0)", "7 % 2"};
    for (const char* each : exact)
        EXPECT_TRUE(assemble(".loop\nsfploadi L0, USHORT, " + std::string(each) + "\n", "k.s", bh)
                        .program.remarks.empty())
            << each;
    const char* const rests[] = {"7 / 2", "-1 / 6 + 1", "(5 + 2) / 6 * 2"};
    for (const char* each : rests)
        EXPECT_EQ(assemble(".loop\n.equ x, " + std::string(each) + "\nsfploadi L0, USHORT, x\n", "k.s", bh)
                      .program.remarks.size(),
                  1u)
            << each;
}

TEST(assembler, a_name_may_get_a_new_value_and_may_stand_for_a_register) {
    EXPECT_EQ(assembled(".equ x, 1\n.word x\n.equ x, x + 1\n.word x\n.equ acc, L5\nsfpcast acc, acc, 0\n"),
              (words{1, 2, 0x90000550}));
}

TEST(assembler, tells_what_names_stand_for_on_this_chip_and_where_they_got_it) {
    const assembly result =
        assemble(".EQU x, 1\n.ifarch wh\n.equ y, 2\n.endif\n.ifarch bh\n.input y, 0x40, f32\n.endif\n"
                 ".equ x, x + y\n.equ acc, L5\n.equ half, 0.5\nsfpnop\n",
                 "k.s", bh);
    ASSERT_TRUE(result.ok()) << all_errors(result);
    std::string found;
    for (const named_value& each : result.program.definitions)
        found += std::to_string(each.line) + ":" + each.name + "=" +
                 (each.number ? std::to_string(*each.number) : "-") + " ";
    EXPECT_EQ(found, "1:x=1 6:y=64 8:x=65 9:acc=- 10:half=- ");
}

TEST(listing, of_any_throughput_that_can_be_expected_is_read_again) {
    for (const char* cycles : {"0", "0.001", "7", "2.3333333333333335", "1000000000", "999999999.5"}) {
        const assembly once =
            assemble(".expect cycles_per_row " + std::string(cycles) + "\nsfpnop\n", "k.s", bh);
        ASSERT_TRUE(once.ok()) << all_errors(once);
        const assembly again = assemble(listing(once.program), "k.s", bh);
        ASSERT_TRUE(again.ok()) << all_errors(again);
        EXPECT_EQ(again.program.expected_cycles_per_row, once.program.expected_cycles_per_row);
    }
}

/// A mark for each word, those with a gap in front are 'g'.
std::string marks(const std::vector<source_word>& lines) {
    std::string text;
    for (const source_word& each : lines) text += each.gap ? 'g' : '-';
    return text;
}

constexpr const char* with_gaps = ".gap\nsfpnop\n.macro 1, simple=(template=0, delay=1), store=(delay=2)\n"
                                  ".gap ; of the first word\n.macro 0, simple=(template=0), store=(delay=1)\n"
                                  ".loop 2\nsfpnop\n.gap\n.ifarch wh\nsfpnop\n.endif\nsfpabs 0, L1, L2, 0\n"
                                  "sfpnop\n.tail\n.GAP\nsfpnop\n";

TEST(gap, stands_before_the_next_word_whatever_stands_between) {
    const assembly result = assemble(with_gaps, "k.s", bh);
    ASSERT_TRUE(result.ok()) << all_errors(result);
    EXPECT_EQ(marks(result.program.init), "g---g--");
    EXPECT_EQ(marks(result.program.loop), "-g-");
    EXPECT_EQ(marks(result.program.tail), "g");
    EXPECT_TRUE(result.program.has_gaps());
    EXPECT_FALSE(assemble("sfpnop\n.loop\nsfpnop\n", "k.s", bh).program.has_gaps());
}

TEST(gap, is_in_the_listing_of_a_kernel) {
    const assembly once = assemble(with_gaps, "k.s", bh);
    const assembly again = assemble(listing(once.program), "k.s", bh);
    ASSERT_TRUE(again.ok()) << all_errors(again);
    EXPECT_EQ(marks(again.program.init), "g---g--");
    EXPECT_EQ(marks(again.program.loop), "-g-");
    EXPECT_EQ(marks(again.program.tail), "g");
    EXPECT_EQ(plain(again.program.init), plain(once.program.init));
}

TEST(gap, inside_of_what_a_directive_stands_for_keeps_its_place) {
    const assembly once = assemble("sfploadi L0, LOWER, 0x0004\n.gap\nsfploadi L0, UPPER, 0x1300\n"
                                   "sfpconfig 0, SEQUENCE0, 0\n",
                                   "k.s", bh);
    ASSERT_TRUE(once.ok()) << all_errors(once);
    const std::string text = listing(once.program);
    EXPECT_EQ(text.find(".macro"), std::string::npos);
    const assembly again = assemble(text, "k.s", bh);
    EXPECT_EQ(marks(again.program.loop), "-g-");
    EXPECT_EQ(plain(again.program.loop), plain(once.program.loop));
}

constexpr const char* with_origins =
    "sfpnop\n.origin \"a, b;.dis\", 7, 0x5f08, \"exp.h\", 31\nsfpnop\nsfpnop\n.loop\nsfpnop\n"
    ".origin \"k.elf\", 0, 16\nsfpnop\n.tail\n.origin \"exp.s\", 32, \"exp.h\", 5\n.gap\nsfpnop\n";

std::vector<word_origin> origins_of(const kernel& program) {
    std::vector<word_origin> found;
    for (const auto* section : {&program.init, &program.loop, &program.tail})
        for (const source_word& each : *section)
            found.push_back(each.origin ? program.origins.at(each.origin - 1) : word_origin{});
    return found;
}

TEST(origin, holds_for_all_words_behind_it_and_is_in_the_listing) {
    const word_origin first{"a, b;.dis", 7, 0x5f08, "exp.h", 31}, second{"k.elf", 0, 16, "", 0},
        third{"exp.s", 32, std::nullopt, "exp.h", 5};
    const std::vector<word_origin> expected{{}, first, first, first, second, third};
    const assembly once = assemble(with_origins, "k.s", bh);
    ASSERT_TRUE(once.ok()) << all_errors(once);
    EXPECT_EQ(origins_of(once.program), expected);
    const assembly again = assemble(listing(once.program), "k.s", bh);
    ASSERT_TRUE(again.ok()) << all_errors(again);
    EXPECT_EQ(origins_of(again.program), expected);
    EXPECT_EQ(marks(again.program.tail), "g");
}

TEST(listing, of_a_kernel_assembles_to_the_same_kernel) {
    const std::string source = ".arch wh\n.config dst_rwc, 0x10\n.rows 64\n.expect cycles_per_row 2.5\n"
                               ".init\nsfploadi L0, LOWER, 0xbeef\n.word 0x00000007\n"
                               ".loop 2\nsfploadmacro 0, L5, UINT16, ADDR_MOD_1, 2\nsfpnop\n.tail\nsfpnop\n";
    const assembly once = assemble(source, "k.s", bh);
    ASSERT_TRUE(once.ok()) << all_errors(once);
    const assembly again = assemble(listing(once.program), "k.s", bh);
    ASSERT_TRUE(again.ok()) << all_errors(again);
    EXPECT_EQ(listing(again.program), listing(once.program));
    EXPECT_EQ(again.program.arch, wh);
    EXPECT_EQ(plain(again.program.init), plain(once.program.init));
    EXPECT_EQ(plain(again.program.loop), plain(once.program.loop));
    EXPECT_EQ(plain(again.program.tail), plain(once.program.tail));
    EXPECT_EQ(again.program.rows_per_iteration, 2u);
    EXPECT_EQ(again.program.rows, 64u);
    EXPECT_EQ(again.program.expected_cycles_per_row, 2.5);
    ASSERT_EQ(again.program.config.size(), 1u);
    EXPECT_EQ(again.program.config[0].value, "0x10");
}

// --- machines larger than the chips (docs/exploration.md)

TEST(larger_machine, names_its_macros_templates_and_halves_of_sequences) {
    const std::string config = ".config macro.count, 7\n.config macro.templates, 6\n";
    const words given = assembled(config + "sfpconfig 0, TEMPLATE4, 0\n"
                                           "sfpconfig 0, TEMPLATE5, 0\n"
                                           "sfpconfig 0, SEQUENCE0_LOWER, 0\n"
                                           "sfpconfig 0, SEQUENCE6, 0\n"
                                           "sfpconfig 0, SEQUENCE6_LOWER, 0\n"
                                           "sfpconfig 0, SEQUENCE6_UPPER, 0\n"
                                           "sfploadmacro 6, L5, INT32, ADDR_MOD_7, 0x40\n"
                                           "sfploadmacro 3, L5, INT32, ADDR_MOD_7, 0x40\n");
    // Index bit 0 in Imm16 bit 0 (word bit 8): + 4; bits 2:1: 1 lower, 2 upper half.
    EXPECT_EQ(given, (words{0x91000100, 0x91000110, 0x91000240, 0x91000160, 0x91000360, 0x91000560,
                            0x9394e441, 0x93d4e041}));
}

TEST(larger_machine, text_of_any_word_assembles_to_that_word) {
    std::mt19937 random(2);
    for (unsigned choice = 0; choice < 24; ++choice) {
        word_encoding encoding = choice & 1 ? wh : bh;
        encoding.macros = static_cast<std::uint8_t>(1 + random() % 8);
        encoding.templates = static_cast<std::uint8_t>(1 + random() % 8);
        encoding.delay_bits = static_cast<std::uint8_t>(1 + random() % 5);
        words given;
        for (unsigned i = 0; i < 400; ++i) {
            given.push_back(0x91000000u | (random() & 0xffffffu));
            given.push_back(0x91000000u | (random() & 0x7fu) << 4 |
                            (random() & 7u) << 8); // few bits of Imm16
            given.push_back(0x93000000u | (random() & 0xffffffu));
            given.push_back(0x93000000u | (random() & 0xfff7ffu & ~0x1800u));
        }
        expect_round_trip(given, encoding);
    }
}

TEST(larger_machine, listing_of_its_kernel_assembles_to_the_same_kernel) {
    const std::string source = ".config macro.count, 8\n.config macro.delay_bits, 5\n"
                               "sfpconfig 0, SEQUENCE7_UPPER, 0\nsfploadmacro 7, L1, FP32, 3, 2\n";
    const assembly once = assemble(source, "k.s", bh);
    ASSERT_TRUE(once.ok()) << all_errors(once);
    EXPECT_EQ(once.program.words.macros, 8);
    EXPECT_EQ(once.program.words.delay_bits, 5);
    EXPECT_NE(listing(once.program).find("sfploadmacro 7, L1, FP32, ADDR_MOD_3, 2"), std::string::npos);
    const assembly again = assemble(listing(once.program), "k.s", bh);
    ASSERT_TRUE(again.ok()) << all_errors(again);
    EXPECT_EQ(plain(again.program.loop), plain(once.program.loop));
}

TEST(larger_machine, is_no_matter_of_the_words_of_a_chip) {
    // A chip ignores bit 10 of SFPLOADMACRO and the immediate of SFPCONFIG with a value from L0.
    EXPECT_EQ(disassemble(0x9394e441, bh), ".word 0x9394e441");
    EXPECT_EQ(disassemble(0x91000110, bh), "sfpconfig 0x1, TEMPLATE1, 0");
    EXPECT_EQ(decode(0x9394e441, bh).macro_index, 2);
    word_encoding eight = bh;
    eight.macros = 8;
    EXPECT_EQ(decode(0x9394e441, eight).macro_index, 6);
}

TEST(listing, of_plain_words_is_a_plain_list) {
    const assembly read = read_hex("7004e040\n8f000000\n", "k.hex", bh);
    EXPECT_EQ(listing(read.program), ".arch bh\nsfpload L0, INT32, ADDR_MOD_7, 64\nsfpnop\n");
}

TEST(hex_file, holds_one_word_a_line) {
    const assembly read = read_hex("7004e040\n0x8F000000 ; drain\n\n# comment\n  0200ABCD\r\n", "k.hex", wh);
    ASSERT_TRUE(read.ok()) << all_errors(read);
    EXPECT_EQ(plain(read.program.loop), (words{0x7004e040, 0x8f000000, 0x0200abcd}));
    EXPECT_EQ(read.program.loop[2].line, 5u);
    EXPECT_EQ(read.program.arch, wh);
    EXPECT_EQ(read.program.rows_per_iteration, 1u);
}

// --- scheduled instructions --------------------------------------------------------------------------------

/// A template as a macro schedules it.
instruction scheduled(std::uint32_t word, unsigned vb, unsigned vc, unsigned vd) {
    instruction insn = decode(word, bh);
    insn.flags |= is_scheduled;
    insn.vb = static_cast<std::uint8_t>(vb);
    insn.vc = static_cast<std::uint8_t>(vc);
    insn.vd = static_cast<std::uint8_t>(vd);
    refresh(insn, bh);
    return insn;
}

TEST(trace_text, shows_the_registers_that_the_macro_gave) {
    EXPECT_EQ(text(scheduled(0x980009d0, 2, 9, 2), bh), "sfpmul24 L0, L2, L9, L2, LOWER");
    EXPECT_EQ(text(scheduled(0x790004f4, 3, 4, 16), bh), "sfpiadd 0, L4, L16, CC_NONE (VB L3)");
    EXPECT_EQ(text(scheduled(0x790004f4, 3, 4, 3), bh), "sfpiadd 0, L4, L3, CC_NONE");
    EXPECT_EQ(text(scheduled(0x94fe90c6, 1, 0, 1), bh), "sfpshft2 -23, L0, L1, SHFT_IMM (VB L1)");
    EXPECT_EQ(text(scheduled(0x94005055, 1, 2, 16), bh), "sfpshft2 L1, L2, L16, SHFT_LREG");
    EXPECT_EQ(text(scheduled(0x75000050, 0, 3, 16), bh), "sfpaddi 0x0, L16, 0 (VC L3)");
    EXPECT_EQ(text(scheduled(0x7204c080, 0, 0, 16), bh), "sfpstore L16, INT32");
}

TEST(trace_text, of_an_issued_instruction_is_its_disassembly) {
    for (std::uint32_t word : {0x7004e040u, 0x94fe90c6u, 0x93c4c081u, 0x8f000000u, 0xb22f008cu, 0x04040083u})
        EXPECT_EQ(text(decode(word, bh), bh), disassemble(word, bh));
}

} // namespace
} // namespace sfpu::isa
