/* Where the TensorLoad examples store bytes, and how they read them back.
 *
 * On Blackhole TL.STORE reaches Dst through its window, here in format int8: byte i of the first 16 KiB is
 * element i. Values are kept from 0 to 127, since that format holds sign and magnitude. Wormhole has no such
 * window; there TL.STORE is bound to L1. */
#ifndef SFPU_RESULTS_H
#define SFPU_RESULTS_H

#include "sfpu_firmware.h"

#ifdef SFPU_ARCH_WORMHOLE
#define RESULT_OFFSET 0x100000u
#define RESULT_BASE (L1_BASE + RESULT_OFFSET)
static inline void results_begin(void) {}
#else
#define RESULT_OFFSET 0u
#define RESULT_BASE DST_BASE
static inline void results_begin(void) { set_dst_access(0, DST_INT8); }
#endif

static inline void results_read(uint32_t offset, uint8_t* to, size_t count) {
    const volatile uint8_t* from = (const volatile uint8_t*)(uintptr_t)(RESULT_BASE + offset);
    for (size_t i = 0; i < count; ++i) to[i] = from[i];
}

#endif
