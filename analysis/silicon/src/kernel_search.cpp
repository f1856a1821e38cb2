#include <sfpu/analysis/kernel_search.h>

#include <sfpu/analysis/function_text.h>
#include <sfpu/analysis/kernel_calls.h>
#include <sfpu/analysis/text_files.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <set>

namespace sfpu::analysis {
namespace {

using name_parts = std::vector<std::string>;

bool has(const name_parts& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// What one side writes in full and the other one does not.
std::string usual(const std::string& word) {
    static const std::map<std::string, std::string> names{
        {"reciprocal", "recip"}, {"exponential", "exp"}, {"fp16b", "bf16"}, {"float32", "fp32"},
        {"fp16a", "fp16"},       {"float16", "fp16"},    {"float", "fp32"}};
    const auto found = names.find(word);
    return found == names.end() ? word : found->second;
}

/// Words in lower case. "Float16_b" is one word, ">" says "to", what stands in round brackets is left out.
name_parts parts_of_name(const std::string& text) {
    name_parts words{""};
    unsigned depth = 0;
    for (const char c : text) {
        if (c == '(') ++depth;
        if (c == ')' && depth > 0) --depth;
        else if (depth == 0 && std::isalnum(static_cast<unsigned char>(c)))
            words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else if (!words.back().empty()) words.emplace_back();
        if (c == '>' && depth == 0) {
            words.back() = "to";
            words.emplace_back();
        }
    }
    if (words.back().empty()) words.pop_back();
    name_parts result;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "float16" && i + 1 < words.size() && (words[i + 1] == "a" || words[i + 1] == "b"))
            result.push_back(words[++i] == "b" ? "bf16" : "fp16");
        else result.push_back(usual(words[i]));
    }
    return result;
}

name_parts without(const name_parts& words, const name_parts& those) {
    name_parts rest;
    std::copy_if(words.begin(), words.end(), std::back_inserter(rest),
                 [&](const std::string& word) { return !has(those, word); });
    return rest;
}

/// "Int32" or "UInt16" of a configuration: how integers lie in Dst.
std::string integer_mode(const name_parts& configuration) {
    return has(configuration, "uint16") && !has(configuration, "int32") ? "LO16" : "INT32";
}

/// The number in front of or behind a word.
std::optional<unsigned> number_at(const name_parts& words, const std::string& word, std::ptrdiff_t offset) {
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end() || found - words.begin() < -offset || words.end() - found <= offset)
        return std::nullopt;
    const std::string& text = *(found + offset);
    if (text.empty() || text.size() > 4 || text.find_first_not_of("0123456789") != std::string::npos)
        return std::nullopt;
    return static_cast<unsigned>(std::strtoul(text.c_str(), nullptr, 10));
}

bool is_calculation(const std::string& name) { return name.find("calculate") != std::string::npos; }

constexpr unsigned no_match = 64;

/// 0 if the words of a function are those that are wanted; more if some of them stand in the configuration or
/// say that it is a fast one, and if the wanted ones name a type that the function does not; no_match if they
/// differ.
unsigned rank_of(const name_parts& function, const name_parts& wanted, const name_parts& configuration) {
    if (function == wanted) return 0;
    static const name_parts types{"int32", "uint32", "uint16", "int16", "uint8",
                                  "int8",  "bf16",   "fp16",   "fp32"};
    name_parts extra = configuration;
    extra.emplace_back("fast");
    const name_parts needed = without(function, without(extra, wanted));
    if (needed == wanted) return 4;
    const bool converts = has(wanted, "to"); // then types are what it is about
    return !converts && needed == without(wanted, without(types, function)) ? 8 : no_match;
}

} // namespace

measured_calls calls_of(const std::string& configuration) {
    const name_parts words = parts_of_name(configuration);
    measured_calls calls;
    const auto rows = number_at(words, "iterations", 1), faces = number_at(words, "faces", -1);
    if (faces) {
        calls.faces = *faces;
        if (const auto each = number_at(words, "x", -1)) calls.rows = *each;
    }
    if (rows) {
        calls.rows = *rows;
        if (!faces) calls.faces = 1;
    }
    return calls;
}

kernel_search::kernel_search(const std::vector<kernel_header>& headers) : headers_(headers) {
    static const name_parts noise{"calculate", "sfpu", "tile"};
    for (const kernel_header& header : headers_)
        for (const function_declaration& each : function_declarations(read_file(header.path)))
            if (each.name.find("init") == std::string::npos && !each.body.empty())
                functions_[header.arch].push_back(
                    {each.name, without(parts_of_name(each.name), noise), &header});
}

found_kernel kernel_search::find(const measurement& row) const {
    static const name_parts noise{"raw", "loop", "main", "tti", "tile"}; // of how it was measured
    const name_parts wanted = without(parts_of_name(row.kernel), noise),
                     configuration = parts_of_name(row.configuration);
    const auto all = functions_.find(row.chip);
    if (wanted.empty() || all == functions_.end()) return {std::nullopt, "unknown kernel"};
    std::vector<const function*> best;
    unsigned least = ~0u;
    for (const function& each : all->second) {
        const unsigned rank = rank_of(each.words, wanted, configuration) +
                              (is_calculation(each.name) ? 0u : 2u) +
                              (each.header->path.find("/sfpu/") != std::string::npos ? 0u : 1u);
        if (rank >= no_match || rank > least) continue;
        if (rank < least) best.clear();
        least = rank;
        best.push_back(&each);
    }
    if (best.empty()) return {std::nullopt, "unknown kernel: no function has these words in its name"};
    std::set<std::string> names;
    for (const function* each : best) names.insert(each->name);
    if (names.size() > 1) {
        std::string text = "unknown kernel: its name fits";
        for (const std::string& each : names) text += (each == *names.begin() ? " " : ", ") + each;
        return {std::nullopt, text};
    }
    const measured_calls calls = calls_of(row.configuration);
    call_wishes wishes;
    wishes.rows = calls.rows;
    wishes.approximate = has(wanted, "approx");
    wishes.wide_dst = row.configuration.find("dest_acc yes") != std::string::npos;
    wishes.mode = integer_mode(configuration);
    const kernel_header& header = *best.front()->header;
    std::string problem;
    const auto call = call_as_wished(read_file(header.path), best.front()->name, wishes, problem);
    if (!call) return {std::nullopt, best.front()->name + ": " + problem};
    measured_kernel kernel;
    kernel.kernel = row.kernel;
    kernel.arch = row.arch;
    kernel.header = header.path;
    kernel.init = call->init;
    kernel.call = call->statement;
    kernel.faces = calls.faces;
    return {std::move(kernel), ""};
}

} // namespace sfpu::analysis
