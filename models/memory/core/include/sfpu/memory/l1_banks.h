// When an L1 bank is free: 16 banks of 128 bits, one line a cycle, narrow writes longer. Plain C++.
//
// Source: tt-isa-documentation, L1; tile.md K1.
#pragma once

#include <sfpu/common/types.h>

#include <array>
#include <cstdint>

namespace sfpu::memory {

/// Initiators run ahead of each other, so accesses do not come in the order of their cycles. Each bank
/// therefore remembers the latest stretch of cycles in which it was busy without a gap, and not only when it
/// becomes free: an access that comes late but lies before that stretch passes freely, one that falls into it
/// waits for its end.
class l1_banks {
public:
    static constexpr unsigned count = 16;
    static constexpr unsigned line_bytes = 16;

    static constexpr unsigned bank_of(std::uint64_t line) { return static_cast<unsigned>(line % count); }

    void reset() { busy_ = {}; }

    /// Takes a bank for `length` cycles, at `at` or as soon as it is free. Returns the first of these cycles.
    cycles occupy(unsigned bank, cycles at, cycles length);

private:
    struct stretch {
        cycles begin{}, end{}; ///< end exclusive; empty if equal
    };
    std::array<stretch, count> busy_{};
};

} // namespace sfpu::memory
