// Words that set up macros, as directives.
#include "row_words.h"

#include <sfpu/isa/disassembler.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace sfpu::optimizer {
namespace {

/// "a, b" in two, from a place on.
std::vector<std::string> operands_of(const std::string& text) {
    std::vector<std::string> found;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t comma = std::min(text.find(", ", at), text.size());
        found.push_back(text.substr(at, comma - at));
        at = comma + 2;
    }
    return found;
}

} // namespace

std::string setup_directive(const std::vector<std::uint32_t>& words, const isa::word_encoding& encoding) {
    isa::kernel only;
    only.arch = encoding.arch;
    only.words = encoding;
    for (const std::uint32_t word : words) only.init.push_back({word, 0, false, 0});
    const std::string text = isa::listing(only), head = "\n.init\n";
    const std::size_t begin = text.find(head);
    if (begin == std::string::npos) return "";
    std::string line = text.substr(begin + head.size());
    const bool is_directive = line.rfind(".template", 0) == 0 || line.rfind(".macro", 0) == 0 ||
                              line.rfind(".misc", 0) == 0 || line.rfind(".constant", 0) == 0;
    if (!is_directive || line.find('\n') != line.size() - 1) return "";
    line.pop_back();
    return line;
}

std::string template_directive(std::uint32_t word, bool vb_is_loaded, const isa::word_encoding& encoding) {
    const std::string text = setup_directive({word}, encoding);
    std::vector<std::string> operands = operands_of(text); // "0", "sfpmad L0", "L1", ..., "_", "0"
    std::size_t given = 0;                                 // behind VC, which stands behind VB
    while (given < operands.size() && operands[given] != "_") ++given;
    const std::size_t at = given - (vb_is_loaded ? 2 : 1);
    if (text.empty() || given == operands.size() || at >= given) return text;
    // "sfpcast L0, _, 0": the first operand stands behind the mnemonic.
    std::string& operand = operands[at];
    const std::size_t name = operand.rfind(' ') + 1;
    if (at >= 1 && operand.compare(name, std::string::npos, "L0") == 0) operand.replace(name, 2, "_");
    return fmt::format("{}", fmt::join(operands, ", "));
}

} // namespace sfpu::optimizer
