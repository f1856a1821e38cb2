// What the plain kernel calls things.
#include "row_words.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace sfpu::optimizer {
namespace {

bool is_name_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// "L12" of "LREG12" and "L12"; empty if it is no register.
std::string register_text(const std::string& operand) {
    const std::size_t digits = operand.compare(0, 4, "LREG") == 0 ? 4 : 1;
    const bool is_register = operand.size() > digits && operand.size() <= digits + 2 && operand[0] == 'L' &&
                             std::all_of(operand.begin() + static_cast<std::ptrdiff_t>(digits), operand.end(),
                                         [](unsigned char c) { return std::isdigit(c) != 0; });
    return is_register ? "L" + operand.substr(digits) : "";
}

/// Whether a register holds the same in every schedule: what the set-up left there, or what rows hand on.
bool keeps_its_place(unsigned lreg, const graph& of) {
    const bool is_hoisted = std::any_of(of.constants.begin(), of.constants.end(),
                                        [&](const hoisted_constant& each) { return each.lreg == lreg; });
    if (lreg >= isa::general_lregs) return lreg < isa::lreg_count && !is_hoisted;
    return !is_hoisted && isa::contains(of.reserved | of.carried, lreg);
}

} // namespace

source_names::source_names(const graph& of, const isa::kernel& plain,
                           const std::vector<std::string>& source) {
    for (const isa::named_value& each : plain.definitions) {
        const bool again = std::count_if(plain.definitions.begin(), plain.definitions.end(),
                                         [&](const auto& other) { return other.name == each.name; }) > 1;
        if (again || each.line == 0 || each.line > source.size()) continue;
        const std::string line = without_comment(source[each.line - 1]);
        const std::size_t comma = line.rfind(',');
        if (comma == std::string::npos || line.compare(0, 4, ".equ") != 0) continue;
        const std::string operand = trimmed(line.substr(comma + 1)), lreg = register_text(operand);
        const bool is_kept =
            !lreg.empty() &&
            keeps_its_place(static_cast<unsigned>(std::strtoul(lreg.c_str() + 1, nullptr, 10)), of);
        if (is_kept) names_.emplace(lreg, each.name);
        else if (operand.compare(0, 9, "ADDR_MOD_") == 0) names_.emplace(operand, each.name);
    }
}

std::string source_names::in(const std::string& text) const {
    if (names_.empty()) return text;
    std::string named;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is_name_character(text[end])) ++end;
        if (end == at) {
            named += text[at++];
            continue;
        }
        const std::string word = text.substr(at, end - at);
        const auto found = names_.find(word);
        named += found == names_.end() ? word : found->second;
        at = end;
    }
    return named;
}

} // namespace sfpu::optimizer
