// What the chips are called in C++: in sources that the program writes, and in calls of the compiler.
#pragma once

#include <sfpu/common/chip.h>

namespace sfpu::analysis {

/// The macro that says for which chip a source is compiled.
constexpr const char* chip_macro(architecture arch) {
    switch (arch) {
    case architecture::blackhole: return "ARCH_BLACKHOLE";
    case architecture::wormhole: return "ARCH_WORMHOLE";
    }
    __builtin_unreachable();
}

/// The enumerator of `architecture`.
constexpr const char* chip_enumerator(architecture arch) {
    switch (arch) {
    case architecture::blackhole: return "blackhole";
    case architecture::wormhole: return "wormhole";
    }
    __builtin_unreachable();
}

} // namespace sfpu::analysis
