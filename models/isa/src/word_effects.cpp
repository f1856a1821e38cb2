#include <sfpu/isa/word_effects.h>

#include <sfpu/isa/config_destinations.h>
#include <sfpu/isa/table.h>

namespace sfpu::isa {
namespace {

/// SFPIADD, SFPLZ and SFPEXEXP leave the flags alone in some modes, and where VD is none of L0 to L7 (T9).
bool sets_flags_beside_result(const instruction& insn) {
    if (insn.vd >= general_lregs) return false;
    return insn.is(opcode::sfpiadd) ? (insn.mod & 12) != 4 : (insn.mod & 10) != 0;
}

bool sets_flags(const instruction& insn, architecture arch) {
    switch (insn.op->opcode) {
    case opcode::sfpsetcc:
    case opcode::sfpencc:
    case opcode::sfppopc:
    case opcode::sfpcompc: return true;
    case opcode::sfppushc: return describe(arch).has_pushc_operations && insn.mod == 13; // complements them
    case opcode::sfpiadd:
    case opcode::sfpexexp:
    case opcode::sfplz: return sets_flags_beside_result(insn);
    case opcode::sfple:
    case opcode::sfpgt: return insn.mod & 1; // SET_CC
    default: return false;
    }
}

bool compares_with_stack(const instruction& insn) {
    return (insn.is(opcode::sfple) || insn.is(opcode::sfpgt)) && (insn.mod & 2); // MUTATE_STACK
}

bool takes_random_numbers(const instruction& insn, architecture arch) {
    const chip_description& chip = describe(arch);
    switch (insn.op->opcode) {
    case opcode::sfpstochrnd: return true; // in every rounding mode
    case opcode::sfpcast: return (insn.mod & (chip.has_integer_casts ? 3 : 1)) == 1;
    case opcode::sfpmov: return (insn.mod & 8) && insn.vc == 9; // FROM_SPECIAL
    default: return false;
    }
}

void add_dst(word_effects& to, const instruction& insn) {
    to.loads_dst = insn.is(opcode::sfpload) || insn.is(opcode::sfploadmacro);
    to.stores_dst = insn.is(opcode::sfpstore);
    to.uses_counters |= to.loads_dst || to.stores_dst;
}

void add_configuration(word_effects& to, const instruction& insn) {
    namespace vd = config_destination_vd;
    to.writes_config =
        insn.is(opcode::sfpconfig) && (insn.vd < vd::first_constant || insn.vd > vd::last_constant);
    to.reads_config =
        insn.is(opcode::sfploadmacro) || (insn.is(opcode::sfpmov) && (insn.mod & 8) && insn.vc != 9);
}

} // namespace

word_effects effects_of(const instruction& insn, architecture arch) {
    word_effects result;
    if (insn.unit == sub_unit::front_end) {
        result.uses_counters = !insn.is(opcode::nop);
        return result;
    }
    result.reads = insn.use.reads;
    result.writes = insn.use.writes;
    if (insn.latency == latency_class::swap) result.reads |= result.writes; // mode SWAP reads late (T8)
    result.crosses_lanes = insn.is(opcode::sfptransp) || insn.is(opcode::sfpconfig) ||
                           (insn.is(opcode::sfpshft2) && insn.mod <= 4);
    result.reads_flags = !insn.is(opcode::sfpnop); // which lanes it acts on, or what it makes of them
    result.writes_flags = sets_flags(insn, arch);
    result.uses_stack = reports_stack(insn) || compares_with_stack(insn);
    result.uses_random = takes_random_numbers(insn, arch);
    add_dst(result, insn);
    add_configuration(result, insn);
    return result;
}

bool reports_stack(const instruction& insn) {
    return insn.is(opcode::sfppushc) || insn.is(opcode::sfppopc) || insn.is(opcode::sfpcompc);
}

bool may_go_together(const word_effects& first, const word_effects& second) {
    if (first.writes & (second.reads | second.writes)) return false;
    if (first.writes_flags && (second.reads_flags || second.writes_flags)) return false;
    if (first.uses_stack && second.uses_stack) return false;
    if (first.uses_random && second.uses_random) return false;
    return !(first.writes_config && (second.reads_config || second.writes_config));
}

} // namespace sfpu::isa
