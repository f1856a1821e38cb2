// The vector instruction sets that lane loops are compiled for: what every processor of the build target has, and
// AVX2. (On AArch64 the one baseline is NEON.) Include it before Highway's foreach_target.h.
#pragma once

#include <hwy/detect_targets.h>

#define SFPU_UNUSED_VECTOR_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS SFPU_UNUSED_VECTOR_TARGETS
