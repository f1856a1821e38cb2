// What the fields of an instruction mean, and the ways to execute a node.
#include "row_builder.h"

#include <sfpu/isa/table.h>
#include <sfpu/timing/macro_program.h>

#include <algorithm>
#include <numeric>

namespace sfpu::optimizer {

using isa::instruction;
using isa::sub_unit;
namespace opcode = isa::opcode;

std::uint8_t& field_of(instruction& insn, unsigned which) {
    switch (which) {
    case va: return insn.va;
    case vb: return insn.vb;
    case vc: return insn.vc;
    default: return insn.vd;
    }
}

namespace {

instruction with_fields(instruction insn, const std::array<unsigned, field_count>& registers) {
    for (unsigned f = 0; f < field_count; ++f) field_of(insn, f) = static_cast<std::uint8_t>(registers[f]);
    return insn;
}

} // namespace

bool writes_by_number(const instruction& insn) {
    return insn.unit == sub_unit::mad && (insn.use.writes & isa::general_registers) == isa::general_registers;
}

field_use use_of(const instruction& insn, architecture arch) {
    field_use found;
    // Constants in the fields: what is left of the general registers is read whatever the fields say.
    const isa::register_set constant_reads = insn.op->use(with_fields(insn, {11, 12, 13, 14}), arch).reads;
    found.indirect = (constant_reads & 0xff00u) == 0xff00u;
    if (found.indirect) return found;
    found.fixed_reads = constant_reads & isa::general_registers;
    for (unsigned f = 0; f < field_count; ++f) found.reads[f] = isa::contains(constant_reads, 11 + f);
    const isa::register_set one = insn.op->use(with_fields(insn, {1, 2, 3, 4}), arch).results(),
                            other = insn.op->use(with_fields(insn, {5, 6, 7, 0}), arch).results();
    if (one == other) {
        found.fixed_writes = one;
    } else {
        for (unsigned f = 0; f < field_count; ++f) found.writes[f] = isa::contains(one, 1 + f);
    }
    // SFPSWAP reads in its second cycle only if it always exchanges; what it writes it has read.
    if (insn.latency == isa::latency_class::swap)
        for (unsigned f = 0; f < field_count; ++f) found.reads[f] = found.writes[f];
    return found;
}

namespace {

/// T14 for a form: which fields of its own the template has.
void add_template_fields(form& how, architecture arch) {
    if (how.unit != sub_unit::simple && how.unit != sub_unit::mad && how.unit != sub_unit::round) return;
    // Where there is no VC, the decoder has put VD there.
    const instruction plain = with_fields(how.insn, {1, 2, how.vc_is_vd ? 4u : 3u, 4});
    const instruction b_loaded = timing::override_operands(plain, timing::sequence_entry{0x8000}, 5, arch),
                      c_loaded = timing::override_operands(plain, timing::sequence_entry{0}, 5, arch);
    how.template_has_vc = b_loaded.vc == 3;
    how.template_has_vb = c_loaded.vb == 2;
}

} // namespace

form make_form(std::uint32_t word, const isa::machine& machine) {
    const isa::word_encoding words = machine.encoding();
    form how;
    how.word = word;
    for (const isa::operand& each : isa::decode(word, words).op->operands) {
        if (!each.name || each.kind != isa::operand_kind::lreg) continue;
        const unsigned f = each.name[0] == 'a'   ? va
                           : each.name[0] == 'b' ? vb
                           : each.name[0] == 'c' ? vc
                                                 : vd;
        how.slot[f] = each.shift;
        how.word &= ~(15u << each.shift);
    }
    // SFPAND and SFPOR with USE_VB: the register stands in an immediate that means nothing else.
    const bool logical =
        isa::decode(word, words).is(opcode::sfpand) || isa::decode(word, words).is(opcode::sfpor);
    // So it does in SFPSHFT2 by a register.
    const bool shifts_vb = isa::decode(word, words).is(opcode::sfpshft2) && (word & 15u) == 5;
    if ((logical && (word & 1u) && describe(words.arch).has_use_vb) || shifts_vb) {
        how.slot[vb] = 12;
        how.word &= ~0xf000u;
    }
    how.insn = isa::decode(how.word, words);
    how.unit = how.insn.unit;
    how.latency = isa::latency_of(how.insn, machine);
    const instruction probe = isa::decode(word_with(how, {0, 0, 0, 9}), words),
                      other = isa::decode(word_with(how, {0, 0, 0, 6}), words);
    how.vb_is_vd = how.slot[vb] < 0 && probe.vb == 9 && other.vb == 6;
    how.vc_is_vd = how.slot[vc] < 0 && probe.vc == 9 && other.vc == 6;
    for (const unsigned f : {va, vb, vc})
        if (how.slot[f] < 0 && !(f == vb && how.vb_is_vd) && !(f == vc && how.vc_is_vd))
            how.wired[f] = static_cast<int>(field_of(how.insn, f));
    how.can_schedule = how.unit == sub_unit::simple || how.unit == sub_unit::mad ||
                       how.unit == sub_unit::round || how.unit == sub_unit::store;
    if (how.insn.is(opcode::sfpconfig)) how.can_schedule = false;
    add_template_fields(how, machine.chip);
    return how;
}

namespace {

/// Other ways to execute an operation with one result, each proved by executing it beside the plain one.
class form_finder {
public:
    form_finder(const node& n, const form& plain, const isa::machine& machine, architecture chip,
                semantics_probe& probe)
        : n_(n), plain_(plain), machine_(machine), chip_(chip), probe_(probe),
          reference_(concrete(plain)), found_{plain} {}

    std::vector<form> find(bool exchange) {
        const bool replaces_plain = offer_other_instructions() && found_.size() > 1;
        if (replaces_plain) found_.erase(found_.begin());
        if (exchange) offer_exchanged_operands();
        return std::move(found_);
    }

private:
    /// Operands in registers of their own; constants as they are.
    instruction concrete(const form& how) const {
        instruction insn = how.insn;
        for (const unsigned f : {va, vb, vc}) {
            const int j = how.operand_of[f];
            if (j < 0) continue;
            const operand& o = n_.operands[static_cast<unsigned>(j)];
            const bool fixed = o.value < 0 && o.constant >= 8;
            field_of(insn, f) = static_cast<std::uint8_t>(fixed ? o.constant : j);
        }
        insn.vd = 7;
        return insn;
    }

    void offer(const form& how) {
        const instruction like = concrete(how);
        const auto status = [&](const instruction& insn) { return insn.op->defined(insn, chip_); };
        // What is equal only because of what the silicon does is not the same.
        if (status(like) > status(reference_) || !probe_.same(reference_, like)) return;
        found_.push_back(how);
    }

    void offer_word(std::uint32_t word, const std::array<int, field_count>& operands) {
        form how = make_form(word, machine_);
        how.operand_of = operands;
        offer(how);
    }

    /// Another instruction for the same. Says whether the first of them, if there is one, takes the place of
    /// the plain form.
    bool offer_other_instructions() {
        const instruction& insn = n_.insn;
        const std::uint32_t imm12 = insn.word & 0x00fff000u;
        const auto& of = plain_.operand_of;
        const bool shift_of_vc = describe(chip_).has_shift_of_vc;
        if (insn.is(opcode::sfpshft) && (insn.mod & 3) == 1) {
            const int shifted = of[vb] >= 0 ? of[vb] : of[vc];
            if (shift_of_vc && of[vb] >= 0) offer_word(0x7a000000u | imm12 | 5u, {-1, -1, shifted, -1});
            const bool replaces_plain = found_.size() > 1;
            offer_word(0x94000000u | imm12 | 6u, {-1, shifted, -1, -1});
            return replaces_plain;
        }
        if (insn.is(opcode::sfpshft) && insn.mod == 0) {
            offer_word(0x94000000u | 5u, {-1, of[vb], of[vc], -1});
        } else if (insn.is(opcode::sfpshft2) && insn.mod == 5) {
            offer_word(0x7a000000u, {-1, of[vb], of[vc], -1});
        } else if (insn.is(opcode::sfpshft2) && insn.mod == 6) {
            if (shift_of_vc) offer_word(0x7a000000u | imm12 | 5u, {-1, -1, of[vb], -1});
            else offer_word(0x7a000000u | imm12 | 1u, {-1, of[vb], -1, -1});
        } else if ((insn.is(opcode::sfpand) || insn.is(opcode::sfpor)) && insn.mod == 0 &&
                   describe(chip_).has_use_vb) {
            offer_word((insn.word & 0xff000000u) | 1u, {-1, of[vb], of[vc], -1});
            return true;
        }
        return false;
    }

    void offer_exchanged_operands() {
        const std::size_t given = found_.size();
        for (std::size_t i = 0; i < given; ++i) {
            std::vector<unsigned> fields;
            for (const unsigned f : {va, vb, vc})
                if (found_[i].operand_of[f] >= 0) fields.push_back(f);
            if (fields.size() < 2) continue;
            std::vector<std::size_t> order(fields.size());
            std::iota(order.begin(), order.end(), std::size_t{0});
            while (std::next_permutation(order.begin(), order.end())) {
                form how = found_[i];
                for (std::size_t k = 0; k < fields.size(); ++k)
                    how.operand_of[fields[k]] = found_[i].operand_of[fields[order[k]]];
                offer(how);
            }
        }
    }

    const node& n_;
    const form& plain_;
    const isa::machine& machine_;
    const architecture chip_;
    semantics_probe& probe_;
    const instruction reference_;
    std::vector<form> found_;
};

} // namespace

std::vector<form> row_builder::forms_of(const node& n, const form& plain) {
    const bool one_result = n.results.size() == 1 && n.results[0].where == result::place::destination;
    if (!one_result || n.what != node::kind::operation || !n.fixed_operands.empty() ||
        n.insn.unit == sub_unit::load)
        return {plain};
    return form_finder(n, plain, machine_, words_.arch, probe_).find(options_.exchange);
}

} // namespace sfpu::optimizer
