// The eight semaphores of a tile. Pure C++.
//
// Source: tt-isa-documentation, SyncUnit, SEMINIT, SEMPOST, SEMGET, SEMWAIT.
#pragma once

#include <array>
#include <cstdint>

namespace sfpu::frontend {

/// Values and maxima have four bits. Only waiting looks at the maximum: a post does not stop there but at 15.
class semaphore_bank {
public:
    static constexpr unsigned count = 8;
    static constexpr unsigned largest = 15;
    using mask = std::uint32_t; ///< bit i is semaphore i

    void reset() { semaphores_ = {}; }

    unsigned value(unsigned index) const { return semaphores_[index].value; }
    unsigned maximum(unsigned index) const { return semaphores_[index].maximum; }

    void init(mask which, unsigned maximum, unsigned value);
    void post(mask which); ///< one more, up to 15
    void get(mask which);  ///< one less, down to 0

    bool any_zero(mask which) const;
    bool any_at_maximum(mask which) const;

private:
    struct semaphore {
        std::uint8_t value = 0, maximum = 0;
    };
    std::array<semaphore, count> semaphores_{};
};

} // namespace sfpu::frontend
