#include <sfpu/analysis/debugger.h>

#include "timeline.h"

#include <sfpu/analysis/text_files.h>

#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/machine.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::analysis::debug {
namespace {

bool is_issued(const execution& one) { return one.event.from == probe::origin::issued; }

} // namespace

struct debugger::implementation {
    implementation(kernel_run& kernel, platform::program_runner& runner, session how)
        : line(kernel, runner, std::move(how)) {}

    const kernel_run& kernel() const { return line.kernel(); }
    std::optional<std::int64_t> row_of(std::int64_t word) const {
        const std::int64_t row = kernel().row_of_word(word);
        return row < 0 ? std::nullopt : std::optional(row);
    }

    executed_instruction told(const execution& one) const;
    placed_diagnostic told(const diagnostic& each) const;
    cycle_answer here();
    value_answer value(const std::string& typed, const target& what, const machine_state& state) const;
    move_answer go(std::int64_t cycle);
    move_answer go_to_first(std::int64_t from, const search::condition& wanted, const std::string& what);
    writer_answer writer_of(const std::string& typed, target what);
    flag_answer flag_change(const target& what);

    timeline line;
    std::vector<std::pair<std::string, target>> watches; ///< as typed
};

debugger::debugger(kernel_run& kernel, platform::program_runner& runner, session how)
    : impl_(std::make_unique<implementation>(kernel, runner, std::move(how))) {}
debugger::~debugger() = default;

const kernel_run& debugger::kernel() const { return impl_->kernel(); }
std::int64_t debugger::position() const { return impl_->line.position(); }
std::int64_t debugger::last_cycle() const { return impl_->line.last_cycle(); }
const machine_state& debugger::state() { return impl_->line.state(); }

// --- what is told --------------------------------------------------------------------------------

executed_instruction debugger::implementation::told(const execution& one) const {
    const probe::execution_event& event = one.event;
    executed_instruction answer;
    answer.unit = event.unit;
    answer.text = isa::text(event.insn, isa::make_machine(kernel().request().config).encoding());
    answer.scheduled = event.from == probe::origin::macro;
    answer.discarded = event.discarded;
    answer.takes_effect = event.takes_effect;
    answer.lanes = event.lanes;
    if (one.cells && event.takes_effect) answer.dst_address = event.dst_address & ~1u;
    answer.begin = event.begin.count();
    answer.end = event.end.count();
    answer.word = event.word;
    answer.location = kernel().location(event.word);
    return answer;
}

placed_diagnostic debugger::implementation::told(const diagnostic& each) const {
    return {each.at.count(), each.level, each.id, kernel().message(each), kernel().location(each)};
}

cycle_answer debugger::implementation::here() {
    cycle_answer answer;
    answer.cycle = line.position();
    if (answer.cycle < 0) return answer;
    const cycle_record& record = line.record(answer.cycle);
    for (const execution& one : record.executed) {
        if (is_issued(one)) answer.row = row_of(one.event.word);
        answer.executed.push_back(told(one));
    }
    for (const probe::stall_event& held : record.stalls)
        answer.held.push_back({held.cause, kernel().location(held.word)});
    for (const probe::forgotten_event& each : record.forgotten)
        answer.forgotten.push_back({each.insn.op->mnemonic, each.unit, kernel().location(each.word)});
    answer.lregs = record.lregs;
    answer.flags = record.flags;
    for (const diagnostic& each : line.hazards())
        if (each.at.count() == answer.cycle) answer.diagnostics.push_back(told(each));
    return answer;
}

value_answer debugger::implementation::value(const std::string& typed, const target& what,
                                             const machine_state& state) const {
    value_answer answer{typed, line.position(), what, {}};
    for (std::size_t row = 0; row < what.rows(); ++row)
        for (unsigned lane = what.first_lane; lane < what.end_lane; ++lane)
            answer.bits.push_back(bits_of(state, what, row, lane));
    return answer;
}

// --- moves ---------------------------------------------------------------------------------------

move_answer debugger::implementation::go(std::int64_t cycle) {
    move_answer answer;
    answer.last = line.last_cycle();
    const std::int64_t from = line.position();
    if (cycle > answer.last && from == answer.last) answer.how = move_answer::ending::is_last;
    else if (cycle < -1 && from == -1) answer.how = move_answer::ending::is_first;
    if (answer.how != move_answer::ending::arrived) return answer;
    const machine_state before = watches.empty() ? machine_state{} : line.state();
    line.move_to(cycle);
    answer.place = here();
    for (const auto& [typed, what] : watches)
        if (differs(before, line.state(), what)) answer.changed.push_back(value(typed, what, line.state()));
    return answer;
}

move_answer debugger::implementation::go_to_first(std::int64_t from, const search::condition& wanted,
                                                  const std::string& what) {
    const auto found = line.find(from, wanted);
    if (found) return go(*found);
    move_answer answer;
    answer.sought = what;
    answer.from = from;
    answer.last = line.last_cycle();
    answer.how = move_answer::ending::not_found;
    if (line.how().is_interrupted()) {
        answer.how = move_answer::ending::interrupted;
        answer.place = here();
    }
    return answer;
}

move_answer debugger::step(std::int64_t cycles) {
    return impl_->go(position() + std::min(cycles, last_cycle() + 1));
}
move_answer debugger::back(std::int64_t cycles) {
    return impl_->go(position() - std::min(cycles, last_cycle() + 2));
}
move_answer debugger::to_start() { return impl_->go(-1); }
move_answer debugger::to_end() { return impl_->go(last_cycle()); }

move_answer debugger::to_cycle(std::int64_t cycle) {
    if (cycle > last_cycle())
        throw user_error(fmt::format("found cycle {}, expected one up to {}, the last", cycle, last_cycle()));
    return impl_->go(cycle);
}

move_answer debugger::to_row(std::int64_t row) {
    if (kernel().rows() == 0)
        throw user_error(fmt::format("found row {}, but the kernel has no rows: it has no .loop", row));
    if (row >= kernel().rows())
        throw user_error(fmt::format("found row {}, expected one below {}", row, kernel().rows()));
    const unsigned together = kernel().rows_together();
    const auto issues_it = [&](const execution& one) {
        const std::int64_t first = kernel().row_of_word(one.event.word);
        return is_issued(one) && first >= 0 && row < first + together && first <= row;
    };
    return impl_->go_to_first(
        0,
        [&](std::int64_t, const cycle_record& record, const machine_state&) {
            return std::any_of(record.executed.begin(), record.executed.end(), issues_it);
        },
        fmt::format("row {}", row));
}

move_answer debugger::to_line(std::int64_t line) {
    const auto issues_it = [&](const execution& one) {
        return is_issued(one) && kernel().line(one.event.word) == line;
    };
    return impl_->go_to_first(
        position() + 1,
        [&](std::int64_t, const cycle_record& record, const machine_state&) {
            return std::any_of(record.executed.begin(), record.executed.end(), issues_it);
        },
        fmt::format("an instruction of line {}", line));
}

move_answer debugger::to_diagnostic() {
    for (const diagnostic& each : impl_->line.hazards())
        if (each.at.count() > position()) return impl_->go(each.at.count());
    move_answer answer;
    answer.how = move_answer::ending::no_diagnostic;
    answer.from = position();
    return answer;
}

move_answer debugger::run() {
    if (impl_->watches.empty()) return to_end();
    const machine_state before = state();
    const auto changes = [&](std::int64_t, const cycle_record& record, const machine_state& now) {
        if (record.lregs.empty() && !record.flags && record.dst_rows.empty()) return false;
        return std::any_of(impl_->watches.begin(), impl_->watches.end(),
                           [&](const auto& each) { return differs(before, now, each.second); });
    };
    move_answer answer = impl_->go_to_first(position() + 1, changes, "a change of what is watched");
    if (answer.how != move_answer::ending::not_found) return answer;
    answer = to_end();
    answer.how = move_answer::ending::unchanged;
    return answer;
}

// --- questions -----------------------------------------------------------------------------------

cycle_answer debugger::where() { return impl_->here(); }

value_answer debugger::value_of(const std::string& text) {
    return impl_->value(text, parse_target(text, kernel()), state());
}

std::variant<writer_answer, flag_answer> debugger::who_wrote(const std::string& text) {
    const target what = parse_target(text, kernel());
    if (what.what == target::kind::flags) return impl_->flag_change(what);
    return impl_->writer_of(text, what);
}

/// Flags have no single writer in the events: those who change them show by the change.
flag_answer debugger::implementation::flag_change(const target& what) {
    flag_answer answer;
    answer.lane = what.first_lane;
    std::uint32_t bit = bits_of(line.state_at(-1), what, 0, what.first_lane);
    line.find(0, [&](std::int64_t cycle, const cycle_record& record, const machine_state& now) {
        if (cycle > line.position()) return true;
        const std::uint32_t present = bits_of(now, what, 0, what.first_lane);
        if (record.flags && present != bit) answer.changed = cycle;
        bit = present;
        return false;
    });
    if (answer.changed)
        for (const execution& one : line.record(*answer.changed).executed)
            if (one.event.unit == isa::sub_unit::simple) answer.candidates.push_back(told(one));
    return answer;
}

writer_answer debugger::implementation::writer_of(const std::string& typed, target what) {
    const auto found = line.last_writer(what, 0, what.first_lane);
    what.end_lane = what.first_lane + 1;
    if (!what.dst_rows.empty()) what.dst_rows.resize(1);
    writer_answer answer{value(typed, what, line.state()), std::nullopt};
    if (found) answer.writer = {told(found->by), found->visible, row_of(found->by.event.word)};
    return answer;
}

source_answer debugger::source_here() {
    std::int64_t line = 0;
    for (std::int64_t cycle = position(); line == 0 && cycle >= 0; --cycle)
        for (const execution& one : impl_->line.record(cycle).executed)
            if (is_issued(one)) line = kernel().line(one.event.word);
    return source_at(line);
}

source_answer debugger::source_at(std::int64_t line) const {
    constexpr std::int64_t around = 5;
    source_answer answer;
    answer.file = kernel().kernel().file;
    answer.marked = line;
    answer.first = std::max<std::int64_t>(1, line - around);
    const std::string source = read_file(answer.file);
    std::int64_t number = 1;
    for (std::size_t begin = 0; begin < source.size(); ++number) {
        const std::size_t end = std::min(source.find('\n', begin), source.size());
        if (number + around >= line && number <= line + around)
            answer.lines.push_back(source.substr(begin, end - begin));
        begin = end + 1;
    }
    answer.lines_in_file = number - 1;
    return answer;
}

diagnostics_answer debugger::diagnostics(std::size_t most) const {
    diagnostics_answer answer;
    answer.count = impl_->line.hazard_count();
    for (const diagnostic& each : impl_->line.hazards()) {
        if (answer.first.size() == most) break;
        answer.first.push_back(impl_->told(each));
    }
    return answer;
}

// --- watches -------------------------------------------------------------------------------------

void debugger::watch(const std::string& text) {
    impl_->watches.emplace_back(text, parse_target(text, kernel()));
}

void debugger::unwatch(const std::string& text) {
    auto& watches = impl_->watches;
    const auto left =
        std::remove_if(watches.begin(), watches.end(), [&](const auto& each) { return each.first == text; });
    if (left == watches.end()) throw user_error(fmt::format("found '{}', which is not watched", text));
    watches.erase(left, watches.end());
}

void debugger::unwatch_all() { impl_->watches.clear(); }

std::vector<value_answer> debugger::watched() {
    std::vector<value_answer> all;
    for (const auto& [typed, what] : impl_->watches) all.push_back(impl_->value(typed, what, state()));
    return all;
}

} // namespace sfpu::analysis::debug
