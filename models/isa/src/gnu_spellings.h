// How the public assembler spells what our rows describe: the order of the operands, and where it differs
// from our rows. Source: its opcode table and its tests of both chips (docs/kernels.md).
#pragma once

#include <sfpu/isa/instruction.h>

#include <cstdint>

namespace sfpu::isa {

enum class spelled_on : std::uint8_t { both, wormhole, blackhole };

/// One spelling of an opcode.
struct gnu_spelling {
    std::uint8_t opcode;
    const char* operands;        ///< names of operands of the row, or below, in the order of the text
    std::uint16_t bare = 0xffff; ///< modifiers that it takes with an immediate of 0: bit n is modifier n
    std::uint16_t immediate = 0; ///< modifiers that it takes with any immediate
    bool is_signed = false;      ///< the immediate is signed then
    std::uint8_t registers = 8;  ///< how many the destination can be
    std::uint32_t fixed = 0;     ///< bits that the mnemonic stands for
    spelled_on where = spelled_on::both;
    bool earlier = false; ///< of earlier versions: read, not written
};

/// Operands that our rows do not have, or not as wide. Opcode 0: of every instruction.
struct gnu_operand {
    std::uint8_t opcode;
    operand what;
};

namespace gnu {
using k = operand_kind;
constexpr std::uint32_t va_is_one = 10u << 16, vc_is_zero = 9u << 8;
constexpr std::uint16_t any = 0xffff;

constexpr gnu_operand operands[] = {
    // fields that the rows do not use to their end
    {opcode::replay, {"execute_while_loading", k::number, 1, 3}},
    {opcode::mop_cfg, {"mask_hi", k::number, 0, 24}},
    {opcode::atgetm, {"mutex", k::number, 0, 24}},
    {opcode::atrelm, {"mutex", k::number, 0, 24}},
    {opcode::seminit, {"semaphores", k::number, 2, 14}},
    {opcode::sempost, {"semaphores", k::number, 2, 22}},
    {opcode::semget, {"semaphores", k::number, 2, 22}},
    {opcode::semwait, {"semaphores", k::number, 2, 13}},
    // registers that stand in an immediate of the rows
    {opcode::sfpand, {"b", k::lreg, 12, 4}},
    {opcode::sfpor, {"b", k::lreg, 12, 4}},
    // an operand that is always 0
    {opcode::sfple, {"zero", k::number, 12, 4}},
    {opcode::sfpgt, {"zero", k::number, 12, 4}},
    // earlier versions gave the addend of a product and the factor of a sum, and macro and register in one
    {opcode::sfploadmacro, {"lreg_ind", k::lreg, 20, 4}},
    {opcode::sfploadmacro, {"whole_addr", k::number, 0, 13}},
};

// clang-format off
constexpr gnu_spelling spellings[] = {
    {opcode::nop, ""},
    {opcode::mop, "type loop_count mask_or_count"},
    {opcode::mop_cfg, "mask_hi"},
    {opcode::replay, "start length execute_while_loading load"},
    {opcode::setrwc, "clear_valid cr d b a mask"},
    {opcode::incrwc, "cr d b a"},
    {opcode::setc16, "register value"},
    {opcode::atgetm, "mutex"},
    {opcode::atrelm, "mutex"},
    {opcode::stallwait, "block condition"},
    {opcode::seminit, "max value semaphores"},
    {opcode::sempost, "semaphores"},
    {opcode::semget, "semaphores"},
    {opcode::semwait, "block semaphores condition"},

    {opcode::sfpload, "lreg dst_addr mode addr_mod", 0xffff, 0, false, 8, 0, spelled_on::wormhole},
    {opcode::sfpload, "lreg dst_addr mode addr_mod", 0xcfff, 0, false, 8, 0, spelled_on::blackhole},
    {opcode::sfploadi, "lreg imm16 mode", 0x071f},
    {opcode::sfploadmacro, "macro lreg dst_addr mode addr_mod", 0xf3ff},
    {opcode::sfploadmacro, "lreg_ind whole_addr mode addr_mod", any, 0, false, 16, 0, spelled_on::both, true},
    {opcode::sfpnop, ""},
    {opcode::sfpstore, "lreg dst_addr mode addr_mod", 0xffff, 0, false, 16, 0, spelled_on::wormhole},
    {opcode::sfpstore, "lreg dst_addr mode addr_mod", 0xcfff, 0, false, 16, 0, spelled_on::blackhole},
    {opcode::sfpstore, "dst_addr lreg mode addr_mod", any, 0, false, 16, 0, spelled_on::both, true},

    {opcode::sfplut, "lreg mode", 0x1111},
    {opcode::sfpmuli, "dest imm16 mod", 0x1111},
    {opcode::sfpaddi, "dest imm16 mod", 0x1111},
    {opcode::sfpmad, "dest a b c mod", 0x0001, 0, false, 8, 0, spelled_on::wormhole},
    {opcode::sfpmad, "dest a b c mod", 0x000f, 0, false, 8, 0, spelled_on::blackhole},
    {opcode::sfpadd, "dest b c mod", 0x0001, 0, false, 8, va_is_one, spelled_on::wormhole},
    {opcode::sfpadd, "dest b c mod", 0x000f, 0, false, 8, va_is_one, spelled_on::blackhole},
    {opcode::sfpadd, "dest a b c mod", any, 0, false, 8, 0, spelled_on::both, true},
    {opcode::sfpmul, "dest a b mod", 0x0001, 0, false, 8, vc_is_zero, spelled_on::wormhole},
    {opcode::sfpmul, "dest a b mod", 0x000f, 0, false, 8, vc_is_zero, spelled_on::blackhole},
    {opcode::sfpmul, "dest a b c mod", any, 0, false, 8, 0, spelled_on::both, true},
    {opcode::sfplutfp32, "dest mod", 0x44dd},
    {opcode::sfpmul24, "dest a b mod", 0x3333, 0, false, 8, vc_is_zero},

    {opcode::sfpdivp2, "dest c imm12 mod", 0, 0x0003, true},
    {opcode::sfpexexp, "dest c mod", 0x0f0f},
    {opcode::sfpexman, "dest c mod", 0x0003},
    {opcode::sfpiadd, "dest c imm12 mod", 0x0555, 0x0222, true},
    {opcode::sfpshft, "dest c imm12 mod", 0x0001, 0x0002, true, 8, 0, spelled_on::wormhole},
    {opcode::sfpshft, "dest c imm12 mod", 0x000d, 0x00a2, true, 8, 0, spelled_on::blackhole},
    {opcode::sfpsetcc, "c imm12 mod", 0xfffd, 0x0002},
    {opcode::sfpmov, "dest c mod", 0x0107},
    {opcode::sfpabs, "dest c mod", 0x0003},
    {opcode::sfpand, "dest c", any, 0, false, 8, 0, spelled_on::wormhole},
    {opcode::sfpand, "dest b c mod", 0x0003, 0, false, 8, 0, spelled_on::blackhole},
    {opcode::sfpand, "dest c", any, 0, false, 8, 0, spelled_on::blackhole, true},
    {opcode::sfpor, "dest c", any, 0, false, 8, 0, spelled_on::wormhole},
    {opcode::sfpor, "dest b c mod", 0x0003, 0, false, 8, 0, spelled_on::blackhole},
    {opcode::sfpor, "dest c", any, 0, false, 8, 0, spelled_on::blackhole, true},
    {opcode::sfpnot, "dest c"},
    {opcode::sfplz, "dest c mod", 0x5555},
    {opcode::sfpsetexp, "dest c imm12 mod", 0x0005, 0x0002},
    {opcode::sfpsetman, "dest c imm12 mod", 0x0001, 0x0002},
    {opcode::sfpsetsgn, "dest c imm12 mod", 0x0001, 0x0002},
    {opcode::sfppushc, "mod"},
    {opcode::sfppopc, "mod"},
    {opcode::sfpencc, "imm12 mod", 0x0003, 0x0704},
    {opcode::sfpencc, "mod imm12", 0x0003, 0x0704, false, 8, 0, spelled_on::both, true},
    {opcode::sfpcompc, ""},
    {opcode::sfptransp, ""},
    {opcode::sfpxor, "dest c"},
    {opcode::sfpcast, "dest c mod", 0x0003, 0, false, 8, 0, spelled_on::wormhole},
    {opcode::sfpcast, "dest c mod", 0x000f, 0, false, 8, 0, spelled_on::blackhole},
    {opcode::sfpconfig, "config_dest imm16 mod", 0xd7ff},
    {opcode::sfpswap, "dest c mod", 0x01ff, 0, false, 12},
    {opcode::sfple, "dest c zero mod"},
    {opcode::sfpgt, "dest c zero mod"},
    {opcode::sfparecip, "dest c mod", 0x0007},

    {opcode::sfpstochrnd, "dest b c imm8 mod rounding", 0x00ff, 0x3000},
    {opcode::sfpshft2, "dest c imm12 mod", 0x007f},
};
// clang-format on
} // namespace gnu

} // namespace sfpu::isa
