// What a kernel's text is follows from its content; what can be two things is refused with both names.
#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/kernel_facts.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/kernel_source.h>
#include <sfpu/analysis/text_files.h>

#include "tree_path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

namespace sfpu::analysis {
namespace {

std::vector<std::string> library_kernels() {
    std::vector<std::string> files;
    for (const char* folder : {"kernels", "tests/data"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(tree_path(folder)))
            if (entry.path().extension() == ".s") files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

TEST(kernel_form, every_kernel_of_the_library_is_assembly_and_stays_what_it_is) {
    const std::vector<std::string> files = library_kernels();
    ASSERT_GT(files.size(), 20u);
    for (const std::string& file : files) {
        const std::string text = read_file(file);
        EXPECT_EQ(to_string(form_of(text, file)), std::string("asm")) << file;
        EXPECT_EQ(to_string(form_of(text, "k.hex")), std::string("asm")) << file << " under another name";
        const kernel_text translated = translate_kernel(text, file, {}, {});
        EXPECT_EQ(translated.text, text) << file;
        EXPECT_TRUE(translated.told.empty()) << file;
    }
}

TEST(kernel_form, words_are_words_under_every_name) {
    for (const std::string& file : library_kernels()) {
        machine_choice machine;
        isa::kernel kernel;
        try {
            kernel = assemble_kernel(read_file(file), file, machine);
        } catch (const input_error&) {
            continue; // one of tests/data is broken on purpose
        }
        const std::string words = kernel_words(kernel);
        EXPECT_EQ(form_of(words, "k.s"), kernel_form::hex) << file;
        EXPECT_EQ(kernel_words(assemble_kernel(words, "k.txt", machine)), words) << file;
    }
}

struct form_case {
    const char *text, *name, *form;
};
void PrintTo(const form_case& each, std::ostream* out) { *out << each.name << ": " << each.text; }

class form : public testing::TestWithParam<form_case> {};

TEST_P(form, follows_from_the_content) {
    EXPECT_EQ(to_string(form_of(GetParam().text, GetParam().name)), std::string(GetParam().form));
}

const std::vector<form_case> form_cases{
    {"\x7f"
     "ELF",
     "k.s", "elf"},
    {"\x7f"
     "ELF",
     "k.h", "elf"},
    {"", "k.s", "asm"},
    {"", "k.hex", "hex"},
    {"; nothing\n", "-", "asm"},
    {"8f000000\n", "-", "hex"},
    {"; .loop 2\n0x8f000000 ; drain\n", "k.s", "hex"},
    {"\xef\xbb\xbf"
     "8f000000\n",
     "k.s", "hex"},
    {"8f000000\nxyz\n", "k.hex", "hex"},
    {"8f000000\nxyz\nabc\n8f000000\n12345\n", "k.s", "hex"},
    {"sfpnop\n", "k.hex", "asm"},
    {".WORD 0x8f000000\n", "k.s", "asm"},
    {".LOOP\nSFPNOP\n", "k.s", "asm"},
    {"SFPLOAD L0, INT32, ADDR_MOD_7, 0\nSFPNOP\n", "k.s", "asm"},
    {"SFPNOP\nsfpnop\n", "k.s", "asm"},
    {"sfpabsolutely 0\n", "k.s", "asm"},
    {"\tSFPLOAD\tL0, 0, 4, 7\n\tret\n", "k.s", "gnu"},
    {"kernel:\n\tSFPNOP\n", "k.s", "gnu"},
    {"\t.text\n\t.globl f\nf:\n\tret\n", "k.s", "gnu"},
    {"\t.ttinsn\t2399141888\n", "k.s", "gnu"},
    {"\tTTREPLAY\t0, 4, 1, 1\n", "k.s", "gnu"},
    {"TTI_SFPLOAD(0, 3, 7, 0)\n", "k.s", "asm"}, // a mistake of people from elsewhere
    {"\nk.elf:     file format elf32-littleriscv\n", "k.s", "objdump"},
    {"k.elf: file format elf64-x86-64\n", "k.s", "objdump"}, // whose reader says what is wrong with it
    {"    5f08:\tc0ffee41          \tsfpload\tL0, 0, 4, 7\n", "-", "objdump"},
    {"00005f08 <_Z6kernelv>:\n", "k.txt", "objdump"},
    {"void f() {}\n", "k.h", "cpp"},
    {"sfpnop\n", "k.hpp", "cpp"},
    {"sfpnop\n", "k.cpp", "cpp"},
    {"sfpnop\n", "k.cc", "cpp"},
    {"sfpnop\n", ".h.s", "asm"},
};
INSTANTIATE_TEST_SUITE_P(kernel, form, testing::ValuesIn(form_cases));

/// What is said of a text that has no form; empty: it has one.
std::string refusal(const std::string& text, const std::string& name = "k.s") {
    try {
        form_of(text, name);
    } catch (const user_error& error) {
        return error.what();
    }
    return "";
}

TEST(kernel_form, what_can_be_two_things_is_refused_with_both_names_and_its_line) {
    EXPECT_EQ(refusal("\n\tSFPADD\tL0, L1, L2, L3, 0\n"),
              "k.s:2: found what can be our assembly (line 2: 'SFPADD') or a compiler's assembly (line 2: "
              "'SFPADD'); expected --as asm or --as gnu");
    EXPECT_EQ(refusal("\t.text\n\tsfpnop\n"),
              "k.s:1: found what can be our assembly (line 2: 'sfpnop') or a compiler's assembly (line 1: "
              "'.text'); expected --as asm or --as gnu");
    EXPECT_EQ(refusal(".loop\n 5f08: c0ffee41 sfpload\n"),
              "k.s:1: found what can be our assembly (line 1: '.loop') or a disassembly (line 2: '5f08:'); "
              "expected --as asm or --as objdump");
    EXPECT_EQ(refusal("!<arch>\n/ 0 \n", "k.a"), "k.a: found an archive, expected one of its ELF files");
}

TEST(kernel_form, as_decides) {
    source_request as_asm;
    as_asm.form = kernel_form::assembly;
    const std::string both = "SFPNOP\n";
    EXPECT_EQ(translate_kernel(both, "k.s", as_asm, {}).text, both);
    source_request as_hex;
    as_hex.form = kernel_form::hex;
    EXPECT_THROW(translate_kernel("sfpnop\n", "k.s", as_hex, {}), input_error);
    EXPECT_THROW(translate_kernel("8f000000\n", "k.s", as_asm, {}), input_error);
    EXPECT_EQ(translate_kernel("8f000000\n", "k.s", as_hex, {}).form, kernel_form::hex);
}

TEST(kernel_form, every_form_has_a_name_and_is_found_by_it) {
    for (unsigned i = 0; i < kernel_form_count; ++i)
        EXPECT_EQ(find_kernel_form(to_string(static_cast<kernel_form>(i))), static_cast<kernel_form>(i));
    EXPECT_FALSE(find_kernel_form("coff"));
}

TEST(kernel_form, assembly_has_no_functions_and_a_request_for_one_says_so) {
    source_request request;
    request.function = "f";
    for (const auto& [text, what] : {std::pair{"sfpnop\n", "asm"}, {"8f000000\n", "words"}}) try {
            translate_kernel(text, "k.s", request, {});
            ADD_FAILURE() << text;
        } catch (const user_error& error) {
            EXPECT_EQ(error.what(), std::string("k.s: found --function, but the kernel is ") + what +
                                        ": it has no functions");
        }
}

TEST(kernel_form, words_get_the_data_that_a_caller_names) {
    source_request request;
    request.inputs = {{"x", 0x40, isa::data_type::f32}};
    request.outputs = {{"y", 0x80, isa::data_type::u16}};
    for (const char* text : {"8f000000", "sfpnop"}) {
        const kernel_text given = translate_kernel(text, "k.s", request, {});
        const isa::kernel kernel = assemble_kernel(given.text, given.name, {});
        ASSERT_EQ(kernel.inputs.size(), 1u) << text;
        EXPECT_EQ(kernel.inputs[0].name, "x");
        EXPECT_EQ(kernel.inputs[0].address, 0x40u);
        ASSERT_EQ(kernel.outputs.size(), 1u) << text;
        EXPECT_EQ(kernel.outputs[0].type, isa::data_type::u16);
        EXPECT_EQ(kernel.loop.size(), 1u) << text;
    }
}

TEST(kernel_facts, words_by_section_macros_and_data_are_what_the_text_says) {
    const isa::kernel kernel = assemble_kernel(".rows 8\n.input a, 0, f32\n.output b, 0x40, f32\n"
                                               ".init\nsfpnop\nsfpnop\n"
                                               ".loop 2\nsfploadmacro 1, L0, FP32, ADDR_MOD_7, 0\n"
                                               "sfploadmacro 1, L1, FP32, ADDR_MOD_7, 2\nsfpnop\n"
                                               ".tail\n.gap\nsfpnop\n",
                                               "k.s", {});
    const kernel_facts facts = facts_of(kernel_run(kernel, {}, std::nullopt));
    EXPECT_EQ(facts.init, 2u);
    EXPECT_EQ(facts.loop, 3u);
    EXPECT_EQ(facts.tail, 1u);
    EXPECT_EQ(facts.rows, 8u);
    EXPECT_EQ(facts.rows_per_iteration, 2u);
    EXPECT_EQ(facts.iterations, 4u);
    EXPECT_EQ(facts.macros, (std::map<unsigned, std::size_t>{{1, 2}}));
    EXPECT_EQ(facts.instructions, (std::map<std::string, std::size_t>{{"sfploadmacro", 2}, {"sfpnop", 4}}));
    ASSERT_EQ(facts.inputs.size(), 1u);
    EXPECT_EQ(facts.outputs[0].name, "b");
    EXPECT_TRUE(facts.has_gaps);
}

} // namespace
} // namespace sfpu::analysis
