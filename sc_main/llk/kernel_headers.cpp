#include "kernel_headers.h"

#include "../program.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

namespace sfpu::cli::llk {
namespace {

namespace fs = std::filesystem;

std::optional<architecture> chip_of(const std::string& path) {
    if (path.find("blackhole") != std::string::npos) return architecture::blackhole;
    if (path.find("wormhole") != std::string::npos) return architecture::wormhole;
    return std::nullopt;
}

bool is_kernel_header(const fs::path& path) {
    return path.extension() == ".h" && path.filename().string().rfind("ckernel_sfpu_", 0) == 0;
}

std::string without_comments(const std::string& text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.compare(i, 2, "//") == 0) {
            while (i < text.size() && text[i] != '\n') ++i;
            result += '\n';
        } else if (text.compare(i, 2, "/*") == 0) {
            const std::size_t end = text.find("*/", i + 2);
            i = end == std::string::npos ? text.size() : end + 1;
            result += ' ';
        } else {
            result += text[i];
        }
    }
    return result;
}

std::string trimmed(std::string text) {
    const auto space = [](unsigned char c) { return std::isspace(c) != 0; };
    while (!text.empty() && space(static_cast<unsigned char>(text.back()))) text.pop_back();
    std::size_t start = 0;
    while (start < text.size() && space(static_cast<unsigned char>(text[start]))) ++start;
    return text.substr(start);
}

/// Parts between commas that stand in no bracket.
std::vector<std::string> parts(const std::string& list) {
    std::vector<std::string> result;
    std::string part;
    int depth = 0;
    for (char c : list) {
        if (c == '(' || c == '<' || c == '{' || c == '[') ++depth;
        if (c == ')' || c == '>' || c == '}' || c == ']') --depth;
        if (c == ',' && depth == 0) {
            result.push_back(trimmed(part));
            part.clear();
        } else {
            part += c;
        }
    }
    if (!trimmed(part).empty()) result.push_back(trimmed(part));
    return result;
}

struct parameter {
    std::string type, name;
    bool has_default = false;
};
parameter parsed(std::string text) {
    parameter result;
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos) {
        result.has_default = true;
        text = trimmed(text.substr(0, equals));
    }
    std::size_t at = text.size();
    while (at > 0 && (std::isalnum(static_cast<unsigned char>(text[at - 1])) || text[at - 1] == '_')) --at;
    result.name = text.substr(at);
    result.type = trimmed(text.substr(0, at));
    if (result.type.empty()) std::swap(result.type, result.name); // no name
    for (const char* word : {"const ", "volatile ", "[[maybe_unused]] "})
        for (std::size_t found; (found = result.type.find(word)) != std::string::npos;)
            result.type.erase(found, std::string(word).size());
    result.type = trimmed(result.type);
    if (result.type == "const") result.type = "int";
    return result;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool contains(const std::string& text, const char* word) { return text.find(word) != std::string::npos; }
bool is_count(const std::string& name) {
    std::string lower;
    for (char c : name) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return contains(lower, "iterations") || lower == "num_rows";
}
bool is_integer_type(const std::string& type) {
    static const std::set<std::string> types{"int",      "unsigned",      "unsigned int", "uint",
                                             "uint32_t", "std::uint32_t", "int32_t",      "std::int32_t",
                                             "uint16_t", "std::uint16_t", "uint8_t",      "std::uint8_t",
                                             "size_t",   "std::size_t",   "short",        "long"};
    return types.count(type) != 0;
}

/// Values of a template parameter that are tried.
std::vector<std::string> template_values(const parameter& p, const std::string& text) {
    if (p.type == "bool") return {"true", "false"};
    if (is_integer_type(p.type))
        return is_count(p.name) ? std::vector<std::string>{"8"} : std::vector<std::string>{"0", "1"};
    if (p.type == "typename" || p.type == "class")
        return {"sfpi::vFloat", "float", "std::uint32_t", "sfpi::vInt"};
    if (p.type == "float") return {"1.0f"};
    // Enumerators that the header itself names, those whose meaning every kernel knows first.
    std::vector<std::string> values;
    std::string plain = p.type;
    const std::size_t colons = plain.rfind("::");
    if (colons != std::string::npos) plain = plain.substr(colons + 2);
    if (plain == "DataFormat") values = {"DataFormat::Float16_b", "DataFormat::Int32", "DataFormat::UInt16"};
    if (plain == "InstrModLoadStore")
        values = {"InstrModLoadStore::INT32", "InstrModLoadStore::LO16", "InstrModLoadStore::DEFAULT"};
    if (plain == "PoolType") values = {"PoolType::SUM", "PoolType::MAX"};
    if (plain == "ReduceDim") values = {"ReduceDim::REDUCE_COL", "ReduceDim::REDUCE_ROW"};
    if (plain == "DataLayout") values = {"ckernel::DataLayout::TILE", "ckernel::DataLayout::ROW_MAJOR"};
    if (plain == "SortDir") values = {"SortDir::ArgMax"};
    if (plain == "RoundingMode")
        values = {"ckernel::RoundingMode::None", "ckernel::RoundingMode::Trunc",
                  "ckernel::RoundingMode::Floor"};
    for (std::size_t at = text.find(plain + "::"); at != std::string::npos && values.size() < 6;
         at = text.find(plain + "::", at + 1)) {
        std::size_t end = at + plain.size() + 2;
        while (end < text.size() && is_word(text[end])) ++end;
        const std::string value = text.substr(at, end - at);
        if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
    }
    return values;
}

std::string argument_value(const parameter& p, bool& known) {
    known = true;
    if (p.type.find('*') != std::string::npos || p.type.find('&') != std::string::npos) {
        known = false;
        return {};
    }
    if (p.type == "bool") return "false";
    if (p.type == "float") return "1.0f";
    if (is_count(p.name)) return "8";
    if (contains(p.name, "in1") || contains(p.name, "index_b")) return "1";
    if (contains(p.name, "in2") || contains(p.name, "index_c")) return "2";
    if (contains(p.name, "index") || contains(p.name, "offset") || contains(p.name, "dst")) return "0";
    if (contains(p.name, "param") || contains(p.name, "scale") || contains(p.name, "value")) return "0x3f80";
    if (contains(p.name, "shift")) return "3";
    if (is_integer_type(p.type)) return "1";
    known = false;
    return {};
}

struct declaration {
    std::string name;
    std::vector<parameter> template_parameters, parameters;
};

std::size_t skip_space(const std::string& text, std::size_t at) {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
    return at;
}

/// The template parameters in front of a declaration: its qualifiers are stepped over.
std::string template_list(const std::string& text, std::size_t before) {
    std::size_t at = before;
    while (at > 0) {
        while (at > 0 && std::isspace(static_cast<unsigned char>(text[at - 1]))) --at;
        std::size_t start = at;
        while (start > 0 && is_word(text[start - 1])) --start;
        const std::string word = text.substr(start, at - start);
        if (word != "inline" && word != "static" && word != "constexpr" && word != "sfpi_inline" &&
            word != "ALWI")
            break;
        at = start;
    }
    if (at == 0 || text[at - 1] != '>') return {};
    int depth = 0;
    std::size_t open = at;
    while (open > 0) {
        --open;
        if (text[open] == '>') ++depth;
        if (text[open] == '<' && --depth == 0) break;
    }
    std::size_t word = open;
    while (word > 0 && std::isspace(static_cast<unsigned char>(text[word - 1]))) --word;
    if (word < 8 || text.compare(word - 8, 8, "template") != 0) return {};
    return text.substr(open + 1, at - open - 2);
}

std::vector<declaration> declarations(const std::string& text) {
    std::vector<declaration> result;
    for (std::size_t at = text.find("void"); at != std::string::npos; at = text.find("void", at + 4)) {
        if ((at > 0 && is_word(text[at - 1])) || at + 4 >= text.size() || is_word(text[at + 4])) continue;
        std::size_t name = skip_space(text, at + 4), end = name;
        while (end < text.size() && is_word(text[end])) ++end;
        std::size_t open = skip_space(text, end);
        if (end == name || open >= text.size() || text[open] != '(') continue;
        int depth = 0;
        std::size_t close = open;
        for (; close < text.size(); ++close) {
            if (text[close] == '(') ++depth;
            if (text[close] == ')' && --depth == 0) break;
        }
        const std::size_t body = skip_space(text, close + 1);
        if (body >= text.size() || text[body] != '{') continue;
        declaration d;
        d.name = text.substr(name, end - name);
        for (const std::string& part : parts(template_list(text, at)))
            d.template_parameters.push_back(parsed(part));
        for (const std::string& part : parts(text.substr(open + 1, close - open - 1)))
            if (part != "void") d.parameters.push_back(parsed(part));
        result.push_back(d);
    }
    return result;
}

/// The name without underscores, "init" and "calculate".
std::string stem(std::string name) {
    for (const char* word : {"calculate", "init", "sfpu"})
        for (std::size_t found; (found = name.find(word)) != std::string::npos;)
            name.erase(found, std::string(word).size());
    name.erase(std::remove(name.begin(), name.end(), '_'), name.end());
    return name;
}
bool is_init(const std::string& name) { return contains(name, "init"); }

/// All combinations of template arguments, at most `most`.
std::vector<std::string> instances(const declaration& d, const std::string& text, std::size_t most) {
    std::vector<std::string> lists{""};
    bool any = false;
    for (const parameter& p : d.template_parameters) {
        if (p.has_default && !(is_count(p.name))) break; // and all behind it
        if (p.has_default) break;
        const std::vector<std::string> values = template_values(p, text);
        if (values.empty()) return {};
        std::vector<std::string> longer;
        for (const std::string& list : lists)
            for (const std::string& value : values)
                if (longer.size() < most) longer.push_back(list.empty() ? value : list + ", " + value);
        lists = longer;
        any = true;
    }
    if (!any && d.template_parameters.empty()) return {d.name};
    std::vector<std::string> result;
    for (const std::string& list : lists) result.push_back(d.name + "<" + list + ">");
    return result;
}

std::optional<std::string> arguments(const declaration& d, std::string& problem) {
    std::string list;
    for (const parameter& p : d.parameters) {
        if (p.has_default) break;
        bool known = false;
        const std::string value = argument_value(p, known);
        if (!known) {
            problem = "no value is known for the parameter `" + p.type + " " + p.name + "`";
            return std::nullopt;
        }
        list += (list.empty() ? "" : ", ") + value;
    }
    return "(" + list + ")";
}

const declaration* init_for(const declaration& d, const std::vector<declaration>& all) {
    const declaration* only = nullptr;
    unsigned count = 0;
    for (const declaration& candidate : all) {
        if (!is_init(candidate.name)) continue;
        if (stem(candidate.name) == stem(d.name)) return &candidate;
        only = &candidate;
        ++count;
    }
    return count == 1 ? only : nullptr;
}

/// The init function with as many of the function's own arguments as it takes.
std::string init_call(const declaration& init, const std::string& text) {
    std::string problem;
    const auto list = arguments(init, problem);
    const std::vector<std::string> some = instances(init, text, 1);
    return list && !some.empty() ? some.front() + *list : std::string();
}

} // namespace

std::vector<kernel_header> find_headers(const std::string& checkout) {
    std::vector<kernel_header> found;
    std::map<architecture, std::set<std::string>> folders;
    std::map<architecture, std::vector<std::string>> library;
    const fs::path root = fs::absolute(checkout).lexically_normal();
    std::error_code error;
    if (!fs::is_directory(root, error))
        throw user_error(checkout + ": " + (error ? error.message() : "is no folder"));
    fs::recursive_directory_iterator i(root, fs::directory_options::skip_permission_denied, error), end;
    for (; !error && i != end; i.increment(error)) {
        std::error_code ignored;
        if (i->is_directory(ignored) && i->path().filename().string().rfind(".", 0) == 0)
            i.disable_recursion_pending();
        if (!i->is_regular_file(ignored) || !is_kernel_header(i->path())) continue;
        const std::string name = fs::relative(i->path(), root).string();
        const auto arch = chip_of(name);
        if (!arch) continue;
        found.push_back({i->path().string(), name, *arch, {}, {}});
        const fs::path folder = i->path().parent_path();
        folders[*arch].insert(folder.string());
        if (folder.filename() == "sfpu" || folder.filename() == "llk_sfpu")
            folders[*arch].insert(folder.parent_path().string());
        if (folder.filename() == "sfpu") library[*arch].push_back(i->path().string());
    }
    if (error) throw user_error(checkout + ": " + error.message());
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    for (auto& [arch, headers] : library) std::sort(headers.begin(), headers.end());
    for (kernel_header& header : found) {
        header.folders.assign(folders[header.arch].begin(), folders[header.arch].end());
        if (fs::path(header.path).parent_path().filename() != "sfpu") header.library = library[header.arch];
    }
    return found;
}

kernel_functions find_functions(const std::string& source) {
    const std::string text = without_comments(source);
    kernel_functions result;
    result.has_plain_path = contains(text, "DISABLE_SFPLOADMACRO");
    const std::vector<declaration> all = declarations(text);
    std::set<std::string> seen;
    for (const declaration& d : all) {
        if (is_init(d.name)) continue;
        std::string problem;
        const auto list = arguments(d, problem);
        const std::vector<std::string> some = instances(d, text, 6);
        if (!list || some.empty()) {
            result.skipped.push_back(d.name + ": " + (list ? "no template argument is known" : problem));
            continue;
        }
        bool counts = false;
        for (const auto* parameters : {&d.template_parameters, &d.parameters})
            for (const parameter& p : *parameters) counts = counts || is_count(p.name);
        const declaration* init = init_for(d, all);
        for (const std::string& one : some) {
            if (!seen.insert(one + *list).second) continue;
            result.calls.push_back({d.name, one + *list, init ? init_call(*init, text) : std::string(),
                                    counts ? 8u : 1u, counts});
        }
    }
    return result;
}

} // namespace sfpu::cli::llk
