// The instructions of a hart: one row each, from which decoder, disassembler and executor follow.
//
// Sources: the RISC-V unprivileged and privileged specifications; tile.md K1 and K2.
#pragma once

#include <sfpu/common/parameters.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sfpu::riscv {

class hart_core;
struct decoded_instruction;
using execute_function = void (*)(hart_core&, const decoded_instruction&);

/// Which part of the instruction set a row belongs to; `base` is RV32IM, Zicsr, Zifencei and mret, wfi.
enum class extension : std::uint8_t { base, zaamo, zba, zbb };

/// Where an instruction has its operands, and how they are written.
enum class operand_format : std::uint8_t {
    none,          ///< ecall
    r,             ///< add rd, rs1, rs2
    r_unary,       ///< clz rd, rs1
    i,             ///< addi rd, rs1, imm12
    shift,         ///< slli rd, rs1, shamt5
    load,          ///< lw rd, imm12(rs1)
    store,         ///< sw rs2, imm12(rs1)
    branch,        ///< beq rs1, rs2, target
    u,             ///< lui rd, imm20
    jal,           ///< jal rd, target
    jalr,          ///< jalr rd, imm12(rs1)
    csr,           ///< csrrw rd, csr, rs1
    csr_immediate, ///< csrrwi rd, csr, uimm5
    atomic,        ///< amoadd.w rd, rs2, (rs1)
    fence,         ///< operands are ignored
};

struct instruction_row {
    const char* mnemonic;
    std::uint32_t match, mask;
    operand_format format;
    extension part;
    execute_function execute;
};
const std::vector<instruction_row>& instruction_table();

/// Whether a hart of that configuration has the extension.
bool has_extension(const parameters& config, extension part);

/// The row of a word in a hart of that configuration; null if it is none of its instructions. Words whose two
/// low bits are not 11 are Tensix words and have no row.
const instruction_row* find_instruction(std::uint32_t word, const parameters& config);

/// Words whose low bits are not 11 carry a Tensix instruction, rotated left by two (K2).
constexpr bool is_tensix_word(std::uint32_t word) { return (word & 3u) != 3u; }
constexpr std::uint32_t tensix_instruction(std::uint32_t word) { return word >> 2 | word << 30; }

/// An instruction with its fields taken out, bound to its address.
struct decoded_instruction {
    execute_function execute = nullptr;
    std::uint32_t word = 0;
    /// Immediate, sign-extended. lui: the value. auipc: the sum. Branches and jal: the target. CSR: the
    /// number.
    std::uint32_t immediate = 0;
    std::uint8_t rd = 0;           ///< discard_register instead of x0
    std::uint8_t rs1 = 0, rs2 = 0; ///< 0 where the format has none; CSR immediates are in rs1
    bool predicted_taken = false;
};
/// What is written to x0 goes here.
constexpr unsigned discard_register = 32;

/// Fields of a word at an address, for a row's format.
decoded_instruction decode_fields(std::uint32_t word, std::uint32_t pc, const instruction_row& row);

/// Assembly text of a word at an address: "addi x1, x2, -3", ".ttinsn 0x8f000000", ".word 0xffffffff".
std::string text(std::uint32_t word, std::uint32_t pc = 0);

} // namespace sfpu::riscv
