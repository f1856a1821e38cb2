#include "register_fields.h"

#include <sfpu/isa/execution.h>
#include <sfpu/isa/results.h>
#include <sfpu/isa/table.h>

#include <unordered_map>
#include <utility>

namespace sfpu::rewriting {

namespace opcode = isa::opcode;

std::uint8_t& register_field(isa::instruction& insn, unsigned which) {
    switch (which) {
    case va: return insn.va;
    case vb: return insn.vb;
    case vc: return insn.vc;
    default: return insn.vd;
    }
}

namespace {

/// With other registers. A field that the word does not have stays, unless it stands for VD.
isa::instruction with_registers(isa::instruction insn, const field_meaning& fields,
                                const std::array<unsigned, field_count>& registers) {
    for (unsigned f = 0; f < field_count; ++f)
        if (fields.place[f] >= 0) register_field(insn, f) = static_cast<std::uint8_t>(registers[f]);
    if (fields.place[vb] < 0 && insn.op->implicit_vb) insn.vb = insn.vd;
    if (fields.place[vc] < 0 && insn.op->implicit_vc) insn.vc = insn.vd;
    return insn;
}

} // namespace

namespace {

field_meaning found_meaning(const isa::instruction& given, architecture arch) {
    field_meaning found;
    isa::instruction insn = given;
    // INDIRECT_VA: L7 and the registers that it can name are fixed reads of the step, and VA says nothing.
    const bool adds = insn.is(opcode::sfpmad) || insn.is(opcode::sfpadd) || insn.is(opcode::sfpmul);
    const bool names_va = adds && (insn.mod & 4);
    if (names_va) insn.mod &= 11;
    for (const isa::operand& each : insn.op->operands) {
        if (!each.name || each.kind != isa::operand_kind::lreg) continue;
        const unsigned f = each.name[0] == 'a'   ? va
                           : each.name[0] == 'b' ? vb
                           : each.name[0] == 'c' ? vc
                                                 : vd;
        found.place[f] = each.shift;
    }
    const bool logical = insn.is(opcode::sfpand) || insn.is(opcode::sfpor);
    const bool shifts_by_register = insn.is(opcode::sfpshft2) && insn.mod == 5; // VB is part of the immediate
    if ((logical && (insn.word & 1u) && describe(arch).has_use_vb) || shifts_by_register)
        found.place[vb] = 12;
    // What is read of constants depends on fields; what is read of general registers does not.
    const isa::register_set of_constants =
        insn.op->use(with_registers(insn, found, {11, 12, 13, 14}), arch).reads;
    found.indirect = (of_constants & 0xff00u) == 0xff00u;
    isa::register_set named = 0;
    for (unsigned f = 0; f < field_count; ++f)
        if (found.place[f] >= 0) {
            found.reads[f] = isa::contains(of_constants, 11 + f);
            named |= isa::only(11 + f);
        }
    found.fixed_reads = of_constants & ~named;
    const isa::register_set one = insn.op->use(with_registers(insn, found, {1, 2, 3, 4}), arch).results(),
                            other = insn.op->use(with_registers(insn, found, {5, 6, 7, 0}), arch).results();
    found.indirect |= (one & isa::general_registers) == isa::general_registers;
    found.fixed_writes = one & other;
    for (unsigned f = 0; f < field_count; ++f)
        found.writes[f] = found.place[f] >= 0 && isa::contains(one & ~other, 1 + f);
    if (names_va) {
        found.indirect = true;
        found.reads[va] = false;
        found.fixed_reads |= isa::only(7);
    }
    if (insn.is(opcode::sfpswap))
        for (unsigned f = 0; f < field_count; ++f) found.reads[f] = found.writes[f];
    return found;
}

} // namespace

field_meaning meaning_of(const isa::instruction& insn, architecture arch) {
    // Asked for again and again for few words.
    thread_local std::unordered_map<std::uint64_t, field_meaning> known;
    const std::uint64_t key = static_cast<std::uint64_t>(arch) << 32 | insn.word;
    if (known.size() > 4096) known.clear();
    const auto [place, is_new] = known.try_emplace(key);
    if (is_new) place->second = found_meaning(insn, arch);
    return place->second;
}

std::uint32_t word_with_registers(const isa::instruction& insn, const field_meaning& fields,
                                  const std::array<unsigned, field_count>& registers) {
    std::uint32_t word = insn.word;
    for (unsigned f = 0; f < field_count; ++f)
        if (fields.place[f] >= 0) word = (word & ~(15u << fields.place[f])) | registers[f] << fields.place[f];
    return word;
}

void execute_step(isa::vector_state& state, const isa::instruction& insn, const isa::word_encoding& words) {
    isa::write_set out;
    out.clear();
    isa::execution context(state, words, out);
    context.enabled = state.enabled();
    context.acting = all_lanes;
    insn.op->execute(context, insn);
    isa::write_results(state, out);
}

} // namespace sfpu::rewriting
