// How much a kernel may ask for. What is beyond is refused: more likely a mistake than a wish.
#pragma once

namespace sfpu::isa {

constexpr unsigned most_rows = 100'000'000; ///< that a kernel works on, or one iteration of its loop

} // namespace sfpu::isa
