// What a trace for Perfetto says, in Perfetto's own format: a stream of TracePackets with TrackEvents.
// perfetto_writer decides, a timeline writes it down.
#pragma once

#include "packet_stream.h"
#include "protobuf.h"
#include "trace_support.h"

#include <sfpu/probe/observer.h>
#include <sfpu/probe/trace_options.h>

#include <array>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sfpu::probe {

/// A row of the picture: a thread in Perfetto's words. Number 0 is none.
struct timeline_track {
    unsigned process = 0, thread = 0;
};

/// Why an arrow leads from one slice to another.
struct timeline_arrow {
    const char* category; ///< "macro", "data" or "tile", a literal
    const char* name;     ///< a literal
};

constexpr std::int64_t rate_cycles = 16; ///< see timeline::rate()
constexpr unsigned timeline_threads = 3; ///< with address counters

/// What one lane got: the first register that an instruction writes, and the raw cell that it moves from or
/// to Dst.
struct lane_values {
    std::optional<std::uint32_t> result, cell;
};

class timeline {
public:
    /// `texts` and `out` must outlive the timeline. `value_lane`: whose values instructions have.
    timeline(std::ostream& out, const trace_options& options, const text_cache& texts, unsigned value_lane);

    void name_process(unsigned process, std::string_view name);
    void name_track(const timeline_track& track, std::string_view name);

    /// A slice of `length` cycles. `text` names an entry of the text cache; `row` is -1 if there is none.
    void instruction(const execution_event& event, const timeline_track& track, std::int64_t length,
                     std::int64_t row, std::uint32_t text, const lane_values& values);
    void stall(const stall_event& event, const timeline_track& track);
    void activity(const activity_event& event, const timeline_track& track);
    /// Both ends lie in slices that were written before.
    void arrow(const timeline_arrow& what, const timeline_track& from, cycles start, const timeline_track& to,
               cycles end);
    void slots(const slots_event& event, cycles at);
    /// Instructions that began in the `rate_cycles` cycles from this one on; shown as instructions per cycle.
    void rate(std::uint32_t instructions, cycles at);
    void counters(const counters_event& event, cycles at);
    void report(const diagnostic& what, const timeline_track& track);

    /// Ends the file.
    void finish() { packets_.finish(); }

private:
    static constexpr std::size_t latest_counts = 64; ///< see count()

    void begin_sequence();
    void define(unsigned table, unsigned id, std::string_view text);
    void describe_track(const protobuf::message& content);
    void name_counter(unsigned track, std::string_view counter, std::string_view part);
    void name_address_counters(unsigned first, unsigned thread);

    // Identifiers. Literals are told apart by their place; equal texts at different places share an
    // identifier.
    unsigned literal_id(const char* text, unsigned table);
    unsigned find_or_define(std::string_view text, unsigned table);
    unsigned name_of_stall(stall_cause cause);
    /// 0 if the text shall stand in the event itself.
    unsigned name_id_of_text(std::string_view text);
    void define_instruction_text(std::uint32_t text);

    void add_event(const protobuf::message& content, cycles at);
    /// A counter that keeps its value is not written again.
    void count(unsigned track, std::uint32_t value, cycles at);

    struct known_literal {
        const char* text = nullptr;
        unsigned table = 0;
        unsigned id = 0;
    };

    packet_stream packets_;
    trace_options options_;
    const text_cache& texts_;
    unsigned value_lane_;
    /// Of categories and of names; never walked.
    std::array<std::unordered_map<std::string, unsigned>, 2> ids_;
    std::array<known_literal, 256> literals_;
    std::array<unsigned, stall_cause_count> stall_names_{};
    std::vector<bool> defined_texts_;
    std::array<bool, timeline_threads> described_counters_{};
    bool described_rate_ = false;
    std::int64_t latest_rate_ = -1; // none; comparing a std::optional looks at what is not there
    std::array<std::int64_t, latest_counts> latest_counts_; ///< by track; those of all tracks differ
    std::uint64_t next_arrow_ = 1;
};

} // namespace sfpu::probe
