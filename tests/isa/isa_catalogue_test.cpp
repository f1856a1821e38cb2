// The catalogue of (opcode, modifier) pairs: complete, and every claim in it points at something that exists.
#include "lane_machine.h"
#include "modifier_tests.h"
#include "tree_path.h"

#include <sfpu/isa/isa_catalogue.h>
#include <sfpu/isa/table.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace sfpu::test {
namespace {

using isa::catalogue_row;
using isa::definition;

const std::vector<catalogue_row>& all() {
    static const std::vector<catalogue_row> rows = isa::catalogue();
    return rows;
}

std::string label(const catalogue_row& row) {
    return std::string(short_name(row.arch)) + ' ' + row.op->mnemonic + ' ' + std::to_string(row.modifier);
}

/// The names in the TEST(suite, name) of a source file, as "suite.name".
void collect_tests(const std::string& source, std::set<std::string>& names) {
    const std::string opening = "\nTEST(";
    for (std::size_t at = source.find(opening); at != std::string::npos; at = source.find(opening, at + 1)) {
        std::string name;
        for (std::size_t i = at + opening.size(); i < source.size() && source[i] != ')'; ++i) {
            if (source[i] == ',') name += '.';
            else if (source[i] != ' ' && source[i] != '\n') name += source[i];
        }
        names.insert(name);
    }
}
std::set<std::string> test_names() {
    std::set<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(tree_path("tests/isa"))) {
        std::ifstream stream(file.path());
        collect_tests({std::istreambuf_iterator<char>(stream), {}}, names);
    }
    return names;
}

const catalogue_row& find(architecture arch, const std::string& mnemonic, unsigned modifier) {
    for (const catalogue_row& row : all())
        if (row.arch == arch && row.op->mnemonic == mnemonic && row.modifier == modifier) return row;
    throw std::out_of_range(mnemonic);
}

TEST(isa_catalogue, has_every_sfpu_opcode_in_sixteen_modifiers_once_for_each_architecture) {
    std::set<std::tuple<architecture, unsigned, unsigned>> pairs, expected;
    for (const catalogue_row& row : all())
        EXPECT_TRUE(pairs.emplace(row.arch, row.op->opcode, row.modifier).second) << label(row);
    for (const architecture arch : all_architectures)
        for (unsigned opcode = 0x70; opcode <= 0x99; ++opcode)
            for (unsigned modifier = 0; modifier < 16; ++modifier)
                if (isa::find_row(static_cast<std::uint8_t>(opcode), arch))
                    expected.emplace(arch, opcode, modifier);
    EXPECT_EQ(pairs, expected);
}

TEST(isa_catalogue, tells_what_every_pair_does_in_one_line) {
    for (const catalogue_row& row : all()) {
        EXPECT_FALSE(row.text.empty()) << label(row);
        EXPECT_EQ(row.text.find('\n'), std::string::npos) << label(row);
    }
}

TEST(isa_catalogue, has_one_test_for_every_pair_but_those_with_ignored_bits_and_no_test_for_others) {
    std::map<std::string, unsigned> meaningful, tested; // on any chip, as bits
    for (const catalogue_row& row : all())
        if (row.ignored_bits == 0) meaningful[row.op->mnemonic] |= 1u << row.modifier;
    for (const modifier_test& entry : modifier_tests) {
        EXPECT_EQ(tested[entry.mnemonic] & entry.modifiers, 0u)
            << entry.mnemonic << ": two tests of a modifier";
        tested[entry.mnemonic] |= entry.modifiers;
    }
    EXPECT_EQ(tested, meaningful);
}

TEST(isa_catalogue, names_tests_that_exist) {
    const std::set<std::string> names = test_names();
    for (const modifier_test& entry : modifier_tests) EXPECT_EQ(names.count(entry.test), 1u) << entry.test;
}

TEST(isa_catalogue, names_a_documentation_page_for_every_pair) {
    const std::string folder = "/TensixTile/TensixCoprocessor/";
    for (const catalogue_row& row : all()) {
        const std::string tree = row.page.substr(0, row.page.find('/'));
        EXPECT_TRUE(tree == "BlackholeA0" || tree == "WormholeB0") << row.page;
        const std::string prefix = tree + folder + row.op->page, suffix = row.page.substr(prefix.size());
        EXPECT_EQ(row.page.rfind(prefix, 0), 0u) << row.page;
        EXPECT_TRUE(suffix == ".md" || (suffix[0] == '_' && suffix.find(".md") == suffix.size() - 3))
            << row.page;
        const bool wormhole_tree = row.page.rfind("WormholeB0", 0) == 0;
        EXPECT_TRUE(wormhole_tree || row.arch == architecture::blackhole) << label(row);
        EXPECT_TRUE(!wormhole_tree || row.op->on_wormhole) << label(row);
    }
    EXPECT_EQ(find(architecture::blackhole, "sfpcast", 3).page,
              "BlackholeA0/TensixTile/TensixCoprocessor/SFPCAST_IntInt.md");
    EXPECT_EQ(find(architecture::wormhole, "sfpcast", 1).page,
              "WormholeB0/TensixTile/TensixCoprocessor/SFPCAST.md");
    EXPECT_EQ(find(architecture::blackhole, "sfpiadd", 0).page,
              "WormholeB0/TensixTile/TensixCoprocessor/SFPIADD.md");
}

/// The modifiers, as bits, that the documentation defines; recorded by hand from the pages.
struct documented {
    const char* mnemonic;
    unsigned blackhole, wormhole;
};

TEST(isa_catalogue, calls_those_modifiers_defined_that_the_pages_define) {
    constexpr unsigned every = every_modifier, none = 0, first = 1, two = 3;
    const documented pages[] = {
        {"sfpload", every, every},
        {"sfploadi", modifiers({0, 1, 2, 4, 8, 10}), modifiers({0, 1, 2, 4, 8, 10})},
        {"sfploadmacro", every, every},
        {"sfpnop", first, first},
        {"sfpstore", every, every},
        {"sfplut", modifiers({0, 4, 8, 12}), modifiers({0, 4, 8, 12})},
        {"sfpmuli", modifiers({0, 2, 8, 10}), modifiers({0, 8})},
        {"sfpaddi", modifiers({0, 2, 8, 10}), modifiers({0, 8})},
        {"sfpmad", every, modifiers({0, 4, 8, 12})},
        {"sfpadd", every, modifiers({0, 4, 8, 12})},
        {"sfpmul", every, modifiers({0, 4, 8, 12})},
        {"sfplutfp32", modifiers({0, 2, 3, 4, 6, 7, 8, 10, 12, 14}),
         modifiers({0, 2, 3, 4, 6, 7, 8, 10, 12, 14})},
        {"sfpmul24", modifiers({0, 1, 4, 5, 8, 9, 12, 13}), none},
        {"sfpdivp2", two, two},
        {"sfpexexp", modifiers({0, 1, 2, 3, 8, 9, 10, 11}), modifiers({0, 1, 2, 3, 8, 9, 10, 11})},
        {"sfpexman", two, two},
        {"sfpiadd", every, every},
        {"sfpshft", modifiers({0, 1, 2, 3, 5, 7}), two},
        {"sfpsetcc", every, every},
        {"sfpmov", modifiers({0, 1, 2, 3, 8, 9, 10, 11}), modifiers({0, 1, 2, 3, 8, 9, 10, 11})},
        {"sfpabs", two, two},
        {"sfpand", two, first},
        {"sfpor", two, first},
        {"sfpnot", first, first},
        {"sfplz", modifiers({0, 2, 4, 6, 8, 10, 12, 14}), modifiers({0, 2, 4, 6, 8, 10, 12, 14})},
        {"sfpsetexp", 15, 15},
        {"sfpsetman", two, two},
        {"sfppushc", every, first},
        {"sfppopc", every, every},
        {"sfpsetsgn", two, two},
        {"sfpencc", modifiers({0, 1, 2, 3, 8, 9, 10, 11}), modifiers({0, 1, 2, 3, 8, 9, 10, 11})},
        {"sfpcompc", first, first},
        {"sfptransp", first, first},
        {"sfpxor", first, first},
        {"sfpcast", 15, two},
        {"sfpconfig", every, every},
        {"sfpswap", 0x3ff, 0x3ff},
        {"sfple", every, none},
        {"sfpgt", every, none},
        {"sfparecip", every, none},
        {"sfpstochrnd", modifiers({0, 1, 2, 3, 4, 5, 6, 7, 12, 13}),
         modifiers({0, 1, 2, 3, 4, 5, 6, 7, 12, 13})},
        {"sfpshft2", 0x7f, modifiers({0, 1, 2, 3, 5, 6})},
    };
    std::set<std::string> catalogued, recorded;
    for (const catalogue_row& row : all()) catalogued.insert(row.op->mnemonic);
    for (const documented& page : pages) recorded.insert(page.mnemonic);
    EXPECT_EQ(recorded, catalogued);
    for (const documented& page : pages)
        for (const architecture arch : {architecture::blackhole, architecture::wormhole}) {
            const unsigned expected = arch == architecture::blackhole ? page.blackhole : page.wormhole;
            if (!isa::find_row(isa::find_row(page.mnemonic)->opcode, arch)) {
                EXPECT_EQ(expected, none) << page.mnemonic;
                continue;
            }
            for (unsigned modifier = 0; modifier < 16; ++modifier)
                EXPECT_EQ(find(arch, page.mnemonic, modifier).status == definition::defined,
                          (expected >> modifier & 1) != 0)
                    << short_name(arch) << ' ' << page.mnemonic << ' ' << modifier;
        }
}

TEST(isa_catalogue, calls_undefined_what_the_pages_call_undefined_behaviour) {
    for (const catalogue_row& row : all()) {
        const std::string mnemonic = row.op->mnemonic;
        const bool expected = (mnemonic == "sfpshft2" && row.modifier > 6) ||
                              (mnemonic == "sfploadi" && row.status != definition::defined);
        EXPECT_EQ(row.status == definition::undefined, expected) << label(row);
    }
}

TEST(isa_catalogue, tells_the_truth_about_ignored_modifier_bits) {
    random_bits random(1);
    unsigned count = 0;
    for (const catalogue_row& row : all()) {
        if (row.ignored_bits == 0) continue;
        EXPECT_EQ(row.status, definition::non_contractual) << label(row);
        const bool upper = row.op->format == isa::layout::mod0_address;
        for (unsigned n = 0; n < 8; ++n) {
            const std::uint32_t fields = random.next() & (upper ? 0x00f00000u : 0x00ff7770u);
            const std::uint32_t word =
                std::uint32_t{row.op->opcode} << 24 | fields | row.modifier << (upper ? 16 : 0);
            lane_machine with(row.arch);
            randomise(with, random);
            lane_machine without = with;
            with.execute(word);
            without.execute(word & ~(row.ignored_bits << (upper ? 16 : 0)));
            // A template keeps the word as it is.
            for (isa::macro_configuration& macro : with.state.macro) macro.instruction_template = {};
            for (isa::macro_configuration& macro : without.state.macro) macro.instruction_template = {};
            ASSERT_EQ(difference(with, without), "") << label(row) << std::hex << ' ' << word;
        }
        ++count;
    }
    EXPECT_GT(count, 500u);
}

TEST(isa_catalogue, gives_modifiers_their_documented_names) {
    EXPECT_EQ(find(architecture::blackhole, "sfpload", 4).modifier_name, "INT32");
    EXPECT_EQ(find(architecture::blackhole, "sfpmad", 5).modifier_name, "NEGATE_VA|INDIRECT_VA");
    EXPECT_EQ(find(architecture::wormhole, "sfpshft2", 6).modifier_name, "SHFT_IMM");
    EXPECT_EQ(find(architecture::blackhole, "sfpswap", 9).modifier_name, "");
}

TEST(isa_catalogue, gives_every_special_case_a_known_category_and_a_behaviour) {
    const std::set<std::string> categories{"undefined", "unpredictable", "non-contractual", "unsupported"};
    ASSERT_FALSE(isa::special_cases().empty());
    for (const isa::special_case& special : isa::special_cases()) {
        EXPECT_EQ(categories.count(special.category), 1u) << special.category;
        EXPECT_FALSE(std::string(special.behaviour).empty());
    }
}

} // namespace
} // namespace sfpu::test
