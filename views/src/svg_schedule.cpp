#include <sfpu/views/svg_schedule.h>

#include "svg_picture.h"

#include <sfpu/probe/dependence_tracker.h>
#include <sfpu/probe/event_meaning.h>
#include <sfpu/probe/text_cache.h>
#include <sfpu/probe/trace_window.h>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace sfpu::views {

using namespace probe;

namespace {

/// "sfpmul24" becomes "mul24"; a macro shows its number.
std::string short_name_of(const isa::instruction& insn) {
    if (insn.is(isa::opcode::sfploadmacro)) return fmt::format("macro {}", insn.macro_index);
    const std::string_view name = insn.op->mnemonic;
    return std::string(name.substr(0, 3) == "sfp" ? name.substr(3) : name);
}

/// "L0 L3"; many are shortened to "L0..L7".
std::string names_of(register_set registers) {
    constexpr std::size_t most_listed = 3;
    std::vector<std::string> names;
    for (unsigned index = 0; index < tracked_registers; ++index)
        if (registers >> index & 1) names.push_back(fmt::format("L{}", lreg_of(index)));
    if (names.size() > most_listed) return names.front() + ".." + names.back();
    return fmt::format("{}", fmt::join(names, " "));
}

std::string sources_of(const execution_event& event, register_set reads) {
    if (reads_dst(event)) return fmt::format("@{:#04x}", shown_dst_address(event));
    if (event.insn.is(isa::opcode::sfploadi)) return fmt::format("{:#x}", event.insn.imm & 0xffff);
    return names_of(reads);
}

std::string destination_of(const execution_event& event, register_set writes) {
    constexpr const char* arrow = "\u2192 ";
    constexpr unsigned first_template = 12;
    if (writes_dst(event)) return arrow + fmt::format("@{:#04x}", shown_dst_address(event));
    if (event.insn.names_template() && !event.discarded)
        return arrow + fmt::format("T{}", event.insn.vd - first_template);
    return writes ? arrow + names_of(writes) : "";
}

} // namespace

struct svg_schedule::implementation {
    /// A life in the making, as the value tracker keeps it.
    struct value {
        svg_picture::life life;
        std::uint32_t text = 0;   ///< of the writer
        cycles written{};         ///< when the writer began
        bool interesting = false; ///< may show in the window
    };
    /// SFPSWAP reads again in its second cycle, by when other values may have arrived (T8).
    struct second_read {
        register_set registers;
        cycles at;
    };

    std::string writer_of(const value& v) const {
        return fmt::format("{}, cycle {}", texts[v.text], v.written.count());
    }

    implementation(const trace_options& o, std::string title) : options(o), window(o) {
        picture.title = std::move(title);
        picture.rows_together = o.rows_together;
    }

    /// Widens the picture to a cycle of the window; false if it lies outside.
    bool reach(cycles at) {
        if (!window.contains(at)) return false;
        if (picture.first > picture.last) picture.first = picture.last = at;
        picture.first = std::min(picture.first, at);
        picture.last = std::max(picture.last, at);
        return true;
    }

    const std::string& text_of(const isa::instruction& insn) { return texts[texts.index(insn)]; }
    std::string origin_text(const execution_event& event) const;
    std::string tooltip(const execution_event& event, const register_access& access);
    void show_box(const execution_event& event, const register_access& access);
    void show_issue(const execution_event& event);
    void show_arrow(const execution_event& event);
    static std::string value_text(const execution_event& event);
    void note_reads(register_set reads, cycles at);
    void note_second_reads(cycles at);
    void note_writes(const execution_event& event, register_set writes);
    void keep(value& v);

    trace_options options;
    cycle_window window;
    text_cache texts{options.words};
    svg_picture picture;
    value_tracker<value> values;
    macro_tracker<cycles> macros;
    /// The latest issued instruction of more than one cycle, which the next word may have to wait for.
    std::optional<svg_picture::arrow> awaited;
    std::vector<second_read> second_reads;
};

std::string svg_schedule::implementation::origin_text(const execution_event& event) const {
    if (event.from == origin::issued) return fmt::format("issued as word {}", event.word);
    const cycles* launched = macros.find(event.word);
    return fmt::format("scheduled by word {}", event.word) +
           (launched ? fmt::format(" in cycle {}", launched->count()) : "");
}

std::string svg_schedule::implementation::tooltip(const execution_event& event,
                                                  const register_access& access) {
    std::string result = text_of(event.insn) + "\n" + origin_text(event);
    if (const std::int64_t row = row_of(options, event.word); row >= 0)
        result +=
            fmt::format(", kernel row{} {}", options.rows_together > 1 ? "s" : "", row_label(options, row));
    if (shows_thread(options, event.thread)) result += fmt::format(", thread {}", event.thread);
    result += event.end > event.begin
                  ? fmt::format("\ncycles {} and {}", event.begin.count(), event.end.count())
                  : fmt::format("\ncycle {}", event.begin.count());
    if (event.discarded) return result + "\ndiscarded: a scheduled instruction took its place";
    values.read(access.reads, event.begin, [&](unsigned index, const value& v) {
        result += fmt::format("\nreads L{} of {}", lreg_of(index), writer_of(v));
    });
    result += value_text(event);
    if (access.writes)
        result += fmt::format("\n{} visible from cycle {}", names_of(access.writes), event.end.count() + 1);
    return result;
}

std::string svg_schedule::implementation::value_text(const execution_event& event) {
    std::string text;
    if (!(event.lanes & 1u)) return text;
    if (event.cells && event.takes_effect)
        text +=
            fmt::format("\nlane 0: cell {:08x} of Dst {:#x}", event.cells->v[0], shown_dst_address(event));
    if (event.result && event.insn.use.results() != 0)
        text += fmt::format("\nlane 0: L{} = {:08x}", __builtin_ctz(event.insn.use.results()),
                            event.result->v[0]);
    return text;
}

/// From the SFPLOADMACRO, if both ends are in the picture.
void svg_schedule::implementation::show_arrow(const execution_event& event) {
    if (event.discarded) return;
    if (event.from == origin::macro) {
        const cycles* launched = macros.find(event.word);
        if (launched && window.contains(*launched) && !event.insn.is(isa::opcode::sfpnop))
            picture.arrows.push_back({isa::sub_unit::load, *launched, event.unit, event.begin});
    } else if (event.end > event.begin) {
        awaited = svg_picture::arrow{event.unit, event.begin, isa::sub_unit::front_end, event.end};
    }
}

void svg_schedule::implementation::show_box(const execution_event& event, const register_access& access) {
    svg_picture::box box;
    box.begin = event.begin;
    box.end = event.end;
    box.unit = event.unit;
    box.row = row_of(options, event.word);
    box.scheduled = event.from == origin::macro;
    box.discarded = event.discarded;
    box.holds_unit = holds_unit(event.insn);
    box.is_nop = event.insn.is(isa::opcode::sfpnop);
    box.lines = {short_name_of(event.insn), sources_of(event, access.reads),
                 destination_of(event, access.writes)};
    box.tooltip = tooltip(event, access);
    picture.boxes.push_back(std::move(box));
    if (!event.discarded && window.contains(event.end)) reach(event.end);
}

void svg_schedule::implementation::show_issue(const execution_event& event) {
    const bool front_end = event.unit == isa::sub_unit::front_end;
    picture.issue.push_back(
        {event.begin, front_end ? svg_picture::mark_kind::front_end : svg_picture::mark_kind::word,
         row_of(options, event.word), front_end ? short_name_of(event.insn) : fmt::format("{}", event.word),
         fmt::format("word {}: {}", event.word, text_of(event.insn))});
}

void svg_schedule::implementation::note_reads(register_set reads, cycles at) {
    values.read(reads, at, [&](unsigned, value& v) {
        std::vector<cycles>& known = v.life.reads;
        // Of the reads beyond the window one is enough: it says that the value lives on.
        if (!v.interesting || (!known.empty() && (known.back() >= at || known.back() > window.last))) return;
        if (at < window.first) known.clear();
        known.push_back(at);
    });
}

/// Reads in the second cycle of SFPSWAP, up to and including cycle `at`.
void svg_schedule::implementation::note_second_reads(cycles at) {
    for (const second_read& second : second_reads)
        if (second.at <= at) note_reads(second.registers, second.at);
    const auto is_done = [at](const second_read& second) { return second.at <= at; };
    second_reads.erase(std::remove_if(second_reads.begin(), second_reads.end(), is_done), second_reads.end());
}

void svg_schedule::implementation::note_writes(const execution_event& event, register_set writes) {
    if (!writes) return;
    value v;
    v.interesting = event.end < window.last;
    if (v.interesting) {
        v.life.visible_from = event.end + one_cycle;
        v.life.row = row_of(options, event.word);
        v.text = texts.index(event.insn);
        v.written = event.begin;
        v.life.writer = short_name_of(event.insn);
    }
    for (unsigned index = 0; index < tracked_registers; ++index) {
        if (!(writes >> index & 1)) continue;
        v.life.index = index;
        values.write(static_cast<register_set>(1u << index), event, v,
                     [&](unsigned, value& gone) { keep(gone); });
    }
}

/// Takes a value into the picture if it shows there.
void svg_schedule::implementation::keep(value& v) {
    svg_picture::life& life = v.life;
    if (!v.interesting || life.last() < window.first) return;
    std::string& tip = life.tooltip;
    tip = fmt::format("L{}: {}\nvisible from cycle {}", lreg_of(life.index), writer_of(v),
                      life.visible_from.count());
    if (life.reads.empty()) tip += ", never read";
    else tip += fmt::format(", last read in cycle {}", life.last().count());
    picture.lives.push_back(std::move(life));
}

svg_schedule::svg_schedule(const trace_options& options, std::string title)
    : impl_(std::make_unique<implementation>(options, std::move(title))) {}
svg_schedule::~svg_schedule() = default;

void svg_schedule::executed(const execution_event& event) {
    const register_access access = registers_of(event);
    impl_->note_second_reads(event.begin);
    if (impl_->reach(event.begin)) {
        if (event.from == origin::issued) impl_->show_issue(event);
        if (event.unit != isa::sub_unit::front_end) {
            impl_->show_box(event, access);
            impl_->show_arrow(event);
        }
    }
    impl_->note_reads(access.reads, event.begin);
    if (event.insn.latency == isa::latency_class::swap && access.reads && event.end > event.begin)
        impl_->second_reads.push_back({access.reads, event.end});
    impl_->note_writes(event, access.writes);
    if (event.insn.is(isa::opcode::sfploadmacro) && !event.discarded)
        impl_->macros.launch(event.word, event.begin);
}

void svg_schedule::stalled(const stall_event& event) {
    if (!impl_->reach(event.at)) return;
    if (impl_->awaited && impl_->awaited->from < event.at && event.at <= impl_->awaited->to &&
        event.cause != stall_cause::thread_slot) {
        svg_picture::arrow arrow = *impl_->awaited;
        arrow.to = event.at;
        impl_->picture.arrows.push_back(arrow);
    }
    impl_->picture.issue.push_back({event.at, svg_picture::mark_kind::stall,
                                    row_of(impl_->options, event.word), "stall",
                                    fmt::format("word {} held: {}", event.word, to_string(event.cause))});
}

void svg_schedule::forgotten(const forgotten_event& event) {
    if (!impl_->reach(event.at)) return;
    impl_->picture.notes.push_back(
        {event.at, fmt::format("forgotten: {} {}, scheduled by word {}", isa::to_string(event.unit),
                               impl_->text_of(event.insn), event.word)});
}

void svg_schedule::diagnosed(const diagnostic& what) {
    if (!impl_->reach(what.at)) return;
    impl_->picture.notes.push_back(
        {what.at, fmt::format("{}: {}\n{}", to_string(what.level), describe(what.id).name, what.message)});
}

void svg_schedule::summarise(const std::string& text) { impl_->picture.summary = text; }

void svg_schedule::print(std::ostream& out) {
    svg_picture& picture = impl_->picture;
    impl_->note_second_reads(cycle_window::no_limit);
    impl_->values.rest([this](unsigned, implementation::value& v) { impl_->keep(v); });
    const auto reaches_picture = [&](const svg_picture::life& life) {
        return life.last() >= picture.first && life.visible_from <= picture.last;
    };
    picture.lives.erase(std::partition(picture.lives.begin(), picture.lives.end(), reaches_picture),
                        picture.lives.end());
    std::sort(picture.lives.begin(), picture.lives.end(), [](const auto& a, const auto& b) {
        return std::tuple(a.index, a.visible_from.count(), a.writer) <
               std::tuple(b.index, b.visible_from.count(), b.writer);
    });
    picture.subtitle = fmt::format("{}, cycles {} to {}", long_name(impl_->options.words.arch),
                                   picture.first.count(), picture.last.count());
    draw(picture, out);
}

} // namespace sfpu::views
