// The VCD format (IEEE 1364 value change dump) without any meaning: scopes, signals, and values by cycle.
#pragma once

#include "output_buffer.h"
#include "trace_support.h"

#include <sfpu/common/types.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <iosfwd>
#include <string_view>
#include <vector>

namespace sfpu::probe {

class vcd_document {
public:
    using signal = std::uint16_t;
    static constexpr unsigned most_signals = 640;
    /// Signals of 32 bits that change together: the same thing in some lanes.
    using bundle = std::uint16_t;

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
    bundle add_bundle();
    /// The signal of a lane, in the scope that is open; z at first.
    void add(bundle to, unsigned lane, std::string_view name);
    void end_header();

    void set(signal which, std::uint64_t value) {
        if (signals_[which].value == value) return;
        touched_[which / 64] |= std::uint64_t{1} << which % 64;
        signals_[which].value = value;
    }

    /// `driven`: lanes that have a value; the signals of the others are z.
    void set(bundle which, const lanes& values, lane_mask driven) {
        bundle_entry& b = bundles_[which];
        driven &= b.shown;
        if (driven == b.driven && !b.differs(values)) return;
        b.value = values;
        b.driven = driven;
        b.touched = true;
    }
    void set_idle(bundle which) {
        bundle_entry& b = bundles_[which];
        b.touched = b.touched || b.driven != 0;
        b.driven = 0;
    }

    /// An event happens in the cycle that is written next.
    void trigger(signal which) {
        touched_[which / 64] |= std::uint64_t{1} << which % 64;
        signals_[which].value = 1;
    }

    /// Writes the clock's edges and the signals as they stand in cycle `at`: all of them the first time,
    /// later those that changed.
    void write_cycle(cycles at);
    /// Ends the file with the first moment after cycle `last` and hands everything to the stream.
    /// `has_state`: the signals stand as that cycle has left them.
    void finish(cycles last, bool has_state);

private:
    /// Room for a line that holds a time or a binary value.
    static constexpr std::size_t longest_number = 96;

    /// What stands behind a value: a blank if it is no scalar, the identifier, the end of the line.
    struct value_ending {
        std::array<char, 4> text{};
        std::uint8_t size = 0;
    };
    struct entry {
        std::uint64_t value = unknown;
        std::uint64_t written = unknown; ///< value in the file
        kind type = kind::wire;
        std::uint8_t width = 1;
        value_ending ending;
    };
    struct bundle_entry {
        struct lane_signal {
            std::uint8_t lane = 0;
            value_ending ending;
        };
        std::vector<lane_signal> signals;
        lane_mask shown = 0; ///< the lanes that have one
        lanes value{}, written{};
        lane_mask driven = 0, written_driven = 0;
        bool touched = false; ///< something may have changed since the latest write

        bool differs(const lanes& from) const {
            if (signals.size() == 1) return value.v[signals[0].lane] != from.v[signals[0].lane];
            return std::memcmp(&value, &from, sizeof value) != 0;
        }
    };

    /// Room for the time and the values of all signals.
    std::size_t longest_cycle() const {
        return (identifiers_ + 1) * longest_number + text_signals_ * texts_.longest();
    }
    value_ending declare(kind type, unsigned width, std::string_view name);
    char* put_time(char* to, cycles at) const;
    char* put_value(char* to, entry& signal) const;
    static char* put_bundle(char* to, bundle_entry& b, bool whole);
    static char* put_ending(char* to, const value_ending& ending);
    char* put_changes(char* to);
    char* put_falling_edge(char* to, cycles at);
    static constexpr signal clock = 0; ///< the first signal

    output_buffer out_;
    const text_cache& texts_;
    std::array<entry, most_signals> signals_;
    std::vector<bundle_entry> bundles_;
    std::size_t count_ = 0, text_signals_ = 0;
    unsigned identifiers_ = 0; ///< of all signals
    /// Bit i % 64 of element i / 64: signal i may have changed since the latest write.
    std::array<std::uint64_t, most_signals / 64> touched_{};
    bool dumped_ = false; ///< the first values have been written
};

} // namespace sfpu::probe
