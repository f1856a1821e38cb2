// The fields of a row of the instruction table by their names. A row that lacks one or has one twice does not
// compile.
#pragma once

#include <sfpu/isa/instruction.h>

#include <initializer_list>

namespace sfpu::isa {

/// Writes a row field by field. Rows are constants, so that an exception in here is an error of the compiler,
/// which shows its text.
class data_sheet {
public:
    /// Name in assembly, and the page of the ISA documentation. Unless said otherwise the instruction exists
    /// on both chips, each with a page of its own, names no template, and has VB and VC in fields of their
    /// own.
    constexpr data_sheet(std::uint8_t opcode, const char* mnemonic, const char* page) {
        row_.opcode = opcode;
        row_.mnemonic = mnemonic;
        row_.page = page;
        row_.on_wormhole = true;
    }

    constexpr data_sheet only_on_blackhole() const {
        data_sheet next = *this;
        next.row_.on_wormhole = false;
        return next;
    }
    /// The page in the Wormhole tree describes both chips.
    constexpr data_sheet one_page_for_both_chips() const {
        data_sheet next = *this;
        next.row_.one_page = true;
        return next;
    }
    /// The sub-unit that executes it and the rule that gives it its latency in its common modes, see
    /// latency_of().
    constexpr data_sheet runs_on(sub_unit unit, latency_class latency) const {
        data_sheet next = with(has_unit);
        next.row_.unit = unit;
        next.row_.latency = latency;
        return next;
    }
    /// How the word is cut into fields, and the operands in the order in which assembly has them.
    constexpr data_sheet word(layout format, std::initializer_list<operand> operands) const {
        data_sheet next = with(has_word);
        next.row_.format = format;
        if (operands.size() > max_operands) throw "a row has more operands than there is room for";
        unsigned place = 0;
        for (const operand& one : operands) next.row_.operands[place++] = one;
        return next;
    }
    /// Documented names of modifiers, terminated by a null name.
    constexpr data_sheet modifier_names(const mode_name* names) const {
        data_sheet next = with(has_modifier_names);
        next.row_.modes = names;
        return next;
    }
    /// What each modifier does, in words.
    constexpr data_sheet each_modifier(describe_function describe) const {
        data_sheet next = with(has_descriptions);
        next.row_.describe = describe;
        return next;
    }
    /// VD of 12 and above writes an instruction template instead.
    constexpr data_sheet writes_templates() const {
        data_sheet next = *this;
        next.row_.has_backdoor = true;
        return next;
    }
    /// VB, or VC, is VD unless a macro says otherwise.
    constexpr data_sheet vb_is_vd() const {
        data_sheet next = *this;
        next.row_.implicit_vb = true;
        return next;
    }
    constexpr data_sheet vc_is_vd() const {
        data_sheet next = *this;
        next.row_.implicit_vc = true;
        return next;
    }
    /// The registers that it reads and writes, and what the stall logic takes them to be.
    constexpr data_sheet registers(use_function use) const {
        data_sheet next = with(has_registers);
        next.row_.use = use;
        return next;
    }
    /// Which modifiers the documentation defines.
    constexpr data_sheet defined(definition_function definition_of) const {
        data_sheet next = with(has_definition);
        next.row_.defined = definition_of;
        return next;
    }
    /// What it does: in one line, and as a function.
    constexpr data_sheet does(const char* text, execute_function execute) const {
        data_sheet next = with(has_semantics);
        next.row_.text = text;
        next.row_.execute = execute;
        return next;
    }

    // NOLINTNEXTLINE(google-explicit-constructor): the table is written as a list of sheets
    constexpr operator row() const {
        if ((given_ & required) != required) throw "a row lacks a field";
        return row_;
    }

private:
    enum field : unsigned {
        has_unit = 1,
        has_word = 2,
        has_registers = 4,
        has_definition = 8,
        has_semantics = 16,
        has_modifier_names = 32,
        has_descriptions = 64,
        required = has_unit | has_word | has_registers | has_definition | has_semantics,
    };

    constexpr data_sheet with(field given) const {
        if (given_ & given) throw "a row has a field twice";
        data_sheet next = *this;
        next.given_ |= given;
        return next;
    }

    row row_{};
    unsigned given_ = 0;
};

/// Whether no two rows have the same opcode, and the operands of each lie side by side in the lower 24 bits.
template <unsigned size>
constexpr bool is_consistent(const row (&rows)[size]) {
    for (unsigned i = 0; i < size; ++i) {
        for (unsigned j = 0; j < i; ++j)
            if (rows[i].opcode == rows[j].opcode) return false;
        std::uint32_t used = 0;
        for (const operand& one : rows[i].operands) {
            if (one.kind == operand_kind::split_lreg) continue; // shares a bit with the address
            const std::uint32_t bits = ((1u << one.width) - 1u) << one.shift;
            if ((used & bits) != 0 || bits >> 24 != 0) return false;
            used |= bits;
        }
    }
    return true;
}

} // namespace sfpu::isa
