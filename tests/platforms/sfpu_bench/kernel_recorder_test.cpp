// C++ kernels against their assembly twins: the files that the programs of kernels/cpp wrote when they were
// built.
#include "tree_path.h"

#include <sfpu/isa/assembler.h>
#include <sfpu/isa/instruction.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <vector>

namespace sfpu::test {
namespace {

using word_list = std::vector<std::uint32_t>;

struct twins {
    std::string recorded, assembly; ///< file names, without and with the extension
    architecture arch;
};
void PrintTo(const twins& pair, std::ostream* out) { *out << pair.recorded; }

isa::kernel read(const std::string& path, architecture arch) {
    std::ifstream in(path);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const isa::assembly result = isa::assemble(text, path, arch);
    EXPECT_FALSE(text.empty()) << path;
    EXPECT_TRUE(result.ok()) << result.errors.front().to_string();
    return result.program;
}

word_list plain(const std::vector<isa::source_word>& lines) {
    word_list result;
    for (const isa::source_word& line : lines) result.push_back(line.word);
    return result;
}

/// The word_list from the first that does not write thread configuration: those of the init function proper.
word_list without_addr_mods(const std::vector<isa::source_word>& lines) {
    word_list result = plain(lines);
    const auto is_set_up = [](std::uint32_t word) { return word >> 24 == isa::opcode::setc16; };
    result.erase(result.begin(), std::find_if_not(result.begin(), result.end(), is_set_up));
    return result;
}

class cpp_kernel : public testing::TestWithParam<twins> {
protected:
    isa::kernel recorded() const { return read(recorded_kernel_path(GetParam().recorded), GetParam().arch); }
    isa::kernel assembly() const {
        return read(tree_path("kernels/" + std::string(GetParam().assembly)), GetParam().arch);
    }
};
INSTANTIATE_TEST_SUITE_P(
    all, cpp_kernel,
    testing::Values(twins{"mul32_macro_bh", "mul32_macro.s", architecture::blackhole},
                    twins{"uint16_to_fp32_bh", "uint16_to_fp32.s", architecture::blackhole},
                    twins{"uint16_to_fp32_wh", "uint16_to_fp32.s", architecture::wormhole}),
    [](const auto& tested) { return tested.param.recorded; });

TEST_P(cpp_kernel, records_the_words_of_its_assembly_twin) {
    const isa::kernel found = recorded(), expected = assembly();
    EXPECT_EQ(found.arch, expected.arch);
    EXPECT_EQ(without_addr_mods(found.init), without_addr_mods(expected.init));
    EXPECT_EQ(plain(found.loop), plain(expected.loop));
    EXPECT_EQ(found.rows_per_iteration, expected.rows_per_iteration);
    EXPECT_EQ(plain(found.tail), plain(expected.tail));
    EXPECT_EQ(found.expected_cycles_per_row, expected.expected_cycles_per_row);
}

// addr_mod_t also writes the steps of the other units, which assembly kernels leave alone.
TEST_P(cpp_kernel, sets_up_the_address_modifiers_of_its_assembly_twin) {
    const word_list found = plain(recorded().init);
    for (std::uint32_t word : plain(assembly().init)) {
        if (word >> 24 != isa::opcode::setc16) break;
        EXPECT_EQ(std::count(found.begin(), found.end(), word), 1) << std::hex << word;
    }
}

} // namespace
} // namespace sfpu::test
