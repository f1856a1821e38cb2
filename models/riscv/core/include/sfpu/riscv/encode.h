// The words of RISC-V instructions, for small programs: written from the formats of the specification and not
// from the table that decodes them.
#pragma once

#include <cstdint>

namespace sfpu::riscv::encode {

using word = std::uint32_t;

constexpr word r_type(unsigned f7, unsigned f3, unsigned rd, unsigned rs1, unsigned rs2,
                      unsigned opcode = 0x33) {
    return f7 << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | rd << 7 | opcode;
}
constexpr word i_type(unsigned opcode, unsigned f3, unsigned rd, unsigned rs1, int immediate) {
    return (static_cast<word>(immediate) & 0xfffu) << 20 | rs1 << 15 | f3 << 12 | rd << 7 | opcode;
}
constexpr word s_type(unsigned f3, unsigned rs2, unsigned rs1, int immediate) {
    const word bits = static_cast<word>(immediate);
    return (bits >> 5 & 0x7fu) << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | (bits & 31u) << 7 | 0x23u;
}
constexpr word branch(unsigned f3, unsigned rs1, unsigned rs2, int offset) {
    const word bits = static_cast<word>(offset);
    return (bits >> 12 & 1u) << 31 | (bits >> 5 & 0x3fu) << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 |
           (bits >> 1 & 0xfu) << 8 | (bits >> 11 & 1u) << 7 | 0x63u;
}
constexpr word jal(unsigned rd, int offset) {
    const word bits = static_cast<word>(offset);
    return (bits >> 20 & 1u) << 31 | (bits >> 1 & 0x3ffu) << 21 | (bits >> 11 & 1u) << 20 |
           (bits >> 12 & 0xffu) << 12 | rd << 7 | 0x6fu;
}
constexpr word jalr(unsigned rd, unsigned rs1, int offset) { return i_type(0x67, 0, rd, rs1, offset); }
constexpr word lui(unsigned rd, word upper) { return (upper & 0xfffff000u) | rd << 7 | 0x37u; }
constexpr word auipc(unsigned rd, word upper) { return (upper & 0xfffff000u) | rd << 7 | 0x17u; }
constexpr word addi(unsigned rd, unsigned rs1, int immediate) { return i_type(0x13, 0, rd, rs1, immediate); }
constexpr word andi(unsigned rd, unsigned rs1, int immediate) { return i_type(0x13, 7, rd, rs1, immediate); }
constexpr word slli(unsigned rd, unsigned rs1, int distance) { return i_type(0x13, 1, rd, rs1, distance); }
constexpr word add(unsigned rd, unsigned rs1, unsigned rs2) { return r_type(0, 0, rd, rs1, rs2); }
constexpr word sub(unsigned rd, unsigned rs1, unsigned rs2) { return r_type(0x20, 0, rd, rs1, rs2); }
constexpr word or_(unsigned rd, unsigned rs1, unsigned rs2) { return r_type(0, 6, rd, rs1, rs2); }
constexpr word mul(unsigned rd, unsigned rs1, unsigned rs2) { return r_type(1, 0, rd, rs1, rs2); }
constexpr word divu(unsigned rd, unsigned rs1, unsigned rs2) { return r_type(1, 5, rd, rs1, rs2); }
constexpr word div(unsigned rd, unsigned rs1, unsigned rs2) { return r_type(1, 4, rd, rs1, rs2); }
constexpr word lw(unsigned rd, unsigned rs1, int offset) { return i_type(0x03, 2, rd, rs1, offset); }
constexpr word sw(unsigned rs2, unsigned rs1, int offset) { return s_type(2, rs2, rs1, offset); }
constexpr word amoadd(unsigned rd, unsigned rs1, unsigned rs2) { return r_type(0, 2, rd, rs1, rs2, 0x2f); }
constexpr word csrrw(unsigned rd, unsigned number, unsigned rs1) {
    return i_type(0x73, 1, rd, rs1, static_cast<int>(number));
}
constexpr word csrrs(unsigned rd, unsigned number, unsigned rs1) {
    return i_type(0x73, 2, rd, rs1, static_cast<int>(number));
}
constexpr word csrrc(unsigned rd, unsigned number, unsigned rs1) {
    return i_type(0x73, 3, rd, rs1, static_cast<int>(number));
}
constexpr word csrrwi(unsigned rd, unsigned number, unsigned value) {
    return i_type(0x73, 5, rd, value, static_cast<int>(number));
}
constexpr word nop = 0x00000013, ecall = 0x00000073, ebreak = 0x00100073, mret = 0x30200073, wfi = 0x10500073,
               fence = 0x0ff0000f, fence_i = 0x0000100f, illegal = 0xffffffff;
constexpr word ttinsn(word tensix) { return tensix << 2 | tensix >> 30; }

} // namespace sfpu::riscv::encode
