#include "header_compiler.h"

#include "kernel_files.h"
#include <sfpu/analysis/chip_names.h>
#include <sfpu/analysis/compiler_messages.h>
#include <sfpu/analysis/function_text.h>
#include <sfpu/analysis/kernel_compiler.h>

#include <algorithm>
#include <filesystem>

namespace sfpu::analysis {
namespace {

constexpr std::size_t most_neighbours = 6;
constexpr unsigned most_rounds = 8; ///< of functions to leave out
constexpr std::size_t most_places_told = 3;

/// From the plainest on.
constexpr compilation_way ways[] = {
    {"", false, false, false, false, false},
    {"after the library's other kernels, without static assertions", true, false, true, true, false},
    {"after the library's other kernels, without static assertions, with `using namespace sfpi`", true, true,
     true, true, false},
    {"without pragmas to unroll loops", false, false, false, true, false},
    {"with `using namespace sfpi`", false, true, false, true, false},
    {"without its static assertions, one of which this compiler takes for false", false, false, true, true,
     false},
    {"with clang++", false, false, true, true, true},
    {"after the library's other kernels, with clang++", true, true, true, true, true},
};

/// The first of these files that has a function of this name, with its body; empty if none has.
std::string file_with_function(const std::string& name, const std::vector<std::string>& files) {
    for (const std::string& file : files) {
        const std::string text = text_if_any(file);
        if (text.find(name) == std::string::npos) continue;
        for (const function_declaration& each : function_declarations(text))
            if (each.name == name && !each.body.empty()) return file;
    }
    return {};
}

} // namespace

std::string reason_of(const command_answer& answer) {
    return answer.problem.empty() ? first_error(answer.complaints) : answer.problem;
}

header_compiler::header_compiler(const kernel_header& header, const kernel_tools& tools, std::string folder,
                                 const step_limit& limit)
    : header_(header), tools_(tools), folder_(std::move(folder)), limit_(limit), way_(ways[0]) {}

command_answer header_compiler::ask(const std::vector<std::string>& words) const {
    const auto answer = ask_command(words, limit_.seconds(), [this] { return limit_.of().is_over(); });
    return answer ? *answer : command_answer{-1, "", "", "interrupted"};
}

std::vector<std::string> header_compiler::compiler_call() const {
    std::vector<std::string> call{way_.clang ? "clang++" : tools_.compiler, "-std=c++17", "-O0", "-w",
                                  std::string("-D") + chip_macro(header_.arch)};
    call.insert(call.end(), tools_.kit.options.begin(), tools_.kit.options.end());
    call.insert(call.end(), tools_.flags.begin(), tools_.flags.end());
    for (const std::string& folder : tools_.kit.folders) call.push_back("-I" + folder);
    for (const std::string& folder : header_.folders) call.insert(call.end(), {"-idirafter", folder});
    return call;
}

std::string header_compiler::preface() const {
    std::string text = "#include \"sfpi.h\"\n#include <cstdint>\n#include <climits>\n#include "
                       "<array>\n#include <limits>\n"
                       "#include <type_traits>\n#include <algorithm>\n#include <cmath>\n";
    // The chip's C library gives these names to nobody, and kernels have constants of the same.
    for (const char* name :
         {"E", "LOG2E", "LOG10E", "LN2", "LN10", "PI", "PI_2", "PI_4", "1_PI", "2_PI", "SQRT2"})
        text += std::string("#undef M_") + name + "\n";
    if (way_.names) text += "namespace ckernel { using namespace sfpi; }\n";
    if (way_.without_assertions) text += "#define static_assert(...)\n";
    for (const std::string& neighbour : neighbours_) text += "#include \"" + neighbour + "\"\n";
    if (way_.library)
        for (const std::string& other : header_.library) text += "#include \"" + other + "\"\n";
    return text + "#include \"" + header_.path + "\"\n" +
           (way_.without_assertions ? "#undef static_assert\n" : "");
}

/// What to compile of a source: itself, or what is left of what the preprocessor makes of it.
std::string header_compiler::prepared(const std::string& source) const {
    if (!way_.without_unrolling && left_out_.empty()) return source;
    const std::string expanded = source.substr(0, source.size() - 4) + ".ii"; // instead of .cpp
    std::vector<std::string> call = compiler_call();
    call.insert(call.end(), {"-E", source});
    const command_answer result = ask(call);
    if (!result.ok()) return source; // whose compilation says why
    std::string text = result.output;
    if (way_.without_unrolling) text = without_unrolling(text);
    if (!left_out_.empty()) text = without_functions(text, left_out_).text;
    write_source(expanded, text);
    return expanded;
}

/// Whether the header compiles in this way, behind headers that it needs and does not include. `complaints`
/// are those of the last try.
bool header_compiler::compiles_with_neighbours(std::string& complaints) {
    do {
        const std::string source = folder_ + "/header.cpp";
        write_source(source, preface());
        std::vector<std::string> call = compiler_call();
        call.insert(call.end(), {"-fsyntax-only", prepared(source)});
        const command_answer result = ask(call);
        if (result.ok()) return true;
        if (problem_.empty()) problem_ = reason_of(result);
        complaints = result.complaints;
    } while (!way_.library && add_neighbour(complaints));
    return false;
}

bool header_compiler::find_way() {
    problem_.clear();
    left_out_.clear();
    for (const compilation_way& each : ways) {
        if (each.library && header_.library.empty()) continue;
        way_ = each;
        neighbours_.clear();
        std::string complaints;
        if (compiles_with_neighbours(complaints)) return true;
        if (limit_.of().is_over()) break;
        if (&each == ways && nobody_has(complaints) && leave_out_functions()) return true;
    }
    if (leave_out_functions()) return true;
    way_ = ways[0];
    neighbours_.clear();
    return false;
}

/// Whether a file is one of the library: neither of this program nor of the system.
bool header_compiler::is_of_library(const std::string& file) const {
    const auto in = [&](const std::string& folder) { return file.rfind(folder + "/", 0) == 0; };
    return !file.empty() && file[0] == '/' && !in("/usr") && !in(folder_) &&
           std::none_of(tools_.kit.folders.begin(), tools_.kit.folders.end(), in);
}

/// Whether all errors are names that no header has, neither of the library nor of this program.
bool header_compiler::nobody_has(const std::string& complaints) const {
    const std::vector<compiler_message> messages = read_messages(complaints);
    if (std::any_of(messages.begin(), messages.end(), [](const compiler_message& each) {
            return each.is_error && each.kind != message_kind::undeclared_name;
        }))
        return false;
    const std::vector<std::string> names = names_in(messages, message_kind::undeclared_name);
    const auto names_one = [&](const std::string& file) {
        const std::string text = text_if_any(file);
        return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
            return text.find(name) != std::string::npos && file != header_.path;
        });
    };
    if (names.empty() || std::any_of(header_.library.begin(), header_.library.end(), names_one)) return false;
    std::vector<std::string> folders = tools_.kit.folders;
    folders.push_back(std::filesystem::path(header_.path).parent_path().string());
    std::error_code ignored;
    for (const std::string& folder : folders)
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, ignored))
            if (entry.path().extension() == ".h" && names_one(entry.path().string())) return false;
    return true;
}

/// Leaves out the functions in which errors lie, and then those that cannot do without them.
bool header_compiler::leave_out_functions() {
    way_ = compilation_way{"", false, false, true, true, false};
    neighbours_.clear();
    for (unsigned round = 0; round < most_rounds && !limit_.of().is_over(); ++round) {
        std::string complaints;
        if (compiles_with_neighbours(complaints)) return true;
        bool any = false;
        const std::size_t before = left_out_.size();
        for (const compiler_message& each : read_messages(complaints)) {
            if (!each.is_error || !is_of_library(each.file)) continue;
            const auto known =
                std::find_if(left_out_.begin(), left_out_.end(), [&](const error_place& other) {
                    return other.file == each.file && other.line == each.line;
                });
            if (known == left_out_.end()) left_out_.push_back({each.file, each.line, first_error(each.text)});
            else if (known->in_declaration ||
                     known - left_out_.begin() >= static_cast<std::ptrdiff_t>(before))
                continue;                      // a second error of the line
            else known->in_declaration = true; // without its body it is wrong still
            any = true;
        }
        if (!any) break;
    }
    left_out_.clear();
    return false;
}

/// Finds a header that declares what the compiler misses. It goes in front of those that were found before
/// it, which may need it too.
bool header_compiler::add_neighbour(const std::string& complaints) {
    if (neighbours_.size() == most_neighbours) return false;
    std::vector<std::string> candidates = header_.library;
    std::error_code error;
    const std::filesystem::path own = header_.path;
    for (const auto& entry : std::filesystem::directory_iterator(own.parent_path(), error))
        if (entry.path().extension() == ".h" && entry.path() != own)
            candidates.push_back(entry.path().string());
    std::sort(candidates.begin() + static_cast<std::ptrdiff_t>(header_.library.size()), candidates.end());
    for (const std::string& name : names_in(read_messages(complaints), message_kind::undeclared_name)) {
        const std::string file = file_with_function(name, candidates);
        if (file.empty() || std::find(neighbours_.begin(), neighbours_.end(), file) != neighbours_.end())
            continue;
        neighbours_.insert(neighbours_.begin(), file);
        return true;
    }
    return false;
}

std::string header_compiler::note() const {
    std::string note = way_.note;
    for (const std::string& neighbour : neighbours_)
        note += (note.empty() ? "behind " : ", behind ") +
                std::filesystem::path(neighbour).filename().string() + ", which it does not include";
    if (!left_out_.empty()) {
        note += note.empty() ? "without functions that do not compile, at "
                             : ", without functions that do not compile, at ";
        for (std::size_t i = 0; i < left_out_.size() && i < most_places_told; ++i)
            note += (i == 0 ? "" : ", ") + std::filesystem::path(left_out_[i].file).filename().string() +
                    ":" + std::to_string(left_out_[i].line);
        if (left_out_.size() > most_places_told) note += " and more";
    }
    return note;
}

command_answer header_compiler::build(const std::string& source, const std::string& program) const {
    std::vector<std::string> call = compiler_call();
    call.insert(call.end(), {"-fmax-errors=0", "-ftemplate-backtrace-limit=0", "-Wl,--no-demangle",
                             prepared(source), "-o", program});
    call.insert(call.end(), tools_.kit.libraries.begin(), tools_.kit.libraries.end());
    const command_answer result = ask(call);
    const std::vector<std::string> missing =
        names_in(read_messages(result.complaints), message_kind::undefined_symbol);
    if (missing.empty()) return result;
    for (const std::string& each : missing) call.push_back("-Wl,--defsym=" + each + "=sfpu_only_declared");
    return ask(call);
}

} // namespace sfpu::analysis
