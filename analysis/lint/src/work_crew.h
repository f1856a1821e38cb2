// Threads that share out work whose parts do not depend on each other.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace sfpu::analysis {

/// The calling thread works, too: it is hand 0. One round at a time.
class work_crew {
public:
    /// Does part `index` of a round. Parts are begun in their order; each hand does one at a time. Must not
    /// throw.
    using work = std::function<void(unsigned hand, std::size_t index)>;

    /// With fewer hands if there are no more threads to be had.
    explicit work_crew(unsigned hands);
    work_crew(const work_crew&) = delete;
    work_crew& operator=(const work_crew&) = delete;
    ~work_crew();

    /// Returns when all parts are done. What the parts wrote is there for the calling thread.
    void share(std::size_t parts, const work& what);

private:
    void serve(unsigned hand);
    void take_parts(unsigned hand, const work& what);

    std::mutex mutex_;
    std::condition_variable begun_, left_;
    // Under the mutex; parts_ stays as it is while a hand is busy.
    const work* what_ = nullptr; ///< null between rounds
    std::size_t parts_ = 0;
    std::uint64_t round_ = 0;
    unsigned busy_ = 0; ///< threads in the round
    bool closes_ = false;
    std::atomic<std::size_t> next_{0};
    std::vector<std::thread> threads_;
};

} // namespace sfpu::analysis
