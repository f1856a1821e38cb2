#include "kernel_compiler.h"

#include "../interrupts.h"
#include "../program.h"
#include "chip_names.h"
#include "kernel_kit.h"
#include <sfpu/analysis/child_process.h>

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

namespace sfpu::cli {
namespace {

namespace fs = std::filesystem;

class scratch_folder {
public:
    scratch_folder() {
        std::error_code error;
        std::string name = (fs::temp_directory_path(error) / "sfpusim-XXXXXX").string();
        if (error || !mkdtemp(name.data()))
            throw user_error(name + ": cannot be made: " + std::strerror(errno));
        path_ = name;
    }
    ~scratch_folder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    scratch_folder(const scratch_folder&) = delete;
    scratch_folder& operator=(const scratch_folder&) = delete;

    std::string file(const char* name) const { return (path_ / name).string(); }

private:
    fs::path path_;
};

/// The first error of a compiler's messages, without the scratch folder's name.
std::string first_error(const std::string& complaints) {
    std::istringstream lines(complaints);
    std::string first;
    for (std::string line; std::getline(lines, line);) {
        if (first.empty()) first = line;
        if (line.find("error: ") == std::string::npos) continue;
        return shortened(line);
    }
    return first.empty() ? "the compiler failed without a word" : shortened(first);
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

/// A loop count that is a template parameter is an error to some compilers in this pragma, and recording needs none.
std::string without_unrolling(const std::string& expanded) {
    std::string result;
    std::istringstream lines(expanded);
    for (std::string line; std::getline(lines, line); result += '\n')
        if (line.compare(0, 18, "#pragma GCC unroll") != 0) result += line;
    return result;
}

} // namespace

std::optional<recorded_kernel> record_kernel(const kernel_source& source) {
    static const kernel_kit kit = find_kernel_kit();
    const scratch_folder scratch;
    const std::string program = scratch.file("kernel"), words = scratch.file("kernel.s");
    write_file(scratch.file("kernel.cpp"), source.text);
    write_file(scratch.file("main.cpp"), main_function(source));

    const char* const chosen = std::getenv("CXX");
    const std::string compiler = chosen && *chosen ? chosen : "c++";
    const std::string expanded = scratch.file("expanded.cpp");
    std::vector<std::string> command{compiler, "-E", "-std=gnu++20", "-w",
                                     std::string("-D") + chip_macro(source.arch)};
    for (const auto* folders : {&kit.folders, &source.folders})
        for (const std::string& each : *folders) command.push_back("-I" + each);
    command.insert(command.end(), {scratch.file("kernel.cpp"), "-o", expanded});
    auto done = ask_command(command, std::nullopt, interrupt_guard::interrupted);
    if (done && done->code == 127)
        throw user_error(compiler + ": not found; C++ kernels need a compiler, CXX names another");
    if (done && done->code == 0) {
        write_file(expanded, without_unrolling(read_file(expanded)));
        command = {compiler, "-std=gnu++20", "-O0", "-w"};
        command.insert(command.end(), kit.options.begin(), kit.options.end());
        for (const std::string& each : kit.folders) command.push_back("-I" + each);
        command.insert(command.end(), {expanded, scratch.file("main.cpp"), "-o", program});
        command.insert(command.end(), kit.libraries.begin(), kit.libraries.end());
        done = ask_command(command, std::nullopt, interrupt_guard::interrupted);
    }
    if (!done) return std::nullopt;
    if (done->code != 0) return recorded_kernel{"", first_error(done->complaints), 0, 0, 0};

    const auto recorded = ask_command({program, words}, std::nullopt, interrupt_guard::interrupted);
    if (!recorded) return std::nullopt;
    if (recorded->code != 0) return recorded_kernel{"", first_error(recorded->complaints), 0, 0, 0};
    recorded_kernel result{read_file(words), "", 0, 0, 0};
    std::istringstream(recorded->output) >> result.pushed >> result.computed >> result.generated;
    return result;
}

} // namespace sfpu::cli
