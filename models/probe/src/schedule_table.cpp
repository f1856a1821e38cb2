#include <sfpu/probe/dependence_tracker.h>
#include <sfpu/probe/event_meaning.h>
#include <sfpu/probe/schedule_table.h>
#include <sfpu/probe/text_cache.h>
#include <sfpu/probe/trace_window.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <ostream>
#include <string_view>

namespace sfpu::probe {
namespace {

/// Units of a kind that the machine has.
unsigned units_of(const trace_options& options, isa::sub_unit kind) {
    switch (kind) {
    case isa::sub_unit::mad: return options.mad_units;
    case isa::sub_unit::load: return options.load_ports;
    case isa::sub_unit::store: return options.store_ports;
    default: return 1;
    }
}

constexpr const char* legend = "*: scheduled by SFPLOADMACRO   [n]: kernel row   |: second cycle of two   "
                               "~x~: discarded   .: idle   (stall: cause): issue held\n";

constexpr const char* narrow_legend =
    "*: scheduled by SFPLOADMACRO   [n]: kernel row   |: second cycle of two   ~x~: discarded\n"
    ".: idle   !: notes, (stall: cause) issue held   @: Dst address, hexadecimal   ..: cut\n";

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

/// Lines kept before some of them are handed on: more than events can lie apart.
constexpr std::size_t most_lines = 8192;

constexpr std::size_t narrow_cycle = 7;

using operand_list = std::vector<std::string>;

operand_list operands_of(const std::string& text) {
    operand_list operands;
    for (std::size_t begin = std::min(text.find(' '), text.size()) + 1; begin < text.size();) {
        const std::size_t end = std::min(text.find(", ", begin), text.size());
        operands.push_back(text.substr(begin, end - begin));
        begin = end + 2;
    }
    return operands;
}

/// Whether an operand is one of these registers.
bool names_one_of(isa::register_set registers, const std::string& operand) {
    if (operand[0] != 'L') return false;
    const unsigned long lreg = std::strtoul(operand.c_str() + 1, nullptr, 10);
    return lreg < isa::lreg_count && isa::contains(registers, static_cast<unsigned>(lreg));
}

/// "L4=L1,L2,L3" of a multiply-add; a product has no sum and a sum no factor of 1.
std::string compact_sum(const isa::instruction& insn, const operand_list& operands) {
    const std::string &a = operands[0], &b = operands[1], &c = operands[2], &destination = operands[3];
    const bool is_product = !insn.is(isa::opcode::sfpadd) && c == "L9";
    const bool is_sum = insn.is(isa::opcode::sfpadd) && a == "L10";
    return destination + "=" + (is_sum ? "" : a + ",") + b + (is_product ? "" : "," + c);
}

/// "L1=L0,L1" of what has a VC and a VD, and numbers or another register before them; "L0,LREG_LT0" of what
/// writes no register.
std::string compact_result(const isa::instruction& insn, const operand_list& operands) {
    const std::size_t last = operands.size() - 2;
    const std::string &source = operands[last - 1], &destination = operands[last],
                      &modifier = operands[last + 1];
    if (names_one_of(insn.use.writes, source) && source != destination) return source + "," + destination;
    operand_list from;
    if (names_one_of(insn.use.reads, source)) from.push_back(source);
    const bool writes = names_one_of(insn.use.writes, destination);
    if (names_one_of(insn.use.reads, destination) && destination != source) from.push_back(destination);
    for (std::size_t i = 0; i + 1 < last; ++i)
        if (operands[i] != "0" && (operands[i][0] != 'L' || names_one_of(insn.use.reads, operands[i])))
            from.push_back(operands[i]);
    if (!writes && modifier != "0") from.push_back(modifier);
    return fmt::format("{}{}", writes ? destination + "=" : "", fmt::join(from, ","));
}

/// "sfpload L0, FP32, ADDR_MOD_7, 64" becomes "load L0 @40", "sfpmad L1, L2, L3, L4, 0" becomes "mad
/// L4=L1,L2,L3", "sfpiadd 0, L0, L1, CC_NONE" becomes "iadd L1=L0,L1".
std::string compact(const isa::instruction& insn, const std::string& text) {
    const std::size_t prefix = text.compare(0, 3, "sfp") == 0 ? 3 : 0;
    const std::string name = text.substr(prefix, std::min(text.find(' '), text.size()) - prefix);
    const operand_list operands = operands_of(text);
    const auto address = [&] {
        return fmt::format("@{:x}", std::strtoul(operands.back().c_str(), nullptr, 0));
    };
    if (insn.is(isa::opcode::sfploadmacro) && operands.size() > 2)
        return "macro" + operands[0] + " " + operands[1] + " " + address();
    if (insn.is(isa::opcode::sfpload) ||
        insn.is(isa::opcode::sfpstore)) // a scheduled store has no address of its own
        return operands.size() > 2 ? name + " " + operands[0] + " " + address() : name + " " + operands[0];
    std::string rest;
    if (insn.is(isa::opcode::sfploadi)) rest = operands[0] + "=" + operands.back();
    else if (operands.size() == 5 && insn.unit == isa::sub_unit::mad) rest = compact_sum(insn, operands);
    else if (operands.size() > 2 && names_one_of(~isa::register_set{0}, operands[operands.size() - 3]))
        rest = compact_result(insn, operands);
    else rest = fmt::format("{}", fmt::join(operands, ","));
    return rest.empty() ? name : name + " " + rest;
}

namespace colour {
constexpr const char* scheduled = "\x1b[36m";
constexpr const char* discarded = "\x1b[31m";
constexpr const char* idle = "\x1b[2m";
constexpr const char* note = "\x1b[33m";
constexpr const char* off = "\x1b[0m";
} // namespace colour

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

    implementation(const trace_options& o, const table_style& s)
        : options(o), style(s), window(o), texts(o.words, s.columns ? compact : nullptr) {}

    trace_options options;
    table_style style;
    cycle_window window;
    text_cache texts;
    std::array<std::size_t, pipeline_columns.size()> widths{};
    std::size_t cycle_width = 0;
    bool has_header = false, shows_threads = false;
    cycles first{};          ///< cycle of lines[0]
    std::vector<line> lines; ///< no gaps

    /// The line of a cycle, made if necessary; null outside the window.
    line* at(cycles cycle) {
        if (!window.contains(cycle)) return nullptr;
        if (lines.empty() && !has_header) first = cycle;
        if (has_header && cycle < first) return nullptr; // it has been printed
        if (style.out && lines.size() >= most_lines) print_lines(*style.out, most_lines / 2);
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
        if (who.row >= 0) result += fmt::format("[{}]", row_label(options, who.row));
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

    void widen(std::size_t count);
    void print_header(std::ostream& out);
    void print_lines(std::ostream& out, std::size_t count);
    void print_line(std::ostream& out, const line& l, std::int64_t cycle) const;
    const char* colour_of(const cell& what) const;
    std::string fitting(std::string text, std::size_t width) const;
};

/// Columns as wide as the first lines need, unless a line has a width.
void schedule_table::implementation::widen(std::size_t count) {
    if (style.columns != 0) {
        cycle_width = narrow_cycle;
        widths.fill((style.columns - narrow_cycle) / widths.size() - 2);
        return;
    }
    const std::int64_t last = first.count() + static_cast<std::int64_t>(count) - 1;
    cycle_width = std::max({cycle_width, std::string_view("cycle").size(), fmt::format("{}", last).size()});
    for (std::size_t column = 0; column < widths.size(); ++column) {
        const unit_column& unit = pipeline_columns[column];
        widths[column] = std::max(widths[column], std::string_view(unit.title).size());
        for (std::size_t i = 0; i < count; ++i)
            widths[column] =
                std::max(widths[column], render(lines[i].cells[static_cast<unsigned>(unit.unit)]).size());
    }
}

void schedule_table::implementation::print_header(std::ostream& out) {
    const bool has_notes = style.columns == 0 && std::any_of(lines.begin(), lines.end(),
                                                             [](const line& l) { return !l.notes.empty(); });
    std::string text = fmt::format("{:>{}}", "cycle", cycle_width);
    for (std::size_t column = 0; column < widths.size(); ++column)
        print_padded(text, pipeline_columns[column].title, widths[column]);
    if (has_notes) text += "  Notes";
    end_line(out, text);
    has_header = true;
}

/// What does not fit ends in two dots.
std::string schedule_table::implementation::fitting(std::string text, std::size_t width) const {
    if (style.columns == 0 || text.size() <= width) return text;
    const std::size_t bracket = text.find('['); // the row is worth more than the last operand
    const std::string row = bracket == std::string::npos ? "" : text.substr(bracket);
    if (row.size() + 4 > width) return text.substr(0, width - 2) + "..";
    return text.substr(0, width - 2 - row.size()) + ".." + row;
}

const char* schedule_table::implementation::colour_of(const cell& what) const {
    if (what.discarded.text != nothing) return colour::discarded;
    if (what.executing.text == nothing) return colour::idle;
    return what.executing.scheduled ? colour::scheduled : "";
}

void schedule_table::implementation::print_line(std::ostream& out, const line& l, std::int64_t cycle) const {
    std::string text = fmt::format("{:>{}}", cycle, cycle_width);
    for (std::size_t column = 0; column < widths.size(); ++column) {
        const cell& c = l.cells[static_cast<unsigned>(pipeline_columns[column].unit)];
        const std::string cell_text = fitting(render(c), widths[column]);
        const char* const begin = style.colours ? colour_of(c) : "";
        text += fmt::format("  {}{}{}", begin, cell_text, *begin ? colour::off : "");
        if (cell_text.size() < widths[column]) text.append(widths[column] - cell_text.size(), ' ');
    }
    const char* const before = style.colours ? colour::note : "";
    const char* const after = style.colours ? colour::off : "";
    if (l.notes.empty() || style.columns != 0) end_line(out, text);
    else end_line(out, text += fmt::format("  {}{}{}", before, l.notes, after));
    if (style.columns == 0) return;
    const std::size_t width = style.columns - cycle_width - 4;
    for (std::size_t begin = 0; begin < l.notes.size(); begin += width)
        out << fmt::format("{:>{}}  {}! {}{}\n", "", cycle_width, before, l.notes.substr(begin, width),
                           after);
}

void schedule_table::implementation::print_lines(std::ostream& out, std::size_t count) {
    widen(count);
    if (!has_header) print_header(out);
    std::int64_t cycle = first.count();
    for (std::size_t i = 0; i < count; ++i) {
        print_line(out, lines[i], cycle++);
        for (const cell& c : lines[i].cells)
            for (const occupant* who : {&c.executing, &c.second, &c.discarded})
                shows_threads = shows_threads || (who->text != nothing && shows_thread(options, who->thread));
    }
    lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(count));
    first = cycles{cycle};
}

schedule_table::schedule_table(const trace_options& options, const table_style& style)
    : impl_(std::make_unique<implementation>(options, style)) {}
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

void schedule_table::print(std::ostream& out) {
    impl_->print_lines(out, impl_->lines.size());
    if (impl_->style.columns == 0) out << legend;
    else out << narrow_legend;
    if (impl_->shows_threads) out << thread_legend;
}

} // namespace sfpu::probe
