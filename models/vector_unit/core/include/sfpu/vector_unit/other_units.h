// What stands around a vector unit and executes words of other Tensix units.
#pragma once

#include <sfpu/common/types.h>

#include <cstdint>

namespace sfpu {

class other_units {
public:
    virtual ~other_units() = default;
    /// A word of another unit is issued in cycle `at`, in order with all others of all threads. Configuration
    /// that it changes holds for the words behind it. False if nobody executes it.
    virtual bool execute(std::uint32_t word, std::uint8_t thread, cycles at, std::int64_t index) = 0;
};

} // namespace sfpu
