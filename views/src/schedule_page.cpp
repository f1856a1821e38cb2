#include <sfpu/views/schedule_page.h>

#include "schedule_lines.h"
#include "schedule_page_parts.h"

#include <sfpu/views/instruction_profile.h>

#include <sfpu/analysis/word_places.h>
#include <sfpu/isa/data_type.h>
#include <sfpu/isa/disassembler.h>
#include <sfpu/probe/dependence_tracker.h>
#include <sfpu/probe/event_meaning.h>
#include <sfpu/probe/trace_window.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <ostream>
#include <string_view>
#include <utility>
#include <vector>

namespace sfpu::views {
namespace {

using json = nlohmann::ordered_json;

/// As page.js numbers them.
enum class shown_kind : unsigned { issued, scheduled, discarded, held, diagnostic, forgotten };
constexpr unsigned issue_lane = 0;

unsigned lane_of(isa::sub_unit unit) {
    switch (unit) {
    case isa::sub_unit::load: return 1;
    case isa::sub_unit::simple: return 2;
    case isa::sub_unit::mad: return 3;
    case isa::sub_unit::round: return 4;
    case isa::sub_unit::store: return 5;
    case isa::sub_unit::front_end: break;
    }
    return issue_lane;
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
        text.replace(at, what.size(), by);
}

/// Nothing if all words come from elsewhere: then their lines are not those of this text.
json source_lines(std::string_view source, const analysis::instruction_profile& profile) {
    const bool has_own = std::any_of(profile.words.begin(), profile.words.end(),
                                     [](const analysis::word_facts& word) { return !word.has_origin; });
    json lines = json::array();
    while (has_own && !source.empty()) {
        const std::size_t end = std::min(source.find('\n'), source.size());
        lines.push_back(source.substr(0, end));
        source.remove_prefix(std::min(end + 1, source.size()));
    }
    return lines;
}

/// "L0 L3"; many are shortened to "L0..L7".
std::string register_names(probe::register_set registers) {
    constexpr std::size_t most_listed = 3;
    std::vector<std::string> names;
    for (unsigned index = 0; index < probe::tracked_registers; ++index)
        if (registers >> index & 1) names.push_back(fmt::format("L{}", probe::lreg_of(index)));
    if (names.size() > most_listed) return names.front() + ".." + names.back();
    return fmt::format("{}", fmt::join(names, " "));
}

} // namespace

/// The data are lines, which page.js reads:
///
///     BEGIN,SHAPE,WORD,ROW   an event; all but the shape as differences to the event before
///     LREGISTER,WRITER,READ  a value that has ended: its writer and reads as differences to the number of
///                            events so far, a read twice that, and one more if it is of the second cycle
///     lREGISTER,WRITER,READ  the first reads of one that has not
///     *DISTANCE,COUNT        lines like earlier ones
///     =BASE64                values of lane 0: of events that have them, in their order
///
/// A shape is what events have in common: sub-unit, text, kind, length, latency, source line and registers.
struct schedule_page::implementation {
    /// A value in a register, as the tracker keeps it.
    struct value {
        std::int64_t writer = -1;
        std::vector<std::int64_t> reads; ///< twice the event's number, and one more in its second cycle
    };
    struct second_read {
        probe::register_set registers;
        cycles at;
        std::int64_t event;
    };
    struct sample {
        std::optional<std::uint32_t> cell, result;
    };

    std::ostream& out;
    const analysis::kernel_run& kernel;
    probe::trace_options options;
    repeating_lines lines;
    packed_numbers numbers_of_lane;
    std::map<std::string, unsigned> shape_numbers;
    std::vector<std::string> shapes;
    std::map<std::string, unsigned> numbers; ///< of the texts
    std::vector<std::string> texts;
    probe::value_tracker<value> values;
    probe::macro_tracker<unsigned> macro_addresses;
    std::vector<second_read> second_reads;
    std::int64_t events = 0, before_begin = 0, before_word = 0, before_row = 0;
    std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = -1;

    implementation(std::ostream& o, const analysis::kernel_run& k, const probe::trace_options& shown)
        : out(o), kernel(k), options(shown), lines(o), numbers_of_lane(o) {}

    bool shows(cycles at) const {
        return (!options.from || *options.from <= at) && (!options.to || at <= *options.to);
    }
    unsigned number_of(const std::string& text) {
        const auto [known, is_new] = numbers.try_emplace(text, static_cast<unsigned>(texts.size()));
        if (is_new) texts.push_back(text);
        return known->second;
    }
    /// `more`: further fields of the shape.
    void write(cycles begin, std::int64_t length, unsigned lane, const std::string& text, shown_kind what,
               std::int64_t word, const std::string& more = "") {
        first = std::min(first, begin.count());
        last = std::max(last, begin.count() + length - 1);
        const std::string shape = fmt::format("[{},{},{},{},{}{}]", lane, number_of(text),
                                              static_cast<unsigned>(what), length, kernel.line(word), more);
        const auto [known, is_new] = shape_numbers.try_emplace(shape, static_cast<unsigned>(shapes.size()));
        if (is_new) shapes.push_back(shape);
        const std::int64_t row = kernel.row_of_word(word);
        lines.add(fmt::format("{},{},{},{}", begin.count() - before_begin, known->second, word - before_word,
                              row - before_row));
        before_begin = begin.count();
        before_word = word;
        before_row = row;
        ++events;
    }
    void write_life(unsigned index, const value& v, bool ends) {
        std::string line = fmt::format("{}{},{}", ends ? 'L' : 'l', probe::lreg_of(index), events - v.writer);
        for (const std::int64_t read : v.reads) line += fmt::format(",{}", 2 * events - read);
        lines.add(std::move(line));
    }
    static sample sample_of(const probe::execution_event& event);
    int tensor_of(const probe::execution_event& event) const;
    std::string fields_of(const probe::execution_event& event, const probe::register_access& access,
                          const sample& lane);
    void note_reads(probe::register_set reads, cycles at, std::int64_t read);
    void note_second_reads(cycles at);
    void note_writes(const probe::execution_event& event, probe::register_set writes, std::int64_t number);
};

/// What lane 0 gets, and where it goes; nothing if it is disabled.
schedule_page::implementation::sample
schedule_page::implementation::sample_of(const probe::execution_event& event) {
    sample found;
    if (!(event.lanes & 1u)) return found;
    if (event.cells && event.takes_effect) found.cell = event.cells->v[0];
    if (event.result && event.insn.use.results() != 0) found.result = event.result->v[0];
    return found;
}

/// The .input or .output at the address that the word has; -1 if none is there. Inputs come first.
int schedule_page::implementation::tensor_of(const probe::execution_event& event) const {
    const bool stores = probe::writes_dst(event);
    if (!stores && !probe::reads_dst(event)) return -1;
    unsigned address = event.insn.imm10;
    if (event.from == probe::origin::macro) {
        const unsigned* const launched = macro_addresses.find(event.word);
        if (!launched) return -1;
        address = *launched;
    }
    const auto& inputs = kernel.kernel().inputs;
    const auto& tensors = stores ? kernel.kernel().outputs : inputs;
    for (std::size_t i = 0; i < tensors.size(); ++i)
        if ((tensors[i].address & ~1u) == (address & ~1u))
            return static_cast<int>(i + (stores ? inputs.size() : 0));
    return -1;
}

/// Latency, sources, destination, whether there is a cell (1 read, 2 written), the register whose result is
/// known or -1, and the tensor.
std::string schedule_page::implementation::fields_of(const probe::execution_event& event,
                                                     const probe::register_access& access,
                                                     const sample& lane) {
    return fmt::format(",{},\"{}\",\"{}\",{},{},{}", (event.end - event.begin + one_cycle).count(),
                       register_names(access.reads), register_names(access.writes),
                       lane.cell ? (probe::writes_dst(event) ? 2 : 1) : 0,
                       lane.result ? __builtin_ctz(event.insn.use.results()) : -1, tensor_of(event));
}

void schedule_page::implementation::note_reads(probe::register_set reads, cycles at, std::int64_t read) {
    constexpr std::size_t most_reads = 64; // of a constant of the whole run
    values.read(reads, at, [&](unsigned index, value& v) {
        if (v.writer < 0) return;
        v.reads.push_back(read);
        if (v.reads.size() < most_reads) return;
        write_life(index, v, false);
        v.reads.clear();
    });
}

/// SFPSWAP reads again in its second cycle, by when other values may have arrived (T8).
void schedule_page::implementation::note_second_reads(cycles at) {
    for (const second_read& second : second_reads)
        if (second.at <= at) note_reads(second.registers, second.at, 2 * second.event + 1);
    const auto is_done = [at](const second_read& second) { return second.at <= at; };
    second_reads.erase(std::remove_if(second_reads.begin(), second_reads.end(), is_done), second_reads.end());
}

void schedule_page::implementation::note_writes(const probe::execution_event& event,
                                                probe::register_set writes, std::int64_t number) {
    if (!writes) return;
    values.write(writes, event, value{number, {}}, [this](unsigned index, value& gone) {
        if (gone.writer >= 0) write_life(index, gone, true);
    });
}

schedule_page::schedule_page(std::ostream& out, const analysis::kernel_run& kernel,
                             const probe::trace_options& options, const std::string& title)
    : impl_(new implementation(out, kernel, options)) {
    std::string head = schedule_page_parts::html;
    replace_all(head, "{{style}}", schedule_page_parts::style);
    replace_all(head, "{{title}}", markup_text(title));
    out << head << "<script type=\"text/plain\" id=\"data\">\n";
}
schedule_page::~schedule_page() = default;

void schedule_page::executed(const probe::execution_event& event) {
    implementation& page = *impl_;
    const probe::register_access access = probe::registers_of(event);
    page.note_second_reads(event.begin);
    const bool shown = page.shows(event.begin);
    const std::int64_t number = shown ? page.events : -1;
    if (shown) {
        const bool scheduled = event.from == probe::origin::macro;
        const implementation::sample lane = implementation::sample_of(event);
        const shown_kind what = event.discarded ? shown_kind::discarded
                                : scheduled     ? shown_kind::scheduled
                                                : shown_kind::issued;
        const bool front_end = event.unit == isa::sub_unit::front_end;
        page.write(event.begin,
                   probe::holds_unit(event.insn) ? (event.end - event.begin + one_cycle).count() : 1,
                   front_end ? issue_lane : lane_of(event.unit), isa::text(event.insn, page.options.words),
                   what, event.word, page.fields_of(event, access, lane));
        if (lane.cell) {
            page.numbers_of_lane.add(probe::shown_dst_address(event));
            page.numbers_of_lane.add(*lane.cell);
        }
        if (lane.result) page.numbers_of_lane.add(*lane.result);
        page.note_reads(access.reads, event.begin, 2 * number);
        if (event.insn.latency == isa::latency_class::swap && access.reads && event.end > event.begin)
            page.second_reads.push_back({access.reads, event.end, number});
    }
    page.note_writes(event, access.writes, number);
    if (event.insn.is(isa::opcode::sfploadmacro) && !event.discarded)
        page.macro_addresses.launch(event.word, event.insn.imm10);
}

void schedule_page::stalled(const probe::stall_event& event) {
    if (impl_->shows(event.at))
        impl_->write(event.at, 1, issue_lane, fmt::format("held: {}", probe::to_string(event.cause)),
                     shown_kind::held, event.word);
}

void schedule_page::forgotten(const probe::forgotten_event& event) {
    if (impl_->shows(event.at))
        impl_->write(event.at, 1, lane_of(event.unit),
                     "forgotten: " + isa::text(event.insn, impl_->options.words), shown_kind::forgotten,
                     event.word);
}

void schedule_page::diagnosed(const diagnostic& what) {
    if (impl_->shows(what.at))
        impl_->write(what.at, 1, issue_lane,
                     fmt::format("{}: {}: {}", to_string(what.level), describe(what.id).name,
                                 impl_->kernel.message(what)),
                     shown_kind::diagnostic, analysis::word_of(what));
}

void schedule_page::finish(const std::string& summary, cycles steady, const std::string& source,
                           const analysis::instruction_profile& profile) {
    const bool any = impl_->events != 0;
    impl_->note_second_reads(probe::cycle_window::no_limit);
    impl_->values.rest([this](unsigned index, const implementation::value& v) {
        if (v.writer >= 0) impl_->write_life(index, v, true);
    });
    impl_->lines.flush();
    impl_->numbers_of_lane.flush();
    json tensors = json::array();
    for (const auto* list : {&impl_->kernel.kernel().inputs, &impl_->kernel.kernel().outputs})
        for (const isa::tensor& each : *list) tensors.push_back({each.name, isa::to_string(each.type)});
    const json rest{{"texts", impl_->texts},
                    {"tensors", tensors},
                    {"first", any ? impl_->first : 0},
                    {"last", any ? impl_->last : 0},
                    {"steady", steady.count()},
                    {"rows_together", impl_->kernel.rows_together()},
                    {"summary", summary},
                    {"source", source_lines(source, profile)},
                    {"profile", json_of(profile)}};
    impl_->out << "</script>\n<script type=\"application/json\" id=\"shapes\">["
               << inside_script(fmt::format("{}", fmt::join(impl_->shapes, ",")), "\\u003c")
               << "]</script>\n<script type=\"application/json\" id=\"texts\">"
               << inside_script(rest.dump(-1, ' ', false, json::error_handler_t::replace), "\\u003c")
               << "</script>\n<script>" << schedule_page_parts::script << "</script>\n</body>\n</html>\n";
}

} // namespace sfpu::views
