// The compiler built-ins that kernels call beside the vector types. They take and give values without a type.
#pragma once

#include <sfpu/kernel_recorder/vector_functions.h>

using __rvtt_vec_t = ::sfpi::impl_::sfpu_t;
using __xtt_vector = ::sfpi::impl_::sfpu_t;

namespace sfpi::impl_::builtin {

using vec = sfpu_t;
using node = record::node;
namespace code = ::sfpu::isa::opcode;

inline vec made(record::value v) { return vec(v); }

inline vec load(unsigned address, unsigned mod, unsigned addr_mod) {
    graph();
    return made(record::load(mod, addr_mod, address));
}
inline void store(const vec& v, unsigned address, unsigned mod, unsigned addr_mod) {
    graph();
    record::store(v.get(), mod, addr_mod, address);
}
/// `how`: a mode of SFPLOADI; 31 and -32 stand for all bits of a signed or unsigned number.
inline vec load_immediate(std::uint32_t bits, int how) {
    switch (how) {
    case 0: return made(graph().constant(bits << 16));
    case 1: return vFloat(sFloat16a(bits)).get();
    case 2: return made(graph().constant(bits & 0xffffu));
    case 4: return made(graph().constant(bits & 0x8000u ? bits | 0xffff0000u : bits & 0xffffu));
    case 31:
    case -32:
    case 16: return made(graph().constant(bits));
    default:
        throw ::sfpu::kernel_recorder::kernel_error("loading an immediate: the mode is " +
                                                    std::to_string(how) + ", expected 0, 1, 2, 4, 31 or -32");
    }
}
inline vec read_lreg(unsigned lreg) {
    return made(lreg < 8 ? graph().pinned(lreg) : graph().constant_lreg(lreg));
}
inline void write_lreg(const vec& v, unsigned lreg) { graph().write_pinned(lreg, v.get()); }
inline vec unary(unsigned opcode, const vec& v, unsigned mod, int imm = 0) {
    return made(record::unary(opcode, v.get(), mod, imm));
}
inline vec binary(unsigned opcode, const vec& vb, const vec& vc, unsigned mod) {
    return made(record::binary(opcode, vb.get(), vc.get(), mod));
}
inline vec sum(const vec& a, const vec& b, unsigned mod) {
    if (mod != 0) return made(record::multiply_add(graph().constant_lreg(CREG_IDX_1), a.get(), b.get(), mod));
    return made(record::add(a.get(), b.get()));
}
inline vec product(const vec& a, const vec& b, unsigned mod) {
    if (mod != 0) return made(record::multiply_add(a.get(), b.get(), graph().constant_lreg(CREG_IDX_0), mod));
    return made(record::multiply(a.get(), b.get()));
}
inline vec integer_sum(const vec& dest, const vec& other, unsigned mod) {
    if (!(mod & SFPIADD_MOD1_CC_NONE) || (mod & 8))
        throw ::sfpu::kernel_recorder::kernel_error("SFPIADD that sets flags cannot be a value");
    return mod & SFPIADD_MOD1_ARG_2SCOMP_LREG_DST ? made(record::subtract_integer(other.get(), dest.get()))
                                                  : made(record::add_integer(dest.get(), other.get()));
}
inline vec integer_sum(const vec& a, int imm, unsigned) {
    return made(record::add_integer(a.get(), graph().constant(static_cast<std::uint32_t>(imm))));
}
inline vec assign(const vec& before, const vec& now) { return made(graph().assign(before.get(), now.get())); }

} // namespace sfpi::impl_::builtin

// clang-format off
#define SFPU_KERNEL_BUILTIN ::sfpi::impl_::builtin
#define __builtin_rvtt_sfpload(address, mod, addr_mod)     SFPU_KERNEL_BUILTIN::load(address, mod, addr_mod)
#define __builtin_rvtt_sfpstore(v, address, mod, addr_mod) SFPU_KERNEL_BUILTIN::store(v, address, mod, addr_mod)
#define __builtin_rvtt_sfploadi(bits, mod)                 SFPU_KERNEL_BUILTIN::load_immediate(bits, mod)
#define __builtin_rvtt_sfpxloadi(bits, how)                SFPU_KERNEL_BUILTIN::load_immediate(bits, how)
#define __builtin_rvtt_sfpreadlreg(lreg)                   SFPU_KERNEL_BUILTIN::read_lreg(lreg)
#define __builtin_rvtt_sfpwritelreg(v, lreg)               SFPU_KERNEL_BUILTIN::write_lreg(v, lreg)
#define __builtin_rvtt_sfpassign_lv(before, now)           SFPU_KERNEL_BUILTIN::assign(before, now)
#define __builtin_rvtt_sfpmad(a, b, c, mod) \
    ::sfpi::impl_::sfpu_t(::sfpi::record::multiply_add((a).get(), (b).get(), (c).get(), mod))
#define __builtin_rvtt_sfpadd(a, b, mod)                   SFPU_KERNEL_BUILTIN::sum(a, b, mod)
#define __builtin_rvtt_sfpmul(a, b, mod)                   SFPU_KERNEL_BUILTIN::product(a, b, mod)
#define __builtin_rvtt_sfpmul24(a, b, mod) \
    ::sfpi::impl_::sfpu_t(::sfpi::record::multiply_24((a).get(), (b).get(), mod))
#define __builtin_rvtt_sfpiadd_v(dest, other, mod)         SFPU_KERNEL_BUILTIN::integer_sum(dest, other, mod)
#define __builtin_rvtt_sfpiadd_i(v, imm, mod)              SFPU_KERNEL_BUILTIN::integer_sum(v, imm, mod)
#define __builtin_rvtt_sfpand(a, b)                        SFPU_KERNEL_BUILTIN::binary(::sfpu::isa::opcode::sfpand, a, b, 0)
#define __builtin_rvtt_sfpor(a, b)                         SFPU_KERNEL_BUILTIN::binary(::sfpu::isa::opcode::sfpor, a, b, 0)
#define __builtin_rvtt_sfpxor(a, b)                        SFPU_KERNEL_BUILTIN::binary(::sfpu::isa::opcode::sfpxor, a, b, 0)
#define __builtin_rvtt_sfpnot(a)                           SFPU_KERNEL_BUILTIN::unary(::sfpu::isa::opcode::sfpnot, a, 0)
#define __builtin_rvtt_sfpmov(a, mod)                      SFPU_KERNEL_BUILTIN::unary(::sfpu::isa::opcode::sfpmov, a, mod)
#define __builtin_rvtt_sfpabs(a, mod)                      SFPU_KERNEL_BUILTIN::unary(::sfpu::isa::opcode::sfpabs, a, mod)
#define __builtin_rvtt_sfpexexp(a, mod)                    SFPU_KERNEL_BUILTIN::unary(::sfpu::isa::opcode::sfpexexp, a, mod)
#define __builtin_rvtt_sfpexman(a, mod)                    SFPU_KERNEL_BUILTIN::unary(::sfpu::isa::opcode::sfpexman, a, mod)
#define __builtin_rvtt_sfplz(a, mod)                       SFPU_KERNEL_BUILTIN::unary(::sfpu::isa::opcode::sfplz, a, mod)
#define __builtin_rvtt_sfpcast(a, mod)                     SFPU_KERNEL_BUILTIN::unary(::sfpu::isa::opcode::sfpcast, a, mod)
#define __builtin_rvtt_sfparecip(a, mod)                   SFPU_KERNEL_BUILTIN::unary(::sfpu::isa::opcode::sfparecip, a, mod)
#define __builtin_rvtt_sfpnop()                            TTI_SFPNOP
// clang-format on
