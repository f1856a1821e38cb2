// A header of our own for the test of `sfpusim llk`: it does not compile.
#pragma once

#include "sfpi.h"

namespace ckernel::sfpu {

inline void calculate_broken() { no_such_function(); }

} // namespace ckernel::sfpu
