// Kernels in ELF files that a stock compiler for RISC-V made.
#include <sfpu/analysis/kernel_source.h>

#include <dwarf_lines.h>
#include <function_run.h>

#include "kernel_file.h"
#include <sfpu/analysis/child_process.h>
#include <sfpu/analysis/errors.h>
#include <sfpu/riscv/elf_image.h>
#include <sfpu/riscv/encode.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace sfpu::analysis::elf_files {
namespace {

namespace fs = std::filesystem;

constexpr const char* riscv_compiler = "riscv64-unknown-elf-gcc";

/// The bytes of the program that the compiler makes of a source.
std::string compiled(const std::string& name, const std::string& source,
                     const std::vector<std::string>& more = {}) {
    const fs::path folder = fs::path(testing::TempDir()) / "sfpu_elf_kernels";
    fs::create_directories(folder);
    const fs::path from = folder / name, to = folder / (name + ".elf");
    std::ofstream(from) << source;
    std::vector<std::string> command{riscv_compiler,
                                     "-march=rv32im",
                                     "-misa-spec=2.2",
                                     "-mabi=ilp32",
                                     "-O2",
                                     "-g",
                                     "-ffreestanding",
                                     "-nostartfiles",
                                     "-nostdlib",
                                     "-static",
                                     "-Wl,-Ttext=0x6000",
                                     "-Wl,-e0x6000",
                                     "-Wl,--no-warn-rwx-segments",
                                     from.string(),
                                     "-o",
                                     to.string()};
    command.insert(command.end(), more.begin(), more.end());
    const auto answer = ask_command(command, 60.0);
    EXPECT_TRUE(answer->ok()) << answer->complaints;
    std::ifstream file(to, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Assembly of RISC-V that pushes a word.
std::string push_text(std::uint32_t word) {
    if (word < 0xc0000000u) return fmt::format(".4byte {:#x}\n", riscv::encode::ttinsn(word));
    return fmt::format("li t1, {:#x}\nsw t1, 0(t0)\n", word);
}
std::string push_text(const std::vector<isa::source_word>& words) {
    std::string text;
    for (const isa::source_word& each : words) text += push_text(each.word);
    return text;
}

/// A function that works on `rows` rows as the kernel's sections say.
std::string function_text(const std::string& name, const isa::kernel& kernel, unsigned rows) {
    return fmt::format(
        ".globl {0}\n.type {0}, @function\n{0}:\nli t0, 0xffe40000\n{1}li t2, {2}\n1:\n{3}addi t2, t2, "
        "-1\nbnez t2, 1b\n{4}ret\n.size {0}, . - {0}\n",
        name, push_text(kernel.init), rows / kernel.rows_per_iteration, push_text(kernel.loop),
        push_text(kernel.tail));
}

std::vector<std::uint32_t> issued_words(const isa::kernel& kernel, unsigned rows) {
    std::vector<std::uint32_t> words;
    const auto add = [&words](const std::vector<isa::source_word>& section) {
        for (const isa::source_word& each : section) words.push_back(each.word);
    };
    add(kernel.init);
    for (unsigned i = 0; i < rows / kernel.rows_per_iteration; ++i) add(kernel.loop);
    add(kernel.tail);
    return words;
}

struct named_kernel {
    const char* file;
    const char* function;
};
constexpr named_kernel both_chips[] = {
    {"fp32_to_bf16.s", "fp32_to_bf16"},  {"int32_to_fp32.s", "int32_to_fp32"},
    {"mul_uint16.s", "mul_uint16"},      {"signbit.s", "signbit"},
    {"uint16_to_bf16.s", "u16_to_bf16"}, {"uint16_to_fp32.s", "u16_to_fp32"},
    {"where_inplace.s", "where_in"},     {"where_outofplace.s", "where_out"}};
constexpr named_kernel blackhole_only[] = {
    {"mul32.s", "mul32"}, {"mul32_macro.s", "mul32_macro"}, {"recip_macro.s", "recip_macro"}};

std::vector<named_kernel> kernels_of(architecture arch) {
    std::vector<named_kernel> kernels(std::begin(both_chips), std::end(both_chips));
    if (arch == architecture::blackhole)
        kernels.insert(kernels.end(), std::begin(blackhole_only), std::end(blackhole_only));
    else kernels.push_back({"mul32_wh.s", "mul32_wh"});
    return kernels;
}

TEST(elf_kernels, functions_of_a_stock_compiler_push_the_words_of_the_assembly_that_they_were_made_of) {
    constexpr unsigned rows = 16;
    for (const architecture arch : all_architectures) {
        std::string source;
        for (const named_kernel& each : kernels_of(arch))
            source += function_text(each.function, test::load_kernel(each.file, arch), rows);
        const auto image =
            riscv::elf_image::parse(compiled(fmt::format("kernels_{}.s", describe(arch).short_name), source));
        machine_choice machine;
        machine.arch = describe(arch).short_name;
        for (const named_kernel& each : kernels_of(arch)) {
            const pushed_kernel pushed = run_function(image, *image.symbol(each.function), {}, machine, {});
            std::vector<std::uint32_t> words;
            for (const pushed_word& one : pushed.words) words.push_back(one.word);
            EXPECT_EQ(words, issued_words(test::load_kernel(each.file, arch), rows)) << each.file;
        }
    }
}

const char* const two_loops =
    R"(#define PUSH(word) __asm__ volatile(".4byte %0" ::"i"((word) << 2 | (word) >> 30))
#line 1 "sfpi_words.h"
static inline __attribute__((always_inline)) void put(unsigned word) { *(volatile unsigned*)0xffe40000 = word; }
static inline __attribute__((always_inline)) void load(unsigned at) { put(0x70040000u | at); }
#line 3 "two.c"
void copy(unsigned from, unsigned to) {
    for (int i = 0; i < 4; ++i) {
        load(from);
        PUSH(0x7d000010u);
        PUSH(0x8f000000u);
        *(volatile unsigned*)0xffe40000 = 0x72040000u | to;
    }
}
void other(void) { PUSH(0x8f000000u); }
)";

const std::string& two_functions() {
    static const std::string content = compiled("two.c", two_loops);
    return content;
}

kernel_text translated(const std::string& content, source_request request) {
    request.form = kernel_form::elf;
    return translate_kernel(content, "two.elf", request, {});
}

TEST(elf_kernels, a_translated_function_has_addresses_and_lines_and_says_what_became_of_it) {
    source_request request;
    request.function = "copy";
    request.arguments = {"0", "64"};
    const kernel_text text = translated(two_functions(), request);
    EXPECT_EQ(text.function, "copy");
    const isa::assembly read = isa::assemble(text.text, "two.elf", architecture::blackhole);
    ASSERT_TRUE(read.ok()) << text.text;
    std::string all;
    for (const std::string& each : text.told) all += each + "\n";
    EXPECT_NE(all.find("copy at 0x00006000 was run"), std::string::npos) << all;
    EXPECT_NE(all.find("16 pushes"), std::string::npos) << all;
    EXPECT_NE(all.find("binds"), std::string::npos) << all;
    for (const char* const line : {"two.c\", 5\n", "two.c\", 6\n", "two.c\", 7\n", "two.c\", 8\n"})
        EXPECT_EQ(text.text.find(line) != std::string::npos, dwarf_lines::is_built_in()) << line << text.text;
}

TEST(elf_kernels, functions_are_listed_with_their_words) {
    source_request request;
    request.form = kernel_form::elf;
    const auto functions = functions_of(two_functions(), "two.elf", request);
    ASSERT_EQ(functions.size(), 2u);
    EXPECT_EQ(functions[0].words + functions[1].words, 3u);
}

TEST(elf_kernels, data_that_start_up_code_would_copy_is_where_the_function_looks_for_it) {
    const fs::path script = fs::path(testing::TempDir()) / "sfpu_elf_kernels.ld";
    std::ofstream(script)
        << "SECTIONS { .text 0x6000 : { *(.text*) } .data 0xffb00000 : AT(0x7000) { *(.data*) *(.sdata*) } }";
    const std::string content =
        compiled("data.c",
                 "volatile unsigned words[2] = {0x7d000010u, 0x8f000000u};\n"
                 "void f(void) { *(volatile unsigned*)0xffe40000 = words[1]; }\n"
                 "void g(void) { *(volatile unsigned*)0xffe40000 = *(volatile unsigned*)0x7000; }\n",
                 {"-T", script.string()});
    for (const auto& [name, pushed] :
         {std::pair("f", "sfpnop"), std::pair("g", "sfpabs")}) { // g reads what is to be copied
        source_request request;
        request.function = name;
        const kernel_text text = translated(content, request);
        EXPECT_NE(text.text.find(pushed), std::string::npos) << text.text;
        for (const std::string& each : text.told) EXPECT_EQ(each.find("nobody"), std::string::npos) << each;
    }
}

TEST(elf_kernels, files_that_are_none_of_ours_get_a_sentence) {
    const auto problem = [](const std::string& content) {
        try {
            translated(content, {});
        } catch (const user_error& error) {
            return std::string(error.what());
        }
        return std::string("nothing is wrong");
    };
    std::string header("\x7f"
                       "ELF\x01\x01\x01",
                       7);
    header.resize(52);
    EXPECT_EQ(problem(header.substr(0, 20)), "two.elf: the ELF header at offset 0 needs 52 bytes, but the "
                                             "file ends at 20: it is truncated or damaged");
    header[4] = 2;
    EXPECT_NE(problem(header).find("two.elf: the ELF class is 2, expected 1 (32 bits"), std::string::npos);
    header[4] = 1, header[5] = 2;
    EXPECT_NE(problem(header).find("little-endian; 2 is big-endian"), std::string::npos);
    header[5] = 1, header[18] = 62;
    EXPECT_NE(problem(header).find("the machine is 62, expected 243 (RISC-V)"), std::string::npos);
}

TEST(elf_kernels, a_file_without_symbols_says_so_and_takes_an_address) {
    const std::string content = compiled("two.c", two_loops, {"-s"});
    source_request request;
    request.function = "0x6000";
    EXPECT_NE(translated(content, request).text.find("sfpabs"), std::string::npos);
    request.function = "copy";
    try {
        translated(content, request);
        FAIL();
    } catch (const user_error& problem) {
        EXPECT_NE(std::string(problem.what()).find("two.elf: has no symbols of functions"), std::string::npos)
            << problem.what();
    }
}

TEST(dwarf_lines, headers_that_only_wrap_instructions_are_known_by_their_names) {
    for (const char* const file : {"/x/sfpi/include/sfpi.h", "sfpi_lib.h", "/a/ckernel_ops.h",
                                   "/usr/lib/gcc/riscv64/12/include/stdint.h"})
        EXPECT_TRUE(wraps_instructions(file)) << file;
    for (const char* const file : {"/x/sfpi/ckernel_sfpu_exp.h", "mine.cpp", "/usr/src/k.h"})
        EXPECT_FALSE(wraps_instructions(file)) << file;
}

TEST(dwarf_lines, what_is_no_elf_file_has_none) {
    for (const std::string& content : {std::string(), std::string("ELF"), std::string(100, '\x7f')}) {
        const dwarf_lines lines(content);
        EXPECT_FALSE(lines.has_lines());
        EXPECT_FALSE(lines.at(0x6000));
    }
}

} // namespace
} // namespace sfpu::analysis::elf_files
