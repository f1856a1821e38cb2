#include "row_words.h"

#include <sfpu/isa/table.h>
#include <sfpu/isa/word_effects.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <utility>

namespace sfpu::optimizer {

namespace opcode = isa::opcode;

bool can_go_first(const isa::instruction& insn, architecture arch) {
    return insn.latency != isa::latency_class::swap && insn.latency != isa::latency_class::shuffle &&
           !isa::effects_of(insn, arch).writes_flags;
}

bool is_load_word(const node& operation) {
    return std::any_of(operation.forms.begin(), operation.forms.end(),
                       [](const form& each) { return each.unit == isa::sub_unit::load; });
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
        lines.push_back(line);
    }
    return lines;
}

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string without_comment(const std::string& line) {
    return trimmed(line.substr(0, line.find_first_of(";")));
}

bool still_means(const isa::kernel& in, const std::string& operand, unsigned number) {
    const auto last = std::find_if(in.definitions.rbegin(), in.definitions.rend(),
                                   [&](const isa::named_value& each) { return each.name == operand; });
    if (last != in.definitions.rend()) return last->number == number;
    char* end = nullptr;
    const unsigned long spelled = std::strtoul(operand.c_str(), &end, 0);
    return end != operand.c_str() && *end == '\0' && spelled == number;
}

row_words::row_words(const graph& of, const schedule& found, const isa::kernel& plain,
                     const std::vector<std::string>& source, const isa::word_encoding& encoding,
                     source_names names)
    : graph_(of), found_(found), plain_(plain), source_(source), encoding_(encoding),
      names_(std::move(names)) {}

std::vector<issued_item> row_words::items() const {
    std::vector<issued_item> all;
    for (std::size_t i = 0; i < found_.loads.size(); ++i)
        all.push_back({found_.loads[i].time, static_cast<int>(i), -1});
    for (std::size_t i = 0; i < found_.operations.size(); ++i)
        if (found_.operations[i].issued) all.push_back({found_.operations[i].time, -1, static_cast<int>(i)});
    return all;
}

const node& row_words::operation_of(const issued_item& item) const {
    const placed_operation& o = found_.operations[static_cast<unsigned>(item.operation)];
    return graph_.nodes[static_cast<unsigned>(o.node)];
}

bool row_words::is_load(const issued_item& item) const {
    return item.load >= 0 || is_load_word(operation_of(item));
}

bool row_words::is_access(const issued_item& item) const {
    return item.load >= 0 || operation_of(item).what == node::kind::store;
}

std::string row_words::address_text(const node& n, unsigned address) const {
    if (n.line > 0 && n.line <= source_.size()) {
        const std::string line = without_comment(source_[n.line - 1]);
        const std::size_t comma = line.rfind(',');
        if (comma != std::string::npos) {
            const std::string operand = trimmed(line.substr(comma + 1));
            const bool simple = still_means(plain_, operand, n.insn.imm10);
            const int more = static_cast<int>(address) - static_cast<int>(n.insn.imm10);
            if (simple && more == 0) return operand;
            if (simple && more > 0) return fmt::format("{} + {}", operand, more);
            if (simple && more < 0 && static_cast<int>(address) >= 0 && address < 0x400u && more > -512)
                return fmt::format("{} - {}", operand, -more);
        }
    }
    return fmt::format("{:#x}", address);
}

unsigned row_words::moved_address(const node& n, const placed_item& placed) const {
    return static_cast<unsigned>(static_cast<int>(n.address) + graph_.step * placed.rows - placed.advanced) &
           0x3ffu;
}

std::uint32_t row_words::access_word(std::uint8_t op, unsigned lreg, const node& n, unsigned mode,
                                     unsigned address) const {
    return static_cast<std::uint32_t>(op) << 24 | lreg << 20 | n.mode << 16 |
           mode << isa::addr_mod_shift(encoding_.arch) | address;
}

row_words::written_word row_words::word_of(const placed_item& placed, row_address_modes modes) const {
    const unsigned copy = placed.copy, mode = placed.steps ? modes.step : modes.stay;
    if (placed.item.load >= 0) {
        const placed_load& load = found_.loads[static_cast<unsigned>(placed.item.load)];
        const node& n = graph_.nodes[static_cast<unsigned>(load.node)];
        const unsigned address = moved_address(n, placed), reg = load.lreg[copy];
        if (load.macro < 0)
            return {access_word(opcode::sfpload, reg, n, mode, address), address_text(n, address)};
        const auto macro = static_cast<unsigned>(load.macro);
        std::uint32_t word =
            access_word(opcode::sfploadmacro, (macro & 3u) << 2 | (reg & 3u), n, mode, address) | reg >> 2;
        if (macro > 3) word |= 1u << isa::wide_macro_index_shift;
        return {word, address_text(n, address)};
    }
    const placed_operation& o = found_.operations[static_cast<unsigned>(placed.item.operation)];
    const node& n = graph_.nodes[static_cast<unsigned>(o.node)];
    if (n.what != node::kind::store) return {operation_word(o, copy), {}};
    const int operand = n.forms[o.how].operand_of[vd];
    const unsigned reg = operand < 0 ? n.insn.vd : o.operand_lreg[static_cast<unsigned>(operand)][copy];
    const unsigned address = moved_address(n, placed);
    return {access_word(opcode::sfpstore, reg, n, mode, address), address_text(n, address)};
}

std::uint32_t row_words::operation_word(const placed_operation& o, unsigned copy) const {
    const node& n = graph_.nodes[static_cast<unsigned>(o.node)];
    const form& f = n.forms[o.how];
    std::array<int, field_count> registers{};
    for (const unsigned which : {va, vb, vc})
        if (f.operand_of[which] >= 0)
            registers[which] =
                static_cast<int>(o.operand_lreg[static_cast<unsigned>(f.operand_of[which])][copy]);
    // Where an instruction reads no operand, the plain field stays.
    if (f.operand_of[va] < 0) registers[va] = n.insn.va;
    if (f.operand_of[vb] < 0) registers[vb] = n.insn.vb;
    if (f.operand_of[vc] < 0) registers[vc] = n.insn.vc;
    const bool swap = n.insn.latency == isa::latency_class::swap;
    if (swap) registers[vd] = registers[vb];
    else if (!n.results.empty() && n.results[0].where == result::place::destination)
        registers[vd] = static_cast<int>(o.result_lreg[0][copy]);
    else if (f.vb_is_vd && f.operand_of[vb] >= 0) registers[vd] = registers[vb]; // it only reads its VD
    else if (f.vc_is_vd && f.operand_of[vc] >= 0) registers[vd] = registers[vc];
    else registers[vd] = n.insn.vd;
    return word_with(f, registers);
}

bool row_words::may_follow_at_once(const placed_item& first, const placed_item& second) const {
    const isa::instruction a = isa::decode(word_of(first, {}).word, encoding_),
                           b = isa::decode(word_of(second, {}).word, encoding_);
    const architecture arch = encoding_.arch;
    return !b.is(opcode::sfploadmacro) && can_go_first(a, arch) &&
           isa::may_go_together(isa::effects_of(a, arch), isa::effects_of(b, arch));
}

void row_words::put_in_order(std::vector<placed_item>& cycle) const {
    if (cycle.size() != 2) return;
    if (!is_load(cycle[0].item) && is_load(cycle[1].item)) std::swap(cycle[0], cycle[1]);
    if (!may_follow_at_once(cycle[0], cycle[1]) && may_follow_at_once(cycle[1], cycle[0]))
        std::swap(cycle[0], cycle[1]);
}

} // namespace sfpu::optimizer
