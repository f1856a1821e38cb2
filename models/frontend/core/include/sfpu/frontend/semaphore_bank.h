// The eight semaphores of a tile. Pure C++.
//
// Source: tt-isa-documentation, SyncUnit, SEMINIT, SEMPOST, SEMGET, SEMWAIT.
#pragma once

#include <sfpu/common/types.h>

#include <array>
#include <cstdint>
#include <vector>

namespace sfpu::frontend {

/// Values and maxima have four bits. Only waiting looks at the maximum: a post does not stop there but at 15.
class semaphore_bank {
public:
    static constexpr unsigned count = 8;
    static constexpr unsigned largest = 15;
    using mask = std::uint32_t; ///< bit i is semaphore i

    /// Who depends on the semaphores: each thread that waits for them.
    class user {
    public:
        virtual ~user() = default;
        /// Decides everything that happens before this cycle.
        virtual void bring_to(cycles at) = 0;
        /// A semaphore changed in this cycle.
        virtual void semaphores_changed(cycles at) = 0;
    };
    void add(user& one) { users_.push_back(&one); }

    /// All zero; the users stay.
    void reset() { semaphores_ = {}; }

    unsigned value(unsigned index) const { return semaphores_[index].value; }
    unsigned maximum(unsigned index) const { return semaphores_[index].maximum; }

    void init(mask which, unsigned maximum, unsigned value);
    void post(mask which); ///< one more, up to 15
    void get(mask which);  ///< one less, down to 0
    /// A core writes to a semaphore: odd values get, even ones post. First brings all users to that cycle.
    void write(unsigned index, std::uint32_t value, cycles at);
    /// Tells the users. For who changes semaphores by init(), post() or get().
    void announce(cycles at);

    bool any_zero(mask which) const;
    bool any_at_maximum(mask which) const;

private:
    struct semaphore {
        std::uint8_t value = 0, maximum = 0;
    };
    std::array<semaphore, count> semaphores_{};
    std::vector<user*> users_;
};

} // namespace sfpu::frontend
