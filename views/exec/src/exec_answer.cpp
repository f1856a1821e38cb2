#include "exec_tensors.h"
#include <sfpu/views/exec_protocol.h>
#include <sfpu/views/json_text.h>

#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/machine.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace sfpu::views {

macro_shape::macro_shape(const parameters& config)
    : templates(std::max(4u, config.macro_templates)), sequences(std::max(4u, config.macro_count)) {
    const isa::word_encoding words = isa::make_machine(config).encoding();
    sequence_digits = words.wide_sequences() ? 16 : 8;
    misc_digits = words.wide_macro_index() ? 5 : 3;
}

namespace {

using isa::sub_unit;

template <typename... Arguments>
void append(std::string& out, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Arguments>(arguments)...);
}

/// The name of an element in an object whose names are numbers.
void append_number_name(std::string& out, unsigned number, bool first) {
    if (!first) out += ',';
    out += '"';
    out += std::to_string(number);
    out += "\":";
}

void append_lanes(std::string& out, const lanes& values) {
    append_hex_list(out, lane_count, 8, [&](unsigned lane) { return values[lane]; });
}

void append_stalls(std::string& out, const probe::unit_counters::by_stall_cause& stalls) {
    out += ",\"stalls\":{";
    bool first = true;
    for (unsigned cause = 0; cause < probe::stall_cause_count; ++cause) {
        if (!stalls[cause]) continue;
        append(out, "{}\"{}\":{}", first ? "" : ",", probe::to_string(static_cast<probe::stall_cause>(cause)),
               stalls[cause]);
        first = false;
    }
    out += '}';
}

void append_registers(std::string& out, const isa::vector_state& state) {
    constexpr unsigned visible[] = {0, 1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 14, 16};
    out += ",\"lreg\":{";
    for (const unsigned lreg : visible) {
        append_number_name(out, lreg, lreg == 0);
        append_lanes(out, state.lreg[lreg]);
    }
    out += '}';
}

void append_flags(std::string& out, const isa::vector_state& state) {
    out += ",\"lane_flags\":";
    append_quoted_hex(out, state.flags, 8);
    out += ",\"use_lane_flags\":";
    append_quoted_hex(out, state.use_flags, 8);
    out += ",\"flag_stack\":[";
    for (unsigned i = 0; i < state.stack.held(); ++i) {
        const isa::flag_entry entry = state.stack.from_bottom(i);
        if (i) out += ',';
        append_hex_list(out, 2, 8, [&](unsigned half) { return half ? entry.use_flags : entry.flags; });
    }
    out += ']';
}

void append_configuration(std::string& out, const isa::vector_state& state, const macro_shape& shape) {
    out += ",\"lane_config\":";
    append_hex_list(out, column_count, 8, [&](unsigned column) { return state.config.column(column); });
    const isa::macro_configuration& macro = state.macro[0];
    out += ",\"macro\":{\"template\":";
    append_hex_list(out, shape.templates, 8, [&](unsigned i) { return macro.instruction_template[i]; });
    out += ",\"sequence\":";
    append_hex_list(out, shape.sequences, shape.sequence_digits, [&](unsigned i) {
        return macro.sequence[i] | std::uint64_t{macro.sequence_upper[i]} << 32;
    });
    out += ",\"misc\":";
    append_quoted_hex(out, macro.misc, shape.misc_digits);
    append(out, "}},\"macro_uniform\":{}", state.macro_uniform());
}

/// Rows that the program changed.
void append_dst(std::string& out, const platform::run_request& request, const platform::dst_image& dst) {
    static constexpr platform::dst_row zero{};
    out += ",\"dst\":{";
    bool first = true;
    for (unsigned row = 0; row < dst.size(); ++row) {
        const platform::dst_row* const given = request.dst_rows.find(row);
        if (dst[row] == (given ? *given : zero)) continue;
        append_number_name(out, row, first);
        append_hex_list(out, 16, 4, [&](unsigned column) { return dst[row][column]; });
        first = false;
    }
    out += '}';
}

void append_word_index(std::string& out, std::int64_t word) {
    out += ",\"word\":";
    if (word < 0) out += "null";
    else append(out, "{}", word);
}

void append_counters(std::string& out, const isa::address_counters& rwc) {
    append(out, "\"rwc\":{{\"dst\":{},\"dst_cr\":{},\"sp\":{}}}", rwc.dst, rwc.dst_cr, rwc.sp);
}

void append_threads(std::string& out, const platform::program_runner& runner,
                    const probe::unit_counters& counters) {
    out += ",\"threads\":[";
    for (unsigned thread = 0; thread < isa::thread_count; ++thread) {
        out += thread ? ",{" : "{";
        append_counters(out, runner.thread(thread).rwc);
        append_stalls(out, counters.stalls_by_thread[thread]);
        out += '}';
    }
    out += ']';
}

/// The diagnostics, with the threads of their words if there are several.
void append_diagnostics(std::string& out, const std::vector<diagnostic>& diagnostics, cycles first_issue,
                        const std::vector<std::uint8_t>& threads) {
    out += ",\"diagnostics\":[";
    for (std::size_t i = 0; i < diagnostics.size(); ++i) {
        const diagnostic& one = diagnostics[i];
        // What the front end says before anything is issued has no cycle of its own.
        const cycles at = std::max(one.at - first_issue, cycles{});
        append(out, "{}{{\"cycle\":{}", i ? "," : "", at.count());
        append_word_index(out, one.word);
        if (one.word >= 0 && static_cast<std::size_t>(one.word) < threads.size())
            append(out, ",\"thread\":{}", threads[static_cast<std::size_t>(one.word)]);
        append(out, ",\"id\":\"{}\",\"severity\":\"{}\",\"message\":", describe(one.id).name,
               to_string(one.level));
        append_json_string(out, one.message);
        out += '}';
    }
    out += ']';
}

void append_timeline(std::string& out, const std::vector<exec_recorder::timeline_entry>& timeline,
                     cycles first_issue, const isa::word_encoding& words, bool threads) {
    out += ",\"timeline\":[";
    for (std::size_t i = 0; i < timeline.size(); ++i) {
        const exec_recorder::timeline_entry& entry = timeline[i];
        const probe::execution_event& event = entry.event;
        const bool in_issue = entry.stalled || event.unit == sub_unit::front_end;
        append(out, "{}{{\"cycle\":{},\"unit\":\"{}\",\"text\":", i ? "," : "",
               (entry.at - first_issue).count(), in_issue ? "issue" : isa::to_string(event.unit));
        append_json_string(out, entry.stalled ? probe::to_string(entry.cause) : isa::text(event.insn, words));
        append(out, ",\"origin\":\"{}\"", event.from == probe::origin::macro ? "macro" : "issued");
        append_word_index(out, event.word);
        if (threads) append(out, ",\"thread\":{}", event.thread);
        append(out, ",\"discarded\":{}}}", event.discarded);
    }
    out += ']';
}

void append_error(std::string& out, std::string_view code, std::string_view message,
                  std::optional<std::size_t> index = {}) {
    out += ",\"error\":{\"code\":";
    append_json_string(out, code);
    out += ",\"message\":";
    append_json_string(out, message);
    if (index) append(out, ",\"index\":{}", *index);
    out += '}';
}

} // namespace

void exec_recorder::clear() {
    diagnostics.clear();
    timeline.clear();
}

void exec_recorder::diagnose(const diagnostic& what) {
    diagnostics.push_back(what);
    if (strict && leaves_something_undone(what.id)) diagnostics.back().level = severity::error;
}

void exec_recorder::executed(const probe::execution_event& event) {
    timeline.push_back({event.begin, false, {}, event});
}

void exec_recorder::stalled(const probe::stall_event& event) {
    timeline_entry entry{event.at, true, event.cause, {}};
    entry.event.word = event.word;
    entry.event.thread = event.thread;
    timeline.push_back(entry);
}

void append_answer(std::string& out, const exec_request& request, const platform::run_result& result,
                   const platform::program_runner& runner, const exec_recorder& recorder) {
    const isa::vector_state& state = runner.state();
    const auto broken = std::find_if(recorder.diagnostics.begin(), recorder.diagnostics.end(),
                                     [](const diagnostic& one) { return one.level == severity::error; });
    const bool errors_count = request.run.hazards == hazard_policy::error || request.strict;
    const bool ok = !errors_count || broken == recorder.diagnostics.end();

    append(out, "{{\"id\":{},\"ok\":{},\"cycles\":{}", request.id, ok, result.cycles_used.count());
    append_stalls(out, result.counters.stalls);
    append_registers(out, state);
    append_flags(out, state);
    append_configuration(out, state, macro_shape(request.run.config));
    append_dst(out, request.run, runner.dst());
    if (!request.outputs.empty()) append_outputs(out, request, runner.dst());
    out += ",\"prng\":";
    append_lanes(out, state.prng);
    out += ',';
    append_counters(out, runner.thread().rwc);
    if (request.threads) append_threads(out, runner, result.counters);
    append_diagnostics(out, recorder.diagnostics, result.first_issue, request.run.threads);
    if (request.timeline)
        append_timeline(out, recorder.timeline, result.first_issue,
                        isa::make_machine(request.run.config).encoding(), request.threads);
    if (!ok) append_error(out, "hazard", std::string(describe(broken->id).name) + ": " + broken->message);
    out += '}';
}

void append_refusal(std::string& out, std::string_view id, std::string_view code, std::string_view message,
                    std::optional<std::size_t> index) {
    append(out, "{{\"id\":{},\"ok\":false", id);
    append_error(out, code, message, index);
    out += '}';
}

} // namespace sfpu::views
