// Words as the public assembler writes them. The encodings are worked out by hand from the fields' positions.
#include <sfpu/isa/assembler.h>
#include <sfpu/isa/gnu_syntax.h>

#include "chips.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace sfpu::isa {
namespace {

struct gnu_fact {
    const char* text;
    std::uint32_t word;
};

const std::vector<gnu_fact> facts_of_both = {
    {"TTNOP", 0x02000000},
    {"TTMOP 1, 3, 16", 0x01830010},
    {"TTMOPCFG 4660", 0x03001234},
    {"TTREPLAY 4, 12, 1, 1", 0x040100c3},
    {"TTSETRWC 0, 4, 8, 0, 0, 4", 0x37120004},
    {"TTINCRWC 0, 2, 0, 0", 0x38008000},
    {"TTSETC16 34, 2", 0xb2220002},
    {"TTATGETM 3", 0xa0000003},
    {"TTATRELM 3", 0xa1000003},
    {"TTSTALLWAIT 256, 16", 0xa2800010},
    {"TTSEMINIT 2, 1, 4", 0xa3210010},
    {"TTSEMPOST 2", 0xa4000008},
    {"TTSEMGET 2", 0xa5000008},
    {"TTSEMWAIT 322, 2, 2", 0xa6a1000a},
    {"SFPLOADI L5, -2, 8", 0x7158fffe},
    {"SFPNOP", 0x8f000000},
    {"SFPLUT L2, 4", 0x73240000},
    {"SFPMULI L6, 16256, 0", 0x743f8060},
    {"SFPADDI L6, 49024, 0", 0x75bf8060},
    {"SFPMAD L3, L1, L2, L4, 0", 0x84012430},
    {"SFPADD L3, L2, L4, 0", 0x850a2430}, // VA is L10, which holds 1
    {"SFPMUL L3, L1, L2, 0", 0x86012930}, // VC is L9, which holds 0
    {"SFPLUTFP32 L7, 2", 0x95000072},
    {"SFPDIVP2 L1, L2, -3, 1", 0x76ffd211},
    {"SFPEXEXP L1, L2, 1", 0x77000211},
    {"SFPEXMAN L1, L2, 0", 0x78000210},
    {"SFPIADD L1, L2, -5, 5", 0x79ffb215},
    {"SFPSHFT L1, L2, 7, 1", 0x7a007211},
    {"SFPSETCC L2, 0, 6", 0x7b000206},
    {"SFPMOV L1, L2, 2", 0x7c000212},
    {"SFPABS L1, L2, 1", 0x7d000211},
    {"SFPNOT L1, L2", 0x80000210},
    {"SFPLZ L1, L2, 4", 0x81000214},
    {"SFPSETEXP L1, L2, 127, 1", 0x8207f211},
    {"SFPSETMAN L1, L2, 4095, 1", 0x83fff211},
    {"SFPPUSHC 0", 0x87000000},
    {"SFPPOPC 1", 0x88000001},
    {"SFPSETSGN L1, L2, 1, 1", 0x89001211},
    {"SFPENCC 3, 10", 0x8a00300a},
    {"SFPCOMPC", 0x8b000000},
    {"SFPTRANSP", 0x8c000000},
    {"SFPXOR L1, L2", 0x8d000210},
    {"SFPCAST L1, L2, 1", 0x90000211},
    {"SFPCONFIG 15, 256, 1", 0x910100f1},
    {"SFPSWAP L11, L2, 1", 0x920002b1},
    {"SFPSHFT2 L1, L2, 0, 3", 0x94000213},
};
const std::vector<gnu_fact> facts_of_blackhole = {
    {"SFPLOAD L3, 66, 4, 6", 0x7034c042},
    {"SFPSTORE L12, 1000, 3, 7", 0x72c3e3e8},
    {"SFPSTORE L0, 8190, 0, 0", 0x72001ffe},
    {"SFPLOADMACRO 2, L5, 129, 3, 7", 0x9393e081},
    {"SFPMAD L3, L1, L2, L4, 2", 0x84012432},
    {"SFPSHFT L1, L2, -31, 5", 0x7afe1215},
    {"SFPAND L1, L3, L2, 1", 0x7e003211},
    {"SFPOR L1, L3, L2, 1", 0x7f003211},
    {"SFPSTOCHRND L1, L3, L2, 9, 12, 2", 0x8e49321c},
    {"SFPMUL24 L3, L1, L2, 1", 0x98012931},
    {"SFPLE L1, L2, 0, 8", 0x96000218},
    {"SFPGT L1, L2, 0, 1", 0x97000211},
    {"SFPARECIP L1, L2, 2", 0x99000212},
};
const std::vector<gnu_fact> facts_of_wormhole = {
    {"SFPLOAD L3, 66, 12, 2", 0x703c8042},
    {"SFPSTORE L12, 1000, 3, 3", 0x72c3c3e8},
    {"SFPSTORE L0, 16382, 0, 0", 0x72003ffe},
    {"SFPLOADMACRO 2, L5, 129, 3, 1", 0x93934081},
    {"SFPAND L1, L2", 0x7e000210},
    {"SFPOR L1, L2", 0x7f000210},
    {"SFPSTOCHRND L1, L3, L2, 9, 12, 1", 0x8e29321c},
};

std::vector<gnu_fact> facts_of(architecture arch) {
    std::vector<gnu_fact> all = facts_of_both;
    const auto& own = arch == architecture::blackhole ? facts_of_blackhole : facts_of_wormhole;
    all.insert(all.end(), own.begin(), own.end());
    return all;
}

/// "12: found ..." of a line with a mistake.
std::string gnu_problem(const std::string& line, architecture arch = architecture::blackhole) {
    const gnu_line read = gnu_word(line, arch);
    EXPECT_TRUE(read.is_tensix) << line;
    EXPECT_FALSE(read.word) << line;
    return std::to_string(read.column) + ": " + read.problem;
}

TEST(gnu_syntax, encodings_are_those_of_the_fields) {
    for (const architecture arch : all_architectures)
        for (const gnu_fact& fact : facts_of(arch)) {
            const gnu_line read = gnu_word(fact.text, arch);
            EXPECT_EQ(read.problem, "") << fact.text;
            EXPECT_EQ(read.word.value_or(0), fact.word) << fact.text;
            std::string with_tab = fact.text;
            if (const auto blank = with_tab.find(' '); blank != std::string::npos) with_tab[blank] = '\t';
            EXPECT_EQ(gnu_text(fact.word, arch), with_tab);
        }
}

TEST(gnu_syntax, every_instruction_of_the_table_has_a_spelling) {
    for (const architecture arch : all_architectures) {
        std::set<std::uint8_t> stated;
        for (const gnu_fact& fact : facts_of(arch)) stated.insert(static_cast<std::uint8_t>(fact.word >> 24));
        for (const instruction_form& form : instruction_forms()) {
            const bool is_there = form.on_wormhole || arch == architecture::blackhole;
            EXPECT_EQ(stated.count(form.opcode), is_there ? 1u : 0u) << form.mnemonic;
        }
    }
}

TEST(gnu_syntax, what_is_written_reads_back_for_words_of_every_opcode) {
    std::mt19937 random(37);
    constexpr std::uint32_t masks[] = {0xffffff, 0xfff7f, 0x0fff, 0xff0fff, 0xff000f, 0xfff0};
    std::map<std::uint32_t, unsigned> with_mnemonic;
    for (const architecture arch : all_architectures)
        for (std::uint32_t code = 0; code < 256; ++code)
            for (const std::uint32_t mask : masks)
                for (unsigned i = 0; i < 20; ++i) {
                    const std::uint32_t word = code << 24 | (static_cast<std::uint32_t>(random()) & mask);
                    const std::string text = gnu_text(word, arch);
                    EXPECT_EQ(gnu_word(text, arch).word.value_or(~word), word) << text;
                    with_mnemonic[code] += text[0] != '.';
                }
    EXPECT_GT(with_mnemonic[0x84], 0u);
    EXPECT_EQ(with_mnemonic[0x26], 0u); // MVMUL: its word, as `.ttinsn`
}

TEST(gnu_syntax, words_that_the_public_assembler_refuses_are_written_as_numbers) {
    for (const std::uint32_t word : {0x84012431u, // Wormhole has no negation in SFPMAD
                                     0x85012430u, // SFPADD with another factor than 1
                                     0x76ffd212u, // SFPDIVP2 has no mode 2
                                     0x79001210u, // SFPIADD adds registers, and its immediate is not 0
                                     0x840124c0u, // the destination names a template
                                     0x910100a1u, // no destination of SFPCONFIG
                                     0x95020072u, // SFPLUTFP32 with its modifier written twice
                                     0x40000000u})
        EXPECT_EQ(gnu_text(word, architecture::wormhole).substr(0, 8), ".ttinsn\t") << std::hex << word;
    EXPECT_EQ(gnu_text(0x40000001, architecture::wormhole), ".ttinsn\t0x40000001");
}

TEST(gnu_syntax, case_blanks_comments_and_bases_do_not_matter) {
    const architecture arch = architecture::blackhole;
    EXPECT_EQ(gnu_word("sfpmad L3,L1,L2,L4,0", arch).word, 0x84012430u);
    EXPECT_EQ(gnu_word("  \tSFPMAD\tl3 , L1,L2,L4, 0x0\t# LV:L3", arch).word, 0x84012430u);
    EXPECT_EQ(gnu_word(".ttinsn 1879048194", arch).word, 0x70000002u);
    EXPECT_EQ(gnu_word(".ttinsn\t-1", arch).word, 0xffffffffu);
    EXPECT_EQ(gnu_word("SFPIADD L1, L2, 0xffb, 5", arch).word, 0x79ffb215u);
    EXPECT_EQ(gnu_word("SFPIADD L1, L2, 010, 5", arch).word, 0x79008215u); // octal, as in the GNU assembler
    EXPECT_FALSE(gnu_word("\tlui\ta5, 4", arch).is_tensix);
    EXPECT_FALSE(gnu_word("# READ L0", arch).is_tensix);
}

TEST(gnu_syntax, forms_of_earlier_assemblers_are_read_where_they_cannot_be_mistaken) {
    const architecture arch = architecture::blackhole;
    EXPECT_EQ(gnu_word("SFPSTORE 2, L1, 0, 7", arch).word, gnu_word("SFPSTORE L1, 2, 0, 7", arch).word);
    EXPECT_EQ(gnu_word("SFPMUL L3, L1, L2, L9, 0", arch).word, 0x86012930u);
    EXPECT_EQ(gnu_word("SFPADD L3, L10, L2, L4, 0", arch).word, 0x850a2430u);
    EXPECT_EQ(gnu_word("SFPENCC 10, 3", arch).word, 0x8a00300au); // there is no mode 3
    EXPECT_EQ(gnu_word("SFPENCC 3, 2", arch).word, 0x8a003002u);
}

TEST(gnu_syntax, mistakes_say_where_and_what_was_expected) {
    EXPECT_EQ(gnu_problem("\tSFPLOAD\tL0, 0, 0, 0, 0, 0"),
              "10: found 6 operands, expected 'SFPLOAD lreg, dst_addr, mode, addr_mod'");
    EXPECT_EQ(gnu_problem("SFPMOV L1, a5, 2"), "12: found 'a5', expected a register L0 to L15 or a number");
    EXPECT_EQ(gnu_problem("SFPMOV L1, L2, 16"), "16: mod is 16, expected 0 to 15");
    EXPECT_EQ(gnu_problem("SFPLE L1, L2, 0, 1", architecture::wormhole),
              "1: SFPLE does not exist on Wormhole");
    EXPECT_EQ(gnu_problem("SFPLOADMACRO 0, L4, 2, 0, 0"),
              "21: bit 0 of the address holds bit 2 of the register, expected 3");
    EXPECT_EQ(gnu_problem("SFPMOV L1, L2,"), "14: expected ',' and an operand");
    EXPECT_EQ(gnu_problem(".ttinsn word"), "9: found 'word', expected a word of 32 bits");
    EXPECT_EQ(gnu_problem("SFPFOO 1"), "1: unknown instruction 'SFPFOO'");
    EXPECT_NE(gnu_problem("TTUNPACR_NOP 1, 0").find("operands are not known here"), std::string::npos);
    for (const char* line : {"SFPMOV L1,,L2", "SFPMOV L99, L2, 0", "SFPMOV ,", "TTNOP 0", ".ttinsn",
                             ".ttinsn 0x1ffffffff", "SFPLOADI L0, 99999999999999999999999999, 0"})
        EXPECT_FALSE(gnu_word(line, architecture::blackhole).word) << line;
}

} // namespace
} // namespace sfpu::isa
