#include <sfpu/views/instruction_page.h>

#include "page_parts.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/isa/isa_catalogue.h>
#include <sfpu/isa/machine.h>
#include <sfpu/isa/table.h>
#include <sfpu/isa/word_effects.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

namespace sfpu::views {
namespace {

using json = nlohmann::ordered_json;

std::string in_lower_case(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

const isa::row& row_named(const std::string& name) {
    const std::string wanted = in_lower_case(name);
    std::vector<std::string> names;
    for (const isa::row* op : isa::instruction_table()) {
        if (op->mnemonic == wanted || op->mnemonic == "sfp" + wanted) return *op;
        names.emplace_back(op->mnemonic);
    }
    const std::string near = analysis::suggestion(wanted, names, "");
    throw analysis::user_error(
        fmt::format("--isa: unknown instruction '{}'{}", name,
                    near.empty() ? fmt::format("; expected one of {}", fmt::join(names, ", ")) : near));
}

/// A word with this modifier in which each field names another register: VA L1, VB L2, VC L3, VD L4.
std::uint32_t telling_word(const isa::row& op, unsigned modifier) {
    const std::uint32_t word = std::uint32_t{op.opcode} << 24;
    switch (op.format) {
    case isa::layout::mod0_address:
    case isa::layout::mod0_imm16: return word | 4u << 20 | modifier << 16;
    case isa::layout::imm16: return word | 4u << 4 | modifier;
    case isa::layout::stochrnd: return word | 2u << 12 | 3u << 8 | 4u << 4 | modifier;
    case isa::layout::imm12: return word | 1u << 16 | 2u << 12 | 3u << 8 | 4u << 4 | modifier;
    case isa::layout::front_end: break;
    }
    return word;
}

/// "VC, VD, L0": the fields of telling_word() that a set of its registers stands for, and registers that
/// no field names.
std::string fields_text(isa::register_set registers) {
    static constexpr const char* fields[] = {nullptr, "VA", "VB", "VC", "VD"};
    std::vector<std::string> names;
    for (unsigned lreg = 1; lreg <= 4; ++lreg)
        if (isa::contains(registers, lreg)) names.emplace_back(fields[lreg]);
    for (unsigned lreg = 0; lreg < isa::lreg_count; ++lreg)
        if ((lreg == 0 || lreg > 4) && isa::contains(registers, lreg))
            names.push_back(fmt::format("L{}", lreg));
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

/// Of all four registers of the lower or the upper half, which SFPTRANSP and SFPSHFT2 move.
std::string registers_text(const isa::row& op, isa::register_set registers) {
    const bool moves_halves = op.opcode == isa::opcode::sfptransp || (registers & 0x0fu) == 0x0fu;
    if (!moves_halves) return fields_text(registers);
    std::vector<std::string> names;
    for (unsigned lreg = 0; lreg < isa::lreg_count; ++lreg)
        if (isa::contains(registers, lreg)) names.push_back(fmt::format("L{}", lreg));
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

struct mode_line {
    unsigned modifier;
    std::string name, status, reads, writes, text, page;
    unsigned latency = 0;
    bool ignored_bits = false;
    bool writes_flags = false, changes_stack = false;
};

std::vector<mode_line> modes_of(const isa::row& op, const parameters& config) {
    const isa::machine machine = isa::make_machine(config);
    std::vector<mode_line> lines;
    for (const isa::catalogue_row& row : isa::catalogue()) {
        if (row.op != &op || row.arch != config.arch) continue;
        const isa::instruction insn = isa::decode(telling_word(op, row.modifier), machine.encoding());
        mode_line line{row.modifier,
                       row.modifier_name,
                       isa::to_string(row.status),
                       registers_text(op, insn.use.reads),
                       registers_text(op, insn.use.writes),
                       row.text,
                       row.page};
        line.latency = insn.latency == isa::latency_class::none ? 0 : isa::latency_of(insn, machine);
        line.ignored_bits = row.ignored_bits != 0;
        const isa::word_effects effects = isa::effects_of(insn, config.arch);
        line.writes_flags = effects.writes_flags;
        line.changes_stack = effects.uses_stack && op.opcode != isa::opcode::sfpcompc; // which reads its top
        lines.push_back(std::move(line));
    }
    return lines;
}

/// The parameter that decides the latency of a class of instructions; null if none does.
const parameter_row* latency_parameter(const isa::row& op, isa::latency_class latency) {
    if (latency == isa::latency_class::none || op.unit == isa::sub_unit::front_end) return nullptr;
    std::string path = "sfpu.latency.";
    if (latency == isa::latency_class::swap) path += "swap";
    else if (latency == isa::latency_class::shuffle) path += "shuffle";
    else path += in_lower_case(isa::to_string(op.unit));
    return find_parameter(path);
}

/// What words behind it wait for, and what nothing protects.
std::string waiting_text(const isa::row& op, const isa::machine& machine) {
    const bool stalls = machine.stalls_for_results;
    if (op.unit == isa::sub_unit::front_end) return "see docs/timing.md";
    switch (op.latency) {
    case isa::latency_class::mad:
        return stalls
                   ? "an issued word that reads the result is held until it is visible, where the stall "
                     "logic sees "
                     "the read; words that a macro schedules are never held"
                   : "nothing is held: a word that reads the result before it is visible gets the old value";
    case isa::latency_class::swap:
        return "the next issued word is held while it works, unless it is an SFPNOP; a macro may schedule "
               "nothing "
               "for Simple in its second cycle";
    case isa::latency_class::none: return "nothing";
    case isa::latency_class::shuffle: break;
    case isa::latency_class::one:
        if (op.opcode == isa::opcode::sfpshft2)
            return stalls ? "modes of two cycles hold the next issued word while they work"
                          : "nothing is held: in modes of two cycles an SFPNOP has to follow";
        return "nothing, while the latency is one cycle";
    }
    return "nothing";
}

std::string operands_text(const isa::row& op) {
    std::vector<std::string> names;
    for (const isa::operand& operand : op.operands)
        if (operand.name) names.emplace_back(operand.name);
    return fmt::format("{}", fmt::join(names, ", "));
}

json modes_json(const std::vector<mode_line>& modes) {
    json list = json::array();
    for (const mode_line& mode : modes)
        list.push_back({{"modifier", mode.modifier},
                        {"name", mode.name},
                        {"status", mode.status},
                        {"reads", mode.reads},
                        {"writes", mode.writes},
                        {"writes_flags", mode.writes_flags},
                        {"changes_flag_stack", mode.changes_stack},
                        {"latency", mode.latency},
                        {"semantics", mode.text},
                        {"page", mode.page}});
    return list;
}

/// Lines under a label of 12 characters.
std::string labelled(std::string_view label, std::string_view text, std::size_t width) {
    constexpr std::size_t indent = 12;
    std::string result = fmt::format("{:<{}}", label, indent);
    std::size_t column = indent;
    for (bool first = true; !text.empty(); first = false) {
        const std::string_view word = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
        if (!first && width != 0 && column + 1 + word.size() > width) {
            result += "\n" + std::string(indent, ' ');
            column = indent;
        } else if (!first) {
            result += ' ';
            ++column;
        }
        result += word;
        column += word.size();
    }
    return result + "\n";
}

/// "VD, flags": registers, and what else a mode changes.
std::string written_text(const mode_line& mode) {
    std::vector<std::string> names;
    if (mode.writes != "none") names.push_back(mode.writes);
    if (mode.writes_flags) names.emplace_back("flags");
    if (mode.changes_stack) names.emplace_back("flag stack");
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

/// What a mode does, without its number.
std::string mode_text(const mode_line& mode) {
    const std::string status = mode.status == "defined" ? "" : mode.status + ": ";
    const std::string name = mode.name.empty() ? "" : mode.name + ": ";
    return fmt::format("{}{}{} [reads {}; writes {}]", name, status, mode.text, mode.reads,
                       written_text(mode));
}

/// Neighbours that do the same under no other name share lines.
std::string modes_text(const std::vector<mode_line>& modes, std::size_t width) {
    std::string text;
    for (std::size_t first = 0, behind = 0; first < modes.size(); first = behind) {
        behind = first + 1;
        if (modes[first].ignored_bits) continue;
        const std::string what = mode_text(modes[first]);
        while (behind < modes.size() && !modes[behind].ignored_bits && mode_text(modes[behind]) == what)
            ++behind;
        const unsigned last = modes[behind - 1].modifier;
        text += labelled(last == modes[first].modifier ? fmt::format("mode {}", last)
                                                       : fmt::format("{} to {}", modes[first].modifier, last),
                         what, width);
    }
    return text;
}

/// "2 cycles (documented: ...)"; both of SFPSHFT2.
std::string latency_text(const isa::row& op, const std::vector<mode_line>& modes, json& list) {
    std::vector<unsigned> seen;
    std::string text;
    for (const mode_line& mode : modes) {
        if (std::find(seen.begin(), seen.end(), mode.latency) != seen.end()) continue;
        seen.push_back(mode.latency);
        const isa::latency_class latency = isa::latency_of(op, mode.modifier);
        const parameter_row* const row = latency_parameter(op, latency);
        text +=
            fmt::format("{}{} cycle{}", text.empty() ? "" : "; ", mode.latency, mode.latency == 1 ? "" : "s");
        if (row) text += fmt::format(" ({}; {}: {})", row->path, to_string(row->basis), row->source);
        list.push_back({{"cycles", mode.latency},
                        {"parameter", row ? json(row->path) : json()},
                        {"evidence", row ? json(to_string(row->basis)) : json()},
                        {"source", row ? json(row->source) : json()}});
    }
    return text.empty() ? "none" : text;
}

} // namespace

page instruction_page(const std::string& name, const parameters& config, std::size_t width) {
    const isa::row& op = row_named(name);
    if (!isa::find_row(op.opcode, config.arch))
        throw analysis::user_error(
            fmt::format("--isa: {} does not exist on {}", op.mnemonic, long_name(config.arch)));
    const std::vector<mode_line> modes = modes_of(op, config);
    const std::string waits = waiting_text(op, isa::make_machine(config));
    const char* const chips = op.on_wormhole ? "Blackhole and Wormhole" : "Blackhole only";
    json latencies = json::array();
    const std::string latency = latency_text(op, modes, latencies);
    std::string text =
        fmt::format("{} ({:02x}), {}; shown for {}\n", op.mnemonic, op.opcode, chips, long_name(config.arch));
    text += labelled("does", op.text, width) + labelled("operands", operands_text(op), width) +
            labelled("sub-unit", isa::to_string(op.unit), width) + labelled("latency", latency, width) +
            labelled("waiting", waits, width) + modes_text(modes, width);
    json special = json::array();
    for (const isa::special_case& each : isa::special_cases()) {
        const std::string_view of = each.instruction;
        if (in_lower_case(of.substr(0, of.find(' '))) != op.mnemonic) continue;
        text += labelled(each.category, fmt::format("{}: {} {}", of, each.condition, each.behaviour), width);
        special.push_back({{"instruction", of},
                           {"category", each.category},
                           {"condition", each.condition},
                           {"behaviour", each.behaviour}});
    }
    if (!modes.empty()) text += labelled("page", modes.front().page, 0);
    return make_page({{"mnemonic", op.mnemonic},
                      {"opcode", fmt::format("{:02x}", op.opcode)},
                      {"arch", short_name(config.arch)},
                      {"on_wormhole", op.on_wormhole},
                      {"semantics", op.text},
                      {"operands", operands_text(op)},
                      {"unit", isa::to_string(op.unit)},
                      {"latency", latencies},
                      {"waiting", waits},
                      {"modes", modes_json(modes)},
                      {"special_cases", special}},
                     std::move(text));
}

} // namespace sfpu::views
