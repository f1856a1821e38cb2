// Kernels with vector types, for tests on both architectures: each architecture has a translation unit of its
// own.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sfpu::test {

struct vector_kernel {
    std::string name;
    std::function<void()> function;
};

/// What a translation unit that was compiled for one architecture has.
struct vector_kernels {
    std::vector<vector_kernel> by_feature; ///< together they use every feature
    /// Statements chosen by the seed: expressions, assignments, nested conditions.
    std::function<void(std::uint64_t seed, unsigned statements)> random;
    std::function<void()> scaled;                    ///< one row, times a constant
    std::function<void()> row;                       ///< one row that can be repeated
    std::function<void(unsigned length)> replayed;   ///< that row, recorded, executed and played three times
    std::function<void(unsigned count)> sum_of_many; ///< of slices of Dst
    std::function<void(unsigned count)>
        times_product_of_many; ///< keeps `count` values and their product at a time
    std::function<void(unsigned depth)> nested;
    std::function<void(unsigned own, unsigned depth)> nested_behind_own;
    std::function<void(unsigned depth)> nested_around_either;
    std::function<void()> chain_of_seven, chain_of_eight; ///< v_if, so many v_elseif, v_else
    // Lines of vector_kernels_inl.h.
    unsigned line_of_nested_if, line_of_the_eighth, line_of_many_loads, line_of_their_product;
};

/// Whether the random kernel of a seed has words of its own, which leave L0 to these.
constexpr bool has_own_words(std::uint64_t seed) { return seed % 3 == 0; }
/// Variables of the random kernel of a seed, beside an integer.
constexpr unsigned most_float_variables = 5;
constexpr unsigned float_variables(std::uint64_t seed) {
    return seed % 4 == 1 ? 3 + static_cast<unsigned>(seed / 4 % 3) : 2;
}

const vector_kernels& blackhole_vector_kernels();
const vector_kernels& wormhole_vector_kernels();

} // namespace sfpu::test
