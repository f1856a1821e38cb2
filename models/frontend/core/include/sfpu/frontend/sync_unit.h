// The Sync Unit of a tile: eight semaphores and up to eight mutexes, which its three threads share. Pure C++.
//
// Source: tt-isa-documentation, SyncUnit, SEMINIT, SEMPOST, SEMGET, SEMWAIT, ATGETM, ATRELM.
#pragma once

#include <sfpu/common/types.h>
#include <sfpu/frontend/backend_times.h>
#include <sfpu/isa/thread_state.h>

#include <array>
#include <cstdint>
#include <vector>

namespace sfpu::frontend {

/// Values and maxima of semaphores have four bits. Only waiting looks at the maximum: a post does not stop
/// there but at 15.
///
/// A mutex is held by one thread or by none. Threads that want one say so; when it is released and both
/// others want it, it goes to the next thread behind the one that released it, else to whoever comes first.
class sync_unit {
public:
    static constexpr unsigned count = 8; ///< semaphores, and numbers of mutexes
    static constexpr unsigned largest = 15;
    using mask = std::uint32_t; ///< bit i is semaphore i

    /// Who depends on the state: each thread that waits for it.
    class user {
    public:
        virtual ~user() = default;
        /// Decides everything that happens before this cycle.
        virtual void bring_to(cycles at) = 0;
        /// A semaphore changed, or a mutex was released, in this cycle.
        virtual void semaphores_changed(cycles at) = 0;
    };
    void add(user& one) { users_.push_back(&one); }

    /// Units that the threads share as they share this one.
    backend_occupancy backend;

    /// Semaphores zero, mutexes free; the users stay.
    void reset() {
        semaphores_ = {};
        mutexes_ = {};
        backend = {};
    }

    /// Takes over the semaphores and mutexes; the users stay, and are not told.
    void take_state(const sync_unit& other) {
        semaphores_ = other.semaphores_;
        mutexes_ = other.mutexes_;
        backend = other.backend;
    }

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

    /// Since when the thread has been able to acquire a mutex; `forever` while another one holds it.
    cycles free_from(unsigned index, unsigned thread) const {
        const mutex& one = mutexes_[index];
        return one.holder == nobody || one.holder == thread ? one.free_from : forever;
    }
    /// The thread waits for a mutex from this cycle on.
    void want(unsigned index, unsigned thread, cycles since) { mutexes_[index].wanted_since[thread] = since; }
    /// The thread, which could, acquires a mutex.
    void acquire(unsigned index, unsigned thread);
    /// The thread releases a mutex in this cycle, so that another one can acquire it in the next; nothing
    /// happens if it does not hold it. Tells the users.
    void release(unsigned index, unsigned thread, cycles at);

private:
    struct semaphore {
        std::uint8_t value = 0, maximum = 0;
    };
    static constexpr unsigned nobody = isa::thread_count;
    struct mutex {
        unsigned holder = nobody;
        cycles free_from{};
        std::array<cycles, isa::thread_count> wanted_since{forever, forever, forever};
    };
    static_assert(isa::thread_count == 3);

    std::array<semaphore, count> semaphores_{};
    std::array<mutex, count> mutexes_{};
    std::vector<user*> users_;
};

} // namespace sfpu::frontend
