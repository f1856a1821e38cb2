#include <sfpu/isa/disassembler.h>

#include "setup_words.h"
#include "word_form.h"

#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::isa {
namespace {

using kind = operand_kind;

std::string operand_text(const word_form& form, const operand& what, std::int64_t number, unsigned mod,
                         architecture arch) {
    switch (what.kind) {
    case kind::lreg:
    case kind::split_lreg: return fmt::format("L{}", number);
    case kind::mode: return mode_text(form.modes, mod);
    case kind::addr_mod: return fmt::format("ADDR_MOD_{}", number);
    case kind::config_dest: {
        std::string name = config_destination(static_cast<unsigned>(number));
        return name.empty() ? std::to_string(number) : name;
    }
    case kind::signed_number:
        if (what.width == 16) return fmt::format("0x{:x}", static_cast<std::uint64_t>(number) & 0xffffu);
        if (number >= 0 && number < 16 && immediate_is_vb(form.opcode, mod, arch))
            return fmt::format("L{}", number);
        return std::to_string(number);
    case kind::number:
    case kind::macro:
    case kind::macro_dst: break;
    }
    return std::to_string(number);
}

std::string line_of(const std::string& mnemonic, const std::vector<std::string>& operands) {
    return operands.empty() ? mnemonic : fmt::format("{} {}", mnemonic, fmt::join(operands, ", "));
}

/// Whether the instruction reads its VB: whether its register use changes with it.
bool reads_vb(const instruction& insn, architecture arch) {
    constexpr std::uint8_t constant = 9;
    instruction probe = insn;
    probe.va = probe.vc = probe.vd = constant;
    probe.vb = constant;
    refresh(probe, arch);
    const unsigned others = probe.use.reads;
    probe.vb = 0;
    refresh(probe, arch);
    return probe.use.reads != others;
}

/// The register that a scheduled instruction has in an operand, or nothing if the operand is no register.
std::optional<unsigned> register_in(const instruction& insn, const operand& what, architecture arch) {
    if (what.kind == kind::signed_number)
        return immediate_is_vb(insn.op->opcode, insn.mod, arch) ? std::optional<unsigned>(insn.vb)
                                                                : std::nullopt;
    if (what.kind != kind::lreg) return std::nullopt;
    if (insn.op->format == layout::mod0_address) return insn.vd;
    switch (what.shift) {
    case 16: return insn.va;
    case 12: return insn.vb;
    case 8: return insn.vc;
    default: return insn.vd;
    }
}

std::string scheduled_text(const instruction& insn, architecture arch) {
    const word_form& form = *find_form(insn.op->opcode, arch);
    std::vector<std::string> operands;
    bool shows_vb = false;
    for (const operand& what : form.operands) {
        if (insn.unit == sub_unit::store && what.kind != kind::lreg && what.kind != kind::mode) continue;
        if (const auto lreg = register_in(insn, what, arch)) {
            operands.push_back(fmt::format("L{}", *lreg));
            shows_vb = shows_vb || what.shift == 12;
        } else {
            operands.push_back(operand_text(form, what, extract(what, insn.word, arch), insn.mod, arch));
        }
    }
    std::string result = line_of(form.mnemonic, operands);
    const bool vb_is_vd = insn.op->implicit_vb && insn.vb == insn.vd;
    if (!shows_vb && !vb_is_vd && reads_vb(insn, arch)) result += fmt::format(" (VB L{})", insn.vb);
    if (insn.op->implicit_vc && insn.vc != insn.vd) result += fmt::format(" (VC L{})", insn.vc);
    return result;
}

} // namespace

std::string disassemble(std::uint32_t word, const word_encoding& words) {
    const word_form* form = find_form(static_cast<std::uint8_t>(word >> 24), words.arch);
    if (!form) return fmt::format(".word 0x{:08x}", word);

    std::vector<std::int64_t> values;
    unsigned mod = 0;
    bool in_range = true;
    for (const operand& what : form->operands) {
        values.push_back(extract(what, word, words));
        if (what.kind == kind::mode) mod = static_cast<unsigned>(values.back());
        const operand_range range = range_of(what, words);
        in_range = in_range && range.minimum <= values.back() && values.back() <= range.maximum;
    }
    if (!in_range || encode(*form, form->operands, values, words) != word)
        return fmt::format(".word 0x{:08x}", word);
    if (form->opcode == opcode::sfpconfig) split_destination(values[0], values[1], mod, words);

    std::vector<std::string> operands;
    for (std::size_t i = 0; i < values.size(); ++i)
        operands.push_back(operand_text(*form, form->operands[i], values[i], mod, words.arch));
    return line_of(form->mnemonic, operands);
}

std::string text(const instruction& insn, const word_encoding& words) {
    return insn.scheduled() ? scheduled_text(insn, words.arch) : disassemble(insn.word, words);
}

std::string directive_text(const allowance& one) {
    return fmt::format(".allow {}, \"{}\"", sfpu::describe(one.id).name, one.reason);
}

std::string directive_text(const char* directive, const tensor& one) {
    return fmt::format("{} {}, 0x{:02x}, {}", directive, one.name, one.address, isa::to_string(one.type));
}

std::string directive_text(const word_origin& one) {
    std::string text = fmt::format(".origin \"{}\", {}", one.file, one.line);
    if (one.address) text += fmt::format(", 0x{:x}", *one.address);
    if (!one.cpp_file.empty()) text += fmt::format(", \"{}\", {}", one.cpp_file, one.cpp_line);
    return text;
}

std::string listing(const kernel& program) {
    std::string source = fmt::format(".arch {}\n", short_name(program.arch));
    for (const config_setting& setting : program.config)
        source += fmt::format(".config {}, {}\n", setting.key, setting.value);
    if (program.rows) source += fmt::format(".rows {}\n", *program.rows);
    if (program.peeled_rows) source += fmt::format(".peeled {}\n", program.peeled_rows);
    if (program.expected_cycles_per_row)
        source += fmt::format(".expect cycles_per_row {}\n", *program.expected_cycles_per_row);

    for (const allowance& one : program.allowed) source += directive_text(one) + '\n';
    for (const tensor& one : program.inputs) source += directive_text(".input", one) + '\n';
    for (const tensor& one : program.outputs) source += directive_text(".output", one) + '\n';

    word_encoding encoding = program.words;
    encoding.arch = program.arch;
    const auto add_words = [&](const std::vector<source_word>& lines) {
        std::vector<std::uint32_t> words;
        words.reserve(lines.size());
        for (const source_word& line : lines) words.push_back(line.word);
        setup_writer writer;
        // One line for several words says nothing of gaps between them, and has one origin.
        const auto is_pushed_together = [&](std::size_t at, std::size_t count) {
            const auto first = lines.begin() + static_cast<std::ptrdiff_t>(at);
            return std::none_of(
                first + 1, first + static_cast<std::ptrdiff_t>(count),
                [&](const source_word& each) { return each.gap || each.origin != first->origin; });
        };
        unsigned origin = 0;
        for (std::size_t at = 0; at < words.size();) {
            if (lines[at].origin != origin && lines[at].origin != 0)
                source += directive_text(program.origins[lines[at].origin - 1]) + '\n';
            origin = lines[at].origin;
            if (lines[at].gap) source += ".gap\n";
            const auto setup = find_setup(words, at, writer, encoding);
            if (setup && is_pushed_together(at, setup->words)) {
                source += setup->text + '\n';
                at += setup->words;
            } else {
                writer.forget();
                source += disassemble(words[at++], encoding) + '\n';
            }
        }
    };
    // Words from elsewhere get sections: a remark on a missing `.loop` would be about nobody's text.
    const bool plain = program.init.empty() && program.tail.empty() && program.rows_per_iteration == 1 &&
                       program.origins.empty();
    if (plain) {
        add_words(program.loop);
        return source;
    }
    if (!program.init.empty()) source += ".init\n";
    add_words(program.init);
    if (!program.loop.empty() || program.rows_per_iteration != 1)
        source += fmt::format(".loop {}\n", program.rows_per_iteration);
    add_words(program.loop);
    if (!program.tail.empty()) source += ".tail\n";
    add_words(program.tail);
    return source;
}

} // namespace sfpu::isa
