#include "work_crew.h"

#include <system_error>

namespace sfpu::analysis {

work_crew::work_crew(unsigned hands) {
    threads_.reserve(hands);
    try {
        for (unsigned hand = 1; hand < hands; ++hand) threads_.emplace_back([this, hand] { serve(hand); });
    } catch (const std::system_error&) { // those that there are do it all
    }
}

work_crew::~work_crew() {
    {
        const std::lock_guard lock(mutex_);
        closes_ = true;
    }
    begun_.notify_all();
    for (std::thread& each : threads_) each.join();
}

void work_crew::share(std::size_t parts, const work& what) {
    {
        const std::lock_guard lock(mutex_);
        what_ = &what;
        parts_ = parts;
        next_ = 0;
        ++round_;
    }
    begun_.notify_all();
    take_parts(0, what);
    std::unique_lock lock(mutex_);
    what_ = nullptr; // who wakes up now is too late
    left_.wait(lock, [this] { return busy_ == 0; });
}

void work_crew::serve(unsigned hand) {
    std::uint64_t latest = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
        begun_.wait(lock, [&] { return closes_ || (what_ && round_ != latest); });
        if (closes_) return;
        latest = round_;
        ++busy_;
        const work& what =
            *what_; // share() waits for this hand, but what_ is null before its last part is done
        lock.unlock();
        take_parts(hand, what);
        lock.lock();
        if (--busy_ == 0) left_.notify_one();
    }
}

void work_crew::take_parts(unsigned hand, const work& what) {
    for (std::size_t part = next_++; part < parts_; part = next_++) what(hand, part);
}

} // namespace sfpu::analysis
