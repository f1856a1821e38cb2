// Semantics that use floating-point instructions of the host expect it to round to nearest, to keep
// subnormals and to trap nothing. A platform may have set it otherwise, for itself and at any time:
// fesetround(), feenableexcept(), or bits that flush subnormals. Such semantics ask before they begin, which
// takes five host instructions, and run in the default environment if the host has another one.
#pragma once

#include <sfpu/isa/instruction.h>

#include <cstdint>

#if defined(__SSE2__)
#include <immintrin.h>
#elif !defined(__aarch64__)
#include <cfenv>
#endif

namespace sfpu::isa {

namespace float_environment {

#if defined(__SSE2__)
using control_word = std::uint32_t; ///< MXCSR; its lowest six bits remember exceptions and change nothing
constexpr control_word all_bits_but_status = ~0x3fu, usual = 0x1f80u;
inline control_word read() { return _mm_getcsr(); }
inline void write(control_word value) { _mm_setcsr(value); }
#elif defined(__aarch64__)
using control_word = std::uint64_t; ///< FPCR
constexpr control_word all_bits_but_status = ~std::uint64_t{0}, usual = 0;
inline control_word read() {
    control_word value;
    asm volatile("mrs %0, fpcr" : "=r"(value));
    return value;
}
inline void write(control_word value) { asm volatile("msr fpcr, %0" : : "r"(value)); }
#else
using control_word = int; ///< the rounding mode is all that C++ can ask for
constexpr control_word all_bits_but_status = ~0, usual = FE_TONEAREST;
inline control_word read() { return std::fegetround(); }
inline void write(control_word value) { std::fesetround(value); }
#endif

inline bool is_usual() { return (read() & all_bits_but_status) == usual; }

} // namespace float_environment

/// Runs `semantics` in the default environment and gives the host's back. A call through a pointer, so that
/// the compiler moves no arithmetic out of it.
void execute_in_usual_float_environment(execute_function semantics, execution& x, const instruction& i);

} // namespace sfpu::isa
