// The compiler built-ins that kernels call beside the vector types. They take and give values without a type.
#pragma once

#include <sfpu/kernel_recorder/vector_functions.h>

#include <initializer_list>

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
        SFPU_KERNEL_REFUSE("loading an immediate: the mode is " + std::to_string(how) +
                           ", expected 0, 1, 2, 4, 31 or -32");
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
        SFPU_KERNEL_REFUSE("SFPIADD that sets flags cannot be a value");
    return mod & SFPIADD_MOD1_ARG_2SCOMP_LREG_DST ? made(record::subtract_integer(other.get(), dest.get()))
                                                  : made(record::add_integer(dest.get(), other.get()));
}
inline vec integer_sum(const vec& a, int imm, unsigned) {
    return made(record::add_integer(a.get(), graph().constant(static_cast<std::uint32_t>(imm))));
}
inline vec by_field(unsigned opcode, const vec& rest, const vec& what, unsigned mod) {
    return binary(opcode, what, rest, mod);
}
inline vec set_field(unsigned opcode, const vec& v, int imm) {
    if (opcode == code::sfpsetexp) return made(record::set_exponent(v.get(), imm));
    if (opcode == code::sfpsetman) return made(record::set_mantissa(v.get(), static_cast<unsigned>(imm)));
    return unary(opcode, v, SFPSETSGN_MOD1_ARG_IMM, imm);
}
/// The two or four results of SFPSWAP and SFPTRANSP.
struct vecs {
    vec each[4];
};
inline vecs swap(const vec& a, const vec& b, unsigned mod) {
    record::value first = a.get(), second = b.get();
    record::swap(first, second, mod);
    return {{made(first), made(second), {}, {}}};
}
inline vecs transpose(const vec& a, const vec& b, const vec& c, const vec& d) {
    record::value ids[4] = {a.get(), b.get(), c.get(), d.get()};
    record::transpose(ids[0], ids[1], ids[2], ids[3]);
    return {{made(ids[0]), made(ids[1]), made(ids[2]), made(ids[3])}};
}
inline vec look_up(const vec& l0, const vec& l1, const vec& l2, const vec& v, unsigned mod) {
    return made(record::look_up({l0.get(), l1.get(), l2.get()}, v.get(), mod));
}
inline vec look_up_fp32(std::initializer_list<vec> tables, const vec& v, unsigned mod) {
    record::value ids[6];
    unsigned count = 0;
    for (const vec& each : tables) ids[count++] = each.get();
    return made(record::look_up_fp32(ids, count, v.get(), mod));
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
#define __builtin_rvtt_sfpnovalue()                        ::sfpi::impl_::sfpu_t()
#define __builtin_rvtt_sfpsetexp_i(v, imm, mod)            SFPU_KERNEL_BUILTIN::set_field(::sfpu::isa::opcode::sfpsetexp, v, imm)
#define __builtin_rvtt_sfpsetexp_v(v, w, mod)              SFPU_KERNEL_BUILTIN::by_field(::sfpu::isa::opcode::sfpsetexp, v, w, mod)
#define __builtin_rvtt_sfpsetman_i(v, imm, mod)            SFPU_KERNEL_BUILTIN::set_field(::sfpu::isa::opcode::sfpsetman, v, imm)
#define __builtin_rvtt_sfpsetman_v(v, w, mod)              SFPU_KERNEL_BUILTIN::by_field(::sfpu::isa::opcode::sfpsetman, v, w, mod)
#define __builtin_rvtt_sfpsetsgn_i(v, imm, mod)            SFPU_KERNEL_BUILTIN::set_field(::sfpu::isa::opcode::sfpsetsgn, v, imm)
#define __builtin_rvtt_sfpsetsgn_v(v, w, mod)              SFPU_KERNEL_BUILTIN::by_field(::sfpu::isa::opcode::sfpsetsgn, v, w, mod)
#define __builtin_rvtt_sfpdivp2(v, imm, mod)               SFPU_KERNEL_BUILTIN::unary(::sfpu::isa::opcode::sfpdivp2, v, mod, imm)
#define __builtin_rvtt_sfpshft_i(v, imm, mod)              ::sfpi::impl_::sfpu_t(::sfpi::record::shift((v).get(), imm, ((mod) & 2) != 0))
#define __builtin_rvtt_sfpshft_v(v, w, mod) \
    ::sfpi::impl_::sfpu_t(::sfpi::record::shift((v).get(), (w).get(), ((mod) & 2) != 0))
#define __builtin_rvtt_sfpstochrnd_i(v, imm, mod, rounding) \
    ::sfpi::impl_::sfpu_t(::sfpi::record::round((v).get(), mod, rounding, imm))
#define __builtin_rvtt_sfpstochrnd_v(v, w, mod, rounding) \
    ::sfpi::impl_::sfpu_t(::sfpi::record::round_by((v).get(), (w).get(), mod, rounding))
#define __builtin_rvtt_sfpshft2_subvec_shfl1(v, mod)       ::sfpi::impl_::sfpu_t(::sfpi::record::move_lanes((v).get(), mod))
#define __builtin_rvtt_sfplut(l0, l1, l2, v, mod)          SFPU_KERNEL_BUILTIN::look_up(l0, l1, l2, v, mod)
#define __builtin_rvtt_sfplutfp32_3r(l0, l1, l2, v, mod)   SFPU_KERNEL_BUILTIN::look_up_fp32({l0, l1, l2}, v, mod)
#define __builtin_rvtt_sfplutfp32_6r(a, b, c, d, e, f, v, mod) SFPU_KERNEL_BUILTIN::look_up_fp32({a, b, c, d, e, f}, v, mod)
#define __builtin_rvtt_sfpswap(a, b, mod)                  SFPU_KERNEL_BUILTIN::swap(a, b, mod)
#define __builtin_rvtt_sfptransp(a, b, c, d)               SFPU_KERNEL_BUILTIN::transpose(a, b, c, d)
#define __builtin_rvtt_sfpselect2(which, number)           ((which).each[(number) != 0])
#define __builtin_rvtt_sfpselect4(which, number)           ((which).each[number])
#define __builtin_rvtt_sfpwriteconfig_v(v, lreg)           ::sfpi::impl_::graph().write_constant(lreg, (v).get())
#define __builtin_rvtt_ttincrwc(cr, d, b, a)               TT_INCRWC(cr, d, b, a)
// clang-format on
