// The vector instruction sets that lane loops are compiled for: what every processor of the build target has,
// and AVX2. (On AArch64 the one baseline is NEON.) Include it before Highway's foreach_target.h. Of Highway,
// headers alone are used: its library looks at the processor when a program starts, which takes longer than
// many a command.
#pragma once

#include <hwy/detect_targets.h>

#define SFPU_UNUSED_VECTOR_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS SFPU_UNUSED_VECTOR_TARGETS

namespace sfpu::vectors {

/// Whether this processor has what Highway compiles its target AVX2 for, and the operating system keeps its
/// registers. False on other processors than those of x86-64.
bool has_avx2();

} // namespace sfpu::vectors

// The best of the functions of this name for this processor. For the one part of a file that is compiled
// once.
#if (HWY_TARGETS & HWY_AVX2) && HWY_STATIC_TARGET != HWY_AVX2
#define SFPU_BEST_OF(name) (::sfpu::vectors::has_avx2() ? &N_AVX2::name : &HWY_STATIC_DISPATCH(name))
#else
#define SFPU_BEST_OF(name) (&HWY_STATIC_DISPATCH(name))
#endif
