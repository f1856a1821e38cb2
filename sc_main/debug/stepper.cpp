#include "stepper.h"

#include "interrupts.h"
#include "program.h"

#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/machine.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace sfpu::cli::debug {
namespace {

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// The first word and what follows it.
std::pair<std::string, std::string> cut(const std::string& text) {
    const std::string line = trimmed(text);
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    return {line.substr(0, end), trimmed(line.substr(end))};
}

std::int64_t number_of(const std::string& text, const char* what) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || value < 0)
        throw user_error(fmt::format("found '{}', expected {}, a number from 0 on", text, what));
    return value;
}

std::int64_t count_of(const std::string& text) {
    return text.empty() ? 1 : number_of(text, "how many cycles");
}

void nothing_after(const std::string& rest, const char* command) {
    if (!rest.empty())
        throw user_error(fmt::format("found '{}' after '{}', expected nothing", rest, command));
}

std::string hex(std::uint32_t bits) { return fmt::format("{:08x}", bits); }

/// The first lanes of a register, for one line.
std::string beginning(const lanes& value) {
    std::string text;
    for (unsigned lane = 0; lane < 4; ++lane) text += (lane ? " " : "") + hex(value.v[lane]);
    const bool uniform =
        std::all_of(std::begin(value.v), std::end(value.v), [&](std::uint32_t v) { return v == value.v[0]; });
    return uniform ? hex(value.v[0]) + " in all lanes" : text + " ...";
}

/// A register has the plain bits of a number, Dst keeps them in another order.
std::string register_text(isa::data_type type, std::uint32_t bits) {
    const bool negative = type == isa::data_type::sm32 && (bits >> 31) != 0;
    const std::uint32_t value = negative ? 0u - (bits & 0x7fffffffu) : bits;
    return isa::text_of_cell(type, isa::cell_of_value(type, value).value_or(0));
}

constexpr const char* targets_text = "L3, L3[5], L3[0:8], flags, dst 0x40[0:4], or the name of an .input or "
                                     ".output with rows and lanes: y[2, 0:4]";

} // namespace

// --- the language --------------------------------------------------------------------------------------------------

const std::vector<stepper::command_form>& stepper::forms() {
    static const std::vector<command_form> all{
        {"step", "[N]", "go on by N cycles (1) and say what the last of them did", &stepper::step},
        {"back", "[N]", "go back by N cycles (1)", &stepper::back},
        {"run", "[PLACE]",
         "go on to the next change of what is watched, else to the end; PLACE: cycle N, row N, line N, "
         "hazard, "
         "start or end",
         &stepper::run},
        {"print", "WHAT [as TYPE]", "values as they are now", &stepper::print},
        {"watch", "[WHAT]", "let 'run' stop when it changes; without WHAT: list what is watched",
         &stepper::watch},
        {"unwatch", "[WHAT]", "watch it no more; without WHAT: nothing", &stepper::unwatch},
        {"who", "WHAT", "which instruction wrote the value of a lane, and when", &stepper::who},
        {"where", "", "the present cycle once more", &stepper::where},
        {"list", "[LINE]", "the source around what was issued last, or around a line", &stepper::list},
        {"hazards", "", "all diagnostics of the run, by cycle", &stepper::hazards},
        {"help", "[COMMAND]", "this table, or more on a command", &stepper::show_help},
        {"quit", "", "end; so does Ctrl-D", &stepper::quit},
    };
    return all;
}

/// A command, or what begins like one only.
const stepper::command_form& stepper::form_of(const std::string& word) {
    std::vector<std::string> names;
    std::vector<const command_form*> fitting;
    for (const command_form& form : forms()) {
        if (word == form.name) return form;
        if (std::string(form.name).compare(0, word.size(), word) == 0) fitting.push_back(&form);
        names.emplace_back(form.name);
    }
    // "s", "b", "r", "p", "w", "l", "h" and "q" are the first of the table
    if (!fitting.empty() && (fitting.size() == 1 || word.size() == 1)) return *fitting.front();
    throw user_error(fmt::format("found '{}', expected one of {}{}", word, fmt::join(names, ", "),
                                 suggestion(word, names)));
}

std::string stepper::execute(const std::string& line) {
    std::string text = trimmed(line);
    if (!text.empty() && text[0] == '#') return "";
    if (text.empty()) text = latest_;
    if (text.empty()) return "";
    const auto [word, rest] = cut(text);
    const command_form& form = form_of(word);
    const bool moves = form.carry_out == &stepper::step || form.carry_out == &stepper::back ||
                       form.carry_out == &stepper::run;
    latest_ = moves ? text : "";
    return (this->*form.carry_out)(rest);
}

std::string stepper::help() {
    std::string text;
    for (const command_form& form : forms())
        text += fmt::format("  {:<24} {}\n", std::string(form.name) + " " + form.arguments, form.text);
    text += fmt::format(
        "\nWHAT: {}.\nTYPE: hex, hex16 or {}.\nAn empty line repeats the latest step, back or run. "
        "The beginning of a command will do.\n",
        targets_text, isa::data_type_names());
    return text;
}

std::string stepper::show_help(const std::string& rest) {
    if (rest.empty()) return help();
    const command_form& form = form_of(rest);
    std::string text = fmt::format("{} {}\n  {}\n", form.name, form.arguments, form.text);
    if (form.arguments[0] == 'W' || form.arguments[1] == 'W') text += fmt::format("WHAT: {}\n", targets_text);
    return text;
}

std::string stepper::quit(const std::string& rest) {
    nothing_after(rest, "quit");
    ended_ = true;
    return "";
}

std::vector<std::string> stepper::completions(const std::string& typed) const {
    const std::size_t first = std::min(typed.find_first_not_of(' '), typed.size());
    const std::string line = typed.substr(first);
    const std::size_t blank = line.find(' ');
    std::vector<std::string> result;
    if (blank == std::string::npos) {
        for (const command_form& form : forms()) result.emplace_back(form.name);
        return result;
    }
    const std::string word = line.substr(0, blank);
    if (word[0] == 'r') return {"cycle", "row", "line", "hazard", "start", "end"};
    if (word[0] == 'h') return completions("");
    const std::string before = trimmed(line.substr(0, line.find_last_of(' ')));
    if (before.size() > 3 && before.compare(before.size() - 3, 3, " as") == 0) {
        result = {"hex", "hex16"};
        for (const isa::data_type type : isa::all_data_types) result.emplace_back(isa::to_string(type));
        return result;
    }
    for (unsigned lreg = 0; lreg < isa::lreg_count; ++lreg) result.push_back(fmt::format("L{}", lreg));
    for (const char* name : {"flags", "dst", "as"}) result.emplace_back(name);
    for (const auto* list : {&session_.kernel().kernel().inputs, &session_.kernel().kernel().outputs})
        for (const isa::tensor& tensor : *list) result.push_back(tensor.name);
    return result;
}

std::string stepper::greeting() const {
    const kernel_run& kernel = session_.kernel();
    return fmt::format("{}: {} rows, cycles 0 to {}, {} {}; 'help' lists the commands\n",
                       kernel.kernel().file, kernel.rows(), session_.last_cycle(), session_.hazard_count(),
                       session_.hazard_count() == 1 ? "diagnostic" : "diagnostics");
}

// --- moving --------------------------------------------------------------------------------------------------------

std::string stepper::go(std::int64_t cycle) {
    const std::int64_t from = session_.position();
    if (cycle > session_.last_cycle() && from == session_.last_cycle())
        return fmt::format("cycle {} is the last one\n", from);
    if (cycle < -1 && from == -1) return "this is the start: nothing has happened yet\n";
    const machine_state before = watches_.empty() ? machine_state{} : session_.state();
    session_.move_to(cycle);
    return here() + (watches_.empty() ? "" : changed_watches(before, session_.state()));
}

std::string stepper::step(const std::string& rest) {
    return go(session_.position() + std::min(count_of(rest), session_.last_cycle() + 1));
}

std::string stepper::back(const std::string& rest) {
    return go(session_.position() - std::min(count_of(rest), session_.last_cycle() + 2));
}

std::string stepper::go_to_first(std::int64_t from, const search::condition& wanted,
                                 const std::string& what) {
    const auto found = session_.find(from, wanted);
    if (found) return go(*found);
    if (interrupt_guard::interrupted()) return "interrupted: still there\n" + here();
    return fmt::format("{}: not found from cycle {} to {}\n", what, from, session_.last_cycle());
}

std::string stepper::run(const std::string& rest) {
    auto [word, argument] = cut(rest);
    if (word == "to") std::tie(word, argument) = cut(argument);
    const std::int64_t next = session_.position() + 1;
    if (word.empty()) return run_on();
    if (word == "start") return go(-1);
    if (word == "end") return go(session_.last_cycle());
    if (word == "cycle") {
        const std::int64_t cycle = number_of(argument, "a cycle");
        if (cycle > session_.last_cycle())
            throw user_error(
                fmt::format("found cycle {}, expected one up to {}, the last", cycle, session_.last_cycle()));
        return go(cycle);
    }
    const auto issues = [](const execution& one) { return one.event.from == probe::origin::issued; };
    if (word == "row") {
        const std::int64_t row = number_of(argument, "a row");
        if (session_.kernel().rows() == 0)
            throw user_error(fmt::format("found row {}, but the kernel has no rows: it has no .loop", row));
        if (row >= session_.kernel().rows())
            throw user_error(
                fmt::format("found row {}, expected one below {}", row, session_.kernel().rows()));
        const unsigned together = session_.kernel().kernel().rows_per_iteration;
        return go_to_first(
            0,
            [&](std::int64_t, const cycle_record& record, const machine_state&) {
                return std::any_of(record.executed.begin(), record.executed.end(), [&](const execution& one) {
                    const std::int64_t first = session_.kernel().row_of_word(one.event.word);
                    return issues(one) && first >= 0 && row < first + together && first <= row;
                });
            },
            fmt::format("row {}", row));
    }
    if (word == "line") {
        const std::int64_t line = number_of(argument, "a line");
        return go_to_first(
            next,
            [&](std::int64_t, const cycle_record& record, const machine_state&) {
                return std::any_of(record.executed.begin(), record.executed.end(), [&](const execution& one) {
                    return issues(one) && session_.line_of(one.event.word) == line;
                });
            },
            fmt::format("an instruction of line {}", line));
    }
    if (word == "hazard") {
        for (const diagnostic& each : session_.hazards())
            if (each.at.count() >= next) return go(each.at.count());
        return fmt::format("no diagnostic after cycle {}\n", session_.position());
    }
    throw user_error(
        fmt::format("found '{}', expected nothing or one of cycle N, row N, line N, hazard, start, end{}",
                    word, suggestion(word, {"cycle", "row", "line", "hazard", "start", "end"})));
}

/// To the next change of what is watched.
std::string stepper::run_on() {
    if (watches_.empty()) return go(session_.last_cycle());
    const machine_state before = session_.state();
    const auto found = session_.find(
        session_.position() + 1, [&](std::int64_t, const cycle_record& record, const machine_state& now) {
            if (record.lregs.empty() && !record.flags && record.dst_rows.empty()) return false;
            return std::any_of(watches_.begin(), watches_.end(),
                               [&](const auto& each) { return session::differs(before, now, each.second); });
        });
    if (found) return go(*found);
    if (interrupt_guard::interrupted()) return "interrupted: still there\n" + here();
    return "nothing watched changes any more\n" + go(session_.last_cycle());
}

// --- what is here --------------------------------------------------------------------------------------------------

std::string stepper::where(const std::string& rest) {
    nothing_after(rest, "where");
    return here();
}

std::string stepper::here() {
    const std::int64_t cycle = session_.position();
    if (cycle < 0) return "before cycle 0\n";
    const cycle_record& record = session_.record(cycle);
    std::int64_t row = -1;
    for (const execution& one : record.executed)
        if (one.event.from == probe::origin::issued) row = session_.kernel().row_of_word(one.event.word);
    return fmt::format("cycle {}{}\n", cycle, row < 0 ? "" : fmt::format(", row {}", row)) + text_of(record);
}

std::string stepper::text_of(const execution& one, std::int64_t cycle) const {
    const probe::execution_event& event = one.event;
    const bool scheduled = event.from == probe::origin::macro;
    const isa::word_encoding words = isa::make_machine(session_.kernel().request().config).encoding();
    std::string text = fmt::format("  {:<9} {}{}", isa::to_string(event.unit), scheduled ? "*" : "",
                                   isa::text(event.insn, words));
    if (event.discarded) text += ", discarded";
    if (one.cells && event.takes_effect)
        text += fmt::format(", {} Dst 0x{:x}", event.unit == isa::sub_unit::store ? "to" : "from",
                            event.dst_address & ~1u);
    if (event.takes_effect && event.lanes != all_lanes && event.unit != isa::sub_unit::front_end)
        text += fmt::format(", lanes {:08x}", event.lanes);
    if (event.takes_effect && event.end.count() > cycle)
        text += fmt::format(", due at the end of cycle {}", event.end.count());
    return text + fmt::format("   ({}{})\n", scheduled ? "by " : "", session_.location(event.word));
}

std::string stepper::text_of(const cycle_record& record) {
    const std::int64_t cycle = session_.position();
    std::string text;
    for (const probe::stall_event& held : record.stalls)
        text += fmt::format("  held      by {}   ({})\n", probe::to_string(held.cause),
                            session_.location(held.word));
    for (const execution& one : record.executed) text += text_of(one, cycle);
    for (const auto& forgotten : record.forgotten)
        text += fmt::format("  forgotten {} on {}   (by {})\n", forgotten.insn.op->mnemonic,
                            isa::to_string(forgotten.unit), session_.location(forgotten.word));
    for (const auto& [lreg, value] : record.lregs)
        text += fmt::format("  now       L{} = {}\n", lreg, beginning(value));
    if (record.flags)
        text += fmt::format("  now       flags = {:08x}, in use in {:08x}\n", record.flags->first,
                            record.flags->second);
    for (const diagnostic& each : session_.hazards())
        if (each.at.count() == cycle)
            text += fmt::format("  {:<9} {}: {}   ({})\n", to_string(each.level), describe(each.id).name,
                                session_.kernel().message(each), session_.kernel().location(each));
    return text.empty() ? "  nothing happens\n" : text;
}

std::string stepper::list(const std::string& rest) {
    std::int64_t line = 0;
    if (!rest.empty()) {
        line = number_of(rest, "a line");
    } else {
        for (std::int64_t cycle = session_.position(); line == 0 && cycle >= 0; --cycle)
            for (const execution& one : session_.record(cycle).executed)
                if (one.event.from == probe::origin::issued) line = session_.line_of(one.event.word);
    }
    const std::string source = read_file(session_.kernel().kernel().file);
    std::string text;
    std::int64_t number = 1;
    for (std::size_t begin = 0; begin < source.size(); ++number) {
        const std::size_t end = std::min(source.find('\n', begin), source.size());
        if (number + 5 >= line && number <= line + 5)
            text += fmt::format("{} {:>4}  {}\n", number == line ? '>' : ' ', number,
                                source.substr(begin, end - begin));
        begin = end + 1;
    }
    return text.empty() ? fmt::format("{} has {} lines\n", session_.kernel().kernel().file, number - 1)
                        : text;
}

std::string stepper::hazards(const std::string& rest) {
    nothing_after(rest, "hazards");
    std::string text;
    constexpr std::size_t most = 50;
    for (std::size_t i = 0; i < std::min(most, session_.hazards().size()); ++i) {
        const diagnostic& each = session_.hazards()[i];
        text += fmt::format("cycle {}: {}: {}: {}: {}\n", each.at.count(), session_.kernel().location(each),
                            to_string(each.level), describe(each.id).name, session_.kernel().message(each));
    }
    if (session_.hazard_count() > most) text += fmt::format("... {} in all\n", session_.hazard_count());
    return text.empty() ? "none\n" : text;
}

// --- values --------------------------------------------------------------------------------------------------------

std::string stepper::value_text(const target& what, const machine_state& state) const {
    const auto text_of_bits = [&](std::uint32_t bits) -> std::string {
        if (what.what == target::kind::flags) return bits ? "1" : "0";
        if (what.type && what.what == target::kind::lreg) return register_text(*what.type, bits);
        if (what.type) return isa::text_of_cell(*what.type, bits);
        const bool narrow = what.what == target::kind::dst && !what.rows[0].wide;
        return fmt::format("{:0{}x}", bits, narrow ? 4 : 8);
    };
    const std::size_t rows = what.what == target::kind::dst ? what.rows.size() : 1;
    std::string text;
    std::size_t width = 0;
    for (std::size_t row = 0; row < rows; ++row)
        for (unsigned lane = what.first_lane; lane < what.end_lane; ++lane)
            width = std::max(width, text_of_bits(session::bits_of(state, what, row, lane)).size());
    const unsigned in_line = width > 10 ? 4 : 8;
    for (std::size_t row = 0; row < rows; ++row)
        for (unsigned lane = what.first_lane; lane < what.end_lane; lane += in_line) {
            text += what.is_tensor ? fmt::format("  row {:<4} lane {:>2}:", what.first_row + row, lane)
                                   : fmt::format("  lane {:>2}:", lane);
            for (unsigned i = lane; i < std::min(lane + in_line, what.end_lane); ++i)
                text += fmt::format("  {:>{}}", text_of_bits(session::bits_of(state, what, row, i)), width);
            text += '\n';
        }
    return text;
}

std::string stepper::print(const std::string& rest) {
    if (rest.empty()) throw user_error(fmt::format("print: found nothing, expected {}", targets_text));
    const target what = session_.parse_target(rest);
    return fmt::format("{}{}, {}\n", what.name,
                       what.type ? fmt::format(" ({})", isa::to_string(*what.type)) : "",
                       session_.position() < 0 ? std::string("before the first cycle")
                                               : fmt::format("at the end of cycle {}", session_.position())) +
           value_text(what, session_.state());
}

std::string stepper::changed_watches(const machine_state& before, const machine_state& after) const {
    std::string text;
    for (const auto& [name, what] : watches_)
        if (session::differs(before, after, what))
            text += fmt::format("changed: {}\n", name) + value_text(what, after);
    return text;
}

std::string stepper::watch(const std::string& rest) {
    if (rest.empty()) {
        std::string text;
        for (const auto& [name, what] : watches_) text += name + "\n" + value_text(what, session_.state());
        return text.empty() ? "nothing is watched\n" : text;
    }
    watches_.emplace_back(rest, session_.parse_target(rest));
    return fmt::format("watching {}\n", rest);
}

std::string stepper::unwatch(const std::string& rest) {
    const auto ends = [&](const auto& each) { return rest.empty() || each.first == rest; };
    const auto left = std::remove_if(watches_.begin(), watches_.end(), ends);
    if (left == watches_.end() && !rest.empty())
        throw user_error(fmt::format("found '{}', which is not watched", rest));
    watches_.erase(left, watches_.end());
    return "";
}

/// Flags have no single writer in the events: those who change them show by the change.
std::string stepper::who_changed_flags(const target& what) {
    std::int64_t changed = -1;
    std::uint32_t bit = session::bits_of(session_.state_at(-1), what, 0, what.first_lane);
    session_.find(0, [&](std::int64_t cycle, const cycle_record& record, const machine_state& now) {
        if (cycle > session_.position()) return true;
        const std::uint32_t present = session::bits_of(now, what, 0, what.first_lane);
        if (record.flags && present != bit) changed = cycle;
        bit = present;
        return false;
    });
    if (changed < 0)
        return fmt::format("the flag of lane {} has its value from the start\n", what.first_lane);
    std::string text =
        fmt::format("the flag of lane {} changed at the end of cycle {}, in which there were\n",
                    what.first_lane, changed);
    for (const execution& one : session_.record(changed).executed)
        if (one.event.unit == isa::sub_unit::simple) text += text_of(one, changed);
    return text;
}

std::string stepper::who(const std::string& rest) {
    if (rest.empty()) throw user_error(fmt::format("who: found nothing, expected {}", targets_text));
    const target what = session_.parse_target(rest);
    const std::string place = fmt::format(
        "{}{}[{}]", what.name, what.is_tensor ? fmt::format("[{}]", what.first_row) : "", what.first_lane);
    if (what.what == target::kind::flags) return who_changed_flags(what);
    const auto found = session_.last_writer(what, 0, what.first_lane);
    target one = what;
    one.end_lane = one.first_lane + 1;
    if (!one.rows.empty()) one.rows.resize(1);
    const std::string value = trimmed(value_text(one, session_.state()));
    const std::string bits =
        value.substr(value.find_last_of(' ') + 1, value.size() - value.find_last_of(' ') - 2);
    if (!found) return fmt::format("{} = {} since the start: nobody has written it\n", place, bits);
    const probe::execution_event& event = found->by.event;
    const std::int64_t row = session_.kernel().row_of_word(event.word);
    return fmt::format("{} = {}, written in cycle {}{}, visible from cycle {}, by\n", place, bits,
                       event.begin.count(), row < 0 ? "" : fmt::format(" for row {}", row), found->visible) +
           text_of(found->by, found->visible);
}

} // namespace sfpu::cli::debug
