#include "program_text.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/isa/instruction.h>

#include <fmt/format.h>

#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace sfpu::analysis {
namespace {

/// Names for a message, not too many.
std::string list_of(const std::vector<std::string>& names) {
    constexpr std::size_t most = 12;
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < most; ++i) text += (i ? ", " : "") + names[i];
    if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
    return text;
}

/// "sfpu::gelu<8>" of "void sfpu::gelu<8>(int)".
std::string_view without_parameters(std::string_view name) {
    unsigned depth = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] == '<') ++depth;
        if (name[i] == '>' && depth) --depth;
        if (name[i] != '(' || depth != 0) continue;
        name = name.substr(0, i);
        break;
    }
    depth = 0;
    for (std::size_t i = name.size(); i > 0; --i) { // the type of the result stands before a blank
        const char c = name[i - 1];
        if (c == '>') ++depth;
        if (c == '<' && depth) --depth;
        if (c == ' ' && depth == 0) return name.substr(i);
    }
    return name;
}

} // namespace

bool is_expanded_word(std::uint32_t word) {
    const auto code = static_cast<std::uint8_t>(word >> 24);
    return code == isa::opcode::replay || code == isa::opcode::mop || code == isa::opcode::mop_cfg;
}

bool computes_only(std::uint32_t instruction) {
    constexpr std::uint32_t op_immediate = 0x13, op = 0x33, lui = 0x37, auipc = 0x17;
    const std::uint32_t code = instruction & 0x7f;
    return code == op_immediate || code == op || code == lui || code == auipc;
}

std::string demangled_name(const std::string& symbol) {
    if (symbol.size() < 3 || symbol.compare(0, 2, "_Z") != 0 || symbol.size() > 10000) return symbol;
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> name(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && name ? std::string(name.get()) : symbol;
}

std::size_t chosen_function(const std::vector<function_name>& functions, const std::string& wanted,
                            const std::string& file) {
    std::vector<std::size_t> found;
    const auto find = [&](auto&& fits) {
        if (found.empty())
            for (std::size_t i = 0; i < functions.size(); ++i)
                if (fits(functions[i])) found.push_back(i);
    };
    if (wanted.empty()) {
        find([](const function_name& each) { return each.words != 0; });
        if (found.empty() && functions.size() == 1) return 0;
    } else {
        find([&](const function_name& each) { return each.symbol == wanted || each.name == wanted; });
        find([&](const function_name& each) { return without_parameters(each.name) == wanted; });
        find([&](const function_name& each) { return each.name.find(wanted) != std::string::npos; });
    }
    if (found.size() == 1) return found.front();
    std::vector<std::string> names;
    names.reserve(functions.size());
    for (const std::size_t i : found) names.push_back(functions[i].name);
    if (found.empty())
        for (const function_name& each : functions) names.push_back(each.name);
    if (wanted.empty() && found.empty())
        throw user_error(fmt::format("{}: no function has a Tensix word; --function takes one of {}", file,
                                     list_of(names)));
    if (wanted.empty())
        throw user_error(fmt::format("{}: {} functions have Tensix words; --function takes one of {}", file,
                                     names.size(), list_of(names)));
    if (found.empty())
        throw user_error(fmt::format("{}: found no function '{}'{}; there are {}", file, wanted,
                                     suggestion(wanted, names), list_of(names)));
    throw user_error(
        fmt::format("{}: '{}' can be {}; --function takes one of them", file, wanted, list_of(names)));
}

isa::word_origin origin_on_line(const std::string& file, unsigned line, const std::vector<cpp_place>& places,
                                unsigned place) {
    isa::word_origin origin;
    origin.file = file;
    origin.line = line;
    if (place != 0) {
        origin.cpp_file = places[place - 1].file;
        origin.cpp_line = places[place - 1].line;
    }
    return origin;
}

} // namespace sfpu::analysis
