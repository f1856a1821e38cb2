// The published macros: TT_OP_X gives the word of instruction X, TT_X and TTI_X issue it. Operands and
// their order are those of the public headers. Instructions that an architecture does not have are not
// defined for it.
#pragma once

#include <sfpu/kernel_recorder/arch.h>
#include <sfpu/kernel_recorder/encode.h>
#include <sfpu/kernel_recorder/recorder.h>

#include <sfpu/isa/instruction.h>

// clang-format off

#define TT_OP(opcode, params) ((static_cast<::std::uint32_t>(opcode) << 24) + (params))

#define SFPU_KERNEL_WORD(name, code, format, ...) \
    ::sfpu::kernel_recorder::encode(#name, ::sfpu::isa::opcode::code, ::sfpu::kernel_recorder::formats::format, __VA_ARGS__)
#define SFPU_KERNEL_ISSUE(word) ::sfpu::kernel_recorder::issue(::sfpu::architecture::SFPU_KERNEL_ARCH, word)
#define SFPU_KERNEL_ISSUE_COMPUTED(word) \
    ::sfpu::kernel_recorder::issue_computed(::sfpu::architecture::SFPU_KERNEL_ARCH, word)

// Load and store

#define TT_OP_SFPLOAD(lreg_ind, instr_mod0, sfpu_addr_mode, dest_reg_addr) \
    SFPU_KERNEL_WORD(SFPLOAD, sfpload, SFPU_KERNEL_ARCH::load_store, \
                     lreg_ind, instr_mod0, sfpu_addr_mode, dest_reg_addr)
#define TT_SFPLOAD(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPLOAD(__VA_ARGS__))
#define TTI_SFPLOAD(...) SFPU_KERNEL_ISSUE(TT_OP_SFPLOAD(__VA_ARGS__))

#define TT_OP_SFPLOADMACRO(lreg_ind, instr_mod0, sfpu_addr_mode, dest_reg_addr) \
    SFPU_KERNEL_WORD(SFPLOADMACRO, sfploadmacro, SFPU_KERNEL_ARCH::load_store, \
                     lreg_ind, instr_mod0, sfpu_addr_mode, dest_reg_addr)
#define TT_SFPLOADMACRO(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPLOADMACRO(__VA_ARGS__))
#define TTI_SFPLOADMACRO(...) SFPU_KERNEL_ISSUE(TT_OP_SFPLOADMACRO(__VA_ARGS__))

#define TT_OP_SFPSTORE(lreg_ind, instr_mod0, sfpu_addr_mode, dest_reg_addr) \
    SFPU_KERNEL_WORD(SFPSTORE, sfpstore, SFPU_KERNEL_ARCH::load_store, \
                     lreg_ind, instr_mod0, sfpu_addr_mode, dest_reg_addr)
#define TT_SFPSTORE(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPSTORE(__VA_ARGS__))
#define TTI_SFPSTORE(...) SFPU_KERNEL_ISSUE(TT_OP_SFPSTORE(__VA_ARGS__))

#define TT_OP_SFPLOADI(lreg_ind, instr_mod0, imm16) \
    SFPU_KERNEL_WORD(SFPLOADI, sfploadi, load_immediate, lreg_ind, instr_mod0, imm16)
#define TT_SFPLOADI(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPLOADI(__VA_ARGS__))
#define TTI_SFPLOADI(...) SFPU_KERNEL_ISSUE(TT_OP_SFPLOADI(__VA_ARGS__))

// MAD

#define TT_OP_SFPMAD(lreg_src_a, lreg_src_b, lreg_src_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPMAD, sfpmad, three_sources, lreg_src_a, lreg_src_b, lreg_src_c, lreg_dest, instr_mod1)
#define TT_SFPMAD(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPMAD(__VA_ARGS__))
#define TTI_SFPMAD(...) SFPU_KERNEL_ISSUE(TT_OP_SFPMAD(__VA_ARGS__))

#define TT_OP_SFPADD(lreg_src_a, lreg_src_b, lreg_src_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPADD, sfpadd, three_sources, lreg_src_a, lreg_src_b, lreg_src_c, lreg_dest, instr_mod1)
#define TT_SFPADD(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPADD(__VA_ARGS__))
#define TTI_SFPADD(...) SFPU_KERNEL_ISSUE(TT_OP_SFPADD(__VA_ARGS__))

#define TT_OP_SFPMUL(lreg_src_a, lreg_src_b, lreg_src_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPMUL, sfpmul, three_sources, lreg_src_a, lreg_src_b, lreg_src_c, lreg_dest, instr_mod1)
#define TT_SFPMUL(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPMUL(__VA_ARGS__))
#define TTI_SFPMUL(...) SFPU_KERNEL_ISSUE(TT_OP_SFPMUL(__VA_ARGS__))

#define TT_OP_SFPADDI(imm16_math, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPADDI, sfpaddi, imm16, imm16_math, lreg_dest, instr_mod1)
#define TT_SFPADDI(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPADDI(__VA_ARGS__))
#define TTI_SFPADDI(...) SFPU_KERNEL_ISSUE(TT_OP_SFPADDI(__VA_ARGS__))

#define TT_OP_SFPMULI(imm16_math, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPMULI, sfpmuli, imm16, imm16_math, lreg_dest, instr_mod1)
#define TT_SFPMULI(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPMULI(__VA_ARGS__))
#define TTI_SFPMULI(...) SFPU_KERNEL_ISSUE(TT_OP_SFPMULI(__VA_ARGS__))

#define TT_OP_SFPLUT(lreg_ind, instr_mod0, dest_reg_addr) \
    SFPU_KERNEL_WORD(SFPLUT, sfplut, lut, lreg_ind, instr_mod0, dest_reg_addr)
#define TT_SFPLUT(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPLUT(__VA_ARGS__))
#define TTI_SFPLUT(...) SFPU_KERNEL_ISSUE(TT_OP_SFPLUT(__VA_ARGS__))

#define TT_OP_SFPLUTFP32(lreg_dest, instr_mod1) \
    ::sfpu::kernel_recorder::repeat_modifier(SFPU_KERNEL_WORD(SFPLUTFP32, sfplutfp32, lut_fp32, lreg_dest, instr_mod1))
#define TT_SFPLUTFP32(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPLUTFP32(__VA_ARGS__))
#define TTI_SFPLUTFP32(...) SFPU_KERNEL_ISSUE(TT_OP_SFPLUTFP32(__VA_ARGS__))

// Simple

#define TT_OP_SFPDIVP2(imm12_math, lreg_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPDIVP2, sfpdivp2, imm12, imm12_math, lreg_c, lreg_dest, instr_mod1)
#define TT_SFPDIVP2(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPDIVP2(__VA_ARGS__))
#define TTI_SFPDIVP2(...) SFPU_KERNEL_ISSUE(TT_OP_SFPDIVP2(__VA_ARGS__))

#define TT_OP_SFPEXEXP(imm12_math, lreg_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPEXEXP, sfpexexp, imm12, imm12_math, lreg_c, lreg_dest, instr_mod1)
#define TT_SFPEXEXP(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPEXEXP(__VA_ARGS__))
#define TTI_SFPEXEXP(...) SFPU_KERNEL_ISSUE(TT_OP_SFPEXEXP(__VA_ARGS__))

#define TT_OP_SFPEXMAN(imm12_math, lreg_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPEXMAN, sfpexman, imm12, imm12_math, lreg_c, lreg_dest, instr_mod1)
#define TT_SFPEXMAN(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPEXMAN(__VA_ARGS__))
#define TTI_SFPEXMAN(...) SFPU_KERNEL_ISSUE(TT_OP_SFPEXMAN(__VA_ARGS__))

#define TT_OP_SFPIADD(imm12_math, lreg_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPIADD, sfpiadd, imm12, imm12_math, lreg_c, lreg_dest, instr_mod1)
#define TT_SFPIADD(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPIADD(__VA_ARGS__))
#define TTI_SFPIADD(...) SFPU_KERNEL_ISSUE(TT_OP_SFPIADD(__VA_ARGS__))

#define TT_OP_SFPSHFT(imm12_math, lreg_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPSHFT, sfpshft, imm12, imm12_math, lreg_c, lreg_dest, instr_mod1)
#define TT_SFPSHFT(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPSHFT(__VA_ARGS__))
#define TTI_SFPSHFT(...) SFPU_KERNEL_ISSUE(TT_OP_SFPSHFT(__VA_ARGS__))

#define TT_OP_SFPSETCC(imm12_math, lreg_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPSETCC, sfpsetcc, imm12, imm12_math, lreg_c, lreg_dest, instr_mod1)
#define TT_SFPSETCC(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPSETCC(__VA_ARGS__))
#define TTI_SFPSETCC(...) SFPU_KERNEL_ISSUE(TT_OP_SFPSETCC(__VA_ARGS__))

#define TT_OP_SFPMOV(imm12_math, lreg_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPMOV, sfpmov, imm12, imm12_math, lreg_c, lreg_dest, instr_mod1)
#define TT_SFPMOV(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPMOV(__VA_ARGS__))
#define TTI_SFPMOV(...) SFPU_KERNEL_ISSUE(TT_OP_SFPMOV(__VA_ARGS__))

#define TT_OP_SFPABS(imm12_math, lreg_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPABS, sfpabs, imm12, imm12_math, lreg_c, lreg_dest, instr_mod1)
#define TT_SFPABS(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPABS(__VA_ARGS__))
#define TTI_SFPABS(...) SFPU_KERNEL_ISSUE(TT_OP_SFPABS(__VA_ARGS__))

#define TT_OP_SFPAND(imm12_math, lreg_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPAND, sfpand, imm12, imm12_math, lreg_c, lreg_dest, instr_mod1)
#define TT_SFPAND(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPAND(__VA_ARGS__))
#define TTI_SFPAND(...) SFPU_KERNEL_ISSUE(TT_OP_SFPAND(__VA_ARGS__))

#define TT_OP_SFPOR(imm12_math, lreg_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPOR, sfpor, imm12, imm12_math, lreg_c, lreg_dest, instr_mod1)
#define TT_SFPOR(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPOR(__VA_ARGS__))
#define TTI_SFPOR(...) SFPU_KERNEL_ISSUE(TT_OP_SFPOR(__VA_ARGS__))

#define TT_OP_SFPNOT(imm12_math, lreg_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPNOT, sfpnot, imm12, imm12_math, lreg_c, lreg_dest, instr_mod1)
#define TT_SFPNOT(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPNOT(__VA_ARGS__))
#define TTI_SFPNOT(...) SFPU_KERNEL_ISSUE(TT_OP_SFPNOT(__VA_ARGS__))

#define TT_OP_SFPLZ(imm12_math, lreg_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPLZ, sfplz, imm12, imm12_math, lreg_c, lreg_dest, instr_mod1)
#define TT_SFPLZ(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPLZ(__VA_ARGS__))
#define TTI_SFPLZ(...) SFPU_KERNEL_ISSUE(TT_OP_SFPLZ(__VA_ARGS__))

#define TT_OP_SFPSETEXP(imm12_math, lreg_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPSETEXP, sfpsetexp, imm12, imm12_math, lreg_c, lreg_dest, instr_mod1)
#define TT_SFPSETEXP(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPSETEXP(__VA_ARGS__))
#define TTI_SFPSETEXP(...) SFPU_KERNEL_ISSUE(TT_OP_SFPSETEXP(__VA_ARGS__))

#define TT_OP_SFPSETMAN(imm12_math, lreg_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPSETMAN, sfpsetman, imm12, imm12_math, lreg_c, lreg_dest, instr_mod1)
#define TT_SFPSETMAN(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPSETMAN(__VA_ARGS__))
#define TTI_SFPSETMAN(...) SFPU_KERNEL_ISSUE(TT_OP_SFPSETMAN(__VA_ARGS__))

#define TT_OP_SFPPUSHC(imm12_math, lreg_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPPUSHC, sfppushc, imm12, imm12_math, lreg_c, lreg_dest, instr_mod1)
#define TT_SFPPUSHC(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPPUSHC(__VA_ARGS__))
#define TTI_SFPPUSHC(...) SFPU_KERNEL_ISSUE(TT_OP_SFPPUSHC(__VA_ARGS__))

#define TT_OP_SFPPOPC(imm12_math, lreg_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPPOPC, sfppopc, imm12, imm12_math, lreg_c, lreg_dest, instr_mod1)
#define TT_SFPPOPC(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPPOPC(__VA_ARGS__))
#define TTI_SFPPOPC(...) SFPU_KERNEL_ISSUE(TT_OP_SFPPOPC(__VA_ARGS__))

#define TT_OP_SFPSETSGN(imm12_math, lreg_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPSETSGN, sfpsetsgn, imm12, imm12_math, lreg_c, lreg_dest, instr_mod1)
#define TT_SFPSETSGN(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPSETSGN(__VA_ARGS__))
#define TTI_SFPSETSGN(...) SFPU_KERNEL_ISSUE(TT_OP_SFPSETSGN(__VA_ARGS__))

#define TT_OP_SFPENCC(imm12_math, lreg_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPENCC, sfpencc, imm12, imm12_math, lreg_c, lreg_dest, instr_mod1)
#define TT_SFPENCC(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPENCC(__VA_ARGS__))
#define TTI_SFPENCC(...) SFPU_KERNEL_ISSUE(TT_OP_SFPENCC(__VA_ARGS__))

#define TT_OP_SFPCOMPC(imm12_math, lreg_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPCOMPC, sfpcompc, imm12, imm12_math, lreg_c, lreg_dest, instr_mod1)
#define TT_SFPCOMPC(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPCOMPC(__VA_ARGS__))
#define TTI_SFPCOMPC(...) SFPU_KERNEL_ISSUE(TT_OP_SFPCOMPC(__VA_ARGS__))

#define TT_OP_SFPTRANSP(imm12_math, lreg_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPTRANSP, sfptransp, imm12, imm12_math, lreg_c, lreg_dest, instr_mod1)
#define TT_SFPTRANSP(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPTRANSP(__VA_ARGS__))
#define TTI_SFPTRANSP(...) SFPU_KERNEL_ISSUE(TT_OP_SFPTRANSP(__VA_ARGS__))

#define TT_OP_SFPXOR(imm12_math, lreg_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPXOR, sfpxor, imm12, imm12_math, lreg_c, lreg_dest, instr_mod1)
#define TT_SFPXOR(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPXOR(__VA_ARGS__))
#define TTI_SFPXOR(...) SFPU_KERNEL_ISSUE(TT_OP_SFPXOR(__VA_ARGS__))

#define TT_OP_SFPCAST(lreg_src_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPCAST, sfpcast, cast, lreg_src_c, lreg_dest, instr_mod1)
#define TT_SFPCAST(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPCAST(__VA_ARGS__))
#define TTI_SFPCAST(...) SFPU_KERNEL_ISSUE(TT_OP_SFPCAST(__VA_ARGS__))

#define TT_OP_SFPCONFIG(imm16_math, config_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPCONFIG, sfpconfig, config, imm16_math, config_dest, instr_mod1)
#define TT_SFPCONFIG(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPCONFIG(__VA_ARGS__))
#define TTI_SFPCONFIG(...) SFPU_KERNEL_ISSUE(TT_OP_SFPCONFIG(__VA_ARGS__))

#define TT_OP_SFPSWAP(imm12_math, lreg_src_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPSWAP, sfpswap, imm12, imm12_math, lreg_src_c, lreg_dest, instr_mod1)
#define TT_SFPSWAP(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPSWAP(__VA_ARGS__))
#define TTI_SFPSWAP(...) SFPU_KERNEL_ISSUE(TT_OP_SFPSWAP(__VA_ARGS__))

// Round

#define TT_OP_SFP_STOCH_RND(rnd_mode, imm8_math, lreg_src_b, lreg_src_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFP_STOCH_RND, sfpstochrnd, stochastic_round, \
                     rnd_mode, imm8_math, lreg_src_b, lreg_src_c, lreg_dest, instr_mod1)
#define TT_SFP_STOCH_RND(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFP_STOCH_RND(__VA_ARGS__))
#define TTI_SFP_STOCH_RND(...) SFPU_KERNEL_ISSUE(TT_OP_SFP_STOCH_RND(__VA_ARGS__))

#define TT_OP_SFPSHFT2(imm12_math, lreg_src_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPSHFT2, sfpshft2, imm12, imm12_math, lreg_src_c, lreg_dest, instr_mod1)
#define TT_SFPSHFT2(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPSHFT2(__VA_ARGS__))
#define TTI_SFPSHFT2(...) SFPU_KERNEL_ISSUE(TT_OP_SFPSHFT2(__VA_ARGS__))

// Blackhole only

#ifdef ARCH_BLACKHOLE

#define TT_OP_SFPMUL24(lreg_src_a, lreg_src_b, lreg_src_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPMUL24, sfpmul24, three_sources, \
                     lreg_src_a, lreg_src_b, lreg_src_c, lreg_dest, instr_mod1)
#define TT_SFPMUL24(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPMUL24(__VA_ARGS__))
#define TTI_SFPMUL24(...) SFPU_KERNEL_ISSUE(TT_OP_SFPMUL24(__VA_ARGS__))

#define TT_OP_SFPLE(imm12_math, lreg_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPLE, sfple, imm12, imm12_math, lreg_c, lreg_dest, instr_mod1)
#define TT_SFPLE(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPLE(__VA_ARGS__))
#define TTI_SFPLE(...) SFPU_KERNEL_ISSUE(TT_OP_SFPLE(__VA_ARGS__))

#define TT_OP_SFPGT(imm12_math, lreg_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPGT, sfpgt, imm12, imm12_math, lreg_c, lreg_dest, instr_mod1)
#define TT_SFPGT(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPGT(__VA_ARGS__))
#define TTI_SFPGT(...) SFPU_KERNEL_ISSUE(TT_OP_SFPGT(__VA_ARGS__))

#define TT_OP_SFPARECIP(imm12_math, lreg_c, lreg_dest, instr_mod1) \
    SFPU_KERNEL_WORD(SFPARECIP, sfparecip, imm12, imm12_math, lreg_c, lreg_dest, instr_mod1)
#define TT_SFPARECIP(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SFPARECIP(__VA_ARGS__))
#define TTI_SFPARECIP(...) SFPU_KERNEL_ISSUE(TT_OP_SFPARECIP(__VA_ARGS__))

#endif

// Front end. REPLAY is expanded by the recorder.

#define TT_OP_INCRWC(rwc_cr, rwc_d, rwc_b, rwc_a) \
    SFPU_KERNEL_WORD(INCRWC, incrwc, increment_counters, rwc_cr, rwc_d, rwc_b, rwc_a)
#define TT_INCRWC(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_INCRWC(__VA_ARGS__))
#define TTI_INCRWC(...) SFPU_KERNEL_ISSUE(TT_OP_INCRWC(__VA_ARGS__))

#define TT_OP_SETRWC(clear_ab_vld, rwc_cr, rwc_d, rwc_b, rwc_a, BitMask) \
    SFPU_KERNEL_WORD(SETRWC, setrwc, set_counters, clear_ab_vld, rwc_cr, rwc_d, rwc_b, rwc_a, BitMask)
#define TT_SETRWC(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SETRWC(__VA_ARGS__))
#define TTI_SETRWC(...) SFPU_KERNEL_ISSUE(TT_OP_SETRWC(__VA_ARGS__))

#define TT_OP_SETC16(setc16_reg, setc16_value) \
    SFPU_KERNEL_WORD(SETC16, setc16, set_config, setc16_reg, setc16_value)
#define TT_SETC16(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SETC16(__VA_ARGS__))
#define TTI_SETC16(...) SFPU_KERNEL_ISSUE(TT_OP_SETC16(__VA_ARGS__))

#define TT_OP_STALLWAIT(stall_res, wait_res) \
    SFPU_KERNEL_WORD(STALLWAIT, stallwait, stall_wait, stall_res, wait_res)
#define TT_STALLWAIT(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_STALLWAIT(__VA_ARGS__))
#define TTI_STALLWAIT(...) SFPU_KERNEL_ISSUE(TT_OP_STALLWAIT(__VA_ARGS__))

#define TT_OP_ATGETM(mutex_index) SFPU_KERNEL_WORD(ATGETM, atgetm, mutex, mutex_index)
#define TT_ATGETM(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_ATGETM(__VA_ARGS__))
#define TTI_ATGETM(...) SFPU_KERNEL_ISSUE(TT_OP_ATGETM(__VA_ARGS__))

#define TT_OP_ATRELM(mutex_index) SFPU_KERNEL_WORD(ATRELM, atrelm, mutex, mutex_index)
#define TT_ATRELM(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_ATRELM(__VA_ARGS__))
#define TTI_ATRELM(...) SFPU_KERNEL_ISSUE(TT_OP_ATRELM(__VA_ARGS__))

#define TT_OP_SEMINIT(max_value, init_value, sem_sel) \
    SFPU_KERNEL_WORD(SEMINIT, seminit, sem_init, max_value, init_value, sem_sel)
#define TT_SEMINIT(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SEMINIT(__VA_ARGS__))
#define TTI_SEMINIT(...) SFPU_KERNEL_ISSUE(TT_OP_SEMINIT(__VA_ARGS__))

#define TT_OP_SEMPOST(sem_sel) \
    SFPU_KERNEL_WORD(SEMPOST, sempost, sem_change, sem_sel)
#define TT_SEMPOST(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SEMPOST(__VA_ARGS__))
#define TTI_SEMPOST(...) SFPU_KERNEL_ISSUE(TT_OP_SEMPOST(__VA_ARGS__))

#define TT_OP_SEMGET(sem_sel) \
    SFPU_KERNEL_WORD(SEMGET, semget, sem_change, sem_sel)
#define TT_SEMGET(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SEMGET(__VA_ARGS__))
#define TTI_SEMGET(...) SFPU_KERNEL_ISSUE(TT_OP_SEMGET(__VA_ARGS__))

#define TT_OP_SEMWAIT(stall_res, sem_sel, wait_sem_cond) \
    SFPU_KERNEL_WORD(SEMWAIT, semwait, sem_wait, stall_res, sem_sel, wait_sem_cond)
#define TT_SEMWAIT(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_SEMWAIT(__VA_ARGS__))
#define TTI_SEMWAIT(...) SFPU_KERNEL_ISSUE(TT_OP_SEMWAIT(__VA_ARGS__))

#define TT_OP_REPLAY(start_idx, len, execute_while_loading, load_mode) \
    SFPU_KERNEL_WORD(REPLAY, replay, replay, start_idx, len, execute_while_loading, load_mode)
#define TT_REPLAY(...) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP_REPLAY(__VA_ARGS__))
#define TTI_REPLAY(...) SFPU_KERNEL_ISSUE(TT_OP_REPLAY(__VA_ARGS__))

// Without operands, and without parentheses

#define TT_OP_NOP TT_OP(::sfpu::isa::opcode::nop, 0)
#define TT_NOP SFPU_KERNEL_ISSUE(TT_OP_NOP)
#define TTI_NOP SFPU_KERNEL_ISSUE(TT_OP_NOP)

#define TT_OP_SFPNOP TT_OP(::sfpu::isa::opcode::sfpnop, 0)
#define TT_SFPNOP SFPU_KERNEL_ISSUE(TT_OP_SFPNOP)
#define TTI_SFPNOP SFPU_KERNEL_ISSUE(TT_OP_SFPNOP)

// clang-format on
