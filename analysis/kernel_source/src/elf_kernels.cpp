// Functions of an ELF as kernels: they are run, and what they push is the kernel.
#include "core_against_unit.h"
#include "dwarf_lines.h"
#include "elf_functions.h"
#include "function_run.h"
#include "pushed_kernel.h"
#include "translators.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/isa/assembler.h>
#include <sfpu/riscv/elf_image.h>
#include <sfpu/riscv/instruction_set.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

namespace sfpu::analysis {
namespace {

constexpr std::size_t most_called_functions = 16;

riscv::elf_image parsed(std::string_view content, const std::string& name) {
    try {
        return riscv::elf_image::parse(content);
    } catch (const riscv::elf_error& problem) {
        throw user_error(name + ": " + problem.what());
    }
}

/// The chip that the file was compiled for, where its attributes say so.
std::string chip_of(std::string_view content) {
    if (content.find("xtttensixbh") != std::string_view::npos) return "bh";
    if (content.find("xtttensixwh") != std::string_view::npos) return "wh";
    return "";
}

std::string trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
    return std::string(text);
}

/// "FIRST; SECOND": functions that run one behind the other.
std::vector<elf_function> wanted_functions(const riscv::elf_image& image, const std::string& wanted,
                                           const std::string& file) {
    const std::vector<elf_function> functions = elf_functions(image);
    std::vector<elf_function> found;
    for (std::string_view rest = wanted;;) {
        const std::size_t end = rest.find(';');
        found.push_back(find_elf_function(functions, trimmed(rest.substr(0, end)), file));
        if (found.size() > most_called_functions)
            throw user_error(
                fmt::format("{}: --function has more than {} names", file, most_called_functions));
        if (end == std::string_view::npos) return found;
        rest.remove_prefix(end + 1);
    }
}

std::string last_part(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

/// The lines of a program, each looked up once.
class line_finder {
public:
    line_finder(std::string_view content, const riscv::elf_image& image)
        : lines_(content), image_(image), knows_tensix_(!chip_of(content).empty()) {}

    const std::optional<cpp_line>& at(std::uint32_t pc) {
        const auto known = known_.find(pc);
        if (known != known_.end()) return known->second;
        const auto word = image_.word_at(pc);
        const bool is_data = !knows_tensix_ && word && riscv::is_tensix_word(*word);
        return known_.emplace(pc, lines_.at(pc, is_data)).first->second;
    }
    std::string place(std::uint32_t pc) {
        const std::optional<cpp_line>& line = at(pc);
        return line ? fmt::format("{:#010x} ({}:{})", pc, last_part(line->file), line->line)
                    : fmt::format("{:#010x}", pc);
    }
    bool has_lines() const { return lines_.has_lines(); }

private:
    dwarf_lines lines_;
    const riscv::elf_image& image_;
    bool knows_tensix_; ///< the assembler that made the file
    std::map<std::uint32_t, std::optional<cpp_line>> known_;
};

void name_places(std::vector<pushed_word>& words, const std::string& file, line_finder& lines) {
    for (pushed_word& each : words) {
        each.origin.file = file;
        if (!each.origin.address) continue;
        if (const std::optional<cpp_line>& line = lines.at(*each.origin.address)) {
            each.origin.cpp_file = line->file;
            each.origin.cpp_line = line->line;
        }
    }
}

std::string summary(const elf_function& function, const function_run& run) {
    return fmt::format(
        "{} at {:#010x} was run: {} instruction{} in {} cycles of the core, {} push{}, {} word{} "
        "for the vector unit's thread",
        function.name, function.address, run.core.instructions, run.core.instructions == 1 ? "" : "s",
        run.core.cycles, run.core.pushes, run.core.pushes == 1 ? "" : "es", run.kernel.words.size(),
        run.kernel.words.size() == 1 ? "" : "s");
}

/// Parameters in a demangled name: those of "f(int, unsigned int)" are two. Nothing if it has none.
std::optional<std::size_t> parameter_count(const std::string& name) {
    const std::size_t close = name.rfind(')');
    if (close == std::string::npos) return std::nullopt;
    std::size_t depth = 0, commas = 0, at = close;
    for (;; --at) {
        const char c = name[at];
        if (c == ')' || c == '>' || c == ']') ++depth;
        if (c == '(' || c == '<' || c == '[') --depth;
        if (c == ',' && depth == 1) ++commas;
        if (depth == 0) break;
        if (at == 0) return std::nullopt;
    }
    return at + 1 == close ? 0 : commas + 1;
}

void tell_arguments(const elf_function& function, const source_request& request,
                    std::vector<std::string>& told) {
    const auto expected = parameter_count(function.name);
    if (!expected || *expected == request.arguments.size()) return;
    told.push_back(fmt::format("{} has {} parameter{} and was called with {} argument{}{}", function.name,
                               *expected, *expected == 1 ? "" : "s", request.arguments.size(),
                               request.arguments.size() == 1 ? "" : "s",
                               request.arguments.size() < *expected ? "; registers without one hold 0" : ""));
}

machine_choice machine_of(const translation& of, std::vector<std::string>& told) {
    machine_choice machine = of.machine;
    if (!machine.arch.empty()) return machine;
    machine.arch = chip_of(of.content);
    if (!machine.arch.empty()) told.push_back("the file's attributes say that it is for " + machine.arch);
    return machine;
}

void tell_bottleneck(const function_run& run, const std::string& text, const std::string& name,
                     const machine_choice& machine, std::vector<std::string>& told) {
    const isa::assembly rolled = isa::assemble(text, name, resolved_configuration(machine).arch);
    if (const auto times = compare_core_with_unit(run, rolled.ok() ? &rolled.program : nullptr, machine))
        told.push_back(to_text(*times));
}

} // namespace

kernel_text translate_elf(const translation& of) {
    const riscv::elf_image image = parsed(of.content, of.name);
    const std::vector<elf_function> called = wanted_functions(image, of.request.function, of.name);
    const elf_function& function = called.back();
    std::vector<std::string> told;
    const machine_choice machine = machine_of(of, told);
    line_finder lines(of.content, image);
    std::vector<std::uint32_t> entries;
    for (const elf_function& each : called) entries.push_back(each.address);
    function_run run;
    try {
        run = trace_functions(image, entries, of.request, machine, of.caller,
                              [&lines](std::uint32_t pc) { return lines.place(pc); });
    } catch (const user_error& problem) {
        throw user_error(fmt::format("{}: {}: {}", of.name, shortened(function.name), problem.what()));
    }
    if (run.kernel.words.empty())
        throw user_error(
            fmt::format("{}: {} pushes nothing for the vector unit", of.name, shortened(function.name)));
    name_places(run.kernel.words, of.name, lines);
    told.push_back(summary(function, run));
    tell_arguments(function, of.request, told);
    told.insert(told.end(), run.kernel.told.begin(), run.kernel.told.end());
    if (!dwarf_lines::is_built_in()) told.push_back("there are no lines of C++: built without libdw");
    else if (!lines.has_lines()) told.push_back("there are no lines of C++: the file has no DWARF");
    const std::string text = rolled_assembly(run.kernel, of.request, machine, told);
    tell_bottleneck(run, text, of.name, machine, told);
    return {of.name, text, kernel_form::elf, function.name, told};
}

std::vector<kernel_function> functions_of_elf(std::string_view content, const std::string& name) {
    std::vector<kernel_function> functions;
    for (const elf_function& each : elf_functions(parsed(content, name)))
        functions.push_back({each.name, each.symbol, each.address, each.size, each.words});
    return functions;
}

} // namespace sfpu::analysis
