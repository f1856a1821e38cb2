// Perfetto's own format: a stream of TracePackets with TrackEvents. Field numbers are those of the public schema,
// protos/perfetto/trace/ in the sources of Perfetto.
#include "packet_stream.h"
#include "protobuf.h"
#include "timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sfpu::probe {
namespace {

using protobuf::message;
using protobuf::put_double;
using protobuf::put_number;
using protobuf::short_message;

namespace trace {
constexpr unsigned packet = 1;
}
namespace packet {
constexpr unsigned clock_snapshot = 6, timestamp = 8, sequence = 10, track_event = 11, interned_data = 12,
                   sequence_flags = 13, compressed_packets = 50, timestamp_clock = 58, defaults = 59,
                   track_descriptor = 60, first_on_sequence = 87;
constexpr unsigned state_cleared = 1, needs_state = 2; ///< bits of sequence_flags
} // namespace packet
namespace clock_snapshot {
constexpr unsigned clocks = 1;
constexpr unsigned id = 1, timestamp = 2, unit_ns = 4;
constexpr unsigned boot_time = 6,
                   of_cycles = 64; ///< a built-in clock, and the first that a sequence may define
} // namespace clock_snapshot
namespace descriptor {
constexpr unsigned uuid = 1, name = 2, process = 3, thread = 4, parent = 5, counter = 8;
constexpr unsigned process_id = 1, process_name = 6, process_labels = 8;
constexpr unsigned thread_process = 1, thread_id = 2, thread_sort_index = 3, thread_name = 5;
} // namespace descriptor
namespace interned {
constexpr unsigned categories = 1, names = 2, annotation_names = 3, annotation_texts = 29;
constexpr unsigned id = 1, text = 2;
} // namespace interned
namespace event {
constexpr unsigned category_id = 3, annotation = 4, legacy = 6, type = 9, name_id = 10, track = 11, name = 23,
                   counter_value = 30, double_counter_value = 44;
constexpr unsigned slice_begin = 1, slice_end = 2, instant = 3, counter = 4; ///< types
} // namespace event
namespace annotation {
constexpr unsigned name_id = 1, unsigned_value = 3, signed_value = 4, text_value = 6,
                   pointer_value = 7, ///< a number that readers show in hexadecimal
    text_id = 17;
}
/// Flows with names of their own exist as in the Trace Event Format only.
namespace legacy {
constexpr unsigned phase = 2, id = 6, binds_to_enclosing = 12;
}

constexpr unsigned the_sequence = 1;

/// Identifiers of the names of args, all defined at the start.
enum arg : unsigned {
    arg_cycle = 1,
    arg_word,
    arg_row,
    arg_dst,
    arg_origin,
    arg_text,
    arg_kind,
    arg_message,
    arg_thread,
    arg_cell,
    arg_result
};
constexpr std::array<const char*, 11> arg_names{"cycle", "word",    "row",    "dst",  "origin", "text",
                                                "kind",  "message", "thread", "cell", "result"};

/// Identifiers of texts of args: the two origins, then the texts of instructions.
constexpr unsigned origin_issued = 1, origin_macro = 2, first_instruction_text = 3;

/// Tracks of slices have their thread's number; these are free.
constexpr unsigned unit_process = 1;
constexpr unsigned first_slots_track = 2, process_tracks = 1000000;
constexpr std::array<const char*, 3> address_counters{"dst", "dst_cr", "sp"};
/// The first of a thread's; those of the first thread have numbers of one byte.
constexpr unsigned address_track(unsigned thread) {
    constexpr unsigned of_others = 900, kept = 10;
    return thread % timeline_threads == 0 ? first_slots_track + isa::scheduled_units
                                          : of_others + thread % timeline_threads * kept;
}
constexpr unsigned rate_track = 935;
constexpr std::size_t latest_counts = 64; ///< see count()

constexpr std::size_t most_activity_texts = 1u << 16; ///< that get an identifier
constexpr std::size_t most_interned_size = 1u << 10;  ///< characters

class native_timeline final : public timeline {
public:
    native_timeline(std::ostream& stream, const trace_options& options, const text_cache& texts,
                    unsigned value_lane)
        : packets_(stream), options_(options), texts_(texts), value_lane_(value_lane) {
        begin_sequence();
    }

    void name_process(const timeline_track& first, std::string_view name) override {
        message process;
        process.number(descriptor::process_id, first.process).text(descriptor::process_name, name);
        process.text(descriptor::process_labels,
                     fmt::format("architecture {}", short_name(options_.words.arch)));
        process.text(descriptor::process_labels, fmt::format("period_ps {}", options_.period_ps));
        process.text(descriptor::process_labels, "1 us is 1 ns of simulated time");
        process.text(descriptor::process_labels, fmt::format("values of lane {}", value_lane_));
        describe_track(message()
                           .number(descriptor::uuid, process_tracks + first.process)
                           .part(descriptor::process, process));
        if (first.process == unit_process) name_slot_counters();
    }

    void name_track(const timeline_track& track, std::string_view name) override {
        message thread;
        thread.number(descriptor::thread_process, track.process).number(descriptor::thread_id, track.thread);
        thread.number(descriptor::thread_sort_index, track.thread).text(descriptor::thread_name, name);
        describe_track(message().number(descriptor::uuid, track.thread).part(descriptor::thread, thread));
    }

    void instruction(const execution_event& event, const timeline_track& track, std::int64_t length,
                     std::int64_t row, std::uint32_t text, const lane_values& values) override {
        const unsigned category = category_id(category_of(event)), name = name_id(event.insn.op->mnemonic);
        define_instruction_text(text);
        std::uint8_t* to = packets_.begin_record();
        const short_message whole(to, trace::packet);
        to = put_sequence(whole.begin());
        const short_message slice(to, packet::track_event);
        to = put_event(slice.begin(), event::slice_begin, track, category, name);
        to = put_text_arg(to, arg_text, first_instruction_text + text);
        to = put_text_arg(to, arg_origin, event.from == origin::macro ? origin_macro : origin_issued);
        if (reads_dst(event) || writes_dst(event)) to = put_arg(to, arg_dst, shown_dst_address(event));
        if (values.cell) to = put_bits(to, arg_cell, *values.cell);
        if (values.result) to = put_bits(to, arg_result, *values.result);
        if (shows_thread(options_, event.thread)) to = put_arg(to, arg_thread, event.thread);
        if (row >= 0) to = put_arg(to, arg_row, row);
        to = put_arg(to, arg_word, event.word);
        to = put_arg(to, arg_cycle, event.begin.count());
        slice.finish(to);
        to = finish_packet(whole, to, event.begin);
        to = put_slice_end(to, track, event.begin.count() + length);
        packets_.end_record(to);
    }

    void stall(const stall_event& event, const timeline_track& track) override {
        const unsigned category = category_id("stall"), name = name_of_stall(event.cause);
        std::uint8_t* to = packets_.begin_record();
        const short_message whole(to, trace::packet);
        to = put_sequence(whole.begin());
        const short_message slice(to, packet::track_event);
        to = put_event(slice.begin(), event::slice_begin, track, category, name);
        if (shows_thread(options_, event.thread)) to = put_arg(to, arg_thread, event.thread);
        to = put_arg(to, arg_word, event.word);
        to = put_arg(to, arg_cycle, event.at.count());
        slice.finish(to);
        to = finish_packet(whole, to, event.at);
        to = put_slice_end(to, track, event.at.count() + 1);
        packets_.end_record(to);
    }

    void activity(const activity_event& event, const timeline_track& track) override {
        const unsigned category = category_id(event.kind);
        const std::string_view text = event.text.empty() ? event.kind : event.text;
        const unsigned name = name_id_of_text(text);
        message content;
        content.number(event::type, event::slice_begin).number(event::track, track.thread);
        content.number(event::category_id, category);
        if (name != 0) content.number(event::name_id, name);
        else content.text(event::name, text);
        content.part(
            event::annotation,
            message().number(annotation::name_id, arg_kind).text(annotation::text_value, event.kind));
        add_number(content, arg_cycle, event.begin.count());
        add_event(content, event.begin);
        std::uint8_t* to = packets_.begin_record();
        packets_.end_record(put_slice_end(to, track, event.end.count() + 1));
    }

    void arrow(const timeline_arrow& what, const timeline_track& from, cycles start, const timeline_track& to,
               cycles end) override {
        const unsigned category = category_id(what.category), name = name_id(what.name);
        std::uint8_t* at = packets_.begin_record();
        at = put_arrow_end(at, 's', from, category, name, start);
        at = put_arrow_end(at, 'f', to, category, name, end);
        ++next_arrow_;
        packets_.end_record(at);
    }

    void slots(const slots_event& event, cycles at) override {
        for (unsigned i = 0; i < isa::scheduled_units; ++i)
            count(first_slots_track + i, count_of_bits(event.outstanding[i]), at);
    }

    void rate(std::uint32_t instructions, cycles at) override {
        if (!std::exchange(described_rate_, true)) name_counter(rate_track, rate_counter, rate_part);
        if (std::exchange(latest_rate_, std::int64_t{instructions}) == instructions) return;
        std::uint8_t* to = packets_.begin_record();
        const short_message whole(to, trace::packet);
        to = put_sequence(whole.begin());
        const short_message content(to, packet::track_event);
        to = put_number<event::type>(content.begin(), event::counter);
        to = put_number<event::track>(to, rate_track);
        to = put_double<event::double_counter_value>(to, static_cast<double>(instructions) / rate_cycles);
        content.finish(to);
        packets_.end_record(finish_packet(whole, to, at));
    }

    void counters(const counters_event& event, cycles at) override {
        const unsigned first = address_track(event.thread);
        if (!std::exchange(described_counters_[event.thread % timeline_threads], true))
            name_address_counters(first, event.thread);
        count(first, event.dst, at);
        count(first + 1, event.dst_cr, at);
        count(first + 2, event.sp, at);
    }

    void report(const diagnostic& what, const timeline_track& track) override {
        const unsigned category = category_id(to_string(what.level)), name = name_id(describe(what.id).name);
        message content;
        content.number(event::type, event::instant).number(event::track, track.thread);
        content.number(event::category_id, category).number(event::name_id, name);
        content.part(
            event::annotation,
            message().number(annotation::name_id, arg_message).text(annotation::text_value, what.message));
        add_number(content, arg_word, what.word);
        add_number(content, arg_cycle, what.at.count());
        add_event(content, what.at);
    }

    void finish() override { packets_.finish(); }

private:
    /// What the packets rely on: the clock whose unit is a cycle, and the names of args.
    void begin_sequence() {
        message defaults;
        defaults.number(packet::timestamp_clock, clock_snapshot::of_cycles);
        message names;
        for (unsigned i = 0; i < arg_names.size(); ++i)
            define(names, interned::annotation_names, i + 1, arg_names[i]);
        define(names, interned::annotation_texts, origin_issued, "issued");
        define(names, interned::annotation_texts, origin_macro, "macro");
        message first;
        first.number(packet::sequence, the_sequence);
        first.number(packet::sequence_flags, packet::state_cleared | packet::needs_state);
        first.number(packet::first_on_sequence, 1);
        first.part(packet::defaults, defaults).part(packet::interned_data, names);
        packets_.add(first);

        // A nanosecond of the file is a picosecond of the model.
        message of_cycles, of_file, clocks;
        of_cycles.number(clock_snapshot::id, clock_snapshot::of_cycles).number(clock_snapshot::timestamp, 0);
        of_cycles.number(clock_snapshot::unit_ns, options_.period_ps);
        of_file.number(clock_snapshot::id, clock_snapshot::boot_time).number(clock_snapshot::timestamp, 0);
        clocks.part(clock_snapshot::clocks, of_cycles).part(clock_snapshot::clocks, of_file);
        message second;
        second.number(packet::sequence, the_sequence).part(packet::clock_snapshot, clocks);
        packets_.add(second);
    }

    static void define(message& data, unsigned table, unsigned id, std::string_view text) {
        data.part(table, message().number(interned::id, id).text(interned::text, text));
    }
    void define_now(unsigned table, unsigned id, std::string_view text) {
        message data, whole;
        define(data, table, id, text);
        packets_.add(whole.number(packet::sequence, the_sequence)
                         .number(packet::sequence_flags, packet::needs_state)
                         .part(packet::interned_data, data));
    }

    void describe_track(const message& content) {
        message whole;
        whole.number(packet::sequence, the_sequence).number(packet::sequence_flags, packet::needs_state);
        packets_.add(whole.part(packet::track_descriptor, content));
    }
    void name_counter(unsigned track, std::string_view counter, std::string_view part) {
        describe_track(message()
                           .number(descriptor::uuid, track)
                           .number(descriptor::parent, process_tracks + unit_process)
                           .text(descriptor::name, fmt::format("{} {}", counter, part))
                           .part(descriptor::counter, {}));
    }
    void name_slot_counters() {
        for (unsigned i = 0; i < isa::scheduled_units; ++i)
            name_counter(first_slots_track + i, slots_counter, isa::to_string(static_cast<isa::sub_unit>(i)));
    }
    void name_address_counters(unsigned first, unsigned thread) {
        for (unsigned i = 0; i < address_counters.size(); ++i)
            name_counter(first + i, address_counter_name(thread), address_counters[i]);
    }

    // Identifiers. Literals are told apart by their place; equal texts at different places share an identifier.

    unsigned literal_id(const char* text, unsigned table) {
        known_literal& known = literals_[(reinterpret_cast<std::uintptr_t>(text) ^ table) % literals_.size()];
        if (known.text != text || known.table != table) known = {text, table, find_or_define(text, table)};
        return known.id;
    }
    unsigned category_id(const char* text) { return literal_id(text, interned::categories); }
    unsigned name_id(const char* text) { return literal_id(text, interned::names); }
    unsigned find_or_define(std::string_view text, unsigned table) {
        auto& ids = ids_[table == interned::names];
        const auto [found, is_new] =
            ids.try_emplace(std::string(text), static_cast<unsigned>(ids.size() + 1));
        if (is_new) define_now(table, found->second, text);
        return found->second;
    }
    unsigned name_of_stall(stall_cause cause) {
        unsigned& id = stall_names_[static_cast<unsigned>(cause)];
        if (id == 0) id = find_or_define(fmt::format("stall: {}", to_string(cause)), interned::names);
        return id;
    }
    /// 0 if the text shall stand in the event itself.
    unsigned name_id_of_text(std::string_view text) {
        if (text.size() > most_interned_size) return 0;
        const auto& ids = ids_[true];
        if (ids.size() < most_activity_texts) return find_or_define(text, interned::names);
        const auto found = ids.find(std::string(text));
        return found == ids.end() ? 0 : found->second;
    }
    void define_instruction_text(std::uint32_t text) {
        if (text < defined_texts_.size() && defined_texts_[text]) return;
        if (text >= defined_texts_.size()) defined_texts_.resize(std::size_t{text} + 1, false);
        defined_texts_[text] = true;
        define_now(interned::annotation_texts, first_instruction_text + text, texts_[text]);
    }

    // Pieces of a packet.

    static std::uint8_t* put_sequence(std::uint8_t* to) {
        to = put_number<packet::sequence>(to, the_sequence);
        return put_number<packet::sequence_flags>(to, packet::needs_state);
    }
    /// The time stands at the end, behind the cycle among the args, so that what changes is in one place.
    static std::uint8_t* finish_packet(const short_message& whole, std::uint8_t* to, cycles at) {
        to = put_number<packet::timestamp>(to, static_cast<std::uint64_t>(at.count()));
        whole.finish(to);
        return to;
    }
    static std::uint8_t* put_event(std::uint8_t* to, unsigned type, const timeline_track& track,
                                   unsigned category, unsigned name) {
        to = put_number<event::type>(to, type);
        to = put_number<event::track>(to, track.thread);
        to = put_number<event::category_id>(to, category);
        return put_number<event::name_id>(to, name);
    }
    static std::uint8_t* put_slice_end(std::uint8_t* to, const timeline_track& track, std::int64_t at) {
        const short_message whole(to, trace::packet);
        to = put_sequence(whole.begin());
        const short_message slice(to, packet::track_event);
        to = put_number<event::type>(slice.begin(), event::slice_end);
        to = put_number<event::track>(to, track.thread);
        slice.finish(to);
        return finish_packet(whole, to, cycles{at});
    }
    static std::uint8_t* put_arg(std::uint8_t* to, arg name, std::int64_t value) {
        const short_message whole(to, event::annotation);
        to = put_number<annotation::name_id>(whole.begin(), name);
        const auto bits = static_cast<std::uint64_t>(value);
        to = value >= 0 ? put_number<annotation::unsigned_value>(to, bits)
                        : put_number<annotation::signed_value>(to, bits);
        whole.finish(to);
        return to;
    }
    static std::uint8_t* put_bits(std::uint8_t* to, arg name, std::uint32_t bits) {
        const short_message whole(to, event::annotation);
        to = put_number<annotation::name_id>(whole.begin(), name);
        to = put_number<annotation::pointer_value>(to, bits);
        whole.finish(to);
        return to;
    }
    static std::uint8_t* put_text_arg(std::uint8_t* to, arg name, unsigned id) {
        const short_message whole(to, event::annotation);
        to = put_number<annotation::name_id>(whole.begin(), name);
        to = put_number<annotation::text_id>(to, id);
        whole.finish(to);
        return to;
    }
    std::uint8_t* put_arrow_end(std::uint8_t* to, char phase, const timeline_track& track, unsigned category,
                                unsigned name, cycles at) const {
        const short_message whole(to, trace::packet);
        to = put_sequence(whole.begin());
        const short_message flow(to, packet::track_event);
        to = put_number<event::track>(flow.begin(), track.thread);
        to = put_number<event::category_id>(to, category);
        to = put_number<event::name_id>(to, name);
        const short_message detail(to, event::legacy);
        to = put_number<legacy::phase>(detail.begin(), static_cast<unsigned char>(phase));
        if (phase == 'f') to = put_number<legacy::binds_to_enclosing>(to, 1);
        to = put_number<legacy::id>(to, next_arrow_);
        detail.finish(to);
        flow.finish(to);
        return finish_packet(whole, to, at);
    }
    static void add_number(message& content, arg name, std::int64_t value) {
        const unsigned field = value >= 0 ? annotation::unsigned_value : annotation::signed_value;
        content.part(
            event::annotation,
            message().number(annotation::name_id, name).number(field, static_cast<std::uint64_t>(value)));
    }

    /// A counter that keeps its value is not written again.
    void count(unsigned track, std::uint32_t value, cycles at) {
        std::int64_t& latest = latest_counts_[track % latest_counts_.size()];
        if (std::exchange(latest, value) == value) return;
        std::uint8_t* to = packets_.begin_record();
        const short_message whole(to, trace::packet);
        to = put_sequence(whole.begin());
        const short_message content(to, packet::track_event);
        to = put_number<event::type>(content.begin(), event::counter);
        to = put_number<event::track>(to, track);
        to = put_number<event::counter_value>(to, value);
        content.finish(to);
        packets_.end_record(finish_packet(whole, to, at));
    }

    void add_event(const message& content, cycles at) {
        message whole;
        whole.number(packet::sequence, the_sequence).number(packet::sequence_flags, packet::needs_state);
        whole.part(packet::track_event, content);
        packets_.add(whole.number(packet::timestamp, static_cast<std::uint64_t>(at.count())));
    }
    struct known_literal {
        const char* text = nullptr;
        unsigned table = 0;
        unsigned id = 0;
    };

    packet_stream packets_;
    trace_options options_;
    const text_cache& texts_;
    unsigned value_lane_;
    std::array<std::unordered_map<std::string, unsigned>, 2>
        ids_; ///< of categories and of names; never walked
    std::array<known_literal, 256> literals_;
    std::array<unsigned, stall_cause_count> stall_names_{};
    std::vector<bool> defined_texts_;
    std::array<bool, timeline_threads> described_counters_{};
    bool described_rate_ = false;
    std::int64_t latest_rate_ = -1; // none; comparing a std::optional looks at what is not there
    std::array<std::int64_t, latest_counts> latest_counts_ = [] { // by track; those of all tracks differ
        std::array<std::int64_t, latest_counts> none{};
        none.fill(-1);
        return none;
    }();
    std::uint64_t next_arrow_ = 1;
};

} // namespace

std::unique_ptr<timeline> make_native_timeline(std::ostream& out, const trace_options& options,
                                               const text_cache& texts, unsigned value_lane) {
    return std::make_unique<native_timeline>(out, options, texts, value_lane);
}

} // namespace sfpu::probe
