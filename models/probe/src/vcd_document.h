// The VCD format (IEEE 1364 value change dump) without any meaning: scopes, signals, and values by cycle.
#pragma once

#include "trace_support.h"

#include <array>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace sfpu::probe {

class vcd_document {
public:
    using signal = std::uint8_t;
    static constexpr unsigned most_signals = 192;

    enum class kind : std::uint8_t { wire, integer, text };

    /// The value of a signal of which nothing is known, x in the file.
    static constexpr std::uint64_t unknown = ~std::uint64_t{0};

    /// Values of text signals are indices into `texts`.
    vcd_document(std::ostream& out, unsigned period_ps, const text_cache& texts);

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

    /// Writes the signals as they stand in cycle `at`: all of them the first time, later those that changed.
    void write_cycle(cycles at);
    /// Ends the file with the first moment after cycle `last` and hands everything to the stream.
    void finish(cycles last);

private:
    struct entry {
        std::uint64_t value;
        std::uint64_t written; ///< value in the file
        kind type;
        std::uint8_t width;
    };

    void append(std::string_view text);
    void append(char c) { *end_++ = c; }
    void append_time(cycles at);
    void append_value(signal which);
    void append_identifier(signal which);
    void append_binary(std::uint64_t value);
    void make_room(std::size_t bytes) {
        if (static_cast<std::size_t>(buffer_.data() + buffer_.size() - end_) < bytes) empty_for(bytes);
    }
    void empty_for(std::size_t bytes);
    void flush();

    std::ostream& out_;
    std::int64_t period_ps_;
    const text_cache& texts_;
    std::vector<entry> signals_;
    /// Bit i % 64 of element i / 64: signal i may have changed since the latest write.
    std::array<std::uint64_t, most_signals / 64> touched_{};
    bool dumped_ = false; ///< the first values have been written

    // Output collects here. Only make_room() checks for space, so it comes before each line.
    std::vector<char> buffer_;
    char* end_;
};

} // namespace sfpu::probe
