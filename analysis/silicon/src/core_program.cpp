#include "core_program.h"

#include "kernel_words.h"

#include <sfpu/analysis/child_process.h>
#include <sfpu/analysis/chip_names.h>
#include <sfpu/analysis/compiler_messages.h>
#include <sfpu/analysis/scratch_folder.h>
#include <sfpu/analysis/text_files.h>

#include <fmt/format.h>

namespace sfpu::analysis {
namespace {

constexpr double most_seconds = 120; ///< of the compiler

/// Behind the kernel's headers: one tile, and what times tiles.
constexpr auto timing_functions = R"(
extern "C" {
volatile std::uint32_t tohost[2];
void sfpu_program();
}
__asm__(".section .text.sfpu_start, \"ax\"\n.globl sfpu_start\nsfpu_start: lui sp, 0x80100\n"
        "call sfpu_program\n1: j 1b\n.previous\n");
[[gnu::noinline]] static void sfpu_tiles(unsigned count) {
    for (unsigned i = 0; i < count; ++i) sfpu_tile();
}
[[gnu::always_inline]] inline std::uint32_t sfpu_cycle() {
    std::uint32_t cycle;
    __asm__ volatile("csrr %0, mcycle" : "=r"(cycle)::"memory");
    return cycle;
}
void sfpu_program() {
    sfpu_begin();
)";

std::string timed_part_of(const harness& around) {
    if (around.timed == timed_part::pushes)
        return R"(    __asm__ volatile(".rept 400\nnop\n.endr" ::: "memory");
    const std::uint32_t from = sfpu_cycle();
    sfpu_tile();
    tohost[0] = sfpu_cycle() - from;
}
)";
    return fmt::format(R"(    sfpu_tiles({});
    const std::uint32_t from = sfpu_cycle();
    sfpu_tiles({});
    tohost[0] = sfpu_cycle() - from;
}}
)",
                       settling_tiles, timed_tiles);
}

} // namespace

std::string core_source_of(const measured_kernel& kernel, const harness& around, const measurement& row) {
    const auto pushes = [&](const std::vector<std::string>& lines) {
        std::string text;
        for (const std::uint32_t word : words_of(lines, row))
            text += fmt::format("    ::sfpu::kernel_recorder::issue({{}}, {:#010x}u);\n", word);
        return text;
    };
    std::string calls = fmt::format("    {};\n", kernel.call);
    if (kernel.faces > 1)
        calls = fmt::format(
            "#pragma GCC unroll 0\n    for (int face = 0; face < {}; ++face) {{\n    {}{}    }}\n",
            kernel.faces, calls, pushes(around.next_face));
    return fmt::format(R"({}
[[gnu::noinline]] static void sfpu_begin() {{
    addr_mod_t{{.dest = {{.incr = 0}}}}.set(ADDR_MOD_7);
    addr_mod_t{{.dest = {{.incr = 2}}}}.set(ADDR_MOD_6);
    using namespace ckernel::sfpu;
    {};
}}
[[gnu::always_inline]] inline void sfpu_tile() {{
    using namespace ckernel::sfpu;
{}{}{}}}
{}{})",
                       headers_of(kernel), kernel.init, pushes(around.begin), calls, pushes(around.end),
                       timing_functions, timed_part_of(around));
}

core_program compile_for_core(const std::string& source, architecture arch,
                              const std::vector<std::string>& folders, const std::string& compiler,
                              const kernel_kit& kit, const session& of) {
    const scratch_folder scratch;
    const std::string file = scratch.file("core.cpp"), program = scratch.file("core.elf");
    write_file(file, source);
    std::vector<std::string> command{
        compiler,
        "-x",
        "c++",
        "-march=rv32im_zicsr",
        "-mabi=ilp32",
        "-O3",
        "-std=gnu++20",
        "-w",
        "-ffreestanding",
        "-nostdinc++",
        "-fno-exceptions",
        "-fno-rtti",
        "-nostdlib",
        "-nostartfiles",
        "-fno-threadsafe-statics",
        "-ffunction-sections",
        "-fdata-sections",
        "-Wl,--nmagic,--gc-sections,-Ttext=0x80000000,-e,sfpu_start,-u,sfpu_program",
        std::string("-D") + chip_macro(arch)};
    for (const auto* some : {&kit.core_folders, &kit.folders, &folders})
        for (const std::string& each : *some) command.push_back("-I" + each);
    command.insert(command.end(), {file, "-o", program});
    const auto done = ask_command(command, most_seconds, [&] { return of.is_over(); });
    if (!done) return {std::nullopt, "interrupted"};
    if (done->code == 127) return {std::nullopt, "there is no " + compiler};
    if (!done->problem.empty()) return {std::nullopt, done->problem};
    if (done->code == 0) return {riscv::elf_image::read(program), ""};
    for (const compiler_message& each : read_messages(done->complaints))
        if (each.is_error) return {std::nullopt, shortened(each.text)};
    const bool links = done->complaints.find("undefined reference") == std::string::npos;
    return {std::nullopt, links ? "the compiler failed" : "it uses vector types, which no compiler here has"};
}

} // namespace sfpu::analysis
