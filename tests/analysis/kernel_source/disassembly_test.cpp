// The text of objdump -d as a kernel: columns, functions, lines of C++, and what is refused.
#include "translated_kernel.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/kernel_source.h>
#include <sfpu/isa/assembler.h>

#include "program_text.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {
namespace {

constexpr const char* two_functions = "\n"
                                      "k.elf:     file format elf32-littleriscv\n"
                                      "\n"
                                      "Disassembly of section .text:\n"
                                      "\n"
                                      "00005f00 <_Z6squareILi2EEvi>:\n"
                                      "square():\n"
                                      "/src/square.h:12\n"
                                      "    5f00:\tc00d8001          \tsfpload\tL0,0,3,3\n"
                                      "    5f04:\t000207b7          \tlui\ta5,0x20\n"
                                      "/src/square.h:14 (discriminator 2)\n"
                                      "    5f08:\t180024c2          \tsfpmul\tL3,L0,L0,0\n"
                                      "    5f0c:\tc8cd8009          \tsfpstore\tL3,2,3,3\n"
                                      "    5f10:\t00008067          \tret\n"
                                      "\n"
                                      "00005f14 <_ZN4unit5clearEv>:\n"
                                      "    5f14:\tc4000001          \tsfploadi\tL0,0,0\n"
                                      "    5f18:\t00008067          \tret\n";

source_request request_for(kernel_form form, const std::string& function = "") {
    source_request request;
    request.form = form;
    request.function = function;
    return request;
}

kernel_text objdump_kernel(const std::string& text, const std::string& function = "") {
    return translate_kernel(text, "k.dis", request_for(kernel_form::objdump, function), {});
}

std::string objdump_refusal(const std::string& text, const std::string& function = "") {
    return refusal_when([&] { objdump_kernel(text, function); });
}

// Worked out by hand from the fields: SFPLOAD L0, FP32; SFPMUL L3 = L0 * L0; SFPSTORE L3, FP32, at 2.
const std::vector<std::uint32_t> square_words{0x70036000, 0x86000930, 0x72336002};

TEST(disassembly, words_are_the_rotated_hex_column_with_address_line_and_line_of_cpp) {
    const kernel_text text = objdump_kernel(two_functions, "square<2>");
    EXPECT_EQ(words_of_text(text), square_words);
    EXPECT_EQ(text.function, "void square<2>(int)");
    const isa::kernel kernel = assembled_kernel(text);
    const auto words = all_words(kernel);
    ASSERT_EQ(words.size(), 3u);
    ASSERT_NE(words[2].origin, 0u);
    const isa::word_origin expected[] = {{"k.dis", 9, 0x5f00, "/src/square.h", 12},
                                         {"k.dis", 12, 0x5f08, "/src/square.h", 14},
                                         {"k.dis", 13, 0x5f0c, "/src/square.h", 14}};
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(kernel.origins.at(words[i].origin - 1), expected[i]) << i;
}

TEST(disassembly, functions_are_listed_with_addresses_sizes_and_tensix_words) {
    const auto functions = functions_of(two_functions, "k.dis", request_for(kernel_form::objdump));
    ASSERT_EQ(functions.size(), 2u);
    EXPECT_EQ(functions[0].symbol, "_Z6squareILi2EEvi");
    EXPECT_EQ(functions[0].address, 0x5f00u);
    EXPECT_EQ(functions[0].size, 20u);
    EXPECT_EQ(functions[0].words, 3u);
    EXPECT_EQ(functions[1].name, "unit::clear()");
    EXPECT_EQ(functions[1].words, 1u);
}

TEST(disassembly, a_function_is_named_mangled_demangled_without_parameters_or_by_a_part) {
    for (const char* name : {"_ZN4unit5clearEv", "unit::clear()", "unit::clear", "clea"})
        EXPECT_EQ(words_of_text(objdump_kernel(two_functions, name)), std::vector<std::uint32_t>{0x71000000})
            << name;
    EXPECT_EQ(objdump_refusal(two_functions),
              "k.dis: 2 functions have Tensix words; --function takes one of void "
              "square<2>(int), unit::clear()");
    EXPECT_EQ(objdump_refusal(two_functions, "e"),
              "k.dis: 'e' can be void square<2>(int), unit::clear(); --function takes one of them");
    EXPECT_NE(objdump_refusal(two_functions, "unit::clean()").find("the nearest is 'unit::clear()'"),
              std::string::npos);
}

TEST(disassembly, a_fragment_without_symbols_spaces_for_tabs_and_cpp_between_is_read) {
    EXPECT_EQ(words_of_text(objdump_kernel("  x = y; // default: 1\n"
                                           "    5f00:   c00d8001        sfpload L0,0,3,3\n"
                                           "  for (int i = 0; i < 2; ++i) a: b();\n"
                                           "    5f04:   180024c2        sfpmul  L3,L0,L0,0\r\n"
                                           "    5f08:   c8cd8009        sfpstore L3,2,3,3")),
              square_words);
}

TEST(disassembly, halves_of_a_disassembler_without_tensix_are_joined) {
    const kernel_text text = objdump_kernel("   0:\t8001                \tc.j\t0 <x>\n"
                                            "   2:\tc00d                \tc.beqz\ta0,24 <y>\n"
                                            "   4:\t24c2                \t.2byte\t0x24c2\n"
                                            "   6:\t80091800          \t.4byte\t0x80091800\n"
                                            "   a:\tc8cd                \t.2byte\t0xc8cd\n");
    EXPECT_EQ(words_of_text(text), square_words);
    ASSERT_FALSE(text.told.empty());
    EXPECT_NE(text.told[0].find("two bytes at a time are joined to words"), std::string::npos);
}

TEST(disassembly, debugging_sections_of_objdump_D_are_no_code) {
    const std::string text = std::string(two_functions) + "\nDisassembly of section .debug_info:\n\n"
                                                          "00000000 <.debug_info>:\n"
                                                          "       0:\tc4000001          \tsfploadi\tL0,0,0\n";
    EXPECT_EQ(functions_of(text, "k.dis", request_for(kernel_form::objdump)).size(), 2u);
}

TEST(disassembly, what_is_no_disassembly_of_a_riscv_core_is_refused_with_its_place) {
    EXPECT_EQ(objdump_refusal("\nk.o:     file format elf64-littleriscv\n"),
              "k.dis:2:22: error: the disassembly is of elf64-littleriscv, expected elf32-littleriscv");
    EXPECT_EQ(objdump_refusal("   0:\tlui\ta5,0x20\n   4:\tret\n"),
              "k.dis:1:1: error: the column of words is missing; objdump writes it without "
              "--no-show-raw-insn");
    EXPECT_EQ(
        objdump_refusal("text\n"),
        "k.dis:1:1: error: found no line of code, expected lines 'ADDRESS: WORD MNEMONIC' as objdump -d "
        "writes them");
    EXPECT_EQ(objdump_refusal("  ffffffff80000000:\t00008067\tret\n"),
              "k.dis:1:3: error: the address has more than 32 bits, expected RV32");
    EXPECT_EQ(objdump_refusal("  8:\tc4000001\tx\n  4:\tc4000001\tx\n  8:\tc4000001\tx\n"),
              "k.dis:3:1: error: address 0x8 stands here a second time; it stood in line 1");
    EXPECT_EQ(objdump_refusal("  8:\tc4000001\tx\n  8:\tc4000001\tx\n"),
              "k.dis:2:3: error: address 0x8 stands here twice");
    EXPECT_EQ(objdump_refusal("  4:\t00008067\tret\n"),
              "k.dis:1:1: error: no Tensix word is pushed from here on");
    EXPECT_EQ(
        objdump_refusal("00000004 <f>:\n"),
        "k.dis:1:1: error: found no line of code, expected lines 'ADDRESS: WORD MNEMONIC' as objdump -d "
        "writes them");
}

TEST(disassembly, garbage_is_an_error_and_never_more) {
    std::string garbage;
    std::uint32_t state = 1;
    for (int i = 0; i < 20000; ++i) {
        state = state * 1664525 + 1013904223;
        garbage += i % 7 == 0 ? "0123456789abcdef:<> \t\n#"[(state >> 16 & 15u) + 6]
                              : static_cast<char>(state >> 24);
    }
    EXPECT_NE(objdump_refusal(garbage), "no error");
    for (std::size_t length = 0; length < std::string(two_functions).size(); length += 3)
        objdump_refusal(std::string(two_functions).substr(0, length), "square");
}

/// A loop of two rounds: the kernel is what a hart pushes.
TEST(disassembly, a_function_with_a_loop_is_run) {
    const kernel_text text = objdump_kernel("00010000 <twice>:\n"
                                            "   10000:\t00200793\tli\ta5,2\n"
                                            "   10004:\t180024c2\tsfpmul\tL3,L0,L0,0\n"
                                            "   10008:\tfff78793\taddi\ta5,a5,-1\n"
                                            "   1000c:\tfe079ce3\tbnez\ta5,10004 <twice+0x4>\n"
                                            "   10010:\tc8cd8009\tsfpstore\tL3,2,3,3\n"
                                            "   10014:\t00008067\tret\n");
    const isa::kernel kernel = assembled_kernel(text);
    const auto words = all_words(kernel);
    ASSERT_FALSE(words.empty());
    EXPECT_EQ(words.front().word, square_words[1]);
    EXPECT_EQ(words.back().word, square_words[2]);
    EXPECT_EQ(kernel.origins.at(words.front().origin - 1).line, 3u);
}

} // namespace
} // namespace sfpu::analysis
