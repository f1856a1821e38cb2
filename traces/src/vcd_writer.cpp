#include <sfpu/traces/vcd_writer.h>

#include "trace_support.h"
#include "vcd_document.h"

#include <sfpu/probe/dependence_tracker.h>
#include <sfpu/probe/event_meaning.h>
#include <sfpu/probe/text_cache.h>
#include <sfpu/probe/trace_window.h>

#include <sfpu/isa/machine.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sfpu::traces {

using namespace probe;

namespace {

using kind = vcd_document::kind;
using signal = vcd_document::signal;
using bundle = vcd_document::bundle;

constexpr std::uint64_t unknown = vcd_document::unknown;
constexpr unsigned dst_address_bits = 10, counter_bits = 10;
constexpr unsigned shown_threads = 3, thread_bits = 2;

/// Bits of the number of all outstanding entries.
unsigned count_bits(unsigned slots) {
    unsigned bits = 1;
    while (1u << bits <= slots * isa::scheduled_units) ++bits;
    return bits;
}

/// "sfpmul24 L0, L1" becomes "sfpmul24_L0,L1": the value of a string ends at the first blank.
std::string without_blanks(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c != ' ') result += c;
        else if (result.empty() || result.back() != ',') result += '_';
    }
    return result;
}

std::string text_without_blanks(const isa::instruction&, const std::string& text) {
    return without_blanks(text);
}

std::uint64_t known_or_unknown(std::int64_t value) {
    return value < 0 ? unknown : static_cast<std::uint64_t>(value);
}

} // namespace

struct vcd_writer::implementation {
    struct unit_signals {
        signal text, vd, origin, busy, row, discarded;
        signal thread; ///< if there is more than one
    };
    /// What a sub-unit is doing, beside the signals that show it.
    struct unit_activity {
        cycles shown_until{-1};  ///< last cycle of the newest instruction
        cycles busy_until{-1};   ///< last cycle of all instructions so far, SFPNOP left out
        cycles discarded_at{-1}; ///< the latest cycle in which one was discarded
        cycles begun_at{-1};     ///< the latest cycle in which one began
    };
    /// The latest cycle of what lasts for one.
    struct latest_cycles {
        cycles issue{-1}, stall{-1}, hazard{-1};
    };

    /// A port of Dst.
    struct port_signals {
        signal address, active;
        cycles used_at{-1};
        bool is_idle = true; ///< and its signals show that
        bundle data{};
    };
    struct counter_signals {
        signal dst, dst_cr, sp;
    };

    /// One lane of the tile around the vector unit.
    struct lane_signals {
        signal text, busy;
        std::uint32_t name; ///< text shown for events that have none of their own
        cycles busy_until{-1};
    };

    implementation(std::ostream& out, const trace_options& o, const std::vector<unsigned>& value_lanes);

    void declare_units();
    void declare_unit(unsigned number, std::string_view name);
    void declare_issue();
    void declare_macro();
    void declare_dst();
    void declare_values(const std::vector<unsigned>& value_lanes);
    void show_values(const cycle_event& of);
    void declare_counters();
    void declare_lanes();
    lane_signals* find_lane(const activity_event& event);
    std::uint32_t text_of(const activity_event& event, const lane_signals& lane);

    /// Whether events of this cycle can still show; if so, all cycles before it are written.
    bool reach(cycles at);
    void write_cycle();
    void end_what_is_over();
    void end_what_is_over_in(unsigned unit);
    void show_next_state();

    void show_issue(const execution_event& event, std::uint32_t text, std::uint64_t kernel_row);
    void show_unit(const execution_event& event, std::uint32_t text, std::uint64_t kernel_row);
    void show_dst(const execution_event& event);
    void show_port(std::vector<port_signals>& ports, const execution_event& event);

    trace_options options;
    cycle_window window;
    text_cache texts{options.words, text_without_blanks};
    row_cache rows;
    std::uint32_t no_text = texts.add("-");
    std::array<std::uint32_t, stall_cause_count> cause_texts{};
    std::unordered_map<std::string, std::uint32_t> activity_texts; ///< for look-up only, never walked
    struct recent_text {
        std::string_view text; ///< in that map
        std::uint32_t index = 0;
    };
    std::array<recent_text, 512> recent_texts{}; ///< by hash
    vcd_document document;

    cycles now{}; ///< the cycle that the values in the document belong to
    bool finished = false;
    reached_cycle end;

    /// By isa::sub_unit, then second units where the machine has them.
    std::array<unit_signals, isa::largest::units> units{};
    std::array<unit_activity, isa::largest::units> activity{};
    std::array<unsigned, pipeline_columns.size()> second_units{}; ///< by isa::sub_unit; 0 if there is none
    unsigned active = 0;                                          ///< bit i is set if unit i shows something
    latest_cycles latest;
    signal issue_text{}, issue_word{}, stalled{}, cause{};
    std::array<signal, isa::scheduled_units> slots{};
    signal outstanding{};
    std::vector<port_signals> load_ports, store_ports;
    std::array<counter_signals, shown_threads> counters{};
    signal row{}, cycle{}, issue_thread{};
    signal flags{}, flags_in_use{}, hazard{}, hazard_id{};
    bool shows_values = false; ///< of some lane
    std::array<bundle, isa::lreg_count> registers{};
    const cycle_event* begins = nullptr; ///< while it can be looked at
    std::array<std::uint32_t, report_count> hazard_texts{};
    std::vector<lane_signals> lanes; ///< as trace_options lists them

    // State after the cycle `now`, shown from the next one on.
    std::optional<slots_event> next_slots;
    std::array<std::optional<counters_event>, shown_threads> next_counters;
};

/// What a machine shows: L16 and the constants that programs set, beside L0 to L7.
constexpr isa::register_set shown_registers = isa::result_registers | isa::programmable_constants;

vcd_writer::implementation::implementation(std::ostream& out, const trace_options& o,
                                           const std::vector<unsigned>& value_lanes)
    : options(o), window(o), document(out, o.period_ps, texts) {
    for (unsigned i = 0; i < stall_cause_count; ++i)
        cause_texts[i] = texts.add(to_string(static_cast<stall_cause>(i)));
    document.open_scope("sfpu");
    declare_units();
    declare_issue();
    declare_macro();
    declare_dst();
    if (!value_lanes.empty()) declare_values(value_lanes);
    declare_counters();
    document.close_scope();
    declare_lanes();
    document.end_header();
}

void vcd_writer::implementation::declare_units() {
    for (const unit_column& column : pipeline_columns)
        declare_unit(static_cast<unsigned>(column.unit), isa::to_string(column.unit));
    auto next = static_cast<unsigned>(pipeline_columns.size());
    const auto declare_second = [&](unsigned count, isa::sub_unit kind) {
        if (count < 2) return;
        second_units[static_cast<unsigned>(kind)] = next;
        declare_unit(next++, std::string(isa::to_string(kind)) + "2");
    };
    declare_second(options.load_ports, isa::sub_unit::load);
    declare_second(options.mad_units, isa::sub_unit::mad);
    declare_second(options.store_ports, isa::sub_unit::store);
}

void vcd_writer::implementation::declare_unit(unsigned number, std::string_view name) {
    unit_signals& unit = units[number];
    document.open_scope(name);
    unit.text = document.add(kind::text, 1, "text", no_text);
    unit.vd = document.add(kind::wire, 5, "vd");
    unit.origin = document.add(kind::wire, 1, "origin");
    unit.busy = document.add(kind::wire, 1, "busy", 0);
    unit.row = document.add(kind::integer, 32, "row");
    unit.discarded = document.add(kind::wire, 1, "discarded", 0);
    if (options.threads > 1) unit.thread = document.add(kind::wire, thread_bits, "thread");
    document.close_scope();
}

void vcd_writer::implementation::declare_issue() {
    document.open_scope("issue");
    issue_text = document.add(kind::text, 1, "text", no_text);
    issue_word = document.add(kind::integer, 32, "word");
    stalled = document.add(kind::wire, 1, "stalled", 0);
    cause = document.add(kind::text, 1, "stall_cause", no_text);
    if (options.threads > 1) issue_thread = document.add(kind::wire, thread_bits, "thread");
    document.close_scope();
}

void vcd_writer::implementation::declare_macro() {
    document.open_scope("hazards");
    hazard = document.add(kind::event, 1, "hazard");
    hazard_id = document.add(kind::text, 1, "id", no_text);
    document.close_scope();
    document.open_scope("macro");
    const unsigned delays = 1u << options.words.delay_bits;
    for (unsigned i = 0; i < isa::scheduled_units; ++i)
        slots[i] = document.add(kind::wire, delays, isa::to_string(static_cast<isa::sub_unit>(i)), 0);
    outstanding = document.add(kind::wire, count_bits(options.slots), "outstanding", 0);
    document.close_scope();
}

void vcd_writer::implementation::declare_dst() {
    document.open_scope("dst");
    const auto declare = [this](unsigned count, const std::string& name) {
        std::vector<port_signals> ports;
        for (unsigned i = 0; i < count; ++i) {
            const std::string port = i == 0 ? name : name + std::to_string(i + 1);
            const signal address = document.add(kind::wire, dst_address_bits, port + "_address");
            ports.push_back({address, document.add(kind::wire, 1, port + "_active", 0)});
        }
        return ports;
    };
    load_ports = declare(options.load_ports, "load");
    store_ports = declare(options.store_ports, "store");
    document.close_scope();
}

void vcd_writer::implementation::declare_values(const std::vector<unsigned>& value_lanes) {
    document.open_scope("lanes");
    flags = document.add(kind::wire, lane_count, "flags");
    flags_in_use = document.add(kind::wire, lane_count, "flags_in_use");
    document.close_scope();
    shows_values = true;
    for (bundle& each : registers) each = document.add_bundle();
    for (std::vector<port_signals>* ports : {&load_ports, &store_ports})
        for (port_signals& port : *ports) port.data = document.add_bundle();
    for (const unsigned lane : value_lanes) {
        document.open_scope("lane" + std::to_string(lane));
        for (unsigned lreg = 0; lreg < isa::lreg_count; ++lreg)
            if (isa::contains(shown_registers, lreg))
                document.add(registers[lreg], lane, "L" + std::to_string(lreg));
        const auto declare_data = [&](const std::vector<port_signals>& ports, const std::string& name) {
            for (std::size_t i = 0; i < ports.size(); ++i)
                document.add(ports[i].data, lane, name + (i == 0 ? "" : std::to_string(i + 1)) + "_data");
        };
        declare_data(load_ports, "load");
        declare_data(store_ports, "store");
        document.close_scope();
    }
}

/// What an instruction of this cycle would read.
void vcd_writer::implementation::show_values(const cycle_event& of) {
    document.set(flags, of.state->flags);
    document.set(flags_in_use, of.state->use_flags);
    for (isa::register_set rest = shown_registers; rest != 0; rest &= rest - 1) {
        const auto lreg = static_cast<unsigned>(__builtin_ctz(rest));
        document.set(registers[lreg], of.lreg(lreg), all_lanes);
    }
}

void vcd_writer::implementation::declare_counters() {
    document.open_scope("counters");
    const auto declare = [this] {
        const signal dst = document.add(kind::wire, counter_bits, "dst");
        const signal dst_cr = document.add(kind::wire, counter_bits, "dst_cr");
        return counter_signals{dst, dst_cr, document.add(kind::wire, counter_bits, "sp")};
    };
    counters[0] = declare();
    row = document.add(kind::integer, 32, "row");
    cycle = document.add(kind::integer, 32, "cycle");
    for (unsigned thread = 1; thread < std::min(options.threads, shown_threads); ++thread) {
        document.open_scope("thread" + std::to_string(thread));
        counters[thread] = declare();
        document.close_scope();
    }
    document.close_scope();
}

void vcd_writer::implementation::declare_lanes() {
    if (options.lanes.empty()) return;
    document.open_scope("tile");
    for (const activity_lane& lane : options.lanes) {
        document.open_scope(lane_name(lane.unit, lane.instance, lane.name, '_'));
        lanes.push_back({document.add(kind::text, 1, "text", no_text), document.add(kind::wire, 1, "busy", 0),
                         texts.add(without_blanks(lane.name))});
        document.close_scope();
    }
    document.close_scope();
}

vcd_writer::implementation::lane_signals* vcd_writer::implementation::find_lane(const activity_event& event) {
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const activity_lane& lane = options.lanes[i];
        if (lane.unit == event.unit && lane.instance == event.instance &&
            std::string_view(lane.name) == event.lane)
            return &lanes[i];
    }
    return nullptr;
}

/// The text of an activity: its own, else the cause that held it.
std::uint32_t vcd_writer::implementation::text_of(const activity_event& event, const lane_signals& lane) {
    if (event.text.empty() && std::string_view(event.kind) == busy_kind) return lane.name;
    const std::string_view wanted = event.text.empty() ? std::string_view(event.kind) : event.text;
    recent_text& recent = recent_texts[std::hash<std::string_view>{}(wanted) % recent_texts.size()];
    if (recent.index != 0 && recent.text == wanted) return recent.index;
    const auto [found, is_new] = activity_texts.try_emplace(std::string(wanted), 0);
    if (is_new) found->second = texts.add(without_blanks(found->first));
    recent = {found->first, found->second};
    return recent.index;
}

bool vcd_writer::implementation::reach(cycles at) {
    if (finished) return false;
    const cycles wanted = std::min(at, window.last + one_cycle);
    while (now < wanted) {
        if (window.contains(now)) {
            write_cycle();
            ++now;
        } else { // nothing is written before the window
            now = std::min(wanted, window.first);
        }
        show_next_state();
        if (begins && now < at) show_values(*begins); // as the cycle behind the event before left it
    }
    return at <= window.last;
}

void vcd_writer::implementation::write_cycle() {
    end_what_is_over();
    document.set(cycle, static_cast<std::uint64_t>(now.count()));
    document.write_cycle(now);
}

/// Takes back what lasted for one cycle, or until an earlier one, when all events of the cycle are known:
/// most signals have a new value by then.
void vcd_writer::implementation::end_what_is_over() {
    for (unsigned rest = active; rest != 0; rest &= rest - 1)
        end_what_is_over_in(static_cast<unsigned>(__builtin_ctz(rest)));
    for (const lane_signals& lane : lanes)
        if (now > lane.busy_until) {
            document.set(lane.text, no_text);
            document.set(lane.busy, 0);
        }
    if (latest.hazard != now) document.set(hazard_id, no_text);
    if (latest.issue != now) document.set(issue_text, no_text);
    if (latest.issue != now && latest.stall != now) {
        document.set(issue_word, unknown);
        if (options.threads > 1) document.set(issue_thread, unknown);
    }
    if (latest.stall != now) {
        document.set(stalled, 0);
        document.set(cause, no_text);
    }
    for (std::vector<port_signals>* ports : {&load_ports, &store_ports})
        for (port_signals& port : *ports) {
            if (port.is_idle || port.used_at == now) continue;
            port.is_idle = true;
            document.set(port.address, unknown);
            document.set(port.active, 0);
            if (shows_values) document.set_idle(port.data);
        }
}

void vcd_writer::implementation::end_what_is_over_in(unsigned which) {
    const unit_signals& unit = units[which];
    const unit_activity& newest = activity[which];
    if (newest.discarded_at != now) document.set(unit.discarded, 0);
    if (now <= newest.busy_until) return;
    document.set(unit.busy, 0);
    if (now <= newest.shown_until) return;
    document.set(unit.text, no_text);
    document.set(unit.vd, unknown);
    document.set(unit.origin, unknown);
    document.set(unit.row, unknown);
    if (options.threads > 1) document.set(unit.thread, unknown);
    if (newest.discarded_at != now) active &= ~(1u << which);
}

/// The state that the previous cycle left.
void vcd_writer::implementation::show_next_state() {
    if (next_slots) {
        unsigned count = 0;
        for (unsigned i = 0; i < isa::scheduled_units; ++i) {
            document.set(slots[i], next_slots->outstanding[i]);
            count += count_of_bits(next_slots->outstanding[i]);
        }
        document.set(outstanding, count);
        next_slots.reset();
    }
    for (unsigned thread = 0; thread < shown_threads; ++thread) {
        std::optional<counters_event>& next = next_counters[thread];
        if (!next) continue;
        document.set(counters[thread].dst, next->dst);
        document.set(counters[thread].dst_cr, next->dst_cr);
        document.set(counters[thread].sp, next->sp);
        next.reset();
    }
}

void vcd_writer::implementation::show_issue(const execution_event& event, std::uint32_t text,
                                            std::uint64_t kernel_row) {
    latest.issue = now;
    document.set(issue_text, text);
    document.set(issue_word, known_or_unknown(event.word));
    document.set(row, kernel_row);
    if (options.threads > 1) document.set(issue_thread, event.thread);
}

void vcd_writer::implementation::show_unit(const execution_event& event, std::uint32_t text,
                                           std::uint64_t kernel_row) {
    auto number = static_cast<unsigned>(event.unit);
    const bool is_taken = activity[number].begun_at == now && !event.discarded;
    if (is_taken && second_units[number] != 0) number = second_units[number];
    const unit_signals& unit = units[number];
    unit_activity& newest = activity[number];
    active |= 1u << number;
    if (event.discarded) {
        document.set(unit.discarded, 1);
        newest.discarded_at = now;
        return;
    }
    const bool is_nop = !occupies_unit(event);
    document.set(unit.text, text);
    document.set(unit.vd, is_nop ? unknown : event.insn.vd);
    document.set(unit.origin, event.from == origin::macro);
    document.set(unit.row, kernel_row);
    if (options.threads > 1) document.set(unit.thread, event.thread);
    newest.begun_at = now;
    newest.shown_until = event.end;
    if (is_nop) return;
    document.set(unit.busy, 1);
    newest.busy_until = std::max(newest.busy_until, event.end);
}

void vcd_writer::implementation::show_dst(const execution_event& event) {
    if (reads_dst(event)) show_port(load_ports, event);
    else if (writes_dst(event)) show_port(store_ports, event);
}

/// In the first port that is free in this cycle, else in the last.
void vcd_writer::implementation::show_port(std::vector<port_signals>& ports, const execution_event& event) {
    std::size_t which = 0;
    while (which + 1 < ports.size() && ports[which].used_at == now) ++which;
    port_signals& port = ports[which];
    port.used_at = now;
    port.is_idle = false;
    document.set(port.address, shown_dst_address(event));
    document.set(port.active, 1);
    if (!shows_values) return;
    if (event.cells) document.set(port.data, *event.cells, event.lanes);
    else document.set_idle(port.data);
}

vcd_writer::vcd_writer(std::ostream& out, const trace_options& options,
                       const std::vector<unsigned>& value_lanes)
    : impl_(std::make_unique<implementation>(out, options, value_lanes)) {}
vcd_writer::~vcd_writer() { finish_quietly(*this); }

void vcd_writer::cycle_begins(const cycle_event& event) {
    if (!impl_->shows_values) return;
    impl_->begins = &event;
    if (impl_->reach(event.at)) impl_->show_values(event);
    impl_->begins = nullptr;
}

void vcd_writer::diagnosed(const diagnostic& what) {
    if (!impl_->reach(what.at)) return;
    std::uint32_t& text = impl_->hazard_texts[static_cast<unsigned>(what.id)];
    if (text == 0) text = impl_->texts.add(describe(what.id).name);
    impl_->latest.hazard = impl_->now;
    impl_->document.trigger(impl_->hazard);
    impl_->document.set(impl_->hazard_id, text);
}

void vcd_writer::executed(const execution_event& event) {
    if (!impl_->reach(event.begin)) return;
    impl_->end.reach(event.end);
    const std::uint32_t text = impl_->texts.index(event.insn);
    const std::uint64_t kernel_row = known_or_unknown(impl_->rows(impl_->options, event.word));
    if (event.from == origin::issued) impl_->show_issue(event, text, kernel_row);
    if (event.unit == isa::sub_unit::front_end) return;
    impl_->show_unit(event, text, kernel_row);
    impl_->show_dst(event);
}

void vcd_writer::stalled(const stall_event& event) {
    if (!impl_->reach(event.at)) return;
    impl_->latest.stall = impl_->now;
    impl_->document.set(impl_->stalled, 1);
    impl_->document.set(impl_->cause, impl_->cause_texts[static_cast<unsigned>(event.cause)]);
    impl_->document.set(impl_->issue_word, known_or_unknown(event.word));
    if (impl_->options.threads > 1) impl_->document.set(impl_->issue_thread, event.thread);
}

void vcd_writer::slots_changed(const slots_event& event) {
    if (impl_->reach(event.at)) impl_->next_slots = event;
}

void vcd_writer::counters_changed(const counters_event& event) {
    const unsigned threads = std::min(impl_->options.threads, shown_threads);
    if (impl_->reach(event.at) && event.thread < threads) impl_->next_counters[event.thread] = event;
}

void vcd_writer::acted(const activity_event& event) {
    if (event.end < impl_->window.first) return;
    if (!impl_->reach(std::max(event.begin, impl_->window.first))) return;
    implementation::lane_signals* const lane = impl_->find_lane(event);
    if (!lane) return;
    impl_->end.reach(event.end);
    impl_->document.set(lane->text, impl_->text_of(event, *lane));
    impl_->document.set(lane->busy, 1);
    lane->busy_until = std::max(lane->busy_until, event.end);
}

void vcd_writer::finish(cycles last) {
    impl_->reach(last + one_cycle);
    if (!impl_->finished)
        impl_->document.finish(std::min(last, impl_->window.last),
                               last < impl_->window.last && impl_->now == last + one_cycle);
    impl_->finished = true;
}

void vcd_writer::finish() {
    // What a cycle leaves shows in the next one.
    const bool leaves_something =
        impl_->next_slots || std::any_of(impl_->next_counters.begin(), impl_->next_counters.end(),
                                         [](const auto& next) { return next.has_value(); });
    impl_->end.reach(impl_->now + (leaves_something ? one_cycle : cycles{}));
    finish(impl_->end.latest());
}

} // namespace sfpu::traces
