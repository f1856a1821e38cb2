#include <sfpu/analysis/kernel_compiler.h>

#include <sfpu/analysis/child_process.h>
#include <sfpu/analysis/chip_names.h>
#include <sfpu/analysis/compiler_messages.h>
#include <sfpu/analysis/scratch_folder.h>
#include <sfpu/analysis/text_files.h>

#include <fmt/format.h>

#include <sstream>

namespace sfpu::analysis {
namespace {

/// The line with the first error, or the first line.
std::string complaint_of(const std::string& complaints) {
    const std::vector<compiler_message> messages = read_messages(complaints);
    for (const compiler_message& each : messages)
        if (each.is_error) return shortened(each.text);
    for (const compiler_message& each : messages)
        if (!each.text.empty()) return shortened(each.text);
    return "the compiler failed without a word";
}

/// Writes the kernel file and prints the counts.
std::string main_function(const kernel_source& source) {
    return fmt::format(R"(
#include <sfpu/kernel_recorder/program.h>
#include <cstdio>
void sfpu_kernel(::sfpu::kernel_recorder::program_builder& kernel);
int main(int argc, char** argv) {{
    const auto describe = [](::sfpu::kernel_recorder::program_builder& kernel) {{
        sfpu_kernel(kernel);
        std::printf("%u %u %u\n", kernel.call().pushed, kernel.call().computed, kernel.call().generated);
    }};
    return ::sfpu::kernel_recorder::program_main(argc, argv, "{}", ::sfpu::architecture::{}, describe);
}}
)",
                       source.name, chip_enumerator(source.arch));
}

} // namespace

std::string without_unrolling(const std::string& expanded) {
    std::string result;
    std::istringstream lines(expanded);
    for (std::string line; std::getline(lines, line); result += '\n')
        if (line.find("#pragma GCC unroll") == std::string::npos) result += line;
    return result;
}

bool compiler_runs(const std::string& compiler, const session& of) {
    const auto answer = ask_command({compiler, "--version"}, 20, [&] { return of.is_over(); });
    return answer && answer->ok();
}

std::optional<recorded_kernel> record_kernel(const kernel_source& source, const kernel_tools& tools,
                                             const session& of) {
    const auto ended = [&] { return of.is_over(); };
    const kernel_kit& kit = tools.kit;
    const scratch_folder scratch;
    const std::string program = scratch.file("kernel"), words = scratch.file("kernel.s");
    write_file(scratch.file("kernel.cpp"), source.text);
    write_file(scratch.file("main.cpp"), main_function(source));

    const std::string& compiler = tools.compiler;
    const std::string expanded = scratch.file("expanded.cpp");
    std::vector<std::string> command{compiler, "-E", "-std=gnu++20", "-w",
                                     std::string("-D") + chip_macro(source.arch)};
    command.insert(command.end(), tools.flags.begin(), tools.flags.end());
    for (const auto* folders : {&kit.folders, &source.folders})
        for (const std::string& each : *folders) command.push_back("-I" + each);
    command.insert(command.end(), {scratch.file("kernel.cpp"), "-o", expanded});
    auto done = ask_command(command, std::nullopt, ended);
    if (done && done->code == 127)
        throw user_error(compiler + ": not found; C++ kernels need a compiler, CXX names another");
    if (done && done->code == 0) {
        write_file(expanded, without_unrolling(read_file(expanded)));
        command = {compiler, "-std=gnu++20", "-O0", "-w"};
        command.insert(command.end(), kit.options.begin(), kit.options.end());
        command.insert(command.end(), tools.flags.begin(), tools.flags.end());
        for (const std::string& each : kit.folders) command.push_back("-I" + each);
        command.insert(command.end(), {expanded, scratch.file("main.cpp"), "-o", program});
        command.insert(command.end(), kit.libraries.begin(), kit.libraries.end());
        done = ask_command(command, std::nullopt, ended);
    }
    if (!done) return std::nullopt;
    if (done->code != 0) return recorded_kernel{"", complaint_of(done->complaints), 0, 0, 0};

    std::vector<std::string> recording{program, words};
    if (source.with_origins) recording.emplace_back("--origins");
    const auto recorded = ask_command(recording, std::nullopt, ended);
    if (!recorded) return std::nullopt;
    if (recorded->code != 0) return recorded_kernel{"", complaint_of(recorded->complaints), 0, 0, 0};
    recorded_kernel result{read_file(words), "", 0, 0, 0};
    std::istringstream(recorded->output) >> result.pushed >> result.computed >> result.generated;
    return result;
}

} // namespace sfpu::analysis
