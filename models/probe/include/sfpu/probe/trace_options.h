// What all trace sinks (waveform, schedule table, pipeline logs) are told by the user.
#pragma once

#include <sfpu/common/types.h>

#include <cstdint>
#include <functional>
#include <optional>

namespace sfpu::probe {

struct trace_options {
    architecture arch = architecture::blackhole;
    std::optional<cycles> from, to; ///< first and last cycle to show, both inclusive; absent: no limit

    /// Kernel row (32 elements) to which an issued word belongs, or -1 if it belongs to none (set-up, tail).
    /// Empty: no rows are shown.
    std::function<std::int64_t(std::int64_t word)> row_of_word;

    unsigned period_ps = 741; ///< clock period in picoseconds
};

} // namespace sfpu::probe
