// How far a command is, for people who wait.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace sfpu::cli {

/// A line on standard error that is written over and over. Nothing in the first second, nothing if
/// standard error is no terminal; it has no colours. end() takes it away.
class progress_line {
public:
    /// `wanted` false: it stays silent.
    explicit progress_line(std::string what, bool wanted = true);
    ~progress_line() { end(); }
    progress_line(const progress_line&) = delete;
    progress_line& operator=(const progress_line&) = delete;

    /// `all` 0: nobody knows how many there will be. May be called as often as one likes.
    void show(std::uint64_t done, std::uint64_t all, std::string_view unit) {
        if (shows_ && ++calls_ % calls_between_looks_ == 0) show_now(done, all, unit);
    }
    void end();

private:
    using clock = std::chrono::steady_clock;

    void show_now(std::uint64_t done, std::uint64_t all, std::string_view unit);

    std::string what_;
    bool shows_;
    unsigned calls_ = 0, calls_between_looks_ = 1;
    clock::time_point begun_ = clock::now(), looked_ = begun_, shown_ = begun_;
    std::size_t width_ = 0; ///< characters on the screen
};

/// While it lives, a line on standard error says for how many seconds something has been at work of which
/// nobody knows how much there is. Nothing in the first second, nothing if standard error is no terminal;
/// nothing else is printed meanwhile.
class working_line {
public:
    explicit working_line(std::string what, bool wanted = true);
    /// `what` is asked every second, by another thread.
    explicit working_line(std::function<std::string()> what, bool wanted = true);
    ~working_line();
    working_line(const working_line&) = delete;
    working_line& operator=(const working_line&) = delete;

private:
    std::mutex mutex_;
    std::condition_variable ended_;
    bool end_ = false;
    std::thread thread_;
};

/// "x.s: 40 % of 1000 rows, about 7 s left" after so many seconds; "x.s: 400 cycles" if nobody knows how many
/// there will be.
std::string progress_text(std::string_view what, std::uint64_t done, std::uint64_t all, std::string_view unit,
                          double seconds);

} // namespace sfpu::cli
