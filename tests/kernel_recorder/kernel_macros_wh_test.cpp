// The published names as sources compiled for Wormhole see them; kernel_recorder_test.cpp holds the tests.
#define ARCH_WORMHOLE

#include "kernel_macros_inl.h"

namespace sfpu::test {

const published_names& wormhole_names() {
    static const published_names result = names();
    return result;
}

} // namespace sfpu::test
