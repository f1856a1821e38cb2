// Choices by a random sequence that are the same with every standard library, as those of std distributions
// are not.
#pragma once

#include <algorithm>
#include <cstddef>
#include <random>

namespace sfpu::test {

/// 0 to end - 1; 0 if there is none.
inline unsigned below(std::mt19937& numbers, std::size_t end) {
    return static_cast<unsigned>(numbers() % std::max<std::size_t>(1, end));
}
inline bool one_in(std::mt19937& numbers, unsigned many) { return numbers() % many == 0; }

} // namespace sfpu::test
