// The body of kernel_macros_bh_test.cpp and kernel_macros_wh_test.cpp, which define the architecture.
#include "kernel_macros.h"

#include <sfpu/kernel_recorder/kernel.h>

#include <utility>

namespace ckernel::sfpu {

/// As kernels are: an external inline function that has the same name on both architectures.
inline std::uint32_t same_name() { return TT_OP_SFPLOAD(p_sfpu::LREG1, INT32, ADDR_MOD_3, 5); }

} // namespace ckernel::sfpu

namespace sfpu::test {
namespace {

using v = operand_values;

template <typename Function>
macro_words all_forms(std::uint32_t op, Function issue_both) {
    kernel_recorder::recorder into(architecture::SFPU_KERNEL_ARCH);
    std::vector<std::uint32_t> recorded = kernel_recorder::record(into, issue_both);
    return {op, std::move(recorded), into.warnings()};
}

// clang-format off
#define FORMS(NAME, ...) \
    all_forms(TT_OP_##NAME(__VA_ARGS__), [&] { TT_##NAME(__VA_ARGS__); TTI_##NAME(__VA_ARGS__); })
#define CASE_1(mnemonic, NAME) {mnemonic, {1, [](const v& x) { return FORMS(NAME, x[0]); }}}
#define CASE_2(mnemonic, NAME) {mnemonic, {2, [](const v& x) { return FORMS(NAME, x[0], x[1]); }}}
#define CASE_3(mnemonic, NAME) {mnemonic, {3, [](const v& x) { return FORMS(NAME, x[0], x[1], x[2]); }}}
#define CASE_4(mnemonic, NAME) {mnemonic, {4, [](const v& x) { return FORMS(NAME, x[0], x[1], x[2], x[3]); }}}
#define CASE_5(mnemonic, NAME) \
    {mnemonic, {5, [](const v& x) { return FORMS(NAME, x[0], x[1], x[2], x[3], x[4]); }}}
#define CASE_6(mnemonic, NAME) \
    {mnemonic, {6, [](const v& x) { return FORMS(NAME, x[0], x[1], x[2], x[3], x[4], x[5]); }}}

std::map<std::string, macro_case> macros() {
    return {
        {"nop", {0, [](const v&) { return all_forms(TT_OP_NOP, [] { TT_NOP; TTI_NOP; }); }}},
        {"sfpnop", {0, [](const v&) { return all_forms(TT_OP_SFPNOP, [] { TT_SFPNOP; TTI_SFPNOP; }); }}},
        CASE_4("sfpload", SFPLOAD), CASE_4("sfpstore", SFPSTORE), CASE_4("sfploadmacro", SFPLOADMACRO),
        CASE_3("sfploadi", SFPLOADI), CASE_3("sfplut", SFPLUT), CASE_2("sfplutfp32", SFPLUTFP32),
        CASE_3("sfpmuli", SFPMULI), CASE_3("sfpaddi", SFPADDI), CASE_4("sfpdivp2", SFPDIVP2),
        CASE_4("sfpexexp", SFPEXEXP), CASE_4("sfpexman", SFPEXMAN), CASE_4("sfpiadd", SFPIADD),
        CASE_4("sfpshft", SFPSHFT), CASE_4("sfpsetcc", SFPSETCC), CASE_4("sfpmov", SFPMOV),
        CASE_4("sfpabs", SFPABS), CASE_4("sfpand", SFPAND), CASE_4("sfpor", SFPOR), CASE_4("sfpnot", SFPNOT),
        CASE_4("sfplz", SFPLZ), CASE_4("sfpsetexp", SFPSETEXP), CASE_4("sfpsetman", SFPSETMAN),
        CASE_5("sfpmad", SFPMAD), CASE_5("sfpadd", SFPADD), CASE_5("sfpmul", SFPMUL),
        CASE_4("sfppushc", SFPPUSHC), CASE_4("sfppopc", SFPPOPC), CASE_4("sfpsetsgn", SFPSETSGN),
        CASE_4("sfpencc", SFPENCC), CASE_4("sfpcompc", SFPCOMPC), CASE_4("sfptransp", SFPTRANSP),
        CASE_4("sfpxor", SFPXOR), CASE_6("sfpstochrnd", SFP_STOCH_RND), CASE_3("sfpcast", SFPCAST),
        CASE_3("sfpconfig", SFPCONFIG), CASE_4("sfpswap", SFPSWAP), CASE_4("sfpshft2", SFPSHFT2),
#ifdef ARCH_BLACKHOLE
        CASE_5("sfpmul24", SFPMUL24), CASE_4("sfple", SFPLE), CASE_4("sfpgt", SFPGT),
        CASE_4("sfparecip", SFPARECIP),
#endif
        CASE_4("incrwc", INCRWC), CASE_6("setrwc", SETRWC), CASE_2("setc16", SETC16),
        CASE_2("stallwait", STALLWAIT), CASE_3("seminit", SEMINIT), CASE_1("sempost", SEMPOST),
        CASE_1("semget", SEMGET), CASE_1("atgetm", ATGETM), CASE_1("atrelm", ATRELM), CASE_3("semwait", SEMWAIT),
    };
}

std::map<std::string, unsigned> constants() {
#define CONSTANT(name, value) {#name, sfpi::name},
    return {SFPU_KERNEL_DOCUMENTED_MODIFIERS(CONSTANT)};
#undef CONSTANT
}
// clang-format on

std::vector<std::uint32_t> addr_mod_words() {
    kernel_recorder::recorder into(architecture::SFPU_KERNEL_ARCH);
    return kernel_recorder::record(into, [] {
        ckernel::addr_mod_t mod;
        mod.srca.incr = 5;
        mod.srcb.incr = 9;
        mod.srcb.cr = 1;
        mod.dest.incr = -2;
        mod.dest.c_to_cr = 1;
        mod.fidelity.incr = 1;
        mod.bias.clr = 1;
        mod.set(ckernel::ADDR_MOD_6);
    });
}

published_names names() { return {macros(), constants(), addr_mod_words(), ckernel::sfpu::same_name()}; }

} // namespace
} // namespace sfpu::test
