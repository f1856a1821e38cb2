// CPU time of a thread, for limits that hold on a busy machine as on an idle one.
#pragma once

#include <ctime>
#include <pthread.h>

namespace sfpu {

inline double seconds_of(clockid_t clock) {
    std::timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Seconds of CPU that this thread has taken.
inline double thread_seconds() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }

/// CPU time that the thread which made it has taken since. Every thread may ask, as long as that one lives.
class thread_clock {
public:
    thread_clock() {
        if (pthread_getcpuclockid(pthread_self(), &of_) != 0) of_ = CLOCK_MONOTONIC;
        start_ = seconds_of(of_);
    }
    double seconds() const { return seconds_of(of_) - start_; }

private:
    clockid_t of_ = CLOCK_MONOTONIC;
    double start_ = 0;
};

} // namespace sfpu
