// What the chips compute differently, besides what chip_description says of their instructions.
#pragma once

#include <sfpu/common/chip.h>

namespace sfpu::isa {

struct chip_semantics {
    bool has_signed_zeros; ///< MAD class: -0, one canonical NaN, and no bit forgotten in rounding, see fma.h
    bool pop_overwrites_bottom;   ///< SFPPOPC that keeps a full stack overwrites the bottom entry
    bool converts_sign_magnitude; ///< loads and stores of INT32_SM, INT8 and INT8_COMP know two's complement
    bool stores_denormals;        ///< SFPSTORE of FP32 keeps them; otherwise it stores zero
};

/// A chip that is not described here does not compile.
constexpr chip_semantics semantics_of(architecture arch) {
    switch (arch) {
    case architecture::blackhole: return {true, false, false, false};
    case architecture::wormhole: return {false, true, true, true};
    }
    __builtin_unreachable();
}

} // namespace sfpu::isa
