#include "firmware_jitter.h"

#include <sfpu/views/json_text.h>

#include <fmt/format.h>

namespace sfpu::views {
namespace {

/// Registers that the text names; the others are counted.
constexpr std::size_t named_registers = 4;

std::string or_unchanged(bool changed, std::string text) {
    return changed ? std::move(text) : std::string("unchanged");
}

std::string register_text(const analysis::jitter_answer& answer) {
    std::string text = fmt::format("{} changed: ", answer.registers.size());
    for (std::size_t i = 0; i < answer.registers.size() && i < named_registers; ++i) {
        const analysis::changed_register& each = answer.registers[i];
        text += fmt::format("{}{} {:08x} -> {:08x}", i ? ", " : "", each.name, each.without, each.with);
    }
    return text + (answer.registers.size() > named_registers ? ", ..." : "");
}

std::string report_text(const analysis::jitter_answer& answer) {
    std::string text;
    for (const analysis::changed_report& each : answer.reports)
        text += fmt::format("{}{} {} -> {}", text.empty() ? "" : ", ", describe(each.id).name, each.without,
                            each.with);
    return text;
}

} // namespace

std::string changed_parts(const analysis::jitter_answer& answer) {
    std::string text;
    const auto add = [&text](bool changed, const char* name) {
        if (changed) text += (text.empty() ? "" : ", ") + std::string(name);
    };
    add(answer.ending_changed, "result");
    add(answer.dst_cells != 0, "Dst");
    add(answer.l1_bytes != 0, "L1");
    add(answer.printed_changed, "what it prints");
    add(answer.reports_changed(), "reports");
    return text;
}

std::string jitter_lines(const analysis::jitter_answer& answer) {
    std::string text = fmt::format(
        "jitter         seed {}: {} pushes delayed, at {} places, by {} NOPs of cores and {} Tensix NOPs\n",
        answer.how.seed, answer.done.delays, answer.done.places, answer.done.core_nops,
        answer.done.tensix_nops);
    const auto add = [&text](const char* name, const std::string& what) {
        text += fmt::format("  {:<13}{}\n", name, what);
    };
    add("cycles",
        fmt::format("{} without, {} with", answer.cycles_without.count(), answer.cycles_with.count()));
    add("result", or_unchanged(answer.ending_changed, answer.ending_without + " -> " + answer.ending_with));
    add("Dst", or_unchanged(answer.dst_cells != 0,
                            fmt::format("{} cells changed, the first in row {}, column {}", answer.dst_cells,
                                        answer.dst_row, answer.dst_column)));
    add("L1", or_unchanged(answer.l1_bytes != 0, fmt::format("{} bytes changed, the first at {:#010x}",
                                                             answer.l1_bytes, answer.l1_address)));
    add("printed", or_unchanged(answer.printed_changed, "changed"));
    add("registers", or_unchanged(!answer.registers.empty(), register_text(answer)));
    add("reports", or_unchanged(!answer.reports.empty(), report_text(answer)));
    return text;
}

std::string jitter_json(const analysis::jitter_answer& answer) {
    const riscv::jitter_counters& done = answer.done;
    std::string text = fmt::format(
        "{{\"seed\":{},\"most\":{},\"places\":{},\"delays\":{},\"core_nops\":{},\"tensix_nops\":{},"
        "\"changed\":{},\"cycles\":[{},{}],\"result\":[",
        answer.how.seed, answer.how.most, done.places, done.delays, done.core_nops, done.tensix_nops,
        answer.changed(), answer.cycles_without.count(), answer.cycles_with.count());
    append_json_string(text, answer.ending_without);
    text += ',';
    append_json_string(text, answer.ending_with);
    text += fmt::format("],\"dst_cells\":{}", answer.dst_cells);
    if (answer.dst_cells) text += fmt::format(",\"dst_first\":[{},{}]", answer.dst_row, answer.dst_column);
    text += fmt::format(",\"l1_bytes\":{}", answer.l1_bytes);
    if (answer.l1_bytes) text += fmt::format(",\"l1_first\":{}", answer.l1_address);
    text += fmt::format(",\"printed\":{},\"registers\":[", answer.printed_changed);
    for (std::size_t i = 0; i < answer.registers.size(); ++i)
        text += fmt::format("{}{{\"name\":\"{}\",\"without\":\"{:08x}\",\"with\":\"{:08x}\"}}", i ? "," : "",
                            answer.registers[i].name, answer.registers[i].without, answer.registers[i].with);
    text += "],\"reports\":[";
    for (std::size_t i = 0; i < answer.reports.size(); ++i)
        text += fmt::format("{}{{\"id\":\"{}\",\"without\":{},\"with\":{}}}", i ? "," : "",
                            describe(answer.reports[i].id).name, answer.reports[i].without,
                            answer.reports[i].with);
    return text + "]}";
}

} // namespace sfpu::views
