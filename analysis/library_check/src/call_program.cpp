#include "call_program.h"

#include "kernel_files.h"
#include <sfpu/analysis/chip_names.h>
#include <sfpu/analysis/compiler_messages.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace sfpu::analysis {
namespace {

constexpr unsigned most_attempts = 6;

constexpr const char* surroundings = R"(#include <sfpu/kernel_recorder/library_check.h>
static void sfpu_address_modifiers() {
    ckernel::addr_mod_t{}.set(7);
    ckernel::addr_mod_t by_two;
    by_two.dest.incr = 2;
    by_two.set(6);
#ifdef ARCH_WORMHOLE
    ckernel::math::set_addr_mod_base();
#endif
}
static void sfpu_next_face() {
    TTI_SETRWC(0, 4, 8, 0, 0, 4);
    TTI_SETRWC(0, 4, 8, 0, 0, 4);
}
int main(int argc, char** argv) {
    using namespace ckernel;
    using namespace ckernel::sfpu;
)";

} // namespace

call_program::call_program(const header_compiler& compiler, std::vector<kernel_call> calls,
                           const std::string& folder, const std::string& name, bool plain)
    : compiler_(compiler), calls_(std::move(calls)), prefix_(folder + "/" + name), plain_(plain) {}

call_program::~call_program() {
    std::error_code ignored;
    std::filesystem::remove(prefix_, ignored);
}

void call_program::leave_out_as(const call_program& other) {
    broken_ = other.broken_;
    without_init_ = other.without_init_;
    failures_ = other.failures_;
}

const std::string* call_program::failure_of(std::size_t call) const {
    const auto found = failures_.find(call);
    return found == failures_.end() ? nullptr : &found->second;
}

/// C++ of the program. Notes the lines of the calls, by which take_blame() knows them.
std::string call_program::source_text() {
    std::string text = plain_ ? "#define DISABLE_SFPLOADMACRO\n" : "";
    text += compiler_.preface() + surroundings;
    text +=
        fmt::format("    return ::sfpu::kernel_recorder::library_main(argc, argv, ::sfpu::architecture::{}, "
                    "{{{:#x}, &sfpu_next_face}}, {{\n",
                    chip_enumerator(compiler_.arch()), l1_address);
    marks_.clear();
    unsigned line = static_cast<unsigned>(std::count(text.begin(), text.end(), '\n')) + 1;
    for (std::size_t i = 0; i < calls_.size(); ++i) {
        const kernel_call& call = calls_[i];
        const std::string init = has(i) && has_init(i) && !call.init.empty() ? call.init + ";" : "";
        text += fmt::format(
            "{{\"{}\", {}, [] {{ sfpu_address_modifiers();\n{}\nTTI_SFPNOP; TTI_SFPNOP; }},\n[] {{\n"
            "{}\n}} }},\n",
            call.function, call.rows, init, has(i) ? call.statement : "");
        marks_.push_back({line + 1, line + 4});
        line += 6;
    }
    return text + "});\n}\n";
}

bool call_program::build() {
    const std::string source = prefix_ + ".cpp";
    for (unsigned attempt = 0; attempt < most_attempts; ++attempt) {
        write_source(source, source_text());
        const command_answer result = compiler_.build(source, prefix_);
        if (result.ok()) return broken_.size() < calls_.size();
        problem_ = reason_of(result);
        if (!take_blame(result.complaints)) return false;
    }
    return false;
}

/// Leaves out the calls in whose lines errors end: GCC names the call in front of the error, Clang behind it.
/// False if there are none.
bool call_program::take_blame(const std::string& complaints) {
    const std::string source = prefix_ + ".cpp";
    bool any = false;
    std::string latest;
    std::vector<std::size_t> waiting; // calls that are named before their error is
    for (const compiler_message& message : read_messages(complaints)) {
        if (message.is_error) {
            latest = first_error(message.text);
            for (const std::size_t call : waiting) failures_[call] = latest;
            waiting.clear();
        }
        if (message.file != source) continue;
        for (std::size_t i = 0; i < marks_.size(); ++i) {
            if (marks_[i].first == message.line && without_init_.insert(i).second) any = true;
            if (marks_[i].second != message.line || !broken_.insert(i).second) continue;
            any = true;
            if (message.is_error) failures_[i] = latest;
            else waiting.push_back(i);
        }
    }
    return any || blame_instances(complaints);
}

/// The same of errors for which the compiler names no line of a call, only the instance of the function that
/// they are in: "In function 'void f(int) [with bool A = true; int N = 8]'". Leaves out the calls of such a
/// function that name all of its arguments.
bool call_program::blame_instances(const std::string& complaints) {
    bool any = false;
    std::istringstream lines(complaints);
    for (std::string line, instance; std::getline(lines, line);) {
        const std::size_t with = line.find(" [with ");
        if (line.find("In function ") != std::string::npos) instance = with == line.npos ? "" : line;
        if (instance.empty() || line.find(" error: ") == std::string::npos) continue;
        const std::size_t bracket = instance.find('('), begin = instance.rfind(':', bracket) + 1;
        const std::string name = instance.substr(begin, bracket - begin) + "<";
        for (std::size_t i = 0; i < calls_.size(); ++i) {
            if (calls_[i].statement.find(name) == std::string::npos) continue;
            bool names_all = true;
            for (std::size_t at = instance.find("[with "); (at = instance.find(" = ", at)) != line.npos;) {
                at += 3;
                const std::string value = instance.substr(at, instance.find_first_of(";]", at) - at);
                names_all = names_all && calls_[i].statement.find(value) != std::string::npos;
            }
            if (!names_all || !broken_.insert(i).second) continue;
            failures_[i] = first_error(line);
            any = true;
        }
        instance.clear();
    }
    return any;
}

std::optional<recorded_files> call_program::record(std::size_t call, std::string& problem,
                                                   std::optional<std::size_t> behind) const {
    const std::string prefix = fmt::format("{}_{}", prefix_, call);
    std::vector<std::string> words{prefix_, std::to_string(call), prefix};
    if (behind) words.push_back(std::to_string(*behind));
    const command_answer result = compiler_.ask(words);
    if (!result.ok()) {
        problem = result.problem.empty() ? result.complaints : result.problem;
        return std::nullopt;
    }
    recorded_files files{prefix + ".s", prefix + "_faces.s", prefix + "_faces_wide.s", {}};
    std::istringstream lines(result.output);
    for (std::string line; std::getline(lines, line);) files.warnings.push_back(line);
    return files;
}

std::optional<std::string> call_program::record_with_origins(std::size_t call, std::string& problem) const {
    const std::string file = fmt::format("{}_{}.s", prefix_, call);
    const command_answer result = compiler_.ask({prefix_, std::to_string(call), file, "--origins"});
    if (result.ok()) return text_if_any(file);
    problem = result.problem.empty() ? result.complaints : result.problem;
    return std::nullopt;
}

call_program::part call_program::part_on_line(std::size_t call, unsigned line) const {
    if (call >= marks_.size()) return part::none;
    return line == marks_[call].first ? part::init : line == marks_[call].second ? part::call : part::none;
}

command_answer call_program::compare_with_direct(std::size_t call, std::optional<std::size_t> behind) const {
    std::vector<std::string> words{prefix_, std::to_string(call), "--equiv"};
    if (behind) words.push_back(std::to_string(*behind));
    return compiler_.ask(words);
}

} // namespace sfpu::analysis
