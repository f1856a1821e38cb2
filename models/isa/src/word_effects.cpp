#include <sfpu/isa/word_effects.h>

#include <sfpu/isa/table.h>

namespace sfpu::isa {

bool may_write_flags(const instruction& insn) {
    switch (insn.op->opcode) {
    case opcode::sfpsetcc:
    case opcode::sfpencc:
    case opcode::sfppushc:
    case opcode::sfppopc:
    case opcode::sfpcompc:
    case opcode::sfpiadd:
    case opcode::sfpexexp:
    case opcode::sfplz:
    case opcode::sfple:
    case opcode::sfpgt: return true;
    default: return false;
    }
}

bool writes_flags(const instruction& insn) {
    const bool has_flags = insn.vd < general_lregs; // SFPIADD, SFPLZ and SFPEXEXP: none with VD = 16 (T9)
    switch (insn.op->opcode) {
    case opcode::sfpiadd: return has_flags && (insn.mod & 12) != 4;
    case opcode::sfpexexp:
    case opcode::sfplz: return has_flags && (insn.mod & 10) != 0;
    case opcode::sfple:
    case opcode::sfpgt: return insn.mod & 1;
    case opcode::sfppushc: return insn.mod == 13;
    default: return may_write_flags(insn);
    }
}

bool uses_flag_stack(const instruction& insn) {
    return insn.is(opcode::sfppushc) || insn.is(opcode::sfppopc) || insn.is(opcode::sfpcompc);
}

bool may_use_random_numbers(const instruction& insn) {
    return insn.is(opcode::sfpstochrnd) || (insn.is(opcode::sfpmov) && (insn.mod & 8));
}

} // namespace sfpu::isa
