// Kernels of our own for the test of `sfpusim llk`: what it has to find out before it can call them.
#pragma once

#include "ckernel_ops.h"
#include "sfpi.h"

#include <cstdint>

namespace ckernel::sfpu {

/// A function of a value.
inline sfpi::vFloat guess_value_(const sfpi::vFloat x) { return x * x + 1.0f; }

/// Changes a value in place; only specialisations are defined, one of the two that are named.
template <SfpuType OPERATION>
inline void guess_place_(sfpi::vFloat& v, std::uint32_t exponent_size_8);
template <>
inline void guess_place_<SfpuType::negative>(sfpi::vFloat& v, std::uint32_t) {
    v = -v;
}
constexpr bool guess_is_square_(SfpuType operation) { return operation == SfpuType::square; }

/// Inlined or an error, and only one of its modes has a body: the compiler names the function that wants the other, and no call.
template <bool HALVES>
__attribute__((always_inline)) inline void guess_mode_(sfpi::vFloat& v);
template <>
__attribute__((always_inline)) inline void guess_mode_<true>(sfpi::vFloat& v) {
    v = v * 0.5f;
}
template <bool HALVES, int ITERATIONS>
inline void guess_of_mode_() {
    for (int d = 0; d < ITERATIONS; d++) {
        sfpi::vFloat v = sfpi::dst_reg[0];
        guess_mode_<HALVES>(v);
        sfpi::dst_reg[0] = v;
        sfpi::dst_reg++;
    }
}

/// Which rows: bytes in L1.
inline void guess_rows_(const std::uint32_t idx_addr) {
    volatile std::uint8_t* const rows =
        reinterpret_cast<volatile std::uint8_t*>(std::uintptr_t{idx_addr} + 16);
    for (int d = 0; d < 8; d++) TT_SFPLOAD(0, InstrModLoadStore::DEFAULT, ADDR_MOD_7, 2 * rows[d]);
    TTI_SFPSTORE(0, InstrModLoadStore::DEFAULT, ADDR_MOD_6, 0);
}

/// Its set-up depends on the argument of a template: the wrong one negates. A throughput of 2 cycles per input row.
template <bool NEGATE, int ITERATIONS>
inline void guess_sign_() {
    for (int d = 0; d < ITERATIONS; d++) {
#ifdef DISABLE_SFPLOADMACRO
        TTI_SFPLOAD(0, InstrModLoadStore::FP32, ADDR_MOD_7, 0);
        TTI_SFPMOV(0, 0, 0, NEGATE ? 1 : 0);
        TTI_SFPSTORE(0, InstrModLoadStore::FP32, ADDR_MOD_6, 0);
#else
        TTI_SFPLOADMACRO(0, InstrModLoadStore::FP32, ADDR_MOD_6, 0);
        TTI_SFPNOP;
#endif
    }
    TTI_SFPNOP;
    TTI_SFPNOP;
    TTI_SFPNOP;
}
template <int WHATEVER, bool NEGATE>
inline void _init_guess_sign_() {
    TTI_SFPMOV(0, 0, 12, NEGATE ? 1 : 0); // template 0
    TTI_SFPLOADI(0, sfpi::SFPLOADI_MOD0_LOWER, 0x44);
    TTI_SFPLOADI(0, sfpi::SFPLOADI_MOD0_UPPER, (0x40 | 1 << 3 | 3) << 8);
    TTI_SFPCONFIG(0, 4, 0);
    TTI_SFPCONFIG(0x100 | InstrModLoadStore::FP32, 8, 1);
}

/// Of two functions that may prepare it the one with its template parameter does; the other is of something else.
template <bool NEGATE, int ITERATIONS>
inline void calculate_turnround() {
    guess_sign_<NEGATE, ITERATIONS>();
}
template <bool HOW = false>
inline void sfpu_turnround_init() {
    TTI_SFPNOP;
}
template <bool NEGATE>
inline void turn_init() {
    _init_guess_sign_<0, NEGATE>();
}

/// Reads a constant that only the plain path's author remembered to leave out.
template <int ITERATIONS>
inline void guess_sign_unset_() {
    for (int d = 0; d < ITERATIONS; d++) {
        TTI_SFPLOAD(0, InstrModLoadStore::DEFAULT, ADDR_MOD_7, 0);
#ifndef DISABLE_SFPLOADMACRO
        TTI_SFPLOADMACRO(1, InstrModLoadStore::FP32, ADDR_MOD_7, 0);
        TTI_SFPNOP;
        TTI_SFPNOP;
        TTI_SFPAND(0, 13, 0, 0);
#endif
        TTI_SFPSTORE(0, InstrModLoadStore::DEFAULT, ADDR_MOD_6, 0);
    }
}

/// Its last macro ends behind it: calls that followed each other at once would let a Simple and a Round instruction meet.
template <int ITERATIONS>
inline void guess_overlap_() {
    for (int d = 0; d < ITERATIONS; d++) {
        if (d != 0) TTI_SFPNOP;
        TT_SFPLOADMACRO(d & 3, InstrModLoadStore::FP32, ADDR_MOD_7, 2 * d);
    }
}
inline void _init_guess_overlap_() {
    TTI_SFPMOV(0, 0, 12, 1);              // template 0: minus
    TTI_SFP_STOCH_RND(0, 0, 0, 0, 13, 1); // template 1: to 16 bits
    TTI_SFPLOADI(0, sfpi::SFPLOADI_MOD0_LOWER, 1 << 3 | 4);
    TTI_SFPLOADI(0, sfpi::SFPLOADI_MOD0_UPPER, (2 << 3 | 3) << 8 | 5);
    TTI_SFPCONFIG(0, 4, 0);
    TTI_SFPCONFIG(0x10, 8, 1);
    TTI_SFPNOP;
    TTI_SFPNOP;
}

/// Another way to the absolute value, which leaves no sign to a NaN either.
template <int ITERATIONS>
inline void guess_way_() {
    for (int d = 0; d < ITERATIONS; d++) {
        TTI_SFPLOAD(0, InstrModLoadStore::FP32, ADDR_MOD_7, 0);
#ifdef DISABLE_SFPLOADMACRO
        TTI_SFPABS(0, 0, 0, 1);
#else
        TTI_SFPLOADMACRO(1, InstrModLoadStore::FP32, ADDR_MOD_7, 0);
        TTI_SFPSETSGN(0, 0, 0, 1);
#endif
        TTI_SFPSTORE(0, InstrModLoadStore::FP32, ADDR_MOD_6, 0);
    }
}

inline void _init_guess_way_() { // the macro schedules nothing
    TTI_SFPLOADI(0, sfpi::SFPLOADI_MOD0_USHORT, 0);
    TTI_SFPCONFIG(0, 4, 0);
    TTI_SFPCONFIG(0, 8, 1);
    TTI_SFPNOP;
    TTI_SFPNOP;
}

/// Two NaNs, which only their bits tell apart.
template <int ITERATIONS>
inline void guess_nan_() {
    TTI_SFPLOADI(0, sfpi::SFPLOADI_MOD0_UPPER, 0x7fc0);
    for (int d = 0; d < ITERATIONS; d++) {
#ifdef DISABLE_SFPLOADMACRO
        TTI_SFPLOADI(0, sfpi::SFPLOADI_MOD0_LOWER, 0);
#else
        TTI_SFPLOADMACRO(1, InstrModLoadStore::FP32, ADDR_MOD_7, 0);
        TTI_SFPLOADI(0, sfpi::SFPLOADI_MOD0_LOWER, 1);
#endif
        TTI_SFPSTORE(0, InstrModLoadStore::FP32, ADDR_MOD_6, 0);
    }
}

} // namespace ckernel::sfpu
