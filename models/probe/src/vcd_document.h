// The VCD format (IEEE 1364 value change dump) without any meaning: scopes, signals, and values by cycle.
#pragma once

#include "output_buffer.h"
#include "trace_support.h"

#include <array>
#include <cstdint>
#include <iosfwd>
#include <string_view>

namespace sfpu::probe {

class vcd_document {
public:
    using signal = std::uint16_t;
    static constexpr unsigned most_signals = 640;

    enum class kind : std::uint8_t { wire, integer, text, event };

    /// The value of a signal that nobody drives, z in the file.
    static constexpr std::uint64_t unknown = ~std::uint64_t{0};

    /// Values of text signals are indices into `texts`.
    vcd_document(std::ostream& out, unsigned period_ps, const text_cache& texts);

    /// Units of time in a cycle: round numbers, so that a viewer's time axis falls on cycles.
    static constexpr std::int64_t cycle_length = 1000;

    // The header: all scopes and signals first, values after end_header().
    void open_scope(std::string_view name);
    void close_scope();
    signal add(kind type, unsigned width, std::string_view name, std::uint64_t initial = unknown);
    void end_header();

    void set(signal which, std::uint64_t value) {
        if (signals_[which].value == value) return;
        touched_[which / 64] |= std::uint64_t{1} << which % 64;
        signals_[which].value = value;
    }

    /// An event happens in the cycle that is written next.
    void trigger(signal which) {
        touched_[which / 64] |= std::uint64_t{1} << which % 64;
        signals_[which].value = 1;
    }

    /// Writes the clock's edges and the signals as they stand in cycle `at`: all of them the first time, later those that changed.
    void write_cycle(cycles at);
    /// Ends the file with the first moment after cycle `last` and hands everything to the stream. `has_state`: the signals stand as that
    /// cycle has left them.
    void finish(cycles last, bool has_state);

private:
    /// Room for a line that holds a time or a binary value.
    static constexpr std::size_t longest_number = 96;

    struct entry {
        std::uint64_t value = unknown;
        std::uint64_t written = unknown; ///< value in the file
        kind type = kind::wire;
        std::uint8_t width = 1;
        std::uint8_t ending_size = 0;
        /// What stands behind a value: a blank if it is no scalar, the identifier, the end of the line.
        std::array<char, 4> ending{};
    };

    /// Room for the time and the values of all signals.
    std::size_t longest_cycle() const {
        return (count_ + 1) * longest_number + text_signals_ * texts_.longest();
    }
    char* put_time(char* to, cycles at) const;
    char* put_value(char* to, entry& signal) const;
    char* put_changes(char* to);
    char* put_falling_edge(char* to, cycles at);
    static constexpr signal clock = 0; ///< the first signal

    output_buffer out_;
    const text_cache& texts_;
    std::array<entry, most_signals> signals_;
    std::size_t count_ = 0, text_signals_ = 0;
    /// Bit i % 64 of element i / 64: signal i may have changed since the latest write.
    std::array<std::uint64_t, most_signals / 64> touched_{};
    bool dumped_ = false; ///< the first values have been written
};

} // namespace sfpu::probe
