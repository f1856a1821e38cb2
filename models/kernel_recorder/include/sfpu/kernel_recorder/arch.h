// The architecture that a translation unit's kernels are compiled for: ARCH_BLACKHOLE or ARCH_WORMHOLE, as
// for the vendor's headers.
#pragma once

#if defined(ARCH_BLACKHOLE) == defined(ARCH_WORMHOLE)
#error "define ARCH_BLACKHOLE or ARCH_WORMHOLE, and not both"
#endif

// One program may hold kernels for both, and kernels stand in namespace ckernel under the same names on both,
// often as inline functions, of which the linker would keep one. So the namespace, and that of the vector
// types, has another name on each architecture. An inline namespace would protect only what these headers
// declare.
#ifdef ARCH_BLACKHOLE
#define SFPU_KERNEL_ARCH blackhole
#define ckernel ckernel_blackhole
#define sfpi sfpi_blackhole
#else
#define SFPU_KERNEL_ARCH wormhole
#define ckernel ckernel_wormhole
#define sfpi sfpi_wormhole
#endif
