// What all trace sinks (waveform, schedule table, pipeline logs) are told by the user.
#pragma once

#include <sfpu/common/types.h>
#include <sfpu/isa/word_encoding.h>
#include <sfpu/probe/observer.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace sfpu::probe {

/// A part of a unit around the vector unit, whose activity_events form one row of a picture.
struct activity_lane {
    tile_unit unit{};
    std::uint8_t instance = 0;
    const char* name = "";
};

struct trace_options {
    isa::word_encoding words = architecture::blackhole; ///< of the machine, which texts follow
    std::optional<cycles> from, to; ///< first and last cycle to show, both inclusive; absent: no limit

    /// Kernel row (32 elements) to which an issued word belongs, or -1 if it belongs to none (set-up, tail).
    /// Empty: no rows are shown.
    std::function<std::int64_t(std::int64_t word)> row_of_word;
    unsigned rows_together = 1; ///< it names the first of so many: which of them is not known

    unsigned period_ps = 741; ///< clock period in picoseconds

    // What formats that list all signals first must know of the machine.
    unsigned threads = 1; ///< whose words the unit executes; with more than one, formats say whose a word is
    unsigned slots = 8;   ///< outstanding macro entries of a sub-unit
    unsigned mad_units = 1, load_ports = 1, store_ports = 1;

    /// What a tile has beside its vector unit, for formats that list all signals first. Others learn it from
    /// events.
    std::vector<activity_lane> lanes;
};

} // namespace sfpu::probe
