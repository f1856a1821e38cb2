// CPU time of a thread, for limits that hold on a busy machine as on an idle one.
#pragma once

#include <ctime>
#include <pthread.h>

namespace sfpu::analysis {

/// CPU time that the thread which made it has taken since. Every thread may ask, as long as that one lives.
class thread_clock {
public:
    thread_clock() {
        if (pthread_getcpuclockid(pthread_self(), &of_) != 0) of_ = CLOCK_MONOTONIC;
        start_ = now();
    }
    double seconds() const { return now() - start_; }

private:
    double now() const {
        std::timespec time{};
        clock_gettime(of_, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    }

    clockid_t of_ = CLOCK_MONOTONIC;
    double start_ = 0;
};

} // namespace sfpu::analysis
