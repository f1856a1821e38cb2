#include <sfpu/traces/perfetto_writer.h>

#include "timeline.h"
#include "trace_support.h"

#include <sfpu/probe/dependence_tracker.h>
#include <sfpu/probe/event_meaning.h>
#include <sfpu/probe/text_cache.h>
#include <sfpu/probe/trace_window.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sfpu::traces {

using namespace probe;

namespace {

constexpr unsigned sfpu_process = 1, tile_process = 2;
constexpr timeline_track issue_track{sfpu_process, 1}, hazard_track{sfpu_process, 9};
constexpr unsigned threads_of_a_unit = 10; ///< numbers kept for one sub-unit or lane
constexpr unsigned first_tile_thread = 1000, threads_of_a_tile_unit = 1000;
constexpr std::size_t remembered_flows = 4096;

/// Names of the arrows that lead from the writer of a register to its reader.
constexpr std::array<const char*, tracked_registers> register_names{"L0", "L1", "L2", "L3", "L4",
                                                                    "L5", "L6", "L7", "L16"};

} // namespace

struct perfetto_writer::implementation {
    /// Where the arrows of a slice start.
    struct slice {
        timeline_track track; ///< none if it is not in the file
        cycles last{};
    };
    /// The tracks of a sub-unit or lane; each is taken up to and including a cycle.
    struct track_group {
        timeline_track first;
        std::string title;
        std::vector<cycles> taken_until;
    };
    struct lane_entry {
        tile_unit unit;
        unsigned instance;
        std::string_view lane; ///< a literal
        track_group tracks;
    };
    struct remembered_flow {
        std::uint64_t number = 0;
        slice from;
    };

    implementation(std::ostream& stream, const trace_options& o, unsigned lane);

    timeline_track track_for(track_group& group, cycles begin, cycles end);
    track_group& lane_tracks(const activity_event& event);
    void show(const activity_event& event);
    void write_arrow(const timeline_arrow& what, const slice& from, const timeline_track& to, cycles at) {
        if (from.track.thread != 0) out.arrow(what, from.track, from.last, to, at);
    }
    void write_arrows(const execution_event& event, register_set reads, const timeline_track& track);
    slice show(const execution_event& event, register_set reads);
    /// False if the counters have the values that they had.
    bool note_change(const counters_event& event) {
        const std::array<std::uint32_t, 3> found{event.dst, event.dst_cr, event.sp};
        return std::exchange(latest_counters[event.thread % timeline_threads], found) != found;
    }
    /// Counts an instruction that begins in this cycle, and says how many there were in cycles that are over.
    void count_instruction(cycles at);
    void end_rate();
    /// The counters as the cycles before the window left them.
    void catch_up(cycles at);

    lane_values values_of(const execution_event& event) const {
        const auto of_lane = [&](const sfpu::lanes* all) {
            const bool has_one = all && (event.lanes >> value_lane & 1u) != 0;
            return has_one ? std::optional(all->v[value_lane]) : std::nullopt;
        };
        return {of_lane(event.result), of_lane(event.cells)};
    }

    trace_options options;
    unsigned value_lane;
    cycle_window window;
    text_cache texts{options.words};
    row_cache rows;
    timeline out;
    bool finished = false;

    std::array<track_group, pipeline_columns.size()> units; ///< by isa::sub_unit
    value_tracker<slice> values;
    macro_tracker<slice> macros;
    std::vector<lane_entry> lanes;
    std::vector<remembered_flow> flows{remembered_flows}; ///< by number, the newest of each place
    std::optional<slots_event> earlier_slots;
    // By thread.
    std::array<std::optional<counters_event>, timeline_threads> earlier_counters;
    std::array<std::optional<std::array<std::uint32_t, 3>>, timeline_threads> latest_counters;
    bool has_earlier = false;
    std::int64_t rate_window = -1;  ///< which cycles, in units of rate_cycles
    std::uint32_t instructions = 0; ///< in them
};

perfetto_writer::implementation::implementation(std::ostream& stream, const trace_options& o, unsigned lane)
    : options(o), value_lane(lane), window(o), out(stream, options, texts, lane) {
    out.name_process(sfpu_process, "SFPU");
    out.name_track(issue_track, "Issue");
    out.name_track(hazard_track, "Hazards");
    for (std::size_t i = 0; i < pipeline_columns.size(); ++i) {
        const unit_column& column = pipeline_columns[i];
        const timeline_track first{sfpu_process, static_cast<unsigned>((i + 1) * threads_of_a_unit)};
        units[static_cast<unsigned>(column.unit)] = {first, column.title, {cycles{-1}}};
        out.name_track(first, column.title);
    }
}

/// The first track of the sub-unit or lane that is free when something begins.
timeline_track perfetto_writer::implementation::track_for(track_group& group, cycles begin, cycles end) {
    const auto is_free = [begin](cycles taken) { return taken < begin; };
    auto found = std::find_if(group.taken_until.begin(), group.taken_until.end(), is_free);
    const auto index = static_cast<unsigned>(found - group.taken_until.begin());
    const timeline_track track{group.first.process, group.first.thread + index};
    if (found == group.taken_until.end()) {
        found = group.taken_until.insert(found, end);
        out.name_track(track, fmt::format("{} ({})", group.title, index + 1));
    }
    *found = end;
    return track;
}

/// The tracks of an event's lane; they come into being with its first event.
perfetto_writer::implementation::track_group&
perfetto_writer::implementation::lane_tracks(const activity_event& event) {
    const auto is_same = [&](const lane_entry& entry) {
        return entry.unit == event.unit && entry.instance == event.instance && entry.lane == event.lane;
    };
    const auto found = std::find_if(lanes.begin(), lanes.end(), is_same);
    if (found != lanes.end()) return found->tracks;
    if (lanes.empty()) out.name_process(tile_process, "Tile");
    const auto of_unit = std::count_if(lanes.begin(), lanes.end(),
                                       [&](const lane_entry& entry) { return entry.unit == event.unit; });
    const unsigned first = first_tile_thread + static_cast<unsigned>(event.unit) * threads_of_a_tile_unit +
                           static_cast<unsigned>(of_unit) * threads_of_a_unit;
    const std::string title = lane_name(event.unit, event.instance, event.lane, ' ');
    lanes.push_back({event.unit, event.instance, event.lane, {{tile_process, first}, title, {cycles{-1}}}});
    out.name_track({tile_process, first}, title);
    return lanes.back().tracks;
}

void perfetto_writer::implementation::show(const activity_event& event) {
    const timeline_track track = track_for(lane_tracks(event), event.begin, event.end);
    out.activity(event, track);
    if (event.flow == 0) return;
    remembered_flow& earlier = flows[event.flow % remembered_flows];
    if (earlier.number == event.flow) {
        earlier.from.last = std::min(earlier.from.last, event.begin); // an arrow never points back in time
        write_arrow({"tile", "tile"}, earlier.from, track, event.begin);
    }
    earlier = {event.flow, {track, event.end}};
}

void perfetto_writer::implementation::write_arrows(const execution_event& event, register_set reads,
                                                   const timeline_track& track) {
    if (event.from == origin::macro)
        if (const slice* macro = macros.find(event.word))
            write_arrow({"macro", "macro"}, *macro, track, event.begin);
    values.read(reads, event.begin, [&](unsigned index, const slice& producer) {
        write_arrow({"data", register_names[index]}, producer, track, event.begin);
    });
}

perfetto_writer::implementation::slice perfetto_writer::implementation::show(const execution_event& event,
                                                                             register_set reads) {
    catch_up(event.begin);
    const std::uint32_t text = texts.index(event.insn);
    const std::int64_t row = rows(options, event.word);
    if (event.from == origin::issued) out.instruction(event, issue_track, 1, row, text, {});
    if (event.unit == isa::sub_unit::front_end) return {};
    if (event.takes_effect) count_instruction(event.begin);
    const timeline_track track = track_for(units[static_cast<unsigned>(event.unit)], event.begin, event.end);
    out.instruction(event, track, (event.end - event.begin + one_cycle).count(), row, text, values_of(event));
    write_arrows(event, reads, track);
    return {track, event.end};
}

void perfetto_writer::implementation::count_instruction(cycles at) {
    const std::int64_t present = at.count() / rate_cycles;
    if (present != rate_window) end_rate();
    rate_window = present;
    ++instructions;
}

void perfetto_writer::implementation::end_rate() {
    const std::uint32_t found = std::exchange(instructions, 0);
    if (rate_window >= 0) out.rate(found, std::max(window.first, cycles{rate_window * rate_cycles}));
}

void perfetto_writer::implementation::catch_up(cycles at) {
    if (!has_earlier || at < window.first) return;
    if (earlier_slots) out.slots(*earlier_slots, window.first);
    for (const std::optional<counters_event>& counters : earlier_counters)
        if (counters) out.counters(*counters, window.first);
    has_earlier = false;
}

perfetto_writer::perfetto_writer(std::ostream& out, const trace_options& options, unsigned value_lane)
    : impl_(std::make_unique<implementation>(out, options, value_lane)) {}
perfetto_writer::~perfetto_writer() { finish_quietly(*this); }

void perfetto_writer::executed(const execution_event& event) {
    if (impl_->finished || event.begin > impl_->window.last) return;
    const register_access access = registers_of(event);
    implementation::slice shown;
    if (impl_->window.contains(event.begin)) shown = impl_->show(event, access.reads);
    impl_->values.write(access.writes, event, shown);
    if (event.insn.is(isa::opcode::sfploadmacro) && !event.discarded) impl_->macros.launch(event.word, shown);
}

void perfetto_writer::stalled(const stall_event& event) {
    if (impl_->finished || !impl_->window.contains(event.at)) return;
    impl_->catch_up(event.at);
    impl_->out.stall(event, issue_track);
}

void perfetto_writer::slots_changed(const slots_event& event) {
    const cycles visible = event.at + one_cycle;
    if (impl_->finished || visible > impl_->window.last) return;
    if (visible <= impl_->window.first) {
        impl_->earlier_slots = event;
        impl_->has_earlier = true;
        return;
    }
    impl_->catch_up(visible);
    impl_->out.slots(event, visible);
}

void perfetto_writer::counters_changed(const counters_event& event) {
    const cycles visible = event.at + one_cycle;
    if (impl_->finished || visible > impl_->window.last || !impl_->note_change(event)) return;
    if (visible <= impl_->window.first) {
        impl_->earlier_counters[event.thread % timeline_threads] = event;
        impl_->has_earlier = true;
        return;
    }
    impl_->catch_up(visible);
    impl_->out.counters(event, visible);
}

void perfetto_writer::diagnosed(const diagnostic& what) {
    if (impl_->finished || !impl_->window.contains(what.at)) return;
    impl_->catch_up(what.at);
    impl_->out.report(what, hazard_track);
}

void perfetto_writer::acted(const activity_event& event) {
    if (impl_->finished || event.end < impl_->window.first || event.begin > impl_->window.last) return;
    impl_->show(event);
}

void perfetto_writer::finish() {
    if (impl_->finished) return;
    impl_->end_rate();
    impl_->out.finish();
    impl_->finished = true;
}

} // namespace sfpu::traces
