// The vendor's kernel language for stock GCC: constants for kernels of raw words, and names.
//
// Its vector types are declared, so that headers that use them compile; a function that uses them and is
// called does not link, since only the vendor's compiler knows which words they become. Constant registers
// can be assigned numbers, by raw words. docs/vendor.md says how a program is built with this folder.
#pragma once

#include "lltt.h"

#include <algorithm>

#ifdef ARCH_BLACKHOLE
#define SFPU_KERNEL_ARCH blackhole
#else
#define SFPU_KERNEL_ARCH wormhole
#endif

// Kernels use namespace ckernel, which has a namespace `sfpu` of its own.
#define sfpu sfpu_declared
// Declared under other names: here they can be assigned to.
#define vConstIntPrgm0 declared_int_prgm0
#define vConstIntPrgm1 declared_int_prgm1
#define vConstIntPrgm2 declared_int_prgm2
#define vConstFloatPrgm0 declared_float_prgm0
#define vConstFloatPrgm1 declared_float_prgm1
#define vConstFloatPrgm2 declared_float_prgm2
#include <sfpu/kernel_recorder/vector_builtins.h>
#include <sfpu/kernel_recorder/vector_functions.h>
#include <sfpu/kernel_recorder/vector_registers.h>
#include <sfpu/kernel_recorder/vector_types.h>
#undef sfpu
#undef vConstIntPrgm0
#undef vConstIntPrgm1
#undef vConstIntPrgm2
#undef vConstFloatPrgm0
#undef vConstFloatPrgm1
#undef vConstFloatPrgm2

namespace sfpi {
namespace impl_ {

/// Constant register 12, 13 or 14. A number goes there through L0, from which SFPCONFIG takes it: in an init
/// function, where L0 holds nothing yet.
template <class V, unsigned lreg>
struct settable_register : vCReg<V> {
    constexpr settable_register() : vCReg<V>(lreg) {}
    using vCReg<V>::operator=;
    [[gnu::always_inline]] void operator=(unsigned bits) const {
        lltt::known_or_stored(0x710a0000u | (bits & 0xffffu)); // SFPLOADI L0, the lower half
        lltt::known_or_stored(0x71080000u | bits >> 16);       // and the upper one
        lltt::known_or_stored(0x91000000u | lreg << 4);        // SFPCONFIG
    }
    [[gnu::always_inline]] void operator=(int value) const { *this = static_cast<unsigned>(value); }
    [[gnu::always_inline]] void operator=(float value) const {
        unsigned bits = 0;
        __builtin_memcpy(&bits, &value, sizeof bits);
        *this = bits;
    }
};

} // namespace impl_

constexpr impl_::settable_register<vInt, 12> vConstIntPrgm0;
constexpr impl_::settable_register<vInt, 13> vConstIntPrgm1;
constexpr impl_::settable_register<vInt, 14> vConstIntPrgm2;
constexpr impl_::settable_register<vFloat, 12> vConstFloatPrgm0;
constexpr impl_::settable_register<vFloat, 13> vConstFloatPrgm1;
constexpr impl_::settable_register<vFloat, 14> vConstFloatPrgm2;

} // namespace sfpi
