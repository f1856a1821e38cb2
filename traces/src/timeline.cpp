#include "timeline.h"

#include "perfetto_schema.h"

#include <sfpu/probe/event_meaning.h>
#include <sfpu/probe/text_cache.h>
#include <sfpu/probe/trace_window.h>

#include <fmt/format.h>

#include <utility>

namespace sfpu::traces {

using namespace probe;

namespace {

namespace annotation = schema::annotation;
namespace clock_snapshot = schema::clock_snapshot;
namespace descriptor = schema::descriptor;
namespace event_field = schema::event;
namespace interned = schema::interned;
namespace legacy = schema::legacy;
namespace packet = schema::packet;

using protobuf::message;
using protobuf::put_double;
using protobuf::put_number;
using protobuf::short_message;

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
constexpr std::array<const char*, timeline_threads> address_counter_names{"rwc", "rwc of thread 1",
                                                                          "rwc of thread 2"};
/// The first of a thread's; those of the first thread have numbers of one byte.
constexpr unsigned address_track(unsigned thread) {
    constexpr unsigned of_others = 900, kept = 10;
    return thread % timeline_threads == 0 ? first_slots_track + isa::scheduled_units
                                          : of_others + thread % timeline_threads * kept;
}
constexpr unsigned rate_track = 935;

constexpr std::size_t most_activity_texts = 1u << 16; ///< that get an identifier
constexpr std::size_t most_interned_size = 1u << 10;  ///< characters

const char* category_of(const execution_event& event) {
    if (event.discarded) return "discarded";
    return event.from == origin::macro ? "scheduled" : "issued";
}

void define_in(message& data, unsigned table, unsigned id, std::string_view text) {
    data.part(table, message().number(interned::id, id).text(interned::text, text));
}

// Pieces of a packet.

std::uint8_t* put_sequence(std::uint8_t* to) {
    to = put_number<packet::sequence>(to, the_sequence);
    return put_number<packet::sequence_flags>(to, packet::needs_state);
}
/// The time stands at the end, behind the cycle among the args, so that what changes is in one place.
std::uint8_t* finish_packet(const short_message& whole, std::uint8_t* to, cycles at) {
    to = put_number<packet::timestamp>(to, static_cast<std::uint64_t>(at.count()));
    whole.finish(to);
    return to;
}
std::uint8_t* put_slice_begin(std::uint8_t* to, const timeline_track& track, unsigned category,
                              unsigned name) {
    to = put_number<event_field::type>(to, event_field::slice_begin);
    to = put_number<event_field::track>(to, track.thread);
    to = put_number<event_field::category_id>(to, category);
    return put_number<event_field::name_id>(to, name);
}
std::uint8_t* put_slice_end(std::uint8_t* to, const timeline_track& track, std::int64_t at) {
    const short_message whole(to, schema::trace::packet);
    to = put_sequence(whole.begin());
    const short_message slice(to, packet::track_event);
    to = put_number<event_field::type>(slice.begin(), event_field::slice_end);
    to = put_number<event_field::track>(to, track.thread);
    slice.finish(to);
    return finish_packet(whole, to, cycles{at});
}
std::uint8_t* put_arg(std::uint8_t* to, arg name, std::int64_t value) {
    const short_message whole(to, event_field::annotation);
    to = put_number<annotation::name_id>(whole.begin(), name);
    const auto bits = static_cast<std::uint64_t>(value);
    to = value >= 0 ? put_number<annotation::unsigned_value>(to, bits)
                    : put_number<annotation::signed_value>(to, bits);
    whole.finish(to);
    return to;
}
std::uint8_t* put_bits_arg(std::uint8_t* to, arg name, std::uint32_t bits) {
    const short_message whole(to, event_field::annotation);
    to = put_number<annotation::name_id>(whole.begin(), name);
    to = put_number<annotation::pointer_value>(to, bits);
    whole.finish(to);
    return to;
}
std::uint8_t* put_text_arg(std::uint8_t* to, arg name, unsigned id) {
    const short_message whole(to, event_field::annotation);
    to = put_number<annotation::name_id>(whole.begin(), name);
    to = put_number<annotation::text_id>(to, id);
    whole.finish(to);
    return to;
}
void add_arg(message& content, arg name, std::int64_t value) {
    const unsigned field = value >= 0 ? annotation::unsigned_value : annotation::signed_value;
    content.part(
        event_field::annotation,
        message().number(annotation::name_id, name).number(field, static_cast<std::uint64_t>(value)));
}
void add_text_arg(message& content, arg name, std::string_view text) {
    content.part(event_field::annotation,
                 message().number(annotation::name_id, name).text(annotation::text_value, text));
}

struct arrow_identity {
    unsigned category, name;
    std::uint64_t number;
};
std::uint8_t* put_arrow_end(std::uint8_t* to, char phase, const timeline_track& track,
                            const arrow_identity& identity, cycles at) {
    const short_message whole(to, schema::trace::packet);
    to = put_sequence(whole.begin());
    const short_message flow(to, packet::track_event);
    to = put_number<event_field::track>(flow.begin(), track.thread);
    to = put_number<event_field::category_id>(to, identity.category);
    to = put_number<event_field::name_id>(to, identity.name);
    const short_message detail(to, event_field::legacy);
    to = put_number<legacy::phase>(detail.begin(), static_cast<unsigned char>(phase));
    if (phase == 'f') to = put_number<legacy::binds_to_enclosing>(to, 1);
    to = put_number<legacy::id>(to, identity.number);
    detail.finish(to);
    flow.finish(to);
    return finish_packet(whole, to, at);
}

} // namespace

timeline::timeline(std::ostream& out, const trace_options& options, const text_cache& texts,
                   unsigned value_lane)
    : packets_(out), options_(options), texts_(texts), value_lane_(value_lane) {
    latest_counts_.fill(-1);
    begin_sequence();
}

/// What the packets rely on: the clock whose unit is a cycle, and the names of args.
void timeline::begin_sequence() {
    message defaults;
    defaults.number(packet::timestamp_clock, clock_snapshot::of_cycles);
    message names;
    for (unsigned i = 0; i < arg_names.size(); ++i)
        define_in(names, interned::annotation_names, i + 1, arg_names[i]);
    define_in(names, interned::annotation_texts, origin_issued, "issued");
    define_in(names, interned::annotation_texts, origin_macro, "macro");
    message first;
    first.number(packet::sequence, the_sequence);
    first.number(packet::sequence_flags, packet::state_cleared | packet::needs_state);
    first.number(packet::first_on_sequence, 1);
    packets_.add(first.part(packet::defaults, defaults).part(packet::interned_data, names));

    // A nanosecond of the file is a picosecond of the model.
    message of_cycles, of_file, clocks;
    of_cycles.number(clock_snapshot::id, clock_snapshot::of_cycles).number(clock_snapshot::timestamp, 0);
    of_cycles.number(clock_snapshot::unit_ns, options_.period_ps);
    of_file.number(clock_snapshot::id, clock_snapshot::boot_time).number(clock_snapshot::timestamp, 0);
    clocks.part(clock_snapshot::clocks, of_cycles).part(clock_snapshot::clocks, of_file);
    message second;
    packets_.add(second.number(packet::sequence, the_sequence).part(packet::clock_snapshot, clocks));
}

void timeline::name_process(unsigned process, std::string_view name) {
    message content;
    content.number(descriptor::process_id, process).text(descriptor::process_name, name);
    content.text(descriptor::process_labels, fmt::format("architecture {}", short_name(options_.words.arch)));
    content.text(descriptor::process_labels, fmt::format("period_ps {}", options_.period_ps));
    content.text(descriptor::process_labels, "1 us is 1 ns of simulated time");
    content.text(descriptor::process_labels, fmt::format("values of lane {}", value_lane_));
    describe_track(
        message().number(descriptor::uuid, process_tracks + process).part(descriptor::process, content));
    if (process != unit_process) return;
    for (unsigned i = 0; i < isa::scheduled_units; ++i)
        name_counter(first_slots_track + i, "outstanding", isa::to_string(static_cast<isa::sub_unit>(i)));
}

void timeline::name_track(const timeline_track& track, std::string_view name) {
    message thread;
    thread.number(descriptor::thread_process, track.process).number(descriptor::thread_id, track.thread);
    thread.number(descriptor::thread_sort_index, track.thread).text(descriptor::thread_name, name);
    describe_track(message().number(descriptor::uuid, track.thread).part(descriptor::thread, thread));
}

void timeline::instruction(const execution_event& event, const timeline_track& track, std::int64_t length,
                           std::int64_t row, std::uint32_t text, const lane_values& values) {
    const unsigned category = literal_id(category_of(event), interned::categories),
                   name = literal_id(event.insn.op->mnemonic, interned::names);
    define_instruction_text(text);
    std::uint8_t* to = packets_.begin_record();
    const short_message whole(to, schema::trace::packet);
    to = put_sequence(whole.begin());
    const short_message slice(to, packet::track_event);
    to = put_slice_begin(slice.begin(), track, category, name);
    to = put_text_arg(to, arg_text, first_instruction_text + text);
    to = put_text_arg(to, arg_origin, event.from == origin::macro ? origin_macro : origin_issued);
    if (reads_dst(event) || writes_dst(event)) to = put_arg(to, arg_dst, shown_dst_address(event));
    if (values.cell) to = put_bits_arg(to, arg_cell, *values.cell);
    if (values.result) to = put_bits_arg(to, arg_result, *values.result);
    if (shows_thread(options_, event.thread)) to = put_arg(to, arg_thread, event.thread);
    if (row >= 0) to = put_arg(to, arg_row, row);
    to = put_arg(to, arg_word, event.word);
    to = put_arg(to, arg_cycle, event.begin.count());
    slice.finish(to);
    to = finish_packet(whole, to, event.begin);
    packets_.end_record(put_slice_end(to, track, event.begin.count() + length));
}

void timeline::stall(const stall_event& event, const timeline_track& track) {
    const unsigned category = literal_id("stall", interned::categories), name = name_of_stall(event.cause);
    std::uint8_t* to = packets_.begin_record();
    const short_message whole(to, schema::trace::packet);
    to = put_sequence(whole.begin());
    const short_message slice(to, packet::track_event);
    to = put_slice_begin(slice.begin(), track, category, name);
    if (shows_thread(options_, event.thread)) to = put_arg(to, arg_thread, event.thread);
    to = put_arg(to, arg_word, event.word);
    to = put_arg(to, arg_cycle, event.at.count());
    slice.finish(to);
    to = finish_packet(whole, to, event.at);
    packets_.end_record(put_slice_end(to, track, event.at.count() + 1));
}

void timeline::activity(const activity_event& event, const timeline_track& track) {
    const std::string_view text = event.text.empty() ? event.kind : event.text;
    const unsigned category = literal_id(event.kind, interned::categories), name = name_id_of_text(text);
    message content;
    content.number(event_field::type, event_field::slice_begin).number(event_field::track, track.thread);
    content.number(event_field::category_id, category);
    if (name != 0) content.number(event_field::name_id, name);
    else content.text(event_field::name, text);
    add_text_arg(content, arg_kind, event.kind);
    add_arg(content, arg_cycle, event.begin.count());
    add_event(content, event.begin);
    packets_.end_record(put_slice_end(packets_.begin_record(), track, event.end.count() + 1));
}

void timeline::arrow(const timeline_arrow& what, const timeline_track& from, cycles start,
                     const timeline_track& to, cycles end) {
    const arrow_identity identity{literal_id(what.category, interned::categories),
                                  literal_id(what.name, interned::names), next_arrow_++};
    std::uint8_t* at = packets_.begin_record();
    at = put_arrow_end(at, 's', from, identity, start);
    packets_.end_record(put_arrow_end(at, 'f', to, identity, end));
}

void timeline::slots(const slots_event& event, cycles at) {
    for (unsigned i = 0; i < isa::scheduled_units; ++i)
        count(first_slots_track + i, count_of_bits(event.outstanding[i]), at);
}

void timeline::rate(std::uint32_t instructions, cycles at) {
    if (!std::exchange(described_rate_, true)) name_counter(rate_track, "ipc", "of 16 cycles");
    if (std::exchange(latest_rate_, std::int64_t{instructions}) == instructions) return;
    std::uint8_t* to = packets_.begin_record();
    const short_message whole(to, schema::trace::packet);
    to = put_sequence(whole.begin());
    const short_message content(to, packet::track_event);
    to = put_number<event_field::type>(content.begin(), event_field::counter);
    to = put_number<event_field::track>(to, rate_track);
    to = put_double<event_field::double_counter_value>(to, static_cast<double>(instructions) / rate_cycles);
    content.finish(to);
    packets_.end_record(finish_packet(whole, to, at));
}

void timeline::counters(const counters_event& event, cycles at) {
    const unsigned first = address_track(event.thread);
    if (!std::exchange(described_counters_[event.thread % timeline_threads], true))
        name_address_counters(first, event.thread);
    count(first, event.dst, at);
    count(first + 1, event.dst_cr, at);
    count(first + 2, event.sp, at);
}

void timeline::report(const diagnostic& what, const timeline_track& track) {
    const unsigned category = literal_id(to_string(what.level), interned::categories),
                   name = literal_id(describe(what.id).name, interned::names);
    message content;
    content.number(event_field::type, event_field::instant).number(event_field::track, track.thread);
    content.number(event_field::category_id, category).number(event_field::name_id, name);
    add_text_arg(content, arg_message, what.message);
    add_arg(content, arg_word, what.word);
    add_arg(content, arg_cycle, what.at.count());
    add_event(content, what.at);
}

void timeline::define(unsigned table, unsigned id, std::string_view text) {
    message data, whole;
    define_in(data, table, id, text);
    packets_.add(whole.number(packet::sequence, the_sequence)
                     .number(packet::sequence_flags, packet::needs_state)
                     .part(packet::interned_data, data));
}

void timeline::describe_track(const message& content) {
    message whole;
    whole.number(packet::sequence, the_sequence).number(packet::sequence_flags, packet::needs_state);
    packets_.add(whole.part(packet::track_descriptor, content));
}

void timeline::name_counter(unsigned track, std::string_view counter, std::string_view part) {
    describe_track(message()
                       .number(descriptor::uuid, track)
                       .number(descriptor::parent, process_tracks + unit_process)
                       .text(descriptor::name, fmt::format("{} {}", counter, part))
                       .part(descriptor::counter, {}));
}

void timeline::name_address_counters(unsigned first, unsigned thread) {
    for (unsigned i = 0; i < address_counters.size(); ++i)
        name_counter(first + i, address_counter_names[thread % timeline_threads], address_counters[i]);
}

unsigned timeline::literal_id(const char* text, unsigned table) {
    known_literal& known = literals_[(reinterpret_cast<std::uintptr_t>(text) ^ table) % literals_.size()];
    if (known.text != text || known.table != table) known = {text, table, find_or_define(text, table)};
    return known.id;
}

unsigned timeline::find_or_define(std::string_view text, unsigned table) {
    auto& ids = ids_[table == interned::names];
    const auto [found, is_new] = ids.try_emplace(std::string(text), static_cast<unsigned>(ids.size() + 1));
    if (is_new) define(table, found->second, text);
    return found->second;
}

unsigned timeline::name_of_stall(stall_cause cause) {
    unsigned& id = stall_names_[static_cast<unsigned>(cause)];
    if (id == 0) id = find_or_define(fmt::format("stall: {}", to_string(cause)), interned::names);
    return id;
}

unsigned timeline::name_id_of_text(std::string_view text) {
    if (text.size() > most_interned_size) return 0;
    const auto& ids = ids_[true];
    if (ids.size() < most_activity_texts) return find_or_define(text, interned::names);
    const auto found = ids.find(std::string(text));
    return found == ids.end() ? 0 : found->second;
}

void timeline::define_instruction_text(std::uint32_t text) {
    if (text < defined_texts_.size() && defined_texts_[text]) return;
    if (text >= defined_texts_.size()) defined_texts_.resize(std::size_t{text} + 1, false);
    defined_texts_[text] = true;
    define(interned::annotation_texts, first_instruction_text + text, texts_[text]);
}

void timeline::add_event(const message& content, cycles at) {
    message whole;
    whole.number(packet::sequence, the_sequence).number(packet::sequence_flags, packet::needs_state);
    whole.part(packet::track_event, content);
    packets_.add(whole.number(packet::timestamp, static_cast<std::uint64_t>(at.count())));
}

void timeline::count(unsigned track, std::uint32_t value, cycles at) {
    std::int64_t& latest = latest_counts_[track % latest_counts_.size()];
    if (std::exchange(latest, value) == value) return;
    std::uint8_t* to = packets_.begin_record();
    const short_message whole(to, schema::trace::packet);
    to = put_sequence(whole.begin());
    const short_message content(to, packet::track_event);
    to = put_number<event_field::type>(content.begin(), event_field::counter);
    to = put_number<event_field::track>(to, track);
    to = put_number<event_field::counter_value>(to, value);
    content.finish(to);
    packets_.end_record(finish_packet(whole, to, at));
}

} // namespace sfpu::traces
