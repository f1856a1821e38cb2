#include <sfpu/probe/perfetto_writer.h>

#include "buffered_text.h"
#include "dependence_tracker.h"
#include "trace_support.h"

#include <algorithm>
#include <bitset>
#include <optional>
#include <utility>

namespace sfpu::probe {
namespace {

constexpr unsigned sfpu_process = 1, tile_process = 2;
constexpr unsigned issue_thread = 1;
constexpr unsigned threads_of_a_unit = 10; ///< thread numbers kept for one sub-unit or lane
constexpr unsigned first_tile_thread = 1000, threads_of_a_tile_unit = 1000;
constexpr std::size_t remembered_flows = 4096;

std::string json_escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < ' ') {
            result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
            continue;
        }
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result;
}

const char* category(const execution_event& event) {
    if (event.discarded) return "discarded";
    return event.from == origin::macro ? "scheduled" : "issued";
}

std::size_t count_bits(std::uint8_t mask) { return std::bitset<8>(mask).count(); }

} // namespace

struct perfetto_writer::implementation {
    /// Where the arrows of a slice start: its thread and its last cycle.
    struct slice {
        unsigned thread = 0; ///< 0 if it is not in the file
        cycles last{};
        unsigned process = sfpu_process;
    };
    /// One sub-unit's threads; each is taken up to and including a cycle.
    struct unit_threads {
        unsigned first = 0;
        std::string title;
        std::vector<cycles> taken_until;
    };
    struct lane_entry {
        tile_unit unit;
        unsigned instance;
        std::string_view lane; ///< a literal
        unit_threads threads;
    };
    struct remembered_flow {
        std::uint64_t number = 0;
        slice from;
    };

    implementation(std::ostream& stream, const trace_options& o);

    void name_process(unsigned process, const char* name);
    void name_thread(unsigned process, unsigned thread, const std::string& name);
    void begin_event() { out.append(std::exchange(is_first, false) ? "\n" : ",\n"); }
    /// Appends a time as microseconds: a picosecond of the model is 0.001.
    void time(const char* key, std::int64_t cycle_count) {
        const std::int64_t total = cycle_count * options.period_ps;
        out.print(FMT_COMPILE(",\"{}\":{}.{:03}"), key, total / 1000, total % 1000);
    }

    unsigned thread_for(unit_threads& unit, unsigned process, cycles begin, cycles end);
    unit_threads& lane_threads(const activity_event& event);
    void write_activity(const activity_event& event);
    void write_slice(const execution_event& event, unsigned thread, cycles last);
    void write_flow(const char* kind, std::string_view name, const slice& from, unsigned process,
                    unsigned thread, cycles at);
    void write_arrows(const execution_event& event, register_set reads, unsigned thread);
    slice show(const execution_event& event, register_set reads);
    void write_slots(const slots_event& event, cycles at);
    void write_counters(const counters_event& event, cycles at);
    /// False if the counters have the values that they had.
    bool note_change(const counters_event& event) {
        const std::array<std::uint32_t, 3> found{event.dst, event.dst_cr, event.sp};
        return std::exchange(latest_counters, found) != found;
    }
    /// The counters as the cycles before the window left them.
    void catch_up(cycles at);

    trace_options options;
    cycle_window window;
    text_cache texts{options.arch, json_escaped};
    buffered_text out;
    bool is_first = true, finished = false;

    std::array<unit_threads, pipeline_columns.size()> units; ///< by isa::sub_unit
    value_tracker<slice> values;
    macro_tracker<slice> macros;
    std::int64_t next_flow = 1;
    std::vector<lane_entry> lanes;
    std::vector<remembered_flow> flows{remembered_flows}; ///< by number, the newest of each place
    std::optional<slots_event> earlier_slots;
    std::optional<counters_event> earlier_counters;
    std::optional<std::array<std::uint32_t, 3>> latest_counters;
};

perfetto_writer::implementation::implementation(std::ostream& stream, const trace_options& o)
    : options(o), window(o), out(stream) {
    out.print(
        FMT_COMPILE("{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"architecture\":\"{}\",\"period_ps\":{},"
                    "\"time_scale\":\"1 us is 1 ns of simulated time\"}},\"traceEvents\":["),
        short_name(options.arch), options.period_ps);
    name_process(sfpu_process, "SFPU");
    name_thread(sfpu_process, issue_thread, "Issue");
    for (std::size_t i = 0; i < pipeline_columns.size(); ++i) {
        const unit_column& column = pipeline_columns[i];
        const auto first = static_cast<unsigned>((i + 1) * threads_of_a_unit);
        units[static_cast<unsigned>(column.unit)] = {first, column.title, {cycles{-1}}};
        name_thread(sfpu_process, first, column.title);
    }
}

void perfetto_writer::implementation::name_process(unsigned process, const char* name) {
    begin_event();
    out.print(FMT_COMPILE(R"({{"name":"process_name","ph":"M","pid":{},"tid":{},"args":{{"name":"{}"}}}})"),
              process, process == sfpu_process ? issue_thread : first_tile_thread, name);
}

/// Threads stand in the viewer in the order of their numbers.
void perfetto_writer::implementation::name_thread(unsigned process, unsigned thread,
                                                  const std::string& name) {
    begin_event();
    out.print(FMT_COMPILE(R"({{"name":"thread_name","ph":"M","pid":{},"tid":{},"args":{{"name":"{}"}}}})"),
              process, thread, name);
    begin_event();
    out.print(FMT_COMPILE(
                  R"({{"name":"thread_sort_index","ph":"M","pid":{},"tid":{},"args":{{"sort_index":{}}}}})"),
              process, thread, thread);
}

/// The first thread of the sub-unit or lane that is free when something begins.
unsigned perfetto_writer::implementation::thread_for(unit_threads& unit, unsigned process, cycles begin,
                                                     cycles end) {
    const auto is_free = [begin](cycles taken) { return taken < begin; };
    auto found = std::find_if(unit.taken_until.begin(), unit.taken_until.end(), is_free);
    const auto index = static_cast<unsigned>(found - unit.taken_until.begin());
    if (found == unit.taken_until.end()) {
        found = unit.taken_until.insert(found, end);
        name_thread(process, unit.first + index, fmt::format("{} ({})", unit.title, index + 1));
    }
    *found = end;
    return unit.first + index;
}

/// The threads of an event's lane; they come into being with its first event.
perfetto_writer::implementation::unit_threads&
perfetto_writer::implementation::lane_threads(const activity_event& event) {
    const auto is_same = [&](const lane_entry& entry) {
        return entry.unit == event.unit && entry.instance == event.instance && entry.lane == event.lane;
    };
    const auto found = std::find_if(lanes.begin(), lanes.end(), is_same);
    if (found != lanes.end()) return found->threads;
    if (lanes.empty()) name_process(tile_process, "Tile");
    const auto of_unit = std::count_if(lanes.begin(), lanes.end(),
                                       [&](const lane_entry& entry) { return entry.unit == event.unit; });
    const unsigned first = first_tile_thread + static_cast<unsigned>(event.unit) * threads_of_a_tile_unit +
                           static_cast<unsigned>(of_unit) * threads_of_a_unit;
    const std::string title = lane_name(event.unit, event.instance, event.lane, ' ');
    lanes.push_back({event.unit, event.instance, event.lane, {first, title, {cycles{-1}}}});
    name_thread(tile_process, first, title);
    return lanes.back().threads;
}

void perfetto_writer::implementation::write_activity(const activity_event& event) {
    const unsigned thread = thread_for(lane_threads(event), tile_process, event.begin, event.end);
    const std::string text = json_escaped(std::string(event.text.empty() ? event.kind : event.text));
    begin_event();
    out.print(FMT_COMPILE(R"({{"name":"{}","cat":"{}","ph":"X","pid":{},"tid":{})"), text, event.kind,
              tile_process, thread);
    time("ts", event.begin.count());
    time("dur", (event.end - event.begin + one_cycle).count());
    out.print(FMT_COMPILE(R"(,"args":{{"cycle":{},"kind":"{}"}}}})"), event.begin.count(), event.kind);
    if (event.flow == 0) return;
    remembered_flow& earlier = flows[event.flow % remembered_flows];
    if (earlier.number == event.flow) {
        earlier.from.last = std::min(earlier.from.last, event.begin); // an arrow never points back in time
        write_flow("tile", "tile", earlier.from, tile_process, thread, event.begin);
    }
    earlier = {event.flow, {thread, event.end, tile_process}};
}

void perfetto_writer::implementation::write_slice(const execution_event& event, unsigned thread,
                                                  cycles last) {
    begin_event();
    out.print(FMT_COMPILE(R"({{"name":"{}","cat":"{}","ph":"X","pid":1,"tid":{})"), event.insn.op->mnemonic,
              category(event), thread);
    time("ts", event.begin.count());
    time("dur", (last - event.begin + one_cycle).count());
    out.print(FMT_COMPILE(R"(,"args":{{"cycle":{},"word":{})"), event.begin.count(), event.word);
    if (const std::int64_t kernel_row = row_of(options, event.word); kernel_row >= 0)
        out.print(FMT_COMPILE(R"(,"row":{})"), kernel_row);
    if (reads_dst(event) || writes_dst(event))
        out.print(FMT_COMPILE(R"(,"dst":{})"), shown_dst_address(event));
    out.print(FMT_COMPILE(R"(,"origin":"{}","text":"{}"}}}})"),
              event.from == origin::macro ? "macro" : "issued", texts[texts.index(event.insn)]);
}

/// An arrow binds to the slices that are open at its two times, hence the last cycle of the first one.
void perfetto_writer::implementation::write_flow(const char* kind, std::string_view name, const slice& from,
                                                 unsigned process, unsigned thread, cycles at) {
    if (from.thread == 0) return;
    const auto write_end = [&](const char* phase, unsigned pid, unsigned tid, cycles when) {
        begin_event();
        out.print(FMT_COMPILE(R"({{"name":"{}","cat":"{}","ph":{},"id":{},"pid":{},"tid":{})"), name, kind,
                  phase, next_flow, pid, tid);
        time("ts", when.count());
        out.append("}");
    };
    write_end(R"("s")", from.process, from.thread, from.last);
    write_end(R"("f","bp":"e")", process, thread, at);
    ++next_flow;
}

void perfetto_writer::implementation::write_arrows(const execution_event& event, register_set reads,
                                                   unsigned thread) {
    if (event.from == origin::macro)
        if (const slice* macro = macros.find(event.word))
            write_flow("macro", "macro", *macro, sfpu_process, thread, event.begin);
    values.read(reads, event.begin, [&](unsigned index, const slice& producer) {
        write_flow("data", fmt::format("L{}", lreg_of(index)), producer, sfpu_process, thread, event.begin);
    });
}

perfetto_writer::implementation::slice perfetto_writer::implementation::show(const execution_event& event,
                                                                             register_set reads) {
    catch_up(event.begin);
    if (event.from == origin::issued) write_slice(event, issue_thread, event.begin);
    if (event.unit == isa::sub_unit::front_end) return {};
    const unsigned thread =
        thread_for(units[static_cast<unsigned>(event.unit)], sfpu_process, event.begin, event.end);
    write_slice(event, thread, event.end);
    write_arrows(event, reads, thread);
    return {thread, event.end};
}

void perfetto_writer::implementation::write_slots(const slots_event& event, cycles at) {
    begin_event();
    out.append(R"({"name":"outstanding","ph":"C","pid":1,"tid":1)");
    time("ts", at.count());
    out.append(",\"args\":{");
    for (unsigned i = 0; i < isa::scheduled_units; ++i)
        out.print(FMT_COMPILE("{}\"{}\":{}"), i ? "," : "", isa::to_string(static_cast<isa::sub_unit>(i)),
                  count_bits(event.outstanding[i]));
    out.append("}}");
}

void perfetto_writer::implementation::write_counters(const counters_event& event, cycles at) {
    begin_event();
    out.append(R"({"name":"rwc","ph":"C","pid":1,"tid":1)");
    time("ts", at.count());
    out.print(FMT_COMPILE(R"(,"args":{{"dst":{},"dst_cr":{},"sp":{}}}}})"), event.dst, event.dst_cr,
              event.sp);
}

void perfetto_writer::implementation::catch_up(cycles at) {
    if (at < window.first) return;
    if (earlier_slots) write_slots(*earlier_slots, window.first);
    if (earlier_counters) write_counters(*earlier_counters, window.first);
    earlier_slots.reset();
    earlier_counters.reset();
}

perfetto_writer::perfetto_writer(std::ostream& out, const trace_options& options)
    : impl_(std::make_unique<implementation>(out, options)) {}
perfetto_writer::~perfetto_writer() = default;

void perfetto_writer::executed(const execution_event& event) {
    if (impl_->finished || event.begin > impl_->window.last) return;
    const register_access access = registers_of(event, impl_->options.arch);
    implementation::slice shown;
    if (impl_->window.contains(event.begin)) shown = impl_->show(event, access.reads);
    impl_->values.write(access.writes, event, shown);
    if (event.insn.is(isa::opcode::sfploadmacro) && !event.discarded) impl_->macros.launch(event.word, shown);
}

void perfetto_writer::stalled(const stall_event& event) {
    if (impl_->finished || !impl_->window.contains(event.at)) return;
    impl_->catch_up(event.at);
    impl_->begin_event();
    impl_->out.print(FMT_COMPILE(R"({{"name":"stall: {}","cat":"stall","ph":"X","pid":1,"tid":{})"),
                     to_string(event.cause), issue_thread);
    impl_->time("ts", event.at.count());
    impl_->time("dur", 1);
    impl_->out.print(FMT_COMPILE(R"(,"args":{{"cycle":{},"word":{}}}}})"), event.at.count(), event.word);
}

void perfetto_writer::slots_changed(const slots_event& event) {
    const cycles visible = event.at + one_cycle;
    if (impl_->finished || visible > impl_->window.last) return;
    if (visible <= impl_->window.first) {
        impl_->earlier_slots = event;
        return;
    }
    impl_->catch_up(visible);
    impl_->write_slots(event, visible);
}

void perfetto_writer::counters_changed(const counters_event& event) {
    const cycles visible = event.at + one_cycle;
    if (impl_->finished || visible > impl_->window.last || !impl_->note_change(event)) return;
    if (visible <= impl_->window.first) {
        impl_->earlier_counters = event;
        return;
    }
    impl_->catch_up(visible);
    impl_->write_counters(event, visible);
}

void perfetto_writer::diagnosed(const diagnostic& what) {
    if (impl_->finished || !impl_->window.contains(what.at)) return;
    impl_->catch_up(what.at);
    impl_->begin_event();
    impl_->out.print(FMT_COMPILE(R"({{"name":"{}","cat":"{}","ph":"i","s":"t","pid":1,"tid":{})"),
                     describe(what.id).name, to_string(what.level), issue_thread);
    impl_->time("ts", what.at.count());
    impl_->out.print(FMT_COMPILE(R"(,"args":{{"cycle":{},"word":{},"message":"{}"}}}})"), what.at.count(),
                     what.word, json_escaped(what.message));
}

void perfetto_writer::acted(const activity_event& event) {
    if (impl_->finished || event.end < impl_->window.first || event.begin > impl_->window.last) return;
    impl_->write_activity(event);
}

void perfetto_writer::finish() {
    if (impl_->finished) return;
    impl_->out.append("\n]}\n");
    impl_->out.flush();
    impl_->finished = true;
}

} // namespace sfpu::probe
