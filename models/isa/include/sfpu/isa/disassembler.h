// Turns words, instructions and kernels back into assembly text.
#pragma once

#include <sfpu/isa/assembler.h>
#include <sfpu/isa/instruction.h>

#include <cstdint>
#include <string>

namespace sfpu::isa {

/// One line of assembly that assembles to exactly this word. Words that no instruction text gives (unknown
/// opcode, bits set outside the operands) become ".word 0x...".
std::string disassemble(std::uint32_t word, const word_encoding& words);

/// The text of an instruction for traces and messages. An issued instruction reads as disassemble() gives it.
/// A scheduled one shows the registers that its SFPLOADMACRO gave it: L16 by that name, "(VB L3)" or "(VC
/// L3)" behind an instruction whose operands have no place for it. A scheduled SFPSTORE shows no address:
/// that is the macro's.
std::string text(const instruction& insn, const word_encoding& words);

/// ".input a, 0x40, i32"
std::string directive_text(const char* directive, const tensor& one);
/// ".allow /sfpu/macro/forgotten, \"the first row\""
std::string directive_text(const allowance& one);
/// `.origin "k.dis", 12, 0x5f08, "exp.h", 31`
std::string directive_text(const word_origin& one);

/// Assembly source of a kernel, one instruction a line, that assembles to the same kernel. A kernel that is
/// nothing but a loop of one row becomes a plain list.
std::string listing(const kernel& program);

} // namespace sfpu::isa
