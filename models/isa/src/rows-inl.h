// The instruction table: one row an opcode. Everything else (decoder, assembler, disassembler, hazards, documents)
// follows from it; to add an instruction, add its semantics and its row.
#if defined(SFPU_ISA_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SFPU_ISA_ROWS_INL_H
#undef SFPU_ISA_ROWS_INL_H
#else
#define SFPU_ISA_ROWS_INL_H
#endif

#include "semantics/load_store-inl.h"
#include "semantics/mad-inl.h"
#include "semantics/round-inl.h"
#include "semantics/simple-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfpu::isa {
namespace HWY_NAMESPACE {

using k = operand_kind;
using u = sub_unit;
using lat = latency_class;
constexpr bool backdoor = true, no_backdoor = false, both = true, blackhole_only = false;
constexpr bool vb_is_vd = true, vc_is_vd = true, plain = false;

// clang-format off
const row rows[] = {
// front end
{opcode::nop, "nop", "NOP", both, u::front_end, lat::none, layout::front_end, no_backdoor, plain, plain, {}, nullptr,
 "takes an issue slot", uses::nothing, defs::always, no_operation},
{opcode::setrwc, "setrwc", "SETRWC", both, u::front_end, lat::one, layout::front_end, no_backdoor, plain, plain,
 {{"clear_valid", k::number, 22, 2}, {"cr", k::number, 18, 4}, {"d", k::number, 14, 4}, {"b", k::number, 10, 4}, {"a", k::number, 6, 4}, {"mask", k::number, 0, 6}}, nullptr,
 "set address counters", uses::nothing, defs::always, no_operation},
{opcode::incrwc, "incrwc", "INCRWC", both, u::front_end, lat::one, layout::front_end, no_backdoor, plain, plain,
 {{"cr", k::number, 18, 6}, {"d", k::number, 14, 4}, {"b", k::number, 10, 4}, {"a", k::number, 6, 4}}, nullptr,
 "increment address counters", uses::nothing, defs::always, no_operation},
{opcode::setc16, "setc16", "SETC16", both, u::front_end, lat::one, layout::front_end, no_backdoor, plain, plain,
 {{"register", k::number, 16, 8}, {"value", k::number, 0, 16}}, nullptr,
 "ThreadConfig[register] = value", uses::nothing, defs::always, no_operation},

// load
{opcode::sfpload, "sfpload", "SFPLOAD", both, u::load, lat::one, layout::mod0_address, no_backdoor, plain, plain,
 {op::lreg_20, op::mode_16, op::address_mode, op::dst_address}, names::dst,
 "VD = convert(Dst[address])", uses::load, defs::always, load},
{opcode::sfploadi, "sfploadi", "SFPLOADI", both, u::load, lat::one, layout::mod0_imm16, no_backdoor, plain, plain,
 {op::lreg_20, op::mode_16, {"imm16", k::signed_number, 0, 16}}, names::sfploadi,
 "VD = convert(Imm16)", uses::load_immediate, defs::load_immediate, load_immediate},
{opcode::sfploadmacro, "sfploadmacro", "SFPLOADMACRO", both, u::load, lat::one, layout::mod0_address, no_backdoor, plain, plain,
 {{"macro", k::macro, 22, 2}, {"lreg", k::split_lreg, 20, 3}, op::mode_16, op::address_mode, {"dst_addr", k::macro_dst, 0, 10}}, names::dst,
 "VD = convert(Dst[address]), then schedule up to four instructions", uses::load, defs::always, load},
{opcode::sfpnop, "sfpnop", "SFPNOP", both, u::load, lat::none, layout::imm12, no_backdoor, plain, plain, {}, nullptr,
 "nothing", uses::nothing, defs::always, no_operation},

// store
{opcode::sfpstore, "sfpstore", "SFPSTORE", both, u::store, lat::one, layout::mod0_address, backdoor, plain, plain,
 {op::lreg_20, op::mode_16, op::address_mode, op::dst_address}, names::dst,
 "Dst[address] = convert(VD)", uses::store, defs::always, store},

// MAD
{opcode::sfplut, "sfplut", "SFPLUT", both, u::mad, lat::mad, layout::mod0_address, backdoor, plain, plain,
 {op::lreg_20, op::mode_16, op::dst_address}, names::sfplut,
 "VD = a * |L3| + c, 8-bit a and c from L0, L1 or L2 by |L3|", uses::lut, defs::lut, sfplut},
{opcode::sfpmuli, "sfpmuli", "SFPMULI", both, u::mad, lat::mad, layout::imm16, backdoor, plain, vc_is_vd,
 {{"imm16", k::signed_number, 8, 16}, op::dest, op::mod}, names::sfpmad,
 "VD = bf16(Imm16) * +-VD + 0", uses::mad_immediate, defs::mad_immediate, sfpmuli},
{opcode::sfpaddi, "sfpaddi", "SFPADDI", both, u::mad, lat::mad, layout::imm16, backdoor, plain, vc_is_vd,
 {{"imm16", k::signed_number, 8, 16}, op::dest, op::mod}, names::sfpmad,
 "VD = bf16(Imm16) + +-VD", uses::mad_immediate, defs::mad_immediate, sfpaddi},
{opcode::sfpmad, "sfpmad", "SFPMAD", both, u::mad, lat::mad, layout::imm12, backdoor, plain, plain,
 {op::a, op::b, op::c, op::dest, op::mod}, names::sfpmad, "VD = +-VA * VB +- VC", uses::mad, defs::mad, sfpmad},
{opcode::sfpadd, "sfpadd", "SFPADD", both, u::mad, lat::mad, layout::imm12, backdoor, plain, plain,
 {op::a, op::b, op::c, op::dest, op::mod}, names::sfpmad, "VD = +-VA * VB +- VC (VA is 1 by convention)", uses::mad, defs::mad, sfpmad},
{opcode::sfpmul, "sfpmul", "SFPMUL", both, u::mad, lat::mad, layout::imm12, backdoor, plain, plain,
 {op::a, op::b, op::c, op::dest, op::mod}, names::sfpmad, "VD = +-VA * VB +- VC (VC is 0 by convention)", uses::mad, defs::mad, sfpmad},
{opcode::sfplutfp32, "sfplutfp32", "SFPLUTFP32", both, u::mad, lat::mad, layout::imm12, backdoor, plain, plain,
 {op::dest, {"mod", k::mode, 0, 4}}, names::sfplutfp32,
 "VD = a * |L3| + c, a and c from L0-L2 and L4-L6 by |L3|", uses::lutfp32, defs::always, sfplutfp32},
{opcode::sfpmul24, "sfpmul24", "SFPMUL24", blackhole_only, u::mad, lat::mad, layout::imm12, backdoor, plain, plain,
 {op::a, op::b, op::c, op::dest, op::mod}, names::sfpmul24,
 "VD = lower or upper 23 bits of VA * VB (23-bit integers)", uses::mad, defs::mul24, sfpmul24},

// Simple
{opcode::sfpdivp2, "sfpdivp2", "SFPDIVP2", both, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpdivp2, "VD = VC with exponent Imm8 or exponent + Imm8", uses::c_only, defs::bit0, sfpdivp2},
{opcode::sfpexexp, "sfpexexp", "SFPEXEXP", both, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpexexp, "VD = exponent of VC, with or without bias; flags by its sign", uses::c_only, defs::bits013, sfpexexp},
{opcode::sfpexman, "sfpexman", "SFPEXMAN", both, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpexman, "VD = mantissa of VC, with or without the hidden bit", uses::c_only, defs::bit0, sfpexman},
{opcode::sfpiadd, "sfpiadd", "SFPIADD", both, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpiadd, "VD = VC +- VD or VC + Imm12; flags by its sign", uses::iadd, defs::always, sfpiadd},
{opcode::sfpshft, "sfpshft", "SFPSHFT", both, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpshft, "VD = VD (or VC) shifted by VC or Imm12; negative is right", uses::shft, defs::shft, sfpshft},
{opcode::sfpsetcc, "sfpsetcc", "SFPSETCC", both, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpsetcc, "flags = VC compared with 0, or Imm1", uses::setcc, defs::setcc, sfpsetcc},
{opcode::sfpmov, "sfpmov", "SFPMOV", both, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpmov, "VD = +-VC, or configuration, or random bits", uses::mov, defs::mov, sfpmov},
{opcode::sfpabs, "sfpabs", "SFPABS", both, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpabs, "VD = |VC|, integer or FP32", uses::c_only, defs::bit0, sfpabs},
{opcode::sfpand, "sfpand", "SFPAND", both, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpand, "VD = VB & VC", uses::and_or, defs::and_or, sfpand},
{opcode::sfpor, "sfpor", "SFPOR", both, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpor, "VD = VB | VC", uses::and_or, defs::and_or, sfpor},
{opcode::sfpnot, "sfpnot", "SFPNOT", both, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, nullptr, "VD = ~VC", uses::c_only, defs::mod_zero, sfpnot},
{opcode::sfplz, "sfplz", "SFPLZ", both, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfplz, "VD = leading zeros of VC; flags by VC != 0", uses::c_only, defs::lz, sfplz},
{opcode::sfpsetexp, "sfpsetexp", "SFPSETEXP", both, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpsetexp, "VD = VC with the exponent of Imm8 or VD", uses::set_field, defs::bits01, sfpsetexp},
{opcode::sfpsetman, "sfpsetman", "SFPSETMAN", both, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpsetman, "VD = VC with the mantissa of Imm12 or VD", uses::set_field, defs::bit0, sfpsetman},
{opcode::sfppushc, "sfppushc", "SFPPUSHC", both, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, nullptr, "push the flags, or change the top of the flag stack", uses::nothing, defs::pushc, sfppushc},
{opcode::sfppopc, "sfppopc", "SFPPOPC", both, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, nullptr, "pop the flags, or combine them with the top of the stack", uses::nothing, defs::always, sfppopc},
{opcode::sfpsetsgn, "sfpsetsgn", "SFPSETSGN", both, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpsetsgn, "VD = VC with the sign of Imm1 or VD", uses::set_field, defs::bit0, sfpsetsgn},
{opcode::sfpencc, "sfpencc", "SFPENCC", both, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpencc, "enable or disable predication, set the flags", uses::nothing, defs::encc, sfpencc},
{opcode::sfpcompc, "sfpcompc", "SFPCOMPC", both, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, nullptr, "complement the flags within the top of the stack (else)", uses::nothing, defs::mod_zero, sfpcompc},
{opcode::sfptransp, "sfptransp", "SFPTRANSP", both, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, nullptr, "transpose rows and registers in L0-L3 and in L4-L7", uses::transpose, defs::mod_zero, sfptransp},
{opcode::sfpxor, "sfpxor", "SFPXOR", both, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, nullptr, "VD = VD ^ VC", uses::c_and_b, defs::mod_zero, sfpxor},
{opcode::sfpcast, "sfpcast", "SFPCAST", both, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::c, op::dest, op::mod}, names::sfpcast, "VD = VC converted from sign-magnitude", uses::c_only, defs::cast, sfpcast},
{opcode::sfpconfig, "sfpconfig", "SFPCONFIG", both, u::simple, lat::one, layout::imm16, no_backdoor, plain, plain,
 {{"imm16", k::signed_number, 8, 16}, {"config_dest", k::config_dest, 4, 4}, op::mod}, names::sfpconfig,
 "configuration or constant = L0 (lanes 0-7) or Imm16", uses::config, defs::config, sfpconfig},
{opcode::sfpswap, "sfpswap", "SFPSWAP", both, u::simple, lat::swap, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpswap, "exchange VC and VD, or VD = min and VC = max", uses::swap, defs::swap, sfpswap},
{opcode::sfple, "sfple", "SFPLE", blackhole_only, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfple, "VD, flags or stack = VD <= VC", uses::compare, defs::always, sfple},
{opcode::sfpgt, "sfpgt", "SFPGT", blackhole_only, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpgt, "VD, flags or stack = VD > VC", uses::compare, defs::always, sfpgt},
{opcode::sfparecip, "sfparecip", "SFPARECIP", blackhole_only, u::simple, lat::one, layout::imm12, backdoor, plain, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfparecip, "VD = about 1/VC or e^|VC|", uses::arecip, defs::arecip, sfparecip},

// Round
{opcode::sfpstochrnd, "sfpstochrnd", "SFPSTOCHRND", both, u::round, lat::one, layout::stochrnd, backdoor, plain, plain,
 {{"rounding", k::number, 21, 3}, {"imm8", k::number, 16, 5}, op::b, op::c, op::dest, op::mod}, names::sfpstochrnd,
 "VD = VC rounded to a narrower type", uses::stochrnd, defs::stochrnd, sfpstochrnd},
{opcode::sfpshft2, "sfpshft2", "SFPSHFT2", both, u::round, lat::one, layout::imm12, backdoor, plain, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpshft2, "lane shuffles of L0-L3 or VC; VD = VB shifted by VC or Imm12", uses::shft2, defs::shft2, sfpshft2},
};
// clang-format on

std::vector<const row*> table_rows() {
    std::vector<const row*> result;
    for (const row& r : rows) result.push_back(&r);
    return result;
}

}  // namespace HWY_NAMESPACE
}  // namespace sfpu::isa
HWY_AFTER_NAMESPACE();

#endif
