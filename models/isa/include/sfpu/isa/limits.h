// How much a kernel may ask for. What is beyond is refused: more likely a mistake than a wish.
#pragma once

namespace sfpu::isa {

constexpr unsigned most_rows = 100'000'000; ///< that a kernel works on, or one iteration of its loop
/// What `.expect cycles_per_row` takes, 0 beside it.
constexpr double least_cycles_per_row = 0.001, most_cycles_per_row = 1'000'000'000;
constexpr bool can_be_expected(double cycles_per_row) {
    return cycles_per_row == 0 ||
           (cycles_per_row >= least_cycles_per_row && cycles_per_row <= most_cycles_per_row);
}

} // namespace sfpu::isa
