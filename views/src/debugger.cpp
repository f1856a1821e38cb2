#include <sfpu/common/shown_name.h>
#include <sfpu/views/debugger.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace sfpu::views {
namespace debugger_text { // the names of analysis::debug stay in here
namespace {

using namespace analysis::debug;

std::string hex_text(std::uint32_t bits) { return fmt::format("{:08x}", bits); }

/// The first lanes of a register, for one line.
std::string first_lanes(const lanes& value) {
    std::string text;
    for (unsigned lane = 0; lane < 4; ++lane) text += (lane ? " " : "") + hex_text(value.v[lane]);
    const bool uniform =
        std::all_of(std::begin(value.v), std::end(value.v), [&](std::uint32_t v) { return v == value.v[0]; });
    return uniform ? hex_text(value.v[0]) + " in all lanes" : text + " ...";
}

/// A register has the plain bits of a number, Dst keeps them in another order.
std::string register_text(isa::data_type type, std::uint32_t bits) {
    const bool negative = type == isa::data_type::sm32 && (bits >> 31) != 0;
    const std::uint32_t value = negative ? 0u - (bits & 0x7fffffffu) : bits;
    return isa::text_of_cell(type, isa::cell_of_value(type, value).value_or(0));
}

std::string lane_text(const target& what, std::uint32_t bits) {
    if (what.what == target::kind::flags) return bits ? "1" : "0";
    if (what.type && what.what == target::kind::lreg) return register_text(*what.type, bits);
    if (what.type) return isa::text_of_cell(*what.type, bits);
    return fmt::format("{:0{}x}", bits, what.bits() / 4);
}

/// The lanes of a value in columns, with the numbers of the first in each line.
std::string lane_lines(const value_answer& value) {
    const target& what = value.what;
    std::vector<std::string> texts;
    std::size_t width = 0;
    for (const std::uint32_t bits : value.bits) {
        texts.push_back(lane_text(what, bits));
        width = std::max(width, texts.back().size());
    }
    const unsigned in_line = width > 10 ? 4 : 8;
    std::string text;
    std::size_t at = 0;
    for (std::size_t row = 0; row < what.rows(); ++row)
        for (unsigned lane = what.first_lane; lane < what.end_lane; lane += in_line) {
            text += what.is_tensor ? fmt::format("  row {:<4} lane {:>2}:", what.first_row + row, lane)
                                   : fmt::format("  lane {:>2}:", lane);
            for (unsigned i = lane; i < std::min(lane + in_line, what.end_lane); ++i)
                text += fmt::format("  {:>{}}", texts[at++], width);
            text += '\n';
        }
    return text;
}

/// `cycle`: the one that is looked at; a result that is due later is said to be.
std::string instruction_line(const executed_instruction& one, std::int64_t cycle) {
    std::string text =
        fmt::format("  {:<9} {}{}", isa::to_string(one.unit), one.scheduled ? "*" : "", one.text);
    if (one.discarded) text += ", discarded";
    if (one.dst_address)
        text += fmt::format(", {} Dst 0x{:x}", one.unit == isa::sub_unit::store ? "to" : "from",
                            *one.dst_address);
    if (one.takes_effect && one.lanes != all_lanes && one.unit != isa::sub_unit::front_end)
        text += fmt::format(", lanes {:08x}", one.lanes);
    if (one.takes_effect && one.end > cycle) text += fmt::format(", due at the end of cycle {}", one.end);
    return text + fmt::format("   ({}{})\n", one.scheduled ? "by " : "", one.location);
}

std::string events_of(const cycle_answer& answer) {
    std::string text;
    for (const held_word& held : answer.held)
        text += fmt::format("  held      by {}   ({})\n", probe::to_string(held.cause), held.location);
    for (const executed_instruction& one : answer.executed) text += instruction_line(one, answer.cycle);
    for (const forgotten_instruction& each : answer.forgotten)
        text += fmt::format("  forgotten {} on {}   (by {})\n", each.mnemonic, isa::to_string(each.unit),
                            each.location);
    for (const auto& [lreg, value] : answer.lregs)
        text += fmt::format("  now       L{} = {}\n", lreg, first_lanes(value));
    if (answer.flags)
        text += fmt::format("  now       flags = {:08x}, in use in {:08x}\n", answer.flags->first,
                            answer.flags->second);
    for (const placed_diagnostic& each : answer.diagnostics)
        text += fmt::format("  {:<9} {}: {}   ({})\n", to_string(each.level), describe(each.id).name,
                            each.message, each.location);
    return text.empty() ? "  nothing happens\n" : text;
}

std::string text_of(std::monostate) { return ""; }

std::string text_of(const cycle_answer& answer) {
    if (answer.cycle < 0) return "before cycle 0\n";
    const std::string row = answer.row ? fmt::format(", row {}", *answer.row) : "";
    return fmt::format("cycle {}{}\n", answer.cycle, row) + events_of(answer);
}

std::string text_of(const move_answer& answer) {
    using ending = move_answer::ending;
    std::string text;
    switch (answer.how) {
    case ending::arrived: break;
    case ending::is_first: return "this is the start: nothing has happened yet\n";
    case ending::is_last: return fmt::format("cycle {} is the last one\n", answer.last);
    case ending::not_found:
        return fmt::format("{}: not found from cycle {} to {}\n", answer.sought, answer.from, answer.last);
    case ending::no_diagnostic: return fmt::format("no diagnostic after cycle {}\n", answer.from);
    case ending::interrupted: text = "interrupted: still there\n"; break;
    case ending::unchanged: text = "nothing watched changes any more\n"; break;
    }
    text += text_of(*answer.place);
    for (const value_answer& each : answer.changed)
        text += fmt::format("changed: {}\n", each.typed) + lane_lines(each);
    return text;
}

std::string text_of(const value_answer& answer) {
    const std::string when = answer.cycle < 0 ? std::string("before the first cycle")
                                              : fmt::format("at the end of cycle {}", answer.cycle);
    const target& what = answer.what;
    return fmt::format("{}{}, {}\n", what.name,
                       what.type ? fmt::format(" ({})", isa::to_string(*what.type)) : "", when) +
           lane_lines(answer);
}

std::string text_of(const watch_answer& answer) { return fmt::format("watching {}\n", answer.what); }

std::string text_of(const watches_answer& answer) {
    std::string text;
    for (const value_answer& each : answer.all) text += each.typed + "\n" + lane_lines(each);
    return text.empty() ? "nothing is watched\n" : text;
}

std::string text_of(const writer_answer& answer) {
    const target& what = answer.value.what;
    const std::string row = what.is_tensor ? fmt::format("[{}]", what.first_row) : "";
    const std::string value =
        fmt::format("{}{}[{}] = {}", what.name, row, what.first_lane, lane_text(what, answer.value.bits[0]));
    if (!answer.writer) return fmt::format("{} since the start: nobody has written it\n", value);
    const auto& writer = *answer.writer;
    return fmt::format("{}, written in cycle {}{}, visible from cycle {}, by\n", value, writer.by.begin,
                       writer.row ? fmt::format(" for row {}", *writer.row) : "", writer.visible) +
           instruction_line(writer.by, writer.visible);
}

std::string text_of(const flag_answer& answer) {
    if (!answer.changed)
        return fmt::format("the flag of lane {} has its value from the start\n", answer.lane);
    std::string text =
        fmt::format("the flag of lane {} changed at the end of cycle {}, in which there were\n", answer.lane,
                    *answer.changed);
    for (const executed_instruction& one : answer.candidates) text += instruction_line(one, *answer.changed);
    return text;
}

std::string text_of(const source_answer& answer) {
    if (answer.lines.empty())
        return fmt::format("{} has {} lines\n", shown_name(answer.file), answer.lines_in_file);
    std::string text;
    std::int64_t number = answer.first;
    for (const std::string& line : answer.lines) {
        text += fmt::format("{} {:>4}  {}\n", number == answer.marked ? '>' : ' ', number, line);
        ++number;
    }
    return text;
}

std::string text_of(const diagnostics_answer& answer) {
    if (answer.count == 0) return "none\n";
    std::string text;
    for (const placed_diagnostic& each : answer.first)
        text += fmt::format("cycle {}: {}: {}: {}: {}\n", each.cycle, each.location, to_string(each.level),
                            describe(each.id).name, each.message);
    if (answer.count > answer.first.size()) text += fmt::format("... {} in all\n", answer.count);
    return text;
}

std::string text_of(const help_answer& answer) {
    if (!answer.of) return debugger_help();
    const command_form& form = *answer.of;
    std::string text = fmt::format("{} {}\n  {}\n", form.name, form.arguments, form.text);
    if (form.arguments[0] == 'W' || form.arguments[1] == 'W') text += fmt::format("WHAT: {}\n", target_forms);
    return text;
}

} // namespace
} // namespace debugger_text

std::string to_text(const analysis::debug::any_answer& answer) {
    return std::visit([](const auto& of) { return debugger_text::text_of(of); }, answer);
}

std::string debugger_help() {
    using namespace analysis::debug;
    std::string text;
    for (const command_form& form : stepper::forms())
        text += fmt::format("  {:<24} {}\n", std::string(form.name) + " " + form.arguments, form.text);
    return text + fmt::format("\nWHAT: {}.\nTYPE: hex, hex16 or {}.\nAn empty line repeats the latest step, "
                              "back or run. The beginning of a command will do.\n",
                              target_forms, isa::data_type_names());
}

std::string debugger_greeting(const analysis::debug::debugger& of) {
    const std::uint64_t count = of.diagnostics(0).count;
    return fmt::format("{}: {} rows, cycles 0 to {}, {} {}; 'help' lists the commands\n",
                       of.kernel().kernel().file, of.kernel().rows(), of.last_cycle(), count,
                       count == 1 ? "diagnostic" : "diagnostics");
}

} // namespace sfpu::views
