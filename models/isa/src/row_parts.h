// Parts that rows of the instruction table share: operands, modifier names, register use, what is defined.
#pragma once

#include <sfpu/isa/instruction.h>

namespace sfpu::isa {

namespace op {
using k = operand_kind;
constexpr operand lreg_20{"lreg", k::lreg, 20, 4}, mode_16{"mode", k::mode, 16, 4};
constexpr operand address_mode{"addr_mod", k::addr_mod, 0, 0}, dst_address{"dst_addr", k::number, 0, 10};
constexpr operand a{"a", k::lreg, 16, 4}, b{"b", k::lreg, 12, 4}, c{"c", k::lreg, 8, 4},
    dest{"dest", k::lreg, 4, 4};
constexpr operand mod{"mod", k::mode, 0, 4}, imm12{"imm12", k::signed_number, 12, 12};
constexpr operand imm16_0{"imm16", k::signed_number, 0, 16}, imm16_8{"imm16", k::signed_number, 8, 16};
constexpr operand config_dest{"config_dest", k::config_dest, 4, 4};
constexpr operand macro_index{"macro", k::macro, 22, 2}, split_lreg{"lreg", k::split_lreg, 20, 3},
    macro_address{"dst_addr", k::macro_dst, 0, 10};
constexpr operand number(const char* name, std::uint8_t shift, std::uint8_t width) {
    return {name, k::number, shift, width};
}
} // namespace op

/// Documented names of modifiers. The assembler also takes them without the prefix that ends in "MOD0_" or
/// "MOD1_" (and "FMT_").
namespace names {
inline constexpr mode_name dst[] = {{0, "MOD0_FMT_SRCB"},
                                    {1, "MOD0_FMT_FP16"},
                                    {2, "MOD0_FMT_BF16"},
                                    {3, "MOD0_FMT_FP32"},
                                    {4, "MOD0_FMT_INT32"},
                                    {5, "MOD0_FMT_INT8"},
                                    {6, "MOD0_FMT_UINT16"},
                                    {7, "MOD0_FMT_HI16"},
                                    {8, "MOD0_FMT_INT16"},
                                    {9, "MOD0_FMT_LO16"},
                                    {10, "MOD0_FMT_INT32_ALL"},
                                    {11, "MOD0_FMT_ZERO"},
                                    {12, "MOD0_FMT_INT32_SM"},
                                    {13, "MOD0_FMT_INT8_COMP"},
                                    {14, "MOD0_FMT_LO16_ONLY"},
                                    {15, "MOD0_FMT_HI16_ONLY"},
                                    {0, nullptr}};
inline constexpr mode_name sfploadi[] = {{0, "SFPLOADI_MOD0_FLOATB"},
                                         {1, "SFPLOADI_MOD0_FLOATA"},
                                         {2, "SFPLOADI_MOD0_USHORT"},
                                         {4, "SFPLOADI_MOD0_SHORT"},
                                         {8, "SFPLOADI_MOD0_UPPER"},
                                         {10, "SFPLOADI_MOD0_LOWER"},
                                         {0, nullptr}};
inline constexpr mode_name sfplut[] = {
    {4, "SFPLUT_MOD0_SGN_RETAIN"}, {8, "SFPLUT_MOD0_INDIRECT_VD"}, {0, nullptr}};
inline constexpr mode_name sfpmad[] = {{1, "SFPMAD_MOD1_NEGATE_VA"},
                                       {2, "SFPMAD_MOD1_NEGATE_VC"},
                                       {4, "SFPMAD_MOD1_INDIRECT_VA"},
                                       {8, "SFPMAD_MOD1_INDIRECT_VD"},
                                       {0, nullptr}};
inline constexpr mode_name sfplutfp32[] = {{0, "SFPLUTFP32_MOD1_FP32_3ENTRY_TABLE"},
                                           {10, "SFPLUTFP32_MOD1_FP16_3ENTRY_TABLE"},
                                           {2, "SFPLUTFP32_MOD1_FP16_6ENTRY_TABLE1"},
                                           {3, "SFPLUTFP32_MOD1_FP16_6ENTRY_TABLE2"},
                                           {4, "SFPLUTFP32_MOD1_SGN_RETAIN"},
                                           {8, "SFPLUTFP32_MOD1_INDIRECT_VD"},
                                           {0, nullptr}};
inline constexpr mode_name sfpmul24[] = {{0, "SFPMUL24_MOD1_LOWER"},
                                         {1, "SFPMUL24_MOD1_UPPER"},
                                         {4, "SFPMUL24_MOD1_INDIRECT_VA"},
                                         {8, "SFPMUL24_MOD1_INDIRECT_VD"},
                                         {0, nullptr}};
inline constexpr mode_name sfpdivp2[] = {{1, "SFPDIVP2_MOD1_ADD"}, {0, nullptr}};
inline constexpr mode_name sfpexexp[] = {{1, "SFPEXEXP_MOD1_NODEBIAS"},
                                         {2, "SFPEXEXP_MOD1_SET_CC_SGN_EXP"},
                                         {8, "SFPEXEXP_MOD1_SET_CC_COMP_EXP"},
                                         {0, nullptr}};
inline constexpr mode_name sfpexman[] = {{0, "SFPEXMAN_MOD1_PAD8"}, {1, "SFPEXMAN_MOD1_PAD9"}, {0, nullptr}};
inline constexpr mode_name sfpiadd[] = {{0, "SFPIADD_MOD1_ARG_LREG_DST"},
                                        {1, "SFPIADD_MOD1_ARG_IMM"},
                                        {2, "SFPIADD_MOD1_ARG_2SCOMP_LREG_DST"},
                                        {0, "SFPIADD_MOD1_CC_LT0"},
                                        {4, "SFPIADD_MOD1_CC_NONE"},
                                        {8, "SFPIADD_MOD1_CC_GTE0"},
                                        {0, nullptr}};
inline constexpr mode_name sfpshft[] = {{1, "SFPSHFT_MOD1_ARG_IMM"},
                                        {2, "SFPSHFT_MOD1_ARITHMETIC"},
                                        {4, "SFPSHFT_MOD1_ARG_IMM_USE_VC"},
                                        {0, nullptr}};
inline constexpr mode_name sfpsetcc[] = {{0, "SFPSETCC_MOD1_LREG_LT0"},
                                         {1, "SFPSETCC_MOD1_IMM_BIT0"},
                                         {2, "SFPSETCC_MOD1_LREG_NE0"},
                                         {4, "SFPSETCC_MOD1_LREG_GTE0"},
                                         {6, "SFPSETCC_MOD1_LREG_EQ0"},
                                         {8, "SFPSETCC_MOD1_CLEAR"},
                                         {0, nullptr}};
inline constexpr mode_name sfpmov[] = {{1, "SFPMOV_MOD1_NEGATE"},
                                       {2, "SFPMOV_MOD1_ALL_LANES_ENABLED"},
                                       {8, "SFPMOV_MOD1_FROM_SPECIAL"},
                                       {0, nullptr}};
inline constexpr mode_name sfpabs[] = {{0, "SFPABS_MOD1_INT"}, {1, "SFPABS_MOD1_FLOAT"}, {0, nullptr}};
inline constexpr mode_name sfpand[] = {{1, "SFPAND_MOD1_USE_VB"}, {0, nullptr}};
inline constexpr mode_name sfpor[] = {{1, "SFPOR_MOD1_USE_VB"}, {0, nullptr}};
inline constexpr mode_name sfplz[] = {
    {2, "SFPLZ_MOD1_CC_NE0"}, {4, "SFPLZ_MOD1_NOSGN_MASK"}, {8, "SFPLZ_MOD1_CC_COMP"}, {0, nullptr}};
inline constexpr mode_name sfpsetexp[] = {
    {1, "SFPSETEXP_MOD1_ARG_IMM"}, {2, "SFPSETEXP_MOD1_ARG_EXPONENT"}, {0, nullptr}};
inline constexpr mode_name sfpsetman[] = {{1, "SFPSETMAN_MOD1_ARG_IMM"}, {0, nullptr}};
inline constexpr mode_name sfpsetsgn[] = {{1, "SFPSETSGN_MOD1_ARG_IMM"}, {0, nullptr}};
inline constexpr mode_name sfpencc[] = {{0, "SFPENCC_MOD1_EU_R1"},
                                        {1, "SFPENCC_MOD1_EC_R1"},
                                        {2, "SFPENCC_MOD1_EI_R1"},
                                        {8, "SFPENCC_MOD1_EU_RI"},
                                        {9, "SFPENCC_MOD1_EC_RI"},
                                        {10, "SFPENCC_MOD1_EI_RI"},
                                        {0, nullptr}};
inline constexpr mode_name sfpcast[] = {{0, "SFPCAST_MOD1_SM32_TO_FP32_RNE"},
                                        {1, "SFPCAST_MOD1_SM32_TO_FP32_RNS"},
                                        {2, "SFPCAST_MOD1_INT32_ABS"},
                                        {3, "SFPCAST_MOD1_INT32_SM32"},
                                        {0, nullptr}};
inline constexpr mode_name sfpconfig[] = {{1, "MOD1_IMM16_IS_VALUE"},     {2, "MOD1_BITWISE_OR"},
                                          {4, "MOD1_BITWISE_AND"},        {6, "MOD1_BITWISE_XOR"},
                                          {8, "MOD1_IMM16_IS_LANE_MASK"}, {0, nullptr}};
inline constexpr mode_name sfpswap[] = {{0, "SFPSWAP_MOD1_SWAP"},
                                        {1, "SFPSWAP_MOD1_VEC_MIN_MAX"},
                                        {2, "SFPSWAP_MOD1_SUBVEC_MIN01_MAX23"},
                                        {3, "SFPSWAP_MOD1_SUBVEC_MIN02_MAX13"},
                                        {4, "SFPSWAP_MOD1_SUBVEC_MIN03_MAX12"},
                                        {5, "SFPSWAP_MOD1_SUBVEC_MIN0_MAX123"},
                                        {6, "SFPSWAP_MOD1_SUBVEC_MIN1_MAX023"},
                                        {7, "SFPSWAP_MOD1_SUBVEC_MIN2_MAX013"},
                                        {8, "SFPSWAP_MOD1_SUBVEC_MIN3_MAX012"},
                                        {0, nullptr}};
inline constexpr mode_name sfple[] = {{1, "SFPLE_MOD1_SET_CC"},
                                      {2, "SFPLE_MOD1_MUTATE_STACK"},
                                      {4, "SFPLE_MOD1_MUTATE_OR"},
                                      {8, "SFPLE_MOD1_SET_VD"},
                                      {0, nullptr}};
inline constexpr mode_name sfpgt[] = {{1, "SFPGT_MOD1_SET_CC"},
                                      {2, "SFPGT_MOD1_MUTATE_STACK"},
                                      {4, "SFPGT_MOD1_MUTATE_OR"},
                                      {8, "SFPGT_MOD1_SET_VD"},
                                      {0, nullptr}};
inline constexpr mode_name sfparecip[] = {
    {0, "SFPARECIP_MOD1_RECIP"}, {1, "SFPARECIP_MOD1_COND_RECIP"}, {2, "SFPARECIP_MOD1_EXP"}, {0, nullptr}};
inline constexpr mode_name sfpstochrnd[] = {{0, "SFPSTOCHRND_MOD1_FP32_TO_FP16A"},
                                            {1, "SFPSTOCHRND_MOD1_FP32_TO_FP16B"},
                                            {2, "SFPSTOCHRND_MOD1_FP32_TO_UINT8"},
                                            {3, "SFPSTOCHRND_MOD1_FP32_TO_INT8"},
                                            {4, "SFPSTOCHRND_MOD1_INT32_TO_UINT8"},
                                            {5, "SFPSTOCHRND_MOD1_INT32_TO_INT8"},
                                            {6, "SFPSTOCHRND_MOD1_FP32_TO_UINT16"},
                                            {7, "SFPSTOCHRND_MOD1_FP32_TO_INT16"},
                                            {0, nullptr}};
inline constexpr mode_name sfpshft2[] = {{0, "SFPSHFT2_MOD1_COPY4"},
                                         {1, "SFPSHFT2_MOD1_SUBVEC_CHAINED_COPY4"},
                                         {2, "SFPSHFT2_MOD1_SUBVEC_SHFLROR1_AND_COPY4"},
                                         {3, "SFPSHFT2_MOD1_SUBVEC_SHFLROR1"},
                                         {4, "SFPSHFT2_MOD1_SUBVEC_SHFLSHR1"},
                                         {5, "SFPSHFT2_MOD1_SHFT_LREG"},
                                         {6, "SFPSHFT2_MOD1_SHFT_IMM"},
                                         {0, nullptr}};
} // namespace names

/// Which registers an instruction reads and writes in its mode, and what the Blackhole stall logic believes
/// (T16).
namespace uses {
using set = register_set;
using arch_t = architecture;
constexpr set every = general_registers;
/// Registers that fields name. Any can be read; a result that goes to a constant is lost.
constexpr set read(unsigned lreg) { return only(lreg); }
constexpr set write(unsigned lreg) { return writable(lreg) ? only(lreg) : set{0}; }

/// A blind spot: the logic sees other reads than those that happen.
constexpr register_use blind(set reads, set seen, set writes) {
    return {reads, seen & general_registers, writes, writes & general_registers};
}
/// The usual case: the stall logic sees what happens.
constexpr register_use honest(set reads, set writes) { return blind(reads, reads, writes); }

inline register_use nothing(const instruction&, arch_t) { return {}; }
inline register_use load(const instruction& i, arch_t) {
    const bool keeps_half = i.mod >= 14; // LO16_ONLY, HI16_ONLY
    return honest(keeps_half ? read(i.vd) : 0, write(i.vd));
}
inline register_use load_immediate(const instruction& i, arch_t) {
    return honest(i.mod == 8 || i.mod == 10 ? read(i.vd) : 0, write(i.vd));
}
inline register_use store(const instruction& i, arch_t) {
    const bool zero = i.mod == 11; // writes zeros, whatever VD holds
    return honest(zero ? 0u : read(i.vd), 0);
}
inline set mad_writes(const instruction& i) { return (i.mod & 8) && i.vd != 16 ? every : write(i.vd); }
inline set indirect_reads(const instruction& i) {
    constexpr set addressable = 0xffff; // constants, too
    return ((i.mod & 4) ? addressable : 0u) | ((i.mod & 8) ? read(7) : 0u);
}
inline register_use mad(const instruction& i, arch_t) {
    return honest(indirect_reads(i) | read(i.va) | read(i.vb) | read(i.vc), mad_writes(i));
}
inline register_use mad_immediate(const instruction& i, arch_t) {
    return honest(read(i.vc) | ((i.mod & 8) ? read(7) : 0u), mad_writes(i));
}
inline register_use lut(const instruction& i, arch_t) {
    return honest(0x0fu | ((i.mod & 8) ? read(7) : 0u), mad_writes(i));
}
inline register_use lutfp32(const instruction& i, arch_t) {
    const set table = (i.mod & 10) == 10 ? 0x0fu : 0x7fu;
    // The stall logic looks at bit 3 of the modifier's mirror in bits 19:16 only.
    const bool mirror_indirect = i.word >> 19 & 1;
    register_use use = honest(table | ((i.mod & 8) ? read(7) : 0u), mad_writes(i));
    use.seen_reads = mirror_indirect ? every : 0x7f;
    use.seen_writes = mirror_indirect ? every : write(i.vd) & general_registers;
    return use;
}
inline register_use c_only(const instruction& i, arch_t) { return honest(read(i.vc), write(i.vd)); }
inline register_use c_and_b(const instruction& i, arch_t) {
    return honest(read(i.vc) | read(i.vb), write(i.vd));
}
inline register_use iadd(const instruction& i, arch_t) {
    return blind(read(i.vc) | ((i.mod & 1) ? 0u : read(i.vb)), read(i.vc), write(i.vd));
}
inline register_use shft(const instruction& i, arch_t arch) {
    const bool immediate = i.mod & 1, from_c = describe(arch).has_shift_of_vc && (i.mod & 5) == 5;
    const set c = !immediate || from_c ? read(i.vc) : 0u;
    return blind(c | (from_c ? 0u : read(i.vb)), c, write(i.vd));
}
inline register_use setcc(const instruction& i, arch_t) { return honest((i.mod & 9) ? 0 : read(i.vc), 0); }
inline register_use mov(const instruction& i, arch_t) {
    return honest((i.mod & 8) ? 0 : read(i.vc), write(i.vd));
}
inline register_use and_or(const instruction& i, arch_t) {
    return blind(read(i.vb) | read(i.vc), read(i.vd) | read(i.vc), write(i.vd));
}
inline register_use set_field(const instruction& i, arch_t) {
    return honest(read(i.vc) | ((i.mod & 1) ? 0u : read(i.vb)), write(i.vd));
}
inline register_use transpose(const instruction&, arch_t) { return honest(every, every); }
inline register_use config(const instruction& i, arch_t) {
    const bool from_l0 = i.vd < 4 || (!(i.mod & 1) && i.vd != 9 && i.vd != 10 && i.vd != 16);
    // The stall logic knows nothing of SFPCONFIG, which writes its constant in the one cycle that it takes.
    return blind(from_l0 ? read(0) : 0u, 0, only(i.vd) & programmable_constants);
}
inline register_use swap(const instruction& i, arch_t) {
    const unsigned d = i.scheduled() ? i.vb : i.vd;
    const set both = read(i.vc) | read(d);
    // Mode SWAP reads in its second cycle only, so nothing goes wrong after a MAD; the stall logic sees it
    // all the same (T16 excepts it from the blind spots) and waits.
    return blind(i.mod == 0 ? 0u : both, i.mod == 0 ? both : 0u, write(i.vc) | write(d));
}
inline register_use compare(const instruction& i, arch_t) {
    const bool used = i.mod & 11; // by SET_VD, MUTATE_STACK or SET_CC
    return honest(used ? read(i.vc) | read(i.vb) : 0u, (i.mod & 8) ? write(i.vd) : 0u);
}
inline register_use arecip(const instruction& i, arch_t) {
    return honest(read(i.vc) | (i.mod == 1 ? read(i.vb) : 0u), write(i.vd));
}
inline register_use stochrnd(const instruction& i, arch_t) {
    const bool by_register = (i.mod & 6) == 4 && !(i.mod & 8);
    return blind(read(i.vc) | (by_register ? read(i.vb) : 0u), read(i.vc) | read(i.vb), write(i.vd));
}
inline register_use shft2(const instruction& i, arch_t) {
    switch (i.mod) {
    case 0: return honest(0x0e, 0x0f);
    case 1: return honest(0x0f, 0x0f);
    case 2: return blind(0x0e | read(i.vc), 0, 0x0f);
    case 3:
    case 4: return blind(read(i.vc), 0, write(i.vd));
    case 5: return blind(read(i.vb) | read(i.vc), read(i.vd) | read(i.vc), write(i.vd));
    case 6: return blind(read(i.vb), read(i.vd), write(i.vd));
    default: return {};
    }
}
} // namespace uses

/// What the documentation says of a modifier. Non-contractual is what a page calls so, and what sets a
/// modifier bit to which the page gives no meaning (pages that mention such bits call them reserved and
/// non-contractual); undefined is what a page calls undefined behaviour. Where a page resolves every
/// combination of bits, as for SFPSETCC and SFPARECIP, all are defined.
namespace defs {
using d = definition;
using arch_t = architecture;
constexpr d contractual(bool yes) { return yes ? d::defined : d::non_contractual; }

inline d always(const instruction&, arch_t) { return d::defined; }
inline d mod_zero(const instruction& i, arch_t) { return contractual(i.mod == 0); }
inline d bit0(const instruction& i, arch_t) { return contractual(i.mod <= 1); }
inline d bits01(const instruction& i, arch_t) { return contractual(i.mod <= 3); }
inline d bits013(const instruction& i, arch_t) { return contractual(!(i.mod & 4)); }
inline d load_immediate(const instruction& i, arch_t) {
    return (0x0517u >> i.mod & 1) ? d::defined : d::undefined; // 0, 1, 2, 4, 8, 10
}
inline d mad(const instruction& i, arch_t arch) {
    return contractual(describe(arch).has_mad_negation || !(i.mod & 3));
}
inline d mad_immediate(const instruction& i, arch_t arch) {
    return contractual(!(i.mod & 5) && (describe(arch).has_mad_negation || !(i.mod & 2)));
}
inline d mul24(const instruction& i, arch_t) { return contractual(!(i.mod & 2) && i.vc == 9); }
inline d lut(const instruction& i, arch_t) { return contractual(!(i.mod & 3)); }
inline d lutfp32(const instruction& i, arch_t) { // bit 0 is part of the name of table 3 only
    return contractual(!(i.mod & 1) || (i.mod & 11) == 3);
}
inline d shft(const instruction& i, arch_t arch) {
    return contractual(i.mod <= 1 ||
                       (describe(arch).has_shift_of_vc && i.mod <= 7 && i.mod != 4 && i.mod != 6));
}
inline d mov(const instruction& i, arch_t) { return contractual(!(i.mod & 4)); }
inline d and_or(const instruction& i, arch_t arch) {
    return contractual(i.mod == 0 || (describe(arch).has_use_vb && i.mod == 1));
}
inline d lz(const instruction& i, arch_t) { return contractual(!(i.mod & 1)); }
inline d pushc(const instruction& i, arch_t arch) {
    return contractual(describe(arch).has_pushc_operations || i.mod == 0);
}
inline d encc(const instruction& i, arch_t) { return contractual(!(i.mod & 4)); }
inline d cast(const instruction& i, arch_t arch) {
    return contractual(i.mod <= (describe(arch).has_integer_casts ? 3 : 1));
}
inline d config(const instruction& i, arch_t) { return contractual(i.vd != 9 && i.vd != 10); }
inline d swap(const instruction& i, arch_t) { return contractual(i.mod <= 9); }
inline d stochrnd(const instruction& i, arch_t arch) {
    return contractual(i.rounding <= (describe(arch).has_zero_rounding ? 2 : 1) &&
                       ((i.mod & 8) == 0 || (i.mod & 6) == 4));
}
inline d shft2(const instruction& i, arch_t arch) {
    if (i.mod > 6) return d::undefined;
    return contractual(i.mod != 4 || describe(arch).has_defined_shuffle_right);
}
} // namespace defs

} // namespace sfpu::isa
