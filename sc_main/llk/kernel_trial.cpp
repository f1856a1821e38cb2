#include "kernel_trial.h"

#include "../interrupts.h"
#include "../program.h"
#include "function_text.h"
#include "kernel_calls.h"
#include "path_difference.h"
#include <sfpu/analysis/child_process.h>
#include <sfpu/analysis/chip_names.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

namespace sfpu::cli::llk {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

std::string file_text(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}
void write_text(const std::string& path, const std::string& text) {
    std::ofstream out(path, std::ios::binary);
    out << text << std::flush;
    if (!out) throw user_error(path + ": cannot be written");
}

/// The first error of a compiler, without folders.
std::string first_error(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t found = line.find("error:");
        if (found == std::string::npos) continue;
        const std::string place = line.substr(0, found);
        const std::size_t slash = place.rfind('/');
        return (slash == std::string::npos ? place : place.substr(slash + 1)) + line.substr(found + 7);
    }
    std::string start = text.substr(0, 200);
    std::replace(start.begin(), start.end(), '\n', ' ');
    return start;
}

/// Names that a linker misses.
std::vector<std::string> undefined_functions(const std::string& text) {
    std::set<std::string> names;
    const std::string start = "undefined reference to `";
    for (std::size_t at = text.find(start); at != std::string::npos; at = text.find(start, at + 1)) {
        const std::size_t name = at + start.size(), end = text.find('\'', name);
        if (end != std::string::npos) names.insert(text.substr(name, end - name));
    }
    return {names.begin(), names.end()};
}

/// The word of letters, digits and underscores that begins or ends nearest to a place; quotation marks may be in between.
std::string word_behind(const std::string& line, std::size_t at) {
    while (at < line.size() && !is_word_character(line[at])) ++at;
    std::size_t end = at;
    while (end < line.size() && is_word_character(line[end])) ++end;
    return line.substr(at, end - at);
}
std::string word_before(const std::string& line, std::size_t at) {
    while (at > 0 && !is_word_character(line[at - 1])) --at;
    std::size_t begin = at;
    while (begin > 0 && is_word_character(line[begin - 1])) --begin;
    return line.substr(begin, at - begin);
}

/// Functions that a compiler's errors call not declared, each once.
std::vector<std::string> undeclared_names(const std::string& complaints) {
    static const std::string behind[] = {"there are no arguments to ", "use of undeclared identifier "};
    static const std::string before = " was not declared in this scope";
    std::vector<std::string> names;
    std::istringstream lines(complaints);
    for (std::string line; std::getline(lines, line);) {
        if (line.find("error:") == std::string::npos) continue;
        std::string name;
        for (const std::string& phrase : behind)
            if (const std::size_t at = line.find(phrase); at != std::string::npos)
                name = word_behind(line, at + phrase.size());
        if (const std::size_t at = line.find(before); at != std::string::npos) name = word_before(line, at);
        if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
            names.push_back(name);
    }
    return names;
}

/// The first of these files that has a function of this name, with its body; empty if none has.
std::string file_with_function(const std::string& name, const std::vector<std::string>& files) {
    for (const std::string& file : files) {
        const std::string text = file_text(file);
        if (text.find(name) == std::string::npos) continue;
        for (const function_declaration& each : function_declarations(text))
            if (each.name == name && !each.body.empty()) return file;
    }
    return {};
}

/// Without its pragmas that ask for unrolled loops: some compilers refuse their arguments, and recording needs none.
std::string without_unrolling(const std::string& expanded) {
    std::string result;
    std::istringstream lines(expanded);
    for (std::string line; std::getline(lines, line); result += '\n')
        if (line.find("#pragma GCC unroll") == std::string::npos) result += line;
    return result;
}

constexpr std::size_t most_neighbours = 6;

/// Ways to compile a header, from the plainest on; those behind the first say so in the report.
struct way {
    const char* note;
    bool library, names, without_assertions, without_unrolling, clang;
};
constexpr way ways[] = {
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

class trial {
public:
    trial(const kernel_header& header, const toolchain& tools, std::string folder, double seconds)
        : header_(header), tools_(tools), folder_(std::move(folder)), seconds_(seconds) {
        fs::create_directories(folder_);
    }
    ~trial() { // the programs are large
        std::error_code ignored;
        for (const char* name : {"/macro", "/plain"}) fs::remove(folder_ + name, ignored);
    }
    trial(const trial&) = delete;
    trial& operator=(const trial&) = delete;

    json run() {
        const kernel_functions functions = find_functions(file_text(header_.path));
        calls_ = functions.calls;
        bool built = !calls_.empty() && build("macro", false);
        if (!built) {
            broken_.clear();
            without_init_.clear();
            if (!find_way()) return json::array({row("", false, problem_)});
            built = !calls_.empty() && build("macro", false);
        }
        json rows = json::array();
        for (const std::string& skipped : functions.skipped) {
            const std::size_t colon = skipped.find(':');
            rows.push_back(row(skipped.substr(0, colon), true, "not called" + skipped.substr(colon)));
        }
        if (calls_.empty()) {
            if (rows.empty())
                rows.push_back(row("", true, "nothing to call: none of its functions works on vectors"));
            return rows;
        }
        if (!built) {
            rows.push_back(row("", true, "no call of its functions compiles: " + problem_));
            return rows;
        }
        may_have_plain_ = functions.has_plain_path;
        for (const std::string& other : header_.library)
            may_have_plain_ =
                may_have_plain_ || file_text(other).find("DISABLE_SFPLOADMACRO") != std::string::npos;
        for (std::size_t i = 0; i < calls_.size(); ++i)
            if (!broken_.count(i)) rows.push_back(try_call(i));
            else if (first_failure_.count(i) && !works(calls_[i].function))
                rows.push_back(
                    row(calls_[i].call, true, "this call does not compile: " + first_failure_.at(i)));
        return rows;
    }

private:
    /// An interrupted one did not work; the results of this header are not kept then.
    command_answer ask(const std::vector<std::string>& words) const {
        const auto answer = ask_command(words, seconds_, interrupt_guard::interrupted);
        return answer ? *answer : command_answer{-1, "", "", "interrupted"};
    }
    bool works(const std::string& function) const {
        for (std::size_t i = 0; i < calls_.size(); ++i)
            if (calls_[i].function == function && !broken_.count(i)) return true;
        return false;
    }

    json row(const std::string& function, bool compiles, const std::string& reason) const {
        const std::string way = note_of_way();
        return {{"header", header_.name},
                {"function", function},
                {"arch", short_name(header_.arch)},
                {"compiles", compiles},
                {"records", false},
                {"reason", reason},
                {"direct_equals_recorded", nullptr},
                {"macro_equals_plain", nullptr},
                {"verdict", nullptr},
                {"cycles_per_row", nullptr},
                {"published", nullptr},
                {"note", way},
                {"explanation", json::array()},
                {"remarks", way.empty() ? json::array() : json::array({way})}};
    }

    std::vector<std::string> compiler_call() const {
        std::vector<std::string> call{way_.clang ? "clang++" : tools_.compiler, "-std=c++17", "-O0", "-w",
                                      std::string("-D") + chip_macro(header_.arch)};
        call.insert(call.end(), tools_.kit.options.begin(), tools_.kit.options.end());
        call.insert(call.end(), tools_.flags.begin(), tools_.flags.end());
        for (const std::string& folder : tools_.kit.folders) call.push_back("-I" + folder);
        for (const std::string& folder : header_.folders) call.insert(call.end(), {"-idirafter", folder});
        return call;
    }
    std::string preface() const {
        std::string text = "#include \"sfpi.h\"\n#include <cstdint>\n#include <climits>\n#include "
                           "<array>\n#include <limits>\n"
                           "#include <type_traits>\n#include <algorithm>\n#include <cmath>\n";
        if (way_.names) text += "namespace ckernel { using namespace sfpi; }\n";
        if (way_.without_assertions) text += "#define static_assert(...)\n";
        for (const std::string& neighbour : neighbours_) text += "#include \"" + neighbour + "\"\n";
        if (way_.library)
            for (const std::string& other : header_.library) text += "#include \"" + other + "\"\n";
        return text + "#include \"" + header_.path + "\"\n" +
               (way_.without_assertions ? "#undef static_assert\n" : "");
    }

    /// What to compile of a source: itself, or what the preprocessor makes of it.
    std::string prepared(const std::string& source) const {
        if (!way_.without_unrolling) return source;
        const std::string expanded = source.substr(0, source.size() - 4) + ".ii"; // instead of .cpp
        std::vector<std::string> call = compiler_call();
        call.insert(call.end(), {"-E", source});
        const command_answer result = ask(call);
        if (!result.ok()) return source; // whose compilation says why
        write_text(expanded, without_unrolling(result.output));
        return expanded;
    }

    /// The first way in which the header compiles.
    bool find_way() {
        std::string first;
        for (const way& each : ways) {
            if (each.library && header_.library.empty()) continue;
            way_ = each;
            neighbours_.clear();
            std::string complaints;
            do {
                const std::string source = folder_ + "/header.cpp";
                write_text(source, preface());
                std::vector<std::string> call = compiler_call();
                call.insert(call.end(), {"-fsyntax-only", prepared(source)});
                const command_answer result = ask(call);
                if (result.ok()) return true;
                if (first.empty())
                    first = result.problem.empty() ? first_error(result.complaints) : result.problem;
                complaints = result.complaints;
            } while (!each.library && add_neighbour(complaints));
        }
        way_ = ways[0];
        neighbours_.clear();
        problem_ = first;
        return false;
    }
    /// Finds a header that declares what the compiler misses. It goes in front of those that were found before it, which
    /// may need it too.
    bool add_neighbour(const std::string& complaints) {
        if (neighbours_.size() == most_neighbours) return false;
        std::vector<std::string> candidates = header_.library;
        std::error_code error;
        for (const auto& entry : fs::directory_iterator(fs::path(header_.path).parent_path(), error))
            if (entry.path().extension() == ".h" && entry.path() != fs::path(header_.path))
                candidates.push_back(entry.path().string());
        std::sort(candidates.begin() + static_cast<std::ptrdiff_t>(header_.library.size()), candidates.end());
        for (const std::string& name : undeclared_names(complaints)) {
            const std::string file = file_with_function(name, candidates);
            if (file.empty() || std::find(neighbours_.begin(), neighbours_.end(), file) != neighbours_.end())
                continue;
            neighbours_.insert(neighbours_.begin(), file);
            return true;
        }
        return false;
    }
    std::string note_of_way() const {
        std::string note = way_.note;
        for (const std::string& neighbour : neighbours_)
            note += (note.empty() ? "behind " : ", behind ") + fs::path(neighbour).filename().string() +
                    ", which it does not include";
        return note;
    }

    std::string harness(bool plain) const {
        std::string text = plain ? "#define DISABLE_SFPLOADMACRO\n" : "";
        text += preface();
        text +=
            "#include <sfpu/kernel_recorder/library_check.h>\n"
            "static void sfpu_address_modifiers() {\n"
            "    ckernel::addr_mod_t{}.set(7);\n"
            "    ckernel::addr_mod_t by_two;\n"
            "    by_two.dest.incr = 2;\n"
            "    by_two.set(6);\n"
            "#ifdef ARCH_WORMHOLE\n"
            "    ckernel::math::set_addr_mod_base();\n"
            "#endif\n"
            "}\n"
            "static void sfpu_next_face() {\n"
            "    TTI_SETRWC(0, 4, 8, 0, 0, 4);\n    TTI_SETRWC(0, 4, 8, 0, 0, 4);\n}\n"
            "int main(int argc, char** argv) {\n"
            "    using namespace ckernel;\n    using namespace ckernel::sfpu;\n"
            "    return ::sfpu::kernel_recorder::library_main(argc, argv, ::sfpu::architecture::" +
            fmt::format("{}, {{{:#x}, &sfpu_next_face}}, {{\n", chip_enumerator(header_.arch), l1_address);
        marks_.clear();
        unsigned line = static_cast<unsigned>(std::count(text.begin(), text.end(), '\n')) + 1;
        for (std::size_t i = 0; i < calls_.size(); ++i) {
            const kernel_call& c = calls_[i];
            const bool with_init = !c.init.empty() && !without_init_.count(i);
            const bool gone = broken_.count(i) != 0;
            text += fmt::format("{{\"{}\", {}, [] {{ sfpu_address_modifiers();\n", c.function, c.rows);
            text +=
                (with_init && !gone ? c.init + ";" : std::string()) + "\nTTI_SFPNOP; TTI_SFPNOP; },\n[] {\n";
            text += (gone ? std::string() : c.statement) + "\n} },\n";
            marks_.push_back({line + 1, line + 4});
            line += 6;
        }
        return text + "});\n}\n";
    }

    /// Compiles a program of all calls, leaving out those that do not compile. False if none does.
    bool build(const char* name, bool plain) {
        const std::string source = folder_ + "/" + name + ".cpp", program = folder_ + "/" + name;
        for (unsigned attempt = 0; attempt < 6; ++attempt) {
            write_text(source, harness(plain));
            std::vector<std::string> call = compiler_call();
            call.insert(call.end(), {"-fmax-errors=0", "-ftemplate-backtrace-limit=0", "-Wl,--no-demangle",
                                     prepared(source), "-o", program});
            call.insert(call.end(), tools_.kit.libraries.begin(), tools_.kit.libraries.end());
            command_answer result = ask(call);
            const std::vector<std::string> missing = undefined_functions(result.complaints);
            if (!missing.empty()) { // what calls them says so when it runs
                for (const std::string& each : missing)
                    call.push_back("-Wl,--defsym=" + each + "=sfpu_only_declared");
                result = ask(call);
            }
            if (result.ok()) return broken_.size() < calls_.size();
            problem_ = result.problem.empty() ? first_error(result.complaints) : result.problem;
            if (!take_blame(result.complaints, source)) return false;
        }
        return false;
    }
    /// Finds the calls in whose lines a compiler's errors end. False if it finds none.
    bool take_blame(const std::string& errors, const std::string& source) {
        bool any = false;
        std::string latest;
        std::istringstream lines(errors);
        std::vector<std::size_t> waiting; // calls that are named before their error is
        for (std::string text; std::getline(lines, text);) {
            const bool is_error = text.find("error:") != std::string::npos;
            if (is_error) {
                latest = first_error(text);
                for (std::size_t i : waiting) first_failure_[i] = latest;
                waiting.clear();
            }
            if (text.compare(0, source.size() + 1, source + ":") != 0) continue;
            const unsigned line =
                static_cast<unsigned>(std::strtoul(text.c_str() + source.size() + 1, nullptr, 10));
            for (std::size_t i = 0; i < marks_.size(); ++i) {
                if (marks_[i].first == line && without_init_.insert(i).second) any = true;
                if (marks_[i].second == line && broken_.insert(i).second) {
                    any = true;
                    if (is_error) first_failure_[i] = latest;
                    else waiting.push_back(i);
                }
            }
        }
        return any;
    }

    // --- one function ------------------------------------------------------------------------------------------------

    /// Kernel files of a call, in both modes of Dst: its steady state, and with the steps between faces that callers make.
    struct recorded_files {
        std::string steady, faces, faces_wide;
    };
    std::optional<recorded_files> record(std::size_t index, const char* variant, std::string& problem) const {
        const std::string prefix = fmt::format("{}/{}_{}", folder_, variant, index);
        const command_answer result = ask({folder_ + "/" + variant, std::to_string(index), prefix});
        if (result.ok()) return recorded_files{prefix + ".s", prefix + "_faces.s", prefix + "_faces_wide.s"};
        problem = result.problem.empty() ? result.complaints : result.problem;
        while (!problem.empty() && problem.back() == '\n') problem.pop_back();
        return std::nullopt;
    }

    /// Whether there are programs of the calls' plain paths, which are compiled once they are needed.
    bool has_plain() {
        if (may_have_plain_ && !built_plain_) {
            built_plain_ = true;
            const auto broken = broken_, without_init = without_init_;
            const auto failures = first_failure_;
            if (!build("plain", true)) may_have_plain_ = false;
            broken_in_plain_ = std::exchange(broken_, broken);
            without_init_ = without_init;
            first_failure_ = failures;
        }
        return may_have_plain_;
    }

    json try_call(std::size_t index) {
        json result = row(calls_[index].call, true, "");
        std::string problem;
        const auto files = record(index, "macro", problem);
        if (!files) {
            result["reason"] = "does not record: " + problem;
            return result;
        }
        result["records"] = true;
        if (calls_[index].published) result["published"] = *calls_[index].published;
        if (tools_.record_only) return result;
        json remarks = result["remarks"];
        const auto add_note = [&](const std::string& text) { remarks.push_back(text); };
        if (without_init_.count(index)) add_note("without its init function, whose arguments are not known");
        if (!calls_[index].counts_rows) add_note("cycles of a call");
        const bool uses_macros = file_text(files->steady).find("sfploadmacro") != std::string::npos;
        if (!uses_macros) compare_with_direct(index, "macro", result, add_note);
        if (uses_macros && has_plain()) compare_with_plain(index, *files, result, add_note);
        else if (uses_macros) add_note("no plain path to compare with");
        const behaviour& seen = behaviour_of(*files, uses_macros);
        result["cycles_per_row"] = seen.cycles_per_row;
        result["verdict"] = seen.verdict;
        for (const std::string& each : seen.notes) add_note(each);
        result["remarks"] = remarks;
        std::string note;
        for (const json* list : {&remarks, &result["explanation"]})
            for (const json& each : *list) note += (note.empty() ? "" : "; ") + each.get<std::string>();
        result["note"] = note;
        return result;
    }

    template <class Note>
    void compare_with_direct(std::size_t index, const char* variant, json& result, Note add_note) const {
        const command_answer direct = ask({folder_ + "/" + variant, std::to_string(index), "--equiv"});
        if (direct.code == 0 || direct.code == 2) result["direct_equals_recorded"] = direct.code == 0;
        if (direct.code == 0) return;
        std::string text = direct.problem.empty() ? direct.output + direct.complaints : direct.problem;
        std::replace(text.begin(), text.end(), '\n', ' ');
        add_note("direct execution: " + text);
    }

    template <class Note>
    void compare_with_plain(std::size_t index, const recorded_files& macro, json& result,
                            Note add_note) const {
        if (broken_in_plain_.count(index)) return add_note("the plain path does not compile");
        std::string problem;
        const auto plain = record(index, "plain", problem);
        if (!plain) return add_note("the plain path does not record: " + problem);
        if (file_text(plain->steady).find("sfploadmacro") != std::string::npos)
            return add_note("both paths use SFPLOADMACRO");
        compare_with_direct(index, "plain", result, add_note);
        json explanation = json::array();
        std::vector<std::string> equal_in, different_in;
        std::vector<std::pair<std::string, std::vector<std::string>>>
            reasons; ///< with the modes that show them
        const auto add_reason = [&](const std::string& text, const char* mode) {
            const auto known = std::find_if(reasons.begin(), reasons.end(),
                                            [&](const auto& each) { return each.first == text; });
            if (known != reasons.end()) known->second.emplace_back(mode);
            else reasons.push_back({text, {mode}});
        };
        for (const auto& [a, b, mode] : {std::tuple(macro.faces, plain->faces, "16-bit"),
                                         std::tuple(macro.faces_wide, plain->faces_wide, "32-bit")}) {
            const command_answer equal = ask({tools_.kit.program, "equiv", a, b, "--seeds", "4", "--json"});
            if (equal.code == 1 || equal.code < 0) {
                add_note(std::string(mode) +
                         " Dst: not compared: " + first_error(equal.complaints + equal.problem));
                continue;
            }
            (equal.ok() ? equal_in : different_in).emplace_back(mode);
            if (equal.ok()) continue;
            const json answer = json::parse(equal.output, nullptr, false);
            if (answer.is_object() && answer["first_difference"].is_object()) {
                const json& d = answer["first_difference"];
                const auto text = [&](const std::string& key) {
                    return d[key].is_string() ? d[key].get<std::string>() : d[key].dump();
                };
                const std::string lane = d["lane"].is_null() ? "" : ", lane " + text("lane");
                // Two NaNs differ in what their numbers do not show.
                const bool same_numbers = text("a") == text("b");
                const auto value = [&](const std::string& key) {
                    return text(key) + (same_numbers ? " (" + text(key + "_bits") + ")" : "");
                };
                explanation.push_back(
                    fmt::format("In a {} Dst, {}, row {}{}: the macro path gives {}, the plain path {}.",
                                mode, text("output"), text("row"), lane, value("a"), value("b")));
            }
            const command_answer alike = ask(
                {tools_.kit.program, "equiv", a, b, "--seeds", "4", "--nan-equal", "--ignore-signed-zero"});
            if (alike.ok()) add_reason("Only NaNs and signs of zeros differ.", mode);
            for (const std::string& each : explain_difference(tools_.kit.program, a, b, seconds_))
                add_reason(each, mode);
        }
        if (equal_in.empty() && different_in.empty()) return;
        result["macro_equals_plain"] = different_in.empty();
        if (different_in.empty()) return;
        if (!equal_in.empty())
            explanation.push_back("In a " + equal_in.front() +
                                  " Dst both paths are equal: the kernel is written for that mode.");
        else if (reasons.empty()) explanation.push_back("Nothing shows why.");
        for (const auto& [text, modes] : reasons)
            explanation.push_back(modes.size() == different_in.size()
                                      ? text
                                      : fmt::format("In a {} Dst: {}", modes.front(), text));
        result["explanation"] = explanation;
    }

    /// What a run and `lint` say of a kernel.
    struct behaviour {
        json cycles_per_row, verdict;
        std::vector<std::string> notes;
    };
    behaviour measure(const std::string& steady, const std::string& judged, bool uses_macros) const {
        behaviour result;
        json stats = statistics_of(steady, result);
        if (stats.is_object()) result.cycles_per_row = stats["throughput"]["cycles_per_row"];
        if (judged != steady && stats.is_object()) stats = statistics_of(judged, result);
        if (stats.is_object())
            for (const auto& [id, count] : stats["hazards"].items())
                result.notes.push_back(fmt::format("{} {}", count.dump(), id));
        if (!uses_macros && stats.is_object() && stats["hazards"].empty()) {
            result.verdict = "robust"; // without macros nothing depends on when words are issued
            return result;
        }
        const command_answer lint = ask({tools_.kit.program, "lint", judged, "--json"});
        const json answer = json::parse(lint.output, nullptr, false);
        if (answer.is_object() && answer.contains("verdict")) result.verdict = answer["verdict"];
        else result.notes.push_back("not linted: " + first_error(lint.complaints + lint.problem));
        return result;
    }
    /// What `run` measures; null with a note if the kernel does not run.
    json statistics_of(const std::string& kernel, behaviour& result) const {
        const std::string statistics = kernel + ".json";
        const command_answer run = ask({tools_.kit.program, "run", kernel, "--quiet", "--stats", statistics});
        json stats = json::parse(file_text(statistics), nullptr, false);
        if (run.ok() && stats.is_object()) return stats;
        result.notes.push_back("does not run: " + first_error(run.complaints + run.problem));
        return nullptr;
    }
    /// The same, once for all calls that record the same words. Where the steady state repeats whole calls they follow each
    /// other at once, which no caller does: such a kernel is judged with the steps between faces.
    const behaviour& behaviour_of(const recorded_files& files, bool uses_macros) const {
        const std::string words = file_text(files.steady), with_steps = file_text(files.faces);
        const bool repeats_calls = line_of(words, ".loop") == line_of(with_steps, ".loop");
        const auto known = behaviours_.find(words + with_steps);
        if (known != behaviours_.end()) return known->second;
        return behaviours_
            .emplace(words + with_steps,
                     measure(files.steady, repeats_calls ? files.faces : files.steady, uses_macros))
            .first->second;
    }
    /// The first line, but for that of a text, that begins so; empty if none does.
    static std::string line_of(const std::string& text, const std::string& begin) {
        const std::size_t at = text.find('\n' + begin);
        return at == std::string::npos ? "" : text.substr(at, text.find('\n', at + 1) - at);
    }

    const kernel_header& header_;
    const toolchain& tools_;
    std::string folder_;
    double seconds_;
    way way_ = ways[0];
    std::vector<std::string> neighbours_; ///< headers that it needs and does not include
    std::string problem_;
    std::vector<kernel_call> calls_;
    mutable std::vector<std::pair<unsigned, unsigned>> marks_; ///< lines of each call: its init and itself
    std::set<std::size_t> broken_, without_init_;
    std::map<std::size_t, std::string> first_failure_;
    bool may_have_plain_ = false, built_plain_ = false;
    std::set<std::size_t> broken_in_plain_;
    mutable std::map<std::string, behaviour> behaviours_; ///< by the texts of its files
};

} // namespace

toolchain find_toolchain(const std::string& compiler, const std::vector<std::string>& flags) {
    toolchain tools{compiler, flags, find_kernel_kit(), false};
    const auto answer = ask_command({compiler, "--version"}, 20, interrupt_guard::interrupted);
    if (!answer || !answer->ok())
        throw user_error("llk: the compiler '" + compiler + "' does not run; --compiler names another");
    return tools;
}

json try_header(const kernel_header& header, const toolchain& tools, const std::string& folder,
                double seconds) {
    return trial(header, tools, folder, seconds).run();
}

} // namespace sfpu::cli::llk
