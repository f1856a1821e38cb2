// The instruction table: one row an opcode. Everything else (decoder, assembler, disassembler, hazards, documents)
// follows from it; to add an instruction, add its semantics and its row. Parts of rows stand in row_parts.h, what is
// said of each modifier in row_texts.h.
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
constexpr bool one_page = true, own_pages = false;
constexpr bool vb_is_vd = true, vc_is_vd = true, plain = false;

// clang-format off
const row rows[] = {
// front end
{opcode::nop, "nop", "NOP", both, one_page, u::front_end, lat::none, layout::front_end, no_backdoor, plain, plain, {}, nullptr,
 "takes an issue slot", nullptr, uses::nothing, defs::always, no_operation},
{opcode::setrwc, "setrwc", "SETRWC", both, one_page, u::front_end, lat::one, layout::front_end, no_backdoor, plain, plain,
 {{"clear_valid", k::number, 22, 2}, {"cr", k::number, 18, 4}, {"d", k::number, 14, 4}, {"b", k::number, 10, 4}, {"a", k::number, 6, 4}, {"mask", k::number, 0, 6}}, nullptr,
 "set address counters", nullptr, uses::nothing, defs::always, no_operation},
{opcode::incrwc, "incrwc", "INCRWC", both, one_page, u::front_end, lat::one, layout::front_end, no_backdoor, plain, plain,
 {{"cr", k::number, 18, 6}, {"d", k::number, 14, 4}, {"b", k::number, 10, 4}, {"a", k::number, 6, 4}}, nullptr,
 "increment address counters", nullptr, uses::nothing, defs::always, no_operation},
{opcode::setc16, "setc16", "SETC16", both, own_pages, u::front_end, lat::one, layout::front_end, no_backdoor, plain, plain,
 {{"register", k::number, 16, 8}, {"value", k::number, 0, 16}}, nullptr,
 "ThreadConfig[register] = value", nullptr, uses::nothing, defs::always, no_operation},
{opcode::stallwait, "stallwait", "STALLWAIT", both, own_pages, u::front_end, lat::none, layout::front_end, no_backdoor, plain, plain,
 {{"block", k::number, 15, 9}, {"condition", k::number, 0, 15}}, nullptr,
 "hold blocked instructions back until units are idle", nullptr, uses::nothing, defs::always, no_operation},
{opcode::seminit, "seminit", "SEMINIT", both, one_page, u::front_end, lat::one, layout::front_end, no_backdoor, plain, plain,
 {{"max", k::number, 20, 4}, {"value", k::number, 16, 4}, {"semaphores", k::number, 2, 8}}, nullptr,
 "set maximum and value of semaphores", nullptr, uses::nothing, defs::always, no_operation},
{opcode::sempost, "sempost", "SEMPOST", both, one_page, u::front_end, lat::one, layout::front_end, no_backdoor, plain, plain,
 {{"semaphores", k::number, 2, 8}}, nullptr,
 "add one to semaphores, up to 15", nullptr, uses::nothing, defs::always, no_operation},
{opcode::semget, "semget", "SEMGET", both, one_page, u::front_end, lat::one, layout::front_end, no_backdoor, plain, plain,
 {{"semaphores", k::number, 2, 8}}, nullptr,
 "take one from semaphores, down to 0", nullptr, uses::nothing, defs::always, no_operation},
{opcode::semwait, "semwait", "SEMWAIT", both, own_pages, u::front_end, lat::none, layout::front_end, no_backdoor, plain, plain,
 {{"block", k::number, 15, 9}, {"semaphores", k::number, 2, 8}, {"condition", k::number, 0, 2}}, nullptr,
 "hold blocked instructions back while semaphores are zero or at their maximum", nullptr, uses::nothing, defs::always, no_operation},

// load
{opcode::sfpload, "sfpload", "SFPLOAD", both, own_pages, u::load, lat::one, layout::mod0_address, no_backdoor, plain, plain,
 {op::lreg_20, op::mode_16, op::address_mode, op::dst_address}, names::dst,
 "VD = convert(Dst[address])", texts::load, uses::load, defs::always, load},
{opcode::sfploadi, "sfploadi", "SFPLOADI", both, one_page, u::load, lat::one, layout::mod0_imm16, no_backdoor, plain, plain,
 {op::lreg_20, op::mode_16, {"imm16", k::signed_number, 0, 16}}, names::sfploadi,
 "VD = convert(Imm16)", texts::load_immediate, uses::load_immediate, defs::load_immediate, load_immediate},
{opcode::sfploadmacro, "sfploadmacro", "SFPLOADMACRO", both, own_pages, u::load, lat::one, layout::mod0_address, no_backdoor, plain, plain,
 {{"macro", k::macro, 22, 2}, {"lreg", k::split_lreg, 20, 3}, op::mode_16, op::address_mode, {"dst_addr", k::macro_dst, 0, 10}}, names::dst,
 "VD = convert(Dst[address]), then schedule up to four instructions", texts::load_macro, uses::load, defs::always, load},
{opcode::sfpnop, "sfpnop", "SFPNOP", both, one_page, u::load, lat::none, layout::imm12, no_backdoor, plain, plain, {}, nullptr,
 "nothing", texts::nop, uses::nothing, defs::mod_zero, no_operation},

// store
{opcode::sfpstore, "sfpstore", "SFPSTORE", both, own_pages, u::store, lat::one, layout::mod0_address, backdoor, plain, plain,
 {op::lreg_20, op::mode_16, op::address_mode, op::dst_address}, names::dst,
 "Dst[address] = convert(VD)", texts::store, uses::store, defs::always, store},

// MAD
{opcode::sfplut, "sfplut", "SFPLUT", both, own_pages, u::mad, lat::mad, layout::mod0_address, backdoor, plain, plain,
 {op::lreg_20, op::mode_16, op::dst_address}, names::sfplut,
 "VD = a * |L3| + c, 8-bit a and c from L0, L1 or L2 by |L3|", texts::lut, uses::lut, defs::lut, sfplut},
{opcode::sfpmuli, "sfpmuli", "SFPMULI", both, own_pages, u::mad, lat::mad, layout::imm16, backdoor, plain, vc_is_vd,
 {{"imm16", k::signed_number, 8, 16}, op::dest, op::mod}, names::sfpmad,
 "VD = bf16(Imm16) * +-VD + 0", texts::multiply_immediate, uses::mad_immediate, defs::mad_immediate, sfpmuli},
{opcode::sfpaddi, "sfpaddi", "SFPADDI", both, own_pages, u::mad, lat::mad, layout::imm16, backdoor, plain, vc_is_vd,
 {{"imm16", k::signed_number, 8, 16}, op::dest, op::mod}, names::sfpmad,
 "VD = bf16(Imm16) + +-VD", texts::add_immediate, uses::mad_immediate, defs::mad_immediate, sfpaddi},
{opcode::sfpmad, "sfpmad", "SFPMAD", both, own_pages, u::mad, lat::mad, layout::imm12, backdoor, plain, plain,
 {op::a, op::b, op::c, op::dest, op::mod}, names::sfpmad, "VD = +-VA * VB +- VC", texts::mad, uses::mad, defs::mad, sfpmad},
{opcode::sfpadd, "sfpadd", "SFPADD", both, own_pages, u::mad, lat::mad, layout::imm12, backdoor, plain, plain,
 {op::a, op::b, op::c, op::dest, op::mod}, names::sfpmad, "VD = +-VA * VB +- VC (VA is 1 by convention)", texts::mad, uses::mad, defs::mad, sfpmad},
{opcode::sfpmul, "sfpmul", "SFPMUL", both, own_pages, u::mad, lat::mad, layout::imm12, backdoor, plain, plain,
 {op::a, op::b, op::c, op::dest, op::mod}, names::sfpmad, "VD = +-VA * VB +- VC (VC is 0 by convention)", texts::mad, uses::mad, defs::mad, sfpmad},
{opcode::sfplutfp32, "sfplutfp32", "SFPLUTFP32", both, own_pages, u::mad, lat::mad, layout::imm12, backdoor, plain, plain,
 {op::dest, {"mod", k::mode, 0, 4}}, names::sfplutfp32,
 "VD = a * |L3| + c, a and c from L0-L2 and L4-L6 by |L3|", texts::lutfp32, uses::lutfp32, defs::lutfp32, sfplutfp32},
{opcode::sfpmul24, "sfpmul24", "SFPMUL24", blackhole_only, own_pages, u::mad, lat::mad, layout::imm12, backdoor, plain, plain,
 {op::a, op::b, op::c, op::dest, op::mod}, names::sfpmul24,
 "VD = lower or upper 23 bits of VA * VB (23-bit integers)", texts::mul24, uses::mad, defs::mul24, sfpmul24},

// Simple
{opcode::sfpdivp2, "sfpdivp2", "SFPDIVP2", both, one_page, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpdivp2, "VD = VC with exponent Imm8 or exponent + Imm8", texts::divp2, uses::c_only, defs::bit0, sfpdivp2},
{opcode::sfpexexp, "sfpexexp", "SFPEXEXP", both, one_page, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpexexp, "VD = exponent of VC, with or without bias; flags by its sign", texts::exexp, uses::c_only, defs::bits013, sfpexexp},
{opcode::sfpexman, "sfpexman", "SFPEXMAN", both, one_page, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpexman, "VD = mantissa of VC, with or without the hidden bit", texts::exman, uses::c_only, defs::bit0, sfpexman},
{opcode::sfpiadd, "sfpiadd", "SFPIADD", both, one_page, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpiadd, "VD = VC +- VD or VC + Imm12; flags by its sign", texts::iadd, uses::iadd, defs::always, sfpiadd},
{opcode::sfpshft, "sfpshft", "SFPSHFT", both, own_pages, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpshft, "VD = VD (or VC) shifted by VC or Imm12; negative is right", texts::shft, uses::shft, defs::shft, sfpshft},
{opcode::sfpsetcc, "sfpsetcc", "SFPSETCC", both, one_page, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpsetcc, "flags = VC compared with 0, or Imm1", texts::setcc, uses::setcc, defs::always, sfpsetcc},
{opcode::sfpmov, "sfpmov", "SFPMOV", both, one_page, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpmov, "VD = +-VC, or configuration, or random bits", texts::mov, uses::mov, defs::mov, sfpmov},
{opcode::sfpabs, "sfpabs", "SFPABS", both, one_page, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpabs, "VD = |VC|, integer or FP32", texts::abs, uses::c_only, defs::bit0, sfpabs},
{opcode::sfpand, "sfpand", "SFPAND", both, own_pages, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpand, "VD = VB & VC", texts::and_, uses::and_or, defs::and_or, sfpand},
{opcode::sfpor, "sfpor", "SFPOR", both, own_pages, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpor, "VD = VB | VC", texts::or_, uses::and_or, defs::and_or, sfpor},
{opcode::sfpnot, "sfpnot", "SFPNOT", both, one_page, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, nullptr, "VD = ~VC", texts::not_, uses::c_only, defs::mod_zero, sfpnot},
{opcode::sfplz, "sfplz", "SFPLZ", both, one_page, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfplz, "VD = leading zeros of VC; flags by VC != 0", texts::lz, uses::c_only, defs::lz, sfplz},
{opcode::sfpsetexp, "sfpsetexp", "SFPSETEXP", both, one_page, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpsetexp, "VD = VC with the exponent of Imm8 or VD", texts::setexp, uses::set_field, defs::bits01, sfpsetexp},
{opcode::sfpsetman, "sfpsetman", "SFPSETMAN", both, one_page, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpsetman, "VD = VC with the mantissa of Imm12 or VD", texts::setman, uses::set_field, defs::bit0, sfpsetman},
{opcode::sfppushc, "sfppushc", "SFPPUSHC", both, own_pages, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, nullptr, "push the flags, or change the top of the flag stack", texts::pushc, uses::nothing, defs::pushc, sfppushc},
{opcode::sfppopc, "sfppopc", "SFPPOPC", both, own_pages, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, nullptr, "pop the flags, or combine them with the top of the stack", texts::popc, uses::nothing, defs::always, sfppopc},
{opcode::sfpsetsgn, "sfpsetsgn", "SFPSETSGN", both, one_page, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpsetsgn, "VD = VC with the sign of Imm1 or VD", texts::setsgn, uses::set_field, defs::bit0, sfpsetsgn},
{opcode::sfpencc, "sfpencc", "SFPENCC", both, one_page, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpencc, "enable or disable predication, set the flags", texts::encc, uses::nothing, defs::encc, sfpencc},
{opcode::sfpcompc, "sfpcompc", "SFPCOMPC", both, one_page, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, nullptr, "complement the flags within the top of the stack (else)", texts::compc, uses::nothing, defs::mod_zero, sfpcompc},
{opcode::sfptransp, "sfptransp", "SFPTRANSP", both, one_page, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, nullptr, "transpose rows and registers in L0-L3 and in L4-L7", texts::transp, uses::transpose, defs::mod_zero, sfptransp},
{opcode::sfpxor, "sfpxor", "SFPXOR", both, one_page, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, nullptr, "VD = VD ^ VC", texts::xor_, uses::c_and_b, defs::mod_zero, sfpxor},
{opcode::sfpcast, "sfpcast", "SFPCAST", both, own_pages, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::c, op::dest, op::mod}, names::sfpcast, "VD = VC converted from sign-magnitude", texts::cast, uses::c_only, defs::cast, sfpcast},
{opcode::sfpconfig, "sfpconfig", "SFPCONFIG", both, own_pages, u::simple, lat::one, layout::imm16, no_backdoor, plain, plain,
 {{"imm16", k::signed_number, 8, 16}, {"config_dest", k::config_dest, 4, 4}, op::mod}, names::sfpconfig,
 "configuration or constant = L0 (lanes 0-7) or Imm16", texts::config, uses::config, defs::config, sfpconfig},
{opcode::sfpswap, "sfpswap", "SFPSWAP", both, own_pages, u::simple, lat::swap, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpswap, "exchange VC and VD, or VD = min and VC = max", texts::swap, uses::swap, defs::swap, sfpswap},
{opcode::sfple, "sfple", "SFPLE", blackhole_only, own_pages, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfple, "VD, flags or stack = VD <= VC", texts::le, uses::compare, defs::always, sfple},
{opcode::sfpgt, "sfpgt", "SFPGT", blackhole_only, own_pages, u::simple, lat::one, layout::imm12, backdoor, vb_is_vd, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpgt, "VD, flags or stack = VD > VC", texts::gt, uses::compare, defs::always, sfpgt},
{opcode::sfparecip, "sfparecip", "SFPARECIP", blackhole_only, own_pages, u::simple, lat::one, layout::imm12, backdoor, plain, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfparecip, "VD = about 1/VC or e^|VC|", texts::arecip, uses::arecip, defs::always, sfparecip},

// Round
{opcode::sfpstochrnd, "sfpstochrnd", "SFPSTOCHRND", both, own_pages, u::round, lat::one, layout::stochrnd, backdoor, plain, plain,
 {{"rounding", k::number, 21, 3}, {"imm8", k::number, 16, 5}, op::b, op::c, op::dest, op::mod}, names::sfpstochrnd,
 "VD = VC rounded to a narrower type", texts::stochrnd, uses::stochrnd, defs::stochrnd, sfpstochrnd},
{opcode::sfpshft2, "sfpshft2", "SFPSHFT2", both, own_pages, u::round, lat::one, layout::imm12, backdoor, plain, plain,
 {op::imm12, op::c, op::dest, op::mod}, names::sfpshft2, "lane shuffles of L0-L3 or VC; VD = VB shifted by VC or Imm12", texts::shft2, uses::shft2, defs::shft2, sfpshft2},
};
// clang-format on

std::vector<const row*> table_rows() {
    std::vector<const row*> result;
    for (const row& r : rows) result.push_back(&r);
    return result;
}

} // namespace HWY_NAMESPACE
} // namespace sfpu::isa
HWY_AFTER_NAMESPACE();

#endif
