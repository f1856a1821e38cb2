#include "firmware_jitter.h"

#include <sfpu/common/shown_name.h>
#include <sfpu/views/firmware.h>
#include <sfpu/views/json_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace sfpu::views {
namespace {

double percent_of(std::uint64_t part, std::int64_t whole) {
    return whole > 0 ? 100 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::uint64_t counter_named(const probe::counter_group& group, std::string_view name) {
    for (const auto& [known, count] : group.counters)
        if (known == name) return count;
    return 0;
}

bool starts_with(const std::string& text, std::string_view start) {
    return text.compare(0, start.size(), start) == 0;
}

/// One line of the table of busy cycles.
std::string busy_line(const std::string& unit, std::uint64_t busy, std::int64_t all,
                      const std::string& what) {
    return fmt::format("{:<20} {:>12} {:>7.1f}%  {}\n", unit, busy, percent_of(busy, all), what);
}

std::string hart_lines(const probe::counter_group& hart, std::int64_t all) {
    const std::uint64_t stalled = counter_named(hart, "stalled"), total = counter_named(hart, "cycles");
    std::string text =
        busy_line(hart.name, total - std::min(total, stalled), all,
                  fmt::format("{} instructions, {} Tensix words", counter_named(hart, "instructions"),
                              counter_named(hart, "tensix_words")));
    for (const auto& [cause, count] : hart.groups.front().counters)
        text += busy_line("  " + cause, count, all, "stalled");
    return text;
}

std::string tensorload_lines(const probe::counter_group& engine, std::int64_t all) {
    std::string text;
    for (const probe::counter_group& part : engine.groups)
        text += busy_line(engine.name + " " + part.name, counter_named(part, "busy"), all,
                          fmt::format("{} instructions, {} bytes", counter_named(part, "instructions"),
                                      counter_named(part, "bytes")));
    return text;
}

std::string front_end_lines(const probe::counter_group& front, std::int64_t all) {
    return busy_line(
        front.name, counter_named(front, "words_out"), all,
        fmt::format("{} words in, {} out of MOP, {} out of REPLAY, {} cycles full, {} held by waits",
                    counter_named(front, "words_in"), counter_named(front, "mop_words"),
                    counter_named(front, "replay_words"), counter_named(front, "full_cycles"),
                    counter_named(front, "wait_gate_cycles")));
}

std::string vector_unit_lines(const probe::unit_counters& counters, std::int64_t all) {
    using isa::sub_unit;
    std::string text;
    for (const sub_unit unit :
         {sub_unit::load, sub_unit::simple, sub_unit::mad, sub_unit::round, sub_unit::store}) {
        const auto i = static_cast<unsigned>(unit);
        text += busy_line(fmt::format("sfpu {}", isa::to_string(unit)),
                          counters.issued[i] + counters.scheduled[i], all,
                          fmt::format("{} issued, {} scheduled, {} discarded", counters.issued[i],
                                      counters.scheduled[i], counters.discarded[i]));
    }
    for (unsigned thread = 0; thread < counters.stalls_by_thread.size(); ++thread)
        for (unsigned cause = 0; cause < probe::stall_cause_count; ++cause)
            if (const std::uint64_t held = counters.stalls_by_thread[thread][cause])
                text +=
                    busy_line(fmt::format("  {}", probe::to_string(static_cast<probe::stall_cause>(cause))),
                              held, all, fmt::format("a word of thread {} was held", thread));
    return text;
}

/// Where the time went.
std::string time_table(const analysis::firmware_answer& answer) {
    const std::int64_t all = answer.result.cycles_run.count();
    std::string text = fmt::format("{:<20} {:>12} {:>8}\n", "unit", "cycles", "share");
    for (const probe::counter_group& group : answer.parts) {
        if (starts_with(group.name, "hart")) text += hart_lines(group, all);
        if (starts_with(group.name, "front_end")) text += front_end_lines(group, all);
        if (starts_with(group.name, "tensorload")) text += tensorload_lines(group, all);
        if (group.name == "l1")
            text += fmt::format("{:<20} {:>12} {:>8}  {} reads, {} writes, {} bank conflicts\n", "l1", "", "",
                                counter_named(group, "reads"), counter_named(group, "writes"),
                                counter_named(group, "bank_conflicts"));
    }
    return text + vector_unit_lines(answer.vector_unit, all);
}

std::string tile_hazard_lines(const analysis::diagnostic_summary& diagnostics) {
    std::string text;
    for (unsigned i = 0; i < report_count; ++i) {
        const auto id = static_cast<report_id>(i);
        const analysis::diagnostic_summary::entry& seen = diagnostics.of(id);
        if (seen.count == 0) continue;
        text += fmt::format("  {}: {} {}, first in cycle {}\n    {}: {}\n", describe(id).name, seen.count,
                            seen.count == 1 ? "time" : "times", seen.first.at.count(),
                            to_string(seen.first.level), seen.first.message);
    }
    return "hazards" + (text.empty() ? std::string("        none\n") : "\n" + text);
}

} // namespace

std::string to_text(const analysis::firmware_answer& answer, const std::vector<std::string>& written) {
    std::string text;
    text += fmt::format("firmware       {}\n", shown_name(answer.file));
    text += fmt::format("architecture   {} ({})\n", short_name(answer.arch), long_name(answer.arch));
    text += fmt::format("result         {}\n", answer.ending);
    text += fmt::format("cycles         {}\n\n", answer.result.cycles_run.count());
    text += time_table(answer) + "\n";
    text += tile_hazard_lines(answer.diagnostics);
    if (answer.jitter) text += jitter_lines(*answer.jitter);
    for (const std::string& file : written) text += "wrote " + shown_name(file) + "\n";
    return text;
}

std::string to_json(const analysis::firmware_answer& answer) {
    const platform::tile_result& result = answer.result;
    std::string text = "{\"firmware\":";
    append_json_string(text, answer.file);
    text += fmt::format(",\"arch\":\"{}\",\"ok\":{},\"success\":{},\"result\":", short_name(answer.arch),
                        answer.ok(), answer.succeeded);
    append_json_string(text, answer.ending);
    text += fmt::format(",\"tohost\":{},\"cycles\":{},\"last_cycle\":{},\"reports\":[", result.tohost,
                        result.cycles_run.count(), result.last_cycle.count());
    bool is_first = true;
    for (unsigned i = 0; i < report_count; ++i) {
        const analysis::diagnostic_summary::entry& seen = answer.diagnostics.of(static_cast<report_id>(i));
        if (seen.count == 0) continue;
        text += fmt::format("{}{{\"id\":\"{}\",\"severity\":\"{}\",\"count\":{},\"cycle\":{},\"message\":",
                            is_first ? "" : ",", describe(seen.first.id).name, to_string(seen.first.level),
                            seen.count, seen.first.at.count());
        append_json_string(text, seen.first.message);
        text += '}';
        is_first = false;
    }
    text += ']';
    if (answer.jitter) text += ",\"jitter\":" + jitter_json(*answer.jitter);
    return text + "}\n";
}

std::vector<std::string> failure_lines(const analysis::firmware_answer& answer) {
    std::vector<std::string> lines;
    if (!answer.succeeded) lines.push_back(fmt::format("{}: {}", shown_name(answer.file), answer.ending));
    if (answer.jitter && !answer.jitter->succeeded_without)
        lines.push_back(
            fmt::format("{}: without delays: {}", shown_name(answer.file), answer.jitter->ending_without));
    if (answer.jitter && answer.jitter->changed())
        lines.push_back(
            fmt::format("{}: delays change it: {}", shown_name(answer.file), changed_parts(*answer.jitter)));
    for (unsigned i = 0; i < report_count; ++i) {
        const auto& seen = answer.diagnostics.of(static_cast<report_id>(i));
        if (seen.count && seen.first.level == severity::error)
            lines.push_back(fmt::format("{}: error: cycle {}: {}: {}", shown_name(answer.file),
                                        seen.first.at.count(), describe(seen.first.id).name,
                                        seen.first.message));
    }
    return lines;
}

} // namespace sfpu::views
