#include <sfpu/analysis/unfinished_file.h>

#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace sfpu::analysis {
namespace {

/// Names of files, for a handler of signals: it can neither allocate nor wait for a lock. More files than
/// this are left behind.
constexpr std::size_t most_unfinished = 64;
std::array<std::atomic<char*>, most_unfinished> unfinished_names{};
static_assert(std::atomic<char*>::is_always_lock_free, "handlers of signals use them");

} // namespace

unfinished_file::unfinished_file(const std::string& name) {
    char* const copy = strdup(name.c_str());
    for (std::size_t i = 0; copy && i < unfinished_names.size(); ++i) {
        char* none = nullptr;
        if (!unfinished_names[i].compare_exchange_strong(none, copy)) continue;
        place_ = static_cast<int>(i);
        return;
    }
    std::free(copy);
}

unfinished_file::unfinished_file(unfinished_file&& other) noexcept
    : place_(std::exchange(other.place_, -1)) {}

unfinished_file& unfinished_file::operator=(unfinished_file&& other) noexcept {
    std::swap(place_, other.place_);
    return *this;
}

unfinished_file::~unfinished_file() {
    if (place_ >= 0) std::free(unfinished_names[static_cast<std::size_t>(place_)].exchange(nullptr));
}

void remove_unfinished_files() noexcept {
    for (std::atomic<char*>& each : unfinished_names)
        if (char* const name = each.load()) unlink(name);
}

} // namespace sfpu::analysis
