// The instruction table: one row an opcode. Everything else (decoder, assembler, disassembler, hazards,
// documents) follows from it; to add an instruction, add its semantics and its row. data_sheet.h says what
// each field means, parts that rows share stand in row_parts.h, what each modifier does in words in
// row_texts.h.
#if defined(SFPU_ISA_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SFPU_ISA_ROWS_INL_H
#undef SFPU_ISA_ROWS_INL_H
#else
#define SFPU_ISA_ROWS_INL_H
#endif

// The order of SFPSWAP, SFPLE and SFPGT, of which integers in two's complement have to know.
#undef SFPU_ISA_COMPARED
#define SFPU_ISA_COMPARED                                                                                    \
    "; compared as sign and magnitude, in the total order of FP32 (-0 below +0): of two's complement, "      \
    "-1 > -2 is false"

#include "semantics/load_store-inl.h"
#include "semantics/mad-inl.h"
#include "semantics/round-inl.h"
#include "semantics/simple-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfpu::isa {
namespace HWY_NAMESPACE {

using u = sub_unit;
using lat = latency_class;

// clang-format off
constexpr row rows[] = {
// front end
data_sheet(opcode::nop, "nop", "NOP").one_page_for_both_chips()
    .runs_on(u::front_end, lat::none)
    .word(layout::front_end, {})
    .registers(uses::nothing).defined(defs::always)
    .does("takes an issue slot", no_operation),
data_sheet(opcode::setrwc, "setrwc", "SETRWC").one_page_for_both_chips()
    .runs_on(u::front_end, lat::one)
    .word(layout::front_end,
         {op::number("clear_valid", 22, 2), op::number("cr", 18, 4), op::number("d", 14, 4),
          op::number("b", 10, 4), op::number("a", 6, 4), op::number("mask", 0, 6)})
    .registers(uses::nothing).defined(defs::always)
    .does("set address counters", no_operation),
data_sheet(opcode::incrwc, "incrwc", "INCRWC").one_page_for_both_chips()
    .runs_on(u::front_end, lat::one)
    .word(layout::front_end,
         {op::number("cr", 18, 6), op::number("d", 14, 4), op::number("b", 10, 4), op::number("a", 6, 4)})
    .registers(uses::nothing).defined(defs::always)
    .does("increment address counters", no_operation),
data_sheet(opcode::setc16, "setc16", "SETC16")
    .runs_on(u::front_end, lat::one)
    .word(layout::front_end, {op::number("register", 16, 8), op::number("value", 0, 16)})
    .registers(uses::nothing).defined(defs::always)
    .does("ThreadConfig[register] = value", no_operation),
data_sheet(opcode::atgetm, "atgetm", "ATGETM")
    .runs_on(u::front_end, lat::one)
    .word(layout::front_end, {op::number("mutex", 0, 16)})
    .registers(uses::nothing).defined(defs::always)
    .does("acquire a mutex, once no other thread holds it", no_operation),
data_sheet(opcode::atrelm, "atrelm", "ATRELM")
    .runs_on(u::front_end, lat::one)
    .word(layout::front_end, {op::number("mutex", 0, 16)})
    .registers(uses::nothing).defined(defs::always)
    .does("release a mutex that the thread holds", no_operation),
data_sheet(opcode::stallwait, "stallwait", "STALLWAIT")
    .runs_on(u::front_end, lat::none)
    .word(layout::front_end, {op::number("block", 15, 9), op::number("condition", 0, 15)})
    .registers(uses::nothing).defined(defs::always)
    .does("hold blocked instructions back until units are idle", no_operation),
data_sheet(opcode::seminit, "seminit", "SEMINIT").one_page_for_both_chips()
    .runs_on(u::front_end, lat::one)
    .word(layout::front_end,
         {op::number("max", 20, 4), op::number("value", 16, 4), op::number("semaphores", 2, 8)})
    .registers(uses::nothing).defined(defs::always)
    .does("set maximum and value of semaphores", no_operation),
data_sheet(opcode::sempost, "sempost", "SEMPOST").one_page_for_both_chips()
    .runs_on(u::front_end, lat::one)
    .word(layout::front_end, {op::number("semaphores", 2, 8)})
    .registers(uses::nothing).defined(defs::always)
    .does("add one to semaphores, up to 15", no_operation),
data_sheet(opcode::semget, "semget", "SEMGET").one_page_for_both_chips()
    .runs_on(u::front_end, lat::one)
    .word(layout::front_end, {op::number("semaphores", 2, 8)})
    .registers(uses::nothing).defined(defs::always)
    .does("take one from semaphores, down to 0", no_operation),
data_sheet(opcode::semwait, "semwait", "SEMWAIT")
    .runs_on(u::front_end, lat::none)
    .word(layout::front_end,
         {op::number("block", 15, 9), op::number("semaphores", 2, 8), op::number("condition", 0, 2)})
    .registers(uses::nothing).defined(defs::always)
    .does("hold blocked instructions back while semaphores are zero or at their maximum", no_operation),

// load
data_sheet(opcode::sfpload, "sfpload", "SFPLOAD")
    .runs_on(u::load, lat::one)
    .word(layout::mod0_address, {op::lreg_20, op::mode_16, op::address_mode, op::dst_address})
    .modifier_names(names::dst).each_modifier(texts::load)
    .registers(uses::load).defined(defs::always)
    .does("VD = convert(Dst[address])", load),
data_sheet(opcode::sfploadi, "sfploadi", "SFPLOADI").one_page_for_both_chips()
    .runs_on(u::load, lat::one)
    .word(layout::mod0_imm16, {op::lreg_20, op::mode_16, op::imm16_0})
    .modifier_names(names::sfploadi).each_modifier(texts::load_immediate)
    .registers(uses::load_immediate).defined(defs::load_immediate)
    .does("VD = convert(Imm16)", load_immediate),
data_sheet(opcode::sfploadmacro, "sfploadmacro", "SFPLOADMACRO")
    .runs_on(u::load, lat::one)
    .word(layout::mod0_address,
         {op::macro_index, op::split_lreg, op::mode_16, op::address_mode, op::macro_address})
    .modifier_names(names::dst).each_modifier(texts::load_macro)
    .registers(uses::load).defined(defs::always)
    .does("VD = convert(Dst[address]), then schedule up to four instructions", load),
data_sheet(opcode::sfpnop, "sfpnop", "SFPNOP").one_page_for_both_chips()
    .runs_on(u::load, lat::none)
    .word(layout::imm12, {})
    .each_modifier(texts::nop)
    .registers(uses::nothing).defined(defs::mod_zero)
    .does("nothing", no_operation),

// store
data_sheet(opcode::sfpstore, "sfpstore", "SFPSTORE")
    .runs_on(u::store, lat::one)
    .word(layout::mod0_address,
         {op::lreg_20, op::mode_16, op::address_mode, op::dst_address}).writes_templates()
    .modifier_names(names::dst).each_modifier(texts::store)
    .registers(uses::store).defined(defs::always)
    .does("Dst[address] = convert(VD)", no_operation),

// MAD
data_sheet(opcode::sfplut, "sfplut", "SFPLUT")
    .runs_on(u::mad, lat::mad)
    .word(layout::mod0_address, {op::lreg_20, op::mode_16, op::dst_address}).writes_templates()
    .modifier_names(names::sfplut).each_modifier(texts::lut)
    .registers(uses::lut).defined(defs::lut)
    .does("VD = a * |L3| + c, 8-bit a and c from L0, L1 or L2 by |L3|", sfplut),
data_sheet(opcode::sfpmuli, "sfpmuli", "SFPMULI")
    .runs_on(u::mad, lat::mad)
    .word(layout::imm16, {op::imm16_8, op::dest, op::mod}).writes_templates().vc_is_vd()
    .modifier_names(names::sfpmad).each_modifier(texts::multiply_immediate)
    .registers(uses::mad_immediate).defined(defs::mad_immediate)
    .does("VD = bf16(Imm16) * +-VD + 0", sfpmuli),
data_sheet(opcode::sfpaddi, "sfpaddi", "SFPADDI")
    .runs_on(u::mad, lat::mad)
    .word(layout::imm16, {op::imm16_8, op::dest, op::mod}).writes_templates().vc_is_vd()
    .modifier_names(names::sfpmad).each_modifier(texts::add_immediate)
    .registers(uses::mad_immediate).defined(defs::mad_immediate)
    .does("VD = bf16(Imm16) + +-VD", sfpaddi),
data_sheet(opcode::sfpmad, "sfpmad", "SFPMAD")
    .runs_on(u::mad, lat::mad)
    .word(layout::imm12, {op::a, op::b, op::c, op::dest, op::mod}).writes_templates()
    .modifier_names(names::sfpmad).each_modifier(texts::mad)
    .registers(uses::mad).defined(defs::mad)
    .does("VD = +-VA * VB +- VC", sfpmad),
data_sheet(opcode::sfpadd, "sfpadd", "SFPADD")
    .runs_on(u::mad, lat::mad)
    .word(layout::imm12, {op::a, op::b, op::c, op::dest, op::mod}).writes_templates()
    .modifier_names(names::sfpmad).each_modifier(texts::mad)
    .registers(uses::mad).defined(defs::mad)
    .does("VD = +-VA * VB +- VC (VA is 1 by convention)", sfpmad),
data_sheet(opcode::sfpmul, "sfpmul", "SFPMUL")
    .runs_on(u::mad, lat::mad)
    .word(layout::imm12, {op::a, op::b, op::c, op::dest, op::mod}).writes_templates()
    .modifier_names(names::sfpmad).each_modifier(texts::mad)
    .registers(uses::mad).defined(defs::mad)
    .does("VD = +-VA * VB +- VC (VC is 0 by convention)", sfpmad),
data_sheet(opcode::sfplutfp32, "sfplutfp32", "SFPLUTFP32")
    .runs_on(u::mad, lat::mad)
    .word(layout::imm12, {op::dest, op::mod}).writes_templates()
    .modifier_names(names::sfplutfp32).each_modifier(texts::lutfp32)
    .registers(uses::lutfp32).defined(defs::lutfp32)
    .does("VD = a * |L3| + c, a and c from L0-L2 and L4-L6 by |L3|", sfplutfp32),
data_sheet(opcode::sfpmul24, "sfpmul24", "SFPMUL24").only_on_blackhole()
    .runs_on(u::mad, lat::mad)
    .word(layout::imm12, {op::a, op::b, op::c, op::dest, op::mod}).writes_templates()
    .modifier_names(names::sfpmul24).each_modifier(texts::mul24)
    .registers(uses::mad).defined(defs::mul24)
    .does("VD = lower or upper 23 bits of VA * VB (23-bit integers)", sfpmul24),

// Simple
data_sheet(opcode::sfpdivp2, "sfpdivp2", "SFPDIVP2").one_page_for_both_chips()
    .runs_on(u::simple, lat::one)
    .word(layout::imm12, {op::imm12, op::c, op::dest, op::mod}).writes_templates().vb_is_vd()
    .modifier_names(names::sfpdivp2).each_modifier(texts::divp2)
    .registers(uses::c_only).defined(defs::bit0)
    .does("VD = VC with exponent Imm8 or exponent + Imm8", sfpdivp2),
data_sheet(opcode::sfpexexp, "sfpexexp", "SFPEXEXP").one_page_for_both_chips()
    .runs_on(u::simple, lat::one)
    .word(layout::imm12, {op::imm12, op::c, op::dest, op::mod}).writes_templates().vb_is_vd()
    .modifier_names(names::sfpexexp).each_modifier(texts::exexp)
    .registers(uses::c_only).defined(defs::bits013)
    .does("VD = exponent of VC, with or without bias; flags by its sign", sfpexexp),
data_sheet(opcode::sfpexman, "sfpexman", "SFPEXMAN").one_page_for_both_chips()
    .runs_on(u::simple, lat::one)
    .word(layout::imm12, {op::imm12, op::c, op::dest, op::mod}).writes_templates().vb_is_vd()
    .modifier_names(names::sfpexman).each_modifier(texts::exman)
    .registers(uses::c_only).defined(defs::bit0)
    .does("VD = mantissa of VC, with or without the hidden bit", sfpexman),
data_sheet(opcode::sfpiadd, "sfpiadd", "SFPIADD").one_page_for_both_chips()
    .runs_on(u::simple, lat::one)
    .word(layout::imm12, {op::imm12, op::c, op::dest, op::mod}).writes_templates().vb_is_vd()
    .modifier_names(names::sfpiadd).each_modifier(texts::iadd)
    .registers(uses::iadd).defined(defs::always)
    .does("VD = VC +- VD or VC + Imm12; flags by its sign", sfpiadd),
data_sheet(opcode::sfpshft, "sfpshft", "SFPSHFT")
    .runs_on(u::simple, lat::one)
    .word(layout::imm12, {op::imm12, op::c, op::dest, op::mod}).writes_templates().vb_is_vd()
    .modifier_names(names::sfpshft).each_modifier(texts::shft)
    .registers(uses::shft).defined(defs::shft)
    .does("VD = VD (or VC) shifted by VC or Imm12; negative is right", sfpshft),
data_sheet(opcode::sfpsetcc, "sfpsetcc", "SFPSETCC").one_page_for_both_chips()
    .runs_on(u::simple, lat::one)
    .word(layout::imm12, {op::imm12, op::c, op::dest, op::mod}).writes_templates().vb_is_vd()
    .modifier_names(names::sfpsetcc).each_modifier(texts::setcc)
    .registers(uses::setcc).defined(defs::always)
    .does("flags = VC compared with 0, or Imm1", sfpsetcc),
data_sheet(opcode::sfpmov, "sfpmov", "SFPMOV").one_page_for_both_chips()
    .runs_on(u::simple, lat::one)
    .word(layout::imm12, {op::imm12, op::c, op::dest, op::mod}).writes_templates().vb_is_vd()
    .modifier_names(names::sfpmov).each_modifier(texts::mov)
    .registers(uses::mov).defined(defs::mov)
    .does("VD = +-VC, or configuration, or random bits", sfpmov),
data_sheet(opcode::sfpabs, "sfpabs", "SFPABS").one_page_for_both_chips()
    .runs_on(u::simple, lat::one)
    .word(layout::imm12, {op::imm12, op::c, op::dest, op::mod}).writes_templates().vb_is_vd()
    .modifier_names(names::sfpabs).each_modifier(texts::abs)
    .registers(uses::c_only).defined(defs::bit0)
    .does("VD = |VC|, integer or FP32", sfpabs),
data_sheet(opcode::sfpand, "sfpand", "SFPAND")
    .runs_on(u::simple, lat::one)
    .word(layout::imm12, {op::imm12, op::c, op::dest, op::mod}).writes_templates().vb_is_vd()
    .modifier_names(names::sfpand).each_modifier(texts::and_)
    .registers(uses::and_or).defined(defs::and_or)
    .does("VD = VB & VC", sfpand),
data_sheet(opcode::sfpor, "sfpor", "SFPOR")
    .runs_on(u::simple, lat::one)
    .word(layout::imm12, {op::imm12, op::c, op::dest, op::mod}).writes_templates().vb_is_vd()
    .modifier_names(names::sfpor).each_modifier(texts::or_)
    .registers(uses::and_or).defined(defs::and_or)
    .does("VD = VB | VC", sfpor),
data_sheet(opcode::sfpnot, "sfpnot", "SFPNOT").one_page_for_both_chips()
    .runs_on(u::simple, lat::one)
    .word(layout::imm12, {op::imm12, op::c, op::dest, op::mod}).writes_templates().vb_is_vd()
    .each_modifier(texts::not_)
    .registers(uses::c_only).defined(defs::mod_zero)
    .does("VD = ~VC", sfpnot),
data_sheet(opcode::sfplz, "sfplz", "SFPLZ").one_page_for_both_chips()
    .runs_on(u::simple, lat::one)
    .word(layout::imm12, {op::imm12, op::c, op::dest, op::mod}).writes_templates().vb_is_vd()
    .modifier_names(names::sfplz).each_modifier(texts::lz)
    .registers(uses::c_only).defined(defs::lz)
    .does("VD = leading zeros of VC; flags by VC != 0", sfplz),
data_sheet(opcode::sfpsetexp, "sfpsetexp", "SFPSETEXP").one_page_for_both_chips()
    .runs_on(u::simple, lat::one)
    .word(layout::imm12, {op::imm12, op::c, op::dest, op::mod}).writes_templates().vb_is_vd()
    .modifier_names(names::sfpsetexp).each_modifier(texts::setexp)
    .registers(uses::set_field).defined(defs::bits01)
    .does("VD = VC with the exponent of Imm8 or VD", sfpsetexp),
data_sheet(opcode::sfpsetman, "sfpsetman", "SFPSETMAN").one_page_for_both_chips()
    .runs_on(u::simple, lat::one)
    .word(layout::imm12, {op::imm12, op::c, op::dest, op::mod}).writes_templates().vb_is_vd()
    .modifier_names(names::sfpsetman).each_modifier(texts::setman)
    .registers(uses::set_field).defined(defs::bit0)
    .does("VD = VC with the mantissa of Imm12 or VD", sfpsetman),
data_sheet(opcode::sfppushc, "sfppushc", "SFPPUSHC")
    .runs_on(u::simple, lat::one)
    .word(layout::imm12, {op::imm12, op::c, op::dest, op::mod}).writes_templates().vb_is_vd()
    .each_modifier(texts::pushc)
    .registers(uses::nothing).defined(defs::pushc)
    .does("push the flags, or change the top of the flag stack", sfppushc),
data_sheet(opcode::sfppopc, "sfppopc", "SFPPOPC")
    .runs_on(u::simple, lat::one)
    .word(layout::imm12, {op::imm12, op::c, op::dest, op::mod}).writes_templates().vb_is_vd()
    .each_modifier(texts::popc)
    .registers(uses::nothing).defined(defs::always)
    .does("pop the flags, or combine them with the top of the stack", sfppopc),
data_sheet(opcode::sfpsetsgn, "sfpsetsgn", "SFPSETSGN").one_page_for_both_chips()
    .runs_on(u::simple, lat::one)
    .word(layout::imm12, {op::imm12, op::c, op::dest, op::mod}).writes_templates().vb_is_vd()
    .modifier_names(names::sfpsetsgn).each_modifier(texts::setsgn)
    .registers(uses::set_field).defined(defs::bit0)
    .does("VD = VC with the sign of Imm1 or VD", sfpsetsgn),
data_sheet(opcode::sfpencc, "sfpencc", "SFPENCC").one_page_for_both_chips()
    .runs_on(u::simple, lat::one)
    .word(layout::imm12, {op::imm12, op::c, op::dest, op::mod}).writes_templates().vb_is_vd()
    .modifier_names(names::sfpencc).each_modifier(texts::encc)
    .registers(uses::nothing).defined(defs::encc)
    .does("enable or disable predication, set the flags", sfpencc),
data_sheet(opcode::sfpcompc, "sfpcompc", "SFPCOMPC").one_page_for_both_chips()
    .runs_on(u::simple, lat::one)
    .word(layout::imm12, {op::imm12, op::c, op::dest, op::mod}).writes_templates().vb_is_vd()
    .each_modifier(texts::compc)
    .registers(uses::nothing).defined(defs::mod_zero)
    .does("complement the flags within the top of the stack (else)", sfpcompc),
data_sheet(opcode::sfptransp, "sfptransp", "SFPTRANSP").one_page_for_both_chips()
    .runs_on(u::simple, lat::one)
    .word(layout::imm12, {op::imm12, op::c, op::dest, op::mod}).writes_templates().vb_is_vd()
    .each_modifier(texts::transp)
    .registers(uses::transpose).defined(defs::mod_zero)
    .does("transpose rows and registers in L0-L3 and in L4-L7", sfptransp),
data_sheet(opcode::sfpxor, "sfpxor", "SFPXOR").one_page_for_both_chips()
    .runs_on(u::simple, lat::one)
    .word(layout::imm12, {op::imm12, op::c, op::dest, op::mod}).writes_templates().vb_is_vd()
    .each_modifier(texts::xor_)
    .registers(uses::c_and_b).defined(defs::mod_zero)
    .does("VD = VD ^ VC", sfpxor),
data_sheet(opcode::sfpcast, "sfpcast", "SFPCAST")
    .runs_on(u::simple, lat::one)
    .word(layout::imm12, {op::c, op::dest, op::mod}).writes_templates().vb_is_vd()
    .modifier_names(names::sfpcast).each_modifier(texts::cast)
    .registers(uses::c_only).defined(defs::cast)
    .does("VD = VC converted from sign-magnitude", sfpcast),
data_sheet(opcode::sfpconfig, "sfpconfig", "SFPCONFIG")
    .runs_on(u::simple, lat::one)
    .word(layout::imm16, {op::imm16_8, op::config_dest, op::mod})
    .modifier_names(names::sfpconfig).each_modifier(texts::config)
    .registers(uses::config).defined(defs::config)
    .does("configuration or constant = L0 (lanes 0-7) or Imm16", sfpconfig),
data_sheet(opcode::sfpswap, "sfpswap", "SFPSWAP")
    .runs_on(u::simple, lat::swap)
    .word(layout::imm12, {op::imm12, op::c, op::dest, op::mod}).writes_templates().vb_is_vd()
    .modifier_names(names::sfpswap).each_modifier(texts::swap)
    .registers(uses::swap).defined(defs::swap)
    .does("exchange VC and VD, or VD = min and VC = max" SFPU_ISA_COMPARED, sfpswap),
data_sheet(opcode::sfple, "sfple", "SFPLE").only_on_blackhole()
    .runs_on(u::simple, lat::one)
    .word(layout::imm12, {op::imm12, op::c, op::dest, op::mod}).writes_templates().vb_is_vd()
    .modifier_names(names::sfple).each_modifier(texts::le)
    .registers(uses::compare).defined(defs::always)
    .does("VD, flags or stack = VD <= VC" SFPU_ISA_COMPARED, sfple),
data_sheet(opcode::sfpgt, "sfpgt", "SFPGT").only_on_blackhole()
    .runs_on(u::simple, lat::one)
    .word(layout::imm12, {op::imm12, op::c, op::dest, op::mod}).writes_templates().vb_is_vd()
    .modifier_names(names::sfpgt).each_modifier(texts::gt)
    .registers(uses::compare).defined(defs::always)
    .does("VD, flags or stack = VD > VC" SFPU_ISA_COMPARED, sfpgt),
data_sheet(opcode::sfparecip, "sfparecip", "SFPARECIP").only_on_blackhole()
    .runs_on(u::simple, lat::one)
    .word(layout::imm12, {op::imm12, op::c, op::dest, op::mod}).writes_templates()
    .modifier_names(names::sfparecip).each_modifier(texts::arecip)
    .registers(uses::arecip).defined(defs::always)
    .does("VD = about 1/VC or e^|VC|", sfparecip),

// Round
data_sheet(opcode::sfpstochrnd, "sfpstochrnd", "SFPSTOCHRND")
    .runs_on(u::round, lat::one)
    .word(layout::stochrnd,
         {op::number("rounding", 21, 3), op::number("imm8", 16, 5), op::b, op::c, op::dest, op::mod})
    .writes_templates()
    .modifier_names(names::sfpstochrnd).each_modifier(texts::stochrnd)
    .registers(uses::stochrnd).defined(defs::stochrnd)
    .does("VD = VC rounded to a narrower type", sfpstochrnd),
data_sheet(opcode::sfpshft2, "sfpshft2", "SFPSHFT2")
    .runs_on(u::round, lat::one)
    .word(layout::imm12, {op::imm12, op::c, op::dest, op::mod}).writes_templates()
    .modifier_names(names::sfpshft2).each_modifier(texts::shft2)
    .registers(uses::shft2).defined(defs::shft2)
    .does("lane shuffles of L0-L3 or VC; VD = VB shifted by VC or Imm12", sfpshft2),
};
// clang-format on
static_assert(is_consistent(rows), "two rows share an opcode, or operands overlap");

std::vector<const row*> table_rows() {
    std::vector<const row*> result;
    for (const row& r : rows) result.push_back(&r);
    return result;
}

} // namespace HWY_NAMESPACE
} // namespace sfpu::isa
HWY_AFTER_NAMESPACE();

#endif
