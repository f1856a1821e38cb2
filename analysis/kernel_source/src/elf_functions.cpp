#include "elf_functions.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/riscv/instruction_set.h>

#include <fmt/format.h>

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <set>

namespace sfpu::analysis {
namespace {

// A mangled name may stand for one that is longer by a factor that is exponential in its references.
constexpr std::size_t longest_mangled = 1024, most_references = 30;
constexpr std::size_t most_demangled_bytes = std::size_t{64} << 20; ///< of all names together
constexpr std::size_t most_candidates = 12;

bool is_quickly_demangled(const std::string& symbol) {
    if (symbol.compare(0, 2, "_Z") != 0 || symbol.size() > longest_mangled) return false;
    std::size_t references = 0;
    for (std::size_t i = 0; i + 1 < symbol.size(); ++i)
        references += (symbol[i] == 'S' || symbol[i] == 'T') &&
                      (symbol[i + 1] == '_' || std::isalnum(static_cast<unsigned char>(symbol[i + 1])));
    return references <= most_references;
}

std::string demangled(const std::string& symbol, std::size_t& budget) {
    if (!is_quickly_demangled(symbol) || budget == 0) return symbol;
    int status = 0;
    char* const text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
    std::string name = status == 0 && text ? text : symbol;
    std::free(text);
    budget -= std::min(budget, name.size());
    return name;
}

std::size_t tensix_words(const riscv::elf_image& image, std::uint32_t address, std::uint32_t size) {
    std::size_t words = 0;
    for (std::uint32_t at = 0; at + 4 <= size; at += 4) {
        const auto word = image.word_at(address + at);
        words += word && *word != 0 && riscv::is_tensix_word(*word);
    }
    return words;
}

/// "ns::f<true, 8>" of "void ns::f<true, 8>(int)".
std::string without_signature(const std::string& name) {
    std::size_t depth = 0, begin = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        if (c == '<') ++depth;
        else if (c == '>' && depth > 0) --depth;
        else if (depth > 0) continue;
        else if (c == ' ') begin = i + 1;
        else if (c == '(' && i > begin && name.compare(i, 11, "(anonymous ") != 0)
            return name.substr(begin, i - begin);
    }
    return name.substr(begin);
}

/// The last component, without template arguments: "f".
std::string plain_name(const std::string& name) {
    const std::string whole = without_signature(name);
    const std::string head = whole.substr(0, whole.find('<'));
    const std::size_t colon = head.rfind(':');
    return colon == std::string::npos ? head : head.substr(colon + 1);
}

std::string candidate_list(const std::vector<elf_function>& functions) {
    std::string text;
    for (std::size_t i = 0; i < std::min(functions.size(), most_candidates); ++i)
        text +=
            fmt::format("\n  {:#010x} {} ({} Tensix word{})", functions[i].address,
                        shortened(functions[i].name), functions[i].words, functions[i].words == 1 ? "" : "s");
    if (functions.size() > most_candidates)
        text += fmt::format("\n  and {} more", functions.size() - most_candidates);
    return text;
}

std::vector<elf_function> with_words(const std::vector<elf_function>& functions) {
    std::vector<elf_function> found;
    std::copy_if(functions.begin(), functions.end(), std::back_inserter(found),
                 [](const elf_function& each) { return each.words != 0; });
    return found;
}

elf_function only_function(const std::vector<elf_function>& functions, const std::string& file) {
    if (functions.size() == 1) return functions.front();
    const std::vector<elf_function> pushing = with_words(functions);
    if (pushing.size() == 1) return pushing.front();
    throw user_error(fmt::format("{}: has {} functions, expected --function NAME, one of{}", file,
                                 functions.size(), candidate_list(pushing.empty() ? functions : pushing)));
}

template <class Matches>
std::vector<elf_function> matching(const std::vector<elf_function>& functions, Matches matches) {
    std::vector<elf_function> found;
    std::set<std::uint32_t> addresses; // several names of one function
    for (const elf_function& each : functions)
        if (matches(each) && addresses.insert(each.address).second) found.push_back(each);
    return found;
}

/// An address as a name. The function that begins there, or what has no name.
std::optional<elf_function> at_address(const std::vector<elf_function>& functions,
                                       const std::string& wanted) {
    if (wanted.size() < 3 || wanted[0] != '0' || (wanted[1] != 'x' && wanted[1] != 'X')) return std::nullopt;
    char* end = nullptr;
    const unsigned long long address = std::strtoull(wanted.c_str(), &end, 16);
    if (*end != '\0' || address > 0xffffffffu) return std::nullopt;
    for (const elf_function& each : functions)
        if (each.address == address) return each;
    return elf_function{wanted, wanted, static_cast<std::uint32_t>(address), 0, 0};
}

} // namespace

std::vector<elf_function> elf_functions(const riscv::elf_image& image) {
    std::vector<riscv::elf_symbol> symbols = image.functions();
    if (symbols.empty())
        for (const riscv::elf_symbol& each : image.places())
            if (each.kind == riscv::elf_symbol_kind::label && each.address % 4 == 0 &&
                each.name.front() != '.' && each.name.front() != '$')
                symbols.push_back(each);
    std::vector<elf_function> functions;
    std::size_t budget = most_demangled_bytes, bytes_looked_at = 0;
    for (const riscv::elf_symbol& each : symbols) {
        elf_function found{demangled(each.name, budget), each.name, each.address, each.size, 0};
        bytes_looked_at += each.size;
        if (bytes_looked_at < most_demangled_bytes) // symbols of hostile files lie over each other
            found.words = tensix_words(image, each.address, each.size);
        functions.push_back(std::move(found));
    }
    return functions;
}

elf_function find_elf_function(const std::vector<elf_function>& functions, std::string_view wanted,
                               const std::string& file) {
    const std::string name(wanted);
    if (const auto found = at_address(functions, name)) return *found;
    if (functions.empty())
        throw user_error(file + ": has no symbols of functions (stripped?), expected a symbol table, or "
                                "--function with an address");
    if (name.empty()) return only_function(functions, file);
    const auto is_exact = [&](const elf_function& each) { return each.symbol == name || each.name == name; };
    const auto is_short = [&](const elf_function& each) { return without_signature(each.name) == name; };
    const auto is_plain = [&](const elf_function& each) { return plain_name(each.name) == name; };
    const auto is_part = [&](const elf_function& each) {
        return each.name.find(name) != std::string::npos || each.symbol.find(name) != std::string::npos;
    };
    std::vector<elf_function> found = matching(functions, is_exact);
    if (found.empty()) found = matching(functions, is_short);
    if (found.empty()) found = matching(functions, is_plain);
    if (found.empty()) found = matching(functions, is_part);
    if (found.size() == 1) return found.front();
    if (!found.empty())
        throw user_error(
            fmt::format("{}: {} functions are called '{}', expected a name or an address of one:{}", file,
                        found.size(), shortened(name), candidate_list(found)));
    const std::vector<elf_function> pushing = with_words(functions);
    throw user_error(fmt::format("{}: has no function '{}', expected one of{}", file, shortened(name),
                                 candidate_list(pushing.empty() ? functions : pushing)));
}

} // namespace sfpu::analysis
