// A register of a tile by name.
#pragma once

#include <cstdint>
#include <string>

namespace sfpu {

/// "L3 lane 17", "lane flags", "T0 GPR 5", "config 0 word 12", "T1 x10".
struct tile_register {
    std::string name;
    std::uint32_t value = 0;
};

} // namespace sfpu
