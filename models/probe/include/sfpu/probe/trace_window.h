// What a sink takes from its options: the window of cycles, and the kernel rows of words.
#pragma once

#include <sfpu/probe/trace_options.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>

namespace sfpu::probe {

/// The cycles that the user wants to see, both ends inclusive.
struct cycle_window {
    /// One below the largest, so that the cycle after it exists.
    static constexpr cycles no_limit{std::numeric_limits<std::int64_t>::max() - 1};

    cycles first, last;

    explicit cycle_window(const trace_options& options)
        : first(options.from.value_or(cycles{0})), last(std::min(options.to.value_or(no_limit), no_limit)) {}
    bool contains(cycles at) const { return first <= at && at <= last; }
};

/// Whether a format says whose a word is: if there is a choice.
inline bool shows_thread(const trace_options& options, unsigned thread) {
    return options.threads > 1 || thread != 0;
}

/// Kernel row of an issued word, -1 if it has none.
inline std::int64_t row_of(const trace_options& options, std::int64_t word) {
    return options.row_of_word && word >= 0 ? options.row_of_word(word) : -1;
}

/// "3", or of rows that nobody can tell apart "2-3".
inline std::string row_label(const trace_options& options, std::int64_t row) {
    const std::string first = std::to_string(row);
    return options.rows_together > 1 ? first + "-" + std::to_string(row + options.rows_together - 1) : first;
}

/// The same as a number, with the latest answers kept: a word comes again for each instruction that it
/// schedules.
class row_cache {
public:
    std::int64_t operator()(const trace_options& options, std::int64_t word) {
        entry& known = recent_[static_cast<std::uint64_t>(word) % recent_.size()];
        if (known.word != word) known = {word, row_of(options, word)};
        return known.row;
    }

private:
    struct entry {
        std::int64_t word = -1, row = -1;
    };
    std::array<entry, 64> recent_;
};

} // namespace sfpu::probe
