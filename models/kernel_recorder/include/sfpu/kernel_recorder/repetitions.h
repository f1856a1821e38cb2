// Where a sequence repeats itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sfpu::kernel_recorder {

/// A stretch whose elements come again `period` elements later as long as that is within the stretch, which
/// holds at least two periods and could be longer at neither end. `period` is the smallest of the stretch.
struct repetition {
    std::size_t begin = 0, end = 0, period = 1;

    std::size_t count() const { return (end - begin) / period; } ///< whole periods

    friend bool operator==(const repetition& a, const repetition& b) {
        return a.begin == b.begin && a.end == b.end && a.period == b.period;
    }
};

/// All repetitions of a sequence, by begin, then by period. They are fewer than the elements, and are found
/// in O(n log n) whatever the sequence. Elements are compared by a hash of 61 bits: who relies on a
/// repetition looks at the elements (is_repeated).
std::vector<repetition> repetitions_of(const std::vector<std::uint64_t>& sequence);

/// Whether the elements from `begin` on are `count` times the same `period` elements.
template <class List>
bool is_repeated(const List& elements, std::size_t begin, std::size_t period, std::size_t count) {
    for (std::size_t i = begin + period; i < begin + period * count; ++i)
        if (elements[i] != elements[i - period]) return false;
    return true;
}

} // namespace sfpu::kernel_recorder
