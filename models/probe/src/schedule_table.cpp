#include <sfpu/probe/schedule_table.h>

#include "trace_support.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ostream>

namespace sfpu::probe {
namespace {

constexpr const char* legend = "*: scheduled by SFPLOADMACRO   [n]: kernel row   |: second cycle of two   "
                               "~x~: discarded   .: idle   (stall: cause): issue held\n";

constexpr const char* thread_legend = "{n}: thread n\n";

/// Appends `text` to the notes of a cycle.
void append(std::string& notes, const std::string& text) {
    if (!notes.empty()) notes += ", ";
    notes += text;
}

/// Pads a cell; the last column of a line is not padded.
void print_padded(std::string& out, const std::string& cell, std::size_t width) {
    out += "  ";
    out += cell;
    if (cell.size() < width) out.append(width - cell.size(), ' ');
}

void end_line(std::ostream& out, std::string& text) {
    text.erase(text.find_last_not_of(' ') + 1);
    out << text << '\n';
    text.clear();
}

} // namespace

struct schedule_table::implementation {
    static constexpr std::uint32_t nothing = ~0u;

    /// An instruction in a cell; `text` names an entry of the text cache.
    struct occupant {
        std::uint32_t text = nothing;
        std::int32_t row = -1;
        bool scheduled = false;
        std::uint8_t thread = 0;
    };
    struct cell {
        occupant executing, second, discarded; ///< the second of a machine with two such units
        bool held = false;                     ///< by an instruction that started in an earlier cycle
    };
    struct line {
        std::array<cell, pipeline_columns.size()> cells; ///< by isa::sub_unit
        std::string notes;
    };

    explicit implementation(const trace_options& o) : options(o), window(o), texts(o.words) {}

    trace_options options;
    cycle_window window;
    text_cache texts;
    cycles first{};          ///< cycle of lines[0]
    std::vector<line> lines; ///< no gaps

    /// The line of a cycle, made if necessary; null outside the window.
    line* at(cycles cycle) {
        if (!window.contains(cycle)) return nullptr;
        if (lines.empty()) first = cycle;
        if (cycle < first) {
            lines.insert(lines.begin(), static_cast<std::size_t>((first - cycle).count()), line{});
            first = cycle;
        }
        const auto index = static_cast<std::size_t>((cycle - first).count());
        if (index >= lines.size()) lines.resize(index + 1);
        return &lines[index];
    }

    void note(cycles cycle, const std::string& text) {
        if (line* target = at(cycle)) append(target->notes, text);
    }

    occupant occupant_of(const execution_event& event) {
        return {texts.index(event.insn), static_cast<std::int32_t>(row_of(options, event.word)),
                event.from == origin::macro, event.thread};
    }

    std::string render(const occupant& who) const {
        std::string result = (who.scheduled ? "*" : "") + texts[who.text];
        if (who.row >= 0) result += fmt::format("[{}]", who.row);
        if (shows_thread(options, who.thread)) result += fmt::format("{{{}}}", who.thread);
        return result;
    }
    std::string render(const cell& what) const {
        std::string result = what.held ? "|" : "";
        const auto add = [&result](const std::string& part) { result += (result.empty() ? "" : " ") + part; };
        if (what.executing.text != nothing) add(render(what.executing));
        if (what.second.text != nothing) add("+ " + render(what.second));
        if (what.discarded.text != nothing) add('~' + render(what.discarded) + '~');
        return result.empty() ? "." : result;
    }

    void print(std::ostream& out) const;
};

void schedule_table::implementation::print(std::ostream& out) const {
    const std::string last_cycle =
        fmt::format("{}", first.count() + static_cast<std::int64_t>(lines.size()) - 1);
    const std::size_t cycle_width = std::max(std::string("cycle").size(), last_cycle.size());
    std::array<std::size_t, pipeline_columns.size()> widths{};
    bool has_notes = false;
    for (std::size_t column = 0; column < widths.size(); ++column)
        widths[column] = std::string(pipeline_columns[column].title).size();
    for (const line& l : lines) {
        for (std::size_t column = 0; column < widths.size(); ++column) {
            const cell& c = l.cells[static_cast<unsigned>(pipeline_columns[column].unit)];
            widths[column] = std::max(widths[column], render(c).size());
        }
        has_notes = has_notes || !l.notes.empty();
    }

    std::string text = fmt::format("{:>{}}", "cycle", cycle_width);
    for (std::size_t column = 0; column < widths.size(); ++column)
        print_padded(text, pipeline_columns[column].title, widths[column]);
    if (has_notes) text += "  Notes";
    end_line(out, text);

    bool shows_threads = false;
    std::int64_t cycle = first.count();
    for (const line& l : lines) {
        text = fmt::format("{:>{}}", cycle++, cycle_width);
        for (std::size_t column = 0; column < widths.size(); ++column) {
            const cell& c = l.cells[static_cast<unsigned>(pipeline_columns[column].unit)];
            print_padded(text, render(c), widths[column]);
            for (const occupant* who : {&c.executing, &c.second, &c.discarded})
                shows_threads = shows_threads || (who->text != nothing && shows_thread(options, who->thread));
        }
        if (!l.notes.empty()) text += "  " + l.notes;
        end_line(out, text);
    }
    out << legend;
    if (shows_threads) out << thread_legend;
}

schedule_table::schedule_table(const trace_options& options)
    : impl_(std::make_unique<implementation>(options)) {}
schedule_table::~schedule_table() = default;

void schedule_table::executed(const execution_event& event) {
    if (event.unit == isa::sub_unit::front_end) {
        if (impl_->window.contains(event.begin))
            impl_->note(event.begin, "issue: " + impl_->render(impl_->occupant_of(event)));
        return;
    }
    const auto unit = static_cast<unsigned>(event.unit);
    if (auto* line = impl_->at(event.begin)) {
        auto& cell = line->cells[unit];
        const bool is_second =
            cell.executing.text != implementation::nothing && units_of(impl_->options, event.unit) > 1;
        auto& place = event.discarded ? cell.discarded : is_second ? cell.second : cell.executing;
        place = impl_->occupant_of(event);
    }
    if (event.discarded || !holds_unit(event.insn)) return;
    for (cycles cycle = event.begin + one_cycle; cycle <= event.end; ++cycle)
        if (auto* line = impl_->at(cycle)) line->cells[unit].held = true;
}

void schedule_table::stalled(const stall_event& event) {
    impl_->note(event.at, fmt::format("(stall: {})", to_string(event.cause)));
}

void schedule_table::forgotten(const forgotten_event& event) {
    if (!impl_->window.contains(event.at)) return;
    const std::string& text = impl_->texts[impl_->texts.index(event.insn)];
    impl_->note(event.at, fmt::format("forgotten: {} {}", isa::to_string(event.unit), text));
}

void schedule_table::diagnosed(const diagnostic& what) {
    impl_->note(what.at, fmt::format("{}: {}", to_string(what.level), describe(what.id).name));
}

void schedule_table::print(std::ostream& out) const { impl_->print(out); }

} // namespace sfpu::probe
