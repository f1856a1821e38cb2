// Directives that set up macros, real numbers, constants: which words they stand for, and back.
#include <sfpu/isa/assembler.h>
#include <sfpu/isa/data_type.h>
#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/state.h>

#include "chips.h"
#include "lane_machine.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <random>
#include <string>
#include <vector>

namespace sfpu::isa {
namespace {

using test::bh, test::wh;

using words = std::vector<std::uint32_t>;

words plain(const std::vector<source_word>& lines) {
    words result;
    for (const source_word& line : lines) result.push_back(line.word);
    return result;
}

words assembled(const std::string& source, const word_encoding& encoding = bh) {
    const assembly result = assemble(source, "list.s", encoding);
    std::string errors;
    for (const source_error& error : result.errors) errors += error.to_string() + "\n";
    EXPECT_TRUE(result.ok()) << errors;
    return plain(result.program.loop);
}

/// "line:column: message" of the only error.
std::string error_of(const std::string& source, const word_encoding& encoding = bh) {
    const assembly result = assemble(source, "e.s", encoding);
    if (result.errors.size() != 1) return std::to_string(result.errors.size()) + " errors";
    const source_error& error = result.errors.front();
    return std::to_string(error.line) + ":" + std::to_string(error.column) + ": " + error.message;
}

word_encoding grown(unsigned macros, unsigned templates, unsigned delay_bits) {
    word_encoding encoding = bh;
    encoding.macros = static_cast<std::uint8_t>(macros);
    encoding.templates = static_cast<std::uint8_t>(templates);
    encoding.delay_bits = static_cast<std::uint8_t>(delay_bits);
    return encoding;
}

// --- templates, sequences, Misc ----------------------------------------------------------------------------

TEST(setup_directives, give_the_check_words_of_published_kernels) {
    // The 32-bit multiplication: templates, the sequences 00848d00, 00848da7, 00008de7, 53000086, Misc ff0.
    EXPECT_EQ(assembled(".template 0, sfpshft2 -23, _, _, 6\n.template 1, sfpmul24 L0, _, L9, _, 0\n"
                        ".template 2, sfpshft 23, L2, _, 5\n.template 3, sfpiadd 0, L4, L15, 4\n"),
              (words{0x94fe90c6, 0x980009d0, 0x7a0172e5, 0x790004f4}));
    EXPECT_EQ(assembled(".macro 1, round=(template=0, vb), mad=(delay=1, template=1, vb), "
                        "simple=(template=3, vb, delay=4)"),
              (words{0x710a8da7, 0x71080084, 0x91000050}));
    EXPECT_EQ(
        assembled(
            ".macro 2, simple=(template=3, delay=4, vb, l16=1), mad=(template=1, delay=1, vb=1, l16=0)"),
        (words{0x710a8de7, 0x71080000, 0x91000060}));
    EXPECT_EQ(assembled(".macro 3, simple=(template=2, vb), store=(delay=2, l16)"),
              (words{0x710a0086, 0x71085300, 0x91000070}));
    EXPECT_EQ(assembled(".misc load_mode=(0, 1, 2, 3), count_instructions=(simple, mad, round, store)"),
              (words{0x910ff081}));
    EXPECT_EQ(assembled(".misc store_mode=BF16, load_mode=0, count_instructions=(0, 1)"),
              (words{0x91031281}));
    // Selection: an upper half of zeros is written once.
    EXPECT_EQ(
        assembled(
            ".macro 1, simple=(template=0)\n.template 0, sfpsetcc 0, _, _, 6\n.macro 2, simple=(template=1)"),
        (words{0x710a0004, 0x71080000, 0x91000050, 0x7b0000c6, 0x710a0005, 0x91000060}));
    EXPECT_EQ(assembled(".macro 1, simple=(template=0)\nsfpnop\n.macro 2, simple=(template=1)"),
              (words{0x710a0004, 0x71080000, 0x91000050, 0x8f000000, 0x710a0005, 0x71080000, 0x91000060}));
}

TEST(setup_directives, reach_what_larger_machines_have) {
    const word_encoding large = grown(7, 6, 5);
    // Template 5 and macro 6 of tests/data/grown_machine.s.
    EXPECT_EQ(assembled(".template 5, sfpmad L7, L10, _, _, 0", large),
              (words{0x710aa000, 0x71088407, 0x91000110}));
    EXPECT_EQ(assembled(".macro 6, mad=(template=5, delay=20, l16), store=(delay=22, l16)", large),
              (words{0x710a0000, 0x71085409, 0x91000360, 0x710a0000, 0x71085603, 0x91000560}));
    // Load mode of macro 6 is bit 14, delay kind of MAD bit 9, that of macro 7 bit 19: all through L0.
    EXPECT_EQ(assembled(".misc store_mode=FP32, load_mode=6, count_instructions=(mad, 7)", large),
              (words{0x710a4203, 0x71080008, 0x91000080}));
    EXPECT_EQ(error_of(".template 5, sfpnot 0, _, _, 0"),
              "1:11: template 5 needs a machine with '.config macro.templates, 6'");
    EXPECT_EQ(error_of(".macro 6, simple=(nop)"),
              "1:8: macro 6 needs a machine with '.config macro.count, 7'");
    EXPECT_EQ(error_of(".macro 0, simple=(nop, delay=9)"),
              "1:30: a delay of 9 needs a machine with '.config macro.delay_bits, 4'; expected 0 to 7");
}

TEST(setup_directives, need_no_more_delay_bits_than_their_delays_have) {
    const std::string short_delays = ".macro 3, simple=(template=2, vb), store=(delay=2, l16)";
    EXPECT_EQ(assembled(short_delays, grown(4, 4, 2)), assembled(short_delays));
    EXPECT_EQ(assembled(".macro 0, simple=(nop, delay=1)", grown(4, 4, 1)),
              assembled(".macro 0, simple=(nop, delay=1)"));
    EXPECT_EQ(error_of(".macro 0, simple=(nop, delay=4)", grown(4, 4, 2)),
              "1:30: a delay of 4 needs a machine with '.config macro.delay_bits, 3'; expected 0 to 3");
    EXPECT_EQ(error_of(".macro 0, simple=(nop, delay=2)", grown(4, 4, 1)),
              "1:30: a delay of 2 needs a machine with '.config macro.delay_bits, 2'; expected 0 to 1");
}

TEST(setup_directives, say_where_a_mistake_is_and_what_was_expected) {
    const std::pair<const char*, const char*> mistakes[] = {
        {".template 0, sfpnot 0, L1, L3, 0", "1:28: expected '_' or L12, which is what template 0 is written "
                                             "through; its result goes to the loaded register or L16"},
        {".template 0, setc16 1, 2", "1:14: setc16 is no instruction of the vector unit, so no template"},
        {".template 0", "1:12: expected ',', found the end of the line"},
        {".template 0, sfpnott 0, _, _, 0", "1:14: unknown instruction 'sfpnott'; did you mean 'sfpnot'?"},
        {".macro 0, simpel=(nop)", "1:11: expected simple, mad, round or store, found 'simpel'"},
        {".macro 0, simple=(tempate=3)",
         "1:19: expected template, delay, vb, l16, nop or selector, found 'tempate'"},
        {".macro 0, simple=(delay=3)",
         "1:11: simple does not say what: expected template=N, nop or selector=N"},
        {".macro 0, simple=(template=3", "1:29: expected ',' or ')', found the end of the line"},
        {".macro 0, simple", "1:17: expected '=', found the end of the line"},
        {".macro 0, simple=(template)", "1:27: expected '=' and a number behind template"},
        {".macro 0, simple=(template=3, nop)", "1:31: template, selector and nop exclude each other"},
        {".macro 0, simple=(nop), simple=(nop)", "1:25: 'simple' stands here twice"},
        {".macro 0, simple=()", "1:19: expected a field, found ')'"},
        {".equ _, 3", "1:6: '_' has a meaning already; choose another name"},
        {".input _, 0, f32", "1:8: '_' has a meaning already; choose another name"},
        {".misc store_mod=FP32",
         "1:7: expected store_mode, load_mode or count_instructions, found 'store_mod'"},
        {".misc store_mode=FP33", "1:18: expected a mode of SFPSTORE, found 'FP33'"},
        {".misc load_mode=4", "1:17: expected a macro, 0 to 3, found '4'"},
        {".constant L8, 3", "1:11: expected a register, L0 to L7 or L11 to L14"},
        {".constant L1", "1:1: .constant takes a register and a number, found 1 operand"},
        {".constant L1, 0x1ffffffff", "1:15: the number does not fit into 32 bits"},
        {"sfploadi L0, FLOATB, 0.1", "1:22: a BF16 does not hold this number exactly; bf16(...) rounds it, "
                                     ".constant loads all of it"},
        {"sfploadi L0, FLOATA, 0.0", "1:22: FLOATA does not hold this number exactly; fp16(...) rounds it"},
        {"sfploadi L0, USHORT, 1.0",
         "1:22: operand imm16 of sfploadi is a real number, expected -32768 to 65535; "
         "FLOATB and FLOATA take real numbers"},
        {"sfpiadd 1.5, L0, L0, 5", "1:9: operand imm12 of sfpiadd is a real number, expected -2048 to 4095"},
        {"sfpmov 0, _, L1, 0",
         "1:11: '_' stands for a register that the macro gives, in an instruction of .template"},
        {"sfpaddi ~1.5, L0, 0", "1:9: '~' takes an integer, found a real number"},
        {"sfpaddi fp64(1.5), L0, 0", "1:9: expected bf16, fp16 or fp32 before '(', found 'fp64'"},
        {"sfpaddi bf16(1.0e39), L0, 0", "1:9: the number is too large for bf16"},
        {"sfpaddi 1.5 << 2, L0, 0", "1:13: this operator takes integers; of real numbers there are + - * /"},
        {"sfpaddi 1.5 / 0, L0, 0", "1:13: division by zero"},
        {".rows 1.5", "1:7: expected a number from 1 to 100000000, found a real number"},
    };
    for (const auto& [source, message] : mistakes) {
        EXPECT_EQ(error_of(source), message) << source;
    }
}

/// All set-up words that a macro machine can have, in any order, among other words.
TEST(setup_directives, come_back_from_random_words_which_they_give_again) {
    std::mt19937 random(3);
    for (const word_encoding& encoding : {word_encoding(bh), word_encoding(wh), grown(7, 6, 5),
                                          grown(8, 4, 3), grown(4, 8, 3), grown(2, 2, 1)})
        for (unsigned turn = 0; turn < 300; ++turn) {
            kernel program;
            program.arch = encoding.arch;
            program.words = encoding;
            const auto emit = [&](std::uint32_t word) { program.loop.push_back({word, 1}); };
            const unsigned count = 1 + random() % 12;
            for (unsigned i = 0; i < count; ++i) {
                switch (random() % 6) {
                case 0: emit(random()); break;
                case 1: emit(0x91000000u | (random() & 0xffffffu)); break; // any SFPCONFIG
                case 2: emit(0x91000081u | (random() & 0xfffu) << 8); break;
                case 3:
                    emit((0x70u + random() % 42) << 24 | (random() & 0xffff0fu) | (12 + random() % 4) << 4);
                    break;
                default: // a value through L0, sometimes without its upper half
                    emit(0x710a0000u | (random() & 0xffffu));
                    if (random() % 3) emit(0x71080000u | (random() % 2 ? 0u : random() & 0xffffu));
                    emit(0x91000000u | (random() % 8) << 8 | (random() % 9) << 4);
                }
            }
            const std::string text = listing(program);
            EXPECT_EQ(assembled(text, encoding), plain(program.loop)) << text;
        }
}

TEST(setup_directives, are_what_the_disassembler_writes) {
    const std::string source =
        ".arch bh\n.template 0, sfpshft2 -23, L0, _, SHFT_IMM\n"
        ".macro 0, simple=(nop, delay=2), mad=(template=1, delay=1, vb), round=(template=0, "
        "delay=0, vb), store=(delay=7, l16)\n"
        ".macro 2, store=(template=3, delay=0, vb)\n"
        ".misc store_mode=FP32, load_mode=(0, 2), count_instructions=mad\n";
    const assembly result = assemble(source, "s.s", bh);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(listing(result.program), source);
}

TEST(setup_directives, write_what_they_say) {
    // Fields of every macro of every machine, written and read back through the machine's own configuration.
    std::mt19937 random(5);
    for (const word_encoding& encoding : {word_encoding(bh), grown(8, 8, 5), grown(8, 4, 3)})
        for (unsigned turn = 0; turn < 200; ++turn) {
            const unsigned macro = random() % encoding.macros, templates = encoding.templates;
            std::string source = ".macro " + std::to_string(macro);
            macro_configuration config;
            std::uint32_t expected[4] = {};
            const char* const names[] = {"simple", "mad", "round", "store"};
            for (unsigned unit = 0; unit < 4; ++unit) {
                if (random() % 3 == 0) continue;
                const unsigned number = random() % templates, delay = random() % (1u << encoding.delay_bits);
                const bool vb = random() % 2, l16 = random() % 2;
                source += std::string(", ") + names[unit] + "=(template=" + std::to_string(number) +
                          ", delay=" + std::to_string(delay) + (vb ? ", vb" : "") + (l16 ? ", l16" : "") +
                          ")";
                expected[unit] = (vb ? 0x8000u : 0) | (l16 ? 0x4000u : 0) | delay << 8 | (4 + number);
            }
            std::uint32_t l0 = 0xdeadbeef;
            for (const std::uint32_t word : assembled(source, encoding)) {
                if (word >> 16 == 0x710a) l0 = (l0 & 0xffff0000u) | (word & 0xffffu);
                else if (word >> 16 == 0x7108) l0 = (l0 & 0xffffu) | word << 16;
                else {
                    ASSERT_EQ(word >> 24, 0x91u);
                    const extended_index index = extended_index::of(word >> 8 & 0xffffu);
                    config.write_sequence((word >> 4 & 3u) + index.plus_four, index.which,
                                          encoding.wide_sequences(), l0);
                }
            }
            for (unsigned unit = 0; unit < 4; ++unit) {
                const std::uint32_t half = unit < 2 ? config.sequence[macro] >> 16 * unit
                                                    : config.sequence_upper[macro] >> 16 * (unit - 2);
                const std::uint32_t got =
                    encoding.wide_sequences()
                        ? half & 0xffffu
                        : half_word_of(static_cast<std::uint8_t>(config.sequence[macro] >> 8 * unit));
                EXPECT_EQ(got, expected[unit]) << source;
            }
        }
}

// --- real numbers ------------------------------------------------------------------------------------------

/// A decimal text that is exactly this number.
std::string decimal(double number) {
    char text[1200];
    std::snprintf(text, sizeof text, "%.200f", number);
    return text;
}

double value_of(data_type type, std::uint32_t bits) {
    return number_of_cell(type, *cell_of_value(type, bits));
}

/// The immediate that "sfploadi L0, FLOATB, <operand>" gets.
std::uint32_t immediate(const std::string& operand) {
    return assembled("sfploadi L0, FLOATB, " + operand).at(0) & 0xffffu;
}

TEST(real_numbers, are_rounded_to_the_nearest_and_ties_to_even_in_each_format) {
    struct format {
        const char* name;
        data_type type;
        unsigned step; ///< of bits from one number to the next
        unsigned last; ///< finite positive pattern
    };
    std::string source;
    words expected;
    for (const format& each :
         {format{"fp16", data_type::f16, 1, 0x7bff}, format{"bf16", data_type::bf16, 0x10000, 0x7f7f}})
        for (std::uint32_t pattern = 0; pattern<each.last; pattern += each.last> 0x7c00 ? 97 : 89) {
            const double here = value_of(each.type, pattern * each.step),
                         next = value_of(each.type, (pattern + 1) * each.step);
            if (next < 0x1p-100) continue; // decimals of 200 digits end there
            const double middle = (here + next) / 2, quarter = (next - here) / 4;
            const std::pair<double, std::uint32_t> cases[] = {{here, pattern},
                                                              {here + quarter, pattern},
                                                              {middle + quarter, pattern + 1},
                                                              {middle, pattern + (pattern & 1u)}};
            for (const auto& [number, wanted] : cases)
                for (const bool negative : {false, true}) {
                    source += "sfploadi L0, FLOATB, " + std::string(each.name) + "(" + (negative ? "-" : "") +
                              decimal(number) + ")\n";
                    expected.push_back(0x71000000u | wanted | (negative ? 0x8000u : 0u));
                }
        }
    EXPECT_EQ(assembled(source), expected);
}

TEST(real_numbers, follow_the_rules_of_arithmetic) {
    EXPECT_EQ(immediate("1.5"), 0x3fc0u);
    EXPECT_EQ(immediate("-1.5"), 0xbfc0u);
    EXPECT_EQ(immediate("0.5 + 1"), 0x3fc0u);
    EXPECT_EQ(immediate("3 * 0.5"), 0x3fc0u);
    EXPECT_EQ(immediate("3 / 2.0"), 0x3fc0u);
    EXPECT_EQ(immediate("2.5 - 1"), 0x3fc0u);
    EXPECT_EQ(immediate("(1.0e2 - 98.5)"), 0x3fc0u);
    EXPECT_EQ(immediate("15.0e-1"), 0x3fc0u);
    EXPECT_EQ(immediate("bf16(3) >> 1"), 0x4040u >> 1);
    EXPECT_EQ(immediate("fp32(3.14159265) >> 16"), 0x4049u);
    EXPECT_EQ(immediate("3 / 2"), 1u) << "integers stay integers";
    EXPECT_EQ(assembled(".equ half, 0.5\nsfpaddi half, L1, 0\nsfpmuli -half, L1, 0\n"),
              (words{0x753f0010, 0x74bf0010}));
    EXPECT_EQ(assembled("sfploadi L0, FLOATA, 1.5"), (words{0x71013e00}));
    EXPECT_EQ(assembled("sfploadi L0, FLOATA, 65536.0"), (words{0x71017c00}))
        << "exponent 31 is an ordinary one";
}

// --- constants ---------------------------------------------------------------------------------------------

TEST(constants, are_in_the_register_after_at_most_two_words) {
    std::vector<std::uint32_t> values;
    for (const data_type type : {data_type::f32, data_type::i32})
        for (const std::uint32_t cell : extreme_cells(type)) values.push_back(value_of_cell(type, cell));
    std::mt19937 random(11);
    for (unsigned i = 0; i < 500; ++i) {
        values.push_back(random());
        values.push_back(random() & 0xffff0000u);
        values.push_back(random() & 0xffffe000u);
        values.push_back((112 + random() % 32) << 23 | (random() & 0x807fe000u));
        values.push_back(random() >> 16);
    }
    for (const architecture arch : {bh, wh})
        for (const std::uint32_t value : values) {
            const words list = assembled(".constant L3, " + std::to_string(value), arch);
            ASSERT_LE(list.size(), 2u);
            test::lane_machine machine(arch);
            machine.state.lreg[3] = broadcast(0x12345678);
            for (const std::uint32_t word : list) machine.execute(word);
            ASSERT_EQ(machine.state.lreg[3][7], value) << std::hex << value;
        }
}

TEST(constants, take_one_word_where_a_format_of_sfploadi_fits) {
    EXPECT_EQ(assembled(".constant L1, 0xffff"), (words{0x7112ffff}));
    EXPECT_EQ(assembled(".constant L1, -31"), (words{0x7114ffe1}));
    EXPECT_EQ(assembled(".constant L1, 1.5"), (words{0x71103fc0}));
    EXPECT_EQ(assembled(".constant L1, 65504.0"), (words{0x71117bff})) << "FP16, not exact as BF16";
    EXPECT_EQ(assembled(".constant L1, 0.1"), (words{0x71103dcc, 0x711acccd}));
    EXPECT_EQ(assembled(".constant L12, 0x7ff"), (words{0x710207ff, 0x910000c0})) << "through L0";
}

} // namespace
} // namespace sfpu::isa
