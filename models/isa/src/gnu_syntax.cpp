#include <sfpu/isa/gnu_syntax.h>

#include "assembler_pass.h"
#include "gnu_spellings.h"
#include "word_form.h"

#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/other_units.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

namespace sfpu::isa {
namespace {

using kind = operand_kind;

/// A spelling with its operands found.
struct spelled {
    const gnu_spelling* how;
    operand_list operands;
};

bool is_on(const gnu_spelling& one, architecture arch) {
    if (one.where == spelled_on::both) return true;
    return (one.where == spelled_on::blackhole) == (arch == architecture::blackhole);
}

operand gnu_operand_of(const word_form& form, std::string_view name, architecture arch) {
    for (const gnu_operand& each : gnu::operands)
        if (each.opcode == form.opcode && name == each.what.name) return each.what;
    for (operand what : form.operands) {
        if (name != what.name) continue;
        // The public assembler lets an address reach up to the address mode.
        if (form.opcode != opcode::sfploadmacro && name == "dst_addr")
            what.width = static_cast<std::uint8_t>(addr_mod_shift(arch));
        return what;
    }
    return {"", kind::number, 0, 0}; // a test finds it
}

std::vector<spelled> found_spellings(const word_form& form, architecture arch) {
    std::vector<spelled> result;
    for (const gnu_spelling& one : gnu::spellings) {
        if (one.opcode != form.opcode || !is_on(one, arch)) continue;
        spelled found{&one, {}};
        std::string_view names = one.operands;
        while (!names.empty()) {
            const std::size_t end = std::min(names.find(' '), names.size());
            found.operands.push_back(gnu_operand_of(form, names.substr(0, end), arch));
            names.remove_prefix(std::min(end + 1, names.size()));
        }
        result.push_back(std::move(found));
    }
    return result;
}

using spelling_table = std::array<std::vector<spelled>, 256>;
spelling_table spelling_table_of(architecture arch) {
    spelling_table table;
    for (unsigned code = 0; code < table.size(); ++code)
        if (const word_form* form = find_form(static_cast<std::uint8_t>(code), arch))
            table[code] = found_spellings(*form, arch);
    return table;
}
const std::vector<spelled>& spellings_of(const word_form& form, architecture arch) {
    static const spelling_table blackhole = spelling_table_of(architecture::blackhole),
                                wormhole = spelling_table_of(architecture::wormhole);
    return (arch == architecture::blackhole ? blackhole : wormhole)[form.opcode];
}

/// What was found, for a message.
std::string quoted(std::string_view text) {
    constexpr std::size_t most = 60;
    return fmt::format("'{}'",
                       text.size() <= most ? std::string(text) : std::string(text.substr(0, most)) + "...");
}

/// "SFPLOAD", "TTREPLAY"
std::string gnu_mnemonic(const word_form& form) {
    std::string text;
    if (form.mnemonic.compare(0, 3, "sfp") != 0) text = "TT";
    for (const char c : form.mnemonic)
        if (c != '_') text += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

bool is_name_of_register(const operand& what) {
    return what.kind == kind::lreg || what.kind == kind::split_lreg;
}
bool is_restricted_immediate(const operand& what) {
    const std::string_view name = what.name;
    return name == "imm12" || name == "imm8";
}

std::uint32_t gnu_encode(const word_form& form, const spelled& text, const std::vector<std::int64_t>& values,
                         architecture arch) {
    std::uint32_t word = encode(form, text.operands, values, arch) | text.how->fixed;
    // The public assembler writes the modifier of SFPLUTFP32 once; see encode().
    if (form.opcode == opcode::sfplutfp32) word &= ~0xf0000u;
    return word;
}

std::int64_t value_of(const spelled& text, std::string_view name, const std::vector<std::int64_t>& values,
                      std::int64_t otherwise) {
    for (std::size_t i = 0; i < values.size(); ++i)
        if (name == text.operands[i].name) return values[i];
    return otherwise;
}

unsigned modifier_of(const spelled& text, const std::vector<std::int64_t>& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
        if (text.operands[i].kind == kind::mode) return static_cast<unsigned>(values[i]) & 15u;
    return 0;
}

/// Whether the public assembler takes the modifier, with what stands in the immediate.
bool takes_modifier(const spelled& text, const std::vector<std::int64_t>& values) {
    const unsigned modifier = modifier_of(text, values);
    if (text.how->immediate >> modifier & 1u) return true;
    if (!(text.how->bare >> modifier & 1u)) return false;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (is_restricted_immediate(text.operands[i]) && values[i] != 0) return false;
    return true;
}

bool takes_values(const spelled& text, const std::vector<std::int64_t>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        const operand& what = text.operands[i];
        const bool is_destination = what.kind == kind::split_lreg || is_destination_register(what);
        if (is_destination && values[i] >= text.how->registers) return false;
        if (what.kind == kind::config_dest && config_destination(static_cast<unsigned>(values[i])).empty())
            return false;
        if (std::string_view("zero") == what.name && values[i] != 0) return false;
    }
    return takes_modifier(text, values);
}

std::string shown(const spelled& text, std::size_t at, const std::vector<std::int64_t>& values) {
    const operand& what = text.operands[at];
    const std::int64_t number = values[at];
    if (is_name_of_register(what)) return fmt::format("L{}", number);
    if (what.kind == kind::macro_dst) // bit 0 of the field belongs to the register, and the text has it
        return std::to_string(number | value_of(text, "lreg", values, 0) >> 2);
    if (what.kind != kind::signed_number) return std::to_string(number);
    const bool is_signed = what.width == 16 ? what.shift == 0 : text.how->is_signed;
    return std::to_string(is_signed ? number : number & ((std::int64_t{1} << what.width) - 1));
}

/// What is left of a statement.
class cursor {
public:
    explicit cursor(std::string_view line) : line_(line.substr(0, std::min(line.find('#'), line.size()))) {
        skip_blanks();
    }
    bool at_end() const { return at_ == line_.size(); }
    std::size_t column() const { return at_ + 1; }
    /// Up to a blank or a comma.
    std::string_view word() {
        const std::size_t begin = at_;
        while (!at_end() && line_[at_] != ',' && !is_blank(line_[at_])) ++at_;
        const std::string_view text = line_.substr(begin, at_ - begin);
        skip_blanks();
        return text;
    }
    bool comma() {
        if (at_end() || line_[at_] != ',') return false;
        ++at_;
        skip_blanks();
        return true;
    }

private:
    static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
    void skip_blanks() {
        while (!at_end() && is_blank(line_[at_])) ++at_;
    }

    std::string_view line_;
    std::size_t at_ = 0;
};

/// A written operand.
struct written {
    std::string_view text;
    std::size_t column = 0;
    bool is_register = false;
    std::int64_t number = 0;
};

unsigned digit(char c) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? static_cast<unsigned>(lower - 'a') + 10 : 99;
}

/// A number as the GNU assembler has them: decimal, 0x, 0b, octal behind a 0; a sign.
std::optional<std::int64_t> gnu_number(std::string_view text) {
    const bool negative = !text.empty() && text[0] == '-';
    if (negative || (!text.empty() && text[0] == '+')) text.remove_prefix(1);
    unsigned base = 10;
    if (text.size() > 1 && text[0] == '0') {
        const char mark = static_cast<char>(text[1] | 0x20);
        base = mark == 'x' ? 16 : mark == 'b' ? 2 : 8;
        text.remove_prefix(base == 8 ? 1 : 2);
    }
    if (text.empty() || text.size() > 34) return std::nullopt;
    std::int64_t number = 0;
    for (const char c : text) {
        if (digit(c) >= base || number > std::int64_t{1} << 40) return std::nullopt;
        number = number * base + digit(c);
    }
    return negative ? -number : number;
}

std::optional<std::int64_t> gnu_register(std::string_view text) {
    if (text.size() < 2 || text.size() > 3 || (text[0] != 'L' && text[0] != 'l')) return std::nullopt;
    const auto number = gnu_number(text.substr(1));
    if (!number || *number < 0 || *number > 15 || (text.size() == 3 && text[1] == '0')) return std::nullopt;
    return number;
}

gnu_line mistake(std::size_t column, std::string problem) {
    gnu_line line;
    line.is_tensix = true;
    line.column = column;
    line.problem = std::move(problem);
    return line;
}

/// "SFPMAD dest, a, b, c, mod"
std::string pattern(const word_form& form, const spelled& text) {
    std::string result = gnu_mnemonic(form);
    for (std::size_t i = 0; i < text.operands.size(); ++i)
        result += (i ? ", " : " ") + std::string(text.operands[i].name);
    return result;
}

bool fits_kinds(const spelled& text, const std::vector<written>& operands) {
    if (text.operands.size() != operands.size()) return false;
    for (std::size_t i = 0; i < operands.size(); ++i)
        if (is_name_of_register(text.operands[i]) != operands[i].is_register) return false;
    return true;
}

std::vector<std::int64_t> values_of(const std::vector<written>& operands) {
    std::vector<std::int64_t> values;
    values.reserve(operands.size());
    for (const written& each : operands) values.push_back(each.number);
    return values;
}

gnu_line word_of(const word_form& form, const spelled& text, const std::vector<written>& operands,
                 architecture arch) {
    std::vector<std::int64_t> values = values_of(operands);
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const operand& what = text.operands[i];
        const operand_range field = range_of(what, arch);
        const std::int64_t count = field.maximum - field.minimum + (what.kind == kind::signed_number ? 0 : 1);
        const bool has_sign = what.kind == kind::number || what.kind == kind::signed_number;
        const std::int64_t most = field.maximum, least = has_sign ? -(count + 1) / 2 : 0;
        if (values[i] < least || values[i] > most)
            return mistake(operands[i].column, fmt::format("{} is {}, expected {} to {}", what.name,
                                                           operands[i].text, least, most));
        if (what.kind != kind::macro_dst) continue;
        if (((values[i] ^ value_of(text, "lreg", values, 0) >> 2) & 1) != 0)
            return mistake(
                operands[i].column,
                fmt::format("bit 0 of the address holds bit 2 of the register, expected {}", values[i] ^ 1));
        values[i] &= ~std::int64_t{1};
    }
    gnu_line line;
    line.is_tensix = true;
    line.word = gnu_encode(form, text, values, arch);
    return line;
}

gnu_line read_operands(const word_form& form, cursor& rest, architecture arch) {
    std::vector<written> operands;
    const std::size_t begin = rest.column();
    while (!rest.at_end()) {
        written one;
        one.column = rest.column();
        one.text = rest.word();
        const auto lreg = gnu_register(one.text);
        const auto number = lreg ? lreg : gnu_number(one.text);
        if (!number)
            return mistake(one.column, fmt::format("found {}, expected a register L0 to L15 or a number",
                                                   quoted(one.text)));
        one.is_register = lreg.has_value();
        one.number = *number;
        operands.push_back(one);
        if (rest.at_end()) break;
        const std::size_t column = rest.column();
        if (!rest.comma() || rest.at_end()) return mistake(column, "expected ',' and an operand");
    }
    const std::vector<spelled>& spellings = spellings_of(form, arch);
    const spelled* chosen = nullptr;
    for (const spelled& each : spellings) {
        if (!fits_kinds(each, operands)) continue;
        // Two orders of the same kinds: the one whose modifier exists.
        if (!chosen ||
            (!takes_modifier(*chosen, values_of(operands)) && takes_modifier(each, values_of(operands))))
            chosen = &each;
    }
    if (!chosen)
        return mistake(begin, fmt::format("found {} operand{}, expected '{}'", operands.size(),
                                          operands.size() == 1 ? "" : "s", pattern(form, spellings.front())));
    return word_of(form, *chosen, operands, arch);
}

const word_form* gnu_form(const std::string& mnemonic) {
    if (mnemonic.compare(0, 3, "sfp") == 0) return find_form(mnemonic);
    if (mnemonic == "ttmopcfg") return find_form("mop_cfg");
    const word_form* form = mnemonic.compare(0, 2, "tt") == 0 ? find_form(mnemonic.substr(2)) : nullptr;
    return form && form->mnemonic.compare(0, 3, "sfp") != 0 ? form : nullptr;
}

std::string without_underscores(std::string text) {
    text.erase(std::remove(text.begin(), text.end(), '_'), text.end());
    return text;
}

gnu_line unknown_mnemonic(std::string_view written, const std::string& mnemonic, std::size_t column,
                          architecture arch) {
    if (const word_form* form = gnu_form(mnemonic); form && !find_form(form->opcode, arch))
        return mistake(column, fmt::format("{} does not exist on {}", written, describe(arch).long_name));
    if (mnemonic.compare(0, 2, "tt") == 0)
        for (unsigned code = 0; code < 256; ++code) {
            const auto* known = find_other_unit(static_cast<std::uint8_t>(code), arch);
            if (known &&
                without_underscores(lower_case(known->mnemonic)) == without_underscores(mnemonic.substr(2)))
                return mistake(column,
                               fmt::format("{} is an instruction of {}, whose operands are not known here; "
                                           "expected its word, as '.ttinsn WORD' or in a disassembly",
                                           written, known->unit));
        }
    return mistake(column, fmt::format("unknown instruction {}", quoted(written)));
}

} // namespace

std::string gnu_text(std::uint32_t word, const word_encoding& words) {
    const architecture arch = words.arch;
    if (const word_form* form = find_form(static_cast<std::uint8_t>(word >> 24), arch))
        for (const spelled& text : spellings_of(*form, arch)) {
            if (text.how->earlier) continue;
            std::vector<std::int64_t> values;
            values.reserve(text.operands.size());
            for (const operand& what : text.operands) values.push_back(extract(what, word, arch));
            if (gnu_encode(*form, text, values, arch) != word || !takes_values(text, values)) continue;
            std::string line = gnu_mnemonic(*form);
            for (std::size_t i = 0; i < values.size(); ++i)
                line += (i ? ", " : "\t") + shown(text, i, values);
            return line;
        }
    return fmt::format(".ttinsn\t0x{:08x}", word);
}

bool is_gnu_tensix(std::string_view mnemonic) {
    const std::string lower = lower_case(mnemonic.substr(0, 8));
    return lower == ".ttinsn" || (lower.size() > 3 && lower.compare(0, 3, "sfp") == 0) ||
           (lower.size() > 3 && lower.compare(0, 2, "tt") == 0);
}

gnu_line gnu_word(std::string_view line, const word_encoding& words) {
    cursor rest(line);
    const std::size_t column = rest.column();
    const std::string_view written_name = rest.word();
    if (!is_gnu_tensix(written_name)) return {};
    const std::string mnemonic = lower_case(written_name);
    if (mnemonic == ".ttinsn") {
        const std::size_t at = rest.column();
        const std::string_view text = rest.word();
        const auto number = gnu_number(text);
        if (!number || *number < -(std::int64_t{1} << 31) || *number >= std::int64_t{1} << 32)
            return mistake(at, fmt::format("found {}, expected a word of 32 bits", quoted(text)));
        if (!rest.at_end()) return mistake(rest.column(), "expected one word");
        gnu_line result;
        result.is_tensix = true;
        result.word = static_cast<std::uint32_t>(*number);
        return result;
    }
    const word_form* form = gnu_form(mnemonic);
    if (!form || !find_form(form->opcode, words.arch))
        return unknown_mnemonic(written_name, mnemonic, column, words.arch);
    return read_operands(*form, rest, words.arch);
}

std::optional<architecture> gnu_architecture(std::string_view attribute) {
    const auto has = [&](std::string_view part) { return attribute.find(part) != std::string_view::npos; };
    if (has("xtttensixbh") || has("xttbh")) return architecture::blackhole;
    if (has("xtttensixwh") || has("xttwh")) return architecture::wormhole;
    return std::nullopt;
}

std::string gnu_listing(const kernel& program) {
    word_encoding encoding = program.words;
    encoding.arch = program.arch;
    const bool is_blackhole = program.arch == architecture::blackhole;
    std::string text = fmt::format("{}\n\t.attribute\tarch, \"rv32i2p0_xtttensix{}\"\n", gnu_listing_mark,
                                   is_blackhole ? "bh" : "wh");
    const auto comment = [&](const std::string& line) { text += "# " + line + '\n'; };
    for (const config_setting& each : program.config)
        comment(fmt::format(".config {}, {}", each.key, each.value));
    if (program.rows) comment(fmt::format(".rows {}", *program.rows));
    if (program.peeled_rows) comment(fmt::format(".peeled {}", program.peeled_rows));
    if (program.expected_cycles_per_row)
        comment(fmt::format(".expect cycles_per_row {}", *program.expected_cycles_per_row));
    for (const allowance& each : program.allowed) comment(directive_text(each));
    for (const tensor& each : program.inputs) comment(directive_text(".input", each));
    for (const tensor& each : program.outputs) comment(directive_text(".output", each));
    const auto section = [&](const std::string& name, const std::vector<source_word>& words) {
        if (words.empty()) return;
        comment(name);
        for (const source_word& each : words) {
            if (each.gap) comment(".gap");
            text += '\t' + gnu_text(each.word, encoding) + '\n';
        }
    };
    section(".init", program.init);
    section(fmt::format(".loop {}", program.rows_per_iteration), program.loop);
    section(".tail", program.tail);
    return text;
}

} // namespace sfpu::isa
