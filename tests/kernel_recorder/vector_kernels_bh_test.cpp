// Kernels with vector types as sources compiled for Blackhole see them; vector_types_test.cpp holds the
// tests.
#define ARCH_BLACKHOLE

#include "vector_kernels_inl.h"

namespace sfpu::test {

const vector_kernels& blackhole_vector_kernels() {
    static const vector_kernels result = all_vector_kernels();
    return result;
}

} // namespace sfpu::test
