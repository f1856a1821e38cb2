// A kernel of our own for the test of `sfpusim llk`: it reads memory of the device, which a host does not have.
#pragma once

#include "ckernel_ops.h"

#include <cstdint>

namespace ckernel::sfpu {

template <int ITERATIONS>
inline void calculate_crash() {
    volatile std::uint32_t* const address = reinterpret_cast<volatile std::uint32_t*>(std::uintptr_t{16});
    for (int d = 0; d < ITERATIONS; d++) TT_SFPLOADI(0, 2, *address & 0xffff);
}

} // namespace ckernel::sfpu
