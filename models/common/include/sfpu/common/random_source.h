// Random numbers that are the same on every machine.
#pragma once

#include <cstdint>

namespace sfpu {

/// splitmix64 (Steele, Lea, Flood 2014).
class random_source {
public:
    explicit random_source(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        return z ^ z >> 31;
    }
    /// 0 <= x < 1
    double fraction() { return static_cast<double>(next() >> 11) * 0x1p-53; }

private:
    std::uint64_t state_;
};

} // namespace sfpu
