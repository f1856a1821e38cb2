#include <sfpu/riscv/instruction_set.h>

#include "execution.h"

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::riscv {
namespace {

using format = operand_format;
using ext = extension;
using x = execution;
namespace op = operations;

// Major opcodes.
constexpr std::uint32_t load = 0x03, misc_mem = 0x0f, op_imm = 0x13, auipc = 0x17, store = 0x23, amo = 0x2f,
                        op_reg = 0x33, lui = 0x37, branch = 0x63, jalr = 0x67, jal = 0x6f, system = 0x73;

constexpr std::uint32_t mask_opcode = 0x7f, mask_f3 = 0x707f, mask_f7 = 0xfe00707f, mask_unary = 0xfff0707f,
                        mask_amo = 0xf800707f, mask_all = 0xffffffff;

constexpr std::uint32_t f3(std::uint32_t opcode, std::uint32_t funct3) { return opcode | funct3 << 12; }
constexpr std::uint32_t f7(std::uint32_t opcode, std::uint32_t funct3, std::uint32_t funct7) {
    return f3(opcode, funct3) | funct7 << 25;
}
constexpr std::uint32_t unary(std::uint32_t opcode, std::uint32_t funct3, std::uint32_t funct12) {
    return f3(opcode, funct3) | funct12 << 20;
}
constexpr std::uint32_t atomic(std::uint32_t funct5) { return f3(amo, 2) | funct5 << 27; }

// clang-format off
const std::vector<instruction_row> table{
    {"lui",    lui,                     mask_opcode, format::u,    ext::base, x::constant},
    {"auipc",  auipc,                   mask_opcode, format::u,    ext::base, x::constant},
    {"jal",    jal,                     mask_opcode, format::jal,  ext::base, x::jal},
    {"jalr",   f3(jalr, 0),             mask_f3,     format::jalr, ext::base, x::jalr},

    {"beq",    f3(branch, 0),           mask_f3, format::branch, ext::base, x::branch<op::equal>},
    {"bne",    f3(branch, 1),           mask_f3, format::branch, ext::base, x::branch<op::not_equal>},
    {"blt",    f3(branch, 4),           mask_f3, format::branch, ext::base, x::branch<op::less>},
    {"bge",    f3(branch, 5),           mask_f3, format::branch, ext::base, x::branch<op::not_less>},
    {"bltu",   f3(branch, 6),           mask_f3, format::branch, ext::base, x::branch<op::below>},
    {"bgeu",   f3(branch, 7),           mask_f3, format::branch, ext::base, x::branch<op::not_below>},

    {"lb",     f3(load, 0),             mask_f3, format::load,  ext::base, x::load<std::int8_t>},
    {"lh",     f3(load, 1),             mask_f3, format::load,  ext::base, x::load<std::int16_t>},
    {"lw",     f3(load, 2),             mask_f3, format::load,  ext::base, x::load<std::uint32_t>},
    {"lbu",    f3(load, 4),             mask_f3, format::load,  ext::base, x::load<std::uint8_t>},
    {"lhu",    f3(load, 5),             mask_f3, format::load,  ext::base, x::load<std::uint16_t>},
    {"sb",     f3(store, 0),            mask_f3, format::store, ext::base, x::store<std::uint8_t>},
    {"sh",     f3(store, 1),            mask_f3, format::store, ext::base, x::store<std::uint16_t>},
    {"sw",     f3(store, 2),            mask_f3, format::store, ext::base, x::store<std::uint32_t>},

    {"addi",   f3(op_imm, 0),           mask_f3, format::i,     ext::base, x::immediate<op::add>},
    {"slti",   f3(op_imm, 2),           mask_f3, format::i,     ext::base, x::immediate<op::slt>},
    {"sltiu",  f3(op_imm, 3),           mask_f3, format::i,     ext::base, x::immediate<op::sltu>},
    {"xori",   f3(op_imm, 4),           mask_f3, format::i,     ext::base, x::immediate<op::bit_xor>},
    {"ori",    f3(op_imm, 6),           mask_f3, format::i,     ext::base, x::immediate<op::bit_or>},
    {"andi",   f3(op_imm, 7),           mask_f3, format::i,     ext::base, x::immediate<op::bit_and>},
    {"slli",   f7(op_imm, 1, 0x00),     mask_f7, format::shift, ext::base, x::immediate<op::sll>},
    {"srli",   f7(op_imm, 5, 0x00),     mask_f7, format::shift, ext::base, x::immediate<op::srl>},
    {"srai",   f7(op_imm, 5, 0x20),     mask_f7, format::shift, ext::base, x::immediate<op::sra>},

    {"add",    f7(op_reg, 0, 0x00),     mask_f7, format::r, ext::base, x::registers<op::add>},
    {"sub",    f7(op_reg, 0, 0x20),     mask_f7, format::r, ext::base, x::registers<op::sub>},
    {"sll",    f7(op_reg, 1, 0x00),     mask_f7, format::r, ext::base, x::registers<op::sll>},
    {"slt",    f7(op_reg, 2, 0x00),     mask_f7, format::r, ext::base, x::registers<op::slt>},
    {"sltu",   f7(op_reg, 3, 0x00),     mask_f7, format::r, ext::base, x::registers<op::sltu>},
    {"xor",    f7(op_reg, 4, 0x00),     mask_f7, format::r, ext::base, x::registers<op::bit_xor>},
    {"srl",    f7(op_reg, 5, 0x00),     mask_f7, format::r, ext::base, x::registers<op::srl>},
    {"sra",    f7(op_reg, 5, 0x20),     mask_f7, format::r, ext::base, x::registers<op::sra>},
    {"or",     f7(op_reg, 6, 0x00),     mask_f7, format::r, ext::base, x::registers<op::bit_or>},
    {"and",    f7(op_reg, 7, 0x00),     mask_f7, format::r, ext::base, x::registers<op::bit_and>},

    {"mul",    f7(op_reg, 0, 0x01),     mask_f7, format::r, ext::base, x::multiply<op::mul>},
    {"mulh",   f7(op_reg, 1, 0x01),     mask_f7, format::r, ext::base, x::multiply<op::mulh>},
    {"mulhsu", f7(op_reg, 2, 0x01),     mask_f7, format::r, ext::base, x::multiply<op::mulhsu>},
    {"mulhu",  f7(op_reg, 3, 0x01),     mask_f7, format::r, ext::base, x::multiply<op::mulhu>},
    {"div",    f7(op_reg, 4, 0x01),     mask_f7, format::r, ext::base, x::divide<op::div, true>},
    {"divu",   f7(op_reg, 5, 0x01),     mask_f7, format::r, ext::base, x::divide<op::divu, false>},
    {"rem",    f7(op_reg, 6, 0x01),     mask_f7, format::r, ext::base, x::divide<op::rem, true>},
    {"remu",   f7(op_reg, 7, 0x01),     mask_f7, format::r, ext::base, x::divide<op::remu, false>},

    {"fence",   f3(misc_mem, 0),        mask_f3,  format::fence, ext::base, x::fence},
    {"fence.i", f3(misc_mem, 1),        mask_f3,  format::none,  ext::base, x::fence_i},
    {"ecall",   0x00000073,             mask_all, format::none,  ext::base, x::ecall},
    {"ebreak",  0x00100073,             mask_all, format::none,  ext::base, x::ebreak},
    {"mret",    0x30200073,             mask_all, format::none,  ext::base, x::mret},
    {"wfi",     0x10500073,             mask_all, format::none,  ext::base, x::wfi},
    {"csrrw",  f3(system, 1), mask_f3, format::csr,           ext::base, x::csr<x::csr_action::write, true>},
    {"csrrs",  f3(system, 2), mask_f3, format::csr,           ext::base, x::csr<x::csr_action::set, true>},
    {"csrrc",  f3(system, 3), mask_f3, format::csr,           ext::base, x::csr<x::csr_action::clear, true>},
    {"csrrwi", f3(system, 5), mask_f3, format::csr_immediate, ext::base, x::csr<x::csr_action::write, false>},
    {"csrrsi", f3(system, 6), mask_f3, format::csr_immediate, ext::base, x::csr<x::csr_action::set, false>},
    {"csrrci", f3(system, 7), mask_f3, format::csr_immediate, ext::base, x::csr<x::csr_action::clear, false>},

    {"amoadd.w",  atomic(0x00),         mask_amo, format::atomic, ext::zaamo, x::atomic<op::add>},
    {"amoswap.w", atomic(0x01),         mask_amo, format::atomic, ext::zaamo, x::atomic<op::swap>},
    {"amoxor.w",  atomic(0x04),         mask_amo, format::atomic, ext::zaamo, x::atomic<op::bit_xor>},
    {"amoor.w",   atomic(0x08),         mask_amo, format::atomic, ext::zaamo, x::atomic<op::bit_or>},
    {"amoand.w",  atomic(0x0c),         mask_amo, format::atomic, ext::zaamo, x::atomic<op::bit_and>},
    {"amomin.w",  atomic(0x10),         mask_amo, format::atomic, ext::zaamo, x::atomic<op::min>},
    {"amomax.w",  atomic(0x14),         mask_amo, format::atomic, ext::zaamo, x::atomic<op::max>},
    {"amominu.w", atomic(0x18),         mask_amo, format::atomic, ext::zaamo, x::atomic<op::minu>},
    {"amomaxu.w", atomic(0x1c),         mask_amo, format::atomic, ext::zaamo, x::atomic<op::maxu>},

    {"sh1add", f7(op_reg, 2, 0x10),     mask_f7,    format::r,       ext::zba, x::registers<op::sh1add>},
    {"sh2add", f7(op_reg, 4, 0x10),     mask_f7,    format::r,       ext::zba, x::registers<op::sh2add>},
    {"sh3add", f7(op_reg, 6, 0x10),     mask_f7,    format::r,       ext::zba, x::registers<op::sh3add>},

    {"andn",   f7(op_reg, 7, 0x20),     mask_f7,    format::r,       ext::zbb, x::registers<op::andn>},
    {"orn",    f7(op_reg, 6, 0x20),     mask_f7,    format::r,       ext::zbb, x::registers<op::orn>},
    {"xnor",   f7(op_reg, 4, 0x20),     mask_f7,    format::r,       ext::zbb, x::registers<op::xnor>},
    {"min",    f7(op_reg, 4, 0x05),     mask_f7,    format::r,       ext::zbb, x::registers<op::min>},
    {"minu",   f7(op_reg, 5, 0x05),     mask_f7,    format::r,       ext::zbb, x::registers<op::minu>},
    {"max",    f7(op_reg, 6, 0x05),     mask_f7,    format::r,       ext::zbb, x::registers<op::max>},
    {"maxu",   f7(op_reg, 7, 0x05),     mask_f7,    format::r,       ext::zbb, x::registers<op::maxu>},
    {"rol",    f7(op_reg, 1, 0x30),     mask_f7,    format::r,       ext::zbb, x::registers<op::rol>},
    {"ror",    f7(op_reg, 5, 0x30),     mask_f7,    format::r,       ext::zbb, x::registers<op::ror>},
    {"rori",   f7(op_imm, 5, 0x30),     mask_f7,    format::shift,   ext::zbb, x::immediate<op::ror>},
    {"clz",    unary(op_imm, 1, 0x600), mask_unary, format::r_unary, ext::zbb, x::single<op::clz>},
    {"ctz",    unary(op_imm, 1, 0x601), mask_unary, format::r_unary, ext::zbb, x::single<op::ctz>},
    {"cpop",   unary(op_imm, 1, 0x602), mask_unary, format::r_unary, ext::zbb, x::single<op::cpop>},
    {"sext.b", unary(op_imm, 1, 0x604), mask_unary, format::r_unary, ext::zbb, x::single<op::sext_b>},
    {"sext.h", unary(op_imm, 1, 0x605), mask_unary, format::r_unary, ext::zbb, x::single<op::sext_h>},
    {"orc.b",  unary(op_imm, 5, 0x287), mask_unary, format::r_unary, ext::zbb, x::single<op::orc_b>},
    {"rev8",   unary(op_imm, 5, 0x698), mask_unary, format::r_unary, ext::zbb, x::single<op::rev8>},
    {"zext.h", unary(op_reg, 4, 0x080), mask_unary, format::r_unary, ext::zbb, x::single<op::zext_h>},
};
// clang-format on

constexpr std::uint32_t bits(std::uint32_t word, unsigned high, unsigned low) {
    return word << (31 - high) >> (31 - high + low);
}
constexpr std::uint32_t sign_extend(std::uint32_t value, unsigned width) {
    const std::uint32_t sign = 1u << (width - 1);
    return (value ^ sign) - sign;
}
constexpr std::uint32_t immediate_i(std::uint32_t w) { return sign_extend(bits(w, 31, 20), 12); }
constexpr std::uint32_t immediate_s(std::uint32_t w) {
    return sign_extend(bits(w, 31, 25) << 5 | bits(w, 11, 7), 12);
}
constexpr std::uint32_t immediate_b(std::uint32_t w) {
    return sign_extend(
        bits(w, 31, 31) << 12 | bits(w, 7, 7) << 11 | bits(w, 30, 25) << 5 | bits(w, 11, 8) << 1, 13);
}
constexpr std::uint32_t immediate_j(std::uint32_t w) {
    return sign_extend(
        bits(w, 31, 31) << 20 | bits(w, 19, 12) << 12 | bits(w, 20, 20) << 11 | bits(w, 30, 21) << 1, 21);
}

/// Return addresses are kept in x1 or x5; a jump to one is a return.
constexpr bool is_return(std::uint32_t rd, std::uint32_t rs1) { return rd == 0 && (rs1 == 1 || rs1 == 5); }

const instruction_row* find(std::uint32_t word) {
    const auto row = std::find_if(table.begin(), table.end(), [word](const instruction_row& candidate) {
        return (word & candidate.mask) == candidate.match;
    });
    return row == table.end() ? nullptr : &*row;
}

int as_int(std::uint32_t value) { return static_cast<std::int32_t>(value); }

} // namespace

const std::vector<instruction_row>& instruction_table() { return table; }

bool has_extension(const parameters& config, extension part) {
    const auto present = [&](by_chip choice) {
        return choice == by_chip::by_architecture ? describe(config.arch).has_hart_extensions
                                                  : choice == by_chip::on;
    };
    switch (part) {
    case extension::zaamo: return present(config.hart.zaamo);
    case extension::zba: return present(config.hart.zba);
    case extension::zbb: return present(config.hart.zbb);
    default: return true;
    }
}

const instruction_row* find_instruction(std::uint32_t word, const parameters& config) {
    const instruction_row* row = find(word);
    return row && has_extension(config, row->part) ? row : nullptr;
}

decoded_instruction decode_fields(std::uint32_t word, std::uint32_t pc, const instruction_row& row) {
    decoded_instruction d;
    d.execute = row.execute;
    d.word = word;
    const auto rd = bits(word, 11, 7), rs1 = bits(word, 19, 15), rs2 = bits(word, 24, 20);
    const auto reads = [&d](std::uint32_t first, std::uint32_t second) {
        d.rs1 = static_cast<std::uint8_t>(first);
        d.rs2 = static_cast<std::uint8_t>(second);
    };
    d.rd = static_cast<std::uint8_t>(rd ? rd : discard_register);
    switch (row.format) {
    case format::r:
    case format::atomic: reads(rs1, rs2); break;
    case format::r_unary: reads(rs1, 0); break;
    case format::i:
    case format::load: reads(rs1, 0), d.immediate = immediate_i(word); break;
    case format::shift: reads(rs1, 0), d.immediate = rs2; break;
    case format::store: reads(rs1, rs2), d.immediate = immediate_s(word); break;
    case format::branch:
        reads(rs1, rs2), d.immediate = pc + immediate_b(word);
        d.predicted_taken = immediate_b(word) >> 31;
        break;
    case format::u: d.immediate = (word & ~0xfffu) + (bits(word, 6, 0) == auipc ? pc : 0u); break;
    case format::jal: d.immediate = pc + immediate_j(word), d.predicted_taken = true; break;
    case format::jalr:
        reads(rs1, 0), d.immediate = immediate_i(word);
        d.predicted_taken = is_return(rd, rs1);
        break;
    case format::csr:
    case format::csr_immediate: reads(rs1, 0), d.immediate = bits(word, 31, 20); break;
    case format::none:
    case format::fence: break;
    }
    return d;
}

std::string text(std::uint32_t word, std::uint32_t pc) {
    if (is_tensix_word(word)) return fmt::format(".ttinsn 0x{:08x}", tensix_instruction(word));
    const instruction_row* row = find(word);
    if (!row) return fmt::format(".word 0x{:08x}", word);
    const decoded_instruction d = decode_fields(word, pc, *row);
    const auto name = row->mnemonic;
    const unsigned rd = d.rd == discard_register ? 0u : d.rd, rs1 = d.rs1, rs2 = d.rs2;
    switch (row->format) {
    case format::r: return fmt::format("{} x{}, x{}, x{}", name, rd, rs1, rs2);
    case format::r_unary: return fmt::format("{} x{}, x{}", name, rd, rs1);
    case format::i:
    case format::shift: return fmt::format("{} x{}, x{}, {}", name, rd, rs1, as_int(d.immediate));
    case format::load:
    case format::jalr: return fmt::format("{} x{}, {}(x{})", name, rd, as_int(d.immediate), rs1);
    case format::store: return fmt::format("{} x{}, {}(x{})", name, rs2, as_int(d.immediate), rs1);
    case format::branch: return fmt::format("{} x{}, x{}, 0x{:x}", name, rs1, rs2, d.immediate);
    case format::u: return fmt::format("{} x{}, 0x{:x}", name, rd, word >> 12);
    case format::jal: return fmt::format("{} x{}, 0x{:x}", name, rd, d.immediate);
    case format::csr: return fmt::format("{} x{}, 0x{:x}, x{}", name, rd, d.immediate, rs1);
    case format::csr_immediate: return fmt::format("{} x{}, 0x{:x}, {}", name, rd, d.immediate, rs1);
    case format::atomic: return fmt::format("{} x{}, x{}, (x{})", name, rd, rs2, rs1);
    default: return name;
    }
}

} // namespace sfpu::riscv
