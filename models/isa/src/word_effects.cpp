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

bool uses_flag_stack(const instruction& insn) {
    return insn.is(opcode::sfppushc) || insn.is(opcode::sfppopc) || insn.is(opcode::sfpcompc);
}

bool may_use_random_numbers(const instruction& insn) {
    return insn.is(opcode::sfpstochrnd) || (insn.is(opcode::sfpmov) && (insn.mod & 8));
}

} // namespace sfpu::isa
