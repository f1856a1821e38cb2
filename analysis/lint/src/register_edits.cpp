// Changes of a kernel's text that take another register.
#include "cure_edits.h"

#include <sfpu/isa/instruction.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>

namespace sfpu::analysis {
namespace {

constexpr unsigned vb_bit = 0x80, l16_bit = 0x40, store_unit = 3;

/// Whether units of a macro write L16 and Store reads it.
struct l16_use {
    bool is_written = false, is_stored = false;

    void add(unsigned unit) { (unit == store_unit ? is_stored : is_written) = true; }
};

/// The bytes of two units, the first one lowest, with the loaded register for L16.
unsigned with_loaded(unsigned half, unsigned first_unit, l16_use& use) {
    constexpr unsigned byte_bits = 8, selector_mask = 7;
    for (unsigned byte = 0; byte < 2; ++byte) {
        const unsigned unit = first_unit + byte, bits = half >> byte_bits * byte;
        if (!(bits & l16_bit) || (bits & selector_mask) == 0) continue;
        use.add(unit);
        // Of Store the other bit keeps the register of its template.
        half &= ~((unit == store_unit ? l16_bit | vb_bit : l16_bit) << byte_bits * byte);
    }
    return half;
}

/// Sequences as bits: SFPLOADI of a half to L0.
bool change_immediate(std::string& line, l16_use& use) {
    static const std::regex form(R"(sfploadi\s+L0\s*,\s*(LOWER|UPPER)\s*,\s*(0x[0-9a-f]{1,4})\b)",
                                 std::regex::icase);
    const std::string code = code_of(line);
    std::smatch found;
    if (!std::regex_search(code, found, form)) return false;
    const bool is_upper = found.str(1)[0] == 'U' || found.str(1)[0] == 'u';
    const auto half = static_cast<unsigned>(std::stoul(found[2], nullptr, 16));
    const unsigned wanted = with_loaded(half, is_upper ? 2 : 0, use);
    if (wanted == half) return false;
    line.replace(static_cast<std::size_t>(found.position(2)), static_cast<std::size_t>(found.length(2)),
                 fmt::format("{:#06x}", wanted));
    return true;
}

/// The same in a word of a recorded kernel.
bool change_word(std::string& line, l16_use& use) {
    static const std::regex form(R"(^\s*\.word\s+(0x[0-9a-f]{8})\s*$)", std::regex::icase);
    constexpr unsigned lower = 10, upper = 8, half_mask = 0xffff;
    const std::string code = code_of(line);
    std::smatch found;
    if (!std::regex_search(code, found, form)) return false;
    const auto word = static_cast<std::uint32_t>(std::stoul(found[1], nullptr, 16));
    const unsigned register_and_mode = word >> 16 & 0xffu;
    if (word >> 24 != isa::opcode::sfploadi || (register_and_mode != lower && register_and_mode != upper))
        return false;
    const unsigned half = word & half_mask;
    const unsigned wanted = with_loaded(half, register_and_mode == upper ? 2 : 0, use);
    if (wanted == half) return false;
    line = fmt::format("    .word {:#010x}  ; the loaded register instead of L16, before: {:#010x}",
                       (word & ~half_mask) | wanted, word);
    return true;
}

/// The fields of units in a `.macro`.
bool change_directive(std::string& line, l16_use& use) {
    static const std::regex directive(R"(^\s*\.macro\b)", std::regex::icase);
    static const std::regex part(R"((simple|mad|round|store)\s*=\s*\(([^)]*)\))", std::regex::icase);
    static const std::regex field(R"(\s*,?\s*\bl16\b)", std::regex::icase);
    static const std::regex vb(R"(\s*,?\s*\bvb\b)", std::regex::icase);
    const std::string code = code_of(line);
    if (!std::regex_search(code, directive)) return false;
    std::string changed = line;
    bool has_changed = false;
    const std::vector<std::smatch> parts{std::sregex_iterator(code.begin(), code.end(), part),
                                         std::sregex_iterator()};
    for (auto each = parts.rbegin(); each != parts.rend(); ++each) { // positions in front stay
        const std::string fields = (*each)[2];
        if (!std::regex_search(fields, field)) continue;
        const bool is_store = each->str(1)[1] == 't' || each->str(1)[1] == 'T';
        use.add(is_store ? store_unit : 0);
        std::string rest = std::regex_replace(fields, field, "");
        if (is_store) rest = std::regex_replace(rest, vb, "");
        rest.erase(0, std::min(rest.find_first_not_of(", "), rest.size()));
        changed.replace(static_cast<std::size_t>(each->position(2)),
                        static_cast<std::size_t>(each->length(2)), rest.empty() ? "delay=0" : rest);
        has_changed = true;
    }
    line = changed;
    return has_changed;
}

} // namespace

std::optional<cure> without_l16(source_lines all, const std::vector<unsigned>& lines) {
    l16_use use;
    std::vector<unsigned> changed;
    for (const unsigned line : lines) {
        if (line == 0 || line > all.size()) continue;
        std::string& text = all[line - 1];
        if (change_immediate(text, use) || change_word(text, use) || change_directive(text, use))
            changed.push_back(line);
    }
    if (!use.is_written || !use.is_stored) return std::nullopt;
    return cure{fmt::format("the loaded register instead of L16 in line{} {}", changed.size() == 1 ? "" : "s",
                            fmt::join(changed, ", ")),
                joined(all)};
}

} // namespace sfpu::analysis
