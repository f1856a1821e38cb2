// What a trace for Perfetto says, whatever its encoding: perfetto_writer decides, a timeline writes it down.
#pragma once

#include "trace_support.h"

#include <sfpu/probe/observer.h>
#include <sfpu/probe/trace_options.h>

#include <array>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string_view>

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

/// Counters that a timeline shows.
constexpr std::string_view slots_counter = "outstanding";
constexpr std::string_view rate_counter = "ipc", rate_part = "of 16 cycles";
constexpr std::int64_t rate_cycles = 16;
constexpr unsigned timeline_threads = 3; ///< with address counters
constexpr std::string_view address_counter_name(unsigned thread) {
    constexpr std::array<std::string_view, timeline_threads> names{"rwc", "rwc of thread 1",
                                                                   "rwc of thread 2"};
    return names[thread % timeline_threads];
}

/// What one lane got: the first register that an instruction writes, and the raw cell that it moves from or to Dst.
struct lane_values {
    std::optional<std::uint32_t> result, cell;
};

class timeline {
public:
    virtual ~timeline() = default;

    /// `thread` is the first of the process.
    virtual void name_process(const timeline_track& first, std::string_view name) = 0;
    virtual void name_track(const timeline_track& track, std::string_view name) = 0;

    /// A slice of `length` cycles. `text` names an entry of the text cache; `row` is -1 if there is none.
    virtual void instruction(const execution_event& event, const timeline_track& track, std::int64_t length,
                             std::int64_t row, std::uint32_t text, const lane_values& values) = 0;
    virtual void stall(const stall_event& event, const timeline_track& track) = 0;
    virtual void activity(const activity_event& event, const timeline_track& track) = 0;
    /// Both ends lie in slices that were written before.
    virtual void arrow(const timeline_arrow& what, const timeline_track& from, cycles start,
                       const timeline_track& to, cycles end) = 0;
    virtual void slots(const slots_event& event, cycles at) = 0;
    /// Instructions that began in the `rate_cycles` cycles from this one on; shown as instructions per cycle.
    virtual void rate(std::uint32_t instructions, cycles at) = 0;
    virtual void counters(const counters_event& event, cycles at) = 0;
    virtual void report(const diagnostic& what, const timeline_track& track) = 0;

    /// Ends the file.
    virtual void finish() = 0;
};

inline const char* category_of(const execution_event& event) {
    if (event.discarded) return "discarded";
    return event.from == origin::macro ? "scheduled" : "issued";
}
inline const char* origin_of(const execution_event& event) {
    return event.from == origin::macro ? "macro" : "issued";
}

/// `texts` and `out` must outlive the timeline. `value_lane`: whose values instructions have.
std::unique_ptr<timeline> make_json_timeline(std::ostream& out, const trace_options& options,
                                             const text_cache& texts, unsigned value_lane);
std::unique_ptr<timeline> make_native_timeline(std::ostream& out, const trace_options& options,
                                               const text_cache& texts, unsigned value_lane);

} // namespace sfpu::probe
