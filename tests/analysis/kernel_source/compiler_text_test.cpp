// The compiler's -S output as a kernel, and what `disasm --syntax gnu` writes.
#include "translated_kernel.h"

#include <sfpu/analysis/child_process.h>
#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/kernel_source.h>
#include <sfpu/isa/assembler.h>
#include <sfpu/isa/gnu_syntax.h>

#include "assembled_text.h"
#include "compiler_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace sfpu::analysis {
namespace {

/// As the vendor's compiler writes a file: two functions, one of them without run-time words, and data.
constexpr const char* two_compiled = "\t.file\t\"halve.cc\"\n"
                                     "\t.option nopic\n"
                                     "\t.attribute arch, \"rv32i2p0_xtttensixwh\"\n"
                                     "\t.text\n"
                                     "\t.file 1 \"/src\" \"halve.h\"\n"
                                     "\t.globl\t_Z5halvev\n"
                                     "\t.type\t_Z5halvev, @function\n"
                                     "_Z5halvev:\n"
                                     ".LFB0:\n"
                                     "\t.loc 1 31 5 is_stmt 1\n"
                                     "\t# READ L0\n"
                                     "\tlui\ta5,%hi(somewhere)\n"
                                     "\tSFPLOADI\tL1, 16128, 0\n"
                                     "\t.loc 1 32 9\n"
                                     "\tSFPMUL\tL0, L0, L1, 0\t# LV:L0\n"
                                     "\t.ttinsn\t2399141888; SFPSTORE\tL0, 2, 0, 3\n"
                                     "\tret\n"
                                     ".LFE0:\n"
                                     "\t.size\t_Z5halvev, .-_Z5halvev\n"
                                     "\t.globl\t_Z5storei\n"
                                     "\t.type\t_Z5storei, @function\n"
                                     "_Z5storei:\n"
                                     "\tslli\ta0,a0,16\n"
                                     "\tsrli\ta0,a0,16\n"
                                     "\tli\ta5, 1895956480\t# 1:71020000\n"
                                     "\tadd\ta0,a0,a5\n"
                                     "\tlui\ta4,%hi(pipe)\n"
                                     "\tsw\ta0, %lo(pipe)(a4)\t# 1:SFPLOADI\tL0, a0, 2\n"
                                     "\tSFPSTORE\tL0, 0, 4, 3\n"
                                     "\tret\n"
                                     "\t.size\t_Z5storei, .-_Z5storei\n"
                                     "\t.data\n"
                                     "\t.type\tsomewhere, @object\n"
                                     "somewhere:\n"
                                     "\t.word\t7\n";

// Worked out from the fields, for Wormhole.
const std::vector<std::uint32_t> halve_words{0x71103f00, 0x86001900, 0x8f000000, 0x7200c002};

kernel_text gnu_kernel(const std::string& text, const std::string& function = "",
                       std::vector<std::string> arguments = {}) {
    source_request request;
    request.form = kernel_form::gnu;
    request.function = function;
    request.arguments = std::move(arguments);
    return translate_kernel(text, "k.s", request, {});
}

std::string gnu_refusal(const std::string& text, const std::string& function = "") {
    return refusal_when([&] { gnu_kernel(text, function); });
}

TEST(compiler_text, a_function_without_run_time_words_is_its_words_with_lines_of_cpp_and_its_chip) {
    const kernel_text text = gnu_kernel(two_compiled, "halve");
    const isa::kernel kernel = assembled_kernel(text);
    EXPECT_EQ(words_of_text(text), halve_words);
    EXPECT_EQ(kernel.arch, architecture::wormhole);
    EXPECT_EQ(text.function, "halve()");
    const auto words = all_words(kernel);
    ASSERT_EQ(words.size(), 4u);
    const isa::word_origin expected[] = {{"k.s", 13, std::nullopt, "/src/halve.h", 31},
                                         {"k.s", 15, std::nullopt, "/src/halve.h", 32},
                                         {"k.s", 16, std::nullopt, "/src/halve.h", 32},
                                         {"k.s", 16, std::nullopt, "/src/halve.h", 32}};
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(kernel.origins.at(words[i].origin - 1), expected[i]) << i;
}

TEST(compiler_text, functions_are_what_types_say_and_data_is_none) {
    source_request request;
    request.form = kernel_form::gnu;
    const auto functions = functions_of(two_compiled, "k.s", request);
    ASSERT_EQ(functions.size(), 2u);
    EXPECT_EQ(functions[0].name, "halve()");
    EXPECT_EQ(functions[0].words, 4u);
    EXPECT_EQ(functions[1].symbol, "_Z5storei");
    EXPECT_EQ(functions[1].words, 1u);
    EXPECT_EQ(gnu_refusal(two_compiled),
              "k.s: 2 functions have Tensix words; --function takes one of halve(), store(int)");
}

TEST(compiler_text, labels_with_instructions_are_functions_where_no_types_are_given) {
    const std::string text = "f:\n\tSFPABS\tL1, L2, 1\n\tret\ntable:\n\t.word 1\n";
    EXPECT_EQ(words_of_text(gnu_kernel(text)), std::vector<std::uint32_t>{0x7d000211});
}

TEST(compiler_text, a_selection_of_lines_is_a_kernel) {
    EXPECT_EQ(words_of_text(gnu_kernel("\tSFPABS\tL1, L2, 1\n\taddi a5,a5,4\n\t.word 0xf4000c45\n")),
              (std::vector<std::uint32_t>{0x7d000211, 0x7d000311}));
}

TEST(compiler_text, mistakes_are_all_told_with_line_and_column) {
    EXPECT_EQ(gnu_refusal("f:\n\tSFPABS\tL1, L2\n\tSFPMOV\tL1, q, 2\n\t.ttinsn 0xc0000000\n\tret\n"),
              "k.s:2:9: error: found 2 operands, expected 'SFPABS dest, c, mod'\n"
              "k.s:3:13: error: found 'q', expected a register L0 to L15 or a number\n"
              "k.s:4:2: error: words from 0xc0000000 on cannot stand in the code, expected a smaller one");
    EXPECT_EQ(gnu_refusal("\tli a5,1\n").substr(0, 46), "k.s:1:1: error: found no Tensix instruction fr");
    EXPECT_EQ(gnu_refusal("f:\n\tSFPNOP\n\tret\n", "g").substr(0, 26), "k.s: found no function 'g'");
}

TEST(compiler_text, is_assembled_with_its_words_in_their_places_and_the_buffer_where_comments_say) {
    const std::string content = two_compiled;
    const compiler_text text = read_compiler_text(content);
    const assembled_text program =
        assemble_compiler_text(content, text, "k.s", {}, architecture::wormhole, {});
    const std::uint32_t begin = program.image.symbol("_Z5halvev").value_or(0);
    ASSERT_NE(begin, 0u);
    const riscv::elf_segment& code = program.image.segments().front();
    const auto word_at = [&](std::uint32_t address) {
        std::uint32_t bits = 0;
        for (unsigned i = 0; i < 4; ++i)
            bits |= std::uint32_t{code.bytes.at(address - code.address + i)} << 8 * i;
        return bits;
    };
    for (std::size_t i = 0; i < 4; ++i) {
        const std::uint32_t address = begin + 4 + 4 * static_cast<std::uint32_t>(i); // behind the lui
        EXPECT_EQ(tensix_word(word_at(address)), halve_words[i]);
        ASSERT_TRUE(program.statements.count(address));
        EXPECT_EQ(text.statements.at(program.statements.at(address)).line, i == 0 ? 13u : i == 1 ? 15u : 16u);
    }
    EXPECT_EQ(program.image.symbol("pipe").value_or(0), 0xffe40000u);
    const gnu_function& store = text.functions.at(1);
    const auto told = told_of_buffers(text, store.begin, store.end);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].substr(0, 42), "pipe is taken for the instruction buffer: ");
    const gnu_function& halve = text.functions.at(0);
    EXPECT_TRUE(told_of_buffers(text, halve.begin, halve.end).empty());
}

TEST(compiler_text, the_pointer_to_the_buffer_is_set_though_the_text_only_makes_room_for_it) {
    const std::string content =
        "\t.globl f\nf:\n\tSFPNOP\n\tret\n\t.section .sbss,\"aw\",@nobits\n\t.align 2\n"
        "\t.globl _ZN7ckernel13instrn_bufferE\n"
        "_ZN7ckernel13instrn_bufferE:\n\t.zero 4\n";
    const assembled_text program =
        assemble_compiler_text(content, read_compiler_text(content), "k.s", {}, architecture::blackhole, {});
    const std::uint32_t at = program.image.symbol("_ZN7ckernel13instrn_bufferE").value_or(0);
    std::uint32_t value = 0;
    for (const riscv::elf_segment& each : program.image.segments())
        for (unsigned i = 0; i < 4; ++i)
            if (at + i >= each.address && at + i - each.address < each.bytes.size())
                value |= std::uint32_t{each.bytes[at + i - each.address]} << 8 * i;
    EXPECT_EQ(value, 0xffe40000u);
}

TEST(compiler_text, what_the_assembler_or_linker_refuses_is_told_with_the_users_lines) {
    const std::string bad = "f:\n\tSFPNOP\n\tfrobnicate a5\n\tret\n";
    EXPECT_NE(gnu_refusal(bad).find("k.s:3: Error: unrecognized opcode"), std::string::npos)
        << gnu_refusal(bad);
    const std::string calls = "f:\n\tSFPNOP\n\tcall other\n\tret\n";
    EXPECT_NE(gnu_refusal(calls).find("undefined reference to `other'"), std::string::npos)
        << gnu_refusal(calls);
    source_request request;
    request.form = kernel_form::gnu;
    request.riscv_compiler = "no-such-compiler";
    EXPECT_THROW(translate_kernel(calls, "k.s", request, {}), user_error);
}

TEST(compiler_text, a_function_with_run_time_words_is_run_with_its_arguments) {
    const kernel_text text = gnu_kernel(two_compiled, "store", {"1234"});
    EXPECT_EQ(words_of_text(text), (std::vector<std::uint32_t>{0x710204d2, 0x7204c000}));
    const isa::kernel kernel = assembled_kernel(text);
    EXPECT_EQ(kernel.origins.at(all_words(kernel).front().origin - 1).line, 28u);
}

TEST(compiler_text, a_selection_with_a_loop_is_run) {
    const kernel_text text =
        gnu_kernel("\tli\ta5,1\n\t.type other, @function\n.L1:\n\tSFPABS\tL1, L2, 1\n\taddi\ta5,a5,-1\n"
                   "\tbnez\ta5,.L1\n\tSFPNOT\tL1, L2\n");
    EXPECT_EQ(words_of_text(text), (std::vector<std::uint32_t>{0x7d000211, 0x80000210}));
    const isa::kernel kernel = assembled_kernel(text);
    EXPECT_EQ(kernel.origins.at(all_words(kernel).front().origin - 1).line, 4u);
}

TEST(gnu_listing, is_read_back_as_the_same_kernel_with_its_sections_rows_and_data) {
    const std::string source =
        ".arch wh\n.config dst_rwc, 16\n.rows 64\n.input a, 0, i32\n.output b, 64, i32\n"
        ".init\nsfploadi L0, LOWER, 0xbeef\n.word 0x40000007\n.loop 2\n"
        "sfpload L1, INT32, ADDR_MOD_3, 0\n.gap\nsfpmad L1, L2, L3, L4, NEGATE_VA\n"
        "sfpstore L1, INT32, ADDR_MOD_2, 64\n.tail\nsfpnop\n";
    const isa::assembly once = isa::assemble(source, "a.s", architecture::blackhole);
    ASSERT_TRUE(once.ok());
    const std::string listing = isa::gnu_listing(once.program);
    const isa::kernel again = assembled_kernel(gnu_kernel(listing));
    const auto same = [](const std::vector<isa::source_word>& a, const std::vector<isa::source_word>& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                          [](const auto& x, const auto& y) { return x.word == y.word && x.gap == y.gap; });
    };
    EXPECT_TRUE(same(again.init, once.program.init)) << listing;
    EXPECT_TRUE(same(again.loop, once.program.loop)) << listing;
    EXPECT_TRUE(same(again.tail, once.program.tail)) << listing;
    EXPECT_EQ(again.arch, architecture::wormhole);
    EXPECT_EQ(again.rows, 64u);
    EXPECT_EQ(again.rows_per_iteration, 2u);
    ASSERT_EQ(again.config.size(), 1u);
    ASSERT_EQ(again.inputs.size(), 1u);
    EXPECT_EQ(again.outputs.at(0).address, 64u);
    // Positions are those of the listing.
    EXPECT_EQ(again.origins.at(again.tail.at(0).origin - 1).line,
              static_cast<unsigned>(std::count(listing.begin(), listing.end(), '\n')));
}

TEST(gnu_listing, with_a_mistake_is_refused_at_its_place) {
    const std::string listing = std::string(isa::gnu_listing_mark) + "\n\tSFPNOP\n\tret\n";
    EXPECT_EQ(gnu_refusal(listing), "k.s:3:2: error: expected a Tensix instruction");
}

} // namespace
} // namespace sfpu::analysis
