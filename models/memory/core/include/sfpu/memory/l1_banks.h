// When an L1 bank is free: 16 banks of 128 bits, one line a cycle, narrow writes longer. Plain C++.
//
// Source: tt-isa-documentation, L1; tile.md K1.
#pragma once

#include <sfpu/common/types.h>

#include <array>
#include <cstdint>
#include <vector>

namespace sfpu::memory {

/// Initiators run ahead of each other, so accesses do not come in the order of their cycles. Each bank
/// therefore remembers in which cycles it was busy, and an access takes the first gap that is long enough:
/// who comes first is served first, whatever its cycle. A bank remembers `stretches` stretches without a
/// gap; an access before the oldest of them passes freely.
class l1_banks {
public:
    static constexpr unsigned count = 16;
    static constexpr unsigned line_bytes = 16;
    /// Several queues of transfers that go through all banks.
    static constexpr unsigned stretches = 256;

    static constexpr unsigned bank_of(std::uint64_t line) { return static_cast<unsigned>(line % count); }

    void reset() { busy_ = {}; }

    /// Takes a bank for `length` cycles, at `at` or as soon as it is free. Returns the first of these cycles.
    cycles occupy(unsigned bank, cycles at, cycles length);

private:
    struct stretch {
        cycles begin{}, end{}; ///< end exclusive
    };
    std::array<std::vector<stretch>, count> busy_; ///< in the order of their cycles, with gaps between them
};

} // namespace sfpu::memory
