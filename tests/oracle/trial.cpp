#include "trial.h"

#include <sfpu/platform/program_runner.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace sfpu::oracle {
namespace {

/// Whether the machine keeps sequences as half-words (docs/exploration.md).
bool has_wide_sequences(const parameters& machine) {
    return machine.macro_templates > 4 || machine.macro_delay_bits > 3;
}

void fill(isa::vector_state& to, const unit_state& from, const surroundings& around, bool wide) {
    to.reset(around.lreg12_default);
    for (unsigned number = 0; number < 17; ++number)
        for (unsigned lane = 0; lane < lanes_of_register; ++lane)
            to.lreg[number].v[lane] = from.lreg[number][lane];
    to.flags = from.lanes.flags;
    to.use_flags = from.lanes.use_flags;
    for (unsigned i = 0; i < from.lanes.size; ++i)
        to.stack.push({from.lanes.stack[i].flags, from.lanes.stack[i].use_flags});
    for (unsigned column = 0; column < columns; ++column) {
        to.config.set_column(column, from.config.lane[column]);
        const macro_memory& macro = from.config.macro[column];
        for (unsigned i = 0; i < 4; ++i) {
            to.macro[column].instruction_template[i] = macro.templates[i];
            to.macro[column].write_sequence(i, isa::extended_index::part::whole, wide, macro.sequences[i]);
        }
        to.macro[column].misc = macro.misc;
    }
    for (unsigned lane = 0; lane < lanes_of_register; ++lane) {
        to.prng.v[lane] = from.random[lane];
        to.shuffle_source.v[lane] = from.shuffled[lane];
    }
}

void fill(isa::thread_state& to, const address_counters& counters, const surroundings& around) {
    to.reset(around.arch);
    to.rwc.dst = counters.dst;
    to.rwc.dst_cr = counters.dst_cr;
    to.rwc.sp = counters.sp;
    to.set_math_offset(around.math_offset);
    for (unsigned i = 0; i < 8; ++i) to.set_addr_mod_dst(i, around.address_modifiers[i]);
    to.set_addr_mod_base(around.modifier_base);
    to.set_sfpu_stack_incr(around.stack_increment);
    isa::backend_configuration backend;
    backend.fp32_enabled = around.fp32_enabled;
    backend.srcb_format = around.srcb_format;
    backend.dest_regw_base = around.dst_base;
    backend.dest_sp_base = around.stack_base;
    to.set_backend(backend);
}

unit_state state_of(const platform::program_runner& runner, bool wide) {
    unit_state result;
    const isa::vector_state& from = runner.state();
    for (unsigned number = 0; number < 17; ++number)
        for (unsigned lane = 0; lane < lanes_of_register; ++lane)
            result.lreg[number][lane] = from.lreg[number].v[lane];
    result.lanes.flags = from.flags;
    result.lanes.use_flags = from.use_flags;
    result.lanes.size = from.stack.depth();
    for (unsigned i = 0; i < from.stack.held() && from.stack.depth() <= 8; ++i)
        result.lanes.stack[i] = {from.stack.from_bottom(i).flags, from.stack.from_bottom(i).use_flags};
    for (unsigned column = 0; column < columns; ++column) {
        result.config.lane[column] = from.config.column(column);
        for (unsigned i = 0; i < 4; ++i) {
            result.config.macro[column].templates[i] = from.macro[column].instruction_template[i];
            result.config.macro[column].sequences[i] =
                from.macro[column].read_sequence(i, isa::extended_index::part::whole, wide);
        }
        result.config.macro[column].misc = from.macro[column].misc;
    }
    for (unsigned lane = 0; lane < lanes_of_register; ++lane) result.random[lane] = from.prng.v[lane];
    const platform::dst_image& dst = runner.dst();
    for (unsigned row = 0; row < 1024; ++row)
        for (unsigned column = 0; column < 16; ++column) result.dst[row][column] = dst[row][column];
    const isa::address_counters& counters = runner.thread().rwc;
    result.counters = {counters.dst, counters.dst_cr, counters.sp};
    return result;
}

class collected_reports final : public diagnostic_sink {
public:
    void diagnose(const diagnostic& what) override { ids.insert(what.id); }
    std::set<report_id> ids;
};

} // namespace

outcome run_on_model(const trial& what, platform::program_runner& runner) {
    platform::run_request request;
    request.config = what.machine;
    request.segments = {{what.words, 1}};
    request.bubbles = what.idle;
    const bool wide = has_wide_sequences(what.machine);
    fill(request.state, what.start, what.around, wide);
    fill(request.thread, what.start.counters, what.around);
    for (unsigned row = 0; row < 1024; ++row) {
        const auto& cells = what.start.dst[row];
        if (std::all_of(cells.begin(), cells.end(), [](std::uint16_t cell) { return cell == 0; })) continue;
        for (unsigned column = 0; column < 16; ++column) request.dst_rows[row][column] = cells[column];
    }
    collected_reports reports;
    request.diagnostics = &reports;
    runner.run(request);
    return {state_of(runner, wide), reports.ids};
}

unit_state expected_end(const trial& what) {
    unit_state result = what.start;
    surroundings around = what.around;
    around.stalls_for_results = what.machine.auto_stall();
    around.delay_kind_by_macro = what.machine.macro_delay_kind_scope == delay_scope::macro;
    around.firing_entry_outstanding = what.machine.macro_firing_entry_outstanding;
    around.store_load_visible = what.machine.dst_store_load_visible;
    if (what.has_macros) run_on_chip(what.words, what.idle, result, around);
    else run_in_sequence(without_replay(what.words), result, around);
    return result;
}

namespace {
std::string differing(const std::string& name, std::uint64_t found, std::uint64_t expected) {
    return found == expected ? std::string() : fmt::format("{} is {:x}, not {:x}", name, found, expected);
}

std::string macro_difference(const configuration& found, const configuration& expected) {
    for (unsigned column = 0; column < columns; ++column) {
        const macro_memory &a = found.macro[column], &b = expected.macro[column];
        for (unsigned i = 0; i < 4; ++i) {
            std::string text =
                differing(fmt::format("template {} of column {}", i, column), a.templates[i], b.templates[i]);
            if (text.empty())
                text = differing(fmt::format("sequence {} of column {}", i, column), a.sequences[i],
                                 b.sequences[i]);
            if (!text.empty()) return text;
        }
        if (a.misc != b.misc) return differing(fmt::format("Misc of column {}", column), a.misc, b.misc);
        if (found.lane[column] != expected.lane[column])
            return differing(fmt::format("LaneConfig of column {}", column), found.lane[column],
                             expected.lane[column]);
    }
    return {};
}

std::string predication_difference(const predication& found, const predication& expected) {
    std::string text = differing("lane flags", found.flags, expected.flags);
    if (text.empty()) text = differing("use flags", found.use_flags, expected.use_flags);
    if (text.empty()) text = differing("flag stack entries", found.size, expected.size);
    for (unsigned i = 0; i < expected.size && expected.size <= 8 && text.empty(); ++i) {
        text = differing(fmt::format("flags of stack entry {}", i), found.stack[i].flags,
                         expected.stack[i].flags);
        if (text.empty())
            text = differing(fmt::format("use flags of stack entry {}", i), found.stack[i].use_flags,
                             expected.stack[i].use_flags);
    }
    return text;
}
} // namespace

std::string difference(const unit_state& found, const unit_state& expected) {
    for (unsigned number = 0; number < 17; ++number)
        for (unsigned lane = 0; lane < lanes_of_register; ++lane)
            if (found.lreg[number][lane] != expected.lreg[number][lane])
                return differing(fmt::format("L{} lane {}", number, lane), found.lreg[number][lane],
                                 expected.lreg[number][lane]);
    for (unsigned row = 0; row < 1024; ++row)
        for (unsigned column = 0; column < 16; ++column)
            if (found.dst[row][column] != expected.dst[row][column])
                return differing(fmt::format("Dst row {} column {}", row, column), found.dst[row][column],
                                 expected.dst[row][column]);
    for (unsigned lane = 0; lane < lanes_of_register; ++lane)
        if (found.random[lane] != expected.random[lane])
            return differing(fmt::format("random number of lane {}", lane), found.random[lane],
                             expected.random[lane]);
    std::string text = predication_difference(found.lanes, expected.lanes);
    if (text.empty()) text = macro_difference(found.config, expected.config);
    if (text.empty()) text = differing("the Dst counter", found.counters.dst, expected.counters.dst);
    if (text.empty())
        text = differing("the Dst counter's Cr", found.counters.dst_cr, expected.counters.dst_cr);
    if (text.empty()) text = differing("the stack pointer", found.counters.sp, expected.counters.sp);
    return text;
}

bool warns_of_timing(report_id id) {
    switch (id) {
    case report_id::dst_store_load_distance:
    case report_id::macro_forgotten: return true;
    case report_id::hazard_misc_left_armed:
    case report_id::flags_stack_overflow:
    case report_id::flags_stack_underflow: return false;
    default: break;
    }
    const report_row& row = describe(id);
    return row.kind == report_kind::hazard || std::string_view(row.name) == "/sfpu/macro/other-than-chip";
}

namespace {
/// The chip with the machine's answers to the open questions of the timing contract.
parameters chip_of(const parameters& machine) {
    parameters result;
    result.arch = machine.arch;
    result.sfpu_lreg12_default = machine.sfpu_lreg12_default;
    result.sfpu_auto_stall = machine.sfpu_auto_stall;
    result.macro_delay_kind_scope = machine.macro_delay_kind_scope;
    result.macro_firing_entry_outstanding = machine.macro_firing_entry_outstanding;
    result.dst_store_load_visible = machine.dst_store_load_visible;
    result.dst_store_load_warn = machine.dst_store_load_warn;
    return result;
}
bool is_same(const parameters& a, const parameters& b) {
    const std::vector<parameter_row>& rows = parameter_table();
    return std::all_of(rows.begin(), rows.end(),
                       [&](const parameter_row& row) { return row.get(a) == row.get(b); });
}
bool warns(const outcome& what) {
    return std::any_of(what.reports.begin(), what.reports.end(), warns_of_timing);
}
} // namespace

verdict judge(const trial& what, platform::program_runner& runner) {
    const outcome found = run_on_model(what, runner);
    verdict result;
    trial on_chip = what;
    on_chip.machine = chip_of(what.machine);
    const bool is_chip = is_same(what.machine, on_chip.machine);
    // A chip is held to the timing contract in every cycle: with macros, nothing excuses it.
    if (!(what.has_macros && is_chip) && warns(found)) {
        result.is_excused = true;
        return result;
    }
    result.silent_difference = difference(found.end, expected_end(what));
    // What is reported on the chip is no rule for other machines.
    if (!result.silent_difference.empty() && what.has_macros && !is_chip &&
        warns(run_on_model(on_chip, runner))) {
        result.is_excused = true;
        result.silent_difference.clear();
    }
    return result;
}

namespace {
/// Takes the smaller trial if it differs silently, too.
bool take_if_silent(trial& what, const trial& smaller, platform::program_runner& runner) {
    if (judge(smaller, runner).silent_difference.empty()) return false;
    what = smaller;
    return true;
}

bool without_words(trial& what, platform::program_runner& runner) {
    bool smaller_found = false;
    for (std::size_t count = std::max<std::size_t>(1, what.words.size() / 2); count != 0; count /= 2)
        for (std::size_t at = 0; at + count <= what.words.size();) {
            trial smaller = what;
            smaller.idle.resize(what.words.size(), 0);
            const auto from = static_cast<std::ptrdiff_t>(at), to = static_cast<std::ptrdiff_t>(at + count);
            smaller.words.erase(smaller.words.begin() + from, smaller.words.begin() + to);
            smaller.idle.erase(smaller.idle.begin() + from, smaller.idle.begin() + to);
            if (take_if_silent(what, smaller, runner)) smaller_found = true;
            else at += count;
        }
    return smaller_found;
}

void with_fewer_parameters(trial& what, platform::program_runner& runner) {
    const parameters chip = [&] {
        parameters result;
        result.arch = what.machine.arch;
        return result;
    }();
    for (const parameter_row& row : parameter_table()) {
        if (!row.timing || !row.differs_from_chip(what.machine)) continue;
        trial smaller = what;
        row.set(smaller.machine, row.get(chip));
        if (smaller.machine.problems().empty()) take_if_silent(what, smaller, runner);
    }
}
} // namespace

trial shrunk(trial what, platform::program_runner& runner) {
    trial plain = what;
    plain.idle.clear();
    take_if_silent(what, plain, runner);
    for (unsigned round = 0; round < 4; ++round) {
        const bool fewer = without_words(what, runner);
        with_fewer_parameters(what, runner);
        if (!fewer) break;
    }
    for (std::uint32_t& word : what.words) {
        trial smaller = what;
        smaller.words[static_cast<std::size_t>(&word - what.words.data())] = 0x8f000000u;
        if (!judge(smaller, runner).silent_difference.empty()) word = 0x8f000000u;
    }
    return what;
}

std::string describe_trial(const trial& what, const std::string& text) {
    std::string result = what.machine.arch == architecture::blackhole ? "bh" : "wh";
    for (const parameter_row& row : parameter_table())
        if (row.timing && row.differs_from_chip(what.machine))
            result += fmt::format(" {}={}", row.path, row.text(what.machine));
    result += "\n  words:";
    for (const std::uint32_t word : what.words) result += fmt::format(" {:08x}", word);
    if (std::any_of(what.idle.begin(), what.idle.end(), [](unsigned each) { return each != 0; }))
        result += fmt::format("\n  bubbles: {}", fmt::join(what.idle, " "));
    if (what.has_macros) {
        const macro_memory& macro = what.start.config.macro[0];
        result += "\n  templates:";
        for (const std::uint32_t each : macro.templates) result += fmt::format(" {:08x}", each);
        result += " sequences:";
        for (const std::uint32_t each : macro.sequences) result += fmt::format(" {:08x}", each);
        result += fmt::format(" Misc {:x}", macro.misc);
    }
    result += fmt::format("\n  flags {:08x} use {:08x}", what.start.lanes.flags, what.start.lanes.use_flags);
    const auto& lane = what.start.config.lane;
    if (std::any_of(lane.begin(), lane.end(), [](std::uint32_t column) { return column != 0; }))
        result += fmt::format(" LaneConfig {:x}", fmt::join(lane, " "));
    const address_counters& counters = what.start.counters;
    if (counters.dst + counters.dst_cr + counters.sp + what.around.stack_increment != 0)
        result += fmt::format(" Dst counter {} Cr {} Sp {} + {}", counters.dst, counters.dst_cr, counters.sp,
                              what.around.stack_increment);
    return result + "\n  " + text;
}

} // namespace sfpu::oracle
