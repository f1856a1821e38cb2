#include "guessed_values.h"

#include <sfpu/analysis/kernel_calls.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace sfpu::analysis {

bool contains(const std::string& text, const std::string& word) {
    return text.find(word) != std::string::npos;
}
bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}
std::string lower_case(const std::string& text) {
    std::string lower;
    for (char c : text) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower;
}
bool is_count(const std::string& name) {
    const std::string lower = lower_case(name);
    return (contains(lower, "iterations") && !contains(lower, "reciprocal")) || lower == "num_rows";
}
bool is_integer_type(const std::string& type) {
    static const std::set<std::string> types{"int",      "unsigned", "unsigned int", "uint",
                                             "uint32_t", "int32_t",  "uint16_t",     "uint8_t",
                                             "size_t",   "short",    "long",         "int16_t"};
    return types.count(plain_type(type)) != 0;
}
bool is_type_parameter(const function_parameter& p) { return p.type == "typename" || p.type == "class"; }

namespace {

/// Enumerators of a type that the text names.
void add_named(std::vector<std::string>& values, const std::string& type, const std::string& text) {
    for (std::size_t at = text.find(type + "::"); at != std::string::npos;
         at = text.find(type + "::", at + 1)) {
        if (values.size() >= tried_instances) return;
        if (at > 0 && is_word_character(text[at - 1])) continue;
        std::size_t end = at + type.size() + 2;
        while (end < text.size() && is_word_character(text[end])) ++end;
        const std::string value = text.substr(at, end - at);
        const auto same = [&](const std::string& other) {
            return other == value || ends_with(other, "::" + value);
        };
        if (std::none_of(values.begin(), values.end(), same)) values.push_back(value);
    }
}

/// Numbers that assertions compare a name with: `static_assert(K == 512 || K == 1024)`.
std::vector<std::string> asserted_values(const std::string& name, const std::string& body) {
    std::vector<std::string> values;
    for (std::size_t at = body.find("static_assert("); at != std::string::npos;
         at = body.find("static_assert(", at + 1)) {
        const std::string condition = body.substr(at, body.find(';', at) - at), compared = name + " == ";
        for (std::size_t i = condition.find(compared); i != std::string::npos;
             i = condition.find(compared, i + 1)) {
            std::size_t end = i + compared.size();
            while (end < condition.size() && std::isdigit(static_cast<unsigned char>(condition[end]))) ++end;
            const std::string value = condition.substr(i + compared.size(), end - i - compared.size());
            if (!value.empty() && !is_word_character(condition[i - 1])) values.push_back(value);
        }
    }
    return values;
}

} // namespace

std::vector<std::string> template_values(const function_parameter& p, const std::string& body,
                                         const std::string& text) {
    if (p.type == "bool") return {"true", "false"};
    const std::string name = lower_case(p.name);
    if (is_integer_type(p.type)) {
        if (is_count(p.name) || contains(name, "size") || contains(name, "length")) return {"8"};
        if (contains(name, "scale"))
            return {contains(p.type, "16") ? "0x3f80" : "0x3f800000"}; // a factor of 1
        if (const auto asserted = asserted_values(p.name, body); !asserted.empty()) return asserted;
        return {"0", "1"};
    }
    if (is_type_parameter(p)) {
        if (contains(name, "vec")) return {"sfpi::vFloat", "sfpi::vInt"};
        return {"sfpi::vFloat", "float", "std::uint32_t", "sfpi::vInt"};
    }
    if (p.type == "float") return {"1.0f"};
    // Enumerators that the function names, then those whose meaning every kernel knows, then those of the
    // header.
    const std::string type = plain_type(p.type);
    static const std::map<std::string, std::vector<std::string>> known{
        {"DataFormat", {"DataFormat::Float16_b", "DataFormat::Int32", "DataFormat::UInt16"}},
        {"InstrModLoadStore",
         {"InstrModLoadStore::INT32", "InstrModLoadStore::LO16", "InstrModLoadStore::DEFAULT"}},
        {"PoolType", {"PoolType::SUM", "PoolType::MAX"}},
        {"ReduceDim", {"ReduceDim::REDUCE_COL", "ReduceDim::REDUCE_ROW"}},
        {"DataLayout", {"ckernel::DataLayout::TILE", "ckernel::DataLayout::ROW_MAJOR"}},
        {"SortDir", {"SortDir::ArgMax"}},
        {"BinaryOp", {"ckernel::BinaryOp::ADD", "ckernel::BinaryOp::MUL", "ckernel::BinaryOp::DIV"}},
        {"BinaryBitwiseOp", {"BinaryBitwiseOp::AND", "BinaryBitwiseOp::OR", "BinaryBitwiseOp::XOR"}},
        {"RoundingMode",
         {"ckernel::RoundingMode::None", "ckernel::RoundingMode::Trunc", "ckernel::RoundingMode::Floor"}}};
    std::vector<std::string> values;
    add_named(values, type, body);
    if (const auto found = known.find(type); found != known.end())
        for (const std::string& value : found->second)
            if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
    add_named(values, type, text);
    return values;
}

std::string number_for(const function_parameter& p, const std::string& body, unsigned rows) {
    const std::string name = lower_case(p.name), type = plain_type(p.type);
    // Flags ask whether something is done for the first time: bool& init_replay.
    if (type == "bool") return contains(name, "init") ? "true" : "false";
    if (type == "float") return "1.0f";
    if (is_count(name)) return std::to_string(rows);
    static const std::map<std::string, std::string> sorting{
        {"k", "32"},          {"logk", "5"},         {"m_iter", "0"},     {"i_start_phase", "0"},
        {"i_end_phase", "4"}, {"i_start_step", "0"}, {"i_end_step", "0"}, {"skip_second", "0"},
        {"inc", "64"}};
    if (const auto found = sorting.find(name); found != sorting.end()) return found->second;
    if (name == "idx_addr" || contains(name, "l1")) return fmt::format("{:#x}", l1_address);
    if (contains(name, "in1") || contains(name, "index_b") || name == "tile_idx_1" ||
        contains(name, "indices_tile"))
        return "1";
    if (contains(name, "in2") || contains(name, "index_c") || name == "tile_idx_dst") return "2";
    for (const char* place : {"index", "idx", "offset", "dst", "addr", "base"})
        if (contains(name, place) && !contains(name, "scale_factor") && name != "base_val") return "0";
    for (const char* operand :
         {"param", "scale", "value", "slope", "alpha", "beta", "recip", "scalar", "val", "threshold"})
        if (contains(name, operand)) {
            // 1 as BF16, or as FP32 where the function takes 32 bits for a number
            const bool wide = contains(body, "as_float(" + p.name) || contains(body, p.name + " >> 16") ||
                              contains(body, "bit_cast<float>(" + p.name) ||
                              contains(body, "(float, " + p.name);
            return wide ? "0x3f800000" : "0x3f80";
        }
    if (contains(name, "shift")) return "3";
    return "1";
}

} // namespace sfpu::analysis
