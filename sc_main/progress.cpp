#include "progress.h"

#include <sfpu/common/shown_name.h>

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace sfpu::cli {
namespace {

constexpr std::chrono::milliseconds progress_patience{1000}, between_progress_lines{250}, between_looks{20};
constexpr unsigned most_calls_between_looks = 1u << 16;
constexpr std::size_t longest_progress = 79;

void say_progress(const std::string& text) {
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
}

} // namespace

std::string progress_text(std::string_view what, std::uint64_t done, std::uint64_t all, std::string_view unit,
                          double seconds) {
    if (all == 0 || done == 0) return fmt::format("{}: {} {}", what, done, unit);
    const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(all));
    return fmt::format("{}: {:.0f} % of {} {}, about {:.0f} s left", what, 100 * share, all, unit,
                       seconds * (1 - share) / share);
}

progress_line::progress_line(std::string what, bool wanted)
    : what_(shown_name(what)), shows_(wanted && isatty(STDERR_FILENO) != 0) {}

/// The clock is looked at about fifty times a second, however often this is called.
void progress_line::show_now(std::uint64_t done, std::uint64_t all, std::string_view unit) {
    const clock::time_point now = clock::now();
    if (now - looked_ < between_looks / 2)
        calls_between_looks_ = std::min(2 * calls_between_looks_, most_calls_between_looks);
    else if (now - looked_ > between_looks) calls_between_looks_ = std::max(calls_between_looks_ / 2, 1u);
    looked_ = now;
    if (now - begun_ < progress_patience || now - shown_ < between_progress_lines) return;
    shown_ = now;
    std::string text =
        progress_text(what_, done, all, unit, std::chrono::duration<double>(now - begun_).count());
    if (text.size() > longest_progress) text = ".." + text.substr(text.size() - longest_progress + 2);
    const std::size_t width = text.size();
    if (width < width_) text.append(width_ - width, ' ');
    width_ = width;
    say_progress("\r" + text);
}

void progress_line::end() {
    if (width_ != 0) say_progress("\r" + std::string(width_, ' ') + "\r");
    width_ = 0;
    shows_ = false;
}

working_line::working_line(std::string what, bool wanted)
    : working_line([name = shown_name(what)] { return name; }, wanted) {}

working_line::working_line(std::function<std::string()> what, bool wanted) {
    if (!wanted || isatty(STDERR_FILENO) == 0) return;
    thread_ = std::thread([this, what = std::move(what)] {
        std::unique_lock<std::mutex> lock(mutex_);
        std::size_t width = 0;
        for (unsigned seconds = 1; !ended_.wait_for(lock, std::chrono::seconds(1), [this] { return end_; });
             ++seconds) {
            std::string text = fmt::format("{}: {} s", what(), seconds).substr(0, longest_progress);
            const std::size_t here = text.size();
            if (here < width) text.append(width - here, ' ');
            say_progress("\r" + text);
            width = here;
        }
        if (width != 0) say_progress("\r" + std::string(width, ' ') + "\r");
    });
}

working_line::~working_line() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        end_ = true;
    }
    ended_.notify_all();
    if (thread_.joinable()) thread_.join();
}

} // namespace sfpu::cli
