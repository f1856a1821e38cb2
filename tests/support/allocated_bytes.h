// How much memory the process has allocated and not given back.
#pragma once

#include "address_sanitizer.h"

#include <cstddef>

#ifdef SFPU_HAS_ADDRESS_SANITIZER
extern "C" std::size_t __sanitizer_get_current_allocated_bytes(); // GCC has no header for it
#else
#include <malloc.h>
#endif

namespace sfpu::test {

inline std::size_t allocated_bytes() {
#ifdef SFPU_HAS_ADDRESS_SANITIZER
    return __sanitizer_get_current_allocated_bytes();
#else
    const struct mallinfo2 all = mallinfo2();
    return all.uordblks + all.hblkhd;
#endif
}

} // namespace sfpu::test
